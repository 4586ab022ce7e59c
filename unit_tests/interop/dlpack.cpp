// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as tensors of DLPack and tensors as Views: the same memory, shape and type, and one end of
// the memory, whoever is last.
#include <hpk/dlpack.hpp>

#include <support/elements.hpp>
#include <support/foreign_tensor.hpp>

#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace interop_dlpack_test {
namespace {

namespace dlpack = hpk::dlpack;
using dlpack::data_type;
using dlpack::device_type;
using dlpack::managed_tensor;
using dlpack::managed_tensor_versioned;
using dlpack::type_code;
using hpk::from_dlpack;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::to_dlpack;
using hpk::View;
using hpk_test::unversioned_tensor;
using hpk_test::versioned_tensor;

constexpr data_type float64 = {type_code::floating, 64, 1};

// Ends a tensor that nobody received.
struct ends {
  template <class Tensor>
  void operator()(Tensor* tensor) const {
    tensor->deleter(tensor);
  }
};
template <class Tensor = managed_tensor_versioned, class V>
std::unique_ptr<Tensor, ends> sent(const V& view) {
  return std::unique_ptr<Tensor, ends>(to_dlpack<Tensor>(view));
}

// The types of DLPack.
template <class T, type_code Code, int Bits>
inline constexpr bool is_type = dlpack::type_of<T>() == data_type{Code, Bits, 1};
static_assert(is_type<bool, type_code::boolean, 8>);
static_assert(is_type<signed char, type_code::signed_integer, 8>);
static_assert(is_type<unsigned char, type_code::unsigned_integer, 8>);
static_assert(is_type < char,
              std::is_signed_v<char> ? type_code::signed_integer : type_code::unsigned_integer,
              8 >);
static_assert(is_type<short, type_code::signed_integer, 16>);
static_assert(is_type<std::uint16_t, type_code::unsigned_integer, 16>);
static_assert(is_type<int, type_code::signed_integer, 32>);
static_assert(is_type<unsigned, type_code::unsigned_integer, 32>);
static_assert(is_type<long long, type_code::signed_integer, 64>);
static_assert(is_type<std::uint64_t, type_code::unsigned_integer, 64>);
static_assert(is_type<float, type_code::floating, 32>);
static_assert(is_type<double, type_code::floating, 64>);
static_assert(HPK_HALF_IS_FLOAT || is_type<hpk::Experimental::half_t, type_code::floating, 16>);
static_assert(HPK_HALF_IS_FLOAT || is_type<hpk::Experimental::bhalf_t, type_code::bfloat, 16>);
static_assert(is_type<hpk::complex<float>, type_code::complex, 64>);
static_assert(is_type<hpk::complex<double>, type_code::complex, 128>);
static_assert(is_type<std::complex<double>, type_code::complex, 128>);
// The 80-bit numbers of x86 have no type.
static_assert((dlpack::type_of<long double>().bits != 0) ==
              (std::numeric_limits<long double>::digits != 64));
static_assert(dlpack::type_of<int*>().bits == 0 &&
              dlpack::type_of<std::pair<int, int>>().bits == 0);

TEST(Dlpack, describes_the_view) {
  const View<float**, LayoutLeft, HostSpace> view("matrix", 3, 4);
  const auto tensor = sent(view);
  EXPECT_EQ(tensor->version.major, 1u);
  EXPECT_EQ(tensor->flags, 0u);
  const dlpack::tensor& inner = tensor->dl_tensor;
  EXPECT_EQ(inner.data, view.data());
  EXPECT_EQ(inner.byte_offset, 0u);
  EXPECT_EQ(inner.device, (dlpack::device{device_type::cpu, 0}));
  EXPECT_EQ(inner.dtype, (data_type{type_code::floating, 32, 1}));
  ASSERT_EQ(inner.ndim, 2);
  EXPECT_EQ(inner.shape[0], 3);
  EXPECT_EQ(inner.shape[1], 4);
  EXPECT_EQ(inner.strides[0], 1);
  EXPECT_EQ(inner.strides[1], 3);
}

TEST(Dlpack, describes_parts_and_padding) {
  const View<int***, LayoutRight, HostSpace> whole("whole", 4, 5, 6);
  const auto part = hpk::subview(whole, std::pair(1, 3), 2, hpk::ALL);
  const auto tensor = sent(part);
  EXPECT_EQ(tensor->dl_tensor.data, &whole(1, 2, 0));
  EXPECT_EQ(tensor->dl_tensor.strides[0], 30);
  EXPECT_EQ(tensor->dl_tensor.strides[1], 1);
  const View<double**, LayoutRight, HostSpace> padded(hpk::view_alloc("padded", hpk::AllowPadding),
                                                      3, 13);
  EXPECT_EQ(sent(padded)->dl_tensor.strides[0], 16);
}

TEST(Dlpack, says_that_elements_are_const) {
  const View<int*, HostSpace> view("view", 3);
  const View<const int*, HostSpace> reading = view;
  EXPECT_EQ(sent(reading)->flags, dlpack::read_only);
  const auto back = from_dlpack<View<const int*, HostSpace>>(to_dlpack(reading));
  EXPECT_EQ(back.data(), view.data());
}

// A tensor of every rank, fixed and run-time extents.
template <class V>
void expect_round_trip(const V& view) {
  const auto expect_same = [&](const auto& back) {
    EXPECT_EQ(back.data(), view.data());
    for (std::size_t r = 0; r != V::rank(); ++r) {
      EXPECT_EQ(back.extent(r), view.extent(r));
      EXPECT_EQ(back.stride(r), view.stride(r));
    }
    EXPECT_EQ(back.label(), "back");
    EXPECT_EQ(view.use_count(), 2);
  };
  expect_same(from_dlpack<V>(to_dlpack(view), "back"));
  expect_same(from_dlpack<V>(to_dlpack<managed_tensor>(view), "back"));
  EXPECT_EQ(view.use_count(), 1);
}

TEST(Dlpack, of_every_rank_comes_back) {
  expect_round_trip(View<int, HostSpace>("0"));
  expect_round_trip(View<bool*, HostSpace>("1", 5));
  expect_round_trip(View<double* [3], LayoutLeft, HostSpace>("2", 4));
  expect_round_trip(View<hpk::Experimental::half_t***, LayoutRight, HostSpace>("3", 2, 3, 4));
  expect_round_trip(View<hpk::Experimental::bhalf_t***, LayoutLeft, HostSpace>("3", 2, 3, 4));
  expect_round_trip(View<hpk::complex<float>****, HostSpace>("4", 2, 1, 3, 2));
  expect_round_trip(View<std::uint8_t*****, HostSpace>("5", 2, 1, 3, 2, 2));
  expect_round_trip(View<char******, LayoutLeft, HostSpace>("6", 2, 1, 3, 2, 1, 2));
  expect_round_trip(View<long*******, HostSpace>("7", 2, 1, 3, 2, 1, 2, 1));
  expect_round_trip(View<hpk::complex<double>* [2][2][1][1][2][1][3], HostSpace>("8", 2));
  expect_round_trip(View<short**, LayoutStride, HostSpace>("strided", LayoutStride(3, 8, 4, 2)));
}

template <class Device>
class DlpackOf : public testing::Test {};
TYPED_TEST_SUITE(DlpackOf, hpk_test::all_devices, hpk_test::device_names);

// In any memory; kernels use the View that comes back.
HPK_TYPED_TEST(DlpackOf, is_the_same_memory) {
  using exec_type = typename TypeParam::execution_space;
  using mem = typename TypeParam::memory_space;
  View<int**, LayoutLeft, TypeParam> view("sent", 30, 4);
  const int* const data = view.data();
  hpk::deep_copy(view, 1);
  auto* const tensor = to_dlpack(view);
  EXPECT_EQ(tensor->dl_tensor.data, data);
  EXPECT_EQ(tensor->dl_tensor.device, dlpack::device_of_memory<mem>(data));
  view = {};
  const auto back = from_dlpack<View<int**, LayoutLeft, TypeParam>>(tensor, "received");
  EXPECT_EQ(back.data(), data);
  hpk::parallel_for(hpk::RangePolicy<exec_type>(0, 30), HPK_LAMBDA(int i) { back(i, 3) += i; });
  hpk::fence();
  EXPECT_EQ(hpk_test::value_at(back, 29, 3), 30);
}

HPK_TYPED_TEST(DlpackOf, without_elements_has_no_memory) {
  using mem = typename TypeParam::memory_space;
  const View<double**, TypeParam> view("empty", 3, 0);
  auto* const tensor = to_dlpack(view);
  EXPECT_EQ(tensor->dl_tensor.data, nullptr);
  EXPECT_EQ(tensor->dl_tensor.device.type, dlpack::type_of_memory<mem>());
  const auto back = from_dlpack<View<double**, TypeParam>>(tensor);
  EXPECT_EQ(back.extent(0), 3u);
  EXPECT_EQ(back.extent(1), 0u);
  EXPECT_EQ(view.use_count(), 2);
  const auto none = sent(View<double*, TypeParam>());
  EXPECT_EQ(none->dl_tensor.shape[0], 0);
}

// The tensor is complete when the function returns.
HPK_TYPED_TEST(DlpackOf, waits_for_kernels) {
  using exec_type = typename TypeParam::execution_space;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<long*, TypeParam> view("view", 1000);
  for (int round = 0; round < 20; ++round)
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(exec, 0, 1000), HPK_LAMBDA(int i) { view(i) += i; });
  const auto tensor = sent(view);
  EXPECT_TRUE(exec.idle());
  EXPECT_EQ(hpk_test::value_at(view, 999), 20 * 999);
}

// Memory that host code reaches may be received in HostSpace, and in a View that does not know
// where it is.
HPK_TYPED_TEST(DlpackOf, is_received_in_another_space_that_reaches_it) {
  using mem = typename TypeParam::memory_space;
  const View<float*, TypeParam> view("view", 5);
  const auto any = from_dlpack<View<float*, hpk::AnonymousSpace>>(to_dlpack(view), "any");
  EXPECT_EQ(any.data(), view.data());
  EXPECT_EQ(view.use_count(), 2);
  const View<float*, TypeParam> known = any;
  EXPECT_EQ(known.use_count(), 2);
  if constexpr (dlpack::type_of_memory<mem>() == device_type::cpu) {
    const auto host = from_dlpack<View<float*, HostSpace>>(to_dlpack(view));
    EXPECT_EQ(host.data(), view.data());
  }
}

TEST(Dlpack, lives_until_the_last_owner_ends) {
  std::weak_ptr<std::vector<int>> watched;
  managed_tensor_versioned* first = nullptr;
  managed_tensor* second = nullptr;
  {
    const auto memory = std::make_shared<std::vector<int>>(6);
    watched = memory;
    const View<int*, HostSpace> view(hpk::view_wrap(memory->data(), "view", memory), 6);
    first = to_dlpack(view);
    second = to_dlpack<managed_tensor>(view);
  }
  EXPECT_EQ(watched.use_count(), 1);
  second->deleter(second);
  EXPECT_EQ(watched.use_count(), 1);
  // Deleters are called on any thread.
  std::thread([&] { first->deleter(first); }).join();
  EXPECT_EQ(watched.use_count(), 0);
}

TEST(Dlpack, ends_once_after_the_last_view) {
  std::vector<double> memory(6);
  versioned_tensor tensor(memory.data(), float64, {2, 3});
  View<double*, LayoutRight, HostSpace> row;
  {
    const auto view =
        from_dlpack<View<double**, LayoutRight, HostSpace>>(&tensor.managed, "received");
    EXPECT_EQ(view.data(), memory.data());
    EXPECT_EQ(view.label(), "received");
    row = hpk::subview(view, 1, hpk::ALL);
  }
  EXPECT_EQ(tensor.ended, 0);
  row(2) = 7;
  EXPECT_EQ(memory[5], 7);
  row = {};
  EXPECT_EQ(tensor.ended, 1);
  // Through hpk and back.
  auto* const again =
      to_dlpack(from_dlpack<View<double**, LayoutRight, HostSpace>>(&tensor.managed));
  EXPECT_EQ(tensor.ended, 1);
  again->deleter(again);
  EXPECT_EQ(tensor.ended, 2);
}

TEST(Dlpack, may_have_no_deleter) {
  int number = 3;
  unversioned_tensor tensor(&number, dlpack::type_of<int>(), {});
  tensor.managed.deleter = nullptr;
  EXPECT_EQ((from_dlpack<View<int, HostSpace>>(&tensor.managed)()), 3);
}

TEST(Dlpack, has_an_offset_and_may_lack_strides) {
  double memory[24] = {};
  unversioned_tensor tensor(memory, float64, {2, 3, 2});
  tensor.managed.dl_tensor.byte_offset = 8 * sizeof(double);
  const auto view = from_dlpack<View<double***, LayoutRight, HostSpace>>(&tensor.managed);
  EXPECT_EQ(&view(1, 2, 1), memory + 8 + 11);
}

TEST(Dlpack, may_have_strides_that_mean_nothing) {
  double memory[12] = {};
  // Of single indices, as NumPy makes them.
  versioned_tensor column(memory, float64, {3, 1}, {1, -99});
  EXPECT_EQ((&from_dlpack<View<double**, LayoutRight, HostSpace>>(&column.managed)(2, 0)),
            memory + 2);
  // Of no elements.
  versioned_tensor none(nullptr, float64, {0, 4}, {-4, 1});
  EXPECT_EQ((from_dlpack<View<double**, LayoutRight, HostSpace>>(&none.managed).extent(1)), 4u);
  // Repeated rows.
  versioned_tensor repeated(memory, float64, {5, 4}, {0, 1});
  const auto rows = from_dlpack<View<const double**, LayoutStride, HostSpace>>(&repeated.managed);
  EXPECT_EQ(&rows(4, 3), memory + 3);
}

TEST(Dlpack, of_padded_rows_keeps_them) {
  double memory[15] = {};
  versioned_tensor tensor(memory, float64, {3, 4}, {5, 1});
  const auto view = from_dlpack<View<double**, LayoutRight, HostSpace>>(&tensor.managed);
  EXPECT_EQ(&view(2, 3), memory + 13);
  EXPECT_EQ(tensor.ended, 0);
}

TEST(Dlpack, comes_from_every_kind_of_host_memory) {
  int memory[4] = {};
  for (const device_type type :
       {device_type::cpu, device_type::nvidia_pinned, device_type::amd_pinned}) {
    versioned_tensor tensor(memory, dlpack::type_of<int>(), {4});
    tensor.managed.dl_tensor.device.type = type;
    EXPECT_EQ((from_dlpack<View<int*, HostSpace>>(&tensor.managed).data()), memory);
    EXPECT_EQ(tensor.ended, 1);
  }
}

// With values in place of types, as interfaces to other languages have them.
TEST(Dlpack, is_made_and_taken_apart_without_types) {
  const View<std::int16_t*, HostSpace> view("view", 12);
  dlpack::description what;
  what.data = view.data();
  what.type = dlpack::type_of<std::int16_t>();
  what.rank = 2;
  what.extents[0] = 3;
  what.extents[1] = 4;
  what.strides[0] = 4;
  what.strides[1] = 1;
  what.is_read_only = true;
  managed_tensor_versioned* const tensor = dlpack::make_versioned(what, view.allocation());
  EXPECT_EQ(view.use_count(), 2);
  const dlpack::description found = dlpack::describe(tensor, "found");
  EXPECT_EQ(found.data, view.data());
  EXPECT_EQ(found.type, what.type);
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.extents[1], 4);
  EXPECT_EQ(found.strides[0], 4);
  EXPECT_TRUE(found.is_read_only);
  {
    dlpack::received<managed_tensor_versioned> owner(tensor);
    const View<std::byte*, hpk::AnonymousSpace> bytes(
        hpk::view_wrap(static_cast<std::byte*>(found.data), "bytes", std::move(owner)), 24);
    EXPECT_EQ(view.use_count(), 2);
  }
  EXPECT_EQ(view.use_count(), 1);
  EXPECT_NE(hpk_test::error_of([&] {
              static_cast<void>(dlpack::make_unversioned(what, view.allocation()));
            }).find("\"view\": an unversioned tensor can't say that its elements are const"),
            std::string::npos);
  EXPECT_EQ(view.use_count(), 1);
}

}  // namespace
}  // namespace interop_dlpack_test
