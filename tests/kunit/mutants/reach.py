# SPDX-License-Identifier: GPL-2.0
"""
Which sources must be compiled again when one function or macro of a header has changed.

A change within an inline function reaches the functions and macros that name it, those that
name these, and so on. A source that names none of them compiles to what it was. A change that
may be in the size of a struct, or is neither in a function nor in a macro, reaches all sources.
"""
import re

WORD = re.compile(r"\w+")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
BODY = re.compile(r"^\{\n.*?^\}", re.DOTALL | re.MULTILINE)     # of a function, not of a struct
DEFINE = re.compile(r"^#define (\w+)((?:.*\\\n)*.*)$", re.MULTILINE)


def without_comments(text):
    """The text with blanks instead of comments, so that all places stay."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def functions(text):
    """The functions that a header defines: name, start and end of the body, words in it."""
    text = without_comments(text)
    for body in BODY.finditer(text):
        before = re.split(r"[;}]|\n\n|^#.*$", text[:body.start()], flags=re.MULTILINE)[-1]
        name = re.search(r"(\w+)\(", before)
        yield name and name[1], body.start(), body.end(), set(WORD.findall(body[0]))


def macros(text):
    """The macros that it defines: name, words in it."""
    for found in DEFINE.finditer(without_comments(text)):
        yield found[1], set(WORD.findall(found[2]))


def name_at(text, place):
    """The function or macro that has this place in its body, or None."""
    for name, start, end, _ in functions(text):
        if start < place < end:
            return name
    for found in DEFINE.finditer(text):
        if found.start() <= place < found.end():
            return found[1]
    return None


def namers(name, headers):
    """NAME, and the inline functions and macros through which it can be reached."""
    users = []
    for text in headers:
        users += [(user, words) for user, _, _, words in functions(text)]
        users += macros(text)
    reached, size = {name}, 0
    while size != len(reached):
        size = len(reached)
        reached |= {user for user, words in users if words & reached}
    return reached


def sizes(headers):
    """The macros that declarations use: a struct may have as many elements as one says."""
    defined = {name for text in headers for name, _ in macros(text)}
    used = {word for text in headers
            for word in WORD.findall(DEFINE.sub("", BODY.sub("", without_comments(text))))}
    return defined & used


def reached(header, place, headers, sources):
    """
    The sources that a change at PLACE of a header's text reaches, of SOURCES, a dictionary
    of texts by path. HEADERS are the texts of all headers.
    """
    name = name_at(header, place)
    names = namers(name, headers)
    if None in names or names & sizes(headers):
        return set(sources)
    return {path for path, text in sources.items() if names & set(WORD.findall(text))}
