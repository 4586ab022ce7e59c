// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard headers that programs use without including them, because Kokkos_Core.hpp does. The list
// is independent of what hpk itself includes.
#pragma once

#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iomanip>
#include <iosfwd>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

// Of headers that are slow to compile, includes only the parts in use, if the library has separate
// headers for them: algorithms, function, unique_ptr, shared_ptr, clocks and threads; not ranges,
// parallel algorithms, bind, gcd or stop tokens. Programs that include what they use are not
// affected.
#if defined(__GLIBCXX__) && __has_include(<bits/chrono.h>) && __has_include(<bits/std_thread.h>)
#include <bits/chrono.h>
#include <bits/shared_ptr.h>
#include <bits/std_function.h>
#include <bits/std_thread.h>
#include <bits/stl_algo.h>
#include <bits/stl_numeric.h>
#include <bits/this_thread_sleep.h>
#include <bits/unique_ptr.h>
#else
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#endif
