"""What can go wrong, each with one sentence fit for the user.

Everything that `bpe_tui.core` raises on bad input is a `BpeError`; `str(error)` is the sentence. A caller prints it
and exits with status 2, or shows it on the screen; it never needs a traceback.
"""


class BpeError(Exception):
    """A request that cannot be met; `str(error)` names the thing and what to do."""


class OptionError(BpeError):
    """A training or encoding option has a value that does not exist, or two options contradict each other."""


class PatternSyntaxError(BpeError):
    """A regular expression from an option or a file does not compile; `str(error)` is the reason."""


class PatternError(BpeError):
    """A regular expression from an option or a file takes too long or too much memory on some text."""


class CorpusError(BpeError):
    """A text or a word-count table cannot be read, or does not hold what it should."""


class TokenizerFileError(BpeError):
    """A tokenizer file is malformed, of a kind that is not read, or cannot be written in the format asked for."""


class EncodeError(BpeError):
    """A text cannot be encoded (unknown symbol under the policy `error`) or an id cannot be decoded."""


class LessonError(BpeError):
    """A lesson file cannot be read; the sentence begins with file and line."""


class SettingsError(BpeError):
    """The user's settings file cannot be read or written, or is no TOML."""


class Cancelled(BpeError):
    """Work was stopped because `should_stop()` returned true; the caller sees nothing half-done."""
