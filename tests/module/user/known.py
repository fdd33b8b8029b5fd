#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Judge folded stacks of programs whose stacks are known.

  known.py known FOLDED...   of known.cc, one file for each way to compile it
  known.py plugs FOLDED...   of plugs.c
  known.py execs FOLDED...   of execs.c

A line is printed for each file, and one for each stack that is not the source's. The exit
status is 0 if there is none, and each function was seen; for known.cc also if all files
have the same graph, of nearly the same shares.
"""
import collections
import re
import sys

DEPTH, THROWS = 20, 5
MAIN = ["_start", "main"]
SHARE = 0.02    # how far a share of one way may be from another's
WHOLE = 0.95    # the least share of stacks that must be whole
LANDING = 0.002     # the most that may lack frames, on the way to a handler
SPINS = 100     # the least samples of each function that spins

# The stacks of known.cc. Each prefix of them is one, too.
KNOWN = [
    [*MAIN, "k_sort", "k_compare", "k_spin_sort"],
    [*MAIN, *["k_descend"] * DEPTH, "k_spin_deep"],
    [*MAIN, *["k_even", "k_odd"] * (DEPTH // 2), "k_spin_mutual"],
    [*MAIN, "k_alloca", "k_spin_alloca"],
    [*MAIN, "k_aligned", "k_spin_aligned"],
    [*MAIN, "k_large", "k_spin_large"],
    [*MAIN, "k_interrupted", "k_handler", "k_spin_signal"],
    [*MAIN, "k_interrupted", "k_handler", "k_nested_handler", "k_spin_nested"],
    [*MAIN, "k_to_alt", "k_alt_handler", "k_spin_alt"],
    [*MAIN, "k_calls_faults", "k_faults", "k_fault_handler", "k_spin_fault"],
    [*MAIN, "k_calls_faults", "k_before_faults"],
    [*MAIN, "k_jumps", "k_spin_jump"],
    [*MAIN, "k_jumps", *["k_jump_down"] * (DEPTH + 1)],
    [*MAIN, "k_escapes", "k_spin_escape"],
    [*MAIN, "k_escapes", "k_escaping_handler"],
    *[[*MAIN, "k_catches", *["k_throws"] * n, "k_spin_cleanup"]
      for n in range(1, THROWS + 1)],
    [*MAIN, "k_catches", "k_spin_catch"],
    [*MAIN, "k_threads"],
    ["k_thread", "k_thread_work", "k_spin_thread"],
    [*MAIN, "k_clock"],
    [*MAIN, "k_tails", "k_tail_target", "k_spin_tail"],
    [*MAIN, "k_tails", "k_tail_caller"],
    [*MAIN, "k_calls_kernel"],
]


def folded(path):
    """Its lines: the task, its frames, and their weight."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, weight = line.rsplit(" ", 1)
            task, *frames = stack.split(";")
            # a compiler moves parts of functions to "NAME.cold"
            yield task, [re.sub(r"\.cold$", "", frame) for frame in frames], int(weight)


def is_landing(frames):
    """Whether the unwinder of exceptions is running."""
    return any(re.match(r"_Unwind_|uw_|libgcc_s", frame) for frame in frames)


def is_whole(frames):
    """Whether the user's side of a stack is whole."""
    return not any(frame.startswith("[user") for frame in frames)


class Judge:
    """What was seen in a file, and what is wrong."""

    def __init__(self, path):
        self.path = path
        self.wrong = []
        self.seen = collections.Counter()   # by stack of the program's own functions
        self.all = self.whole = self.landing = 0

    def say(self, text):
        """Note that something is wrong."""
        self.wrong.append(text)

    def need(self, name, least):
        """A function that must have been seen below the leaf of so many samples."""
        got = sum(weight for stack, weight in self.seen.items() if stack[-1:] == (name,))
        if got < least:
            self.say(f"{name}: {got} samples, not {least}")

    def report(self):
        """Print it. Return whether all is right."""
        print(f"# {self.path.rsplit('/', 1)[-1]}: {self.all} samples, {self.whole} whole, "
              f"{len(self.seen)} stacks of the program, {self.landing} on the way to a handler, "
              f"{len(self.wrong)} wrong")
        for text in self.wrong[:20]:
            print(f"#   {text}")
        return not self.wrong


def judge_known(path):
    """The stacks of known.cc."""
    judge = Judge(path)
    legal = {tuple(stack[:n]) for stack in KNOWN for n in range(len(stack) + 1)}
    for task, frames, weight in folded(path):
        if not task.startswith("known"):
            continue
        judge.all += weight
        if not is_whole(frames):
            continue
        judge.whole += weight
        own = tuple(frame for frame in frames
                    if frame in MAIN or frame.startswith("k_"))
        judge.seen[own] += weight
        if own in legal:
            continue
        # To go to a handler, libgcc writes its registers and its address over what it had
        # saved itself: for some instructions, the frames in between cannot be found.
        if is_landing(frames) and {*own[2:]} <= {"k_catches", "k_throws"}:
            judge.landing += weight
        else:
            judge.say(f"{weight} of {';'.join(own)}: {';'.join(frames)}")
    if judge.whole < WHOLE * judge.all:
        judge.say("too few are whole")
    if judge.landing > LANDING * judge.whole:
        judge.say(f"{judge.landing} in the unwinder of exceptions lack frames")
    for name in {stack[-1] for stack in KNOWN if stack[-1].startswith("k_spin_")}:
        judge.need(name, SPINS)
    for name in ("k_clock", "k_calls_kernel"):
        judge.need(name, SPINS)
    return judge


def same_graph(judges):
    """Whether each way of compiling has the same stacks that spin, of the same shares."""
    shares = []
    for judge in judges:
        spins = {stack: weight for stack, weight in judge.seen.items()
                 if stack and stack[-1].startswith("k_spin_")}
        total = sum(spins.values())
        shares.append({stack: weight / total for stack, weight in spins.items()})
    worst = max((abs(other.get(stack, 0) - shares[0].get(stack, 0)), stack)
                for other in shares for stack in {*other, *shares[0]})
    print(f"# {len(shares[0])} stacks that spin; the share that differs most does by "
          f"{100 * worst[0]:.2f} %: {';'.join(worst[1])}")
    return worst[0] < SHARE and all(other.keys() == shares[0].keys() for other in shares)


def judge_plugs(path):
    """The one plugin is only called by the one caller, and only calls back to that one."""
    judge = Judge(path)
    for task, frames, weight in folded(path):
        if task != "plugs":
            continue
        judge.all += weight
        whole = is_whole(frames)
        judge.whole += weight * whole
        own = tuple(frame for frame in frames
                    if re.match(r"(call|back|plug)_[ab](_|$)|plug-[ab]\.so\+", frame))
        who = {re.match(r"[a-z]+[-_]([ab])", frame)[1] for frame in own}
        if len(who) > 1:
            judge.say(f"{weight} of {';'.join(frames)}")
        if own and whole:
            judge.seen[own] += weight
    for who in "ab":
        judge.need(f"plug_{who}_spin", SPINS)
        judge.need(f"back_{who}", SPINS)
    return judge


def judge_execs(path):
    """No program has frames of the other, or the other's name."""
    judge = Judge(path)
    for task, frames, weight in folded(path):
        if not task.startswith("execs-"):
            continue
        judge.all += weight
        whole = is_whole(frames)
        judge.whole += weight * whole
        own = tuple(frame for frame in frames if re.match(r"exec_[ab]_|execs-[ab]\+", frame))
        who = {re.match(r"execs?[-_]([ab])", frame)[1] for frame in own}
        if who - {task[-1]}:
            judge.say(f"{weight} of {task};{';'.join(frames)}")
        if own and whole:
            judge.seen[own] += weight
    for who in "ab":
        judge.need(f"exec_{who}_spin", SPINS)
    return judge


def main():
    """Judge all files."""
    what, *paths = sys.argv[1:]
    judge = {"known": judge_known, "plugs": judge_plugs, "execs": judge_execs}[what]
    judges = [judge(path) for path in paths]
    right = [judge.report() for judge in judges]
    if what == "known":
        right.append(same_graph(judges))
    return 0 if all(right) and judges else 1


if __name__ == "__main__":
    sys.exit(main())
