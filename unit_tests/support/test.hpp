// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests whose bodies contain kernels. GoogleTest's TEST and TYPED_TEST make the body a private
// member function, in which nvcc allows no kernel lambda. With nvcc these macros make it a public
// member or a static function.
#pragma once

#include <hpk/base/compiler.hpp>

#include <gtest/gtest.h>

#if HPK_HAS_EXEC_CHECK
#define HPK_TYPED_TEST(suite, name)                                     \
  template <class T>                                                    \
  struct suite##_##name##_body : suite<T> {                             \
    using TypeParam = T;                                                \
    using TestFixture = suite<T>;                                       \
    void run();                                                         \
    void TestBody() override {}                                         \
  };                                                                    \
  TYPED_TEST(suite, name) { suite##_##name##_body<TypeParam>().run(); } \
  template <class TypeParam>                                            \
  void suite##_##name##_body<TypeParam>::run()
#define HPK_TEST(suite, name)                    \
  static void suite##_##name##_body();           \
  TEST(suite, name) { suite##_##name##_body(); } \
  static void suite##_##name##_body()
#else
#define HPK_TYPED_TEST(suite, name) TYPED_TEST(suite, name)
#define HPK_TEST(suite, name) TEST(suite, name)
#endif
