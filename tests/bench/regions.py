# SPDX-License-Identifier: GPL-2.0
"""The regions of the module truth (tests/bench/modules/truth): what they are told to
do, and whose a stack is."""
import re

HZ = 997
PERIOD_NS = 10**9 // HZ
# What each region gets, before all is brought to a hundred.
WORK = {
    "depth_02": 5, "depth_05": 5, "depth_10": 5, "depth_20": 5, "depth_40": 5, "depth_60": 5,
    "recursion": 6, "syscall": 8, "kthread": 7, "softirq": 8, "preempt_off": 7,
    "irqs_off_tenth": 4, "irqs_off_1": 4, "irqs_off_10": 5, "irqs_off_100": 5,
    "periodic_1000": 4, **{f"periodic_997_{i}": 1 for i in range(1, 6)}, "idle": 5,
}
# The sampling periods for which interrupts are off at a time.
IRQS_OFF = {"irqs_off_tenth": 0.1, "irqs_off_1": 1, "irqs_off_10": 10, "irqs_off_100": 100}
PERIODIC_NS = {r: 10**9 // int(r.split("_")[1]) for r in WORK if r.startswith("periodic")}
BUSY = 0.3                  # what is burnt of each of these periods
# With interrupts on, for as long as that takes.
STEADY = [r for r in WORK if r not in {*IRQS_OFF, *PERIODIC_NS, "idle"}]
FUNCTIONS = {**{f"truth_{r}": r for r in WORK}, **{f"truth_calls_{r}": r for r in IRQS_OFF}}


def plan_region(region, total_ns, line_ns, rng):
    """What to tell the module, as (region, bursts, nanoseconds of one, period); a line
    takes line_ns on average, one burst with interrupts off as long as it must."""
    if region in PERIODIC_NS:
        period_ns = PERIODIC_NS[region]
        burst_ns = int(BUSY * period_ns)
        return [(region, max(1, round(total_ns / burst_ns)), burst_ns, period_ns)]
    lines = []
    if region in IRQS_OFF:
        burst_ns = IRQS_OFF[region] * PERIOD_NS
        left = max(1, round(total_ns / burst_ns))
        while left > 0:
            bursts = min(left, max(1, int(line_ns / burst_ns)))
            lines.append((region, bursts, int(burst_ns * rng.uniform(0.9, 1.1)), 0))
            left -= bursts
        return lines
    while total_ns > 0:
        ns = min(int(line_ns * rng.uniform(0.5, 1.5)), int(total_ns) + 1)
        lines.append((region, 1, 0, ns) if region == "idle" else (region, 1, ns, 0))
        total_ns -= ns
    return lines


def read_folded(text):
    """(comm, frames from the root, weight), of "comm;frame;... weight"."""
    for line in text.splitlines():
        stack, _, weight = line.rpartition(" ")
        comm, *frames = stack.split(";")
        yield comm, frames, int(weight)


def region_of(comm, frames):
    """Whose a stack is, or None."""
    for frame in reversed(frames):
        function = re.match(r"\w*", frame)[0]
        if function in FUNCTIONS:
            return FUNCTIONS[function]
    return "idle" if comm.startswith("swapper") else None


def shares(amounts, regions):
    """Percent of what these regions have."""
    total = sum(amounts[region] for region in regions)
    return {region: 100 * amounts[region] / total for region in regions}
