# SPDX-License-Identifier: GPL-2.0
"""Check that standard input does not control a terminal: UTF-8 without control
characters (newlines and tabs aside), of either kind, and without any that turn
the direction of text or separate lines. Exit status 1, with what was found, if
it does, 2 if there is nothing to judge."""
import sys
import unicodedata

BIDI_CONTROL = {0x061c, 0x200e, 0x200f, *range(0x202a, 0x202f), *range(0x2066, 0x206a)}

data = sys.stdin.buffer.read()
if not data:
    sys.exit(2)
try:
    text = data.decode()
except UnicodeDecodeError as error:
    sys.exit(f"no UTF-8: {error}, in {data[max(0, error.start - 40):error.end + 40]}")
# what a terminal's driver makes of a newline
for at, char in enumerate(text.replace("\r\n", "\n")):
    if char not in "\n\t" and (unicodedata.category(char) in ("Cc", "Zl", "Zp") or
                               ord(char) in BIDI_CONTROL):
        sys.exit(f"U+{ord(char):04X} in {text[max(0, at - 40):at + 40]!r}")
