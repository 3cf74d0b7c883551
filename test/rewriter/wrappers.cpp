// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=c++11 -pedantic
// The same in C++, where a temporary undoes what an exception leaves.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <vector>

void *xmalloc(size_t N) {
  if (N == 77)
    throw std::runtime_error("77");
  void *P = std::malloc(N);
  if (!P)
    throw std::bad_alloc();
  return P;
}
template <class T> T *make(size_t N) {
  return static_cast<T *>(xmalloc(N * sizeof(T)));
  // CHECK-FIXES: return static_cast<T *>(::ek::leave(0x[[ID:[0-9a-f]+]]ULL, ((void)::ek::call(0x[[ID]]ULL), xmalloc(N * sizeof(T)))));
}
template <class T> T *fresh(size_t N) { return new T[N](); }
struct Pool {
  static double *rows(size_t N) { return new double[N]; }
  int *ints(size_t N) const { return N ? fresh<int>(N) : nullptr; }
  // CHECK-FIXES: int *ints(size_t N) const { return N ? ::ek::leave(0x{{.*}}, fresh<int>(N))) : nullptr; }
  double *Kept = rows(3);
  // CHECK-FIXES: double *Kept = rows(3);
  Pool() {}
  explicit Pool(size_t N) : Kept(rows(N)) {}
  // CHECK-FIXES: explicit Pool(size_t N) : Kept(::ek::leave(0x{{.*}}, rows(N)))) {}
  int *&slot() { return Slot; }
  int *Slot = nullptr;
};
struct Object {
  static Object *create() { return new Object; }
};
void *at(void *P, size_t N) { return new (P) char[N]; }
char *inside(char *P, void *Q = xmalloc(5)) { return Q ? P : nullptr; }
// CHECK-FIXES: char *inside(char *P, void *Q = xmalloc(5)) { return Q ? P : nullptr; }
constexpr const char *text(bool B) { return B ? "text" : nullptr; }
void take(const double *P, int *Q, char *&&R) { std::printf("%d\n", P && Q && R); }

int main(int Argc, char **) {
  auto *A = make<double>(20000);
  // CHECK-FIXES: auto *A = ::ek::leave(0x{{.*}}, make<double>(20000)));
  Pool P(10000), Q;
  // CHECK-FIXES: Pool P(((void)::ek::maker(0x{{.*}}ULL), 10000)), Q;
  take(Pool::rows(9000), P.ints(3), make<char>(70000));
  // CHECK-FIXES: take(::ek::leave(0x{{.*}}, Pool::rows(9000))), ::ek::leave(0x{{.*}}, P.ints(3))), ::ek::leave(0x{{.*}}, make<char>(70000))));
  const double &First = (make<double>(9000)[0] = 2);
  double *B = Argc ? Pool::rows(4) :Pool::rows(5);
  // CHECK-FIXES: double *B = Argc ? ::ek::leave(0x{{.*}}, Pool::rows(4))) : ::ek::leave(0x{{.*}}, Pool::rows(5)));
  auto &&Bound = Pool::rows(6);
  // CHECK-FIXES: auto &&Bound = ::ek::leave(0x{{.*}}, Pool::rows(6)));
  auto Lambda = [=] { return P.ints(4); };
  // CHECK-FIXES: auto Lambda = [=] { return ::ek::leave(0x{{.*}}, P.ints(4))); };
  P.slot() = Lambda();
  // CHECK-FIXES: P.slot() = ::ek::leave(0x{{.*}}, Lambda()));
  Object *O = Object::create();
  // CHECK-FIXES: Object *O = Object::create();
  char Buffer[8], *Same = inside(Buffer);
  Same = static_cast<char *>(at(Buffer, 8));
  // CHECK-FIXES: Same = static_cast<char *>(at(Buffer, 8));
  std::vector<char> V(make<char>(3) ? 5 : 6);
  // CHECK-FIXES: std::vector<char> V(((void)::ek::at(0x{{.*}}, ::ek::leave(0x{{.*}}, make<char>(3))) ? 5 : 6));
  for (int I = 0; I < 3; ++I)
    try {
      take(A, P.ints(2), make<char>(I == 1 ? 77 : 70000));
    } catch (const std::runtime_error &E) {
      std::printf("caught %s\n", E.what());
    }
  static_assert(sizeof(*Pool::rows(3)) == 8, "");
  std::printf("%g %d %zu %d %s\n", First, A && B && Bound && O && Q.Kept,
              V.size(), Same == Buffer, text(true));
  return 0;
}
// CHECK-REPORT: 20 calls of wrappers: 17 annotated, 3 skipped (1 default-argument, 1 member-initializer, 1 no-operand)
