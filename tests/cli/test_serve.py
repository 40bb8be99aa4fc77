"""What `serve` refuses before it serves, and the command line that it gives to each client's app."""

import socket

import pytest

from bpe_tui.cli.commands.serve import as_arguments, colours_of, command_of, lesson_of
from bpe_tui.cli.options import TrainingChoices
from bpe_tui.core.errors import OptionError
from bpe_tui.core.runtime import AT_A_DESK, policy
from bpe_tui.web.admission import Admission
from bpe_tui.web.server import Server, own_names
from bpe_tui.web.settings import Settings
from tests.cli.running import run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/etc/passwd"], "/etc/passwd is no bundled corpus; serve opens one of hug, "),
        (["README.md"], "README.md is no bundled corpus"),
        (["--lesson", "nothing"], "there is no lesson 'nothing'"),
        (["--lesson", "/etc/passwd"], "there is no lesson '/etc/passwd'"),
        (["--theme", "pink"], "there is no theme 'pink'; choose one of bpe-dark, "),
        (["--ties", "coin"], "'coin'"),
        (["--public-url", "bpe.example"], "--public-url bpe.example: an address begins with http:// or https://"),
        (["--host", "256.0.0.1"], "256.0.0.1, port 8000 cannot be served"),
        (["--port", "70000"], "'--port': 70000 is not in the range"),
        (["--clients", "0"], "--clients"),
        (["--memory", "10"], "--memory"),
        (["--memory", "9999999999999999"], "'--memory': 9999999999999999 is not in the range 300<=x<=1000000"),
        (["--host", "a..b"], "a..b, port 8000 cannot be served: that is no host name"),
        (["--host", f"{'x' * 70}.example"], "cannot be served: that is no host name"),
        (["--idle", "inf"], "'--idle': inf is not in the range"),
        (["--keep", "-1"], "'--keep': -1.0 is not in the range 0<=x<=1440"),
        (["--keep", "nan"], "--keep needs a number of minutes"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    assert said in run("serve", *arguments).error


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"127.0.0.1, port {port} cannot be served" in run("serve", "--port", port).error


def test_a_client_gets_the_options_that_were_given() -> None:
    training = TrainingChoices(preset="course", ties="lowest-id", specials=("<a>", "-b"), merges=7, end_of_word="</w>")
    assert as_arguments(training) == (
        "--preset=course",
        "--end-of-word=</w>",
        "--ties=lowest-id",
        "--special=<a>",
        "--special=-b",
        "--merges=7",
    )
    assert command_of("story", TrainingChoices(), "bpe-light") == ("open", "--theme", "bpe-light", "--", "story")
    assert policy() is AT_A_DESK
    with pytest.raises(OptionError):
        command_of("hug", TrainingChoices(pre_tokenizer="none", pattern="("), None)
    assert policy() is AT_A_DESK


def test_a_lesson_is_named_by_number_name_or_corpus() -> None:
    named = lesson_of("1", None)
    assert named == (("lesson", "what-bpe-is"), "what-bpe-is", "en")
    assert lesson_of("what-bpe-is", None) == lesson_of("hug", None) == named


def test_the_page_has_the_colours_of_the_theme() -> None:
    dark, light = colours_of(None), colours_of("bpe-light")
    assert dark[0] < light[0]
    assert dark[1] > light[1]


def test_names_of_the_server() -> None:
    assert own_names(Settings()) == {"localhost", "127.0.0.1"}
    assert "bpe.example" in own_names(Settings(public_url="https://bpe.example/x"))
    admission = Admission(10, 10, lambda: None)
    at_home, abroad = Server(Settings(), admission), Server(Settings(host="0.0.0.0"), admission)
    assert [at_home._is_own_name(name) for name in ("127.0.0.1", "::1", "192.0.2.7", "evil.example", None)] == [
        *(True, True, False, False, False)
    ]
    assert [abroad._is_own_name(name) for name in ("192.0.2.7", socket.gethostname().lower(), "evil.example")] == [
        *(True, True, False)
    ]
