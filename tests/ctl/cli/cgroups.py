# SPDX-License-Identifier: GPL-2.0
"""Write a pprof file of one function, with samples in cgroups.

  cgroups.py OUT "CGROUP WEIGHT"...

The weight is a number below 128. An empty CGROUP is a label without a text.
"""
import sys

sys.dont_write_bytecode = True
# pylint: disable-next=wrong-import-position
from unnamed import Profile, field


def main():
    out, *samples = sys.argv[1:]
    profile = Profile()
    profile.add(1, (1, profile.string("samples")), (2, profile.string("count")))
    profile.add(5, (1, 1), (2, profile.string("work")))
    place = profile.location((4, field(1, 1)))
    for sample in samples:
        cgroup, weight = sample.rsplit(" ", 1)
        label = field(1, profile.string("cgroup")) + field(2, profile.string(cgroup))
        profile.add(2, (1, bytes([place])), (2, bytes([int(weight)])), (3, label))
    with open(out, "wb") as file:
        file.write(profile.packed())


main()
