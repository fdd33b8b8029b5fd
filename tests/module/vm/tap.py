# SPDX-License-Identifier: GPL-2.0
"""One TAP stream of what several guests print."""
import sys


class Tap:
    """The stream on standard output."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def result(self, passed, text, details=()):
        """One test, numbered here."""
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {text}")
        for line in details:
            self.comment(line)
        sys.stdout.flush()

    @staticmethod
    def comment(text):
        """A line that is not a test."""
        print(f"# {text}", flush=True)

    @staticmethod
    def say(text):
        """A comment that tests/run shows."""
        print(f"## {text}", flush=True)


class HeldTap:
    """What one guest prints, kept until it has ended, so that the lines of guests
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
