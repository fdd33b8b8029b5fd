# SPDX-License-Identifier: GPL-2.0
"""A scenario: what its file asks for, and the results of its run."""
import os
import re
import time

GUEST = "-c 2 -m 1G"
LIMIT = 600
SECONDS = 10

RESULT = re.compile(r"(not ok|ok) (\d+)(?: - | )?(.*)")


class Scenario:
    """One script: what it asks for, and the state of its run."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        head = path.read_text()[:2000]
        self.is_main = re.search(r"^# main path$", head, re.MULTILINE) is not None
        alone = re.search(r"^# alone(?:: (\w+))?$", head, re.MULTILINE)
        self.is_alone = alone is not None
        self.alone_kind = alone[1] or "" if alone else ""
        self.is_static = re.search(r"^# static flamectl$", head, re.MULTILINE) is not None
        self.guest = self.asked(head, "guest", GUEST)
        self.limit = int(self.asked(head, "limit", LIMIT))
        self.seconds = int(self.asked(head, "takes", SECONDS))
        self.reset()

    def reset(self):
        """Forget the run, before one on the next kernel."""
        self.ended = False
        self.passed = False
        self.began = self.cpu_began = 0.0
        self.results = 0
        self.failed = 0
        self.plan = None

    @staticmethod
    def asked(head, what, default):
        match = re.search(rf"^# {what}: *(.+)$", head, re.MULTILINE)
        return match[1].strip() if match else default

    def line(self, text, tap):
        """Process one line that the scenario printed."""
        match = RESULT.match(text)
        if match:
            self.results += 1
            self.failed += match[1] != "ok"
            tap.result(match[1] == "ok", f"{self.name}: {match[3]}")
        elif re.match(r"1\.\.\d+$", text):
            self.plan = int(text[3:])
        else:
            tap.comment(text.removeprefix("# "))

    def begin(self, cpu_seconds):
        """Note that the script starts. cpu_seconds: what its guest has used until now."""
        self.began = time.monotonic()
        self.cpu_began = cpu_seconds

    def end(self, status, cpu_seconds, tap):
        """Note that the script has ended, and check that it ran its planned tests."""
        self.ended = True
        tap.comment(f"{self.name} took {time.monotonic() - self.began:.0f} s, "
                    f"with {cpu_seconds - self.cpu_began:.0f} s of CPU time")
        if self.plan is None:
            tap.result(False, f"{self.name}: it ended, with {status}, before its plan")
        elif self.plan != self.results:
            tap.result(False, f"{self.name}: it ran {self.results} of {self.plan} tests")
        elif status != 0 and not self.failed:
            tap.result(False, f"{self.name}: it ended with {status}")
        else:
            self.passed = not self.failed


class Passed:
    """The scenarios that passed on a kernel, stored for a run with TESTS_GO_ON."""

    def __init__(self, path):
        self.path = path
        self.names = set()
        if os.environ.get("TESTS_GO_ON") and path.exists():
            self.names = set(path.read_text().split())
        self.add([])

    def add(self, names):
        """Add scenarios that have passed, and store all."""
        self.names |= set(names)
        self.path.write_text("".join(f"{name}\n" for name in sorted(self.names)))
