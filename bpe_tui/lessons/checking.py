"""Checking a lesson: every command is carried out, every statement verified."""

from __future__ import annotations

from bpe_tui.lessons.lesson import Lesson
from bpe_tui.lessons.walk import Walk


def check(lesson: Lesson) -> list[str]:
    """What is not true, as `file:line: expected … but …`; empty if all is. Raises `BpeError`."""
    walk = Walk(lesson)
    found = [f"{lesson.path}:{failure.line}: {failure.sentence}" for failure in walk.visit.failures]
    while walk.can_next:
        found += [f"{lesson.path}:{failure.line}: {failure.sentence}" for failure in walk.next().failures]
    return found
