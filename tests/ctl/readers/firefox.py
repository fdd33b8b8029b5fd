#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Hold a file to what the Firefox Profiler's importer reads of a processed
profile of version 60: RawProfile in its src/types/profile.ts, and what the
upgraders in processed-profile-versioning.ts and the call tree go by."""
import json
import re
import sys

NULL = type(None)
COLUMNS = {
    "stackTable": {"frame": (int,), "prefix": (int, NULL)},
    "frameTable": {"address": (int,), "inlineDepth": (int,), "category": (int, NULL),
                   "subcategory": (int, NULL), "func": (int,), "nativeSymbol": (int, NULL),
                   "innerWindowID": (int, NULL), "line": (int, NULL), "column": (int, NULL)},
    "funcTable": {"name": (int,), "isJS": (bool,), "relevantForJS": (bool,), "resource": (int,),
                  "source": (int, NULL), "lineNumber": (int, NULL), "columnNumber": (int, NULL)},
    "resourceTable": {"type": (int,), "lib": (int, NULL), "name": (int,), "host": (int, NULL)},
    "nativeSymbols": {"libIndex": (int,), "address": (int,), "name": (int,),
                      "functionSize": (int, NULL)},
    "sources": {"uuid": (str, NULL), "filename": (int,)},
}
COLOURS = {"transparent", "purple", "green", "orange", "yellow", "lightblue", "blue", "brown",
           "magenta", "red", "lightred", "darkgrey", "grey"}
THREAD = {"processType": (str,), "processStartupTime": (int, float),
          "processShutdownTime": (int, float, NULL), "registerTime": (int, float),
          "unregisterTime": (int, float, NULL), "pausedRanges": (list,), "name": (str,),
          "isMainThread": (bool,), "pid": (str,), "tid": (int, str), "samples": (dict,),
          "markers": (dict,)}
LIB = ("arch", "name", "path", "debugName", "debugPath", "breakpadId")
MARKERS = ("data", "name", "startTime", "endTime", "phase", "category")


def of(value, types):
    return isinstance(value, types) and (bool in types or not isinstance(value, bool))


def table(data, columns):
    for name, types in columns.items():
        assert len(data[name]) == data["length"], name
        assert all(of(value, types) for value in data[name]), name


def points(column, limit, least=0):
    assert all(value is None or least <= value < limit for value in column)


def check_meta(meta):
    assert meta["preprocessedProfileVersion"] == 60
    for key in ("interval", "startTime", "processType", "stackwalk", "version"):
        assert of(meta[key], (int, float)), key
    assert isinstance(meta["product"], str) and meta["markerSchema"] == []
    for category in meta["categories"]:
        assert category["color"] in COLOURS and category["subcategories"][:1] == ["Other"]
    assert any(category["color"] == "grey" for category in meta["categories"])
    for section in meta["extra"]:
        assert all(set(entry) == {"label", "format", "value"} for entry in section["entries"])


def check_libs(libs, resources):
    for lib in libs:
        assert all(isinstance(lib[key], str) for key in LIB)
        assert re.fullmatch("[0-9A-F]{33}", lib["breakpadId"])
        assert lib["codeId"] is None or re.fullmatch("[0-9a-f]+", lib["codeId"])
    points(resources["lib"], len(libs))
    # 1 is a library
    assert all(kind == 1 and lib is not None
               for kind, lib in zip(resources["type"], resources["lib"]))


def check_shared(shared, meta):
    for name, columns in COLUMNS.items():
        table(shared[name], columns)
    strings, funcs = len(shared["stringArray"]), shared["funcTable"]
    assert all(isinstance(text, str) for text in shared["stringArray"])
    points(funcs["name"], strings)
    points(funcs["resource"], shared["resourceTable"]["length"], -1)
    frames = shared["frameTable"]
    points(frames["func"], funcs["length"])
    points(frames["category"], len(meta["categories"]))
    points(frames["nativeSymbol"], shared["nativeSymbols"]["length"])
    for category, part in zip(frames["category"], frames["subcategory"]):
        assert category is None or (
            part is not None and 0 <= part < len(meta["categories"][category]["subcategories"]))
    points(shared["resourceTable"]["name"], strings)
    stacks = shared["stackTable"]
    points(stacks["frame"], frames["length"])
    for place, prefix in enumerate(stacks["prefix"]):
        assert prefix is None or 0 <= prefix < place


def check_thread(thread, stacks):
    for key, types in THREAD.items():
        assert of(thread[key], types), key
    assert thread["markers"] == {**{key: [] for key in MARKERS}, "length": 0}
    samples = thread["samples"]
    for key in ("stack", "weight", "time"):
        assert len(samples[key]) == samples["length"], key
    points(samples["stack"], stacks)
    assert samples["weightType"] in ("samples", "tracing-ms")
    assert samples["time"] == sorted(samples["time"])
    assert all(of(weight, (int, float)) and weight >= 0 for weight in samples["weight"])


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        profile = json.load(file)
    check_libs(profile["libs"], profile["shared"]["resourceTable"])
    check_meta(profile["meta"])
    check_shared(profile["shared"], profile["meta"])
    assert profile["threads"]
    for thread in profile["threads"]:
        check_thread(thread, profile["shared"]["stackTable"]["length"])


main()
