"""The commands of `bpe-tui`, one file each; a command imports the floors below only when it runs."""
