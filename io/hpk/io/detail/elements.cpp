// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/io/detail/elements.hpp>
#include <hpk/io/detail/numbers.hpp>

namespace hpk::detail {

index_t elements::size() const {
  index_t product = 1;
  for (int r = 0; r < rank; ++r) product *= extents[r];
  return product;
}
const void* elements::at(const index_t* index) const {
  index_t offset = 0;
  for (int r = 0; r < rank; ++r) offset += index[r] * strides[r];
  return static_cast<const char*>(data) + offset * static_cast<index_t>(element_size);
}
std::string elements::name() const {
  error_message text;
  text << "View \"" << label << "\" [";
  for (int r = 0; r < rank; ++r) {
    if (r != 0) text << ", ";
    if (begins[r] != 0)
      text << begins[r] << ':' << begins[r] + extents[r];
    else
      text << extents[r];
  }
  return (text << ']').str();
}

elements on_host(const elements& all) {
  if (all.copy == nullptr || all.data == nullptr) return all;
  const index_t begins[max_rank] = {};
  return all.copy(all, begins, all.extents);
}

void read_numbers(number_kind kind, const void* first, index_t stride, index_t count,
                  double* into) {
  with_type_of(kind, [&]<class T>(T) {
    const T* const numbers = static_cast<const T*>(first);
    for (index_t k = 0; k < count; ++k) into[k] = static_cast<double>(numbers[k * stride]);
  });
}

void fail(const file_place& place, std::string_view why) {
  hpk::raise(error_message() << place.function << ": file \"" << place.path << "\", " << place.about
                             << ": " << why,
             place.where);
}

output_file::output_file(const file_place& place) : place_(place) {
  const std::string fault = file_.begin(place.path);
  if (!fault.empty()) fail(place_, fault);
}
void output_file::write(const void* bytes, std::size_t count) {
  const std::string fault = file_.write(bytes, count);
  if (!fault.empty()) fail(place_, fault);
}
void output_file::commit() {
  const std::string fault = file_.commit();
  if (!fault.empty()) fail(place_, fault);
}

}  // namespace hpk::detail
