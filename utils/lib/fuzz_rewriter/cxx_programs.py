# cxx_programs.py - random C++ programs that allocate
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: forms of new, containers, owners, templates, lambdas and exceptions.
# Makes: a Program of two units and a shared header that prints a checksum and
# how many objects were constructed and destroyed. The same seed makes the same
# program.
# Not here: undefined behaviour, and whatever depends on addresses.
import random

from fuzz_rewriter.program import Program

HEADER = r"""
#ifndef FUZZ_HPP
#define FUZZ_HPP
#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>
extern unsigned long Sum, Made, Gone;
extern int Countdown;
extern volatile std::size_t Much;
struct Counted {
  int X;
  Counted(int X = 3) : X(X) {
    if (Countdown && !--Countdown) throw std::runtime_error("enough");
    ++Made;
  }
  Counted(const Counted &O) : X(O.X) { ++Made; }
  Counted &operator=(const Counted &) = default;
  ~Counted() { ++Gone; }
  bool operator<(const Counted &O) const { return X < O.X; }
  operator unsigned long() const { return X; }
};
struct alignas(64) Wide {
  int X = 1;
  operator unsigned long() const { return X; }
};
struct Own {
  int X = 2;
  static void *operator new(std::size_t N) { Sum += N; return std::malloc(N); }
  static void *operator new[](std::size_t N) { Sum += N; return std::malloc(N); }
  static void operator delete(void *P) { std::free(P); }
  static void operator delete[](void *P) { std::free(P); }
  operator unsigned long() const { return X; }
};
struct Base {
  virtual ~Base() {}
  virtual void *get(std::size_t N) { return std::malloc(N); }
  virtual void put(void *P) { std::free(P); }
};
struct Derived : Base {
  void *get(std::size_t N) override { return ::operator new(N); }
  void put(void *P) override { ::operator delete(P); }
};
template <typename T> struct Buffer {
  T *Data;
  std::size_t N;
  explicit Buffer(std::size_t N) : Data(new T[N]), N(N) {}
  Buffer(Buffer &&O) : Data(O.Data), N(O.N) { O.Data = nullptr; }
  ~Buffer() { delete[] Data; }
  template <typename I> T &at(I K) { return Data[K]; }
};
template <typename T> struct Allocator {
  typedef T value_type;
  Allocator() {}
  template <typename U> Allocator(const Allocator<U> &) {}
  T *allocate(std::size_t N) { return static_cast<T *>(std::malloc(N * sizeof(T))); }
  void deallocate(T *P, std::size_t) { std::free(P); }
  template <typename U> bool operator==(const Allocator<U> &) const { return true; }
  template <typename U> bool operator!=(const Allocator<U> &) const { return false; }
};
template <typename T, typename... A> T *build(A &&...Args) { return new T(std::forward<A>(Args)...); }
template <typename T> T *array(std::size_t N) { return new T[N](); }
inline double *wrapper(std::size_t N) { return new double[N]; }
struct Freer { void operator()(void *P) const { std::free(P); } };
struct Holder {
  double *P = new double[100]();
  std::vector<int> V = std::vector<int>(1000, 1);
  std::unique_ptr<Counted[]> U{new Counted[3]};
  ~Holder() { delete[] P; }
};
struct Static { static int Table[20000]; };
template <typename T> struct StaticOf { static T Table[9000]; };
template <typename T> T StaticOf<T>::Table[9000];
#define FUZZ_NEW(T, N) new T[N]
#define FUZZ_PASS(...) __VA_ARGS__
#define FUZZ_TEXT(X) (Sum += sizeof(#X), X)
namespace outer { namespace ek_like { double *grow(std::size_t N); } }
void other();
#endif
"""
FIRST = r"""
#include "fuzz.hpp"
unsigned long Sum, Made, Gone;
int Countdown;
volatile std::size_t Much = std::size_t(-1) / 4;
static std::vector<double> AtStart(20000, 1.0);
static double *Early = new double[9000]();
static int Plain[30000];
@FUNCTIONS@
int main() {
  try {
@CALLS@    other();
  } catch (const std::exception &E) { std::printf("caught %s\n", E.what()); }
  for (double D : AtStart) Sum += (unsigned long)D;
  Sum += (unsigned long)Early[8999] + Plain[3] + __LINE__;
  delete[] Early;
  std::printf("fuzz %lu %lu %lu\n", Sum, Made, Gone);
  return Made == Gone ? 0 : 1;
}
"""
SECOND = r"""
#include "fuzz.hpp"
int Static::Table[20000] = {1, 2};
namespace outer { namespace ek_like { double *grow(std::size_t N) { return new double[N](); } } }
namespace {
@FUNCTIONS@
}
void other() {
@CALLS@}
"""
# Text that declares a pointer or container `h` of N elements T, and text that
# ends it. USE is any range of N elements from `h`.
RAW = [
    ("T *h = new T[N];", "delete[] h;"),
    ("T *h = new T[N]();", "delete[] h;"),
    ("T *h = ::new T[N];", "delete[] h;"),
    ("T *h(new T[N]{});", "delete[] h;"),
    ("auto h = new T[N];", "delete[] h;"),
    ("auto *h = new (std::nothrow) T[N]; if (!h) std::abort();", "delete[] h;"),
    ("T *h = new (T[N]);", "delete[] h;"),
    ("T *h = (Sum & 1) ? new T[N] : new T[N]();", "delete[] h;"),
    ("T *h = FUZZ_NEW(T, N);", "delete[] h;"),
    ("T *h = FUZZ_PASS(new T[N]);", "delete[] h;"),
    ("T *h = FUZZ_TEXT(new T[N]);", "delete[] h;"),
    ("T *h = array<T>(N);", "delete[] h;"),
    ("T *h = [](std::size_t n) { return new T[n]; }(N);", "delete[] h;"),
    ("auto make = [](auto n) { return new T[n](); }; T *h = make(N);", "delete[] h;"),
    ("std::function<T *()> make = [] { return new T[N]; }; T *h = make();", "delete[] h;"),
    ("T(*m)[N] = new T[1][N]; T *h = *m;", "delete[] m;"),
    ("T **rows = new T *[2]; rows[0] = new T[N]; T *h = rows[0];", "delete[] h; delete[] rows;"),
    ("T *h; if (T *p = new T[N]) h = p; else std::abort();", "delete[] h;"),
    ("char *raw = new char[N * sizeof(T) + alignof(T)]; void *v = raw; std::size_t room = N * sizeof(T) + alignof(T);\n"
     "    T *h = static_cast<T *>(std::align(alignof(T), N * sizeof(T), v, room)); for (int i = 0; i < N; i++) ::new (h + i) T;",
     "for (int i = 0; i < N; i++) h[i].~T(); delete[] raw;"),
    ("T *h = new T[sizeof(new int[3]) ? N : 1];", "delete[] h;"),
    ("static_assert(noexcept(new int[3]) == false, \"\"); decltype(new T[3]) h = new T[N];", "delete[] h;"),
    ("T *h = outer::ek_like::grow(3) ? new T[N] : nullptr;", "delete[] h;"),
    ("T *h = new T[\n      N // elements\n    ];", "delete[] h;"),
    ("T *h = new T[N], *second = new T; delete second;", "delete[] h;"),
    ("T *h = nullptr; std::thread([&] { h = new T[N]; }).join();", "delete[] h;"),
]
PLAIN_RAW = [  # for types without constructors
    ("T *h = static_cast<T *>(std::malloc(N * sizeof(T)));", "std::free(h);"),
    ("T *h = (T *)std::calloc(N, sizeof(T));", "std::free(h);"),
    ("using std::malloc; auto h = (T *)malloc(sizeof(T) * N);", "::free(h);"),
    ("T *h = (T *)::operator new(N * sizeof(T));", "::operator delete(h);"),
    ("Derived d; Base &b = d; T *h = (T *)b.get(N * sizeof(T));", "b.put(h);"),
    ("Base b; T *h = (T *)b.get(N * sizeof(T));", "b.put(h);"),
    ("std::unique_ptr<T, Freer> o((T *)std::malloc(N * sizeof(T))); T *h = o.get();", ";"),
    ("std::unique_ptr<void, decltype(&std::free)> o(std::malloc(N * sizeof(T)), &std::free); T *h = (T *)o.get();", ";"),
    ("static T h[N];", ";"),
    ("static thread_local T h[N];", ";"),
    ("std::allocator<T> a; T *h = a.allocate(N);", "a.deallocate(h, N);"),
]
OWNERS = [
    ("std::unique_ptr<T[]> h(new T[N]);", ";"),
    ("auto h = std::make_unique<T[]>(N);", ";"),
    ("std::shared_ptr<T> o(new T[N], [](T *p) { delete[] p; }); T *h = o.get();", ";"),
    ("std::vector<T> h(N);", ";"),
    ("std::vector<T> h; h.resize(N);", ";"),
    ("std::vector<T> h; h.reserve(N); for (int i = 0; i < N; i++) h.push_back(T());", ";"),
    ("std::vector<T> h; for (int i = 0; i < N; i++) h.emplace_back();", "h.clear(); h.shrink_to_fit();"),
    ("std::vector<T> g(N), h; h.swap(g);", ";"),
    ("std::vector<T> g(N); auto h = std::move(g);", ";"),
    ("std::vector<T> g(N); std::vector<T> h(g.begin(), g.end());", ";"),
    ("std::vector<std::vector<T>> vs(3, std::vector<T>(N)); auto &h = vs[1];", ";"),
    ("std::vector<T, Allocator<T>> h(N);", ";"),
    ("auto p = std::unique_ptr<std::vector<T>>(new std::vector<T>(N)); auto &h = *p;", ";"),
    ("auto p = build<std::vector<T>>(N); auto &h = *p;", "delete p;"),
    ("struct Local { std::vector<T> V; Local() : V(N) {} } l; auto &h = l.V;", ";"),
    ("std::deque<T> h(N);", ";"),
    ("std::array<std::vector<T>, 2> vs{{std::vector<T>(N), std::vector<T>(1)}}; auto &h = vs[0];", ";"),
    ("Buffer<T> b(N); T *h = b.Data;", ";"),
    ("Buffer<T> b = Buffer<T>(N); Buffer<T> c(std::move(b)); T *h = &c.at(0);", ";"),
    ("std::map<int, std::vector<T>> m; m[3].resize(N); auto &h = m[3];", ";"),
    ("auto f = [](std::vector<T> v) { return v; }; auto h = f(std::vector<T>(N));", ";"),
    ("std::vector<T> h = [] { std::vector<T> v(+N); return v; }();", ";"),
]
OTHER = [
    "std::string s(N, 'x'); s += std::to_string(N); Sum += s.size();",
    "std::list<T> l(3); l.push_back(T()); for (auto &x : l) Sum += (unsigned long)x;",
    "std::set<int> s; for (int i = 0; i < 100; i++) s.insert(i * 7 % 50); Sum += s.size();",
    "std::unordered_map<int, std::string> m; for (int i = 0; i < 50; i++) m[i] = \"a long string that is on the heap\"; Sum += m.size();",
    "Holder x; Sum += x.V.size() + (unsigned long)x.P[3] + x.U[1].X;",
    "auto x = std::make_shared<Holder>(); Sum += x->V[7];",
    "Countdown = 5; try { Counted *c = new Counted[20]; delete[] c; } catch (std::runtime_error &) { Sum += Made - Gone; } Countdown = 0;",
    "Countdown = 3; try { std::vector<Counted> v(2); v.emplace_back(4); v.emplace_back(4); } catch (...) { Sum += 7; } Countdown = 0;",
    "Countdown = 1; try { delete new Counted(3); } catch (...) { Sum += 11; } Countdown = 0;",
    "try { char *volatile p = new char[Much]; p[0] = 1; delete[] p; } catch (const std::bad_alloc &) { Sum += 13; }",
    "volatile int n = -1; try { Counted *volatile p = new Counted[n]; delete[] p; } catch (const std::bad_alloc &) { Sum += 17; }",
    "char *volatile p = new (std::nothrow) char[Much]; Sum += p == nullptr; delete[] p;",
    "Own *o = new Own[4]; Sum += (unsigned long)o[3]; delete[] o; delete new Own;",
    "auto o = new Own; Sum += o->X; delete o;",
    "Counted *c = build<Counted>(5); Sum += c->X; delete c;",
    "alignas(Counted) char room[sizeof(Counted)]; auto c = new (room) Counted(9); Sum += c->X; c->~Counted();",
    "auto b = std::unique_ptr<Base>(new Derived); void *v = b->get(100000); std::memset(v, 3, 100000); Sum += ((char *)v)[99999]; b->put(v);",
    "double *d = wrapper(20000); d[19999] = 4; Sum += (unsigned long)d[19999]; delete[] d;",
    "double *d = outer::ek_like::grow(20000); Sum += (unsigned long)d[100]; delete[] d;",
    "StaticOf<T>::Table[3] = T(); Sum += (unsigned long)StaticOf<T>::Table[3] + Static::Table[1];",
    "std::vector<bool> b(100000); b[3] = true; Sum += b[3] + b[4];",
    "std::vector<std::string> v{\"one\", \"two\"}; v.insert(v.begin(), std::string(40, 'c')); Sum += v[0].size();",
    "Sum = Sum * 5 + __LINE__;",
    "Sum += sizeof(__FILE__) + sizeof(__func__);",
    "Sum += __COUNTER__;",
    "for (std::unique_ptr<int[]> p(new int[20000]()); Sum += 3, p; p.reset()) p[7] = 4;",
    "switch (int *p = new int[3]{1, 2, 3}; p[1]) { case 2: Sum += p[2]; delete[] p; break; default: delete[] p; }",
    "if (auto *p = new int[20000]()) { Sum += p[19999]; delete[] p; }",
    "void *p = std::malloc(3); p = std::realloc(p, 100000); std::memset(p, 1, 100000); Sum += ((char *)p)[5]; std::free(p);",
    "std::thread t([] { std::vector<int> v(30000, 2); std::unique_ptr<int[]> p(new int[30000]); p[2] = v[3]; }); t.join();",
    "struct Inner { static Inner *make() { return new Inner[2]; } int A[20]; }; auto p = Inner::make(); p[1].A[3] = 4; Sum += p[1].A[3]; delete[] p;",
]
SINCE_17 = [
    "auto *w = new Wide[5]; Sum += (unsigned long)w[3] + (reinterpret_cast<std::uintptr_t>(w) % 64 == 0); delete[] w;",
    "auto w = new Wide; Sum += w->X; delete w;",
    "auto w = new (std::align_val_t(128)) char[1000]; Sum += reinterpret_cast<std::uintptr_t>(w) % 128; ::operator delete[](w, std::align_val_t(128));",
    "std::vector<Wide> v(2000); Sum += v.size();",
]


def fill_and_use(raw_type, k):
    value = f"T((i * 3 + {k}) & 63)" if raw_type != "Own" and raw_type != "Wide" else "T()"
    return (f"    for (int i = 0; i < N; i++) h[i] = {value};\n"
            "    { unsigned long s = 0; for (int i = 0; i < N; i++) s += (unsigned long)h[i] * (i + 1); Sum = Sum * 31 + s; }\n")


def function(r, k, std):
    t = r.choice(["char", "int", "double", "unsigned long", "Counted", "Own"])
    n = r.choice([1, 3, 130, 3000, 20000])
    template = r.random() < 0.35
    body = "" if template else f"  typedef {t} T;\n"
    body += f"  constexpr int N = {n};\n  (void)N;\n"
    for i in range(r.randint(1, 4)):
        forms = OWNERS + RAW
        if t not in ("Counted", "Own"):
            forms = forms + PLAIN_RAW
        make, end = r.choice(forms)
        if t == "Own":  # it has one form of operator new
            make = make.replace("new (std::nothrow) T", "::new (std::nothrow) T")
        # In a local class or lambda, `T` and `n` are those of the function.
        body += f"  {{ {make}\n{fill_and_use(t, k)}    {end} }}\n"
        while r.random() < 0.6:
            other = r.choice(OTHER + (SINCE_17 if std >= 17 else []))
            if "switch (int *p" in other and std < 17:
                continue
            body += f"  {{ {other} }}\n"
    head = f"template <typename T> void function_{k}()" if template else r.choice(
        [f"void function_{k}()", f"static void function_{k}() noexcept(false)", f"auto function_{k}() -> void",
         f"inline void function_{k}()"])
    call = f"    function_{k}<{t}>();\n" if template else f"    function_{k}();\n"
    if template and r.random() < 0.5:
        call += f"    function_{k}<{'double' if t != 'Own' else 'Own'}>();\n"
    if r.random() < 0.2:
        call = f"    std::thread([] {{ {call.strip()} }}).join();\n"
    return f"{head} {{\n{body}}}\n", call


def cxx_program(seed):
    """The C++ program of \a seed."""
    r = random.Random(f"c++ {seed}")
    p = Program(cxx=True)
    # The second unit may use another C++ standard than the first.
    for name, text in (("p.cpp", FIRST), ("q.cpp", SECOND)):
        std = r.choice([14, 17, 20])
        functions, calls = [], []
        for k in range(r.randint(2, 4)):
            f, c = function(r, k, std)
            functions.append(f)
            calls.append(c)
            p.blocks += 1
        p.add(name, text.replace("@FUNCTIONS@", "".join(functions)).replace("@CALLS@", "".join(calls)),
              ["-w", f"-std=gnu++{std}"])
    p.add("fuzz.hpp", HEADER)
    return p
