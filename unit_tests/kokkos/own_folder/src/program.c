/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

int sum_below(int n);
void begin(void);
void end(void);

int main(void) {
  begin();
  printf("sum %d\n", sum_below(10));
  end();
  return 0;
}
