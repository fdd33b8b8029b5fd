# SPDX-License-Identifier: GPL-2.0
"""What events cost, for tests/bench/events and switches.

  more.py UNIT COMMAND FILE

Reads lines "WHAT INSTRUCTIONS", of which one is "none", prints how many more each has, and
writes these as rows for tests/bench to FILE. A line of another tool goes to the row of what
it does.
"""
import json
import sys

# The rows that other tools do the same as; None: it does less.
PEERS = {"stackcount": "func", "bpftrace-count": "func", "perf-record": "func",
         "trace-cmd": "func", "bpftrace-latency": "latency", "funclatency": None,
         "offcputime": "off-cpu", "bpftrace-off": "off-cpu", "perf-switches": "off-cpu",
         "offwaketime": "wakers"}


def make_rows(more, unit, command):
    """One for each of our ways, with what it is of the cheapest of the peers."""
    rows = []
    for what, ours in more.items():
        if what == "none" or what in PEERS:
            continue
        peers = {p: round(more[p], 1) for p, row in PEERS.items() if row == what and p in more}
        rows.append({"name": "cost_per_event", "load": what, "unit": unit, "ours": round(ours, 1),
                     "peers": peers,
                     "ratio": round(ours / min(peers.values()), 4) if peers else None,
                     "command": command})
    return rows


def main():
    """Read, print, write."""
    unit, command, file = sys.argv[1:]
    more = {}
    none = None
    for line in sys.stdin:
        words = line.split()
        if len(words) != 2 or not words[1].replace(".", "", 1).isdigit():
            continue
        what, instructions = words[0], float(words[1])
        if what == "none":
            none = instructions
        if none is None:
            sys.exit(f"more.py: '{what}' comes before 'none'")
        more[what] = instructions - none
        print(f"{what:20s} {instructions:8.1f} {more[what]:8.1f}", flush=True)
    if not more:
        sys.exit("more.py: nothing was measured")
    with open(file, "w", encoding="utf-8") as out:
        json.dump(make_rows(more, unit, command), out, indent=1)


if __name__ == "__main__":
    main()
