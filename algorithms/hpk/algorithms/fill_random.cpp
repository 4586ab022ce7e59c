// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/fill_random.hpp>

namespace hpk::detail {

namespace {

template <class N>
[[noreturn]] void reject(const std::string& label, N begin, N end, const char* advice,
                         const std::source_location& where) {
  hpk::raise(error_message() << "hpk::fill_random: View \"" << label << "\", numbers from ["
                             << begin << ", " << end << "): no number can be drawn; " << advice,
             where);
}

constexpr const char* integer_advice = "write an end above the begin, or a range above 0";

}  // namespace

void reject_fill_integers(const std::string& label, long long begin, long long end,
                          const std::source_location& where) {
  reject(label, begin, end, integer_advice, where);
}
void reject_fill_integers(const std::string& label, unsigned long long begin,
                          unsigned long long end, const std::source_location& where) {
  reject(label, begin, end, integer_advice, where);
}
void reject_fill(const std::string& label, double begin, double end,
                 const std::source_location& where) {
  reject(label, begin, end, "write finite bounds, the begin not above the end", where);
}

}  // namespace hpk::detail
