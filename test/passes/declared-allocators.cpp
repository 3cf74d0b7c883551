// Attributes in the declarations of a library's functions, whatever their
// linkage; the rewriter names the same sites (test/identity).
// RUN: %bitcodexx %s -o %t.bc && %ekopt -passes='print<ek-inventory>' -disable-output %t.bc | FileCheck %s
#include <cstddef>
namespace lib {
[[gnu::malloc]] void *take(size_t N);
struct Pool {
  [[gnu::malloc, gnu::alloc_size(2)]] void *get(size_t N);
  [[gnu::malloc]] static void *share(size_t N);
};
} // namespace lib
extern "C" [[gnu::malloc]] void *strdup(const char *); // no data
// The program's own: its calls are contexts.
[[gnu::malloc, gnu::noinline]] static void *own(size_t N) {
  return new char[N];
}
template <class T> T *make(size_t N) {
  return static_cast<T *>(lib::take(N * sizeof(T)));
}
void *Keep[8];
int main(int argc, char **argv) {
  lib::Pool P, *Q = &P;
  Keep[0] = P.get(8);
  Keep[1] = Q->get(16);
  Keep[2] = lib::Pool::share(24);
  Keep[3] = own(32);
  Keep[4] = make<int>(3);
  Keep[5] = make<double>(4);
  Keep[6] = strdup(argv[0]);
  return argc;
}
// CHECK: site new[] declared-allocators.cpp:15:10 in own id=
// CHECK-NEXT: site lib::take declared-allocators.cpp:18:27 in make id=
// CHECK-NEXT: region serial
// CHECK-NEXT: site lib::Pool::get declared-allocators.cpp:23:15 in main id=
// CHECK-NEXT: site lib::Pool::get declared-allocators.cpp:24:16 in main id=
// CHECK-NEXT: site lib::Pool::share declared-allocators.cpp:25:13 in main id={{[0-9a-f]+$}}
// CHECK-NOT: {{.}}
