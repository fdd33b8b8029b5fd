# SPDX-License-Identifier: GPL-2.0
"""Make one TAP stream of what several guests print."""
import sys


class Tap:
    """The stream on standard output."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def result(self, passed, text, details=()):
        """Print the result of one test, and number it."""
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {text}")
        for line in details:
            self.comment(line)
        sys.stdout.flush()

    @staticmethod
    def comment(text):
        """Print a line that is not a test."""
        print(f"# {text}", flush=True)

    @staticmethod
    def say(text):
        """Print a comment that tests/run shows."""
        print(f"## {text}", flush=True)


class HeldTap:
    """The output of one guest, held until the guest has ended, so that lines of guests
    that run at the same time are not mixed."""

    def __init__(self):
        self.calls = []

    def result(self, *args):
        """As Tap's, later."""
        self.calls.append(("result", args))

    def comment(self, *args):
        """As Tap's, later."""
        self.calls.append(("comment", args))

    def say(self, *args):
        """As Tap's, later."""
        self.calls.append(("say", args))

    def release(self, tap):
        """Print all of it now."""
        for name, args in self.calls:
            getattr(tap, name)(*args)
        self.calls = []
