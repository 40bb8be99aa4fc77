"""The Russian keyboard: which of its keys is at the place of a Latin one."""

from __future__ import annotations

from typing import Final

CYRILLIC: Final = {
    **dict(zip("qwertyuiopasdfghjklzxcvbnm", "йцукенгшщзфывапролдячсмить", strict=True)),
    **dict(zip("QWERTYUIOPASDFGHJKLZXCVBNM", "ЙЦУКЕНГШЩЗФЫВАПРОЛДЯЧСМИТЬ", strict=True)),
    "left_square_bracket": "х",
    "right_square_bracket": "ъ",
    "comma": "б",
    "full_stop": "ю",
    "slash": "full_stop",
    "question_mark": "comma",
    "less_than_sign": "Б",
    "greater_than_sign": "Ю",
}
"""The key of the Russian layout (ЙЦУКЕН) at the place of each Latin key, in Textual's names."""

LATIN: Final = {cyrillic: latin for latin, cyrillic in CYRILLIC.items() if len(latin) == len(cyrillic) == 1}
"""The Latin letter at the place of each Cyrillic one."""
