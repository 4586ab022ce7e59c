// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configuration as text and as valid JSON: both state the same facts, among them every space
// and every option with its origin.
#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <map>
#include <sstream>
#include <string>

namespace hpk_test::configuration_cases {

// Reads the subset of JSON that the configuration uses: an object of objects of strings. Throws the
// position of the first syntax error.
class reader {
 public:
  using section = std::map<std::string, std::string>;
  explicit reader(const std::string& text) : text_(text) {}

  std::map<std::string, section> read() {
    std::map<std::string, section> all;
    object([&](const std::string& name) {
      object([&](const std::string& key) { all[name][key] = string(); });
    });
    space();
    if (at_ != text_.size()) throw at_;
    return all;
  }

 private:
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  char take() {
    space();
    if (at_ == text_.size()) throw at_;
    return text_[at_++];
  }
  void expect(char c) {
    if (take() != c) throw at_;
  }
  std::string string() {
    expect('"');
    std::string result;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) throw at_;
      if (text_[at_] == '\\') ++at_;
      result += text_[at_];
    }
    expect('"');
    return result;
  }
  template <class Member>
  void object(Member member) {
    expect('{');
    for (char next = ','; next == ',';) {
      const std::string key = string();
      expect(':');
      member(key);
      next = take();
      if (next != ',' && next != '}') throw at_;
    }
  }
  const std::string& text_;
  std::size_t at_ = 0;
};

TEST(Configuration, is_json_with_every_space_and_option) {
  const clean_environment none;
  const variable threads("HPK_NUM_THREADS", "1");
  const std::string json = hpk::configuration(hpk::configuration_format::json);
  auto all = reader(json).read();
  EXPECT_FALSE(all["hpk"]["version"].empty());
  EXPECT_TRUE(all["library"]["fibres"] == "Boost.Context" ||
              all["library"]["fibres"] == "ucontext");
  EXPECT_EQ(all["program"]["default execution space"],
            hpk::type_name<hpk::DefaultExecutionSpace>());
  // The tests are compiled with HPK_CHECKS=1.
  EXPECT_EQ(all["program"]["checks"], "on");
  EXPECT_NE(all["program"]["files that use hpk"], "0");
  EXPECT_EQ(all["settings"]["num-threads"], "1 (environment)");
  EXPECT_EQ(all["settings"]["pin-threads"], "false (default)");
  for (const char* option :
       {"num-threads", "device-id", "disable-warnings", "print-configuration", "pin-threads"})
    EXPECT_TRUE(all["settings"].contains(option)) << option;
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [&](auto space) {
    using Exec = typename decltype(space)::type;
    // GPUs report their device instead.
    if constexpr (hpk_test::is_on_cpu<Exec>) {
      EXPECT_TRUE(contains(all[Exec::name()]["workers"],
                           std::to_string(Exec().instance().properties().workers)));
    }
  });
  EXPECT_EQ(all["environment"]["HPK_NUM_THREADS"], "1");
  for (const char* fact : {"commit", "tools", "system"})
    EXPECT_FALSE(all["hpk"][fact].empty()) << fact;
  for (const char* fact :
       {"compiler", "flags", "checks", "C++", "hwloc", "default execution space"})
    EXPECT_FALSE(all["library"][fact].empty()) << fact;
  for (const char* fact : {"optimisation", "NDEBUG"})
    EXPECT_FALSE(all["program"][fact].empty()) << fact;
  EXPECT_EQ(all.size(), 5 + hpk::detail::enabled_spaces::size);
}

TEST(Configuration, says_the_same_as_text) {
  const std::string json = hpk::configuration(hpk::configuration_format::json);
  const std::string text = hpk::configuration();
  for (const auto& [name, section] : reader(json).read()) {
    EXPECT_TRUE(contains(text, name + "\n"));
    for (const auto& [key, value] : section)
      EXPECT_TRUE(contains(text, "  " + key + ": " + value + "\n"));
  }
  std::ostringstream out;
  hpk::print_configuration(out);
  EXPECT_EQ(out.str(), text);
}

}  // namespace hpk_test::configuration_cases
