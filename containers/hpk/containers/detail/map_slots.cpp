// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of buckets of an UnorderedMap, and the texts of its errors.
#include <hpk/containers/detail/map_slots.hpp>

namespace hpk::detail {

namespace {

bool is_prime(std::uint64_t n) {
  if (n % 2 == 0) return n == 2;
  for (std::uint64_t d = 3; d * d <= n; d += 2) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

error_message message(std::string_view label) {
  error_message text;
  text << "hpk::UnorderedMap";
  if (!label.empty()) text << " \"" << label << '"';
  return std::move(text << ": ");
}

}  // namespace

std::uint64_t map_buckets_for(std::uint64_t slots, int slots_per_bucket, std::string_view label,
                              const std::source_location& where) {
  constexpr std::uint64_t largest = 0xfffffffbu;  // a prime
  const auto each = static_cast<std::uint64_t>(slots_per_bucket);
  if (slots > largest * each) {
    hpk::raise(message(label) << slots << " slots are more than the limit for a map, "
                              << largest * each << "; make it for fewer keys",
               where);
  }
  std::uint64_t buckets = (slots + each - 1) / each;
  if (buckets < 2) return 1;
  while (!is_prime(buckets)) ++buckets;
  return buckets;
}

void reject_map_copy(std::string_view to, std::uint64_t to_slots, std::string_view from,
                     std::uint64_t from_slots, const std::source_location& where) {
  hpk::raise(message(to) << "deep_copy to a map of " << to_slots << " slots from \"" << from
                         << "\", which has " << from_slots
                         << "; write to.create_copy_view(from), which allocates, or make `to` by "
                            "create_mirror(from)",
             where);
}

void reject_map_slot(std::uint64_t slot, std::uint64_t slots) {
  hpk::raise(error_message() << "hpk::UnorderedMap: slot " << slot << " is not below the capacity, "
                             << slots
                             << "; compare the result of find with UnorderedMapInvalidIndex");
}

void reject_const_map(std::string_view label, const std::source_location& where) {
  hpk::raise(message(label) << "a map of const keys shares the entries of another; make an "
                               "UnorderedMap<Key, Value> and assign it",
             where);
}

void reject_failed_insert(std::string_view label, std::uint64_t size, std::uint64_t slots,
                          const std::source_location& where) {
  hpk::raise(
      message(label) << "an insert failed: the map holds " << size << " keys in " << slots
                     << " slots, and no slot was left; call rehash(n) with more keys and insert "
                        "again, or call insert_all(keys), which grows"
                     << (size < slots ? "; slots of erased keys are used again after "
                                        "reclaim_erased()"
                                      : ""),
      where);
}

void reject_map_views(std::string_view label, std::string_view what, std::uint64_t keys,
                      std::uint64_t other_extent, const std::source_location& where) {
  hpk::raise(message(label) << keys << " keys, but " << other_extent << ' ' << what
                            << "; pass Views of the same extent",
             where);
}

}  // namespace hpk::detail
