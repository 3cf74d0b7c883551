/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *xmalloc(size_t n);
#ifdef __cplusplus
}
namespace pool {
char *get(size_t n);
char *get(char *p);
} // namespace pool
#endif
char *row(size_t n);
char *named(size_t n);
