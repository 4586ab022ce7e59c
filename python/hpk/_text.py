# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a kernel: which names are its indices, and in which dimensions of which arrays they stand.

The text is C++. This file finds the calls of arrays, x(i, j + 1), and the names that the text declares
itself; it leaves everything else to the compiler."""

import re

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<string>R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<number>\.?\d(?:[eEpP][+-]|[\w.']|)*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<mark2>::|->|\+\+|--|<<=|>>=|<=>|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|.)""",
    re.VERBOSE | re.DOTALL,
)

# Words before which a name is no declaration: `return i`.
_NO_TYPES = frozenset(
    "return else do case goto new delete throw sizeof alignof co_await co_return co_yield not compl "
    "and or xor if while for switch typename".split()
)
_KEYWORDS = _NO_TYPES | frozenset(
    "alignas asm auto bool break catch char char8_t char16_t char32_t class concept const consteval "
    "constexpr constinit const_cast continue decltype default double dynamic_cast enum explicit export "
    "extern false float friend inline int long mutable namespace noexcept nullptr operator private "
    "protected public register reinterpret_cast requires short signed static static_assert static_cast "
    "struct template this thread_local true try typedef typeid union unsigned using virtual void "
    "volatile wchar_t bitand bitor and_eq or_eq not_eq xor_eq".split()
)
_BASIC_TYPES = frozenset(
    "auto bool char double float int long short signed unsigned const size_t ptrdiff_t half_t bhalf_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t".split()
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
_ASSIGNMENTS = frozenset("= += -= *= /= %= &= |= ^= <<= >>=".split())


class Token(str):
    """A token, with its kind and its position in the text."""

    kind: str
    position: int


def _tokens(text):
    result = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "mark" else "string"
        if kind == "space":
            continue
        token = Token(match.group())
        token.kind = kind
        token.position = match.start()
        result.append(token)
    return result


def is_name(word):
    """Whether a word can be the name of an argument."""
    return re.fullmatch(r"[A-Za-z_]\w*", word) is not None and word.isascii() and word not in _KEYWORDS


class Access:
    """An access of an element, x(i, j + 1)."""

    def __init__(self, array, arguments, begin, end):
        self.array = array
        self.arguments = arguments  # a list of tokens for each dimension
        self.begin = begin  # positions in the list of tokens
        self.end = end

    def lone_names(self):
        """(dimension, name) for each dimension whose index is one name."""
        return [
            (dimension, tokens[0])
            for dimension, tokens in enumerate(self.arguments)
            if len(tokens) == 1 and tokens[0].kind == "name"
        ]


class Text:
    """The parts of a text that a launch must know."""

    def __init__(self, text, arrays):
        self.text = text
        self.tokens = _tokens(text)
        self.accesses = self._find_accesses(frozenset(arrays))
        self.declared = self._find_declared()

    def without_last_semicolon(self):
        """The text, where `x(i);` is the expression x(i)."""
        last = self.tokens[-1] if self.tokens else ""
        if last != ";":
            return self.text
        return self.text[: last.position] + self.text[last.position + 1 :]

    def _closing(self, at):
        """The position of the bracket that closes the one at `at`; the end if there is none."""
        stack = []
        for k in range(at, len(self.tokens)):
            token = self.tokens[k]
            if token in _OPENING:
                stack.append(_OPENING[token])
            elif stack and token == stack[-1]:
                stack.pop()
                if not stack:
                    return k
        return len(self.tokens)

    def _find_accesses(self, arrays):
        result = []
        tokens = self.tokens
        for k in range(len(tokens) - 1):
            if tokens[k] not in arrays or tokens[k].kind != "name" or tokens[k + 1] != "(":
                continue
            if k and tokens[k - 1] in (".", "->", "::"):
                continue
            end = self._closing(k + 1)
            arguments = [[]]
            depth = 0
            for token in tokens[k + 2 : end]:
                if token in _OPENING:
                    depth += 1
                elif token in (")", "]", "}"):
                    depth -= 1
                if token == "," and depth == 0:
                    arguments.append([])
                else:
                    arguments[-1].append(token)
            if arguments == [[]]:
                arguments = []
            result.append(Access(str(tokens[k]), arguments, k, end))
        return result

    def _is_declarator(self, k):
        """Whether the name at k follows a type."""
        tokens = self.tokens
        before = k - 1
        if before < 0:
            return False
        while before > 0 and tokens[before] in ("&", "*", "&&"):
            before -= 1
        is_reference = before != k - 1
        token = tokens[before]
        if token == ">":
            # complex<double> z: everything inside of the brackets belongs to types.
            depth = 0
            while before >= 0:
                if tokens[before] == ">":
                    depth += 1
                elif tokens[before] == "<":
                    depth -= 1
                    if depth == 0:
                        break
                elif tokens[before].kind not in ("name", "number") and tokens[before] not in ("::", ","):
                    return False
                before -= 1
            return before > 0 and tokens[before - 1].kind == "name" and tokens[before - 1] not in _NO_TYPES
        if token.kind != "name" or token in _NO_TYPES:
            return False
        if is_reference and token not in _BASIC_TYPES:
            # `a * i` is a product, `const T& i` a declaration.
            return before > 0 and tokens[before - 1] in ("const", "auto")
        return True

    def _find_declared(self):
        declared = set()
        tokens = self.tokens
        for k, token in enumerate(tokens):
            if token == "auto" and tokens[k + 1 : k + 2] == ["["] or (
                token in ("&", "&&") and k and tokens[k - 1] == "auto" and tokens[k + 1 : k + 2] == ["["]
            ):
                end = self._closing(k + 1)
                declared.update(t for t in tokens[k + 2 : end] if t.kind == "name")
                continue
            if token.kind != "name" or token in _KEYWORDS or not self._is_declarator(k):
                continue
            declared.add(str(token))
            # Further names of the same declaration: double a = x(i), b;
            depth = 0
            for next_k in range(k + 1, len(tokens)):
                next_token = tokens[next_k]
                if next_token in _OPENING:
                    depth += 1
                elif next_token in (")", "]", "}"):
                    depth -= 1
                if depth < 0 or (depth == 0 and next_token in (";", ":")):
                    break
                if depth == 0 and next_token == "," and next_k + 1 < len(tokens):
                    name_k = next_k + 1
                    while name_k < len(tokens) and tokens[name_k] in ("*", "&"):
                        name_k += 1
                    if name_k < len(tokens) and tokens[name_k].kind == "name":
                        declared.add(str(tokens[name_k]))
        return declared

    def indices(self, arguments, ranges):
        """The indices in the order of the loops, outermost first for arrays of layout right, and for each
        the (array, dimension) in which it stands alone. `arguments`: all other names of the launch;
        `ranges`: indices with a range of their own."""
        places = {}
        for access in self.accesses:
            for dimension, name in access.lone_names():
                if name in ranges or (
                    name not in arguments and name not in self.declared and name not in _KEYWORDS
                ):
                    places.setdefault(str(name), [])
                    if (access.array, dimension) not in places[name]:
                        places[name].append((access.array, dimension))
        # An access with more indices tells more about the order.
        order = []
        for access in sorted(self.accesses, key=lambda a: -len(a.lone_names())):
            for _, name in access.lone_names():
                if name in places and name not in order:
                    order.append(str(name))
        for name in ranges:
            if name not in order:
                order.append(name)
        return [(name, places.get(name, [])) for name in order]

    def race(self, indices, numbers):
        """An assignment that several iterations make to one element, as (target, missing index), or None.
        Only statements that always run, whose target names nothing but indices, numbers and literals:
        none after a `return`, which may stand behind an `if`."""
        targets = {access.begin: access for access in self.accesses}
        depth = 0
        is_start = True
        for k, token in enumerate(self.tokens):
            if token in ("return", "goto", "throw"):
                return None
            if depth == 0 and is_start and k in targets:
                access = targets[k]
                after = self.tokens[access.end + 1 : access.end + 2]
                words = [t for tokens in access.arguments for t in tokens]
                names = {t for t in words if t.kind == "name"}
                if after and after[0] in _ASSIGNMENTS and all(n in indices or n in numbers for n in names):
                    missing = [name for name in indices if name not in names]
                    if missing:
                        first = self.tokens[access.begin].position
                        last = self.tokens[access.end].position
                        return self.text[first : last + 1], missing[0]
            if token in _OPENING:
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
            # The statement after `if (...)` or `else` runs only sometimes.
            is_start = token in (";", "}") and depth == 0
        return None
