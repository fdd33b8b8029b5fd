#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Folded text of a profile that the kernel's netlink client printed as JSON.

  fold.py FILE

Written from common/flamemod.yaml alone, to compare with what flamectl makes of the
same messages: a stack's comm first, its frames root first, then its periods. The
frames of a user stack come before those of the kernel.
"""
import json
import sys
from collections import Counter
from itertools import repeat

BARE = {"user": "[user]", "idle": "[idle]"}


def numbers(column):
    """The elements of a column of bytes: LEB128."""
    number = shift = 0
    for byte in column:
        number |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            yield number
            number = shift = 0


def differences(column):
    """The elements of a column of differences."""
    value = 0
    for number in numbers(column):
        value += -(number + 1) // 2 if number & 1 else number // 2
        yield value


def strings(value):
    """A repeated string; one is no list."""
    return [value] if isinstance(value, str) else value


def batches(messages, name):
    """All nests of a name."""
    for message in messages:
        found = message.get(name, [])
        yield from found if isinstance(found, list) else [found]


def frames_of(node, nodes, names):
    """The names from a node up to the root, the root's first."""
    frames = []
    while node:
        node, frame = nodes[node]
        frames.append(names[frame])
    return frames[::-1]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        messages = json.load(file)
    contexts = ["user", "task", "softirq", "hardirq", "idle"]
    names, nodes, comms, folded = {}, [(0, None)], [], Counter()
    for batch in batches(messages, "frames"):
        names.update(zip(differences(batch["id"]), strings(batch["name"])))
    for batch in batches(messages, "nodes"):
        nodes += zip(differences(batch["parent"]), differences(batch["frame"]))
    for batch in batches(messages, "tasks"):
        comms += strings(batch["comm"])
    for batch in batches(messages, "records"):
        users = differences(batch["user-node"]) if "user-node" in batch else repeat(0)
        columns = (differences(batch["node"]), users, differences(batch["task"]),
                   numbers(batch["context"]), numbers(batch["periods"]))
        for node, user, task, context, periods in zip(*columns):
            frames = frames_of(user, nodes, names) + frames_of(node, nodes, names)
            frames = frames or [BARE.get(contexts[context], "[unknown]")]
            folded[";".join([comms[task] or "[unknown]", *frames])] += periods
    for stack, periods in folded.items():
        if periods:
            print(stack, periods)
    for message in messages:
        for reason, periods in message.get("state", {}).get("books", {}).get("lost", {}).items():
            if periods:
                print(f"[lost: {reason}]", periods)


if __name__ == "__main__":
    main()
