// A recorded program ends its record in the middle and continues in the plain
// bodies of its functions: same results, whatever is live at that moment.
// DEFINE: %{rec} = env EVENKEEL_ROOT=%S EVENKEEL_PASS=record
// DEFINE: %{cxx} = %clangxx -std=c++20 -DCOROUTINES -Wno-vla-cxx-extension -g -fopenmp -I%S/Inputs/side-bodies %s %S/Inputs/side-bodies/other.cpp %t.where.o
// DEFINE: %{lib} = -fpass-plugin=%ekpass -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: %clang -O2 -c %S/Inputs/side-bodies/where.c -o %t.where.o
// RUN: %{cxx} -O2 -o %t.plain && env OMP_NUM_THREADS=3 %t.plain 0 >%t.out 2>&1
// RUN: rm -f %t.raw*
// RUN: for mode in sampled full counts; do for level in 0 1 3; do \
// RUN:   env EVENKEEL_RECORD_MODE=$mode %{rec} %{cxx} -O$level %{lib} -o %t.rec || exit 1; \
// RUN:   for at in 1 4 9; do \
// RUN:     env OMP_NUM_THREADS=3 EVENKEEL_RAW=%t.raw %t.rec $at 2>%t.err | diff %t.out - || exit 1; \
// RUN:     FileCheck %s --input-file=%t.err || exit 1; \
// RUN:   done; done; done
// RUN: %{rec} %{cxx} -O2 -fPIC -pie %{lib} -o %t.pie && env OMP_NUM_THREADS=3 EVENKEEL_RAW=%t.raw %t.pie 2 2>%t.err | diff %t.out -
// Variable arguments in registers of AVX.
// RUN: if grep -qw avx2 /proc/cpuinfo; then for mode in sampled full counts; do for level in 0 2; do \
// RUN:   env EVENKEEL_RECORD_MODE=$mode %{rec} %{cxx} -mavx2 -O$level %{lib} -o %t.avx || exit 1; \
// RUN:   env OMP_NUM_THREADS=3 EVENKEEL_RAW=%t.raw %t.avx 4 2>%t.err | diff %t.out - || exit 1; \
// RUN:   FileCheck %s --input-file=%t.err || exit 1; \
// RUN:   done; done; fi
// CHECK: {{[12]}} functions have no plain body (computed goto
// CHECK: plain from here: 1
// CHECK: moved: all
#include "Inputs/side-bodies/shared.h"
#ifdef COROUTINES
#include <coroutine>
#endif
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

static long Total;

//===-- Calls ---------------------------------------------------------------//

__attribute__((noinline)) static long several(int N, ...) {
  static Moves M;
  M.here(calledFrom());
  va_list A;
  va_start(A, N);
  double S = 0;
  for (int I = 0; I < N; ++I)
    S += I % 2 ? va_arg(A, double) : double(va_arg(A, long));
  va_end(A);
  return long(S);
}

struct Large {
  long Words[24];
};

__attribute__((noinline)) static Large turned(Large L, int By) {
  static Moves M;
  M.here(calledFrom());
  Large R;
  for (int I = 0; I < 24; ++I)
    R.Words[(I + By) % 24] = L.Words[I];
  return R;
}

__attribute__((noinline)) static long fibonacci(long N) {
  return N < 2 ? N : fibonacci(N - 1) + fibonacci(N - 2);
}

struct Shape {
  virtual ~Shape() = default;
  virtual long area(long By) const = 0;
};
struct Square : Shape {
  long Side;
  explicit Square(long S) : Side(S) {}
  long area(long By) const override {
    static Moves M;
    M.here(calledFrom());
    return Side * Side * By;
  }
};

__attribute__((noinline)) static long byName(Function F) {
  return F(2) + (F == addressOfShared()) + (F == shared);
}

__attribute__((noinline)) static long interpreter(const char *Code) {
  static const void *const Labels[] = {&&Add, &&Twice, &&End};
  long N = 1;
  goto *Labels[*Code - '0'];
Add:
  N += 3;
  goto *Labels[*++Code - '0'];
Twice:
  N *= 2;
  goto *Labels[*++Code - '0'];
End:
  return N;
}

//===-- Leaving functions ---------------------------------------------------//

static std::jmp_buf Back;

__attribute__((noinline)) static long thrown(std::vector<long> &V, long Limit) {
  static Moves M;
  M.here(calledFrom());
  std::string Said = "more than " + std::to_string(Limit);
  for (size_t I = 0; I < V.size(); ++I)
    if ((V[I] += 1) > Limit)
      throw std::runtime_error(Said);
  return Limit;
}

__attribute__((noinline)) static long caught(std::vector<long> &V, long Limit) {
  try {
    return thrown(V, Limit);
  } catch (const std::runtime_error &E) {
    return long(std::strlen(E.what()));
  }
}

__attribute__((noinline)) static void jumps(int N) {
  volatile char Room[300];
  Room[N] = 1;
  if (N == 3)
    std::longjmp(Back, N + Room[N]);
  jumps(N + 1);
}

__attribute__((noinline)) static long jumped() {
  volatile long Seen = 1;
  if (int N = setjmp(Back))
    return Seen + N;
  Seen = 10;
  jumps(0);
  return 0;
}

// A coroutine's frame is allocated at a place that only the compiler knows.
#ifdef COROUTINES
struct Numbers {
  struct promise_type {
    long Now = 0;
    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long N) {
      Now = N;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> Handle;
  long next() {
    Handle.resume();
    return Handle.promise().Now;
  }
  void end() { Handle.destroy(); }
};

static Numbers numbers() {
  std::vector<long> Kept(1000, 1);
  for (size_t I = 0;; ++I)
    co_yield Kept[I % 1000] += long(I);
}
#else
struct Numbers {
  std::vector<long> Kept = std::vector<long>(1000, 1);
  size_t I = 0;
  long next() { return Kept[I++ % 1000] += long(I); }
  void end() {}
};
static Numbers numbers() { return {}; }
#endif

//===-- Memory and threads --------------------------------------------------//

struct Node {
  Node *Next;
  long Value;
};

__attribute__((noinline)) static Node *grown(Node *List, long N) {
  for (long I = 0; I < N; ++I)
    List = new Node{List, I};
  return List;
}

__attribute__((noinline)) static Node *shrunk(Node *List, long N) {
  for (long I = 0; I < N && List; ++I) {
    Node *Next = List->Next;
    delete List;
    List = Next;
  }
  return List;
}

__attribute__((noinline)) static long onStack(int N) {
  double Row[N], Fixed[9100];
  for (int I = 0; I < N; ++I)
    Row[I] = Fixed[I] = I;
  double S = 0;
  for (int I = 0; I < N; ++I)
    S += Row[I] + Fixed[(I * 7) % N];
  return long(S);
}

static long tree(long N) {
  if (N < 3)
    return N;
  long A = 0, B = 0;
#pragma omp task shared(A)
  A = tree(N - 1);
#pragma omp task shared(B)
  B = tree(N - 2);
#pragma omp taskwait
  return A + B;
}

__attribute__((noinline)) static void team(std::vector<double> &V) {
  const long N = long(V.size());
  double S = 0;
  long Tasks = 0;
  int Alone = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 100) reduction(+ : S)
    for (long I = 0; I < N; ++I)
      S += (V[size_t(I)] += double(I));
#pragma omp single
    {
      ++Alone;
      Tasks = tree(12);
    }
#pragma omp for schedule(guided)
    for (long I = 0; I < N; ++I)
      V[size_t(I)] -= 1;
#pragma omp critical
    Alone += 10;
#pragma omp single
#pragma omp taskloop
    for (long I = 0; I < N; ++I)
      V[size_t(I)] += 2;
  }
  Total += long(S) + Tasks + Alone;
}

static std::vector<long> Early = [] {
  std::vector<long> V;
  for (long I = 0; I < 50000; ++I)
    V.push_back(shared(I));
  return V;
}();

int main(int Count, char **Arguments) {
  const int At = Count > 1 ? atoi(Arguments[1]) : 0;
  std::vector<double> V(20000, 1);
  std::vector<long> Longs(5000, 1);
  std::unique_ptr<Shape> S = std::make_unique<Square>(3);
  auto *Grows = static_cast<long *>(malloc(sizeof(long)));
  Node *List = nullptr;
  Numbers Of = numbers();
  Large L = {};
  for (int Round = 0; Round < 12; ++Round) {
    if (Round && Round == At && __ek_rec_stop)
      fprintf(stderr, "plain from here: %d\n", __ek_rec_stop());
    team(V);
    L.Words[Round] = Round;
    L = turned(L, Round);
    List = shrunk(grown(List, 3000), 2000);
    Grows = static_cast<long *>(realloc(Grows, sizeof(long) * size_t(Round + 1) * 9000));
    Grows[Round] = Round;
    for (int I = 0; I <= Round; ++I)
      Total += Grows[I];
    Total += several(4, 1l, 2.5, 3l, double(Round)) + L.Words[5] +
             fibonacci(15) + S->area(Round) + byName(addressOfShared()) +
             interpreter("01012") + caught(Longs, Round % 2 ? 4 : 100) +
             jumped() + onStack(9000 + Round) + Of.next() + otherUnit(500) +
             sumOf(Longs) + Early[size_t(Round)];
    printf("%d: %ld\n", Round, Total);
  }
  shrunk(List, 1000000);
  free(Grows);
  Of.end();
  if (At)
    fprintf(stderr, "moved: %s\n", Moves::Moved == Moves::Known ? "all" : "some");
}
