// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured launch in a file: reading returns all of it, or an error that names the defect of the
// file.
#include <hpk/recording/captured_launch.hpp>

#include <hpk/core.hpp>

#include <support/inspected.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace captured_launch_test {
namespace {

using hpk::detail::captured_address;
using hpk::detail::captured_launch;
using hpk::detail::captured_module;
using hpk::detail::captured_view;
using hpk::detail::read_capture;
using hpk::detail::write_capture;

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> found(text.size());
  if (!text.empty()) std::memcpy(found.data(), text.data(), text.size());
  return found;
}

captured_view some_view(const std::string& label, int rank) {
  captured_view view;
  view.label = label;
  view.element = "f64*2";
  view.type = "hpk::complex<double>";
  view.space = "Host";
  view.element_bytes = 16;
  view.is_const = rank % 2 == 0;
  view.is_padded = rank % 2 == 1;
  view.has_handle = rank % 2 == 1;
  view.is_strided = rank != 3;
  view.rank = rank;
  view.span = 1000 + rank;
  for (int r = 0; r < rank; ++r) {
    view.extents[r] = 10 + r;
    view.strides[r] = -r;
  }
  view.offset = rank == 0 ? -1 : 8 * rank;
  view.object_bytes = 24;
  view.block = 1;
  view.block_offset = 128;
  view.before = bytes_of("before");
  view.after = bytes_of(rank == 2 ? "" : "after");
  return view;
}

captured_launch some_launch() {
  captured_launch launch;
  launch.version = "1.2.3";
  launch.compiler = "a compiler";
  launch.program = "app";
  launch.command = "app --size 3";
  launch.space = "OpenMP";
  launch.workers = 12;
  launch.pattern = "parallel_reduce";
  launch.label = "tab\t, line\n, zero";
  launch.label += '\0';
  launch.file = "solver.cpp";
  launch.function_type = "main()::<lambda(int)>";
  launch.tag = "second";
  launch.line = 99;
  launch.nth = 17;
  launch.number = ~std::uint64_t{0};
  launch.policy.count = 6;
  for (int k = 0; k < 6; ++k)
    launch.policy.values[k] =
        k == 2 ? std::numeric_limits<hpk::index_t>::min() : hpk::index_t{1} << (10 * k);
  launch.replay = captured_address{0, "/lib/app.so", 0x1234};
  launch.inspect = captured_address{0, "", 0x5678};
  launch.runs_alone = true;
  launch.modules = {{"", "0123-45"}, {"/lib/app.so", "67"}};
  launch.reason = "none";
  launch.kernel = bytes_of("the words of a kernel");
  launch.kernel_align = 64;
  launch.addresses = {{8, "/lib/app.so", 1}, {16, "", 2}};
  launch.blocks = {1, std::uint64_t{1} << 40};
  for (int rank = 0; rank <= hpk::seam::largest_rank; ++rank)
    launch.views.push_back(some_view("view " + std::to_string(rank), rank));
  launch.results = {some_view("", 0), some_view("sums", 1)};
  return launch;
}

void expect_equal(const captured_address& a, const captured_address& b) {
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.module, b.module);
  EXPECT_EQ(a.place, b.place);
}
void expect_equal(const captured_module& a, const captured_module& b) {
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.build, b.build);
}
void expect_equal(const captured_view& a, const captured_view& b) {
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.element, b.element);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.space, b.space);
  EXPECT_EQ(a.element_bytes, b.element_bytes);
  EXPECT_EQ(a.is_const, b.is_const);
  EXPECT_EQ(a.is_padded, b.is_padded);
  EXPECT_EQ(a.has_handle, b.has_handle);
  EXPECT_EQ(a.is_strided, b.is_strided);
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.span, b.span);
  EXPECT_TRUE(std::equal(a.extents, std::end(a.extents), b.extents));
  EXPECT_TRUE(std::equal(a.strides, std::end(a.strides), b.strides));
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.object_bytes, b.object_bytes);
  EXPECT_EQ(a.block, b.block);
  EXPECT_EQ(a.block_offset, b.block_offset);
  EXPECT_EQ(a.before, b.before);
  EXPECT_EQ(a.after, b.after);
}
template <class T>
void expect_equal(const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k != a.size(); ++k) expect_equal(a[k], b[k]);
}
void expect_equal(const captured_launch& a, const captured_launch& b) {
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.compiler, b.compiler);
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.command, b.command);
  EXPECT_EQ(a.space, b.space);
  EXPECT_EQ(a.workers, b.workers);
  EXPECT_EQ(a.pattern, b.pattern);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.file, b.file);
  EXPECT_EQ(a.function_type, b.function_type);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.line, b.line);
  EXPECT_EQ(a.nth, b.nth);
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.policy.count, b.policy.count);
  EXPECT_TRUE(std::equal(a.policy.values, std::end(a.policy.values), b.policy.values));
  expect_equal(a.replay, b.replay);
  expect_equal(a.inspect, b.inspect);
  EXPECT_EQ(a.runs_alone, b.runs_alone);
  expect_equal(a.modules, b.modules);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.kernel_align, b.kernel_align);
  expect_equal(a.addresses, b.addresses);
  EXPECT_EQ(a.blocks, b.blocks);
  expect_equal(a.views, b.views);
  expect_equal(a.results, b.results);
}

// The folder for the files of a test.
class CapturedLaunch : public testing::Test {
 protected:
  CapturedLaunch() {
    folder_ = std::filesystem::temp_directory_path() /
              ("hpk_captured_launch_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~CapturedLaunch() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string whole() const {
    EXPECT_EQ(write_capture(some_launch(), path("whole")), "");
    std::ifstream file(path("whole"), std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  }
  void expect_rejected(const std::string& content, const char* why) const {
    std::ofstream(path("wrong"), std::ios::binary) << content;
    hpk_test::expect_error([&] { read_capture(path("wrong")); },
                           {"HPK_REPLAY: the file '", path("wrong").c_str(), why});
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(CapturedLaunch, comes_back_whole) {
  ASSERT_EQ(write_capture(some_launch(), path("file")), "");
  expect_equal(read_capture(path("file")), some_launch());
  // Replaces another file, and contains no launch.
  ASSERT_EQ(write_capture(captured_launch(), path("file")), "");
  expect_equal(read_capture(path("file")), captured_launch());
}

// Files are written in blocks: data that ends anywhere in a block, and several full blocks.
TEST_F(CapturedLaunch, comes_back_whole_when_it_is_large) {
  for (const std::size_t bytes : {0, 1, 1023, 1024, 1 << 20, (1 << 20) + 1, 5'000'000}) {
    captured_launch launch = some_launch();
    std::vector<std::byte>& elements = launch.views[2].before;
    elements.resize(bytes);
    for (std::size_t k = 0; k != bytes; ++k) elements[k] = static_cast<std::byte>(k * k >> 7);
    ASSERT_EQ(write_capture(launch, path("file")), "");
    expect_equal(read_capture(path("file")), launch);
  }
}

TEST_F(CapturedLaunch, is_torn_wherever_its_file_ends) {
  const std::string all = whole();
  const std::size_t magic = std::string("hpk-capture 2\n").size();
  for (std::size_t size = magic; size < all.size(); size += 97)
    expect_rejected(all.substr(0, size), "is torn or was changed; capture the launch again");
  expect_rejected(all.substr(0, all.size() - 1), "is torn or was changed");
  expect_rejected(all + '\0', "is torn or was changed");
  expect_rejected(all + all, "is torn or was changed");
}

TEST_F(CapturedLaunch, shows_every_changed_byte) {
  const std::string all = whole();
  const std::size_t magic = std::string("hpk-capture 2\n").size();
  for (std::size_t at = magic; at < all.size(); at += at < 200 ? 1 : 97) {
    std::string changed = all;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    expect_rejected(changed, "is torn or was changed");
  }
}

TEST_F(CapturedLaunch, is_told_from_other_files) {
  for (const char* const other : {"", "h", "hpk-hash\t1\n", "hpk-captur", "text\nof several lines"})
    expect_rejected(other, "holds no captured launch; write HPK_CAPTURE=label:1:file to make one");
  const std::string all = whole();
  for (const char* const version :
       {"hpk-capture 1\n", "hpk-capture 3\n", "hpk-capture 20", "hpk-capture"})
    expect_rejected(version + all.substr(14),
                    "was written by another version of hpk; capture it again");
}

TEST_F(CapturedLaunch, of_a_path_that_is_no_file_is_an_error) {
  hpk_test::expect_error([&] { read_capture(path("none")); }, {"none' can't be read"});
  hpk_test::expect_error([&] { read_capture(path(".")); }, {"can't be read"});
  EXPECT_NE(write_capture(some_launch(), path("none/file")), "");
}

TEST(CapturedView, has_the_shape_and_elements_of_a_view) {
  const hpk::View<float**, hpk::LayoutLeft, hpk::HostSpace> all("all", 4, 3);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) all(i, j) = static_cast<float>(10 * i + j);
  }
  const hpk::View<const float*, hpk::LayoutStride, hpk::HostSpace> row =
      hpk::subview(all, 2, hpk::ALL);
  const auto facts = hpk_test::views_of(row);
  ASSERT_EQ(facts.size(), 1u);
  const captured_view found = hpk::detail::capture_view(facts[0]);
  EXPECT_EQ(found.label, "all");
  EXPECT_EQ(found.element, "f32");
  EXPECT_EQ(found.type, "float");
  EXPECT_EQ(found.element_bytes, 4u);
  EXPECT_TRUE(found.is_const);
  EXPECT_FALSE(found.is_padded);
  EXPECT_TRUE(found.is_strided);
  EXPECT_EQ(found.rank, 1);
  EXPECT_EQ(found.extents[0], 3);
  EXPECT_EQ(found.strides[0], 4);
  const float expected[] = {20, 21, 22};
  const auto elements = hpk::detail::capture_elements(facts[0]);
  ASSERT_EQ(elements.size(), sizeof expected);
  EXPECT_EQ(std::memcmp(elements.data(), expected, sizeof expected), 0);
}

TEST(CapturedLaunchName, is_its_label_or_its_functor) {
  captured_launch launch = some_launch();
  launch.label = "update";
  EXPECT_EQ(name_of(launch), "launch 17 of \"update\"");
  launch.label.clear();
  EXPECT_EQ(name_of(launch), "launch 17 of \"main()::<lambda(int)>\"");
}

}  // namespace
}  // namespace captured_launch_test
