"""Small lessons for tests."""

from bpe_tui.lessons.lesson import Lesson
from bpe_tui.lessons.reading import parse_lesson

FRONT = "---\ntitle: A try\nlanguage: en\ncorpus: hug\nmerges: 5\n---\n\n"
FRONT_LINES = FRONT.count("\n")


def lesson(body: str, front: str = FRONT) -> Lesson:
    """The lesson with this body; `front` is its front matter."""
    return parse_lesson(front + body, "try.md")


def commands(*lines: str) -> str:
    """A block of commands."""
    return "\n".join(("```bpe", *lines, "```", ""))
