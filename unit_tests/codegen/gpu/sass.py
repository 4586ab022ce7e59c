# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses the output of nvdisasm for kernels: instructions, basic blocks, loops, paths.

The meaning of the numbers: a path is one lane's way through the code. Its length is the number of instructions
on it, including predicated-off ones, since they are issued, too. The analysis is static: it does not know how
often a branch is taken and what memory accesses cost.

- The path of a kernel is the shortest one from its start to an EXIT that does the required work: a number of
  bytes loaded from and stored to global memory, and instructions that match given patterns. It runs as few
  iterations of loops as the work allows. No path contains code that traps or calls functions outside the kernel.
  A call of a function of the kernel counts with the shortest path through that function.
- The hot loop is the innermost loop with the most work in one round. Its path is the one with the most work
  from its head to its back edge, and of those the shortest.
"""
import functools
import heapq
import re
from dataclasses import dataclass, field

LINE = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@(!?U?P\w+)\s+)?(\S+?)(?:\s+([^;]*?))?\s*;")
LABEL = re.compile(r"([.$\w]\S*):$")
SECTION = re.compile(r"\s*\.section\s+\.text\.([^\s,]+),")
TARGET = re.compile(r"`\(([^)]+)\)")
GLOBAL_LOADS, GLOBAL_STORES = ("LDG", "LD"), ("STG", "ST")
ATOMICS = ("ATOM", "ATOMG", "RED", "REDG")
GENERIC = ("LD", "ST", "ATOM", "RED")


@dataclass(frozen=True)
class Instruction:
    opcode: str  # with modifiers: LDG.E.64
    operands: str
    predicate: str = ""

    @functools.cached_property
    def name(self):
        return self.opcode.split(".")[0]

    @functools.cached_property
    def bits(self):
        """Returns the bits that an access moves."""
        for modifier in self.opcode.split(".")[1:]:
            if found := re.fullmatch(r"[USF]?(8|16|32|64|128)", modifier):
                return int(found[1])
        return 32

    @functools.cached_property
    def text(self):
        return f"{self.opcode} {self.operands}"

    def __str__(self):
        return f"@{self.predicate} {self.text}" if self.predicate else self.text

    @functools.cached_property
    def targets(self):
        """Returns the labels that it may jump to."""
        found = TARGET.findall(self.operands)
        if "BRANCH_TARGETS" in self.operands:
            found += re.findall(r"[.$]\w+", self.operands.split("BRANCH_TARGETS")[1])
        return found

    def is_conditional(self):
        # BRA P0, `(target) has its predicate among the operands.
        return bool(self.predicate) or re.match(r"!?U?P\d", self.operands) is not None

    def registers(self):
        """Returns the numbers of its registers, in the order of its operands."""
        return [int(number) for number in re.findall(r"\bR(\d+)\b", self.operands)]


@dataclass
class Block:
    """Instructions that run in sequence. A call ends a block."""
    code: list = field(default_factory=list)
    next: list = field(default_factory=list)  # indices of blocks
    call: str = ""  # the label of the function called at the end
    leaves: str = ""  # "exit" or "return", if it may leave here


class Kernel:
    """The code of a kernel from nvdisasm -c."""

    def __init__(self, name, lines):
        self.name = name
        self.code, self.labels, self.functions = [], {}, {}
        for line in lines:
            if found := LINE.search(line):
                self.code.append(Instruction(found[2], found[3] or "", found[1] or ""))
            elif found := LABEL.match(line.strip()):
                self.labels[found[1]] = len(self.code)
        self._split()
        self._link()

    def _split(self):
        ends = ("BRA", "BRX", "BRXU", "JMP", "JMX", "EXIT", "RET", "CALL", "BSYNC", "BPT", "KILL")
        starts = {0} | set(self.labels.values())
        starts |= {at + 1 for at, one in enumerate(self.code) if one.name in ends}
        starts = sorted(start for start in starts if start < len(self.code))
        self.block_at = {start: number for number, start in enumerate(starts)}
        self.blocks = [Block(self.code[a:b]) for a, b in zip(starts, starts[1:] + [len(self.code)])]

    def block_of(self, label):
        return self.block_at.get(self.labels.get(label, -1))

    def _link(self):
        """Follows the code from the start and from functions, together with the target of BSYNC: BSSY sets where
        lanes continue."""
        reached = {}
        waiting = [(0, {})]
        while waiting:
            number, barriers = waiting.pop()
            if number in reached:
                continue
            reached[number] = True
            block, barriers = self.blocks[number], dict(barriers)
            for one in block.code:
                if one.name == "BSSY":
                    barriers[one.operands.split(",")[0]] = one.targets[0]
            block.next = self._successors(number, barriers)
            waiting += [(after, barriers) for after in block.next]
            if block.call and self.block_of(block.call) is not None:
                waiting.append((self.block_of(block.call), {}))
        self.reached = sorted(reached)

    def _successors(self, number, barriers):
        block = self.blocks[number]
        last = block.code[-1]
        after = [number + 1] if number + 1 < len(self.blocks) else []
        if last.name in ("BPT", "KILL"):
            return after if last.is_conditional() else []
        if last.name in ("EXIT", "RET"):
            block.leaves = "exit" if last.name == "EXIT" else "return"
            return after if last.is_conditional() else []
        if last.name == "BSYNC" and last.operands in barriers:
            target = self.block_of(barriers[last.operands])
            return ([target] if target is not None else []) + (after if last.is_conditional() else [])
        if last.name == "CALL":
            block.call = last.targets[0] if last.targets else "outside"
            return after
        # BRA.DIV is for lanes that diverged where all should be converged.
        if last.name in ("BRA", "BRX", "BRXU", "JMP", "JMX") and ".DIV" not in last.opcode:
            targets = [self.block_of(target) for target in last.targets]
            return [t for t in targets if t is not None] + (after if last.is_conditional() else [])
        return after

    def path(self, work, through=()):
        """Returns the instructions of the shortest path that does the work through all the blocks, or None."""
        return self._way(0, "exit", Work(work.load, work.store, work.texts, tuple(through)))

    def _function(self, label):
        """Returns the shortest path through a function, or None if it is not in this kernel, does not return or
        calls itself."""
        if label not in self.functions:
            self.functions[label] = None
            start = self.block_of(label)
            if start is not None:
                self.functions[label] = self._way(start, "return", Work())
        return self.functions[label]

    def _way(self, start, leaving, work):
        """Runs Dijkstra's algorithm over pairs of a block and the work already done."""
        first = work.none()
        queue = [(0, 0, start, first, None)]
        done, pushed = set(), 0
        while queue:
            length, _, number, state, way = heapq.heappop(queue)
            if number == -1:
                return self._instructions(way)
            if (number, state) in done:
                continue
            done.add((number, state))
            block = self.blocks[number]
            state = work.after(state, block.code, number)
            length += len(block.code)
            here = (number, way)
            if block.leaves == leaving and work.is_done(state):
                pushed += 1
                heapq.heappush(queue, (length, pushed, -1, state, here))
            if block.call:
                function = self._function(block.call)
                if function is None and not block.code[-1].is_conditional():
                    continue
                if function is not None:
                    length += len(function)
            for after in block.next:
                if (after, state) not in done:
                    pushed += 1
                    heapq.heappush(queue, (length, pushed, after, state, here))
        return None

    def _instructions(self, way):
        numbers = []
        while way is not None:
            number, way = way
            numbers.append(number)
        code = []
        for number in reversed(numbers):
            code += self.blocks[number].code
            if self.blocks[number].call:
                code += self._function(self.blocks[number].call) or []
        return code

    @functools.cached_property
    def dominators(self):
        """Returns {block: set of the blocks on every path to it}."""
        before = {number: [] for number in self.reached}
        for number in self.reached:
            for after in self.blocks[number].next:
                before[after].append(number)
        everything = set(self.reached)
        found = {number: set(everything) for number in self.reached}
        roots = {0} | {number for number in self.reached if not before[number]}
        for root in roots:
            found[root] = {root}
        changed = True
        while changed:
            changed = False
            for number in self.reached:
                if number in roots:
                    continue
                new = set.intersection(*(found[b] for b in before[number])) | {number}
                if new != found[number]:
                    found[number], changed = new, True
        return found

    @functools.cached_property
    def loops(self):
        """Returns {head: (blocks, ends)} of the loops that contain no other loop."""
        all_loops = {}
        before = {number: [] for number in self.reached}
        for number in self.reached:
            for after in self.blocks[number].next:
                before[after].append(number)
        for end in self.reached:
            for head in self.blocks[end].next:
                if head not in self.dominators[end]:
                    continue
                body, ends = all_loops.setdefault(head, ({head}, set()))
                ends.add(end)
                waiting = [end]
                while waiting:
                    number = waiting.pop()
                    if number not in body:
                        body.add(number)
                        waiting += before[number]
        return {head: loop for head, loop in all_loops.items()
                if not any(other != head and other in loop[0] for other in all_loops)}

    def hot_loop(self, unit):
        """Returns (blocks, instructions) of the hot loop's path as defined above, or None. unit: a Unit."""
        best = None
        # Only the last block runs the code that follows an atomic operation.
        late = set()
        waiting = [number for number in self.reached
                   if any(one.name in ATOMICS for one in self.blocks[number].code)]
        while waiting:
            if (number := waiting.pop()) not in late:
                late.add(number)
                waiting += self.blocks[number].next
        early = {head: loop for head, loop in self.loops.items() if head not in late}
        for head, (body, ends) in (early or self.loops).items():
            way = self._most(head, body, ends, unit)
            if way is None:
                continue
            code = [one for number in way for one in self.blocks[number].code]
            amount = unit.amount(code)
            if amount and (best is None or (amount, -len(code)) > (best[0], -len(best[2]))):
                best = (amount, way, code)
        return best and best[1:]

    def _most(self, head, body, ends, unit):
        """Returns the path with the most work from the head of a loop without inner loops to an end, and of
        those the shortest."""
        @functools.cache
        def best(number):
            block = self.blocks[number]
            own = (unit.amount(block.code), -len(block.code))
            found = (own, (number,)) if number in ends else None
            for after in block.next:
                if after in body and after != head and (rest := best(after)) is not None:
                    new = ((own[0] + rest[0][0], own[1] + rest[0][1]), (number, *rest[1]))
                    found = new if found is None or new[0] > found[0] else found
            return found
        found = best(head)
        return found and found[1]


@dataclass(frozen=True)
class Unit:
    """The work of one iteration of the source: it loads bytes of global memory, or runs instructions with a
    name."""
    load: int = 0
    name: str = ""
    times: int = 1

    def amount(self, code):
        """Returns the number of iterations that the code executes."""
        if self.name:
            return sum(one.name == self.name for one in code) / self.times
        return sum(one.bits for one in code if one.name in GLOBAL_LOADS) / 8 / self.load


@dataclass(frozen=True)
class Work:
    """The work that a path must do: bytes loaded and stored, (pattern, number of matching instructions), blocks."""
    load: int = 0
    store: int = 0
    texts: tuple = ()
    blocks: tuple = ()

    def none(self):
        return (0, 0, (0,) * len(self.texts), (False,) * len(self.blocks))

    def after(self, state, code, number):
        load, store, texts, blocks = state
        for one in code:
            if one.name in GLOBAL_LOADS:
                load = min(self.load, load + one.bits // 8)
            elif one.name in GLOBAL_STORES:
                store = min(self.store, store + one.bits // 8)
        texts = tuple(min(times, done + sum(re.search(pattern, one.text) is not None for one in code))
                      for done, (pattern, times) in zip(texts, self.texts))
        if blocks:
            blocks = tuple(done or number == block for done, block in zip(blocks, self.blocks))
        return load, store, texts, blocks

    def is_done(self, state):
        return state == (self.load, self.store, tuple(times for _, times in self.texts),
                         (True,) * len(self.blocks))


def bytes_in_flight(code, rounds=1):
    """Returns the most bytes of global memory in flight: loads whose results no instruction has used yet."""
    most, waiting = 0, []
    for one in code * rounds:
        registers = one.registers()
        waiting = [load for load in waiting if not any(r in load[0] for r in registers)]
        if one.name in GLOBAL_LOADS and registers:
            waiting.append((range(registers[0], registers[0] + max(1, one.bits // 32)), one.bits // 8))
        most = max(most, sum(size for _, size in waiting))
    return most


def bytes_stored(code):
    """Returns the bytes stored to global memory, without stores for which other lanes wait."""
    return sum(one.bits // 8 for one in code if one.name in GLOBAL_STORES and ".STRONG" not in one.opcode)


def counts(code):
    """Returns {kind: number} of the costly instructions. Atomics are those that return a value."""
    def of(*names):
        return sum(one.name in names for one in code)
    return {"accesses": of(*GLOBAL_LOADS, *GLOBAL_STORES), "shared": of("LDS", "STS", "ATOMS"),
            "generic": of(*GENERIC), "local": of("LDL", "STL"), "calls": of("CALL"), "barriers": of("BAR"),
            "fences": of("MEMBAR") + sum(one.opcode.startswith("CCTL.IVALL") for one in code),
            "shuffles": of("SHFL"), "atomics": of("ATOM", "ATOMG")}


def kernels(listing):
    """Returns {name: Kernel} from the output of nvdisasm -c."""
    found, name = {}, None
    for line in listing.splitlines():
        if section := SECTION.match(line):
            name = section[1]
            found[name] = []
        elif line.lstrip().startswith(".section"):
            name = None
        elif name:
            found[name].append(line)
    return {name: Kernel(name, lines) for name, lines in found.items()}
