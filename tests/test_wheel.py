"""The package as people install it: built, put into a fresh environment, and run far from the checkout."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import bpe_tui
from bpe_tui.core.corpus.sources import bundled_corpora

CHECKOUT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    """Run `command` with no trace of the checkout in its environment, and return what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source distribution and the wheel made of it, so that both are known to be complete."""
    folder = tmp_path_factory.mktemp("dist")
    # Without isolation the build backend is the one that is pinned and installed here, and no network is asked.
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> Path:
    """The wheel."""
    (built,) = distributions.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the programs of a fresh environment that holds the wheel.

    The dependencies are those of the environment that runs the tests, at the versions of constraints.txt, looked up
    through a path file: fetching them again would take a minute and the network. That folder comes last on the import
    path, behind the wheel's own files, and a path file inside a path file is not followed, so that the editable install
    of the checkout stays out of sight.
    """
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(folder)}))
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    python = scripts / Path(sys.executable).name
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=folder)
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return scripts


def test_the_wheel_holds_the_package_and_the_corpora_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert "bpe_tui/py.typed" in names
    assert "bpe_tui/corpora/corpora.toml" in names
    assert "bpe_tui/corpora/README.md" in names
    assert {f"bpe_tui/corpora/{corpus.path.name}" for corpus in bundled_corpora()} <= names
    version = f"bpe_tui-{bpe_tui.__version__}"
    assert {name.partition("/")[0] for name in names} == {"bpe_tui", f"{version}.dist-info", f"{version}.data"}
    beside = {name for name in names if name.startswith(f"{version}.data/")}
    assert beside == {f"{version}.data/data/share/man/man1/bpe-tui.1"}
    kinds = {Path(name).suffix for name in names if name.startswith("bpe_tui/") and "/corpora/" not in name}
    assert kinds == {".py", ".typed", ".tcss", ".md", ".po", ".mo", ".js", ".css", ".html"}
    sources = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "bpe_tui").rglob("*.py")}
    styles = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "bpe_tui").rglob("*.tcss")}
    lessons = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "bpe_tui" / "lessons").rglob("*.md")}
    assert sources | styles | lessons <= names


def test_both_distributions_name_and_hold_the_licences_of_the_corpora(distributions: Path, wheel: Path) -> None:
    licences = {corpus.licence for corpus in bundled_corpora() if not corpus.licence.startswith("No claim")}
    assert licences == {"MIT", "Apache-2.0"}
    texts = {name: (CHECKOUT / name).read_bytes() for name in ("LICENSE", "LICENSES/Apache-2.0.txt")}
    assert b"Apache License" in texts["LICENSES/Apache-2.0.txt"]
    info = f"bpe_tui-{bpe_tui.__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        metadata = message_from_bytes(archive.read(f"{info}/METADATA"))
        assert {name: archive.read(f"{info}/licenses/{name}") for name in texts} == texts
    (source,) = distributions.glob("*.tar.gz")
    root = f"bpe_tui-{bpe_tui.__version__}"
    with tarfile.open(source) as sources:

        def read(name: str) -> bytes:
            member = sources.extractfile(f"{root}/{name}")
            assert member is not None
            return member.read()

        assert {name: read(name) for name in texts} == texts
        described = message_from_bytes(read("PKG-INFO"))
    for each in (metadata, described):
        assert set(each["License-Expression"].split(" AND ")) == licences
        assert set(each.get_all("License-File", [])) == set(texts)


def test_the_program_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    program = installed / "bpe-tui"
    assert run(program, "--version", cwd=tmp_path).strip().endswith(bpe_tui.__version__)
    listed = run(program, "corpora", cwd=tmp_path)
    assert all(corpus.name in listed for corpus in bundled_corpora())
    trained = json.loads(run(program, "train", "hug", "--json", cwd=tmp_path))
    assert [(merge["left"], merge["right"], merge["counted"]) for merge in trained["merges"]] == [
        ("u", "g", 20),
        ("u", "n", 16),
        ("h", "ug", 15),
    ]
    assert trained["stopped"] == "merges"
    assert "all are true" in run(program, "lesson", "--check", "1", cwd=tmp_path)
    page = installed.parent / "share" / "man" / "man1" / "bpe-tui.1"
    assert page.read_bytes() == (CHECKOUT / "docs" / "man" / "bpe-tui.1").read_bytes()


def test_it_runs_as_a_module_and_uses_its_own_files(installed: Path, tmp_path: Path) -> None:
    python = installed / Path(sys.executable).name
    assert run(python, "-m", "bpe_tui", "--version", cwd=tmp_path).strip().endswith(bpe_tui.__version__)
    places = run(
        python,
        "-c",
        "import bpe_tui.core.corpus.sources as b; print(b.__file__); print(b.corpora_folder())",
        cwd=tmp_path,
    )
    for place in map(Path, places.splitlines()):
        assert place.is_relative_to(installed.parent.resolve())
        assert not place.is_relative_to(CHECKOUT)


def test_the_whole_catalogue_can_be_read_once_installed(installed: Path, tmp_path: Path) -> None:
    python = installed / Path(sys.executable).name
    count = run(
        python,
        "-c",
        "from bpe_tui.core.corpus.sources import bundled_corpora as all; print(sum(c.path.is_file() for c in all()))",
        cwd=tmp_path,
    )
    assert int(count) == len(bundled_corpora())
