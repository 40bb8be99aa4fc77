"""What all tests share: how hard hypothesis tries, how apps are waited for, and how often garbage is looked for."""

import gc
import importlib.util
import os

from hypothesis import settings

from tests import idle

# No deadline: a busy machine is no failure. `HYPOTHESIS_PROFILE=long make test` searches for an hour, not a minute.
settings.register_profile("default", max_examples=50, deadline=None, print_blob=True)
settings.register_profile("long", max_examples=3000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

idle.install()

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
collect_ignore = [] if importlib.util.find_spec("termios") else NEED_POSIX


def pytest_collection_finish() -> None:
    """Leave what was imported out of the search for garbage, which takes a tenth of the time of an app otherwise."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
