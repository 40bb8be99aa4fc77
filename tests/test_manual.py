"""The manual page says what the command line says of itself."""

from tools.manual import PAGE, manual

MACROS = {".TH", ".SH", ".SS", ".PP", ".TP", ".B"}


def test_the_page_is_that_of_the_current_commands() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual(), "make manual"


def test_no_text_of_it_is_taken_for_an_instruction() -> None:
    lines = manual().splitlines()
    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} == MACROS
    assert r"\fB\-o, \-\-output FILE\fR" in lines
    assert not [line for line in lines if "`" in line]
    titles = [line.split()[1] for line in lines if line.startswith(".SS")]
    assert titles[:3] == ["open", "train", "encode"]
    # An option that many commands have is explained once, another with each command.
    assert len([line for line in lines if line.startswith(r"\fB\-\-min\-frequency ")]) == 1
    assert len([line for line in lines if line.startswith(r"\fB\-o, \-\-output ")]) > 1
