# SPDX-License-Identifier: GPL-2.0
"""Make folded stacks like those of a busy machine: python3 stacks.py [STACKS [SAMPLES [SEED]]]

  STACKS    distinct ones (100000)
  SAMPLES   in all of them, no fewer (1000000); a few stacks have most of them
  SEED      the same gives the same text (1)

The stacks are walks over one graph of calls, below 40 comms, so that they share
what real ones share: beginnings, and names. They are in the order in which they
were met. Lines are of some 120 bytes.
"""
import random
import sys

COMMS = 40
FUNCTIONS = 6000
CALLEES = 5
DEPTH = 14
PARTS = ("tcp", "ext4", "page", "do", "sys", "lock", "queue", "find", "read", "write", "update",
         "entry", "alloc", "free", "map", "vfs", "skb", "sched", "wake", "get", "put", "inode")


def words(rand, count):
    """Make this many different names of functions."""
    return ["_".join(PARTS[int(rand() * len(PARTS))] for _ in range(1 + int(rand() * 2)))
            + f"_{number:x}" for number in range(count)]


def walks(rand, count):
    """Make this many different stacks."""
    names = words(rand, FUNCTIONS)
    # a function calls its first callees more often than its last
    callees = [[int(rand() * FUNCTIONS) for _ in range(CALLEES)] for _ in names]
    seen = set()
    while len(seen) < count:
        at = int(rand() ** 2 * COMMS)
        stack = [f"comm{at}", "entry"]
        for _ in range(3 + int(rand() * DEPTH)):
            at = callees[at][int(rand() ** 2 * CALLEES)]
            stack.append(names[at])
        line = ";".join(stack)
        if line not in seen:
            seen.add(line)
            yield line


def weights(count, samples):
    """Distribute samples: at least one for each stack, and most to the first ones."""
    left = samples - count
    for number in range(count):
        more = left // 20 if number < count - 1 else left
        left -= more
        yield 1 + more


def main():
    """Print them."""
    given = sys.argv[1:]
    count, samples, seed = map(int, given + ["100000", "1000000", "1"][len(given):])
    if samples < count:
        sys.exit(f"stacks.py: {samples} samples are fewer than {count} stacks")
    rand = random.Random(seed).random
    for stack, weight in zip(walks(rand, count), weights(count, samples)):
        print(stack, weight)


if __name__ == "__main__":
    main()
