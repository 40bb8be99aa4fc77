"""The train screen: a board whose session is opened, saved and resumed here."""
