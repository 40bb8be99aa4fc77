"""`python -m bpe_tui` is `bpe-tui`."""

from bpe_tui.cli.main import run

if __name__ == "__main__":
    run()
