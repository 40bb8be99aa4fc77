"""Free training in plain mode: a prompt at which every step answers in sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from bpe_tui.core.errors import BpeError, OptionError, TokenizerFileError
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.options import TIE_RULES
from bpe_tui.core.teaching.explain import following_sentence, step_sentence
from bpe_tui.core.training.states import Phase
from bpe_tui.formats.registry import FORMATS, SESSION, format_by_name, write_session, write_tokenizer
from bpe_tui.plain.conversation import full_stop
from bpe_tui.plain.views import VIEWS, pair_called, status_sentence, tie_lines
from bpe_tui.ui.cyrillic import LATIN
from bpe_tui.ui.session.export import check_resumable, obstacle
from bpe_tui.ui.session.token_display import STYLE_SENTENCES
from bpe_tui.ui.typed_paths import path_of

if TYPE_CHECKING:
    from bpe_tui.plain.conversation import Conversation
    from bpe_tui.ui.session.training import Session

PROMPT: Final = ">"
OPENING: Final = mark("Every word starts as single letters. Enter merges the most frequent pair.")
OPENING_IN_BYTES: Final = mark("Every word starts as single bytes. Enter merges the most frequent pair.")
INVITATION: Final = mark("Type a command after the sign >; help lists them, quit leaves.")
TEN: Final = 10


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """Something that can be typed."""

    usage: str
    """As it is typed: `go N`; its first word is its name."""
    key: str
    """The app's letter for it; may be empty."""
    help: str
    """What it does; to be translated."""
    do: Callable[[FreeTraining, str], None]
    """Does it; gets what was typed after its name. Raises `BpeError`."""

    @property
    def name(self) -> str:
        """Its first word."""
        return self.usage.partition(" ")[0]


class FreeTraining:
    """A session that typed commands step through."""

    def __init__(self, session: Session, conversation: Conversation) -> None:
        self.session = session
        self.refused = 0
        """Commands that could not be carried out."""
        self._talk = conversation
        self._is_over = False

    def run(self) -> None:
        """Greet, and do what is typed until it is `quit` or the input ends."""
        session, talk = self.session, self._talk
        talk.say(session.titles[0])
        warnings = session.continuation.model.warnings if session.continuation is not None else ()
        for line in (*warnings, *session.trainer.words.notes):
            talk.say(_("note: {text}").format(text=line))
        self._tell_moment()
        talk.say(_(INVITATION))
        while not self._is_over:
            try:
                self.carry_out(talk.ask(PROMPT))
            except EOFError:
                return

    def carry_out(self, line: str) -> None:
        """Do what one line says; a line that makes no sense is answered by a sentence."""
        name, _blank, argument = line.partition(" ")
        command = BY_NAME.get(name) or BY_NAME.get(name.lower() if len(name) > 1 else LATIN.get(name, name))
        try:
            if command is None:
                raise _unknown(name)
            if argument.strip() and " " not in command.usage:
                raise OptionError(
                    _("{command} stands alone, without {text}").format(command=command.name, text=argument.strip())
                )
            command.do(self, argument.strip())
        except BpeError as error:
            self.refused += 1
            self._talk.say(_("Not done: {reason}").format(reason=full_stop(str(error))))

    # -- what is said ---------------------------------------------------------------------------------------------

    def _tell_moment(self) -> None:
        """What the last merge did, or how training begins; what is next and why; where that is."""
        session, trainer, talk = self.session, self.session.trainer, self._talk
        if not trainer.word_count:
            talk.say(_("There is no word in {corpus}.").format(corpus=session.corpus.name))
        elif trainer.position:
            talk.say(step_sentence(trainer, session.notation))
        else:
            talk.say(_(OPENING_IN_BYTES) if session.notation.byte_level else _(OPENING))
        self._tell_next()

    def _tell_next(self) -> None:
        self._talk.say(following_sentence(self.session.trainer, self.session.notation))
        self._talk.say(status_sentence(self.session.trainer))

    # -- moving ---------------------------------------------------------------------------------------------------

    def step(self, argument: str) -> None:
        """One merge forward."""
        self._step(1)

    def step_ten(self, argument: str) -> None:
        """Ten merges forward."""
        self._step(TEN)

    def _step(self, count: int) -> None:
        session = self.session
        session.by_phase = False
        for _time in range(count):
            if session.trainer.step() is None:
                self._tell_next()
                return
            self._talk.say(step_sentence(session.trainer, session.notation))
        self._tell_next()

    def undo(self, argument: str) -> None:
        """One merge back."""
        self._undo(1)

    def undo_ten(self, argument: str) -> None:
        """Ten merges back."""
        self._undo(TEN)

    def _undo(self, count: int) -> None:
        session, talk = self.session, self._talk
        session.by_phase = False
        for _time in range(count):
            step = session.trainer.undo()
            if step is None:
                talk.say(_("This is the start: there is no merge to undo."))
                break
            talk.say(
                _("Undone: merge {number}, {pair}.").format(
                    number=number(step.number), pair=session.notation.merge(step.merge.left, step.merge.right)
                )
            )
        self._tell_next()

    def phase(self, argument: str) -> None:
        """One phase forward."""
        session, talk, trainer = self.session, self._talk, self.session.trainer
        before = trainer.position, trainer.phase
        session.by_phase = True
        trainer.step_phase()
        if trainer.phase is Phase.MERGED:
            self._tell_moment()
            return
        talk.say(following_sentence(trainer, session.notation))
        if (trainer.position, trainer.phase) == before:
            talk.say(_("There is nothing to pick."))

    def phase_back(self, argument: str) -> None:
        """One phase back."""
        session = self.session
        session.by_phase = True
        position = session.trainer.position
        session.trainer.step_phase_back()
        if session.trainer.position != position or session.trainer.phase in (Phase.READY, Phase.MERGED):
            self._tell_next()
        else:
            self._talk.say(following_sentence(session.trainer, session.notation))

    def go(self, argument: str) -> None:
        """To a merge by its number."""
        if not argument.isdecimal():
            raise OptionError(_("go needs the number of a merge, such as go 12"))
        self._go(int(argument[:9]))

    def _go(self, merges: int) -> None:
        self.session.by_phase = False
        self.session.trainer.goto(merges)
        self._tell_moment()

    def finish(self, argument: str) -> None:
        """To the target."""
        trainer = self.session.trainer
        if trainer.position >= trainer.target:
            self._tell_next()
            return
        self.session.by_phase = False
        trainer.run()
        self._tell_moment()

    def restart(self, argument: str) -> None:
        """Back to the start."""
        self._go(0)

    def choose(self, argument: str) -> None:
        """Merge a pair of one's own choice."""
        self.session.by_phase = False
        self.session.choose(pair_called(self.session, argument))
        self._tell_moment()

    def ties(self, argument: str) -> None:
        """List the tie rules, or use another one from here on."""
        session, talk = self.session, self._talk
        if not argument:
            for line in tie_lines(session, ""):
                talk.say(line, "- ", "  ")
            return
        if argument not in TIE_RULES:
            message = _("{flag} {value!r} is not one of {names}")
            raise OptionError(message.format(flag="ties", value=argument, names=", ".join(TIE_RULES)))
        session.set_ties(argument)
        talk.say(_("From here on ties are decided by {rule}.").format(rule=argument))
        self._tell_next()

    # -- looking, writing, leaving --------------------------------------------------------------------------------

    def status(self, argument: str) -> None:
        """Where this is in what."""
        self._talk.say(self.session.titles[0])
        self._talk.say(status_sentence(self.session.trainer))

    def style(self, argument: str) -> None:
        """Show tokens in another way."""
        self._talk.say(_(STYLE_SENTENCES[self.session.display.use_next(self.session.options)]))

    def save(self, argument: str) -> None:
        """Write a tokenizer or a session, its format by the name's ending."""
        session, talk = self.session, self._talk
        if not argument:
            raise OptionError(_("save needs the name of a file, such as save hug.json"))
        path = path_of(argument)
        if reason := obstacle(session, path):
            raise TokenizerFileError(reason)
        name, one = str(path), format_by_name(str(path))
        if one is None:
            message = _("{path}: the name does not say the format; end it in {endings}")
            endings = ", ".join(each.suffixes[0] for each in FORMATS if each.is_written)
            raise TokenizerFileError(message.format(path=name, endings=endings))
        if self._talk.is_typed and path.exists() and not self._may_overwrite(name):
            return
        if one is SESSION:
            check_resumable(session)
            notes = write_session(name, session.saving()())
        else:
            notes = write_tokenizer(name, session.taking_model()())
        talk.say(_("Written: {name}.").format(name=name))
        for line in notes:
            talk.say(_("note: {text}").format(text=line))

    def _may_overwrite(self, name: str) -> bool:
        """Ask before a file is lost; in a script that was decided when it was written."""
        self._talk.say(_("There is {name} already. Type yes to overwrite it.").format(name=name))
        if self._talk.ask(PROMPT).lower() in ("yes", "y", _("yes")):
            return True
        self._talk.say(_("Nothing was written."))
        return False

    def help(self, argument: str) -> None:
        """List the commands."""
        self._talk.say(_("An empty line makes the next merge. These commands can be typed, or their letters:"))
        for command in COMMANDS:
            message = _("{usage}, or {key}: {help}") if command.key else _("{usage}: {help}")
            self._talk.say(message.format(usage=command.usage, key=command.key, help=_(command.help)), "- ", "  ")

    def quit(self, argument: str) -> None:
        """Leave."""
        self._is_over = True

    def look(self, name: str, argument: str) -> None:
        """List what a view shows."""
        for line in VIEWS_BY_NAME[name].lines(self.session, argument):
            self._talk.say(line, "", "  ")


VIEWS_BY_NAME: Final = {view.name: view for view in VIEWS}


def _looking(name: str) -> Callable[[FreeTraining, str], None]:
    return lambda training, argument: training.look(name, argument)


COMMANDS: Final = (
    TypedCommand("next", "n", mark("one merge forward"), FreeTraining.step),
    TypedCommand("undo", "u", mark("one merge back"), FreeTraining.undo),
    TypedCommand("phase", "s", mark("one phase forward: count, pick, merge"), FreeTraining.phase),
    TypedCommand("back", "S", mark("one phase back"), FreeTraining.phase_back),
    TypedCommand("ten", "N", mark("ten merges forward"), FreeTraining.step_ten),
    TypedCommand("undo-ten", "U", mark("ten merges back"), FreeTraining.undo_ten),
    TypedCommand("go N", "g", mark("to merge N"), FreeTraining.go),
    TypedCommand("finish", "f", mark("to the target"), FreeTraining.finish),
    TypedCommand("restart", "r", mark("back to the start"), FreeTraining.restart),
    TypedCommand(
        "choose PAIR", "", mark("merge this pair instead, such as u g, or its number in pairs"), FreeTraining.choose
    ),
    TypedCommand(
        "ties [RULE]",
        "t",
        mark("which pair each tie rule would merge; or use this rule from here on"),
        FreeTraining.ties,
    ),
    *(TypedCommand(view.usage, {"encode": "e"}.get(view.name, ""), view.help, _looking(view.name)) for view in VIEWS),
    TypedCommand("status", "", mark("what this is, and where you are in it"), FreeTraining.status),
    TypedCommand("style", "G", mark("show tokens in another way"), FreeTraining.style),
    TypedCommand("save FILE", "w", mark("write the tokenizer of this moment, or a session"), FreeTraining.save),
    TypedCommand("help", "?", mark("this list"), FreeTraining.help),
    TypedCommand("quit", "q", mark("leave"), FreeTraining.quit),
)
"""All that can be typed, in the order of the help; the letters are those of the app."""
BY_NAME: Final = {
    "": COMMANDS[0],
    "b": COMMANDS[1],
    **{command.key: command for command in COMMANDS if command.key},
    **{command.name: command for command in COMMANDS},
}


def _unknown(name: str) -> OptionError:
    """There is no such command; one may be meant."""
    meant = get_close_matches(name, [command.name for command in COMMANDS], 1)
    if meant:
        return OptionError(_("there is no command {name!r}; did you mean {meant}?").format(name=name, meant=meant[0]))
    return OptionError(_("there is no command {name!r}; help lists them").format(name=name))


def refusal(count: int) -> str:
    """Why a script has failed."""
    return plural(
        "{count} command could not be carried out; the output says which and why",
        "{count} commands could not be carried out; the output says which and why",
        count,
    )
