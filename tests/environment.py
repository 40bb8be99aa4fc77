"""Take the developer's own taste out of the environment, before anything reads it.

Settings, language, colours, theme, animation and the width tables of the terminal libraries follow environment
variables, some of them from the moment of import. Pytest loads this module first of all plugins (see `addopts`), so
that the pictures and the printed tables are the same on every desk.
"""

import os
import sys

_KEPT = "TEXTUAL_SNAPSHOT_TEMPDIR"  # how the pictures' plugin tells its processes where the report is made
_NAMES = {"NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "UNICODE_VERSION", "COLUMNS", "LINES"}
_LANGUAGE = {"BPE_TUI_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"}

for name in list(os.environ):
    if name in _NAMES | _LANGUAGE or (name.startswith("TEXTUAL") and name != _KEPT):
        del os.environ[name]

# A settings file of the developer's says other keys, another theme and another language.
os.environ["BPE_TUI_CONFIG"] = os.devnull

# Many tests start the program: it is compiled once, whatever the developer prefers.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
