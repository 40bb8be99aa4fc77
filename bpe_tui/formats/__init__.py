"""Foreign file formats: one file for each, with its reader and its writer, and a registry of all."""
