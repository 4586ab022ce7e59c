/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A C program whose arrays are views of hpk. Algorithms come from the C interface; smooth() is a
 * kernel of this program, in kernels.cpp. */
#include <hpk/c/hpk.h>

#include <stdio.h>
#include <stdlib.h>

/* kernels.cpp */
hpk_status smooth(const hpk_view* next, const hpk_view* now);

static void check(hpk_status status) {
  if (status != HPK_OK) {
    fprintf(stderr, "c_interface: %s\n", hpk_last_error());
    exit(1);
  }
}

int main(void) {
  /* An array of the program, which hpk uses where it is. */
  double data[1000] = {0};
  const int64_t n = 1000;
  hpk_view *now, *next;
  check(hpk_view_wrap(HPK_TYPE_FLOAT64, 1, &n, NULL, "Host", data, 0, "now", NULL, NULL, &now));
  check(hpk_view_create(HPK_TYPE_FLOAT64, 1, &n, HPK_LAYOUT_RIGHT, "Host", "next", 1, &next));

  check(hpk_fill_random(now, "uniform", 42, 0, 1, NULL));
  for (int step = 0; step < 10; ++step) {
    check(smooth(next, now));
    check(hpk_view_deep_copy(now, next));
  }

  hpk_scalar least, most;
  check(hpk_reduce(now, "min", NULL, &least));
  check(hpk_reduce(now, "max", NULL, &most));
  printf("after 10 steps the values are between %.6f and %.6f\n", least.f, most.f);
  printf("the first is %.6f\n", data[0]);

  /* Mistakes are errors with a text. */
  if (hpk_reduce(now, "mean", NULL, &least) != HPK_OK) printf("%s\n", hpk_last_error());

  hpk_view_release(next);
  hpk_view_release(now);
  return 0;
}
