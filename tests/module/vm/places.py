# SPDX-License-Identifier: GPL-2.0
"""Which guests may run at the same time."""
import threading


class Places:
    """Places for so many guests at a time. A guest whose next scenario is to run
    alone gives its place to another and waits, booted, until each of the others has
    ended or waits as well. Then those that wait run to their ends, one by one."""

    def __init__(self, at_a_time, nr_guests, is_ending):
        self.free = threading.Semaphore(at_a_time)
        self.change = threading.Condition()
        self.nr_together = nr_guests    # that have a place, or wait for one
        self.alone = None               # the guest that runs, of those that waited
        self.is_ending = is_ending      # an event: nobody waits any more

    def enter(self):
        """Wait for a place."""
        self.free.acquire()     # pylint: disable=consider-using-with

    def wait_alone(self, guest):
        """Give the place away, and wait until no other guest is at work."""
        with self.change:
            if self.alone is guest:
                return
            self.end_together()
            while not self.is_ending.is_set():
                if not self.nr_together and not self.alone:
                    self.alone = guest
                    return
                self.change.wait(1)

    def leave(self, guest):
        """It has ended."""
        with self.change:
            if self.alone is guest:
                self.alone = None
                self.change.notify_all()
            else:
                self.end_together()

    def end_together(self):
        """One guest less that runs beside others."""
        self.nr_together -= 1
        self.free.release()
        self.change.notify_all()
