// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies words: numbers, addresses of constants or variables of a module, or addresses of
// memory.
#include <hpk/recording/program_image.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace program_image_test {

// External linkage, so that the compiler does not move them.
int global_variable = 3;
int global_zeros[100];
extern const int global_constant;
const int global_constant = 17;
const char* const literal = "a literal";
int some_function(int i) { return i + global_constant; }
thread_local int of_thread = 0;

struct shape {
  virtual int area() const { return 1; }
  virtual ~shape() = default;
};

namespace {

using hpk::detail::known_word;
using hpk::detail::program_image;
using hpk::detail::word_kind;

template <class T>
std::uint64_t word_of(T* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

// Expects that the address of a place in a module is restored, by this image and by a later one.
void expect_place(std::uint64_t word, word_kind kind, const char* what) {
  const program_image image;
  const known_word found = image.find(word);
  EXPECT_EQ(found.kind, kind) << what;
  EXPECT_EQ(image.address_of(found.module, found.place), word) << what;
  EXPECT_EQ(program_image().address_of(found.module, found.place), word) << what;
}

TEST(ProgramImage, knows_places_in_the_program) {
  const auto square = std::make_unique<shape>();
  const std::uint64_t table = *reinterpret_cast<const std::uint64_t*>(square.get());
  expect_place(word_of(&some_function), word_kind::constant, "a function");
  expect_place(word_of(literal), word_kind::constant, "a literal");
  expect_place(word_of(literal + 3), word_kind::constant, "its inside");
  expect_place(word_of(&global_constant), word_kind::constant, "a constant");
  expect_place(table, word_kind::constant, "a table of virtual functions");
  expect_place(word_of(&global_variable), word_kind::variable, "a variable");
  expect_place(word_of(&global_zeros[50]), word_kind::variable, "a variable that begins as 0");
}

TEST(ProgramImage, knows_places_in_shared_libraries) {
  void* const function = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
  ASSERT_NE(function, nullptr);
  expect_place(word_of(static_cast<char*>(function)), word_kind::constant, "a function");
  const program_image image;
  const known_word found = image.find(word_of(static_cast<char*>(function)));
  EXPECT_NE(found.module, "");
  EXPECT_NE(found.module, image.find(word_of(&some_function)).module);
}

TEST(ProgramImage, knows_memory_that_is_in_no_module) {
  const auto heap = std::make_unique<int[]>(1000);
  const std::vector<double> large(1 << 20);
  int on_stack = 0;
  const program_image image;
  for (const std::uint64_t word :
       {word_of(heap.get()), word_of(&large[1 << 19]), word_of(&on_stack), word_of(&of_thread)}) {
    const known_word found = image.find(word);
    EXPECT_EQ(found.kind, word_kind::memory);
    EXPECT_EQ(found.module, "");
    EXPECT_EQ(found.place, 0u);
  }
}

TEST(ProgramImage, takes_no_number_for_an_address) {
  const program_image image;
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffffffff}, std::uint64_t{1} << 63,
        ~std::uint64_t{0}, std::uint64_t{0x3ff0000000000000}, std::uint64_t{1} << 32})
    EXPECT_EQ(image.find(number).kind, word_kind::number) << number;
}

TEST(ProgramImage, has_no_address_of_what_is_not_there) {
  const program_image image;
  EXPECT_EQ(image.address_of("/no/such/library.so", 100), 0u);
  const known_word found = image.find(word_of(&some_function));
  EXPECT_EQ(image.address_of(found.module, std::uint64_t{1} << 60), 0u);
  EXPECT_EQ(image.build_of("/no/such/library.so"), "");
}

TEST(ProgramImage, knows_what_can_be_written) {
  const program_image image;
  const auto heap = std::make_unique<int[]>(1 << 20);
  const program_image later;
  EXPECT_TRUE(later.is_writable(heap.get(), 4 << 20));
  EXPECT_TRUE(image.is_writable(&global_zeros, sizeof global_zeros));
  EXPECT_FALSE(image.is_writable(&global_constant, sizeof global_constant));
  EXPECT_FALSE(image.is_writable(literal, 9));
  EXPECT_FALSE(image.is_writable(nullptr, 1));
  EXPECT_TRUE(image.is_writable(literal, 0));
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const pages = static_cast<std::byte*>(
      mmap(nullptr, 3 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(mprotect(pages + size, size, PROT_READ), 0);
  const program_image now;
  EXPECT_TRUE(now.is_writable(pages, size));
  EXPECT_FALSE(now.is_writable(pages, size + 1));
  EXPECT_FALSE(now.is_writable(pages + size, 8));
  EXPECT_TRUE(now.is_writable(pages + 2 * size, size));
  munmap(pages, 3 * size);
}

std::string module_of(const char* function) {
  void* const address = dlsym(RTLD_DEFAULT, function);
  return program_image().find(reinterpret_cast<std::uintptr_t>(address)).module;
}

TEST(ProgramImage, has_a_number_of_the_build_of_each_module) {
  const std::string program = program_image().find(word_of(&some_function)).module;
  const std::string c_library = module_of("gnu_get_libc_version");
  const std::string math_library =
      program_image().find(word_of(static_cast<double (*)(double)>(&::tgamma))).module;
  const program_image image;
  const std::string build = image.build_of(program);
  EXPECT_NE(build, "");
  EXPECT_EQ(build, program_image().build_of(program));
  EXPECT_NE(image.build_of(c_library), "");
  EXPECT_NE(image.build_of(c_library), build);
  if (math_library != program && math_library != c_library) {
    EXPECT_NE(image.build_of(math_library), image.build_of(c_library));
    EXPECT_NE(image.build_of(math_library), "");
  }
}

}  // namespace
}  // namespace program_image_test
