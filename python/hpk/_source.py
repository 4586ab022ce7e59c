# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ source of a kernel text for given types of its arguments."""

from . import _hpk
from ._text import Text, is_name

_TYPES = {
    "bool": "bool",
    "int8": "std::int8_t",
    "int16": "std::int16_t",
    "int32": "std::int32_t",
    "int64": "std::int64_t",
    "uint8": "std::uint8_t",
    "uint16": "std::uint16_t",
    "uint32": "std::uint32_t",
    "uint64": "std::uint64_t",
    "float16": "hpk::Experimental::half_t",
    "bfloat16": "hpk::Experimental::bhalf_t",
    "float32": "float",
    "float64": "double",
    "complex64": "hpk::complex<float>",
    "complex128": "hpk::complex<double>",
}
_LAYOUTS = {"right": "LayoutRight", "left": "LayoutLeft", "stride": "LayoutStride"}
# Reducer, and the value of one iteration.
_OPERATIONS = {
    "sum": ("hpk::Sum<hpk_total_type>", "hpk_total += static_cast<hpk_total_type>({value});"),
    "prod": ("hpk::Prod<hpk_total_type>", "hpk_total *= static_cast<hpk_total_type>({value});"),
    "min": (
        "hpk::Min<hpk_total_type>",
        "{{ const hpk_total_type hpk_value = {value}; if (hpk_value < hpk_total) hpk_total = hpk_value; }}",
    ),
    "max": (
        "hpk::Max<hpk_total_type>",
        "{{ const hpk_total_type hpk_value = {value}; if (hpk_total < hpk_value) hpk_total = hpk_value; }}",
    ),
    "all": ("hpk::LAnd<bool>", "hpk_total = hpk_total && static_cast<bool>({value});"),
    "any": ("hpk::LOr<bool>", "hpk_total = hpk_total || static_cast<bool>({value});"),
    "count": ("hpk::Sum<std::int64_t>", "hpk_total += static_cast<bool>({value}) ? 1 : 0;"),
}


class Argument:
    """An argument of a call: its name, and the description that the extension makes of it."""

    def __init__(self, position, name, spec):
        self.position = position
        self.name = name
        self.kind = spec[0]
        if self.kind == "view":
            _, self.dtype, self.rank, self.layout, self.read_only, self.space = spec
        elif self.kind == "number":
            self.dtype = spec[1]
        elif self.kind == "option":
            self.space = spec[1]

    def view_type(self):
        const = "const " if self.read_only else ""
        stars = "*" * self.rank
        return (
            f"hpk::View<{const}{_TYPES[self.dtype]}{stars}, hpk::{_LAYOUTS[self.layout]}, "
            f"hpk::{self.space}Space>"
        )

    def number_value(self, slot):
        scalar = f"hpk_call->scalars[{slot}]"
        cpp = _TYPES[self.dtype]
        if self.dtype == "bool":
            return f"{scalar}.i != 0"
        if self.dtype.startswith("complex"):
            part = cpp[cpp.index("<") + 1 : -1]
            return f"{cpp}(static_cast<{part}>({scalar}.f), static_cast<{part}>({scalar}.imag))"
        member = "f" if "float" in self.dtype else "u" if self.dtype.startswith("u") else "i"
        return f"static_cast<{cpp}>({scalar}.{member})"


class Plan:
    """A text with the types of its arguments: the source, and what a call must know."""

    def __init__(self, text, operation, name, names, specs, check=False):
        self.name = name
        self.operation = operation
        self.arguments = [Argument(k, n, s) for k, (n, s) in enumerate(zip(names, specs))]
        self.views = [a for a in self.arguments if a.kind == "view"]
        if check:
            # Arrays are copied to Emu, without gaps.
            for view in self.views:
                view.space = "Emu"
                view.layout = "left" if view.layout == "left" else "right"
        self.numbers = [a for a in self.arguments if a.kind == "number"]
        self.ranges = [a for a in self.arguments if a.kind == "range"]
        for argument in self.views + self.numbers + self.ranges:
            self._expect_name(argument)
        self.text = Text(text, [a.name for a in self.views])
        self._expect_ranks()
        self._expect_no_array_among_ranges()
        self.indices = self.text.indices(
            {a.name for a in self.views + self.numbers}, [a.name for a in self.ranges]
        )
        self._expect_indices()
        self.space = "Emu" if check else self._choose_space()

    def _fail(self, what, error=ValueError):
        raise error(f"hpk: kernel '{self.name}': {what}")

    def _expect_name(self, argument):
        if not is_name(argument.name) or argument.name.startswith("hpk_"):
            self._fail(f"'{argument.name}' can't be a name in C++; rename the argument")

    def _expect_ranks(self):
        ranks = {a.name: a.rank for a in self.views}
        for access in self.text.accesses:
            rank = ranks[access.array]
            if len(access.arguments) != rank:
                self._fail(
                    f"{access.array} has {rank} dimension{'' if rank == 1 else 's'}, but the text gives it "
                    f"{len(access.arguments)} ind{'ex' if len(access.arguments) == 1 else 'ices'}",
                    TypeError,
                )

    def _expect_no_array_among_ranges(self):
        for access in Text(self.text.text, [a.name for a in self.ranges]).accesses:
            self._fail(
                f"the text uses {access.array} as an array, but its argument is the range of an index; "
                "a tuple becomes an array by numpy.array(x) or array.array('d', x)",
                TypeError,
            )

    def _expect_indices(self):
        names = [name for name, _ in self.indices]
        if not names:
            hint = "no name stands alone as an index of an array, as i in x(i)"
            if not self.views:
                hint = "there is no array among the arguments"
            self._fail(f"{hint}; set the range of an index: i=range(n)")
        if len(names) > 6:
            self._fail(f"{len(names)} indices: {', '.join(names)}; a kernel has at most 6")
        if self.operation is None:
            race = self.text.race(set(names), {a.name for a in self.numbers})
            if race:
                target, index = race
                self._fail(
                    f"{target} is assigned for every {index}, which iterations do at the same time; write "
                    f"a loop over {index} inside the text, atomic_add(&{target}, ...), or hpk.reduce()"
                )
        elif self.operation not in _OPERATIONS:
            self._fail(f"there is no operation '{self.operation}'; write one of {', '.join(_OPERATIONS)}")

    def _choose_space(self):
        chosen = [a.space for a in self.arguments if a.kind == "option" and a.space is not None]
        if len(set(chosen)) > 1:
            self._fail(f"the instance is one of {chosen[0]}, but space is {chosen[1]}")
        devices = [a for a in self.views if not _hpk._is_host_accessible(a.space)]
        host_only = [a for a in self.views if a.space == "Host"]
        if not chosen and devices and host_only:
            self._fail(
                f"{devices[0].name} is in {devices[0].space} memory and {host_only[0].name} in host memory; "
                f"copy one: {host_only[0].name}.mirror('{devices[0].space}')",
                TypeError,
            )
        if chosen:
            space = chosen[0]
        elif devices:
            space = devices[0].space
        elif self.views and not host_only:
            # Memory that a device and the host can access, "EmuManaged".
            space = next(
                (s for s in _hpk.spaces() if self.views[0].space.startswith(s)), _hpk.default_host_space()
            )
        else:
            space = _hpk.default_host_space() if self.views else _hpk.default_space()
        is_host = _hpk._is_host_accessible(_hpk._memory_space(space))
        for view in self.views:
            reachable = _hpk._is_host_accessible(view.space) if is_host else view.space.startswith(space)
            if not reachable:
                self._fail(
                    f"kernels of {space} can't access {view.name} in {view.space} memory; copy it: "
                    f"{view.name}.mirror('{space}')",
                    TypeError,
                )
        return space

    @property
    def waits(self):
        """Whether a call waits by default: where Python sees the elements."""
        return self.operation is not None or any(_hpk._is_host_accessible(a.space) for a in self.views)

    def index_rows(self):
        """For the extension: (name, argument with the range or -1, ((argument, dimension), ...))."""
        position = {a.name: a.position for a in self.arguments}
        return [
            (name, position.get(name, -1), tuple((position[array], d) for array, d in places))
            for name, places in self.indices
        ]

    def _policy(self):
        exec_ = f"hpk::{self.space}"
        count = len(self.indices)
        if count == 1:
            return (
                f"hpk::RangePolicy<{exec_}>(hpk_exec, hpk_call->ranges[0], hpk_call->ranges[1])"
            )
        lower = ", ".join(f"hpk_call->ranges[{2 * k}]" for k in range(count))
        upper = ", ".join(f"hpk_call->ranges[{2 * k + 1}]" for k in range(count))
        # The loop of the fastest index of the arrays is the innermost.
        layouts = [a.layout for a in self.views if a.rank == max(v.rank for v in self.views)]
        order = "Left" if layouts and layouts[0] == "left" else "Right"
        rank = f"hpk::Rank<{count}, hpk::Iterate::{order}, hpk::Iterate::{order}>"
        return f"hpk::MDRangePolicy<{exec_}, {rank}>(hpk_exec, {{{lower}}}, {{{upper}}})"

    def source(self, file="<kernel>", line=1, launch_file=None, launch_line=1):
        """The C++ source. Messages of the compiler name `file`, whose line `line` is the first of the
        text; messages of hpk name the launch at `launch_file`."""
        out = [
            "// Made by the Python module hpk of a kernel text.",
            "#include <hpk/python/kernel_text.hpp>",
            "namespace hpk::kernel_text {",
            # A function of its own: nvcc takes no kernel inside of another lambda.
            "void hpk_run(const hpk::python::kernel_call* hpk_call) {",
            f"const auto hpk_exec = hpk::from_c<hpk::{self.space}>(hpk_call->instance);",
        ]
        for slot, view in enumerate(self.views):
            out.append(f"const auto {view.name} = hpk::from_c<{view.view_type()}>(hpk_call->views[{slot}]);")
        for slot, number in enumerate(self.numbers):
            cpp = _TYPES[number.dtype]
            out.append(f"[[maybe_unused]] const {cpp} {number.name} = {number.number_value(slot)};")
        parameters = ", ".join(
            f"[[maybe_unused]] const std::int64_t {name}" for name, _ in self.indices
        )
        text = [f'#line {line} "{_escape(file)}"', self.text.text, ";", '#line 1 "<hpk>"']
        launch = f'#line {launch_line} "{_escape(launch_file or file)}"'
        if self.operation is None:
            out += [f"const auto hpk_kernel = HPK_LAMBDA({parameters}) {{", *text, "};"]
            out += [launch, f"hpk::parallel_for(hpk_call->label, {self._policy()}, hpk_kernel);"]
        else:
            out += self._reduction(parameters, text, launch)
        out.append('#line 1 "<hpk>"')
        # Launches on the host are done when they return.
        if not _hpk._is_host_accessible(_hpk._memory_space(self.space)):
            out.append("if (hpk_call->waits != 0) hpk_exec.fence();")
        out += [
            "}",
            'extern "C" __attribute__((visibility("default")))',
            "hpk_status hpk_python_kernel(const hpk::python::kernel_call* hpk_call) {",
            "return hpk::call_from_c([&] { hpk_run(hpk_call); });",
            "}",
            "}",
            "",
        ]
        return "\n".join(out)

    def _reduction(self, parameters, text, launch):
        reducer, update = _OPERATIONS[self.operation]
        has_return = any(t == "return" for t in self.text.tokens)
        if not has_return:
            text = ["return (", text[0], self.text.without_last_semicolon(), ");", text[-1]]
        arguments = ", ".join(name for name, _ in self.indices)
        zeros = ", ".join("std::int64_t{}" for _ in self.indices)
        wide = "hpk::kernel_text::total_t<hpk_value_type>"
        total = {"all": "bool", "any": "bool", "count": "std::int64_t", "sum": wide, "prod": wide}.get(
            self.operation, "hpk_value_type"
        )
        return [
            f"const auto hpk_value_of = HPK_LAMBDA({parameters}) {{",
            *text,
            "};",
            f"using hpk_value_type = std::remove_cvref_t<decltype(hpk_value_of({zeros}))>;",
            f"using hpk_total_type = {total};",
            "hpk_total_type hpk_result{};",
            launch,
            f"hpk::parallel_reduce(hpk_call->label, {self._policy()},",
            f"HPK_LAMBDA({parameters}, hpk_total_type& hpk_total) {{",
            update.format(value=f"hpk_value_of({arguments})"),
            f"}}, {reducer}(hpk_result));",
            "hpk::kernel_text::store(*hpk_call->result, hpk_result);",
        ]


def _escape(file):
    return file.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
