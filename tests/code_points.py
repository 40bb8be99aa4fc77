"""Code points to sweep over: by default those that a character is assigned to, under the long profile every one.

Of unassigned, private and surrogate ranges, in which each code point is like its neighbours, the default takes the
first, the last and every 97th.
"""

from __future__ import annotations

import os
from functools import cache

import regex

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"


@cache
def code_points(*, surrogates: bool = False) -> tuple[str, ...]:
    """The characters to sweep over, in order."""
    every = "".join(map(chr, range(0x110000)))
    if IS_LONG:
        chosen = list(every)
    else:
        chosen = []
        for run in regex.finditer(r"[\p{Cn}\p{Co}\p{Cs}]+|[^\p{Cn}\p{Co}\p{Cs}]+", every):
            text = run[0]
            is_uniform = regex.match(r"[\p{Cn}\p{Co}\p{Cs}]", text)
            chosen += [*text[:-1:97], text[-1]] if is_uniform else text
    return tuple(char for char in chosen if surrogates or not "\ud800" <= char <= "\udfff")
