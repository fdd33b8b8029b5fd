# SPDX-License-Identifier: GPL-2.0
"""Find complaints in a kernel's log, and kernel addresses in what left a guest."""
import re

# The kernel's own unwinder prints this once, when it unwinds from an interrupt in
# function_graph's trampoline: on 6.12 the ORC data does not fit there.
TRAMPOLINE = rb"(?! stack going in the wrong direction\? at return_to_handler\+)"
COMPLAINT = re.compile(
    rb"BUG:|WARNING:" + TRAMPOLINE + rb"|KASAN|UBSAN|INFO: (?:possible|task)|inconsistent lock|"
    rb"suspicious RCU|INFO: rcu\w* (?:self-)?detected (?:expedited )?stall|"
    rb"ODEBUG|Oops|Kernel panic|flamemod: CPU \d+: .*sampling ends")
# A clock's mask, in the log of a boot, is not an address.
ADDRESS = re.compile(rb"(?!(?<=mask: 0x)f{16}\b)ffff[89a-f][0-9a-f]{11}", re.IGNORECASE)
# on arm64, the kernel's map of all memory is in the lower half of these addresses
ADDRESS_ARM64 = re.compile(rb"ffff[0-9a-f]{12}", re.IGNORECASE)

# A report of KCSAN is between two such lines. For each access it has the stack,
# innermost function first.
RULE = rb"[^\n]*={60,}\r?\n"
RACE = re.compile(RULE + rb"([^\n]*BUG: KCSAN: .*?)" + RULE, re.DOTALL)
ACCESS = re.compile(rb"(?:read|write)[^\n]* to 0x[0-9a-f]+ of \d+ bytes by [^\n]*\n([^\n]*)")

# A breakpoint that no handler accepts, and the byte that is now in its place.
BREAKPOINT = re.compile(rb"[^\n]*\bint3: 0000 \[#1\]")
MET = re.compile(rb"Code:(?: [0-9a-f]{2})* ([0-9a-f]{2}) <[0-9a-f]{2}>")

# A kernel that hung, from where it says so first; and the stack of a CPU that was
# handling a breakpoint in the kernel when lab/run asked, with the bytes in its place.
HANGS = re.compile(rb"[^\n]*(?:INFO: rcu\w* (?:self-)?detected (?:expedited )?stall|"
                   rb"rcu: INFO: |BUG: soft lockup|NMI received for unknown reason)")
ASKED = re.compile(rb"Kernel panic - not syncing: NMI: Not continuing")
HANDLES = re.compile(rb"\basm_exc_int3\+[^\n]*\n[^\n]*\bRIP: 0010:[^\n]*\n"
                     rb"[^\n]*Code:(?: [0-9a-f]{2})* ([0-9a-f]{2}) <([0-9a-f]{2})>")


def gone_breakpoint(log):
    """Return where a log starts to report a breakpoint that does not exist, or None.

    QEMU (10.0, and 11.1 reads the same: notdirty_write() of accel/tcg/cputlb.c)
    drops its translation of some code before the store that changes that code. If
    the host takes the processor away in between, another CPU translates the old code
    again, and runs that from then on. In a jump label, this can be a breakpoint that
    was removed: the kernel finds no owner for it, and panics, or it finds that there
    is none in memory any more and runs the same instruction again, for ever. The byte
    that it prints is not a breakpoint's: an emulated CPU ran an instruction that is not
    in memory, so this does not count against the guest.
    """
    breakpoint_met = BREAKPOINT.search(log)
    code = breakpoint_met and MET.search(log, breakpoint_met.end())
    if code and code[1] != b"cc":
        return breakpoint_met.start()
    asked = ASKED.search(log)
    handled = asked and HANDLES.search(log, asked.end())
    if handled and b"cc" not in handled.groups():
        return (HANGS.search(log) or asked).start()
    return None


def of_last_boot(said):
    """Return what lab/run said of the boot that came up.

    Before that it prints the consoles of boots that hung before their init was done: no
    code of ours ran in those, and a kernel that ends so prints where it is.
    """
    return said.rsplit(b"lab/run: booting it again\n", 1)[-1]


def without_foreign_races(log):
    """Return the log without data races that do not involve the module."""

    def keep(race):
        ours = any(b"[flamemod]" in place or b"[buggy]" in place
                   for place in ACCESS.findall(race[1]))
        return race[0] if ours else b""

    return RACE.sub(keep, log)
