# SPDX-License-Identifier: GPL-2.0
"""What a kernel's log must not say, and what may not leave a kernel."""
import re

# The kernel's own unwinder says this once, asked about an interrupt in
# function_graph's trampoline: on 6.12 that has no ORC data which fits.
TRAMPOLINE = rb"(?! stack going in the wrong direction\? at return_to_handler\+)"
COMPLAINT = re.compile(
    rb"BUG:|WARNING:" + TRAMPOLINE + rb"|KASAN|UBSAN|INFO: (?:possible|task)|inconsistent lock|"
    rb"suspicious RCU|INFO: rcu\w* (?:self-)?detected (?:expedited )?stall|"
    rb"ODEBUG|Oops|Kernel panic")
ADDRESS = re.compile(rb"ffff[89a-f][0-9a-f]{11}", re.IGNORECASE)
# there, the map of all memory is in the lower half of these
ADDRESS_ARM64 = re.compile(rb"ffff[0-9a-f]{12}", re.IGNORECASE)

# A report of KCSAN is between two such lines, and says of each access where it
# was, innermost function first.
RULE = rb"[^\n]*={60,}\r?\n"
RACE = re.compile(RULE + rb"([^\n]*BUG: KCSAN: .*?)" + RULE, re.DOTALL)
ACCESS = re.compile(rb"(?:read|write)[^\n]* to 0x[0-9a-f]+ of \d+ bytes by [^\n]*\n([^\n]*)")


def without_foreign_races(log):
    """The log without the data races in which the module has no part."""

    def keep(race):
        ours = any(b"[flamemod]" in place or b"[buggy]" in place
                   for place in ACCESS.findall(race[1]))
        return race[0] if ours else b""

    return RACE.sub(keep, log)
