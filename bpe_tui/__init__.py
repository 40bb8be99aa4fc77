"""Watch byte-pair encoding learn, one merge at a time."""

__version__ = "0.1.0"
