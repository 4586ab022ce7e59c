// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits, limits and small utilities: the bit functions against loops over bits, numeric traits in
// both spellings, constants, min and max in all forms, Array, pair and the 16-bit floats, also in
// kernels.
#include <Kokkos_Core.hpp>

#include <limits>
#include <random>

#include "check.hpp"

// Results at compile time.
static_assert(Kokkos::popcount(0xF0F0u) == 8 && Kokkos::countl_zero(1ul) == 63);
static_assert(Kokkos::rotl(0x81u, 4) == 0x810u && Kokkos::rotr(0x1u, 1) == 0x80000000u);
static_assert(Kokkos::rotl(std::uint8_t{0x81}, -1) == 0xC0);
static_assert(Kokkos::byteswap(std::uint32_t{0x01020304}) == 0x04030201u);
static_assert(Kokkos::byteswap(std::int16_t{0x0102}) == 0x0201);
static_assert(Kokkos::bit_ceil(17u) == 32 && Kokkos::bit_floor(17u) == 16);
static_assert(Kokkos::bit_width(17u) == 5 && Kokkos::bit_width(0ull) == 0);
static_assert(Kokkos::has_single_bit(64u) && !Kokkos::has_single_bit(0u));
static_assert(Kokkos::countr_one(0b10111u) == 3 && Kokkos::countr_zero(std::uint16_t{0}) == 16);
static_assert(Kokkos::Experimental::finite_max_v<double> == std::numeric_limits<double>::max());
static_assert(Kokkos::Experimental::finite_min_v<float> == std::numeric_limits<float>::lowest());
static_assert(Kokkos::Experimental::finite_min<int>::value == INT_MIN);
static_assert(Kokkos::Experimental::epsilon<double>::value == DBL_EPSILON);
static_assert(Kokkos::Experimental::norm_min_v<float> == FLT_MIN);
static_assert(Kokkos::Experimental::infinity_v<const double> > DBL_MAX);
static_assert(Kokkos::Experimental::digits_v<int> == 31 &&
              Kokkos::Experimental::radix_v<float> == 2);
static_assert(Kokkos::Experimental::max_exponent10_v<double> == DBL_MAX_10_EXP);
static_assert(Kokkos::reduction_identity<int>::min() == INT_MAX);
static_assert(Kokkos::reduction_identity<unsigned char>::band() == 0xFF);
static_assert(Kokkos::reduction_identity<double>::prod() == 1.0);
static_assert(Kokkos::max({3, 1, 4, 1, 5}) == 5 && Kokkos::min({3, 1, 4, 1, 5}) == 1);
static_assert(Kokkos::clamp(12, 0, 9) == 9 && Kokkos::clamp(-1, 0, 9) == 0);
static_assert(Kokkos::minmax({3, 1, 4, 1, 5}) == Kokkos::pair<int, int>(1, 5));
static_assert(Kokkos::numbers::pi > 3.1415926535 && Kokkos::numbers::pi < 3.1415926536);
static_assert(std::is_same_v<decltype(Kokkos::numbers::sqrt2_v<float>), const float>);
static_assert(std::tuple_size<Kokkos::Array<char, 9>>::value == 9);

template <class T>
struct BitCounts {
  Kokkos::View<const T*> in;
  Kokkos::View<int* [7]> out;

  KOKKOS_FUNCTION void operator()(const int i) const {
    const T x = in(i);
    const Kokkos::Array<int, 7> all{Kokkos::popcount(x),
                                    Kokkos::countl_zero(x),
                                    Kokkos::countl_one(x),
                                    Kokkos::countr_zero(x),
                                    Kokkos::countr_one(x),
                                    static_cast<int>(Kokkos::bit_width(x)),
                                    Kokkos::has_single_bit(x) ? 1 : 0};
    for (std::size_t k = 0; k < all.size(); ++k) out(i, k) = all[k];
  }
};

template <class T>
void bit_counts() {
  const int n = 64, digits = std::numeric_limits<T>::digits;
  Kokkos::View<T*> in("in", n);
  Kokkos::View<int* [7]> out("out", n);
  auto h_in = Kokkos::create_mirror_view(in);
  std::mt19937_64 random(7);
  for (int i = 0; i < n; ++i) h_in(i) = static_cast<T>(random() >> random() % 64);
  h_in(0) = 0, h_in(1) = static_cast<T>(~T(0)), h_in(2) = static_cast<T>(T(1) << (digits - 1));
  Kokkos::deep_copy(in, h_in);
  Kokkos::parallel_for("bits", n, BitCounts<T>{in, out});
  auto h_out = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  for (int i = 0; i < n; ++i) {
    std::string bits;
    for (int k = digits; k-- > 0;) bits += h_in(i) >> k & 1 ? '1' : '0';
    auto run = [&](char c, bool left) {
      const auto end = left ? bits.find_first_not_of(c) : bits.find_last_not_of(c);
      if (end == std::string::npos) return digits;
      return static_cast<int>(left ? end : digits - 1 - end);
    };
    const int ones = static_cast<int>(std::count(bits.begin(), bits.end(), '1'));
    const int expected[7] = {ones,
                             run('0', true),
                             run('1', true),
                             run('0', false),
                             run('1', false),
                             digits - run('0', true),
                             ones == 1};
    for (int k = 0; k < 7; ++k) REQUIRE(h_out(i, k) == expected[k]);
  }
}

void in_kernels() {
  Kokkos::View<double[12]> d("results");
  Kokkos::parallel_for(
      "small things", 1, KOKKOS_LAMBDA(int) {
        d(0) = static_cast<double>(Kokkos::bit_cast<std::uint32_t>(1.0f));
        d(1) = Kokkos::bit_cast<double>(0x4045000000000000ull);
        Kokkos::pair<int, double> p = Kokkos::make_pair(3, 0.5);
        auto [lo, hi] = Kokkos::minmax({7, 2, 9});
        d(2) = p.first + p.second + lo + 10 * hi;
        Kokkos::Array<double, 3> a = Kokkos::to_array({1.5, 2.5, 3.5});
        auto& [x, y, z] = a;
        y = 10;
        d(3) = x + y + z + Kokkos::get<1>(a) + a.size();
        const int five = 5, three = 3;
        d(4) = Kokkos::min(five, three) + 10 * Kokkos::max(five, three);
        d(5) = Kokkos::max(five, three, [](int l, int r) { return l > r; });
        using Kokkos::Experimental::half_t;
        const half_t h = Kokkos::Experimental::cast_to_half(1.5f);
        d(6) = Kokkos::Experimental::cast_from_half<double>(h * h + half_t(0.25f));
        const auto b = Kokkos::Experimental::cast_to_bhalf(3.0);
        d(7) = Kokkos::Experimental::cast_from_bhalf<float>(b + b);
        d(8) = Kokkos::Experimental::epsilon_v<float>;
        d(9) = Kokkos::reduction_identity<long>::max() == Kokkos::Experimental::finite_min_v<long>;
        d(10) = Kokkos::numbers::e_v<float> == static_cast<float>(Kokkos::numbers::e);
        d(11) = Kokkos::clamp(h, half_t(0.f), half_t(1.f)) == half_t(1.f);
      });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), d);
  const double expected[] = {1065353216, 42, 95.5, 28, 53, 3, 2.5, 6, FLT_EPSILON, 1, 1, 1};
  for (int i = 0; i < 12; ++i) REQUIRE(h(i) == expected[i]);
}

void on_host() {
  using namespace Kokkos::Experimental;
  const auto a = Kokkos::to_array("bits");
  REQUIRE(a.size() == 5 && a[4] == 0 && std::string(a.data()) == "bits");
  Kokkos::Array<int, 4> v{4, 3, 2, 1}, w = v;
  REQUIRE(v == w && !v.empty() && v.max_size() == 4);
  w[2] = 7;
  kokkos_swap(v, w);
  REQUIRE(v[2] == 7 && w != v && Kokkos::Array<int, 0>::empty());
  const Kokkos::pair<int, char> p(1, 'x'), q{2, 'a'};
  REQUIRE(p < q && !(p == q) && p.to_std_pair() == std::make_pair(1, 'x'));
  Kokkos::pair<long, int> converted = q;
  long first = 0;
  int second = 0;
  Kokkos::tie(first, second) = converted;
  REQUIRE(first == 2 && second == 'a');
  REQUIRE(Kokkos::bit_cast<std::int64_t>(-0.0) == INT64_MIN);
  REQUIRE(popcount_builtin(255u) == 8 && countl_zero_builtin(255u) == 24);
  // 11 bits of significand, and 8; the ties go to even
  if (!KOKKOS_HALF_T_IS_FLOAT) REQUIRE(cast_from_half<float>(cast_to_half(2049.0f)) == 2048.0f);
  if (!KOKKOS_BHALF_T_IS_FLOAT) REQUIRE(cast_from_bhalf<float>(cast_to_bhalf(257.0f)) == 256.0f);
  REQUIRE(static_cast<float>(half_t(65504.0f)) == 65504.0f);
  REQUIRE(sizeof(half_t) == (KOKKOS_HALF_T_IS_FLOAT ? 4 : 2));
}

// A number that only the function of its namespace can swap.
namespace accounts {
struct account {
  explicit account(int start) : balance(start) {}
  account(const account&) = delete;
  account& operator=(const account&) = delete;
  int balance;
  int swaps = 0;
};
void kokkos_swap(account& a, account& b) noexcept {
  std::swap(a.balance, b.balance);
  ++a.swaps;
}
}  // namespace accounts

void of_older_programs() {
  // Contracts without a semicolon.
  const int n = 3;
  KOKKOS_ASSERT(n > 0)
  KOKKOS_EXPECTS(n > 1)
  KOKKOS_ENSURES(n > 2)
  Kokkos::Array<accounts::account, 2> mine{accounts::account(1), accounts::account(2)};
  Kokkos::Array<accounts::account, 2> yours{accounts::account(3), accounts::account(4)};
  kokkos_swap(mine, yours);
  REQUIRE(mine[1].balance == 4 && yours[0].balance == 1 && mine[0].swaps == 1);
  static_assert(noexcept(kokkos_swap(mine, yours)));
  int table[2][2] = {{1, 2}, {3, 4}}, other[2][2] = {};
  Kokkos::kokkos_swap(table, other);
  REQUIRE(table[1][1] == 0 && other[1][1] == 4);
  // Real numbers as complex ones, and reciprocals of a named type.
  using Kokkos::Experimental::bhalf_t;
  using Kokkos::Experimental::half_t;
  REQUIRE(Kokkos::real(half_t(1.5f)) == half_t(1.5f) && Kokkos::imag(bhalf_t(2.f)) == bhalf_t(0.f));
  REQUIRE(Kokkos::conj(half_t(0.5f)) == Kokkos::complex<half_t>(half_t(0.5f)));
  REQUIRE(Kokkos::rcpf(4.0f) == 0.25f && Kokkos::rcpl(8.0L) == 0.125L);
#if HPK_KOKKOS_OLDER_NAMES
  const Kokkos::pair<int, void> small(3), large(4);
  REQUIRE(small < large && small.first == 3 && small != large);
  volatile Kokkos::complex<double> z;
  z = Kokkos::complex<double>(1, 2);
  z += Kokkos::complex<double>(1, 1);
  z *= 2;
  REQUIRE(Kokkos::complex<double>(z) == Kokkos::complex<double>(4, 6) && z.imag() == 6);
  Kokkos::complex<double> w;
  w = z;
  z = 1.0;
  w += z;
  REQUIRE(w == 5.0 + Kokkos::complex<double>(0, 6));
  // None of these changes values that are not volatile.
  Kokkos::complex<float> narrow(1, 2);
  narrow += 1.0;
  narrow *= std::complex<float>(0, 1);
  narrow = 3;
  narrow -= Kokkos::complex<double>(1, 1);
  REQUIRE(narrow == Kokkos::complex<float>(2, -1));
  static_assert(Kokkos::Experimental::pi_v<double> == Kokkos::numbers::pi);
#endif
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  bit_counts<unsigned char>();
  bit_counts<unsigned short>();
  bit_counts<unsigned>();
  bit_counts<unsigned long>();
  bit_counts<unsigned long long>();
  in_kernels();
  on_host();
  of_older_programs();
  std::cout << "byteswap " << std::hex << Kokkos::byteswap(0x1122334455667788ull) << std::dec
            << ", pi " << Kokkos::numbers::pi_v<float> << ", " << errors << " failures\n";
  return errors == 0 ? 0 : 1;
}
