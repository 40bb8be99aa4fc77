"""What developers run and the program does not need."""
