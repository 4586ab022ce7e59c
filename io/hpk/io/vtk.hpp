// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as images in files of VTK, which ParaView and VisIt show: write_vtk. Each file is written
// through a FileReplacement, so a reader sees the old file or the new one.
#pragma once

#include <hpk/io/detail/elements.hpp>

#include <initializer_list>
#include <source_location>
#include <string>
#include <type_traits>

namespace hpk {

/// Which index of a View is x. The last dimension of vectors does not count.
enum class VtkOrder {
  xyz,  ///< the first index is x, the second y, the third z
  zyx   ///< the last index is x, as in pictures
};

/// Place and form of a file of VTK.
struct VtkOptions {
  double origin[3] = {0, 0, 0};   ///< the point of the first element: x, y, z
  double spacing[3] = {1, 1, 1};  ///< the distances between points: x, y, z
  bool binary = true;             ///< false: numbers as text
  /// Which index of the Views is x; the default is the first.
  VtkOrder order = VtkOrder::xyz;
};

/// An array in a file of VTK: the argument of write_vtk. Made from a View of numbers, or by
/// vtk_vectors. Refers to the View, so that it must not outlive the call of write_vtk.
class VtkArray {
 public:
  /// Numbers: one element is one point.
  template <detail::printable V>
    requires(!std::is_same_v<V, VtkArray>)
  VtkArray(const V& view) : VtkArray(view, false) {}

  /// @cond internal
  const detail::elements& elements() const { return elements_; }
  /// @endcond
  /// Whether the elements of the last dimension are the components of a vector.
  bool has_vectors() const { return has_vectors_; }

 private:
  template <class V>
  VtkArray(const V& view, bool has_vectors)
      : elements_(detail::elements_of(view)), has_vectors_(has_vectors) {
    static_assert(
        detail::number_kind_of<detail::value_of_elements<V>>() != detail::number_kind::none,
        "hpk::write_vtk: the elements are no numbers; copy each part to a View of numbers, or the "
        "parts of vectors to a View with a last extent of 3");
  }
  template <detail::printable V>
  friend VtkArray vtk_vectors(const V& view);

  detail::elements elements_;
  bool has_vectors_;
};

/// An array of vectors: the last dimension of the View, of extent 3, has the components x, y and z.
/// `hpk::write_vtk("flow.vti", hpk::vtk_vectors(velocity))` with View<double***[3]> velocity.
template <detail::printable V>
VtkArray vtk_vectors(const V& view) {
  return VtkArray(view, true);
}

/// Writes Views with the same extents as the arrays of one image: `hpk::write_vtk("t.vti", {t, p,
/// hpk::vtk_vectors(v)}, {.spacing = {0.1, 0.1, 0.1}})`. The name of an array is the label of its
/// View; an empty label becomes "values".
///
/// The end of the path chooses the format: .vti is XML ImageData, .vtk is the legacy format with
/// STRUCTURED_POINTS. Views have rank 1 to 3, of any layout and memory space; the first index is x,
/// unless the options say zyx. half_t is written as float, long double as double, bool as unsigned
/// char.
///
/// Throws hpk::error with path, label, extents and call site if the path ends otherwise, there are
/// no points, extents differ, two Views have the same label, or the file can't be written; the old
/// file is then unchanged.
void write_vtk(const std::string& path, std::initializer_list<VtkArray> arrays,
               const VtkOptions& options = {},
               const std::source_location& where = std::source_location::current());
/// Writes one View.
void write_vtk(const std::string& path, const VtkArray& array, const VtkOptions& options = {},
               const std::source_location& where = std::source_location::current());

}  // namespace hpk
