// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -std=c++20 -pthread
// Barriers, latches and threads of C++: members that return nothing.
#include <barrier>
#include <latch>
#include <thread>
#include <vector>

struct mine {
  void join();
  void arrive_and_wait();
};

template <class T> void all(std::vector<T> &ts, std::barrier<> *b) {
  for (std::thread &t : ts)
    t.join();
  b->arrive_and_wait();
  // CHECK-FIXES: ek_after_void(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, t.join());
  // CHECK-FIXES-NEXT: ek_after_void(0x{{[0-9a-f]+}}ULL, EK_TEAM | EK_PARTIAL, b->arrive_and_wait());
}

void f(std::barrier<> &b, std::latch &l, std::vector<std::thread> &ts, bool c) {
  b.arrive_and_wait();
  // CHECK-FIXES: ek_after_void(0x{{[0-9a-f]+}}ULL, EK_TEAM | EK_PARTIAL, b.arrive_and_wait());
  c ? l.wait() : l.arrive_and_wait(1);
  // CHECK-FIXES: c ? ek_after_void(0x{{[0-9a-f]+}}ULL, EK_TEAM | EK_PARTIAL, l.wait()) : ek_after_void(0x{{[0-9a-f]+}}ULL, EK_TEAM | EK_PARTIAL, l.arrive_and_wait(1));
  b.wait(b.arrive());
  // CHECK-FIXES: ek_after_void(0x{{[0-9a-f]+}}ULL, EK_TEAM | EK_PARTIAL, b.wait(b.arrive()));
  auto last = [&] { return ts.back().join(); };
  // CHECK-FIXES: auto last = [&] { return ek_after_void(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, ts.back().join()); };
  last();
  std::jthread([] {}).join();
  // CHECK-FIXES: ek_after_void(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, std::jthread([] {}).join());
  mine m;
  m.join();
  m.arrive_and_wait();
  // CHECK-FIXES: m.join();
  // CHECK-FIXES-NEXT: m.arrive_and_wait();
  all(ts, &b);
}
// CHECK-REPORT: 8 sync points: 8 hooked, 0 skipped
