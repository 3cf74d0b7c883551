#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct pair {
  double a, b;
};

class matrix {
  double *data;
  std::string *names; // have destructors
  std::size_t n;

public:
  explicit matrix(std::size_t n)
      : data(new double[n]), names(new std::string[8]), n(n) {}
  ~matrix() {
    delete[] data;
    delete[] names;
  }
  double &operator[](std::size_t i) { return data[i % n]; }
};

static pair *pairs(std::size_t n) { return new pair[n](); }

int main() {
  matrix m(20000);
  pair *p = pairs(10000);
  const int *counts = static_cast<const int *>(std::calloc(20000, sizeof(int)));
  std::unique_ptr<double[]> owned(new double[10000]());
  std::vector<double *> held;
  held.push_back(new double[10000]());
  std::vector<double> grown(10000);
#pragma omp parallel for
  for (int i = 0; i < 20000; ++i)
    m[i] = i;
  p[7].a = m[7] + counts[3] + owned[2] + held[0][1] + grown[4];
  std::printf("%g %g\n", p[7].a, p[8].b);
  delete[] p;
  delete[] held[0];
  std::free(const_cast<int *>(counts));
}
