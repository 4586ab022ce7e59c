# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What hpk-migrate makes of single lines and small files."""
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "migrate"))

from hpk_migrate.main import Run, load_names  # noqa: E402
from hpk_migrate.tokens import tokenize  # noqa: E402

NAMES = load_names()


def run(files, comments=False, leftovers=None):
    """Moves files, {name: text}; returns their new texts and the run."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("latin-1"))
        where = Path(folder, leftovers) if leftovers else None
        done = Run(NAMES, [folder], comments, where)
        texts = {path.relative_to(folder).as_posix(): text for path, text in {**done.old, **done.new}.items()}
        return texts, done


def move(text, name="a.cpp", **options):
    return run({name: text}, **options)[0][name]


def reported(text, kind, name="a.cpp", **options):
    return [what for _, _, what in run({name: text}, **options)[1].reports.get(kind, {})]


class Names(unittest.TestCase):
    def check(self, old, new):
        self.assertEqual(move(old), new)

    def test_namespace(self):
        self.check("Kokkos::View<int*> a; ::Kokkos::fence(); using Kokkos::View;",
                   "hpk::View<int*> a; ::hpk::fence(); using hpk::View;")
        self.check("namespace Kokkos { class A; }\nusing namespace Kokkos;",
                   "namespace hpk { class A; }\nusing namespace hpk;")
        self.check("MyKokkos::f(); kokkos.Kokkos; p->Kokkos; Other::Kokkos::f();",
                   "MyKokkos::f(); kokkos.Kokkos; p->Kokkos; Other::Kokkos::f();")

    def test_other_places(self):
        self.check("Kokkos::Experimental::ScatterView<int*> s;", "hpk::ScatterView<int*> s;")
        self.check("Kokkos :: Experimental ::\n ScatterView<int*> s;", "hpk::ScatterView<int*> s;")
        self.check("Kokkos::Experimental::half_t h;", "hpk::Experimental::half_t h;")
        self.check("Kokkos::Impl::Timer t;", "hpk::Timer t;")
        self.check("Kokkos::Impl::remove_cvref_t<T> x;", "std::remove_cvref_t<T> x;")
        self.check("Kokkos::MemoryManaged m;", "hpk::MemoryTraits<> m;")
        self.check("Kokkos::Experimental::HIPSpace s;", "hpk::HIPSpace s;")
        self.check("Kokkos::Profiling::SpaceHandle s;", "hpk::Tools::Experimental::SpaceHandle s;")
        self.check("Kokkos_Profiling_SpaceHandle s; int Kokkos;", "hpk::Tools::Experimental::SpaceHandle s; int hpk;")
        self.check("desul::atomic_fetch_add(&a, 1, desul::MemoryOrderRelaxed());",
                   "hpk::atomic_fetch_add(&a, 1, hpk::MemoryOrderRelaxed());")

    def test_functions(self):
        self.check("auto p = Kokkos::kokkos_malloc<S>(8); kokkos_free(p); x.kokkos_free();",
                   "auto p = hpk::malloc<S>(8); hpk::free(p); x.kokkos_free();")
        self.check("kokkos_swap(a, b);", "hpk_swap(a, b);")
        self.check("Kokkos::atomic_increment(&a); Kokkos::finalize_all();", "hpk::atomic_inc(&a); hpk::finalize();")
        self.check('Kokkos::View<int*> a(Kokkos::ViewAllocateWithoutInitializing("a, b"), n);',
                   'hpk::View<int*> a(hpk::view_alloc(hpk::WithoutInitializing, "a, b"), n);')
        self.check("Kokkos::ViewAllocateWithoutInitializing{f(1)}", "hpk::view_alloc(hpk::WithoutInitializing, f(1))")

    def test_short_names(self):
        self.check("namespace K = Kokkos; K::Experimental::ScatterView<int> a; K::View<int> b;",
                   "namespace K = hpk; K::ScatterView<int> a; K::View<int> b;")
        self.check("namespace KE = Kokkos::Experimental; KE::ScatterView<int> a; KE::begin(b); KE::sqrt(2.0);",
                   "namespace KE = hpk::Experimental; hpk::ScatterView<int> a; KE::begin(b); hpk::sqrt(2.0);")
        self.check("using namespace Kokkos; Experimental::ScatterView<int> a;",
                   "using namespace hpk; hpk::ScatterView<int> a;")
        self.check("using namespace Kokkos::Experimental; ScatterView<int> a; half_t h;",
                   "using namespace hpk::Experimental; hpk::ScatterView<int> a; half_t h;")

    def test_short_names_of_headers(self):
        texts, _ = run({"inc/a.hpp": "#include <Kokkos_Core.hpp>\nnamespace KE = Kokkos::Experimental;\n",
                        "b.cpp": '#include "inc/a.hpp"\nKE::ScatterView<int> s;\n',
                        "c.cpp": "KE::ScatterView<int> not_kokkos;\n"})
        self.assertEqual(texts["b.cpp"], '#include "inc/a.hpp"\nhpk::ScatterView<int> s;\n')
        self.assertEqual(texts["c.cpp"], "KE::ScatterView<int> not_kokkos;\n")

    def test_vectors_and_algorithms(self):
        simd, both = "#include <Kokkos_SIMD.hpp>\n", "#include <Kokkos_SIMD.hpp>\n#include <Kokkos_StdAlgorithms.hpp>\n"
        call = "Kokkos::Experimental::all_of(x);"
        self.assertIn("hpk::all_of(x);", move(simd + call))
        self.assertIn("hpk::Experimental::all_of(x);", move(both + call))
        self.assertIn("hpk::unchecked_load<V>(p, f);",
                      move(simd + "Kokkos::Experimental::simd_unchecked_load<V>(p, f);"))
        self.assertIn("hpk::Experimental::simd_unchecked_load<V>(v.begin(), f);",
                      move(simd + "Kokkos::Experimental::simd_unchecked_load<V>(v.begin(), f);"))

    def test_what_hpk_lacks(self):
        self.assertEqual(reported("Kokkos::InitArguments a;", "lacking"), ["hpk lacks Kokkos::InitArguments"])
        self.assertEqual(reported("using namespace Kokkos;\nInitArguments a;", "lacking"),
                         ["hpk lacks Kokkos::InitArguments"])
        self.assertEqual(reported("struct InitArguments; x.atomic_query_version();", "lacking"), [])
        self.assertEqual(reported("Kokkos::Impl::Unknown a;", "private"), ["Kokkos::Impl::Unknown is private to Kokkos"])


class TextThatStays(unittest.TestCase):
    def test_comments_and_strings(self):
        text = '// Kokkos::View KOKKOS_LAMBDA\n/* Kokkos::fence */ auto s = "Kokkos::x \\" KOKKOS_LAMBDA";\n' \
               'auto r = R"x(Kokkos::y )" KOKKOS_INLINE_FUNCTION )x"; auto u = u8R"(Kokkos::z)"; int n = 1\'000;\n'
        self.assertEqual(move(text), text)
        self.assertEqual(len(reported(text, "string")), 3)
        self.assertEqual(move("// Kokkos::View, KOKKOS_LAMBDA, <Kokkos_Core.hpp> of Kokkos\n", comments=True),
                         "// hpk::View, HPK_LAMBDA, <hpk/core.hpp> of Kokkos\n")

    def test_apostrophes_and_continued_comments(self):
        text = "// don't \\\n Kokkos::a\n#error don't use Kokkos::b\nchar c = '\"'; // Kokkos::c\n"
        self.assertEqual(move(text), text)

    def test_line_ends_and_bytes(self):
        self.assertEqual(move("#include <Kokkos_Core.hpp>\r\nstd::vector<int> a; // \xe4\r\nKokkos::fence();"),
                         "#include <hpk/core.hpp>\r\n#include <vector>\r\nstd::vector<int> a; // \xe4\r\nhpk::fence();")

    def test_tokens_lose_nothing(self):
        for path in sorted((ROOT / "unit_tests/kokkos").rglob("*.cpp")):
            text = path.read_text()
            self.assertEqual("".join(token.text for token in tokenize(text)), text)
        for text in ('"open', "'", 'R"(open', "/* open", "\\", "#", "#include", "a::"):
            self.assertEqual("".join(token.text for token in tokenize(text)), text)
            move(text + " Kokkos::")


class Macros(unittest.TestCase):
    def check(self, old, new):
        self.assertEqual(move(old), new)

    def test_functions(self):
        self.check("KOKKOS_LAMBDA(int i) {} KOKKOS_INLINE_FUNCTION int f(); KOKKOS_IMPL_CTOR_DEFAULT_ARG",
                   "HPK_LAMBDA(int i) {} HPK_INLINE_FUNCTION int f(); HPK_INVALID_INDEX")
        self.check("KOKKOS_ASSERT(f(1))\nKOKKOS_ASSERT(2);", "HPK_ASSERT(f(1));\nHPK_ASSERT(2);")

    def test_conditions(self):
        self.check("#ifdef KOKKOS_ENABLE_CUDA\n#elif defined(KOKKOS_ENABLE_OPENMP) && !defined KOKKOS_ENABLE_HIP\n",
                   "#if HPK_ENABLE_CUDA\n#elif HPK_ENABLE_OPENMP && !HPK_ENABLE_HIP\n")
        self.check("#ifndef KOKKOS_ENABLE_SERIAL // no\n", "#if !HPK_ENABLE_SERIAL // no\n")
        self.check("#if KOKKOS_HAS_SHARED_SPACE\n#ifdef KOKKOS_ENABLE_CXX20\n", "#if 1\n#if 1\n")
        self.check("#ifdef KOKKOS_COMPILER_GNU\n", "#if (defined(__GNUC__) && !defined(__clang__))\n")
        self.check("#ifdef KOKKOS_LAMBDA\n", "#ifdef HPK_LAMBDA\n")

    def test_versions(self):
        self.check("#if KOKKOS_VERSION < 40000 || KOKKOS_VERSION_GREATER_EQUAL(4, 1, 2)\n",
                   "#if 50200 < 40000 || (50200 >= 40102)\n")
        self.assertEqual(len(reported("#if KOKKOS_VERSION < 40000\n", "version")), 1)

    def test_macros_of_the_program(self):
        text = "#define KOKKOS_OF_MINE 1\n#if KOKKOS_OF_MINE\n#endif\n"
        self.check(text, text)
        self.assertEqual(reported(text, "macro"), [])
        self.check("#ifdef KOKKOS_ENABLE_SYCL\n", "#ifdef KOKKOS_ENABLE_SYCL\n")
        self.assertEqual(len(reported("#ifdef KOKKOS_ENABLE_SYCL\n", "macro")), 1)
        self.assertEqual(len(reported("#define KOKKOS_LAMBDA [=]\n", "macro")), 1)


class Includes(unittest.TestCase):
    def check(self, old, new):
        self.assertEqual(move(old), new)

    def test_headers(self):
        self.check('#include "Kokkos_Core.hpp" // all\n', "#include <hpk/core.hpp> // all\n")
        self.check("#include <Kokkos_Core.hpp>\n#include <Kokkos_ScatterView.hpp>\n#include <Kokkos_View.hpp>\n",
                   "#include <hpk/core.hpp>\n#include <hpk/containers/scatter_view.hpp>\n")
        self.check("#include <Kokkos_Random.hpp>\n", "#include <hpk/core.hpp>\n#include <hpk/algorithms/random.hpp>\n")
        self.check("#include <Kokkos_Complex.hpp>\n", "#include <hpk/complex.hpp>\n#include <complex>\n")
        self.check("#if __has_include(<Kokkos_SIMD.hpp>)\n#include <Kokkos_SIMD.hpp>\n#endif\n",
                   "#if __has_include(<hpk/simd.hpp>)\n#include <hpk/core.hpp>\n#include <hpk/simd.hpp>\n#endif\n")

    def test_branches(self):
        self.check("#if A\n#include <Kokkos_Core.hpp>\n#else\n#include <Kokkos_Core.hpp>\n#endif\n",
                   "#if A\n#include <hpk/core.hpp>\n#else\n#include <hpk/core.hpp>\n#endif\n")

    def test_standard_headers(self):
        self.check("#include <Kokkos_Core.hpp>\nstd::cout << std::sqrt(DBL_MAX); printf(\"\"); x.sort(); y->printf();\n",
                   "#include <hpk/core.hpp>\n#include <cfloat>\n#include <cmath>\n#include <cstdio>\n"
                   "#include <iostream>\nstd::cout << std::sqrt(DBL_MAX); printf(\"\"); x.sort(); y->printf();\n")
        self.check("#include <Kokkos_Core.hpp>\n#include <math.h>\nstd::sqrt(2);\n",
                   "#include <hpk/core.hpp>\n#include <math.h>\nstd::sqrt(2);\n")

    def test_files_that_rely_on_others(self):
        texts, _ = run({"a.hpp": "#pragma once\n#include <Kokkos_Core.hpp>\n",
                        "b.cpp": '#include "a.hpp"\nstd::vector<int> v;\n', "c.cpp": "std::vector<int> v;\n"})
        self.assertEqual(texts["b.cpp"], '#include "a.hpp"\n#include <vector>\nstd::vector<int> v;\n')
        self.assertEqual(texts["c.cpp"], "std::vector<int> v;\n")

    def test_names_beside_the_core(self):
        self.assertIn("#include <hpk/algorithms/iterator.hpp>",
                      move("#include <Kokkos_Core.hpp>\nKokkos::Experimental::begin(v);\n"))
        self.assertIn("#include <hpk/profiling.hpp>",
                      move("#include <Kokkos_Core.hpp>\nKokkos::Tools::make_space_handle(v);\n"))

    def test_unknown_headers_stay(self):
        self.check("#include <KokkosBlas.hpp>\n", "#include <KokkosBlas.hpp>\n")
        self.assertEqual(reported("#include <KokkosBlas.hpp>\n", "header"), ["hpk has no <KokkosBlas.hpp>; kept"])


class Leftovers(unittest.TestCase):
    def test_header(self):
        source = "#include <Kokkos_Core.hpp>\nKokkos::InitArguments a;\nauto c = Kokkos::Impl::clock_tic();\n"
        texts, done = run({"src/a.cpp": source}, leftovers="left.hpp")
        self.assertIn('#include "../left.hpp"\nhpk::InitArguments a;', texts["src/a.cpp"])
        self.assertIn("struct InitArguments {", texts["left.hpp"])
        self.assertRegex(texts["left.hpp"], r"inline std::uint64_t clock_tic\(\) noexcept \{")
        self.assertNotIn("KOKKOS", texts["left.hpp"])
        # The next run keeps the header, and adds to it.
        texts["src/b.cpp"] = "Kokkos::InvalidType b;\n"
        again, _ = run({name: texts[name] for name in ("left.hpp", "src/a.cpp")}, leftovers="left.hpp")
        self.assertNotIn("left.hpp", again)
        more, _ = run({name: texts[name] for name in ("left.hpp", "src/a.cpp", "src/b.cpp")}, leftovers="left.hpp")
        self.assertIn("struct InitArguments {", more["left.hpp"])
        self.assertIn("struct InvalidType {", more["left.hpp"])

    def test_dependencies(self):
        text = run({"a.cpp": "Kokkos::ViewAllocateWithoutInitializing const* p;\n"
                             "Kokkos::Array<int, KOKKOS_INVALID_INDEX, Kokkos::Array<>::contiguous> a;\n"},
                   leftovers="left.hpp")[0]["left.hpp"]
        for part in ("struct ViewAllocateWithoutInitializing", "is_allocation_properties_v<ViewAllocate",
                     "class array_of_pointer", "struct Array<T, HPK_INVALID_INDEX, Array<>::contiguous>"):
            self.assertIn(part, text)


class CMake(unittest.TestCase):
    def check(self, old, new):
        self.assertEqual(move(old, "CMakeLists.txt"), new)

    rules = "# Kokkos' rules, as far as they are looser than hpk's.\n" \
            "add_compile_definitions(HPK_PERMISSIVE=1 HPK_COMPLEX_ALIGN=1)\n"

    def test_packages_and_targets(self):
        self.check("find_package(Kokkos 4.2 REQUIRED COMPONENTS separable_compilation)\n"
                   "target_link_libraries(a PRIVATE Kokkos::kokkos)\n",
                   f"find_package(hpk CONFIG REQUIRED)\n{self.rules}target_link_libraries(a PRIVATE hpk::hpk)\n")
        self.check("find_package(Kokkos QUIET)\nif(Kokkos_FOUND AND TARGET Kokkos::kokkoscore)\nendif()\n",
                   "find_package(hpk CONFIG QUIET)\nif(hpk_FOUND AND TARGET hpk::hpk)\nendif()\n")
        self.check("target_precompile_headers(a PRIVATE <Kokkos_Core.hpp>)\n",
                   "target_precompile_headers(a PRIVATE <hpk/core.hpp>)\n")

    def test_comments_stay(self):
        self.check("# Kokkos::kokkos\n#[[ find_package(Kokkos) ]]\nset(a [=[Kokkos::kokkos]=])\n",
                   "# Kokkos::kokkos\n#[[ find_package(Kokkos) ]]\nset(a [=[Kokkos::kokkos]=])\n")

    def test_checks(self):
        self.check("kokkos_check(DEVICES Serial RETURN_VALUE has)\n", "set(has ${hpk_ENABLE_SERIAL})\n")
        self.check("  kokkos_check(DEVICES CUDA)\r\n",
                   "  if(NOT (hpk_ENABLE_CUDA))\r\n    message(FATAL_ERROR \"hpk lacks one of: CUDA\")\r\n  endif()\r\n")
        self.check("kokkos_check(OPTIONS CUDA_LAMBDA)\n", "kokkos_check(OPTIONS CUDA_LAMBDA)\n")
        self.check("if(Kokkos_ENABLE_CUDA)\nendif()\n", "if(hpk_ENABLE_CUDA)\nendif()\n")
        self.assertEqual(len(reported("if(Kokkos_ENABLE_SYCL)\nendif()\n", "cmake", "x.cmake")), 1)

    def test_half_types(self):
        texts, _ = run({"CMakeLists.txt": "find_package(Kokkos REQUIRED)\n", "a.cpp": "Kokkos::Experimental::half_t h;\n"})
        self.assertIn("HPK_HALF_IS_FLOAT=1", texts["CMakeLists.txt"])

    def test_scripts(self):
        self.assertEqual(move("KOKKOS_NUM_THREADS=2 ./a --kokkos-num-threads=2\ncmake -DKokkos_ROOT=/x\n", "a.sh"),
                         "HPK_NUM_THREADS=2 ./a --hpk-num-threads=2\ncmake -DKokkos_ROOT=/x\n")
        self.assertEqual(reported("cmake -DKokkos_ROOT=/x\n", "script", "a.sh"), ["-DKokkos_ROOT kept"])


if __name__ == "__main__":
    unittest.main()
