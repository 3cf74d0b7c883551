// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -std=c++14
// A static array of a class template is an array for each type; its one
// definition cannot register them.
template <typename T> struct Of { static T Table[20000]; };
template <typename T> T Of<T>::Table[20000];
// CHECK-FIXES: template <typename T> T Of<T>::Table[20000];
double use() { return Of<double>::Table[3] + Of<int>::Table[2]; }
// CHECK-REPORT: 2 sites: 0 rewritten, 0 left to the run time, 2 skipped (2 template-instance)
