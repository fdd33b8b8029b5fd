# SPDX-License-Identifier: GPL-2.0
"""Decide which guests may run at the same time."""
import threading


class Places:
    """Places for so many guests at a time. A guest whose next scenario must run
    alone gives its place to another one and waits, booted, until each of the others
    has ended or waits as well. Then scenarios that run alone get the machine one by
    one; but those of the same kind, unless it is empty, run at the same time."""

    def __init__(self, at_a_time, nr_guests, is_ending):
        self.at_a_time = at_a_time
        self.free = threading.Semaphore(at_a_time)
        self.change = threading.Condition()
        self.nr_together = nr_guests    # guests that have a place, or wait for one
        self.alone = {}                 # {guest that runs alone: its kind}
        self.has_waited = set()         # guests that gave their place away
        self.is_ending = is_ending      # an event that ends all waiting

    def enter(self):
        """Wait for a place."""
        self.free.acquire()     # pylint: disable=consider-using-with

    def wait_alone(self, guest, kind):
        """Give the place away, and wait until this kind of scenario may run."""
        with self.change:
            self.stop(guest)
            self.has_waited.add(guest)
            while not (self.is_free(kind) or self.is_ending.is_set()):
                self.change.wait(1)
            self.alone[guest] = kind

    def is_free(self, kind):
        """Return whether another scenario of this kind may start."""
        if self.nr_together:
            return False
        kinds = set(self.alone.values())
        return not kinds or bool(kind) and kinds == {kind} and len(self.alone) < self.at_a_time

    def leave(self, guest):
        """Note that a guest has ended."""
        with self.change:
            self.stop(guest)
            self.has_waited.discard(guest)

    def stop(self, guest):
        """Note that a guest is no longer at work: it waits, or has ended."""
        self.alone.pop(guest, None)
        if guest not in self.has_waited:
            self.nr_together -= 1
            self.free.release()
        self.change.notify_all()
