#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Read what flamectl pushes to Pyroscope, Parca and OTLP servers, by the rules of these.

  tests/ctl/unit/views.py check KIND EXPECTED BODY...
  tests/ctl/unit/views.py serve [CERTIFICATE KEY]

KIND is pyroscope, parca or otlp. check fails unless every field of each BODY is known and
of its type, all ids and indices are of entries that exist, each entry is used and there
once, tables start as they must, and the bodies' labels, times and stacks are those of
EXPECTED. serve is a server of all three on a free port of 127.0.0.1, which is printed; it
ends when its standard input does.

EXPECTED has lines of words: "begin NS", "duration NS", "period NS", "label NAME HEX", and
"stack PERIODS HEX...", the frames from root to leaf.

Of its own, written from the protocols' descriptions: it shares nothing with flamectl.
Numbers of fields are those of pprof's profile.proto, Pyroscope's push.v1 and
opentelemetry-proto's v1development 1.11.0.

serve refuses as the real servers do: a wrong path (404), method (405), Content-Type (415),
body (400), Pyroscope's limits on time, size and samples (400). A path that starts with
/answer/NAME has the body checked, and then answers NAME:
  busy        429 with Retry-After: 0 once, then as usual
  exhausted   422 with resource_exhausted once, then as usual (Pyroscope)
  rejected    200 with partial_success, one profile rejected (OTLP)
  warned      200 with partial_success, none rejected (OTLP)
  large       413 the second time, else as usual
  page        200 with a page of HTML
  echo        403, and the request's headers as the body
GET /log prints a line for each push that was taken: kind, tenant, Authorization, labels
and the sum of periods.
"""
import argparse
import base64
import binascii
import collections
import gzip
import http.server
import json
import ssl
import sys
import threading
import time
import zlib
from pathlib import Path

VARINT, I64, LEN = 0, 1, 2


class Bad(Exception):
    """What is wrong with a body."""


def need(condition, message):
    if not condition:
        raise Bad(message)


# ---- the encoding ----

def varint(data, at):
    value = shift = 0
    while True:
        need(at < len(data) and shift < 70, "a number does not end")
        value |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """Each field's number, type and value."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        number, kind = tag >> 3, tag & 7
        if kind == VARINT:
            value, at = varint(data, at)
        elif kind == I64:
            need(at + 8 <= len(data), "a fixed64 is cut")
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        else:
            need(kind == LEN, f"field {number} has wire type {kind}")
            size, at = varint(data, at)
            need(at + size <= len(data), f"field {number} is cut")
            value, at = data[at:at + size], at + size
        yield number, kind, value


def numbers(data):
    """A packed list."""
    found, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


# What a field may be: a number, 8 bytes, bytes, a text; or a message, by its own fields.
NUMBER, FIXED64, BYTES, TEXT, NUMBERS = "number", "fixed64", "bytes", "text", "numbers"
TYPE = {1: ("type", NUMBER), 2: ("unit", NUMBER)}
PPROF = {
    1: ("sample_types", [TYPE]),
    2: ("samples", [{1: ("locations", NUMBERS), 2: ("values", NUMBERS)}]),
    4: ("locations", [{1: ("id", NUMBER), 4: ("lines", [{1: ("function", NUMBER)}])}]),
    5: ("functions", [{1: ("id", NUMBER), 2: ("name", NUMBER)}]),
    6: ("strings", [TEXT]), 9: ("time", NUMBER), 10: ("duration", NUMBER),
    11: ("period_type", TYPE), 12: ("period", NUMBER),
}
LABEL = {1: ("name", TEXT), 2: ("value", TEXT)}
PUSH = {1: ("series", [{1: ("labels", [LABEL]), 2: ("samples", [{1: ("profile", BYTES)}])}])}
PROFILE = {
    1: ("sample_type", TYPE), 2: ("samples", [{1: ("stack", NUMBER), 4: ("values", NUMBERS)}]),
    3: ("time", FIXED64), 4: ("duration", NUMBER), 5: ("period_type", TYPE),
    6: ("period", NUMBER), 7: ("id", BYTES),
}
DICTIONARY = {
    1: ("mappings", [{}]), 2: ("locations", [{3: ("lines", [{1: ("function", NUMBER)}])}]),
    3: ("functions", [{1: ("name", NUMBER)}]), 4: ("links", [{}]), 5: ("strings", [TEXT]),
    6: ("attributes", [{}]), 7: ("stacks", [{1: ("locations", NUMBERS)}]),
}
EXPORT = {
    1: ("resources", [{
        1: ("resource", {1: ("attributes", [{1: ("name", TEXT), 2: ("value", {1: ("text", TEXT)})}])}),
        2: ("scopes", [{1: ("scope", {1: ("name", TEXT), 2: ("version", TEXT)}),
                        2: ("profiles", [PROFILE])}]),
    }]),
    2: ("dictionary", DICTIONARY),
}
WIRE = {NUMBER: VARINT, FIXED64: I64, BYTES: LEN, TEXT: LEN}


def one(spec, kind, value, name):
    if isinstance(spec, dict):
        need(kind == LEN, f"{name} is no message")
        return decode(spec, value)
    need(kind == WIRE[spec], f"{name} has wire type {kind}")
    if spec == TEXT:
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise Bad(f"{name} is not UTF-8: {value!r}") from None
    return value


def decode(spec, data):
    """A message as a dictionary; lists for what may be there several times."""
    message = {name: [] for name, kind in spec.values() if isinstance(kind, list) or kind == NUMBERS}
    for number, kind, value in fields(data):
        need(number in spec, f"unknown field {number}")
        name, what = spec[number]
        if what == NUMBERS:
            message[name] += [value] if kind == VARINT else numbers(value)
        elif isinstance(what, list):
            message[name].append(one(what[0], kind, value, name))
        else:
            need(name not in message, f"{name} is there twice")
            message[name] = one(what, kind, value, name)
    return message


def unpack(data):
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise Bad(f"no gzip: {error}") from None


# ---- the meaning ----

class Window:
    """What a body says."""

    def __init__(self, labels, begin, duration, period):
        need(len({name for name, _ in labels}) == len(labels), f"a label twice: {labels}")
        self.labels, self.begin, self.duration, self.period = dict(labels), begin, duration, period
        self.stacks = collections.Counter()
        self.parts = 1

    def add(self, frames, periods):
        """Frames leaf first, as all three have them."""
        stack = tuple(reversed(frames))
        need(stack and all(stack), f"an empty stack or name: {stack}")
        need(periods > 0, f"{stack} weighs {periods}")
        need(stack not in self.stacks, f"twice: {stack}")
        self.stacks[stack] = periods


def read_pprof(data, labels):
    profile = decode(PPROF, data)
    strings = profile["strings"]
    need(strings and strings[0] == "", "the first string is not empty")
    used = {0}

    def text(index):
        need(0 < index < len(strings), f"no string {index}")
        used.add(index)
        return strings[index]

    def kind(value):
        return text(value.get("type", 0)), text(value.get("unit", 0))

    need([kind(value) for value in profile["sample_types"]] == [("cpu", "nanoseconds")], "sample types")
    need(kind(profile["period_type"]) == ("cpu", "nanoseconds"), "the period's type")
    for table in "locations", "functions":
        need([entry["id"] for entry in profile[table]] == list(range(1, len(profile[table]) + 1)),
             f"ids of {table} are not 1, 2, ...")
    names = []
    for location in profile["locations"]:
        need(len(location["lines"]) == 1, "a location has not one line")
        function = location["lines"][0]["function"]
        need(0 < function <= len(profile["functions"]), f"no function {function}")
        names.append(text(profile["functions"][function - 1]["name"]))
    need(len(names) == len(profile["functions"]) == len(set(names)), "functions are not used once each")
    window = Window(labels, profile["time"], profile["duration"], profile["period"])
    met = set()
    for sample in profile["samples"]:
        need(len(sample["values"]) == 1, "a sample has not one value")
        need(all(0 < number <= len(names) for number in sample["locations"]), "no such location")
        periods, rest = divmod(sample["values"][0], window.period)
        need(not rest, "a value is no multiple of the period")
        met.update(sample["locations"])
        window.add([names[number - 1] for number in sample["locations"]], periods)
    need(met == set(range(1, len(names) + 1)), "a location is not used")
    need(used == set(range(len(strings))), "a string is not used")
    need(len(set(strings)) == len(strings), "a string is there twice")
    window.size, window.samples = len(data), len(profile["samples"])
    return window


def series_labels(pairs):
    labels = [(pair["name"], pair["value"]) for pair in pairs]
    need(dict(labels).get("__name__") == "process_cpu", "no label __name__")
    need(len(labels) <= 30, "more than 30 labels")
    need(all(name and value for name, value in labels), "an empty label")
    return [pair for pair in labels if pair[0] != "__name__"]


def read_pyroscope(body):
    series = decode(PUSH, body)["series"]
    need(len(series) == 1 and len(series[0]["samples"]) == 1, "not one profile")
    return read_pprof(unpack(series[0]["samples"][0]["profile"]), series_labels(series[0]["labels"]))


def read_parca(body):
    try:
        request = json.loads(body)
        need(list(request) == ["series"] and len(request["series"]) == 1, "not one series")
        series = request["series"][0]
        need(set(series) == {"labels", "samples"} and list(series["labels"]) == ["labels"], "keys")
        need(all(set(pair) == {"name", "value"} for pair in series["labels"]["labels"]), "labels")
        need([list(sample) for sample in series["samples"]] == [["rawProfile"]], "samples")
        packed = base64.b64decode(series["samples"][0]["rawProfile"], validate=True)
    except (ValueError, KeyError, TypeError, binascii.Error) as error:
        raise Bad(f"not the JSON of a WriteRawRequest: {error!r}") from None
    return read_pprof(unpack(packed), series_labels(series["labels"]["labels"]))


def read_otlp(body):
    request = decode(EXPORT, body)
    need(len(request["resources"]) == 1 and len(request["resources"][0]["scopes"]) == 1, "resources")
    resource, scope = request["resources"][0]["resource"], request["resources"][0]["scopes"][0]
    need(scope["scope"]["name"] == "flamemod" and scope["scope"]["version"], "the scope")
    need(len(scope["profiles"]) == 1, "not one profile")
    profile, tables = scope["profiles"][0], request["dictionary"]
    for name, table in tables.items():
        need(table and table[0] in ("", {}, {"lines": []}, {"locations": []}),
             f"{name} does not start with the zero value")
    for name in "mappings", "links", "attributes":
        need(len(tables[name]) == 1, f"{name} are not used")
    strings, used = tables["strings"], {0}

    def text(index):
        need(0 < index < len(strings), f"no string {index}")
        used.add(index)
        return strings[index]

    def kind(value):
        return text(value.get("type", 0)), text(value.get("unit", 0))

    need(kind(profile["sample_type"]) == ("samples", "count"), "the sample type")
    need(kind(profile["period_type"]) == ("cpu", "nanoseconds"), "the period's type")
    need(len(profile["id"]) == 16 and any(profile["id"]), "the profile's id")
    functions = [None] + [text(entry["name"]) for entry in tables["functions"][1:]]
    need(len(set(functions)) == len(functions), "a function is there twice")
    met_functions, names = set(), [None]
    for location in tables["locations"][1:]:
        need(len(location["lines"]) == 1, "a location has not one line")
        function = location["lines"][0]["function"]
        need(0 < function < len(functions), f"no function {function}")
        met_functions.add(function)
        names.append(functions[function])
    window = Window([(entry["name"], entry["value"]["text"]) for entry in resource["attributes"]],
                    profile["time"], profile["duration"], profile["period"])
    met_locations, met_stacks = set(), []
    for sample in profile["samples"]:
        need(len(sample["values"]) == 1, "a sample has not one value")
        need(0 < sample["stack"] < len(tables["stacks"]), "no such stack")
        stack = tables["stacks"][sample["stack"]]["locations"]
        need(all(0 < number < len(names) for number in stack), "no such location")
        met_stacks.append(sample["stack"])
        met_locations.update(stack)
        window.add([names[number] for number in stack], sample["values"][0])
    need(met_functions == set(range(1, len(functions))), "a function is not used")
    need(met_locations == set(range(1, len(names))), "a location is not used")
    need(sorted(met_stacks) == list(range(1, len(tables["stacks"]))), "a stack is not used")
    need(used == set(range(len(strings))), "a string is not used")
    need(len(set(strings)) == len(strings), "a string is there twice")
    return window


READ = {"pyroscope": read_pyroscope, "parca": read_parca, "otlp": read_otlp}


# ---- what is expected ----

def steers(c):
    return (c < 0x20 or 0x7f <= c < 0xa0 or c in (0x61c, 0x200e, 0x200f) or
            0x2028 <= c <= 0x202e or 0x2066 <= c <= 0x2069)


def shown(word):
    text = bytes.fromhex(word).decode(errors="replace")
    return "".join("?" if steers(ord(c)) else c for c in text)


def read_expected(path):
    labels, figures, stacks = {}, {}, collections.Counter()
    for line in path.read_text().splitlines():
        what, value, *rest = line.split(" ")
        if what == "label":
            labels[value] = shown(rest[0])
        elif what == "stack":
            stacks[tuple(shown(word) or "[unknown]" for word in rest)] += int(value)
        else:
            figures[what] = int(value)
    return labels, figures, stacks


def check(args):
    labels, figures, stacks = read_expected(args.expected)
    got = collections.Counter()
    for path in args.bodies:
        window = READ[args.kind](path.read_bytes())
        limits(args.kind, window)
        assert window.labels == labels, (window.labels, labels)
        assert (window.begin, window.duration, window.period) == (
            figures["begin"], figures["duration"], figures["period"]), vars(window)
        assert not set(window.stacks) & set(got), "a stack is in two parts"
        got += window.stacks
    assert got == stacks, (got - stacks, stacks - got)
    print(len(stacks), sum(stacks.values()))


# ---- a server ----

LOG, COUNTS, LOCK = [], collections.Counter(), threading.Lock()
TYPES = {"pyroscope": ("application/proto", b""), "parca": ("application/json", b"{}"),
         "otlp": ("application/x-protobuf", b"")}
SENT_TYPES = dict(pyroscope="application/proto", parca="application/json", otlp="application/x-protobuf")
PATHS = {"/push.v1.PusherService/Push": "pyroscope", "/api/profiles/writeraw": "parca",
         "/v1development/profiles": "otlp"}
REJECTED, WARNED = b"\x0a\x12\x08\x01\x12\x0eno such metric", b"\x0a\x0a\x12\x08slow it."


def limits(kind, window):
    """What Pyroscope refuses by default."""
    if kind != "pyroscope":
        return
    age = time.time() - window.begin / 1e9
    need(-600 < age < 3600, "the profile is not within the ingestion window")
    need(window.size <= 4 << 20, "uncompressed profile payload size exceeds limit")
    need(window.samples <= 16000, "too many samples")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, kind, body, headers=()):
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", len(body)), *headers):
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, kind, status, code, message):
        if kind == "otlp":
            self.answer(status, "text/plain; charset=utf-8", message.encode() + b"\n")
        else:
            self.answer(status, "application/json", json.dumps({"code": code, "message": message}).encode())

    def take(self, kind, body):
        if self.headers.get("Content-Type") != SENT_TYPES[kind]:
            return self.refuse(kind, 415, "unknown", "content type")
        if self.headers.get("Content-Encoding") == "gzip":
            body = unpack(body)
        window = READ[kind](body)
        limits(kind, window)
        with LOCK:
            LOG.append(f"{kind} {self.headers.get('X-Scope-OrgID')} {self.headers.get('Authorization')} "
                       f"{json.dumps(window.labels, sort_keys=True)} {sum(window.stacks.values())}")
        return self.answer(200, *TYPES[kind])

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path, name = self.path, None
        if path.startswith("/answer/"):
            name, _, rest = path[len("/answer/"):].partition("/")
            path = "/" + rest
        kind = PATHS.get(path)
        if not kind:
            return self.answer(404, "text/plain", b"404 page not found\n")
        with LOCK:
            COUNTS[name, kind] += 1
            first, second = COUNTS[name, kind] == 1, COUNTS[name, kind] == 2
        if name == "busy" and first:
            return self.answer(429, "application/json", b'{"code":"resource_exhausted"}', [("Retry-After", 0)])
        if name == "exhausted" and first:
            return self.answer(422, "application/json", b'{"code":"resource_exhausted"}')
        if name == "large" and second:
            return self.answer(413, "text/plain", b"too large")
        if name == "page":
            return self.answer(200, "text/html", b"<html>log in</html>")
        if name == "echo":
            return self.answer(403, "text/plain", str(self.headers).replace("\n", " ").encode())
        if name in ("rejected", "warned"):
            return self.answer(200, "application/x-protobuf", REJECTED if name == "rejected" else WARNED)
        try:
            return self.take(kind, body)
        except Bad as error:
            return self.refuse(kind, 400, "invalid_argument", str(error))

    def do_GET(self):
        if self.path == "/log":
            with LOCK:
                return self.answer(200, "text/plain", "".join(line + "\n" for line in LOG).encode())
        return self.answer(405 if self.path in PATHS else 404, "text/plain", b"")


def serve(args):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if args.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(args.certificate, args.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    commands = parser.add_subparsers(required=True)
    checks = commands.add_parser("check")
    checks.add_argument("kind", choices=READ)
    checks.add_argument("expected", type=Path)
    checks.add_argument("bodies", type=Path, nargs="+")
    checks.set_defaults(run=check)
    serves = commands.add_parser("serve")
    serves.add_argument("certificate", nargs="?")
    serves.add_argument("key", nargs="?")
    serves.set_defaults(run=serve)
    args = parser.parse_args()
    args.run(args)


main()
