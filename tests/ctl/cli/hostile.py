# SPDX-License-Identifier: GPL-2.0
"""Profiles that nobody's profiler writes, for tests: python3 hostile.py KIND

  names     names, comms, labels and comments that attack whoever shows them
  tower     a small stack of many inlined calls, named often and by many pids
  longnames one name of a MB, in every frame of many deep stacks
  types     many sample types of one long name
  cpus      more CPUs than there are, the highest first
  flood     names that collide under hashes that are known (FNV-1a, 32 bits)

Written as a pprof file, not packed, to standard output.
"""
import itertools
import random
import sys

HOSTILE = [
    b"\x1b[31mred\x1b]0;title\x07", b"\xc2\x9b31mred", b"\x9b31mred", b"new\nline 7",
    b"tab\treturn\rback\x08", b"semi;colon", b" blank ", b"12 34", b"",
    b"\xe2\x80\xaegpj.exe\xe2\x81\xa6x", b"\xe2\x80\xa8\xc2\x85next", b"\xff\xfe\xc0\xaf",
    b"</script><script>window.pwned=1</script>", b"]]><script>window.pwned=1</script>",
    b'" onload="window.pwned=1', b"<img src=x onerror=window.pwned=1>",
    b"<image href='http://127.0.0.1:9/x.png'/>", b"@import url(http://127.0.0.1:9/x.css)",
    b"&#x3c;script&#x3e;window.pwned=1", b"&lt;b&gt;", b"<!--", b"-->", b"<![CDATA[",
    b"<?xml version='1.0'?>", b"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>&x;",
    b"javascript:window.pwned=1", b"${window.pwned=1}", b"%n%n%s%s", b"../../etc/passwd",
    b"[lost: overload]", b"[user]", b"pid 1", b"\xef\xbf\xbf\xef\xbf\xbe", b"\\x1b[31m",
    b"A" * 70000, "日本語".encode(), "🔥".encode(),
]


def varint(number):
    out = bytearray()
    number &= (1 << 64) - 1
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field, values):
    return part(field, b"".join(map(varint, values)))


class Profile:
    """Number strings in the order of arrival; write everything else unchanged."""

    def __init__(self):
        self.strings = {}
        self.out = []
        self.string(b"")

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings)
        return self.strings[text]

    def put(self, field, data):
        self.out.append(part(field, data))

    def type(self, name, unit):
        self.put(1, number(1, self.string(name)) + number(2, self.string(unit)))

    def function(self, ident, name):
        self.put(5, number(1, ident) + number(2, self.string(name)))

    def location(self, ident, functions, mapping=0):
        self.put(4, number(1, ident) + (number(2, mapping) if mapping else b"") +
                 b"".join(part(4, number(1, f)) for f in functions))

    def mapping(self, ident, file):
        self.put(3, number(1, ident) + number(5, self.string(file)))

    def sample(self, locations, values, texts=(), numbers=()):
        labels = b"".join(part(3, number(1, self.string(k)) + number(2, self.string(v)))
                          for k, v in texts)
        labels += b"".join(part(3, number(1, self.string(k)) + number(3, v)) for k, v in numbers)
        self.put(2, packed(1, locations) + packed(2, values) + labels)

    def bytes(self):
        return b"".join([*self.out, *(part(6, s) for s in self.strings)])


def names():
    """One sample per name, as a frame and a comm, laid out as flamectl's own."""
    p = Profile()
    head = b"\x1b[31m<script>\xe2\x80\xae"
    comments = [b"flamemod=1", b"module-version=" + head, b"release=" + head, b"host=" + head,
                b"hz=1000", b"state=stopped", b"epoch=1",
                b"cpu=0 sampling=0 expected=%d fires=%d stored=%d" % ((len(HOSTILE) * 100,) * 3)]
    for name, unit in ((b"samples", b"count"), (b"cpu", b"nanoseconds"),
                       (b"late", b"microseconds")):
        p.type(name, unit)
    p.out.append(number(12, 1000000) + packed(13, map(p.string, comments)) +
                 number(14, p.string(b"cpu")))
    p.mapping(1, b"[kernel.kallsyms]")
    for i, name in enumerate(HOSTILE, 1):
        p.function(i, name)
        p.location(i, [i], 1)
        p.sample([i], [100, 100000000, 0],
                 [(b"comm", name), (b"context", b"task")],
                 [(b"pid", i), (b"tid", i), (b"cpu", 0)])
    return p


def other(*types):
    p = Profile()
    for name in types or (b"samples",):
        p.type(name, b"count")
    return p


def tower(samples=6000, lines=1000, times=16):
    p = other()
    p.function(1, b"f")
    p.location(1, [1] * lines)
    for i in range(samples):
        p.sample([1] * times, [1], numbers=[(b"pid", i)])
    return p


def longnames(samples=3000):
    p = other()
    p.function(1, b"N" * 1000000)
    p.location(1, [1] * 1000)
    p.location(2, [1] * 1000)
    for i in range(samples):
        # no stack begins as the one before it
        p.sample([1] * 15 + [1 + i % 2], [1], numbers=[(b"pid", i)])
    return p


def types(nr=500000):
    p = other(*[b"T" * 1000000] * nr)
    p.out.append(number(14, 1))
    return p


def cpus(nr=65536):
    p = other()
    for i in range(nr):
        p.sample([], [1], numbers=[(b"cpu", nr - 1 - i)])
    return p


def flood(rounds=16):
    """2^rounds names of one hash, from the state that flamectl began with for
    functions of programs: pairs of blocks that lead to the same state."""
    random.seed(1)
    blocks = []
    state = 2
    for _ in range(rounds):
        seen = {}
        while True:
            letters = bytes(random.choices(b"abcdefghijklmnopqrstuvwxyz", k=8))
            value = state
            for byte in letters:
                value = (value ^ byte) * 0x01000193 & 0xffffffff
            if value in seen:
                blocks.append((seen[value], letters))
                state = value
                break
            seen[value] = letters
    p = other()
    for i, choice in enumerate(itertools.product(*blocks), 1):
        p.function(i, b"".join(choice))
        p.location(i, [i])
    p.sample([1], [1])
    return p


if __name__ == "__main__":
    sys.stdout.buffer.write(globals()[sys.argv[1]]().bytes())
