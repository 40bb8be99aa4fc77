"""Questions: second tries, reasons, evidence, and what is withheld until they are answered."""

import pytest

from bpe_tui.core.errors import LessonError
from bpe_tui.lessons.prose import Paragraph, plain_text
from bpe_tui.lessons.subjects import Clue
from bpe_tui.lessons.walk import Walk
from tests.lessons.making import FRONT_LINES, commands, lesson

CUT = """\
```ask
How is `mug` tokenized?

- `mug`
  wrong: `m` is
  unknown.
- `[UNK] ug`
- `[UNK]`
  wrong: Only the `m` is.

answer: tokens mug
hint: Look at `m`.
explain: So.
```
"""


def cut(body: str = CUT) -> Walk:
    return Walk(lesson(commands("goto 1") + "\n" + body))


def text(blocks: tuple[object, ...]) -> str:
    return " ".join(plain_text(block.spans) for block in blocks if isinstance(block, Paragraph))


def test_a_wrong_answer_gets_its_reason_and_a_second_try() -> None:
    walk = cut()
    assert walk.is_asking
    first = walk.answer("mug")
    assert first is not None
    assert (first.is_right, first.is_final, first.sentence) == (False, False, "Not yet: try once more.")
    assert (text(first.reason), first.explanation, first.evidence) == ("m is unknown.", (), "")
    assert walk.is_asking
    second = walk.answer("[UNK] ug")
    assert second is not None
    assert (second.is_right, second.is_final, second.sentence) == (True, True, "Right: [UNK] ug.")
    assert (text(second.reason), text(second.explanation)) == ("", "So.")
    assert not walk.is_asking


def test_after_two_wrong_answers_the_right_one_is_shown() -> None:
    walk = cut()
    walk.answer("mug")
    second = walk.answer("[UNK]")
    assert second is not None
    assert (second.is_right, second.is_final) == (False, True)
    assert (second.sentence, text(second.reason)) == ("Not quite: the answer is [UNK] ug.", "Only the m is.")


def test_of_two_choices_there_is_no_second_try() -> None:
    walk = Walk(lesson("```ask\nWhich?\n- [x] this\n- that\n  wrong: No.\n```\n"))
    verdict = walk.answer("that")
    assert verdict is not None
    assert (verdict.is_final, verdict.sentence, text(verdict.reason)) == (
        True,
        "Not quite: the answer is this.",
        "No.",
    )


EVIDENCE = [
    ("count u + n", "16", "u + n: pun×12 + bun×4 = 16", ("u", "n")),
    ("next", "u g", "u + g: hug×10 + pug×5 + hugs×5 = 20", ("u", "g")),
    ("winner greatest-pair", "u g", "u + g: hug×10 + pug×5 + hugs×5 = 20", ("u", "g")),
    ("token b", "4", "b: bun×4 = 4", ("b",)),
    ("count h + s", "0", "", ()),
    ("vocabulary", "seven", "", ()),
]


@pytest.mark.parametrize(("subject", "answer", "sentence", "texts"), EVIDENCE, ids=[row[0] for row in EVIDENCE])
def test_evidence_is_shown_and_selected(subject: str, answer: str, sentence: str, texts: tuple[str, ...]) -> None:
    walk = Walk(lesson(f"```ask\nWell?\nanswer: {subject}\n```\n"))
    assert (walk.selected, walk.selected_token) == (None, None)
    verdict = walk.answer(answer)
    assert verdict is not None
    assert (verdict.is_right, verdict.evidence) == (True, sentence)
    ids = tuple(walk.trainer.id_of(one) for one in texts)
    assert walk.selected == (ids if len(ids) == 2 else None)
    assert walk.selected_token == (ids[0] if len(ids) == 1 else None)


def test_an_answer_may_be_a_number_in_words() -> None:
    walk = Walk(lesson("```ask\nHow many?\nanswer: corpus\n```\n"))
    verdicts = [walk.answer(answer) for answer in ("a hundred", "one hundred and thirteen", "hundred thirteen", "113")]
    assert [verdict.is_right for verdict in verdicts if verdict is not None] == [False, False, True, True]


WRONG_BLOCKS = [
    ("- [x] a\n  wrong: No.\n- b\n", 4, "nothing is wrong with it"),
    ("- [x] a\n- b\nwithhold: everything\n", 5, "'everything' cannot be withheld; what can is next-pair, counts"),
]


@pytest.mark.parametrize(("block", "line", "message"), WRONG_BLOCKS)
def test_wrong_blocks_are_refused(block: str, line: int, message: str) -> None:
    with pytest.raises(LessonError) as caught:
        lesson(f"```ask\nWhich?\n{block}```\n")
    assert str(caught.value).startswith(f"try.md:{FRONT_LINES + line}: ")
    assert message in str(caught.value)


# -- what is withheld ----------------------------------------------------------------------------------------------

PAGES = """\
One.

---

```bpe
encode thug
```

```ask
How often?
answer: count u + n
```

---

```bpe
count
```

```ask
Which is next?
answer: next
```

---

```bpe
step
```

---

```ask
How many merges were asked for?
accept: 5
withhold: merges
```

---

```ask
How many tokens are there? (There are 8.)
answer: vocabulary
visible: it is told
```
"""
COUNTS = {Clue.NEXT_PAIR, Clue.COUNTS}
WITHHELD = [COUNTS | {Clue.TIES}] * 3 + [{Clue.MERGES}] * 2 + [set()]


def test_what_a_later_page_of_the_moment_asks_for_is_withheld_from_its_beginning() -> None:
    walk = Walk(lesson(PAGES))
    found = [walk.withheld]
    while walk.can_next:
        walk.next()
        found.append(walk.withheld)
    assert found == WITHHELD


def test_what_was_answered_is_not_withheld_any_more() -> None:
    walk = Walk(lesson(PAGES))
    walk.goto(2)
    walk.answer("p + u")
    assert walk.withheld == COUNTS | {Clue.TIES}
    walk.answer("u + g")
    assert walk.withheld == set()
    walk.back()
    assert walk.withheld == COUNTS
    walk.answer("16")
    assert walk.withheld == set()
    walk.back()
    assert walk.withheld == set()


def test_a_winner_under_the_rule_in_force_is_the_next_pair() -> None:
    for rule, clues in (("first-seen", COUNTS | {Clue.TIES}), ("lowest-id", {Clue.NEXT_PAIR, Clue.TIES})):
        assert Walk(lesson(f"```ask\nWhich?\nanswer: winner {rule}\n```\n")).withheld == clues
