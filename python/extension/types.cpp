// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types and numbers: names, formats of the buffer protocol, type strings of numpy, and the
// numbers of Python and numpy as scalars of the C interface.
#include "view.hpp"

#include <cmath>
#include <cstring>

namespace hpk_python {

namespace {

struct type_row {
  hpk_type type;
  const char* format;
  const char* type_string;
};
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HPK_PYTHON_ORDER "<"
#else
#define HPK_PYTHON_ORDER ">"
#endif
constexpr type_row rows[] = {{HPK_TYPE_BOOL, "?", "|b1"},
                             {HPK_TYPE_INT8, "b", "|i1"},
                             {HPK_TYPE_INT16, "h", HPK_PYTHON_ORDER "i2"},
                             {HPK_TYPE_INT32, "i", HPK_PYTHON_ORDER "i4"},
                             {HPK_TYPE_INT64, "q", HPK_PYTHON_ORDER "i8"},
                             {HPK_TYPE_UINT8, "B", "|u1"},
                             {HPK_TYPE_UINT16, "H", HPK_PYTHON_ORDER "u2"},
                             {HPK_TYPE_UINT32, "I", HPK_PYTHON_ORDER "u4"},
                             {HPK_TYPE_UINT64, "Q", HPK_PYTHON_ORDER "u8"},
                             {HPK_TYPE_FLOAT16, "e", HPK_PYTHON_ORDER "f2"},
                             {HPK_TYPE_BFLOAT16, nullptr, nullptr},
                             {HPK_TYPE_FLOAT32, "f", HPK_PYTHON_ORDER "f4"},
                             {HPK_TYPE_FLOAT64, "d", HPK_PYTHON_ORDER "f8"},
                             {HPK_TYPE_COMPLEX64, "Zf", HPK_PYTHON_ORDER "c8"},
                             {HPK_TYPE_COMPLEX128, "Zd", HPK_PYTHON_ORDER "c16"}};

// The type of a kind ('i', 'u', 'f', 'c', 'b') and a size in bytes; 0 if there is none.
hpk_type type_of_kind(char kind, Py_ssize_t size) {
  for (const type_row& row : rows) {
    if (row.type_string != nullptr && row.type_string[1] == kind &&
        static_cast<Py_ssize_t>(hpk_type_size(row.type)) == size)
      return row.type;
  }
  return hpk_type(0);
}

void set_byte_order_error(const char* text) {
  PyErr_Format(
      PyExc_ValueError,
      "hpk: elements of type '%s' have the byte order of another machine; convert them, in "
      "numpy by x.astype(x.dtype.newbyteorder('='))",
      text);
}

void set_type_error(const char* text) {
  PyErr_Format(PyExc_TypeError,
               "hpk: elements of type '%s' are not supported; write bool, int8 to int64, uint8 to "
               "uint64, float16, bfloat16, float32, float64, complex64 or complex128",
               text);
}

hpk_type type_of_text(const char* text) {
  for (int t = HPK_TYPE_BOOL; t <= HPK_TYPE_COMPLEX128; ++t) {
    if (std::strcmp(text, hpk_type_name(hpk_type(t))) == 0) return hpk_type(t);
  }
  // A type string of numpy.
  if (std::strchr("<>=|", text[0]) != nullptr && text[0] != '\0' && text[1] != '\0') {
    Py_ssize_t size = 0;
    const char* digit = text + 2;
    for (; *digit >= '0' && *digit <= '9' && size < 1000; ++digit)
      size = 10 * size + (*digit - '0');
    const hpk_type type = *digit == '\0' ? type_of_kind(text[1], size) : hpk_type(0);
    if (type != 0) {
      if (size > 1 && (text[0] == '<' || text[0] == '>') && text[0] != HPK_PYTHON_ORDER[0]) {
        set_byte_order_error(text);
        return hpk_type(0);
      }
      return type;
    }
  }
  set_type_error(text);
  return hpk_type(0);
}

struct utf8 {
  explicit utf8(PyObject* text) : bytes(PyUnicode_AsUTF8AndSize(text, nullptr)) {}
  const char* bytes;
};

}  // namespace

const char* format_of(hpk_type type) { return rows[type - 1].format; }
const char* type_string_of(hpk_type type) { return rows[type - 1].type_string; }

hpk_type type_of_format(const char* format, Py_ssize_t item_size) {
  const char* code = format == nullptr ? "B" : format;
  if (*code == '@' || *code == '=' || *code == '<' || *code == '>' || *code == '!') {
    const char order = *code == '!' ? '>' : *code;
    if ((order == '<' || order == '>') && order != HPK_PYTHON_ORDER[0] && item_size > 1) {
      set_byte_order_error(format);
      return hpk_type(0);
    }
    ++code;
  }
  char kind = 0;
  if (code[0] == 'Z' && code[1] != '\0' && std::strchr("fd", code[1]) != nullptr &&
      code[2] == '\0') {
    kind = 'c';
  } else if (code[0] != '\0' && code[1] == '\0') {
    if (code[0] == '?') kind = 'b';
    if (std::strchr("bhilqn", code[0]) != nullptr) kind = 'i';
    if (std::strchr("BHILQN", code[0]) != nullptr) kind = 'u';
    if (std::strchr("efd", code[0]) != nullptr) kind = 'f';
  }
  const hpk_type type = type_of_kind(kind, item_size);
  if (type == 0) set_type_error(format);
  return type;
}

hpk_type type_of(PyObject* object) {
  if (object == reinterpret_cast<PyObject*>(&PyFloat_Type)) return HPK_TYPE_FLOAT64;
  if (object == reinterpret_cast<PyObject*>(&PyLong_Type)) return HPK_TYPE_INT64;
  if (object == reinterpret_cast<PyObject*>(&PyBool_Type)) return HPK_TYPE_BOOL;
  if (object == reinterpret_cast<PyObject*>(&PyComplex_Type)) return HPK_TYPE_COMPLEX128;
  ref text = ref::of(object);
  if (!PyUnicode_Check(object)) {
    // A dtype of numpy, or a type of numpy such as numpy.float32.
    text = ref(PyObject_GetAttrString(object, "str"));
    if (!text) {
      PyErr_Clear();
      text = ref(PyObject_GetAttrString(object, "__name__"));
    }
    if (!text || !PyUnicode_Check(text.get())) {
      PyErr_Format(PyExc_TypeError,
                   "hpk: dtype must be a name such as \"float64\" or a dtype of numpy, not %R",
                   object);
      return hpk_type(0);
    }
  }
  const utf8 bytes(text.get());
  return bytes.bytes == nullptr ? hpk_type(0) : type_of_text(bytes.bytes);
}

namespace {
template <class T>
T load(const void* element, int at = 0) {
  T value;
  std::memcpy(&value, static_cast<const char*>(element) + at * sizeof(T), sizeof(T));
  return value;
}

double of_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? std::copysign(NAN, sign) : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

double of_bfloat16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t(bits) << 16;
  return load<float>(&wide);
}
}  // namespace

PyObject* number_of_element(const void* element, hpk_type type) {
  switch (type) {
    case HPK_TYPE_BOOL:
      return PyBool_FromLong(load<std::uint8_t>(element));
    case HPK_TYPE_INT8:
      return PyLong_FromLong(load<std::int8_t>(element));
    case HPK_TYPE_INT16:
      return PyLong_FromLong(load<std::int16_t>(element));
    case HPK_TYPE_INT32:
      return PyLong_FromLong(load<std::int32_t>(element));
    case HPK_TYPE_INT64:
      return PyLong_FromLongLong(load<std::int64_t>(element));
    case HPK_TYPE_UINT8:
      return PyLong_FromLong(load<std::uint8_t>(element));
    case HPK_TYPE_UINT16:
      return PyLong_FromLong(load<std::uint16_t>(element));
    case HPK_TYPE_UINT32:
      return PyLong_FromUnsignedLong(load<std::uint32_t>(element));
    case HPK_TYPE_UINT64:
      return PyLong_FromUnsignedLongLong(load<std::uint64_t>(element));
    case HPK_TYPE_FLOAT16:
      return PyFloat_FromDouble(of_half(load<std::uint16_t>(element)));
    case HPK_TYPE_BFLOAT16:
      return PyFloat_FromDouble(of_bfloat16(load<std::uint16_t>(element)));
    case HPK_TYPE_FLOAT32:
      return PyFloat_FromDouble(load<float>(element));
    case HPK_TYPE_FLOAT64:
      return PyFloat_FromDouble(load<double>(element));
    case HPK_TYPE_COMPLEX64:
      return PyComplex_FromDoubles(load<float>(element), load<float>(element, 1));
    case HPK_TYPE_COMPLEX128:
      return PyComplex_FromDoubles(load<double>(element), load<double>(element, 1));
    default:
      break;
  }
  PyErr_SetString(error_type, "hpk: unknown element type");
  return nullptr;
}

PyObject* number_of(const hpk_scalar& scalar) {
  switch (scalar.type) {
    case HPK_TYPE_BOOL:
      return PyBool_FromLong(scalar.i != 0);
    case HPK_TYPE_INT8:
    case HPK_TYPE_INT16:
    case HPK_TYPE_INT32:
    case HPK_TYPE_INT64:
      return PyLong_FromLongLong(scalar.i);
    case HPK_TYPE_UINT8:
    case HPK_TYPE_UINT16:
    case HPK_TYPE_UINT32:
    case HPK_TYPE_UINT64:
      return PyLong_FromUnsignedLongLong(scalar.u);
    case HPK_TYPE_COMPLEX64:
    case HPK_TYPE_COMPLEX128:
      return PyComplex_FromDoubles(scalar.f, scalar.imag);
    default:
      return PyFloat_FromDouble(scalar.f);
  }
}

namespace {
// Whether the object is a scalar of numpy; these have the buffer protocol, as arrays have.
bool is_numpy_scalar(PyObject* object) {
  static PyObject* generic = nullptr;
  if (generic == nullptr) {
    const ref modules(PyImport_GetModule(ref(PyUnicode_FromString("numpy")).get()));
    if (!modules) {
      PyErr_Clear();
      return false;
    }
    generic = PyObject_GetAttrString(modules.get(), "generic");
    if (generic == nullptr) {
      PyErr_Clear();
      return false;
    }
  }
  const int is = PyObject_IsInstance(object, generic);
  if (is < 0) PyErr_Clear();
  return is == 1;
}

hpk_type type_of_numpy_scalar(PyObject* object) {
  const ref dtype(PyObject_GetAttrString(object, "dtype"));
  return dtype ? type_of(dtype.get()) : hpk_type(0);
}

bool set_integer(PyObject* object, hpk_scalar& scalar) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) {
    scalar.type = HPK_TYPE_INT64;
    scalar.i = value;
    scalar.u = static_cast<std::uint64_t>(value);
    return value != -1 || PyErr_Occurred() == nullptr;
  }
  scalar.type = HPK_TYPE_UINT64;
  if (overflow > 0) {
    scalar.u = PyLong_AsUnsignedLongLong(object);
    scalar.i = static_cast<std::int64_t>(scalar.u);
    if (PyErr_Occurred() == nullptr) return true;
    PyErr_Clear();
  }
  PyErr_Format(PyExc_OverflowError, "hpk: %S is beyond the integers of 64 bits", object);
  return false;
}
}  // namespace

bool is_number(PyObject* object) {
  return PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object) ||
         is_numpy_scalar(object);
}

bool to_scalar(PyObject* object, hpk_scalar& scalar) {
  scalar = hpk_scalar{};
  if (Py_IS_TYPE(object, &PyFloat_Type)) {
    scalar.type = HPK_TYPE_FLOAT64;
    scalar.f = PyFloat_AsDouble(object);
    return true;
  }
  if (PyBool_Check(object)) {
    scalar.type = HPK_TYPE_BOOL;
    scalar.i = object == Py_True ? 1 : 0;
    scalar.u = static_cast<std::uint64_t>(scalar.i);
    return true;
  }
  if (PyLong_Check(object)) return set_integer(object, scalar);
  if (Py_IS_TYPE(object, &PyComplex_Type) ||
      (PyComplex_Check(object) && !is_numpy_scalar(object))) {
    scalar.type = HPK_TYPE_COMPLEX128;
    scalar.f = PyComplex_RealAsDouble(object);
    scalar.imag = PyComplex_ImagAsDouble(object);
    return true;
  }
  if (is_numpy_scalar(object)) {
    const hpk_type type = type_of_numpy_scalar(object);
    if (type == 0) return false;
    const ref number(PyObject_CallMethod(object, "item", nullptr));
    if (!number || !to_scalar(number.get(), scalar)) return false;
    scalar.type = type;
    return true;
  }
  if (PyFloat_Check(object) || PyIndex_Check(object)) {
    const ref number(PyFloat_Check(object) ? PyNumber_Float(object) : PyNumber_Index(object));
    return number && to_scalar(number.get(), scalar);
  }
  PyErr_Format(PyExc_TypeError, "hpk: a number is needed, not %R",
               reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return false;
}

}  // namespace hpk_python
