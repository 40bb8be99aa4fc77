"""Plain mode on a real terminal: no colour, no cursor moves, and a polite end."""

from pathlib import Path

import pytest

from tests.robustness.terminal import Terminal

OPEN = ("open", "hug", "--plain")
LESSON = ("lesson", "1", "--plain")


@pytest.mark.parametrize(
    ("arguments", "name", "keys", "status"),
    [
        (OPEN, "dumb", ("n\n", "pairs\n", "q\n"), 0),
        (OPEN, "xterm-256color", ("n\n", "u\n", "\x03"), 130),
        (LESSON, "xterm-256color", ("\n", "words 2\n", "\x04"), 0),
    ],
)
def test_a_terminal_of_forty_columns(
    arguments: tuple[str, ...], name: str, keys: tuple[str, ...], status: int, tmp_path: Path
) -> None:
    with Terminal(*arguments, size=(40, 12), TERM=name, XDG_STATE_HOME=str(tmp_path), BPE_TUI_LANG="en") as terminal:
        since = 0
        for key in keys:
            terminal.wait_for("> ", since)
            since = len(terminal.output)
            terminal.send(key)
        assert terminal.ended() == status
    text = terminal.output.replace(b"\r\n", b"\n")
    assert not set(text) & {0x1B, 0x0D, 0x08, 0x07}
    assert max(len(line.decode()) for line in text.splitlines()) <= 40
    assert text.endswith(b"\n")
    assert b"Traceback" not in text
    assert (b"6 pairs, the most frequent first" in text) == ("pairs\n" in keys)
    assert (b"merge 1/3, vocab 8." in text) == ("n\n" in keys)


def test_before_a_file_is_lost_it_is_asked(tmp_path: Path) -> None:
    old = tmp_path / "hug.json"
    old.write_text("old", encoding="utf-8")
    with Terminal(*OPEN, size=(200, 12), TERM="dumb", BPE_TUI_LANG="en") as terminal:
        for line, answer in ((f"save {old}", "Type yes to overwrite it."), ("no", "Nothing was written.")):
            terminal.wait_for("> ")
            since = len(terminal.output)
            terminal.send(f"{line}\n")
            terminal.wait_for(answer, since)
        assert old.read_text(encoding="utf-8") == "old"
        for line, answer in ((f"save {old}", "Type yes to overwrite it."), ("yes", "Written: ")):
            since = len(terminal.output)
            terminal.send(f"{line}\n")
            terminal.wait_for(answer, since)
        assert '"merges"' in old.read_text(encoding="utf-8")
        terminal.send("q\n")
        assert terminal.ended() == 0
