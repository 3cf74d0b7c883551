// Forms that C++11 and C++20 both have, with a warning that must stay.
#include <cstdlib>
#include <new>
#include <vector>

static double Field[20000];

struct Counted {
  static int Live;
  double Value;
  Counted() : Value(1) { ++Live; }
  ~Counted() { --Live; }
};
int Counted::Live;

template <typename T> struct Buffer {
  T *Data;
  explicit Buffer(std::size_t N) : Data(new T[N]) {}
  ~Buffer() { delete[] Data; }
};

static double *raw(std::size_t N) {
  return static_cast<double *>(std::malloc(N * sizeof(double)));
}

int main() {
  int NeverUsed;
  Buffer<Counted> B(20000);
  std::vector<double> V(20000, 1.0);
  double *P = raw(3), *Q = new double[20000]();
  int *R = new (std::nothrow) int[5];
  Counted *One = new Counted;
  P[0] = 1;
  auto F = [](int N) { return new int[N]; };
  delete[] F(20000);
  Field[3] = V[2] + Q[1] + P[0] + One->Value + B.Data[5].Value;
  int Bad = Field[3] != 4 || Counted::Live != 20001 || !R;
  delete One;
  delete[] Q;
  delete[] R;
  std::free(P);
  return Bad;
}
