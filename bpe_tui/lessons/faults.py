"""What is wrong in a lesson file, while the file's name is not yet at hand."""


class LessonSyntaxError(Exception):
    """A line of a lesson that cannot be read; becomes a `LessonError` where the file's name is known."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(line, sentence)
        self.line = line
        """1 for the first line of the file."""
        self.sentence = sentence
