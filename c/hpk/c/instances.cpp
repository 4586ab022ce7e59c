// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/c/detail/errors.hpp>
#include <hpk/c/detail/instances.hpp>
#include <hpk/c/instance.hpp>

#include <memory>

namespace hpk::detail::c {

namespace {

template <class Exec>
struct instance_of final : hpk_instance {
  explicit instance_of(const Exec& e) : hpk_instance{Exec::name(), &exec}, exec(e) {}
  void fence(const char* label) const override {
    if (label == nullptr) {
      exec.fence();
    } else {
      exec.fence(label);
    }
  }
  int concurrency() const override { return exec.concurrency(); }
  Exec exec;
};

}  // namespace

const void* expect_instance(const hpk_instance* instance, const char* space) {
  if (std::string_view(instance->space) != space)
    fail(HPK_TYPE_MISMATCH, error_message() << "hpk: an instance of " << instance->space
                                            << " was passed; this kernel runs on " << space);
  return instance->exec;
}

}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_instance_create(const char* space, int is_default, hpk_instance** instance) {
  return hpk::call_from_c([&] {
    expect_pointer("hpk_instance_create", instance, "instance");
    if (space == nullptr) space = hpk_default_space();
    if (!with_execution_space(space, [&]<class Exec>(std::type_identity<Exec>) {
          *instance = new instance_of<Exec>(is_default != 0 ? Exec() : Exec(hpk::NewInstance{}));
        }))
      fail_unknown_space("hpk_instance_create", space);
  });
}

void hpk_instance_destroy(hpk_instance* instance) { delete instance; }

hpk_status hpk_instance_fence(const hpk_instance* instance, const char* label) {
  return hpk::call_from_c([&] {
    expect_pointer("hpk_instance_fence", instance, "instance");
    instance->fence(label);
  });
}

const char* hpk_instance_space(const hpk_instance* instance) {
  return instance == nullptr ? nullptr : instance->space;
}

int hpk_instance_concurrency(const hpk_instance* instance) {
  int result = 0;
  if (hpk::call_from_c([&] {
        expect_pointer("hpk_instance_concurrency", instance, "instance");
        result = instance->concurrency();
      }) != HPK_OK)
    return 0;
  return result;
}
