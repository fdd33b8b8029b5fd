#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check metrics by the rules of Prometheus' text format and of its names, and print them.

  tests/ctl/unit/metrics.py FILE [STATUS]

FILE has the metrics, STATUS what flamectl status --json printed of the same profile. Fails
if a series is there twice, a family is not in one piece with HELP and TYPE before it, a
name does not fit its type, the books do not balance on a CPU, or a figure is not the one
of STATUS; without STATUS, the last two are not looked at. Prints how many families and series there are.
"""
import argparse
import json
import re
from decimal import Decimal
from pathlib import Path

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
HELP = re.compile(rf"# HELP ({NAME}) (\S.*\.)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge)")
SERIES = re.compile(rf"({NAME})(?:\{{(.*)\}})? (-?[0-9]+(?:\.[0-9]+)?)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(,|$)')


def labels_of(text):
    """The labels between the braces, as a sorted tuple of pairs."""
    found, at = [], 0
    while at < len(text):
        label = LABEL.match(text, at)
        assert label, f"no label at {text[at:]!r}"
        found.append(label.groups()[:2])
        at = label.end()
    assert len({name for name, _ in found}) == len(found), f"a label twice: {text}"
    return tuple(sorted(found))


def parse(text):
    """{name: {labels: value}}, and {name: type}."""
    assert text.endswith("\n"), "the last line does not end"
    families, types, name = {}, {}, None
    for line in text.splitlines():
        if line.startswith("# HELP"):
            name = HELP.fullmatch(line)[1]
            assert name not in families, f"{name} is in two pieces"
            families[name] = {}
        elif line.startswith("#"):
            kind = TYPE.fullmatch(line)
            assert kind[1] == name and not families[name], line
            types[name] = kind[2]
        else:
            series = SERIES.fullmatch(line)
            assert series and series[1] == name and name in types, line
            labels = labels_of(series[2] or "")
            assert labels not in families[name], f"twice: {line}"
            families[name][labels] = Decimal(series[3])
    return families, types


def check_names(families, types):
    """By https://prometheus.io/docs/practices/naming/."""
    for name, kind in types.items():
        assert name.startswith("flamemod_"), name
        assert (kind == "counter") == name.endswith("_total"), f"{name} is a {kind}"
        assert not re.search(r"_(?:ns|ms|us|kb|count|sum|bucket)(?:_|$)", name), name
        assert families[name], f"{name} has no series"


def check_books(families, status):
    """Each CPU's figures are those of the status, and balance."""
    def figure(name, cpu, **more):
        labels = {"cpu": str(cpu["cpu"]), **more}
        return families[f"flamemod_{name}"][tuple(sorted(labels.items()))]

    cpus = {dict(labels)["cpu"] for labels in families["flamemod_fires_total"]}
    assert cpus == {str(cpu["cpu"]) for cpu in status["cpus"]} and cpus, cpus
    for cpu in status["cpus"]:
        for key, name in {"expected": "expected_periods_total", "fires": "fires_total",
                          "missed": "missed_periods_total", "stored": "stored_periods_total",
                          "filtered": "filtered_periods_total", "overdue": "overdue_periods",
                          "asleep": "asleep_periods_total", "late": "late_periods_total",
                          "stolen": "stolen_periods_total", "sampling": "sampling",
                          "truncated": "truncated_samples_total"}.items():
            assert figure(name, cpu) == cpu[key], (name, cpu["cpu"], cpu[key])
        assert figure("sampled_seconds_total", cpu) * 10**9 == cpu["sampled_ns"]
        lost = {reason: figure("lost_periods_total", cpu, reason=reason)
                for reason in cpu["lost"]}
        assert lost == cpu["lost"], lost
        came = figure("fires_total", cpu) + figure("missed_periods_total", cpu)
        assert came == (figure("stored_periods_total", cpu) + sum(lost.values()) +
                        figure("filtered_periods_total", cpu))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("status", type=Path, nargs="?")
    args = parser.parse_args()
    families, types = parse(args.file.read_text(encoding="utf-8"))
    check_names(families, types)
    if args.status:
        check_books(families, json.loads(args.status.read_text()))
    print(len(families), sum(len(series) for series in families.values()))


main()
