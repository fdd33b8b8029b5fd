#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write what the netlink fuzzer knows of the protocol, as C tables.

  netlink_tables.py FILE   the header to write, from common/flamemod.yaml

tests/module/netlink/netlink_protocol.h says what the tables' members mean. Nothing of
the protocol is told in the fuzzer itself, so that it cannot share a mistake
with the module's policies, which common/generate.py writes.
"""
import sys
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parent.parent.parent.parent
SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}


def name_of(attribute_set):
    return "attrs_" + attribute_set.replace("-", "_")


def rule(attr, sets, enums):
    """One attribute's line: the members that are not zero."""
    checks = attr.get("checks", {})
    members = [f'.name = "{attr["name"]}"', f".kind = KIND_{attr['type'].upper()}"]
    if attr["type"] in SIZES:
        limit = (1 << 8 * SIZES[attr["type"]]) - 1
        if "enum" in attr:
            limit = enums[attr["enum"]] - 1
        members += [f".min = {checks.get('min', 0)}", f".max = {checks.get('max', limit)}u"]
    if "max-len" in checks:
        members.append(f".max_len = {checks['max-len']}")
    if "sub-type" in attr:
        members.append(f".elem_bytes = {SIZES[attr['sub-type']]}")
    if attr["type"] == "nest":
        members.append(f".nested = {sets[attr['nested-attributes']]}")
    if attr.get("multi-attr"):
        members.append(".repeats = true")
    return f"\t{{ {', '.join(members)} }},"


def mask(names, attributes):
    """Bits of the attributes that a request or a reply may have."""
    bits = 0
    for i, attr in enumerate(attributes, 1):
        if attr["name"] in names:
            bits |= 1 << i
    return f"{bits:#x}"


def operation(number, op, attributes):
    members = [f'.name = "{op["name"]}"', f".command = {number}"]
    for how in ("do", "dump"):
        if how not in op:
            continue
        members.append(f".has_{how} = true")
        for what in ("request", "reply"):
            if what in op[how]:
                bits = mask(op[how][what]["attributes"], attributes)
                members.append(f".{how}_{what} = {bits}")
    return f"\t{{ {', '.join(members)} }},"


def tables(spec):
    sets = {s["name"]: i for i, s in enumerate(spec["attribute-sets"])}
    enums = {d["name"]: len(d["entries"]) for d in spec["definitions"] if d["type"] == "enum"}
    attributes = spec["attribute-sets"][0]["attributes"]
    out = ["/* SPDX-License-Identifier: GPL-2.0 */",
           "/* Generated from common/flamemod.yaml by tests/module/netlink/netlink_tables.py. */", ""]
    for s in spec["attribute-sets"]:
        out += [f"static const struct attr_rule {name_of(s['name'])}[] = {{", "\t{ .name = NULL },",
                *(rule(a, sets, enums) for a in s["attributes"]), "};", ""]
    out += ["static const struct attr_set protocol_sets[] = {"]
    out += [f"\t{{ \"{s['name']}\", {len(s['attributes'])}, {name_of(s['name'])} }},"
            for s in spec["attribute-sets"]]
    out += ["};", "", "static const struct operation protocol_operations[] = {"]
    out += [operation(i, op, attributes) for i, op in enumerate(spec["operations"]["list"], 1)]
    return "\n".join(out + ["};", ""])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    spec = yaml.safe_load((TOP / "common/flamemod.yaml").read_text())
    path = Path(sys.argv[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(tables(spec))


if __name__ == "__main__":
    main()
