// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/mpi_stub.h -- -std=c++20 -pthread
// Waits in templates, where the types of arguments, or of the object whose
// member waits, are known to instantiations only.
extern "C" {
#include "Inputs/mpi_stub.h"
}
#include <barrier>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

template <class T> struct Traits {
  static MPI_Datatype type();
};
template <class T> T dot(const std::vector<T> &a) {
  T mine = 0, all = 0;
  for (T x : a)
    mine += x * x;
  MPI_Allreduce(&mine, &all, 1, Traits<T>::type(), 0, 0);
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Allreduce(&mine, &all, 1, Traits<T>::type(), 0, 0));
  return all;
}
namespace mpi {
using ::MPI_Barrier;
extern "C" {
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
void *malloc(size_t) noexcept;
}
} // namespace mpi
template <class T> struct Field {
  T *Data;
  MPI_Comm Comm;
  template <class I> int share(I Root) {
    using mpi::MPI_Bcast;
    Data = static_cast<T *>(mpi::malloc(sizeof(T) * Root));
    // CHECK-FIXES: Data = static_cast<T *>(ek_malloc(0x{{[0-9a-f]+}}ULL, sizeof(T) * Root));
    if (mpi::MPI_Barrier(Comm) != 0)
      return 1;
    // CHECK-FIXES: if (ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, mpi::MPI_Barrier(Comm)) != 0)
    return MPI_Bcast(Data, 1, Traits<T>::type(), Root, Comm);
    // CHECK-FIXES: return ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Bcast(Data, 1, Traits<T>::type(), Root, Comm));
  }
};
template <class F> void meet(std::barrier<F> &b, std::vector<std::thread> &ts) {
  b.arrive_and_wait();
  // CHECK-FIXES: ek_after_void(0x{{[0-9a-f]+}}ULL, EK_TEAM | EK_PARTIAL, b.arrive_and_wait());
  auto end = [](auto &all) {
    for (auto &t : all)
      t.join();
    // CHECK-FIXES: ek_after_void(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, t.join());
  };
  end(ts);
}
struct Path {
  void join() {}
};
template <class T> void only(T &t) { t.join(); }
// CHECK-FIXES: template <class T> void only(T &t) { t.join(); }
template <class T> void some(T &t) { t.join(); }
// CHECK-FIXES: template <class T> void some(T &t) { t.join(); }
template <class T> void never(T &t) { t.join(); }
// CHECK-FIXES: template <class T> void never(T &t) { t.join(); }

void use(std::barrier<std::function<void()>> &b, std::vector<std::thread> &ts) {
  dot(std::vector<double>(3));
  Field<double>().share(3);
  meet(b, ts);
  Path p;
  only(p);
  some(p);
  some(ts[0]);
}
// CHECK-INVENTORY: sync-mpi-collective wait-template.cpp:20:3 dot {{[0-9a-f]+}} serial
// CHECK-REPORT: 6 sync points: 5 hooked, 1 skipped (1 some-instances)
