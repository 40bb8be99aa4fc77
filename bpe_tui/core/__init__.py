"""The subject itself: byte-pair encoding, with no screen, no terminal and no command line in sight."""
