// RUN: %bitcodexx %s -o %t.bc && %access %t.bc | FileCheck %s
// Numbers that the C++ library reads from arguments and files.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
struct Settings {
  long rows = 10;
  int columns = 20;
  double factor = 1;
  std::string name = "none";
};
template <typename T> T parsed(const char *text) {
  std::istringstream in(text);
  T value{};
  in >> value;
  return value;
}
static Settings read(int argc, char **argv) {
  Settings s;
  for (int i = 1; i < argc; i++) {
    std::string a = argv[i];
    if (a == "--rows")
      s.rows = std::stol(argv[++i]);
    else if (a == "-c" || a == "--columns")
      s.columns = std::stoi(argv[++i]);
    else if (a == "--factor")
      s.factor = std::stod(argv[++i]);
    else
      s.name = a;
  }
  return s;
}
int main(int argc, char **argv) {
  Settings s = read(argc, argv);
  int first = std::stoi(argv[1]);
  std::stringstream ss;
  ss.str(argv[2]);
  long second;
  ss >> second;
  long third = parsed<long>(argv[3]);
  std::ifstream in(argv[4]);
  int fromfile;
  in >> fromfile;
  std::vector<double> a(s.rows), b(s.columns), c(first), d(second), e(third),
      f(fromfile), g((long)s.factor);
#pragma omp parallel for
  for (size_t i = 0; i < a.size(); i++)
    a[i] += b[i % s.columns] + c[i % first] + d[i % second] + e[i % third] +
            f[i % fromfile] + g[0];
  std::cout << a[0] << s.name;
}

// CHECK-DAG: {{^}}input main:first from argument 1{{$}}
// CHECK-DAG: {{^}}input main:fromfile from number in file of argument 4{{$}}
// CHECK-DAG: {{^}}input main:second from argument 2{{$}}
// CHECK-DAG: {{^}}input main:third from (argument 3 or 0){{$}}
// CHECK-DAG: {{^}}input read:s.columns from (option --columns/-c or 20){{$}}
// CHECK-DAG: {{^}}input read:s.rows from (option --rows or 10){{$}}
