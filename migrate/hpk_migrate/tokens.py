# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Splits C++ into tokens without losing a character, so that joining all texts gives the file again.

Comments, literals and raw strings are single tokens. Directives are not parsed: their tokens carry the word of
the directive ("if", "include", ...).
"""
import re
from dataclasses import dataclass

_PATTERN = re.compile(
    r"""(?P<newline>\r\n|\n|\r)
      |(?P<space>(?:[^\S\r\n]|\\(?:\r\n|\n))+)
      |(?P<comment>//(?:\\(?:\r\n|\n)|[^\r\n])*|/\*.*?(?:\*/|\Z))
      |(?P<string>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)
                 |(?:u8|[uUL])?"(?:\\(?:\r\n|.)|[^"\\\r\n])*(?:"|(?=[\r\n])|\Z))
      |(?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\r\n])+(?:'|(?=[\r\n])|\Z))
      |(?P<number>\.?[0-9](?:'[0-9a-zA-Z]|[eEpP][+-]|[0-9a-zA-Z_.])*)
      |(?P<name>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)
      |(?P<sign>::|->\*?|\.\.\.|<<=?|>>=|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|\#\#|.)""",
    re.VERBOSE | re.DOTALL)
_HEADER = re.compile(r"<[^>\r\n]*>|\"[^\"\r\n]*\"")


@dataclass
class Token:
    kind: str  # newline, space, comment, string, character, number, name, sign, header
    text: str
    line: int
    directive: str = ""  # the word of the directive that contains the token, or ""

    @property
    def blank(self):
        return self.kind in ("newline", "space", "comment")


def tokenize(text):
    """The tokens of a C++ file. Never fails: what is no token of C++ becomes a token of one character."""
    tokens = []
    place, line = 0, 1
    directive, starts_line = "", True
    while place < len(text):
        found = _HEADER.match(text, place) if directive in ("include", "include_next", "import") else None
        if found:
            token = Token("header", found[0], line, directive)
        else:
            found = _PATTERN.match(text, place)
            token = Token(found.lastgroup if found.lastgroup != "delimiter" else "string", found[0], line, directive)
        place = found.end()
        line += token.text.count("\n")
        if token.kind == "newline":
            directive, starts_line = "", True
            token.directive = ""
        elif token.text == "#" and starts_line:
            directive = token.directive = "#"
        elif directive == "#" and token.kind == "name":
            directive = token.directive = token.text
        if not token.blank:
            starts_line = False
        tokens.append(token)
    return tokens


def after(tokens, i):
    """The index of the first token behind i that is no blank; len(tokens) at the end."""
    i += 1
    while i < len(tokens) and tokens[i].blank:
        i += 1
    return i


def before(tokens, i):
    """The index of the last token before i that is no blank, or -1."""
    i -= 1
    while i >= 0 and tokens[i].blank:
        i -= 1
    return i


def closing(tokens, i):
    """The index of the bracket that closes the one at i, or len(tokens)."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    depth = 0
    for k in range(i, len(tokens)):
        if tokens[k].kind == "sign":
            if tokens[k].text in pairs:
                depth += 1
            elif tokens[k].text in pairs.values():
                depth -= 1
                if depth == 0:
                    return k
    return len(tokens)


def chain(tokens, i):
    """The names of a qualified name that starts at i, with the indices of their tokens: [(name, index), ...]."""
    names = [(tokens[i].text, i)]
    while True:
        colons = after(tokens, i)
        if colons >= len(tokens) or tokens[colons].text != "::":
            return names
        i = after(tokens, colons)
        if i >= len(tokens) or tokens[i].kind != "name":
            return names
        names.append((tokens[i].text, i))
