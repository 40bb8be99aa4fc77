"""Checking a lesson: every command is carried out, every statement verified."""

from __future__ import annotations

from bpe_tui.lessons.lesson import Lesson
from bpe_tui.lessons.walk import Walk


def check(lesson: Lesson) -> list[str]:
    """What is not true, as `file:line: expected … but …`; empty if all is. Raises `BpeError`."""
    walk = Walk(lesson)
    found = list(walk.visit.failures)
    while walk.can_next:
        found += walk.next().failures
    return [f"{lesson.path}:{failure.line}: {failure.sentence}" for failure in found]
