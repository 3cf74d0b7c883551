// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=c++17
// Containers keep their type; the expression that grows them says whose the
// memory is.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <valarray>
#include <vector>

constexpr size_t N = 30000;
using Row = std::vector<double>;

struct Field {
  Row Values, Copy;
  std::vector<int> Default = std::vector<int>(N);
  // CHECK-FIXES: std::vector<int> Default = std::vector<int>(N);
  explicit Field(size_t M) : Values(M), Copy(Values) { Values.push_back(1); }
  // CHECK-FIXES: explicit Field(size_t M) : Values(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M)), Copy(((void)::ek::at(0x{{[0-9a-f]+}}ULL), Values)) { ((void)::ek::at(0x{{[0-9a-f]+}}ULL), Values).push_back(1); }
  const Row &grow(size_t M) {
    this->Values.resize(M);
    // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), this->Values).resize(M);
    return Values;
  }
  Row values() const { return Values; }
  // CHECK-FIXES: Row values() const { return ((void)::ek::at(0x{{[0-9a-f]+}}ULL), Values); }
};
struct Derived : std::vector<int> {
  void more() { resize(N); }
  // CHECK-FIXES: void more() { resize(((void)::ek::at(0x{{[0-9a-f]+}}ULL), N)); }
  void one() { emplace_back(); }
  // CHECK-FIXES: void one() { emplace_back(); }
};
struct Big {
  char Bytes[1 << 17];
};
template <class T> struct Pair {
  std::vector<T> First, Second;
  explicit Pair(size_t M) : First(M), Second{} {}
  // CHECK-FIXES: explicit Pair(size_t M) : First(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M)), Second{} {}
};
template <class T> T widen(std::vector<T> &V, size_t M) {
  V.resize(M);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), V).resize(M);
  std::vector<T> Copy(M), Same = V;
  // CHECK-FIXES: std::vector<T> Copy(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M)), Same = ((void)::ek::at(0x{{[0-9a-f]+}}ULL), V);
  Copy = V;
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), Copy) = V;
  auto P = std::make_unique<T[]>(M);
  // CHECK-FIXES: auto P = std::make_unique<T[]>(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M));
  Pair<T> Both(M);
  return Copy[M / 2] + Same[1] + P[2] + Both.First[3];
}
struct Mine {
  double Sum = 0;
  void resize(size_t M) { Sum += M; }
};
// The pattern grows nothing of the library's here.
template <class C> void only(C &X) { X.resize(3); }
// CHECK-FIXES: template <class C> void only(C &X) { X.resize(3); }
template <class... A> Row all(A... Args) { return Row(Args...); }
// CHECK-FIXES: template <class... A> Row all(A... Args) { return Row(Args...); }

double sum(const Row &V) { return V[0] + V[V.size() - 1]; }
double own(Row V) { return V[0] + V.size(); }
Row moved(Row V) { return V; }
// CHECK-FIXES: Row moved(Row V) { return V; }
size_t size(const Row &) { return N; }

Row AtFileScope(N, 2.0);
// CHECK-FIXES: Row AtFileScope(((void)::ek::at(0x{{[0-9a-f]+}}ULL), N), 2.0);

int main(int Argc, char **) {
  size_t M = N + Argc;
  std::vector<double> A(M, 1.0), B;
  // CHECK-FIXES: std::vector<double> A(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M), 1.0), B;
  B.resize(M);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), B).resize(M);
  for (size_t I = 0; I < N; ++I)
    B.push_back(double(I));
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), B).push_back(double(I));
  if (Argc)
    B.reserve(3 * M);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), B).reserve(3 * M);
  else
    B.clear();
  B.insert(B.end(), A.begin(), A.end()), B.emplace_back();
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), B).insert(B.end(), A.begin(), A.end()), ((void)::ek::at(0x{{[0-9a-f]+}}ULL), B).emplace_back();
  std::printf("%g %zu\n", sum(A), B.size());
  auto C = std::make_unique<double[]>(M);
  // CHECK-FIXES: auto C = std::make_unique<double[]>(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M));
  auto D = std::make_shared<Big>();
  // CHECK-FIXES: auto D = ((void)::ek::at(0x{{[0-9a-f]+}}ULL), std::make_shared<Big>());
  auto E = std::vector<float>(M);
  // CHECK-FIXES: auto E = std::vector<float>(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M));
  auto F = std::make_unique<int>(3);
  // CHECK-FIXES: auto F = std::make_unique<int>(3);
  D->Bytes[4] = 'x';
  std::printf("%g %c %zu %d\n", C[5], D->Bytes[4], E.size(), *F);
  Row G = A, H(std::move(G)), I{A}, J;
  // CHECK-FIXES: Row G = ((void)::ek::at(0x{{[0-9a-f]+}}ULL), A), H(std::move(G)), I{((void)::ek::at(0x{{[0-9a-f]+}}ULL), A)}, J;
  J = A;
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), J) = A;
  J = std::move(H);
  // CHECK-FIXES: J = std::move(H);
  J.assign({1, 2, 3});
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), J).assign({1, 2, 3});
  J.assign(M, 0);
  std::printf("%g %g %g\n", own(A), own(moved(I)), sum(J));
  // CHECK-FIXES: std::printf("%g %g %g\n", own(((void)::ek::at(0x{{[0-9a-f]+}}ULL), A)), own(moved(((void)::ek::at(0x{{[0-9a-f]+}}ULL), I))), sum(J));
  // An inner temporary is done before the outer container grows.
  std::vector<Row> K;
  K.push_back(Row(M, 3));
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), K).push_back(::ek::done(0x{{[0-9a-f]+}}ULL, Row(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M), 3)));
  K.resize(4, Row(M, 4));
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), K).resize(4, ::ek::done(0x{{[0-9a-f]+}}ULL, Row(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M), 4)));
  std::vector<Row> L(3, Row(M));
  // CHECK-FIXES: std::vector<Row> L(((void)::ek::at(0x{{[0-9a-f]+}}ULL), 3), ::ek::done(0x{{[0-9a-f]+}}ULL, Row(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M))));
  K.emplace_back(M, 1.5);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), K).emplace_back(M, 1.5);
  std::printf("%g %g %g\n", sum(K[3]), sum(K.back()), sum(Row(M, 2)));
  // CHECK-FIXES: std::printf("%g %g %g\n", sum(K[3]), sum(K.back()), sum(::ek::done(0x{{[0-9a-f]+}}ULL, Row(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M), 2))));
  auto Shared = std::make_shared<Row>(3);
  Shared->resize(M);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), Shared)->resize(M);
  std::vector<int *> O;
  O.resize(M, 0);
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), O).resize(M, 0);
  std::unordered_map<int, double> P(M), Q;
  // CHECK-FIXES: std::unordered_map<int, double> P(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M)), Q;
  Q.reserve(M);
  Q[3] = 4;
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), Q)[3] = 4;
  std::map<int, int> R;
  R[3] = 4;
  // CHECK-FIXES: R[3] = 4;
  std::string S(M, 'x'), T = S, V = "abc";
  // CHECK-FIXES: std::string S(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M), 'x'), T = S, V = "abc";
  T.append(S).append(S) += V;
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), ::ek::done(0x{{[0-9a-f]+}}ULL, ((void)::ek::at(0x{{[0-9a-f]+}}ULL), ::ek::done(0x{{[0-9a-f]+}}ULL, ((void)::ek::at(0x{{[0-9a-f]+}}ULL), T).append(S))).append(S))) += V;
  std::valarray<double> W(1.0, M), X;
  // CHECK-FIXES: std::valarray<double> W(((void)::ek::at(0x{{[0-9a-f]+}}ULL), 1.0), M), X;
  X = W;
  // CHECK-FIXES: ((void)::ek::at(0x{{[0-9a-f]+}}ULL), X) = W;
  std::deque<int> Y(M);
  // CHECK-FIXES: std::deque<int> Y(((void)::ek::at(0x{{[0-9a-f]+}}ULL), M));
  std::printf("%zu %g %zu %g %zu\n", P.size(), Q[3], T.size(), X.sum(),
              Y.size());
  auto Z = [A] { return A.size(); };
  // CHECK-FIXES: auto Z = [A] { return A.size(); };
  for (auto Line : K)
    M += Line.size() + Z();
  // CHECK-FIXES: for (auto Line : K)
  static_assert(sizeof(Row(5)) > 0, "");
  // CHECK-FIXES: static_assert(sizeof(Row(5)) > 0, "");
  decltype(Row(3)) AA{1, 2, double(M)}, BB{};
  // CHECK-FIXES: decltype(Row(3)) AA{1, 2, double(M)}, BB{};
  Field CC(N);
  CC.grow(2 * N);
  Derived DD;
  DD.more();
  DD.one();
  std::vector<float> EE;
  Mine FF;
  only(FF);
  FF.resize(3);
  // CHECK-FIXES: FF.resize(3);
  std::printf("%zu %zu %zu %g %g %g\n", M, AA.size(), CC.values().size(),
              widen(EE, 500) + widen(A, 60000), FF.Sum, sum(all(N, 2.5)));
  try {
    A.at(size(Row(N))) = A.max_size() > 1 ? (A.resize(A.max_size() + 1), 1) : 0;
    // CHECK-FIXES: A.at(size(::ek::done(0x{{[0-9a-f]+}}ULL, Row(((void)::ek::at(0x{{[0-9a-f]+}}ULL), N))))) = A.max_size() > 1 ? (((void)::ek::at(0x{{[0-9a-f]+}}ULL), A).resize(A.max_size() + 1), 1) : 0;
  } catch (const std::exception &) {
    std::printf("caught %zu\n", A.size() + DD.size());
  }
  return 0;
}

// CHECK-REPORT: 57 sites: 52 rewritten, 0 left to the run time, 5 skipped (2 implicit-copy, 1 member-initializer, 2 no-operand)
// CHECK-SUMMARY: objects 41: planned 0, by call 0, unplanned 41; freed 41;
// CHECK-SUMMARY-NOT: new-replaced
