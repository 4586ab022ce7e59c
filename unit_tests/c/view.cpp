// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/core.hpp>

#include <hpk/c/view.hpp>

#include <c/support.hpp>

#include <limits>
#include <numeric>

using namespace c_test;

namespace {

std::vector<double> count_from(double first, std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}
int released = 0;
void release(void* owner) { ++*static_cast<int*>(owner); }

}  // namespace

TEST(CView, names_and_measures_types) {
  EXPECT_STREQ(hpk_type_name(HPK_TYPE_FLOAT64), "float64");
  EXPECT_STREQ(hpk_type_name(HPK_TYPE_BFLOAT16), "bfloat16");
  EXPECT_EQ(hpk_type_size(HPK_TYPE_COMPLEX128), 16u);
  EXPECT_EQ(hpk_type_size(HPK_TYPE_BOOL), 1u);
  EXPECT_EQ(hpk_type_name(static_cast<hpk_type>(0)), nullptr);
  EXPECT_EQ(hpk_type_name(static_cast<hpk_type>(16)), nullptr);
  EXPECT_EQ(hpk_type_size(static_cast<hpk_type>(99)), 0u);
}

TEST(CView, describes_itself) {
  view x = make(HPK_TYPE_FLOAT32, {3, 4, 5}, "Host", "field");
  EXPECT_EQ(x.info().rank, 3);
  EXPECT_EQ(x.info().size, 60);
  EXPECT_EQ(x.info().item_size, 4);
  EXPECT_EQ(x.info().layout, HPK_LAYOUT_RIGHT);
  EXPECT_EQ(shape(x.info().extents, x.info().extents + 4), (shape{3, 4, 5, 1}));
  EXPECT_EQ(shape(x.info().strides, x.info().strides + 3), (shape{20, 5, 1}));
  EXPECT_STREQ(x.info().label, "field");
  EXPECT_STREQ(x.info().space, "Host");
  EXPECT_EQ(x.info().read_only, 0);
  EXPECT_EQ(x.info().host_accessible, 1);
  view left = make(HPK_TYPE_FLOAT32, {3, 4, 5}, "Host", "field", HPK_LAYOUT_LEFT);
  EXPECT_EQ(left.info().layout, HPK_LAYOUT_LEFT);
  EXPECT_EQ(shape(left.info().strides, left.info().strides + 3), (shape{1, 3, 12}));
  EXPECT_EQ(make(HPK_TYPE_INT8, {}).info().size, 1);
  EXPECT_EQ(make(HPK_TYPE_INT8, {4, 0}).info().size, 0);
  EXPECT_EQ(make(HPK_TYPE_INT8, {1, 1, 1, 1, 1, 1, 1, 2}).info().rank, 8);
  EXPECT_EQ(hpk_view_get_info(nullptr), nullptr);
}

TEST(CView, begins_with_zeros_in_every_space) {
  for (const std::string& space : spaces())
    EXPECT_EQ(read<double>(make(HPK_TYPE_FLOAT64, {7}, space.c_str())), std::vector<double>(7));
  view any;
  const std::int64_t n = 5;
  ASSERT_EQ(
      hpk_view_create(HPK_TYPE_INT32, 1, &n, HPK_LAYOUT_RIGHT, nullptr, nullptr, 0, any.out()),
      HPK_OK);
  EXPECT_STREQ(any.info().space, hpk_memory_space(hpk_default_space()));
  EXPECT_STREQ(any.info().label, "");
}

TEST(CView, of_wrong_arguments_is_an_error) {
  const std::int64_t two[] = {2, 3};
  const std::int64_t negative[] = {2, -3};
  const std::int64_t huge[] = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  view x;
  const auto create = [&](int type, int rank, const std::int64_t* extents, int layout,
                          const char* space) {
    return hpk_view_create(static_cast<hpk_type>(type), rank, extents,
                           static_cast<hpk_layout>(layout), space, "x", 1, x.out());
  };
  expect_error(create(0, 2, two, 1, "Host"), HPK_INVALID_ARGUMENT, "there is no element type 0");
  expect_error(create(13, 9, two, 1, "Host"), HPK_INVALID_ARGUMENT,
               "hpk_view_create \"x\": the rank is 9; write one from 0 to 8");
  expect_error(create(13, -1, two, 1, "Host"), HPK_INVALID_ARGUMENT, "the rank is -1");
  expect_error(create(13, 2, nullptr, 1, "Host"), HPK_INVALID_ARGUMENT, "extents is null");
  expect_error(create(13, 2, negative, 1, "Host"), HPK_INVALID_ARGUMENT,
               "an extent is negative: (2, -3)");
  expect_error(create(13, 2, huge, 1, "Host"), HPK_INVALID_ARGUMENT, "more bytes than an address");
  expect_error(create(13, 2, two, 3, "Host"), HPK_INVALID_ARGUMENT, "HPK_LAYOUT_RIGHT or");
  expect_error(create(13, 2, two, 1, "Vulkan"), HPK_INVALID_ARGUMENT,
               "there is no space 'Vulkan'; this hpk has Host");
  EXPECT_EQ(hpk_view_create(HPK_TYPE_INT8, 2, two, HPK_LAYOUT_RIGHT, "Host", "x", 1, nullptr),
            HPK_INVALID_ARGUMENT);
  const std::int64_t too_many = std::int64_t{1} << 45;
  expect_error(create(13, 1, &too_many, 1, "Host"), HPK_OUT_OF_MEMORY, "\"x\"");
}

TEST(CView, wraps_memory_of_others) {
  double data[12];
  for (int i = 0; i != 12; ++i) data[i] = i;
  const std::int64_t extents[] = {2, 3};
  const std::int64_t strides[] = {6, 2};
  released = 0;
  {
    view x;
    ASSERT_EQ(hpk_view_wrap(HPK_TYPE_FLOAT64, 2, extents, strides, "Host", data, 1, "data",
                            &released, release, x.out()),
              HPK_OK)
        << hpk_last_error();
    EXPECT_EQ(x.info().data, data);
    EXPECT_EQ(x.info().layout, HPK_LAYOUT_STRIDE);
    EXPECT_EQ(x.info().read_only, 1);
    EXPECT_STREQ(x.info().label, "data");
    EXPECT_EQ(read<double>(x), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    // A part of the view and a View of C++ own the memory too.
    const std::int64_t begin[] = {1, 0};
    const std::int64_t count[] = {1, 3};
    view row;
    ASSERT_EQ(hpk_view_slice(x, begin, count, nullptr, nullptr, row.out()), HPK_OK);
    x = view();
    const auto v = hpk::from_c<hpk::View<const double**, hpk::LayoutStride, hpk::HostSpace>>(row);
    row = view();
    EXPECT_EQ(released, 0);
    EXPECT_EQ(v(0, 2), 10);
    EXPECT_EQ(v.label(), "data");
  }
  EXPECT_EQ(released, 1);
}

TEST(CView, that_can_not_wrap_leaves_the_owner_alone) {
  alignas(8) char data[64] = {};
  const std::int64_t extents[] = {2, 3};
  const std::int64_t back[] = {3, -1};
  released = 0;
  view x;
  const auto wrap = [&](int rank, const std::int64_t* e, const std::int64_t* s, void* d,
                        const char* space) {
    return hpk_view_wrap(HPK_TYPE_FLOAT64, rank, e, s, space, d, 0, "data", &released, release,
                         x.out());
  };
  expect_error(wrap(2, extents, back, data, "Host"), HPK_INVALID_ARGUMENT,
               "hpk_view_wrap \"data\": a stride is negative: (3, -1)");
  expect_error(wrap(2, extents, nullptr, nullptr, "Host"), HPK_INVALID_ARGUMENT, "data is null");
  expect_error(wrap(2, extents, nullptr, data + 1, "Host"), HPK_INVALID_ARGUMENT,
               "not aligned to 8 bytes");
  expect_error(wrap(2, extents, nullptr, data, "Vulkan"), HPK_INVALID_ARGUMENT,
               "no space 'Vulkan'");
  EXPECT_EQ(released, 0);
  const std::int64_t none[] = {0, 3};
  EXPECT_EQ(wrap(2, none, nullptr, nullptr, "Host"), HPK_OK) << hpk_last_error();
  x = view();
  EXPECT_EQ(released, 1);
}

TEST(CView, has_parts) {
  for (const std::string& space : spaces()) {
    view x = make(HPK_TYPE_FLOAT64, {4, 5}, space.c_str());
    write(x, count_from(0, 20));
    const std::int64_t begin[] = {1, 0};
    const std::int64_t count[] = {2, 3};
    const std::int64_t step[] = {2, 2};
    view part;
    ASSERT_EQ(hpk_view_slice(x, begin, count, step, nullptr, part.out()), HPK_OK)
        << hpk_last_error();
    EXPECT_EQ(read<double>(part), (std::vector<double>{5, 7, 9, 15, 17, 19}));
    EXPECT_EQ(part.info().layout, HPK_LAYOUT_STRIDE);
    write(part, count_from(100, 6));
    EXPECT_EQ(read<double>(x)[15], 103);
    const int drop[] = {1, 0};
    const std::int64_t one_row[] = {1, 5};
    ASSERT_EQ(hpk_view_slice(x, begin, one_row, nullptr, drop, part.out()), HPK_OK);
    EXPECT_EQ(part.info().rank, 1);
    EXPECT_EQ(read<double>(part), (std::vector<double>{100, 6, 101, 8, 102}));
    const std::int64_t past[] = {2, 3};
    expect_error(hpk_view_slice(x, past, count, step, nullptr, part.out()), HPK_INVALID_ARGUMENT,
                 "2 indices from 2 by 2 are not in dimension 0 of (4, 5)");
    const std::int64_t zero[] = {0, 1};
    expect_error(hpk_view_slice(x, begin, count, zero, nullptr, part.out()), HPK_INVALID_ARGUMENT,
                 "steps are positive");
  }
}

TEST(CView, permutes_and_reshapes) {
  view x = make(HPK_TYPE_FLOAT64, {2, 3});
  write(x, count_from(0, 6));
  const int axes[] = {1, 0};
  view t;
  ASSERT_EQ(hpk_view_permute(x, axes, t.out()), HPK_OK);
  EXPECT_EQ(t.info().layout, HPK_LAYOUT_LEFT);
  EXPECT_EQ(t.info().data, x.info().data);
  EXPECT_EQ(read<double>(t), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  const int twice[] = {1, 1};
  expect_error(hpk_view_permute(x, twice, t.out()), HPK_INVALID_ARGUMENT, "axis 1 is 1");
  const std::int64_t flat = 6;
  view r;
  ASSERT_EQ(hpk_view_reshape(x, 1, &flat, r.out()), HPK_OK);
  EXPECT_EQ(read<double>(r), count_from(0, 6));
  const std::int64_t wrong = 5;
  expect_error(hpk_view_reshape(x, 1, &wrong, r.out()), HPK_INVALID_ARGUMENT,
               "the extents (5) have 5 elements, the view has 6");
  view gaps = make_row_with_gaps(count_from(0, 6));
  const std::int64_t two_three[] = {2, 3};
  expect_error(hpk_view_reshape(gaps, 2, two_three, r.out()), HPK_INVALID_ARGUMENT,
               "the view has gaps");
}

TEST(CView, ignores_the_step_of_a_single_index) {
  view x = make(HPK_TYPE_FLOAT64, {4, 2});
  write(x, count_from(0, 8));
  const std::int64_t begin[] = {3, 0};
  const std::int64_t count[] = {1, 2};
  const std::int64_t step[] = {std::numeric_limits<std::int64_t>::max(), 1};
  view part;
  ASSERT_EQ(hpk_view_slice(x, begin, count, step, nullptr, part.out()), HPK_OK);
  EXPECT_EQ(part.info().strides[0], 2);
  EXPECT_EQ(read<double>(part), (std::vector<double>{6, 7}));
  view scalar = make(HPK_TYPE_FLOAT64, {});
  EXPECT_EQ(hpk_view_slice(scalar, nullptr, nullptr, nullptr, nullptr, part.out()), HPK_OK);
}

TEST(CView, with_one_element_at_several_indices_is_only_read) {
  double data[] = {1, 2, 3, 4};
  const std::int64_t extents[] = {3, 4};
  const std::int64_t strides[] = {0, 1};
  view x;
  ASSERT_EQ(hpk_view_wrap(HPK_TYPE_FLOAT64, 2, extents, strides, "Host", data, 0, "rows", nullptr,
                          nullptr, x.out()),
            HPK_OK);
  EXPECT_EQ(read<double>(x), (std::vector<double>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}));
  view other = make(HPK_TYPE_FLOAT64, {3, 4});
  const hpk_scalar value{.type = HPK_TYPE_INT64, .i = 7, .u = 0, .f = 0, .imag = 0};
  const std::string words = "\"rows\": dimension 0 has stride 0";
  expect_error(hpk_view_deep_copy(x, other), HPK_TYPE_MISMATCH, words);
  expect_error(hpk_view_fill(x, &value, nullptr), HPK_TYPE_MISMATCH, words);
  expect_error(hpk_fill_random(x, "uniform", 1, 0, 1, nullptr), HPK_TYPE_MISMATCH, words);
  EXPECT_EQ(data[3], 4);
  const std::int64_t huge[] = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  const std::int64_t none[] = {0, 0};
  expect_error(hpk_view_wrap(HPK_TYPE_FLOAT64, 2, huge, none, "Host", data, 0, "huge", nullptr,
                             nullptr, x.out()),
               HPK_INVALID_ARGUMENT, "more bytes than an address");
}

TEST(CView, is_copied_to_elements_that_overlap) {
  for (const std::string& space : spaces()) {
    view x = make(HPK_TYPE_FLOAT64, {3, 3}, space.c_str());
    write(x, count_from(0, 9));
    const int axes[] = {1, 0};
    view t;
    ASSERT_EQ(hpk_view_permute(x, axes, t.out()), HPK_OK);
    ASSERT_EQ(hpk_view_deep_copy(x, t), HPK_OK) << hpk_last_error();
    EXPECT_EQ(read<double>(x), (std::vector<double>{0, 3, 6, 1, 4, 7, 2, 5, 8}));
    // Rows without gaps, blocks with gaps, and columns, which have no element in common.
    const auto part_of = [&](std::int64_t i, std::int64_t j, std::int64_t m, std::int64_t n) {
      const std::int64_t begin[] = {i, j};
      const std::int64_t count[] = {m, n};
      view part;
      EXPECT_EQ(hpk_view_slice(x, begin, count, nullptr, nullptr, part.out()), HPK_OK);
      return part;
    };
    ASSERT_EQ(hpk_view_deep_copy(part_of(1, 0, 2, 3), part_of(0, 0, 2, 3)), HPK_OK);
    EXPECT_EQ(read<double>(x), (std::vector<double>{0, 3, 6, 0, 3, 6, 1, 4, 7}));
    ASSERT_EQ(hpk_view_deep_copy(part_of(0, 0, 2, 2), part_of(1, 1, 2, 2)), HPK_OK);
    EXPECT_EQ(read<double>(x), (std::vector<double>{3, 6, 6, 4, 7, 6, 1, 4, 7}));
    ASSERT_EQ(hpk_view_deep_copy(part_of(0, 0, 3, 1), part_of(0, 2, 3, 1)), HPK_OK);
    EXPECT_EQ(read<double>(x), (std::vector<double>{6, 6, 6, 6, 7, 6, 7, 4, 7}));
    ASSERT_EQ(hpk_view_deep_copy(x, x), HPK_OK);
    EXPECT_EQ(read<double>(x), (std::vector<double>{6, 6, 6, 6, 7, 6, 7, 4, 7}));
  }
}

TEST(CView, of_another_space_or_type_is_an_exception_of_the_standard_library) {
  view x = make(HPK_TYPE_FLOAT64, {3});
  using floats = hpk::View<float*, hpk::HostSpace>;
  EXPECT_THROW(hpk::from_c<floats>(x), std::exception);
  EXPECT_THROW(hpk::from_c<floats>(x), hpk::error);
  const hpk::View<double*, hpk::HostSpace> v("v", 3);
  const hpk::View<double*, hpk::AnonymousSpace> anywhere = v;
  expect_error(hpk::call_from_c([&] { hpk::to_c(anywhere); }), HPK_TYPE_MISMATCH,
               "no memory space 'Anonymous'");
}

TEST(CView, copies_between_layouts_and_spaces) {
  for (const std::string& to_space : spaces()) {
    for (const std::string& from_space : spaces()) {
      for (const auto to_layout : {HPK_LAYOUT_RIGHT, HPK_LAYOUT_LEFT, HPK_LAYOUT_STRIDE}) {
        for (const auto from_layout : {HPK_LAYOUT_RIGHT, HPK_LAYOUT_LEFT, HPK_LAYOUT_STRIDE}) {
          const auto make_of = [](hpk_layout layout, const char* space) {
            if (layout != HPK_LAYOUT_STRIDE)
              return make(HPK_TYPE_INT32, {3, 4}, space, "x", layout);
            view whole = make(HPK_TYPE_INT32, {6, 5}, space);
            const std::int64_t begin[] = {1, 1};
            const std::int64_t count[] = {3, 4};
            const std::int64_t step[] = {2, 1};
            view part;
            EXPECT_EQ(hpk_view_slice(whole, begin, count, step, nullptr, part.out()), HPK_OK);
            return part;
          };
          view to = make_of(to_layout, to_space.c_str());
          view from = make_of(from_layout, from_space.c_str());
          std::vector<std::int32_t> values(12);
          std::iota(values.begin(), values.end(), 7);
          write(from, values);
          ASSERT_EQ(hpk_view_deep_copy(to, from), HPK_OK) << hpk_last_error();
          EXPECT_EQ(read<std::int32_t>(to), values) << to_space << ' ' << from_space;
        }
      }
    }
  }
}

TEST(CView, that_differs_is_not_copied) {
  view x = make(HPK_TYPE_INT32, {3, 4}, "Host", "to");
  view other = make(HPK_TYPE_INT32, {4, 3}, "Host", "from");
  expect_error(hpk_view_deep_copy(x, other), HPK_TYPE_MISMATCH,
               "hpk_view_deep_copy \"to\": the extents are (3, 4), those of \"from\" are (4, 3)");
  other = make(HPK_TYPE_FLOAT32, {3, 4}, "Host", "from");
  expect_error(hpk_view_deep_copy(x, other), HPK_TYPE_MISMATCH,
               "the elements are int32, those of \"from\" are float32");
  const std::int64_t n = 2;
  std::int32_t data[2] = {};
  view constant;
  ASSERT_EQ(hpk_view_wrap(HPK_TYPE_INT32, 1, &n, nullptr, "Host", data, 1, "constant", nullptr,
                          nullptr, constant.out()),
            HPK_OK);
  expect_error(hpk_view_deep_copy(constant, make(HPK_TYPE_INT32, {2})), HPK_TYPE_MISMATCH,
               "hpk_view_deep_copy \"constant\": the elements are const");
  expect_error(hpk_view_deep_copy(nullptr, x), HPK_INVALID_ARGUMENT, "to is null");
}

TEST(CView, is_filled_with_every_type) {
  hpk_scalar whole{};
  whole.type = HPK_TYPE_INT64;
  whole.i = 5;
  for (const std::string& space : spaces()) {
    for (int t = HPK_TYPE_BOOL + 1; t <= HPK_TYPE_COMPLEX128; ++t) {
      view x = make(static_cast<hpk_type>(t), {33}, space.c_str());
      ASSERT_EQ(hpk_view_fill(x, &whole, nullptr), HPK_OK) << hpk_last_error();
      hpk_scalar sum{};
      ASSERT_EQ(hpk_reduce(x, "sum", nullptr, &sum), HPK_OK) << hpk_last_error();
      EXPECT_EQ(sum.type >= HPK_TYPE_FLOAT16 ? sum.f : static_cast<double>(sum.i), 165) << t;
    }
    view gaps = make_row_with_gaps(count_from(0, 6), space.c_str());
    ASSERT_EQ(hpk_view_fill(gaps, &whole, nullptr), HPK_OK);
    EXPECT_EQ(read<double>(gaps), std::vector<double>(6, 5.0));
  }
}

TEST(CView, is_not_filled_with_what_it_can_not_hold) {
  const auto fill = [](hpk_type type, const hpk_scalar& value) {
    view x = make(type, {2});
    return hpk_view_fill(x, &value, nullptr);
  };
  hpk_scalar value{};
  value.type = HPK_TYPE_INT64;
  value.i = 300;
  expect_error(fill(HPK_TYPE_UINT8, value), HPK_INVALID_ARGUMENT,
               "hpk_view_fill \"x\": uint8 elements can't be 300");
  EXPECT_EQ(fill(HPK_TYPE_INT16, value), HPK_OK);
  value.i = -1;
  EXPECT_EQ(fill(HPK_TYPE_UINT64, value), HPK_INVALID_ARGUMENT);
  EXPECT_EQ(fill(HPK_TYPE_INT8, value), HPK_OK);
  value.type = HPK_TYPE_UINT64;
  value.u = ~std::uint64_t{0};
  EXPECT_EQ(fill(HPK_TYPE_INT64, value), HPK_INVALID_ARGUMENT);
  EXPECT_EQ(fill(HPK_TYPE_UINT64, value), HPK_OK);
  value.type = HPK_TYPE_FLOAT64;
  value.f = 1.5;
  expect_error(fill(HPK_TYPE_INT32, value), HPK_INVALID_ARGUMENT, "int32 elements can't be 1.5");
  EXPECT_EQ(fill(HPK_TYPE_FLOAT32, value), HPK_OK);
  for (const double f :
       {1e30, -1e30, 9223372036854775808.0, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity()}) {
    value.f = f;
    EXPECT_EQ(fill(HPK_TYPE_INT64, value), HPK_INVALID_ARGUMENT) << f;
    EXPECT_EQ(fill(HPK_TYPE_FLOAT64, value), HPK_OK) << f;
  }
  value.f = 1e39;
  expect_error(fill(HPK_TYPE_FLOAT32, value), HPK_INVALID_ARGUMENT, "float32 elements can't be");
  EXPECT_EQ(fill(HPK_TYPE_BFLOAT16, value), HPK_INVALID_ARGUMENT);
  value.f = 65536;
  EXPECT_EQ(fill(HPK_TYPE_FLOAT16, value), HPK_INVALID_ARGUMENT);
  EXPECT_EQ(fill(HPK_TYPE_COMPLEX64, value), HPK_OK);
  value.f = -9223372036854775808.0;
  EXPECT_EQ(fill(HPK_TYPE_INT64, value), HPK_OK);
  value.type = HPK_TYPE_COMPLEX128;
  value.f = 2;
  value.imag = 1;
  expect_error(fill(HPK_TYPE_FLOAT64, value), HPK_INVALID_ARGUMENT,
               "float64 elements can't be 2 + 1i");
  EXPECT_EQ(fill(HPK_TYPE_COMPLEX64, value), HPK_OK);
}

TEST(CView, has_mirrors) {
  for (const std::string& space : spaces()) {
    view x = make(HPK_TYPE_FLOAT64, {3, 2}, "Host", "x", HPK_LAYOUT_LEFT);
    write(x, count_from(1, 6));
    view there;
    ASSERT_EQ(hpk_view_mirror(x, space.c_str(), 1, there.out()), HPK_OK) << hpk_last_error();
    EXPECT_STREQ(there.info().space, hpk_memory_space(space.c_str()));
    EXPECT_EQ(there.info().layout, HPK_LAYOUT_LEFT);
    EXPECT_STREQ(there.info().label, "x");
    EXPECT_EQ(there.info().data == x.info().data, std::string(there.info().space) == "Host");
    EXPECT_EQ(read<double>(there), count_from(1, 6));
    view back;
    ASSERT_EQ(hpk_view_mirror(there, nullptr, 0, back.out()), HPK_OK);
    EXPECT_STREQ(back.info().space, "Host");
    EXPECT_EQ(read<double>(back), std::string(there.info().space) == "Host"
                                      ? count_from(1, 6)
                                      : std::vector<double>(6));
  }
}

TEST(CView, converts_to_views_of_cpp_and_back) {
  hpk::for_each_space([&](auto space) {
    using mem = typename decltype(space)::memory_space;
    const hpk::View<double**, hpk::LayoutLeft, mem> v("v", 3, 4);
    view x(hpk::to_c(v));
    EXPECT_EQ(x.info().data, v.data());
    EXPECT_EQ(x.info().layout, HPK_LAYOUT_LEFT);
    EXPECT_STREQ(x.info().label, "v");
    EXPECT_EQ(v.use_count(), 2);
    const auto w = hpk::from_c<hpk::View<const double**, hpk::LayoutLeft, mem>>(x);
    EXPECT_EQ(w.data(), v.data());
    EXPECT_EQ(w.label(), "v");
    EXPECT_EQ(v.use_count(), 3);
    EXPECT_EQ((hpk::from_c<hpk::View<double**, hpk::LayoutStride, mem>>(x).stride(1)), 3u);
    EXPECT_THROW((hpk::from_c<hpk::View<double**, hpk::LayoutRight, mem>>(x)), hpk::error);
    EXPECT_EQ((hpk::from_c<hpk::View<double* [4], hpk::LayoutLeft, mem>>(x).extent(1)), 4u);
    EXPECT_THROW((hpk::from_c<hpk::View<double* [5], hpk::LayoutLeft, mem>>(x)), hpk::error);
    expect_error(
        hpk::call_from_c([&] { hpk::from_c<hpk::View<float**, hpk::LayoutLeft, mem>>(x); }),
        HPK_TYPE_MISMATCH, "view \"v\" has float64 elements, rank 2");
    EXPECT_EQ(hpk::call_from_c([&] { hpk::from_c<hpk::View<double*, mem>>(x); }),
              HPK_TYPE_MISMATCH);
    const hpk::View<const double**, hpk::LayoutLeft, mem> constant = v;
    view y(hpk::to_c(constant));
    EXPECT_EQ(y.info().read_only, 1);
    EXPECT_EQ(hpk::call_from_c([&] { hpk::from_c<hpk::View<double**, hpk::LayoutLeft, mem>>(y); }),
              HPK_TYPE_MISMATCH);
  });
  // Padded rows are no LayoutRight of the C interface, but of C++.
  const hpk::View<double**, hpk::LayoutRight, hpk::HostSpace> padded(
      hpk::view_alloc("padded", hpk::AllowPadding), 3, 17);
  view x(hpk::to_c(padded));
  EXPECT_EQ((hpk::from_c<hpk::View<double**, hpk::LayoutRight, hpk::HostSpace>>(x).stride(0)),
            padded.stride(0));
  // Rank 0, and empty Views.
  const hpk::View<int, hpk::HostSpace> scalar("scalar");
  EXPECT_EQ(view(hpk::to_c(scalar)).info().rank, 0);
  const hpk::View<int*, hpk::HostSpace> none;
  EXPECT_EQ(view(hpk::to_c(none)).info().size, 0);
}
