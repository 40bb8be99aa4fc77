"""What can be written to a file at a moment of training, and the writing of it: whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZipFile

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, reason_of
from bpe_tui.formats import registry
from bpe_tui.formats.files import write_atomically
from bpe_tui.formats.gpt2 import files_to_write
from bpe_tui.formats.session import file as session_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import App

    from bpe_tui.ui.session.tokenizer import EncodeSession

PICTURE: Final = "picture"
"""The kind that is no tokenizer."""
PICTURE_SUFFIX: Final = ".svg"
SESSION: Final = "session"
"""The kind that holds the whole training, undone merges and own choices included."""
FOLDER_FORMAT: Final = "gpt2"
"""The format that may be written to a folder, as two files."""
SUFFIXES: Final = {"gpt2": "-vocab.json"}
"""Endings that are more specific than a format's usual one."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """Something to write."""

    name: str
    """A format's name on the command line, or `picture`."""
    title: str
    suffix: str
    """The usual end of such files' names."""
    refusal: str = ""
    """Why it can't be written here; empty if it can."""


def kinds(session: EncodeSession) -> list[FileKind]:
    """Every format that is written, with the reason if it cannot represent this training; a picture last."""
    found = []
    for one in registry.FORMATS:
        if not one.is_written:
            continue
        refusal = ""
        try:
            if one.name == SESSION:
                check_resumable(session)
            else:
                one.check_options(session.options)
        except TokenizerFileError as error:
            refusal = str(error)
        found.append(FileKind(one.name, _(one.title), SUFFIXES.get(one.name, one.suffixes[0]), refusal))
    return [*found, FileKind(PICTURE, _("this screen as it is, an SVG picture"), PICTURE_SUFFIX)]


def refusals(session: EncodeSession) -> Callable[[], dict[str, str]]:
    """For a thread: why formats cannot represent the tokenizer of this moment, by their names."""
    take, names = (
        session.taking_model(),
        [one.name for one in registry.FORMATS if one.is_written and one.name != SESSION],
    )

    def found() -> dict[str, str]:
        model = take()
        return {name: reason for name in names if (reason := registry.obstacle(model, name))}

    return found


def kind_called(kinds: Sequence[FileKind], name: str) -> FileKind | None:
    """The kind of file that a name has by its ending, as on the command line; None if the ending decides nothing."""
    if name.endswith(PICTURE_SUFFIX):
        return kinds[-1]
    try:
        found = registry.format_by_name(name)
    except (OSError, ValueError):  # no name for a file; the attempt to write reports that
        return None
    return None if found is None else next(kind for kind in kinds if kind.name == found.name)


def check_resumable(session: EncodeSession) -> None:
    """Raises `TokenizerFileError` if the corpus is in no file that could be opened again."""
    if not session.can_be_resumed:
        raise TokenizerFileError(_("the corpus is in no file, so a session could not be resumed"))


def file_name(session: EncodeSession, kind: FileKind) -> str:
    """A name for the file, made of what was opened: `hug.json`."""
    stem = Path(session.name).stem.removesuffix(".bpe")
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in stem).strip("-.")
    return f"{plain[:40] or 'tokenizer'}{kind.suffix}"


def obstacle(session: EncodeSession, path: Path, kind: FileKind | None = None) -> str:
    """Why nothing can be written to `path`, in a sentence; empty if something may. GPT-2's files go into a folder."""
    try:
        if path.is_dir() and (kind is None or kind.name != FOLDER_FORMAT):
            return _("{path} is a folder; name a file in it.").format(path=path)
        if not path.absolute().parent.is_dir():
            return _("There is no folder {folder}.").format(folder=path.parent)
        if session.comes_from(path):
            return _("{path} is the corpus itself; choose another name.").format(path=path)
    except (OSError, ValueError, RuntimeError) as error:
        reason = reason_of(error)
        return _("{path} is not a name for a file: {reason}.").format(path=path, reason=reason)
    return ""


def files_of(kind: FileKind, path: str) -> tuple[Path, ...]:
    """The files that writing to `path` makes: GPT-2's format has two, and so has minbpe's."""
    if kind.name == FOLDER_FORMAT:
        pair = files_to_write(path)
        return tuple(map(Path, pair)) if pair is not None else (Path(path),)
    if kind.name == "minbpe":
        return (Path(path), Path(path).with_suffix(".vocab"))
    return (Path(path),)


def writer(session: EncodeSession, kind: FileKind, path: str) -> Callable[[], tuple[str, ...]]:
    """The writing of a tokenizer or session of this moment, for a thread: it looks at nothing that training changes.

    It returns notes for the user, and raises `TokenizerFileError`.
    """
    if kind.name == SESSION:
        check_resumable(session)
        saved = session.saving()
        return lambda: registry.write_session(path, saved())
    take = session.taking_model()
    return lambda: registry.write_tokenizer(path, take(), kind.name)


def in_memory(session: EncodeSession, kind: FileKind, name: str, picture: Callable[[], str]) -> dict[str, bytes]:
    """The files that writing to `name` would make, by their names, with what would be in them. Raises `BpeError`."""
    if kind.name == PICTURE:
        return {name: picture_bytes(picture())}
    if kind.name == SESSION:
        check_resumable(session)
        return {name: session_file.write(session.saving()())}
    return registry.tokenizer_files(name, session.taking_model()(), kind.name)[0]


def download(app: App[Any], name: str, files: dict[str, bytes]) -> str:
    """Send files to the browser that the app is shown in, several of them in one archive; return what it is called."""
    if len(files) > 1:
        packed = BytesIO()
        with ZipFile(packed, "w") as archive:
            for each, content in files.items():
                archive.writestr(each, content)
        name, data = f"{Path(name).stem}.zip", packed.getvalue()
    else:
        ((name, data),) = files.items()
    # Folder and type are given, because the library would look for them in files of this computer.
    app.deliver_binary(BytesIO(data), save_directory=".", save_filename=name, mime_type="application/octet-stream")
    return name


def write_picture(path: str, svg: str) -> None:
    """Write a picture. Raises `TokenizerFileError`."""
    _write(path, picture_bytes(svg))


def picture_bytes(svg: str) -> bytes:
    """A picture of the screen as a file; without the attribute some viewers run blanks together."""
    return svg.replace("<svg ", '<svg xml:space="preserve" ', 1).encode("utf-8", "replace")


def _write(path: str, data: bytes) -> tuple[str, ...]:
    try:
        write_atomically(path, data)
    except TokenizerFileError as error:
        raise TokenizerFileError(f"{path}: {error}") from error
    return ()
