// RUN: %bitcodexx %s -o %t.bc && %access %t.bc | FileCheck %s
// Arrays behind this->, and a container's accessors.
#include <cstdlib>
#include <vector>
struct Grid {
  double *u, *v;
  long nx, ny;
  void step() {
#pragma omp parallel for
    for (long i = 0; i < nx; i++)
      for (long j = 0; j < ny; j++)
        u[i * ny + j] = 2 * v[i * ny + j];
  }
};
double total(const std::vector<double> &x, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  return s;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  Grid g{new double[n * m], new double[n * m], n, m};
  g.step();
  std::vector<double> x(n);
  return g.u[0] + total(x, n) > 1;
}

// CHECK-LABEL: {{^}}region serial classes.cpp:21:0 in main{{$}}
// CHECK: {{^}}  classes.cpp:18:10 container@classes.cpp:25:23 stream(8) element 8 reads main:n writes 0 exact{{$}}
// CHECK: {{^}}  classes.cpp:25:23 container@classes.cpp:25:23 invariant element 8 reads 0 writes main:taken.25 exact{{$}}
// CHECK: {{^}}  classes.cpp:25:23 container@classes.cpp:25:23 stream(64) element 64 reads 0 writes max(0, min(8*main:n - 8, ceildiv(8*main:n, 64))) exact{{$}}
// CHECK: {{^}}  classes.cpp:26:10 new[]@classes.cpp:23:10 invariant element 8 reads main:taken.25 + main:taken.26 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel classes.cpp:9:1 in step{{$}}
// CHECK: {{^}}  classes.cpp:12:23 new[]@classes.cpp:23:10 stream(8) element 8 reads 0 writes share(step:this->nx)*step:this->ny exact{{$}}
// CHECK: {{^}}  classes.cpp:12:29 new[]@classes.cpp:23:29 stream(8) element 8 reads share(step:this->nx)*step:this->ny writes 0 exact{{$}}
// CHECK: {{^}}site new[] classes.cpp:23:10 size 8*main:m*main:n live{{$}}
// CHECK: {{^}}site new[] classes.cpp:23:29 size 8*main:m*main:n live{{$}}
// CHECK: {{^}}site container classes.cpp:25:23 size 8*main:n live{{$}}
// CHECK: {{^}}symbol main:n given program classes.cpp:21:0 from 0{{$}}
// CHECK: {{^}}symbol main:m given program classes.cpp:21:0{{$}}
// CHECK: {{^}}symbol step:this->ny given program classes.cpp:8:0 from 0 = main:m{{$}}
// CHECK: {{^}}symbol step:this->nx given program classes.cpp:8:0 = main:n{{$}}
// INPUTS 24 5 | 38 11
