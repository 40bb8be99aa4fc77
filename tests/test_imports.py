"""What is imported when: the core alone, and the commands that must answer at once.

The import contract (`make lint`) looks at the source; these tests look at a running Python, where an import may also
come in through a third package.
"""

import json
import pkgutil
import subprocess
import sys

import pytest

import bpe_tui.core

CORE_MODULES = [
    "bpe_tui.core",
    *(f"bpe_tui.core.{module.name}" for module in pkgutil.walk_packages(bpe_tui.core.__path__)),
]


def packages_loaded_by(code: str) -> set[str]:
    """Run `code` in a fresh Python and return the top-level packages it has loaded at its end."""
    report = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules}))))\n"
    )
    done = subprocess.run([sys.executable, "-c", report + code], capture_output=True, text=True, check=True, timeout=60)
    loaded: list[str] = json.loads(done.stdout.splitlines()[-1])
    return set(loaded)


@pytest.mark.parametrize("module", CORE_MODULES)
def test_the_core_loads_no_screen_and_no_command_line(module: str) -> None:
    loaded = packages_loaded_by(f"import {module}")
    assert "bpe_tui" in loaded
    assert not loaded & {"textual", "rich", "typer", "click"}


def test_the_version_loads_no_screen_and_no_numbers() -> None:
    loaded = packages_loaded_by(
        "import sys\nfrom bpe_tui.cli.main import run\nsys.argv = ['bpe-tui', '--version']\nrun()"
    )
    assert "bpe_tui" in loaded
    assert not loaded & {"textual", "numpy"}


def test_the_help_loads_no_screen_and_no_numbers() -> None:
    loaded = packages_loaded_by("import sys\nfrom bpe_tui.cli.main import run\nsys.argv = ['bpe-tui', '--help']\nrun()")
    assert "bpe_tui" in loaded
    assert not loaded & {"textual", "numpy"}


def test_the_list_of_lessons_loads_no_screen_and_no_numbers() -> None:
    code = "from bpe_tui.cli.main import run\nimport sys\nsys.argv = ['bpe-tui', 'lesson', '--list']\nrun()"
    loaded = packages_loaded_by(code)
    assert "bpe_tui" in loaded
    assert not loaded & {"textual", "numpy"}


@pytest.mark.parametrize("arguments", [["open", "hug", "--plain"], ["lesson", "1", "--plain"]], ids=" ".join)
def test_plain_mode_loads_no_screen(arguments: list[str]) -> None:
    code = "import io, sys\nfrom bpe_tui.cli.main import run\nsys.stdin = io.StringIO('')\n"
    loaded = packages_loaded_by(f"{code}sys.argv = {['bpe-tui', *arguments]!r}\nrun()")
    assert {"bpe_tui", "numpy"} <= loaded
    assert "textual" not in loaded
