// The record ends inside loops of functions that have been entered: the rest of
// them runs as plain code, with the values of the recorded code.
// DEFINE: %{rec} = env EVENKEEL_ROOT=%S EVENKEEL_PASS=record
// DEFINE: %{lib} = -fpass-plugin=%ekpass -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: %clang -O2 -c %S/Inputs/side-bodies/where.c -o %t.where.o
// RUN: %clangxx -Wno-vla-cxx-extension -g -fopenmp -O2 %s %t.where.o -o %t.plain && %t.plain 0 >%t.out 2>&1
// RUN: rm -f %t.raw*
// RUN: for mode in sampled full counts; do for level in 0 2; do \
// RUN:   env EVENKEEL_RECORD_MODE=$mode %{rec} %clangxx -Wno-vla-cxx-extension -g -fopenmp -O$level %s %t.where.o %{lib} -o %t.rec || exit 1; \
// RUN:   for at in 2 7 12 19 23 33 44 71; do \
// RUN:     env OMP_NUM_THREADS=2 EVENKEEL_RAW=%t.raw %t.rec $at 2>%t.err | diff %t.out - || exit 1; \
// RUN:     FileCheck %s --input-file=%t.err || exit 1; \
// RUN:   done; done; done
// CHECK: plain from here: 1
// CHECK: moved in its loop: {{[12]}}
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" void *calledFrom(void);
extern "C" __attribute__((weak)) int __ek_rec_stop(void);

static int At, Passed;
static void *Before;

/// The At-th place that the program passes.
__attribute__((noinline)) static void place() {
  if (++Passed == At && __ek_rec_stop)
    fprintf(stderr, "plain from here: %d\n", __ek_rec_stop());
}

struct Result {
  double Values[5];
  long N;
};

/// Two nested loops, and one after them; variables of all kinds.
__attribute__((noinline)) static Result nested(long N, double *Data) {
  double Local[40] = {1}, Last = 0.5;
  long Odd = 1, Even = 0;
  const double Scale = Data[N - 1] + 3;
  for (long I = 0; I < 4; ++I) {
    const double Outer = Data[I] * Scale;
    for (long J = 0; J < 3; ++J) {
      place();
      Local[I * 3 + J] += Outer + double(J);
      for (long K = 0; K < N; ++K)
        Data[K] = Data[K] * 0.5 + Last * 1e-3;
      Last = Local[I * 3 + J];
      std::swap(Odd, Even);
      Odd += J;
    }
    for (long K = 0; K < 40; ++K)
      Local[K] += double(Even) + Outer;
  }
  double S = 0;
  for (long K = 0; K < N; ++K)
    S += Data[K] * Local[K % 40];
  Result R = {{S, Last, Scale, Local[7], Local[39]}, Odd - Even};
  return R;
}

struct Counted {
  static int Alive;
  long V;
  explicit Counted(long V) : V(V) { ++Alive; }
  ~Counted() { --Alive; }
};
int Counted::Alive;

__attribute__((noinline)) static void throwsAt(long I) {
  if (I % 3 == 2)
    throw std::runtime_error("at " + std::to_string(I));
}

/// Exceptions caught inside the loop, and one that leaves it.
__attribute__((noinline)) static long caught(long N) {
  Counted Here(N);
  long S = 0;
  for (long I = 0; I < N; ++I) {
    Counted Each(I);
    std::string Text(size_t(20 + I), 'x');
    place();
    try {
      throwsAt(I);
      S += Each.V;
    } catch (const std::exception &E) {
      S += long(std::string(E.what()).size());
    }
    if (I == N - 2)
      throw S + Here.V + long(Text.size());
  }
  return S;
}

/// Large arrays of variable size, which recorded code moves off the stack.
__attribute__((noinline)) static double onStack(int N) {
  double Fixed[10000], Row[N];
  for (int I = 0; I < N; ++I)
    Fixed[I] = Row[I] = I;
  double S = 0;
  for (int Round = 0; Round < 4; ++Round) {
    place();
    for (int I = 0; I < N; ++I)
      S += Fixed[I] * Row[N - 1 - I] + Round;
    Fixed[Round] = S * 1e-9;
  }
  return S;
}

/// Recorded callers, and recorded callees.
static long deep(long N) {
  if (!N)
    return 1;
  long S = 0;
  for (long I = 0; I < 2; ++I) {
    if (N % 2)
      place();
    S = S * 3 + deep(N - 1) + I;
  }
  return S;
}

/// A structure that the caller passes by value, and no return value.
struct Large {
  long Words[20];
};
__attribute__((noinline)) static void copied(Large L, long *Out) {
  for (int I = 0; I < 20; I += 4) {
    L.Words[I] += I;
    place();
    *Out += L.Words[I] + L.Words[(I * 7) % 20];
  }
  L.Words[0] = 0;
}

/// A loop with two exits and a team in it.
__attribute__((noinline)) static long team(std::vector<long> &V, long Most) {
  long S = 0;
  for (;;) {
    place();
#pragma omp parallel for reduction(+ : S)
    for (size_t I = 0; I < V.size(); ++I)
      S += V[I]++;
    if (S > Most)
      return S;
    if (V[0] > 8)
      break;
  }
  return -S;
}

int main(int Count, char **Arguments) {
  At = Count > 1 ? atoi(Arguments[1]) : 0;
  std::vector<double> Data(500, 1.5);
  std::vector<long> V(1000, 1);
  Large L = {{1, 2, 3}};
  long Sum = 0, Moved = 0;
  for (int Round = 0; Round < (Count > 9 ? 100 : 3); ++Round) {
    void *Here = calledFrom();
    Moved += Before && Before != Here;
    Before = Here;
    Result R = nested(500 - Round, Data.data());
    printf("%.17g %.17g %.17g %.17g %.17g %ld\n", R.Values[0], R.Values[1],
           R.Values[2], R.Values[3], R.Values[4], R.N);
    try {
      Sum += caught(7 + Round);
    } catch (long S) {
      Sum += S * 2;
    }
    Sum += long(onStack(9000 + Round)) + deep(4);
    copied(L, &L.Words[Round]);
    Sum += team(V, 100000) + L.Words[Round];
    printf("%d: %ld %d\n", Round, Sum, Counted::Alive);
  }
  if (At)
    fprintf(stderr, "moved in its loop: %ld\n", Moved);
  printf("%d\n", Passed);
}
