# SPDX-License-Identifier: GPL-2.0
"""program.py SECONDS [DEPTH]: Python with recursion, json, regular expressions and exceptions."""
import json
import re
import sys
import time


def tree(depth):
    """A list of lists."""
    return [tree(depth - 1), depth, str(depth)] if depth else {}


def walk(node):
    """How many lists there are."""
    return sum(map(walk, node), 1) if isinstance(node, list) else 1


END = time.monotonic() + float(sys.argv[1])
DEPTH = int(sys.argv[2]) if len(sys.argv) > 2 else 15
while time.monotonic() < END:
    text = json.dumps(tree(DEPTH))
    walk(json.loads(text))
    sorted(re.findall(r"[0-9]+", text), key=lambda word: (len(word), word))
    try:
        "".join(x * 3 for x in text.split(",")).encode("ascii")[10 ** 9]
    except IndexError:
        pass
