"""Byte-pair encoding itself, without a screen, a terminal or a command line.

`corpus` counts words, `training` learns merges from them, `encoding` applies merges to texts, `teaching` explains both;
each may import from those before it. `options`, `errors`, `i18n`, `display` and `runtime` serve all of them, and
`readable` shows tokens to people.
"""
