# SPDX-License-Identifier: GPL-2.0
"""The dashboard for Grafana, docs/grafana.json, without Grafana.

  grafana.py check BOARD            its structure; exit code 1 with a reason
  grafana.py rows BOARD PANEL URL   run a panel's or a variable's statement at a ClickHouse
  grafana.py whole BOARD URL        the flame graph without its limit
  grafana.py nested FILE            check rows of a flame graph: level, value, self, label

Sources: Grafana's documentation of dashboards and of the flame graph panel, and the
README of its ClickHouse plugin (grafana-clickhouse-datasource), for macros and targets.
"""
import json
import re
import sys
from urllib.error import HTTPError
from urllib.request import urlopen

PLUGIN = "grafana-clickhouse-datasource"
PANELS = {"stat", "table", "timeseries", "flamegraph"}
COLUMNS = {"flamegraph": ["level", "value", "self", "label"]}
TEXTS = {"host": ",".join(f"'host{i}'" for i in range(20)), "release": "'6.1.0','6.12.0'",
         "function": "'slow_path'"}


def expanded(sql):
    """The statement as the plugin sends it, for the windows of the test."""
    sql = re.sub(r"\$__timeFilter\((\w+)\)",
                 r"\1 >= toDateTime(1795773600) AND \1 <= toDateTime(1795860000)", sql)
    sql = sql.replace("$__interval_s", "60")
    sql = re.sub(r"\$\{(\w+):singlequote\}", lambda match: TEXTS[match[1]], sql)
    assert "$" not in sql, f"a macro that the plugin does not have: {sql}"
    return sql


def ask(url, sql):
    """What ClickHouse answers, as tab-separated text."""
    try:
        return urlopen(url, expanded(sql).encode(), timeout=120).read().decode()
    except HTTPError as error:
        sys.exit(error.read().decode())


def statement(board, name):
    """That of the panel with this number, or of the variable with this name."""
    for panel in board["panels"]:
        if str(panel["id"]) == name:
            return panel["targets"][0]["rawSql"]
    return next(v["query"] for v in board["templating"]["list"] if v["name"] == name)


def outer_columns(sql):
    """The names that the outermost SELECT gives its columns."""
    head = sql[:re.search(r"\nFROM ", sql).start()]
    return re.findall(r"AS (\w+)", head)


def overlaps(one, other):
    """Whether two panels cover the same place."""
    return (one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"] and
            one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"])


def check_panel(panel, variables):
    assert panel["type"] in PANELS, f"panel {panel['id']}: no type {panel['type']}"
    assert panel["title"] and panel["description"]
    place = panel["gridPos"]
    assert 0 <= place["x"] and place["x"] + place["w"] <= 24 and place["h"] > 0
    for item in (panel, *panel["targets"]):
        assert item["datasource"] == {"type": PLUGIN, "uid": "${store}"}
    for target in panel["targets"]:
        assert target["editorType"] == "sql" and target["refId"]
        timeseries = panel["type"] == "timeseries"
        assert target["queryType"] == ("timeseries" if timeseries else "table")
        assert target["format"] == (0 if timeseries else 1)
        for name in re.findall(r"\$\{(\w+)", target["rawSql"]):
            assert name in variables, f"panel {panel['id']}: no variable {name}"
        expanded(target["rawSql"])
        assert "$__timeFilter(time)" in target["rawSql"]
        wanted = COLUMNS.get(panel["type"])
        assert not wanted or outer_columns(target["rawSql"]) == wanted, \
            f"panel {panel['id']}: a flame graph needs the columns {wanted}"


def check(board):
    variables = {v["name"]: v for v in board["templating"]["list"]}
    assert board["title"] and board["uid"] and board["schemaVersion"] >= 36
    assert set(variables) == {"store", *TEXTS}
    assert variables["store"]["type"] == "datasource" and variables["store"]["query"] == PLUGIN
    for panel in board["panels"]:
        check_panel(panel, variables)
    places = [panel["gridPos"] for panel in board["panels"]]
    assert not any(overlaps(a, b) for i, a in enumerate(places) for b in places[:i])
    numbers = [panel["id"] for panel in board["panels"]]
    assert len(set(numbers)) == len(numbers)
    assert {panel["type"] for panel in board["panels"]} == PANELS


def nested(path):
    """A row follows its parent, is no more than what its parent has left, and all that a
    parent has beside its own time is its children's, where nothing is left out."""
    left = []       # of each level's last row: what its children may still take
    for number, line in enumerate(open(path, encoding="utf-8")):
        level, value, self_ns, label = line.rstrip("\n").split("\t")
        level, value, self_ns = int(level), int(value), int(self_ns)
        assert label and 0 <= self_ns <= value
        assert (level == 0) == (number == 0), f"row {number} has level {level}"
        assert level <= len(left), f"row {number} has no parent"
        del left[level:]
        if level:
            left[-1] -= value
            assert left[-1] >= 0, f"row {number} is larger than its parent"
        left.append(value - self_ns)
    assert left, "no row"


def main(what, path, *rest):
    if what == "nested":
        return nested(path)
    with open(path, encoding="utf-8") as file:
        board = json.load(file)
    if what == "check":
        return check(board)
    if what == "rows":
        return print(ask(rest[1], statement(board, rest[0])), end="")
    sql = next(p for p in board["panels"] if p["type"] == "flamegraph")["targets"][0]["rawSql"]
    return print(ask(rest[0], re.sub(r"HAVING .*\n", "", sql)), end="")


try:
    main(*sys.argv[1:])
except AssertionError as reason:
    sys.exit(f"grafana.py: {reason}")
