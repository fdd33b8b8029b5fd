# SPDX-License-Identifier: GPL-2.0
"""Compare flamectl's pages, as readers see them, with its tables, and
prints each difference:

  python3 pages.py FLAMECTL help|man|bash|zsh|fish FOLDER

FOLDER is where a file "FILE-A" stands, for bash to find. Of each command and
option all is compared that a reader is told: name, letter, argument, words, and
what the argument may be, which help and manual pages have in their words.
"""
import re
import subprocess
import sys

FLAMECTL = sys.argv[1] if len(sys.argv) > 1 else "./flamectl"


def output(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, timeout=60,
                          encoding="utf-8", **options).stdout


def flamectl(*words):
    return output(FLAMECTL, *words)


def table():
    """command: (summary, {option: (letter, argument, help, values)})"""
    found = {}
    for line in flamectl("pages", "table").splitlines():
        command, option, letter, argument, text, values = line.split("\t")
        if option:
            values = " ".join(sorted(re.split("[ ,]", values)))
            # where they are many, the help of a command lists them
            where = text if "import" not in text and "those below" not in text \
                else flamectl("import", "--help")
            assert all(re.search(rf"\b{value}\b", where) for value in values.split()), line
            found[command][1][option] = (letter, argument, text, values)
        else:
            found[command] = (text, {})
    return found


def read_help():
    found = {}
    for name, summary in re.findall(r"^  (\w+) +(.*)$", flamectl("help"), re.M):
        text = flamectl(name, "--help")
        said = text.split("\n")[2]
        assert said == summary, (name, said, summary)
        options = {}
        for letter, option, argument, words in re.findall(
                r"^  (?:-(\w), |    )--([\w-]+)(?: (\S+))?(?:\n {20,}|  +)(\S.*)$", text, re.M):
            options[option] = (letter, argument, words, "")
        assert options.pop("help")[0] == "h"
        found[name] = (summary, options)
    return found


def sentence(text):
    """A line of the tables in the form of a manual page."""
    return text[0].upper() + text[1:] + "."


def read_man():
    """In sentences, which table() is turned into for comparison."""
    def plain(text):
        return text.replace("\\-", "-").replace("\\(dq", '"').replace("\\&", "").replace("\\e", "\\")
    found = {}
    page = plain(flamectl("pages", "man"))
    names = re.findall(r"^\.It Cm (\w+)\n((?:[^.\n].*\n)+)See\n\.Xr flamectl-\1 1 \.$", page, re.M)
    for name, summary in names:
        page = plain(flamectl("pages", "man", name))
        options = {}
        for letter, option, argument, words in re.findall(
                r'^\.It(?: Fl (\w) ,)? Fl -([\w-]+)(?: Ar "(.*)")?\n((?:[^.].*\n)+)', page, re.M):
            options[option] = (letter, argument, " ".join(words.split()), "")
        assert options.pop("help")[0] == "h"
        described = page.split(".Sh DESCRIPTION\n")[1].replace("\n", " ")
        summary = " ".join(summary.split())
        assert described.startswith(summary), (name, summary, described[:80])
        found[name] = (summary, options)
    return found


def read_bash():
    """Names, and whether there is an argument, and whether that is a file: no
    option stands where one is expected."""
    script = flamectl("pages", "bash") + """
    compopt() { :; }
    ask() { COMP_WORDS=(flamectl "$@"); COMP_CWORD=$#; COMPREPLY=(); _flamectl
        printf '%s\\n' "${COMPREPLY[@]}"; }
    for name in $(ask ''); do case $name in -*|help) continue ;; esac
        echo "command $name"
        for option in $(ask "$name" --); do echo "option $option"
            [ -n "$(ask "$name" "$option" --)" ] && continue
            [ -n "$(ask "$name" "$option" FILE-A)" ] && echo FILE && continue
            echo other $(ask "$name" "$option" '')
        done; done
    """
    found = {}
    options = {}
    option = None
    for line in output("bash", "-c", script, cwd=FOLDER).splitlines():
        kind, _, name = line.partition(" ")
        if kind == "command":
            options = {}
            found[name] = ("", options)
        elif kind == "option":
            option = name.removeprefix("--")
            options[option] = ("", "", "", "")
        else:
            options[option] = ("", kind, "", " ".join(sorted(name.split())))
    for _, options in found.values():
        assert options.pop("help")
    return found


def read_zsh():
    """The arguments of its _arguments and _describe."""
    script = """
    _arguments() { if [[ $1 = -C ]]; then state=$STATE; line=($NAME)
        else print -rl -- "$@"; fi; }
    _describe() { print -rl -- $commands; }
    _normal() { :; }
    """ + flamectl("pages", "zsh").rsplit("\n_flamectl ", 1)[0]
    def ask(state, name=""):
        return output("zsh", "-fc", script + "\n_flamectl",
                      env={"STATE": state, "NAME": name, "PATH": "/usr/bin:/bin"})
    def plain(text):
        return re.sub(r"\\([][:\\])", r"\1", text)
    found = {}
    for line in ask("command").splitlines():
        name, _, summary = line.partition(":")
        if name == "help":
            continue
        options = {}
        for given in ask("arguments", name).splitlines():
            match = re.fullmatch(r"(?:\(-\w --[\w-]+\))?(-\w|--[\w-]+)"
                                 r"\[((?:[^]\\]|\\.)*)\](?::((?:[^:\\]|\\.)*):( |_files|\(.+\)|_values -s , value .+))?", given)
            if not match:
                assert given in ("-s", "-S", "-A", "-*") or given.startswith("*:"), given
                continue
            option, words, argument, action = match.groups()
            assert (action == "_files") == (argument == "FILE"), given
            values = (action or "").removeprefix("_values -s , value ").strip(" ()")
            values = "" if values == "_files" else " ".join(sorted(values.split()))
            options[option] = (plain(words), plain(argument or ""), values)
        found[name] = (plain(summary), pair_letters(options))
    for _, options in found.values():
        assert options.pop("help")[0] == "h"
    return found


def pair_letters(options):
    """Join -o and --output: an option's letter and name have the same text."""
    letters = {told: option[1:] for option, told in options.items()
               if not option.startswith("--")}
    return {option[2:]: (letters.pop(told, ""), told[1], told[0], told[2])
            for option, told in options.items() if option.startswith("--")}


def read_fish():
    """Without arguments' names."""
    script = flamectl("pages", "fish")
    def ask(line):
        return [one.partition("\t")[::2] for one in output(
            "fish", "-c", f"source -; complete -C '{line}'", input=script).splitlines()]
    found = {}
    for name, summary in ask("flamectl "):
        if name == "help":
            continue
        letters = {told: option[1:] for option, told in ask(f"flamectl {name} -")
                   if not option.startswith("--")}
        options = {option[2:]: (letters.get(told, ""), "", told, "")
                   for option, told in ask(f"flamectl {name} --")}
        # an option without a value is followed by operands
        for option in {option for option, told in TABLES[name][1].items() if told[3]}:
            values = " ".join(sorted(value for value, _ in ask(f"flamectl {name} --{option} ")))
            options[option] = (*options[option][:3], values)
        assert options.pop("help")[0] == "h"
        found[name] = (summary, options)
    return found


def expect(reader, tables):
    """The text that a page must have, by the tables."""
    def change(letter, argument, text, values):
        if reader == "bash":
            return ("", argument if argument in ("", "FILE") else "other", "", values)
        if reader == "fish":
            return (letter, "", text, values)
        if reader == "man":
            return (letter, argument, sentence(text), "")
        return (letter, argument, text, "" if reader == "help" else values)
    return {name: ("" if reader == "bash" else sentence(summary) if reader == "man" else summary,
                   {option: change(*told) for option, told in options.items()})
            for name, (summary, options) in tables.items()}


def lines(found):
    for name, (summary, options) in sorted(found.items()):
        yield f"{name}: {summary}"
        for option, told in sorted(options.items()):
            yield f"{name} --{option}: " + " | ".join(told)


TABLES = table()
FOLDER = sys.argv[3] if len(sys.argv) > 3 else "."
READERS = {"help": read_help, "man": read_man, "bash": read_bash, "zsh": read_zsh,
           "fish": read_fish}


def main():
    reader = sys.argv[2]
    expected = list(lines(expect(reader, TABLES)))
    found = list(lines(READERS[reader]()))
    for line in sorted(set(expected) ^ set(found)):
        print(("missing: " if line in expected else "untold in the tables: ") + line)
    assert len(expected) > 40, "the tables are empty"
    return expected != found


if __name__ == "__main__":
    sys.exit(main())
