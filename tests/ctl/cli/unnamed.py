# SPDX-License-Identifier: GPL-2.0
"""Write a pprof file whose locations have no names, as some programs write it.

  unnamed.py OUT MAPPING... [-- NAME]

A mapping is FILE,BUILD-ID,FILE-OFFSET,OFFSET,OFFSET...: from where on a file was mapped,
and the places in it, in hexadecimal. The first is mapped at 7f0000001000, the others
above it. Each place is a sample of its own, of 1 ms, with a label that flamectl does
not know; with NAME, its caller is the function NAME. It was written at TIME_NANOS, if the
environment has that.
"""
import gzip
import os
import sys

MAPPED_BYTES = 1 << 30
FIRST_START = 0x7f0000001000


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field of a message: a number, or a text or message in it."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


class Profile:
    def __init__(self):
        self.strings = [""]
        self.parts = b""
        self.locations = 0

    def string(self, text):
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def add(self, number, *fields):
        self.parts += field(number, b"".join(field(*one) for one in fields))

    def location(self, *fields):
        self.locations += 1
        self.add(4, (1, self.locations), *fields)
        return self.locations

    def packed(self):
        strings = b"".join(field(6, text.encode()) for text in self.strings)
        return gzip.compress(self.parts + strings)


def main():
    out, *mappings = sys.argv[1:]
    profile = Profile()
    caller = []
    profile.add(1, (1, profile.string("cpu")), (2, profile.string("nanoseconds")))
    if "TIME_NANOS" in os.environ:
        profile.parts += field(9, int(os.environ["TIME_NANOS"]))
    if "--" in mappings:
        at = mappings.index("--")
        profile.add(5, (1, 7), (2, profile.string(mappings[at + 1])))
        caller = [profile.location((4, field(1, 7)))]
        del mappings[at:]
    for number, mapping in enumerate(mappings, 1):
        path, build_id, *numbers = mapping.split(",")
        file_offset, *places = [int(text, 16) for text in numbers]
        start = FIRST_START + (number - 1 << 32)
        profile.add(3, (1, number), (2, start), (3, start + MAPPED_BYTES), (4, file_offset),
                    (5, profile.string(path)), (6, profile.string(build_id)))
        for place in places:
            leaf = profile.location((2, number), (3, place - file_offset + start))
            label = field(1, profile.string("request")) + field(2, profile.string("GET /"))
            profile.add(2, (1, b"".join(varint(one) for one in [leaf, *caller])),
                        (2, varint(1000000)), (3, label))
    with open(out, "wb") as file:
        file.write(profile.packed())


if __name__ == "__main__":
    main()
