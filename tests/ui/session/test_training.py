"""The session: what the learner chose, and what the curve and the timeline are told."""

from __future__ import annotations

import pytest

from bpe_tui.core.errors import BpeError
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session


def open_session(name: str = "hug") -> Session:
    return Session.load(*Request((name,)).find())


def ids(session: Session, left: str, right: str) -> tuple[int, int]:
    texts = [session.trainer.texts[token] for token in range(session.trainer.vocab_size)]
    return texts.index(left), texts.index(right)


def test_the_title_names_corpus_preset_and_rule() -> None:
    assert open_session().titles == ("hug · toy · ties first-seen", "hug · first-seen", "hug")
    assert Session.load(*Request(text="a b", preset="minbpe").find()).titles[0] == "stdin · minbpe · ties first-seen"


def test_totals_grow_with_what_is_known_and_survive_undo() -> None:
    session = open_session()
    assert list(session.trainer.totals) == [113]
    session.trainer.goto(3)
    assert list(session.trainer.totals) == [113, 93, 77, 62]
    session.trainer.undo()
    assert list(session.trainer.totals) == [113, 93, 77, 62]


def test_a_choice_is_remembered_and_forgets_the_future() -> None:
    session = open_session()
    session.trainer.goto(3)
    assert len(session.trainer.totals) == 4
    session.trainer.goto(1)
    step = session.choose(ids(session, "h", "ug"))
    assert (step.number, step.own_choice) == (2, True)
    assert list(session.choices) == [2]
    assert list(session.trainer.totals) == [113, 93, 78]
    session.trainer.goto(1)
    session.choose(ids(session, "u", "n"))
    assert not session.choices
    assert list(session.trainer.totals) == [113, 93, 77]


def test_choosing_what_was_undone_is_a_redo() -> None:
    session = open_session()
    session.trainer.goto(3)
    session.trainer.goto(0)
    session.choose(ids(session, "u", "g"))
    assert len(session.trainer.steps) == 3
    assert not session.choices


def test_another_rule_keeps_what_is_done() -> None:
    session = open_session("banana")
    session.trainer.goto(4)
    session.trainer.goto(2)
    assert len(session.trainer.totals) == 5
    session.set_ties("greatest-pair")
    assert len(session.trainer.totals) == 3
    assert session.options.ties == "greatest-pair"


def test_what_a_request_cannot_find_is_told() -> None:
    with pytest.raises(BpeError, match="no-such-file"):
        Request(("no-such-file",)).find()
    with pytest.raises(BpeError, match="no-such-preset"):
        Request(("hug",), "no-such-preset").find()
