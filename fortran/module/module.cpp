// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of module hpk (hpk_c.f90) that need descriptors of arrays, or handles. All others
// are those of <hpk/c/hpk.h>.
#include "element_type.hpp"
#include "handles.hpp"

#include <hpk/error.hpp>

#include <hpk/c/call.hpp>
#include <hpk/fortran/array.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

extern "C" [[noreturn]] void hpk_fortran_error_stop(const char* text, std::size_t length);

namespace hpk::detail::fortran {

namespace {

[[noreturn]] void fail(hpk_status status, const error_message& message) {
  throw argument_error(status, message.str());
}

// Calls f(), which returns an hpk_status or nothing. Exceptions become the status and
// hpk_last_error().
template <class F>
hpk_status guarded(F&& f) noexcept {
  try {
    return f();
  } catch (const argument_error& e) {
    return hpk_set_last_error(e.status(), e.what());
  } catch (...) {
    return call_from_c([] { throw; });
  }
}

hpk_view* view_of(const hpk_fortran_handle* handle, const char* name) {
  return static_cast<hpk_view*>(object_of(*handle, name));
}

// Text for messages: View "label".
error_message& operator<<(error_message& message, const hpk_view_info& info) {
  return message << "View \"" << info.label << "\"";
}

// Runs f(view), where a view wraps the array.
template <class F>
hpk_status with_array(const CFI_cdesc_t* from, bool is_argument, int read_only, const char* label,
                      F&& f) {
  hpk_type type{};
  int rank = 0;
  array found = read_any_array(from, is_argument, type, rank);
  hpk_view* view = nullptr;
  const hpk_status status = hpk_view_wrap(type, rank, found.extents, found.strides, "Host",
                                          found.data, read_only, label, nullptr, nullptr, &view);
  return status == HPK_OK ? f(view) : status;
}

void take_view(hpk_view* view, hpk_fortran_handle* handle) {
  hpk_fortran_handle made{};
  make_handle(
      std::shared_ptr<void>(view, [](void* v) { hpk_view_release(static_cast<hpk_view*>(v)); }),
      made);
  hpk_fortran_release(handle);
  *handle = made;
}

// Scalars arrive as descriptors of rank 0.

element_type scalar_type(const CFI_cdesc_t* d, const char* function) {
  if (d == nullptr || d->base_addr == nullptr || d->rank != 0)
    fail(HPK_INVALID_ARGUMENT, error_message() << function << ": the number is not a scalar");
  const element_type type = element_type_of(*d);
  if (type.number == 0)
    fail(HPK_TYPE_MISMATCH, error_message() << function << ": hpk has no numbers of this type ("
                                            << type.size << " bytes)");
  return type;
}

template <class T>
T load(const CFI_cdesc_t* d) {
  T value;
  std::memcpy(&value, d->base_addr, sizeof value);
  return value;
}

hpk_scalar load_scalar(const CFI_cdesc_t* d) {
  const int type = scalar_type(d, "hpk_fill").number;
  hpk_scalar s{};
  s.type = static_cast<hpk_type>(type);
  switch (type) {
    case HPK_TYPE_BOOL:
      s.i = load<bool>(d) ? 1 : 0;
      break;
    case HPK_TYPE_INT8:
      s.i = load<std::int8_t>(d);
      break;
    case HPK_TYPE_INT16:
      s.i = load<std::int16_t>(d);
      break;
    case HPK_TYPE_INT32:
      s.i = load<std::int32_t>(d);
      break;
    case HPK_TYPE_INT64:
      s.i = load<std::int64_t>(d);
      break;
    case HPK_TYPE_FLOAT32:
      s.f = load<float>(d);
      break;
    case HPK_TYPE_FLOAT64:
      s.f = load<double>(d);
      break;
    case HPK_TYPE_COMPLEX64:
      s.f = load<std::complex<float>>(d).real();
      s.imag = load<std::complex<float>>(d).imag();
      break;
    default:
      s.f = load<std::complex<double>>(d).real();
      s.imag = load<std::complex<double>>(d).imag();
  }
  return s;
}

bool is_real(int type) { return type >= HPK_TYPE_FLOAT16 && type <= HPK_TYPE_FLOAT64; }
bool is_complex(int type) { return type == HPK_TYPE_COMPLEX64 || type == HPK_TYPE_COMPLEX128; }
bool is_unsigned(int type) { return type >= HPK_TYPE_UINT8 && type <= HPK_TYPE_UINT64; }

template <class T>
void store(CFI_cdesc_t* d, T value) {
  std::memcpy(d->base_addr, &value, sizeof value);
}

template <class T>
void store_integer(CFI_cdesc_t* d, const hpk_scalar& s, const char* function) {
  const bool fits =
      is_unsigned(s.type)
          ? s.u <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())
          : s.i >= std::numeric_limits<T>::min() && s.i <= std::numeric_limits<T>::max();
  if (!fits) {
    error_message message;
    message << function << ": the result ";
    if (is_unsigned(s.type)) {
      message << s.u;
    } else {
      message << s.i;
    }
    fail(HPK_TYPE_MISMATCH, message << " does not fit an integer of " << sizeof(T) << " bytes");
  }
  store(d, static_cast<T>(is_unsigned(s.type) ? static_cast<std::int64_t>(s.u) : s.i));
}

// Stores a result in a variable of another type, as an assignment does that loses nothing but
// digits.
void store_scalar(CFI_cdesc_t* d, const hpk_scalar& s, const char* function) {
  const int type = scalar_type(d, function).number;
  const double real = is_real(s.type) || is_complex(s.type) ? s.f
                      : is_unsigned(s.type)                 ? static_cast<double>(s.u)
                                                            : static_cast<double>(s.i);
  const bool is_integer = !is_real(s.type) && !is_complex(s.type);
  const bool to_integer = type >= HPK_TYPE_INT8 && type <= HPK_TYPE_INT64;
  if ((to_integer && (!is_integer || s.type == HPK_TYPE_BOOL)) ||
      (is_real(type) && is_complex(s.type)) || (type == HPK_TYPE_BOOL) != (s.type == HPK_TYPE_BOOL))
    fail(HPK_TYPE_MISMATCH, error_message() << function << ": the result is a "
                                            << hpk_type_name(s.type) << ", which the variable, a "
                                            << type_text(type) << ", does not hold");
  switch (type) {
    case HPK_TYPE_BOOL:
      store(d, s.i != 0 || s.u != 0);
      break;
    case HPK_TYPE_INT8:
      store_integer<std::int8_t>(d, s, function);
      break;
    case HPK_TYPE_INT16:
      store_integer<std::int16_t>(d, s, function);
      break;
    case HPK_TYPE_INT32:
      store_integer<std::int32_t>(d, s, function);
      break;
    case HPK_TYPE_INT64:
      store_integer<std::int64_t>(d, s, function);
      break;
    case HPK_TYPE_FLOAT32:
      store(d, static_cast<float>(real));
      break;
    case HPK_TYPE_FLOAT64:
      store(d, real);
      break;
    case HPK_TYPE_COMPLEX64:
      store(d, std::complex<float>(static_cast<float>(real), static_cast<float>(s.imag)));
      break;
    default:
      store(d, std::complex<double>(real, s.imag));
  }
}

}  // namespace

void report_exception(const char* name, std::string_view argument, int* stat,
                      CFI_cdesc_t* errmsg) noexcept {
  const hpk_status status = guarded([]() -> hpk_status { throw; });
  try {
    std::string text(name);
    if (!argument.empty()) text.append(": argument ").append(argument);
    text.append(text.empty() ? "" : ": ").append(hpk_last_error());
    if (stat == nullptr) hpk_fortran_error_stop(text.data(), text.size());
    *stat = status;
    write_text(errmsg, text);
  } catch (...) {
    if (stat == nullptr) hpk_fortran_error_stop("out of memory", 13);
    *stat = HPK_OUT_OF_MEMORY;
    write_text(errmsg, "out of memory");
  }
}

}  // namespace hpk::detail::fortran

using namespace hpk::detail::fortran;
using hpk::error_message;

// Sets `view` to the C view of a handle, which stays its owner. `name` is that of the procedure.
extern "C" hpk_status hpk_fortran_view_of(const hpk_fortran_handle* handle, const char* name,
                                          hpk_view** view) {
  return guarded([&] {
    *view = view_of(handle, (std::string(name) + ": the view").c_str());
    return HPK_OK;
  });
}

extern "C" hpk_status hpk_fortran_instance_of(const hpk_fortran_handle* handle, const char* name,
                                              hpk_instance** instance) {
  return guarded([&] {
    *instance = static_cast<hpk_instance*>(
        object_of(*handle, (std::string(name) + ": the instance").c_str()));
    return HPK_OK;
  });
}

// Replaces the object of a handle by a view, whose reference it takes over.
extern "C" hpk_status hpk_fortran_take_view(hpk_view* view, hpk_fortran_handle* handle) {
  return guarded([&] {
    take_view(view, handle);
    return HPK_OK;
  });
}

extern "C" hpk_status hpk_fortran_create_instance(const char* space, int is_default,
                                                  hpk_fortran_handle* handle) {
  return guarded([&] {
    hpk_instance* instance = nullptr;
    const hpk_status status = hpk_instance_create(space, is_default, &instance);
    if (status != HPK_OK) return status;
    hpk_fortran_handle made{};
    make_handle(std::shared_ptr<void>(
                    instance, [](void* i) { hpk_instance_destroy(static_cast<hpk_instance*>(i)); }),
                made);
    hpk_fortran_release(handle);
    *handle = made;
    return HPK_OK;
  });
}

extern "C" hpk_status hpk_fortran_wrap(const CFI_cdesc_t* from, int read_only, const char* label,
                                       hpk_fortran_handle* handle) {
  return guarded([&] {
    return with_array(from, false, read_only, label, [&](hpk_view* view) {
      take_view(view, handle);
      return HPK_OK;
    });
  });
}

// Makes the pointer p point to the elements of a view; to nothing after an error.
extern "C" hpk_status hpk_fortran_pointer(const hpk_fortran_handle* handle, CFI_cdesc_t* p,
                                          int read_only) {
  p->base_addr = nullptr;
  return guarded([&] {
    const hpk_view_info& info = *hpk_view_get_info(view_of(handle, "hpk_pointer: the view"));
    const auto refuse = [&](hpk_status status, const error_message& why) {
      error_message message;
      message << "hpk_pointer: " << info << " " << why.str();
      fail(status, message);
    };
    if (info.host_accessible == 0)
      refuse(HPK_TYPE_MISMATCH, error_message() << "is in memory of " << info.space
                                                << ", which host code can't access; make a mirror "
                                                   "by hpk_mirror");
    if (info.read_only != 0 && read_only == 0)
      refuse(HPK_TYPE_MISMATCH, error_message() << "is read-only; write read_only=.true. for a "
                                                   "pointer through which nothing is written");
    if (element_type_of(*p).number != info.type)
      refuse(HPK_TYPE_MISMATCH, error_message() << "has elements of " << hpk_type_name(info.type)
                                                << "; the pointer is a "
                                                << type_text(element_type_of(*p).number));
    if (p->rank != info.rank)
      refuse(HPK_TYPE_MISMATCH, error_message() << "has rank " << info.rank
                                                << "; the pointer has rank " << int{p->rank});
    // A pointer to no elements is associated too.
    static double nowhere[2];
    p->base_addr = info.data == nullptr ? nowhere : info.data;
    for (int r = 0; r != info.rank; ++r) {
      p->dim[r].lower_bound = 1;
      p->dim[r].extent = info.extents[r];
      p->dim[r].sm = info.strides[r] * static_cast<CFI_index_t>(p->elem_len);
    }
    return HPK_OK;
  });
}

extern "C" hpk_status hpk_fortran_copy_to_view(const hpk_fortran_handle* to,
                                               const CFI_cdesc_t* from) {
  return guarded([&] {
    hpk_view* const target = view_of(to, "hpk_deep_copy: the view");
    return with_array(from, true, 1, "array", [&](hpk_view* source) {
      const hpk_status status = hpk_view_deep_copy(target, source);
      hpk_view_release(source);
      return status;
    });
  });
}

extern "C" hpk_status hpk_fortran_copy_to_array(CFI_cdesc_t* to, const hpk_fortran_handle* from) {
  return guarded([&] {
    hpk_view* const source = view_of(from, "hpk_deep_copy: the view");
    return with_array(to, true, 0, "array", [&](hpk_view* target) {
      const hpk_status status = hpk_view_deep_copy(target, source);
      hpk_view_release(target);
      return status;
    });
  });
}

extern "C" hpk_status hpk_fortran_fill(const hpk_view* view, const CFI_cdesc_t* value,
                                       const hpk_instance* on) {
  return guarded([&] {
    const hpk_scalar scalar = load_scalar(value);
    return hpk_view_fill(view, &scalar, on);
  });
}

// `name` is that of the procedure, for errors.
extern "C" hpk_status hpk_fortran_reduce(const hpk_view* view, const char* operation,
                                         const hpk_instance* on, CFI_cdesc_t* result,
                                         const char* name) {
  return guarded([&] {
    hpk_scalar scalar{};
    const hpk_status status = hpk_reduce(view, operation, on, &scalar);
    if (status == HPK_OK) store_scalar(result, scalar, name);
    return status;
  });
}

extern "C" hpk_status hpk_fortran_dot(const hpk_view* x, const hpk_view* y, const hpk_instance* on,
                                      CFI_cdesc_t* result) {
  return guarded([&] {
    hpk_scalar scalar{};
    const hpk_status status = hpk_dot(x, y, on, &scalar);
    if (status == HPK_OK) store_scalar(result, scalar, "hpk_dot_product");
    return status;
  });
}

// The length of a text of C, 0 for null; and its characters.
extern "C" std::size_t hpk_fortran_text_length(const char* text) {
  return text == nullptr ? 0 : std::strlen(text);
}
extern "C" void hpk_fortran_copy_text(char* to, const char* from, std::size_t length) {
  if (length != 0) std::memcpy(to, from, length);
}

// Copies hpk_last_error(), cut or padded with blanks.
extern "C" void hpk_fortran_last_error(CFI_cdesc_t* text) { write_text(text, hpk_last_error()); }
