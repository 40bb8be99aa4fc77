"""What all tests share: how hard hypothesis tries, how apps start and are waited for, when garbage is looked for."""

import gc
import importlib.util
import os
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from tests import idle, style_sheets

# No deadline: a busy machine is no failure. `HYPOTHESIS_PROFILE=long make test` searches for an hour, not a minute.
settings.register_profile("default", max_examples=50, deadline=None, print_blob=True)
settings.register_profile("long", max_examples=3000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

idle.install()
style_sheets.install()
gc.disable()  # until all is imported and collected

TESTS: Final = Path(__file__).parent

# These files drive pseudo-terminals, send signals, limit processes and split them off, none of which Windows can do.
# There, and where that is tried out (see `poorer_system`), they are left out; anywhere else nothing is.
NEED_POSIX = [
    "cli/test_commands.py",
    "cli/test_completion.py",
    "cli/test_serve.py",
    "cli/test_words.py",
    "cluster/test_counting.py",
    "core/corpus/test_patterns.py",
    "core/corpus/test_pipes.py",
    "robustness",
    "test_benchmarks.py",
    "ui/test_served.py",
    "web",
]
NEED_POSIX_TOO = {
    "test_a_lesson_is_read_from_a_pipe_and_no_device_without_end",
    "test_a_loop_without_end",
    "test_a_pipe_is_written_into_not_replaced",
    "test_a_slot_has_one_writer_and_others_write_beside",
    "test_processes_that_a_file_starts_end_with_it",
    "test_the_machine_tells_what_is_free",
    "test_two_at_once_lose_nothing_and_the_second_is_told",
}
"""Single tests in other files."""
WAIT = ("cluster", "robustness", "web", "test_benchmarks.py", "test_wheel.py")
"""Folders and files whose tests mostly wait for other processes."""
HAS_POSIX = importlib.util.find_spec("termios") is not None
collect_ignore = [] if HAS_POSIX else NEED_POSIX


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the single tests as well, and put files that wait between such that compute, so that no core rests."""
    if not HAS_POSIX:
        items[:] = [item for item in items if item.name.partition("[")[0] not in NEED_POSIX_TOO]
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [path for path in files if path.relative_to(TESTS).parts[0] in WAIT]
    order = [path for path in files if path not in waiting]
    for place, path in enumerate(waiting):
        order.insert(4 * place, path)
    items[:] = [item for path in order for item in files[path]]


def pytest_collection_finish() -> None:
    """Leave what was imported out of the search for garbage, which takes a tenth of the time of an app otherwise."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Look for garbage once more, and not six times through all that is left, as pytest and Python do at the end."""
    gc.collect()
    gc.freeze()
