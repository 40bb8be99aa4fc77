"""TODO dialogs."""
