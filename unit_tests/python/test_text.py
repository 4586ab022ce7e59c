# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The indices of a kernel text."""

import unittest

from hpk._text import Text, is_name


def indices(text, arrays, others=(), ranges=()):
    names = set(arrays.split()) | set(others)
    return Text(text, arrays.split()).indices(names, list(ranges))


def names(*args, **keywords):
    return [name for name, _ in indices(*args, **keywords)]


class Indices(unittest.TestCase):
    def test_one(self):
        self.assertEqual(
            indices("x(i) += a * y(i)", "x y", ["a"]), [("i", [("x", 0), ("y", 0)])]
        )

    def test_order_is_that_of_the_access_with_most(self):
        self.assertEqual(names("double t = y(j); A(i, j) = t", "A y"), ["i", "j"])

    def test_scalars_are_no_indices(self):
        self.assertEqual(names("x(i, k) = x(i, n)", "x", ["n"]), ["i", "k"])

    def test_compound_indices_are_none(self):
        self.assertEqual(names("x(i) = y(i + 1) - y(j * 2)", "x y"), ["i"])

    def test_nested_accesses(self):
        self.assertEqual(indices("x(i) = y(index(i))", "x y index"), [("i", [("x", 0), ("index", 0)])])

    def test_declared_names(self):
        for text in (
            "int k = 0; x(i) = y(k)",
            "for (int k = 0; k < 3; ++k) x(i) += y(k)",
            "auto a = 0, k = 1; x(i) = y(k)",
            "const std::int64_t& k = i; x(i) = y(k)",
            "int l, *p, k; x(i) = y(k)",
            "complex<double> z(0), k; x(i) = y(k)",
            "auto [k, l] = pair<int, int>(1, 2); x(i) = y(k)",
            "auto f = [&](int k) { return y(k); }; x(i) = f(i)",
        ):
            with self.subTest(text=text):
                self.assertEqual(names(text, "x y"), ["i"])

    def test_expressions_are_no_declarations(self):
        for text in ("x(i) = 2 * k + y(k)", "if (a > k) x(i) = y(k)", "x(i) = a & k ? y(k) : 0"):
            with self.subTest(text=text):
                self.assertEqual(sorted(names(text, "x y", ["a"])), ["i", "k"])

    def test_comments_and_strings(self):
        self.assertEqual(names('x(i) = 1; // x(j)\n/* x(k) */ printf("x(l)")', "x"), ["i"])

    def test_members_and_other_functions(self):
        self.assertEqual(names("x(i) = f(j) + z.x(k) + y.extent(0)", "x y"), ["i"])

    def test_ranges(self):
        self.assertEqual(
            indices("x(i) = y(i - 1) + y(m)", "x y", ranges=["i", "m"]), [("i", [("x", 0)]), ("m", [("y", 0)])]
        )
        self.assertEqual(indices("x(2 * i) = 0", "x", ranges=["i"]), [("i", [])])

    def test_names(self):
        self.assertTrue(is_name("x_1"))
        for word in ("int", "new", "1x", "", "x-y", "\u00e9"):
            self.assertFalse(is_name(word))


class Races(unittest.TestCase):
    def race(self, text, arrays="x y A", numbers=()):
        parsed = Text(text, arrays.split())
        found = {name for name, _ in parsed.indices(set(arrays.split()) | set(numbers), [])}
        return parsed.race(found, set(numbers))

    def test_found(self):
        self.assertEqual(self.race("y(i) += A(i, j) * x(j)"), ("y(i)", "j"))
        self.assertEqual(self.race("double t = A(i, j); y(i) = t"), ("y(i)", "j"))
        self.assertEqual(self.race("x(0) = y(i)"), ("x(0)", "i"))
        self.assertEqual(self.race("x(n) = y(i)", numbers=["n"]), ("x(n)", "i"))
        self.assertEqual(self.race("auto f = 1; y(i) = A(i, j); return"), ("y(i)", "j"))

    def test_not_found(self):
        for text in (
            "A(i, j) = x(i) * y(j)",
            "A(j, i) += x(i)",
            "if (j == 0) y(i) = A(i, j)",
            "int p = int(x(i)); y(p) = A(i, j)",
            "atomic_add(&y(i), A(i, j))",
            "A(i, j) = 0; if (j == 1) { y(i) = 1; }",
            "y(int(x(i))) = A(i, j)",
            "y(i) == A(i, j) ? x(i) : x(j)",
            "if (j > 0) return; y(i) = A(i, j)",
            "if (j > 0) { int k = i; return; } y(i) = A(i, j)",
        ):
            with self.subTest(text=text):
                self.assertIsNone(self.race(text))


if __name__ == "__main__":
    unittest.main()
