#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write what follows from flamemod.yaml: the uapi header and the policies.

  generate.py          write the files
  generate.py --check  exit 1 and name the files that differ
"""
import sys
import textwrap
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parent.parent
SPEC = TOP / "common" / "flamemod.yaml"
NOTE = "/* Generated from common/flamemod.yaml by common/generate.py: do not edit. */"
SIZES = {"u8": "U8", "u16": "U16", "u32": "U32", "u64": "U64",
         "uint": "UINT", "sint": "SINT"}


def upper(name):
    return name.upper().replace("-", "_")


def lower(name):
    return name.lower().replace("-", "_")


def comment(first, rest):
    """A kernel-doc block: its first line, then its other paragraphs."""
    lines = ["/**"]
    for text, hang in [(first, "")] + rest:
        for i, line in enumerate(textwrap.wrap(" ".join(text.split()), 74)):
            lines.append(f" *{hang if i and hang else ' '}{line}")
    return lines + [" */"]


def unit(attr):
    """What the YAML says of an attribute beside its doc: type and limits."""
    kind = attr["type"]
    if "sub-type" in attr:
        kind += f" of {attr['sub-type']}"
    if attr.get("multi-attr"):
        kind += ", repeated"
    checks = attr.get("checks", {})
    if "min" in checks or ("max" in checks and attr["type"] != "flag"):
        kind += f", {checks.get('min', 0)}..{checks['max']}"
    if "max-len" in checks:
        kind += f", at most {checks['max-len']} bytes"
    return f"({kind})"


def enum(out, tag, doc, members, extra=()):
    rest = [(f"@{name}: {text}", "\t") for name, text in members]
    rest += [(f"@{name.split(' ')[0]}: internal, {what}", "\t") for name, what in extra]
    out += comment(f"enum {tag} - {doc}", rest)
    return out


def write_enum(out, tag, doc, members, first, max_name):
    last = f"__{max_name}"
    enum(out, tag, doc, members,
         [(last, "one above the last"), (max_name, "the last")])
    out.append(f"enum {tag} {{")
    for i, (name, _) in enumerate(members):
        out.append(f"\t{name} = {first}," if not i and first else f"\t{name},")
    out += ["", "\t/* private: */", f"\t{last},",
            f"\t{max_name} = ({last} - 1)", "};", ""]


def header(spec):
    out = ["/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */",
           NOTE, "#ifndef _UAPI_LINUX_FLAMEMOD_H",
           "#define _UAPI_LINUX_FLAMEMOD_H", "",
           "#define FLAMEMOD_GENL_NAME\t\"%s\"" % spec["name"],
           ""]
    for d in spec["definitions"]:
        if d["type"] == "const":
            out += [f"/* {d['doc']} */",
                    f"#define FLAMEMOD_{upper(d['name'])}\t{d['value']}", ""]
            continue
        prefix = upper(d["name-prefix"])
        members = [(prefix + upper(e["name"]), e["doc"]) for e in d["entries"]]
        write_enum(out, lower(d["enum-name"]), d["doc"], members, 0,
                   prefix + "MAX")
    for s in spec["attribute-sets"]:
        prefix = upper(s["name-prefix"])
        members = [(prefix + upper(a["name"]), f"{a['doc']} {unit(a)}")
                   for a in s["attributes"]]
        write_enum(out, lower(s["enum-name"]), s["doc"], members, 1,
                   prefix + "MAX")
    ops = spec["operations"]
    prefix = upper(ops["name-prefix"])
    members = [(prefix + upper(o["name"]), o["doc"]) for o in ops["list"]]
    write_enum(out, "flamemod_cmd", "the operations", members, 1,
               prefix + "MAX")
    return "\n".join(out + ["#endif /* _UAPI_LINUX_FLAMEMOD_H */", ""])


def limit(attr, tb):
    """(condition, text) under which a request's attribute is refused."""
    checks, kind = attr.get("checks", {}), attr["type"]
    if kind in ("binary", "string"):
        return (f"nla_len({tb}) > {checks['max-len']}",
                f"{attr['name']}: must be at most {checks['max-len']} bytes")
    if "max" not in checks:
        return None
    low, high = checks.get("min", 0), checks["max"]
    get = f"nla_get_{kind}({tb})"
    text = f"{attr['name']}: must be {low}..{high}" if high else \
        f"{attr['name']}: must be 0"
    if low:
        return f"({get} < {low} || {get} > {high})", text
    return f"{get} > {high}" if high else f"{get}", text


def check_function(name, doc, members, prefix):
    """A function that refuses what is out of its limits, by name.

    The kernel's policies could do it, but say "integer out of range" only;
    and a validation function on an integer makes the kernel warn when it
    describes the policy in its answer (seen on 6.1: lib/nlattr.c,
    nla_get_range_unsigned()).
    """
    begin = f"int {name}("
    out = ["/**", f" * {name}() - {doc}", " * @tb: the parsed attributes",
           " * @extack: for the reason of a refusal", " *",
           " * Context: Any.", " * Return: 0 or -ERANGE.", " */",
           begin + "struct nlattr *const *tb,",
           aligned(begin) + "struct netlink_ext_ack *extack)", "{",
           "\tconst struct nlattr *attr;", ""]
    for attr in members:
        refused = limit(attr, "attr")
        if refused:
            out += [f"\tattr = tb[{prefix}{upper(attr['name'])}];",
                    f"\tif (attr && {refused[0]}) {{",
                    f"\t\tNL_SET_ERR_MSG_ATTR(extack, attr, \"{refused[1]}\");",
                    "\t\treturn -ERANGE;", "\t}"]
    return out + ["\treturn 0;", "}", ""]


def policy_entry(attr):
    kind = attr["type"]
    if kind == "flag":
        return "{ .type = NLA_FLAG }"
    if kind == "nest":
        return f"NLA_POLICY_NESTED(fm_{lower(attr['nested-attributes'])}_policy)"
    name = {"binary": "BINARY", "string": "NUL_STRING"}.get(kind) or SIZES[kind]
    return f"{{ .type = NLA_{name} }}"


def aligned(begin):
    """What a line starts with that goes on at the column where begin ends."""
    return "\t" * (len(begin) // 8) + " " * (len(begin) % 8)


def initializer(index, value):
    """An array's element, on two lines where one would be too long."""
    line = f"\t[{index}] = {value},"
    if len(line.expandtabs()) <= 80:
        return line
    return f"\t[{index}] =\n\t\t{value},"


def policies(spec):
    """(source, header): one policy per set of attributes that requests use."""
    sets = {s["name"]: s for s in spec["attribute-sets"]}
    top, requests = "flamemod", []
    for op in spec["operations"]["list"]:
        for how in ("do", "dump"):
            if how in op:
                attrs = op[how].get("request", {}).get("attributes", [])
                requests.append((op["name"], how, attrs))
    nested = []

    def add_nested(attrs):
        """Add the sets of these attributes' nests, inner ones first."""
        for a in attrs:
            if a["type"] != "nest" or a["nested-attributes"] in nested:
                continue
            add_nested(sets[a["nested-attributes"]]["attributes"])
            nested.append(a["nested-attributes"])

    for _, _, attrs in requests:
        add_nested([a for a in sets[top]["attributes"] if a["name"] in attrs])
    blocks, decls = [], []

    def block(name, members, prefix, last):
        decls.append(f"extern const struct nla_policy {name}[{last} + 1];")
        blocks.append(f"const struct nla_policy {name}[{last} + 1] = {{")
        blocks.extend(initializer(prefix + upper(a["name"]), policy_entry(a))
                      for a in members)
        blocks.extend(["};", ""])

    def check(name, doc, members, prefix):
        blocks.extend(check_function(name, doc, members, prefix))
        begin = f"int {name}("
        decls.extend([begin + "struct nlattr *const *tb,",
                      aligned(begin) + "struct netlink_ext_ack *extack);"])

    for name in nested:
        s = sets[name]
        prefix = upper(s["name-prefix"])
        block(f"fm_{lower(name)}_policy", s["attributes"], prefix, prefix + "MAX")
        check(f"fm_{lower(name)}_check", f"check the limits of a nest of set {name}.",
              s["attributes"], prefix)
    seen = {}
    prefix = upper(sets[top]["name-prefix"])
    for name, how, attrs in requests:
        names = [a["name"] for a in sets[top]["attributes"] if a["name"] in attrs]
        last = prefix + upper(names[-1])
        policy = f"fm_{lower(name)}_{how}_policy"
        if tuple(names) in seen:
            decls.append(f"#define {policy}\t{seen[tuple(names)]}")
        else:
            seen[tuple(names)] = policy
            block(policy, [a for a in sets[top]["attributes"] if a["name"] in names],
                  prefix, last)
        decls.append(f"#define {policy.upper()}_MAX\t{last}")
    check("fm_request_check", "check the attributes that every request has.",
          [a for a in sets[top]["attributes"]
           if all(a["name"] in attrs for _, _, attrs in requests)], prefix)
    spdx = "SPDX-License-Identifier: GPL-2.0"
    source = [f"// {spdx}", NOTE, "#include \"policy.h\"", ""] + blocks
    head = [f"/* {spdx} */", NOTE, "#ifndef _FLAMEMOD_POLICY_H",
            "#define _FLAMEMOD_POLICY_H", "", "#include <net/netlink.h>", "",
            "#include \"../common/uapi/flamemod.h\"", ""] + decls + \
           ["", "#endif /* _FLAMEMOD_POLICY_H */", ""]
    return "\n".join(source[:-1]) + "\n", "\n".join(head)


def main():
    spec = yaml.safe_load(SPEC.read_text())
    source, head = policies(spec)
    files = {TOP / "common/uapi/flamemod.h": header(spec),
             TOP / "module/policy.c": source, TOP / "module/policy.h": head}
    if sys.argv[1:] == ["--check"]:
        stale = [p for p, text in files.items()
                 if not p.exists() or p.read_text() != text]
        for p in stale:
            print(f"{p.relative_to(TOP)} differs from common/flamemod.yaml: "
                  "run make generate", file=sys.stderr)
        sys.exit(bool(stale))
    if sys.argv[1:]:
        sys.exit(__doc__)
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
