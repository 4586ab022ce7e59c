// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.hpp"

#include <dlfcn.h>

#include <cstring>

namespace hpk_python {

namespace {

constexpr std::uint64_t view_key = std::uint64_t(1) << 63;
constexpr std::uint64_t range_key = std::uint64_t(1) << 62;
constexpr std::uint64_t option_key = std::uint64_t(1) << 61;

struct option {
  const char* name;
  role what;
};
constexpr option options[] = {{"instance", role::instance},
                              {"space", role::space},
                              {"wait", role::wait},
                              {"check", role::check},
                              {"name", role::name}};

}  // namespace

PyObject* import_kernels() {
  static PyObject* module = nullptr;
  if (module == nullptr) module = PyImport_ImportModule("hpk._kernels");
  return module;
}

hpk::python::kernel_function load_kernel(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library != nullptr ? dlsym(library, hpk::python::kernel_symbol) : nullptr;
  if (symbol == nullptr)
    PyErr_Format(error_type, "hpk: the compiled kernel can't be loaded: %s", dlerror());
  return reinterpret_cast<hpk::python::kernel_function>(symbol);
}

PyObject* refuse_count() {
  PyErr_Format(PyExc_TypeError, "hpk: a kernel takes at most %d arguments", max_arguments);
  return nullptr;
}

call_form* find_form(kernel_state& state, PyObject* names) {
  for (const auto& form : state.forms) {
    if (form->names.get() == names) return form.get();
  }
  for (const auto& form : state.forms) {
    const int is_equal = PyObject_RichCompareBool(form->names.get(), names, Py_EQ);
    if (is_equal < 0) return nullptr;
    if (is_equal == 1) return form.get();
  }
  const Py_ssize_t count = PyTuple_Size(names);
  if (count > max_arguments) {
    refuse_count();
    return nullptr;
  }
  auto form = std::make_unique<call_form>();
  form->names = ref::of(names);
  form->count = static_cast<int>(count);
  for (int a = 0; a != form->count; ++a) {
    form->roles[a] = role::value;
    for (const option& o : options) {
      if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, a), o.name) == 0)
        form->roles[a] = o.what;
    }
  }
  state.forms.push_back(std::move(form));
  return state.forms.back().get();
}

namespace {

bool is_range(PyObject* value) {
  return PyTuple_Check(value) || Py_IS_TYPE(value, &PyRange_Type) || PySlice_Check(value);
}

bool set_value(arguments& args, int a, PyObject* value, PyObject* names) {
  args.values[a] = value;
  if (is_view(value)) {
    args.keys[a] = as_view(value)->key | view_key;
  } else if (Py_IS_TYPE(value, &PyFloat_Type)) {
    args.keys[a] = HPK_TYPE_FLOAT64;
  } else if (is_range(value)) {
    args.keys[a] = range_key;
  } else if (is_number(value)) {
    hpk_scalar scalar;
    if (!to_scalar(value, scalar)) return false;
    args.keys[a] = std::uint64_t(scalar.type);
  } else {
    const char* const label = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, a), nullptr);
    ref view(label != nullptr ? wrap(value, label) : nullptr);
    if (!view) return false;
    args.values[a] = view.get();
    args.keys[a] = as_view(view.get())->key | view_key;
    args.wrapped[args.wrapped_count++] = std::move(view);
  }
  return true;
}

// Whether the value of an option is text. An array of that name is a likely mistake.
bool expect_text(PyObject* value, const char* option) {
  if (PyUnicode_Check(value)) return true;
  PyErr_Format(PyExc_TypeError,
               "hpk: the argument '%s' of a kernel is text or None, not %R; give an array another "
               "name",
               option, reinterpret_cast<PyObject*>(Py_TYPE(value)));
  return false;
}

bool set_option(arguments& args, int a, PyObject* value, role what) {
  args.values[a] = value;
  args.keys[a] = option_key;
  int is_true = 0;
  switch (what) {
    case role::instance:
      if (!to_instance(value, args.instance)) return false;
      if (args.instance != nullptr)
        args.keys[a] |= std::uint64_t(1 + space_number(hpk_instance_space(args.instance)));
      return true;
    case role::space:
      if (value == Py_None) return true;
      if (!expect_text(value, "space")) return false;
      if (const char* const space = PyUnicode_AsUTF8AndSize(value, nullptr)) {
        for (int s = 0; s != hpk_space_count(); ++s) {
          if (std::strcmp(space, hpk_space_name(s)) == 0) {
            args.keys[a] |= std::uint64_t(1 + s);
            return true;
          }
        }
        PyErr_Format(PyExc_ValueError,
                     "hpk: there is no execution space '%s'; hpk.spaces() lists those of this hpk",
                     space);
      }
      return false;
    case role::name:
      if (value == Py_None) return true;
      if (!expect_text(value, "name")) return false;
      args.label = PyUnicode_AsUTF8AndSize(value, nullptr);
      return args.label != nullptr;
    case role::wait:
      is_true = value == Py_None ? -1 : PyObject_IsTrue(value);
      args.waits = is_true;
      return value == Py_None || is_true >= 0;
    case role::check:
      is_true = PyObject_IsTrue(value);
      args.is_checked = is_true == 1;
      return is_true >= 0;
    case role::value:
      break;
  }
  return true;
}

}  // namespace

bool to_arguments(arguments& args, const call_form& form, PyObject* const* values) {
  args.count = form.count;
  for (int a = 0; a != form.count; ++a) {
    if (form.roles[a] == role::value ? !set_value(args, a, values[a], form.names.get())
                                     : !set_option(args, a, values[a], form.roles[a]))
      return false;
  }
  return true;
}

namespace {

// The description of an argument for hpk._kernels: ("view", type, rank, layout, is read-only,
// space),
// ("number", type), ("range",) or ("option", name of the space or None).
ref describe(const arguments& args, int a, role what) {
  if ((args.keys[a] & view_key) != 0) {
    PyObject* const view = args.values[a];
    const ref layout(PyObject_GetAttrString(view, "layout"));
    const hpk_view_info& info = *as_view(view)->info;
    return ref(layout ? Py_BuildValue("(ssiOOs)", "view", hpk_type_name(info.type), info.rank,
                                      layout.get(), info.read_only != 0 ? Py_True : Py_False,
                                      info.space)
                      : nullptr);
  }
  if ((args.keys[a] & range_key) != 0) return ref(Py_BuildValue("(s)", "range"));
  if (what == role::value)
    return ref(Py_BuildValue("(ss)", "number", hpk_type_name(hpk_type(args.keys[a]))));
  const char* space = nullptr;
  if (what == role::instance && args.instance != nullptr) space = hpk_instance_space(args.instance);
  if (what == role::space && args.values[a] != Py_None)
    space = PyUnicode_AsUTF8AndSize(args.values[a], nullptr);
  return ref(Py_BuildValue("(sz)", "option", space));
}

}  // namespace

ref describe_all(const arguments& args, const call_form& form) {
  ref specs(PyTuple_New(args.count));
  for (int a = 0; specs && a != args.count; ++a) {
    ref spec = describe(args, a, form.roles[a]);
    if (!spec || PyTuple_SetItem(specs.get(), a, spec.release()) != 0) return ref();
  }
  return specs;
}

namespace {

bool to_numbers(PyObject* sequence, std::vector<int>& numbers) {
  const Py_ssize_t count = PySequence_Size(sequence);
  for (Py_ssize_t k = 0; k < count; ++k) {
    const ref item(PySequence_GetItem(sequence, k));
    numbers.push_back(item ? static_cast<int>(PyLong_AsLong(item.get())) : -1);
  }
  return PyErr_Occurred() == nullptr;
}

// Compiles the text for the types of a call, or finds it compiled.
variant* prepare(const kernel_object& self, call_form& form, const arguments& args) {
  const ref specs = describe_all(args, form);
  if (!specs) return nullptr;
  const ref made =
      call_python("prepare", self.text, self.operation, self.name, form.names.get(), specs.get());
  if (!made) return nullptr;
  PyObject *path_of_python = nullptr, *views = nullptr, *scalars = nullptr, *indices = nullptr;
  int waits = 1;
  if (!PyArg_ParseTuple(made.get(), "O&OOOp", PyUnicode_FSConverter, &path_of_python, &views,
                        &scalars, &indices, &waits))
    return nullptr;
  const ref path(path_of_python);
  auto result = std::make_unique<variant>();
  std::memcpy(result->keys, args.keys, sizeof args.keys[0] * static_cast<std::size_t>(args.count));
  result->waits = waits != 0;
  if (!to_numbers(views, result->views) || !to_numbers(scalars, result->scalars)) return nullptr;
  const Py_ssize_t index_count = PySequence_Size(indices);
  for (Py_ssize_t k = 0; k < index_count; ++k) {
    const ref item(PySequence_GetItem(indices, k));
    PyObject *name = nullptr, *dimensions = nullptr;
    index one;
    if (!item || !PyArg_ParseTuple(item.get(), "OiO", &name, &one.range, &dimensions))
      return nullptr;
    one.name = ref::of(name);
    const Py_ssize_t count = PySequence_Size(dimensions);
    for (Py_ssize_t d = 0; d < count; ++d) {
      const ref pair(PySequence_GetItem(dimensions, d));
      dimension at{};
      if (!pair || !PyArg_ParseTuple(pair.get(), "ii", &at.argument, &at.number)) return nullptr;
      one.dimensions.push_back(at);
    }
    result->indices.push_back(std::move(one));
  }
  result->function = load_kernel(PyBytes_AsString(path.get()));
  if (result->function == nullptr) return nullptr;
  form.variants.push_back(std::move(result));
  return form.variants.back().get();
}

}  // namespace

variant* find_variant(const kernel_object& self, call_form& form, const arguments& args) {
  const std::size_t bytes = sizeof args.keys[0] * static_cast<std::size_t>(args.count);
  for (const auto& v : form.variants) {
    if (std::memcmp(v->keys, args.keys, bytes) == 0) return v.get();
  }
  return prepare(self, form, args);
}

namespace {

bool to_bounds(PyObject* value, PyObject* name, std::int64_t& begin, std::int64_t& end) {
  ref first, last;
  ref step;
  if (PyTuple_Check(value)) {
    if (PyTuple_Size(value) == 2) {
      first = ref::of(PyTuple_GetItem(value, 0));
      last = ref::of(PyTuple_GetItem(value, 1));
    }
  } else {
    first = ref(PyObject_GetAttrString(value, "start"));
    last = ref(PyObject_GetAttrString(value, "stop"));
    step = ref(PyObject_GetAttrString(value, "step"));
  }
  const bool has_step = step && step.get() != Py_None && PyLong_AsLongLong(step.get()) != 1;
  if (!first || !last || !PyIndex_Check(first.get()) || !PyIndex_Check(last.get()) || has_step) {
    PyErr_Format(PyExc_ValueError,
                 "hpk: the range of index %U must be range(begin, end) or (begin, end), without a "
                 "step; for every second index write x(2 * %U) in the text",
                 name, name);
    return false;
  }
  begin = PyNumber_AsSsize_t(first.get(), PyExc_OverflowError);
  end = PyNumber_AsSsize_t(last.get(), PyExc_OverflowError);
  if (end < begin) end = begin;
  return PyErr_Occurred() == nullptr;
}

}  // namespace

bool set_ranges(const variant& v, const call_form& form, const arguments& args,
                std::int64_t* ranges) {
  for (std::size_t k = 0; k != v.indices.size(); ++k) {
    const index& one = v.indices[k];
    std::int64_t& begin = ranges[2 * k];
    std::int64_t& end = ranges[2 * k + 1];
    const bool is_given = one.range >= 0;
    begin = 0;
    if (is_given && !to_bounds(args.values[one.range], one.name.get(), begin, end)) return false;
    const dimension* first = nullptr;
    for (const dimension& d : one.dimensions) {
      const std::int64_t extent = as_view(args.values[d.argument])->shape[d.number];
      if (is_given) {
        if (begin < end && (begin < 0 || end > extent)) {
          PyErr_Format(
              PyExc_IndexError,
              "hpk: index %U runs from %lld to %lld, but %U has extent %lld in dimension %d",
              one.name.get(), static_cast<long long>(begin), static_cast<long long>(end),
              PyTuple_GetItem(form.names.get(), d.argument), static_cast<long long>(extent),
              d.number);
          return false;
        }
      } else if (first == nullptr) {
        first = &d;
        end = extent;
      } else if (extent != end) {
        PyErr_Format(PyExc_ValueError,
                     "hpk: index %U has two ranges: %U has extent %lld in dimension %d, and %U has "
                     "extent %lld in dimension %d; set its range: %U=range(...)",
                     one.name.get(), PyTuple_GetItem(form.names.get(), first->argument),
                     static_cast<long long>(end), first->number,
                     PyTuple_GetItem(form.names.get(), d.argument), static_cast<long long>(extent),
                     d.number, one.name.get());
        return false;
      }
    }
  }
  return true;
}

PyObject* launch(const kernel_object& self, const variant& v, const call_form& form,
                 const arguments& args) {
  std::int64_t ranges[2 * HPK_C_MAX_RANK];
  if (!set_ranges(v, form, args, ranges)) return nullptr;
  const hpk_view* views[max_arguments];
  for (std::size_t k = 0; k != v.views.size(); ++k)
    views[k] = as_view(args.values[v.views[k]])->view;
  hpk_scalar scalars[max_arguments];
  for (std::size_t k = 0; k != v.scalars.size(); ++k) {
    if (!to_scalar(args.values[v.scalars[k]], scalars[k])) return nullptr;
  }
  const char* label = args.label;
  if (label == nullptr) label = PyUnicode_AsUTF8AndSize(self.name, nullptr);
  if (label == nullptr) return nullptr;
  hpk_scalar result{};
  const hpk::python::kernel_call call{views,
                                      scalars,
                                      ranges,
                                      args.instance,
                                      label,
                                      &result,
                                      args.waits >= 0 ? args.waits : v.waits};
  if (!check(call_without_gil([&] { return v.function(&call); }))) return nullptr;
  if (self.operation != Py_None) return number_of(result);
  Py_RETURN_NONE;
}

}  // namespace hpk_python
