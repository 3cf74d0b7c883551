//===- context_test.cpp - site and context of an allocation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime's internals: which site and context the object map has for
// a block. In each test the ids are pushed as rewritten code pushes them.
//===----------------------------------------------------------------------===//
#include "evenkeel/ek.h"
#include "format/ek_context.h"
#include "format/ek_wrapper.h"
extern "C" {
#include "calls/context.h"
#include "core/libc.h"
#include "core/stats.h"
#include "objects/object.h"
}
#include <csetjmp>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <valarray>
#include <vector>

namespace {

constexpr size_t Many = 100000;

/// 0: not an object of the runtime.
uint64_t siteOf(const void *P) {
  ek_where W;
  return ek_object_find(P, &W) ? W.site : 0;
}

bool nothingIsOpen() {
  ek_asked Asked;
  return !ek_context_site(&Asked);
}

class Context : public testing::Test {
protected:
  void SetUp() override {
    if (!ek_new_is_ours())
      GTEST_SKIP() << "the sanitizer's operator new comes first";
  }
  void TearDown() override { EXPECT_TRUE(nothingIsOpen()); }
};

std::vector<double> AtFileScope(((void)::ek::at(0x10), Many));
uint64_t BeforeMain = siteOf(AtFileScope.data());

TEST_F(Context, BeforeMain) { EXPECT_EQ(BeforeMain, 0x10u); }

TEST_F(Context, ContainersBelongToTheOpenExpression) {
  std::vector<double> A(((void)::ek::at(0x20), Many)), B;
  EXPECT_EQ(siteOf(A.data()), 0x20u);
  ((void)::ek::at(0x21), B).resize(Many);
  EXPECT_EQ(siteOf(B.data()), 0x21u);
  ((void)::ek::at(0x22), B) = A; // fits: stays where it is
  EXPECT_EQ(siteOf(B.data()), 0x21u);
  std::vector<double> C = ((void)::ek::at(0x23), A);
  EXPECT_EQ(siteOf(C.data()), 0x23u);
  for (int I = 0; I < 100000; ++I)
    ((void)::ek::at(0x24), C).push_back(I);
  EXPECT_EQ(siteOf(C.data()), 0x24u);
  std::string S(((void)::ek::at(0x25), Many), 'x');
  EXPECT_EQ(siteOf(S.data()), 0x25u);
  auto U = ((void)::ek::at(0x26), std::make_unique<double[]>(Many));
  EXPECT_EQ(siteOf(U.get()), 0x26u);
  std::valarray<int> V(((void)::ek::at(0x27), Many));
  EXPECT_EQ(siteOf(&V[0]), 0x27u);
  struct Big {
    char Bytes[1 << 20];
  };
  auto P = ((void)::ek::at(0x28), std::make_shared<Big>());
  EXPECT_EQ(siteOf(P.get()), 0x28u);
  struct alignas(256) Wide {
    char Bytes[256];
  };
  std::vector<Wide> W(((void)::ek::at(0x29), Many / 16));
  EXPECT_EQ(siteOf(W.data()), 0x29u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(W.data()) % 256, 0u);
}

TEST_F(Context, WithoutOneOperatorNewIsThePrograms) {
  std::vector<double> A(Many);
  EXPECT_EQ(siteOf(A.data()), 0u);
  std::vector<char> Small(((void)::ek::at(0x30), 100));
  EXPECT_EQ(siteOf(Small.data()), 0u);
  char *P = new (std::nothrow) char[Many];
  EXPECT_EQ(siteOf(P), 0u);
  delete[] P;
  volatile size_t Huge = SIZE_MAX / 4;
  EXPECT_THROW(((void)::ek::at(0x31), A).reserve(Huge / sizeof(double)),
               std::bad_alloc);
}

TEST_F(Context, OwnIdsAndInnerExpressionsWin) {
  double *Inner = nullptr;
  auto Make = [&](size_t N) {
    Inner = static_cast<double *>(ek_malloc(0x40, N * sizeof(double)));
    return N;
  };
  std::vector<double> A(((void)::ek::at(0x41), Make(Many)));
  EXPECT_EQ(siteOf(Inner), 0x40u);
  EXPECT_EQ(siteOf(A.data()), 0x41u);
  ek_free(Inner);
  // The inner expression is done before the outer container grows.
  std::vector<std::vector<double>> Rows(4096);
  ((void)::ek::at(0x42), Rows)
      .push_back(
          ::ek::done(0x43, std::vector<double>(((void)::ek::at(0x43), Many))));
  EXPECT_EQ(siteOf(Rows.data()), 0x42u);
  EXPECT_EQ(siteOf(Rows.back().data()), 0x43u);
}

TEST_F(Context, ExceptionsUndo) {
  std::vector<double> A;
  EXPECT_THROW(((void)::ek::at(0x50), A).at(3) = 1, std::out_of_range);
  EXPECT_TRUE(nothingIsOpen());
  std::vector<double> B(Many);
  EXPECT_EQ(siteOf(B.data()), 0u);
}

/// Never inlined: its frame lies below its caller's.
__attribute__((noinline)) void *wrapper(size_t N, jmp_buf *Jump) {
  if (Jump)
    longjmp(*Jump, 1);
  return ek_malloc(0x60, N);
}
__attribute__((noinline)) void *outer(size_t N, jmp_buf *Jump) {
  return ek_leave(0x61, (ek_enter(0x61), wrapper(N, Jump)));
}

TEST_F(Context, CallsMakeContexts) {
  EXPECT_EQ(ek_context_of(0x60), 0u);
  uint64_t One, Other, Two;
  {
    ek::call A(0x62);
    One = ek_context_of(0x60);
  }
  {
    ek::call A(0x63);
    Other = ek_context_of(0x60);
    ek::call B(0x62);
    Two = ek_context_of(0x60);
    EXPECT_NE(ek_context_of(0x64), Two);
    ek::at C(0x65); // a container's allocations are its own
    EXPECT_EQ(ek_context_of(0x60), 0u);
    ek_asked Asked;
    EXPECT_TRUE(ek_context_site(&Asked));
    EXPECT_EQ(Asked.site, 0x65u);
    EXPECT_NE(Asked.context, 0u);
  }
  EXPECT_TRUE(One && Other && Two);
  EXPECT_TRUE(One != Other && Other != Two && One != Two);
  // Calls beyond the bound do not count.
  ek::call A(1), B(2), C(3), D(4);
  uint64_t Bounded = ek_context_of(0x60);
  {
    ek::call E(5);
    EXPECT_NE(ek_context_of(0x60), Bounded);
  }
  EXPECT_EQ(ek_context_of(0x60), Bounded);
}

constexpr uint64_t inFunction(uint64_t Function, uint64_t Place) {
  return Function << EK_FUNCTION_SHIFT | Place;
}

/// Wrappers that were inlined push from their caller's frame; entries that
/// longjmp left open there are no context of the calls that follow.
TEST_F(Context, JumpsOutOfInlinedWrappersLeaveNothing) {
  const uint64_t Site = inFunction(1, 1), InWrapper = inFunction(2, 1);
  const uint64_t First = inFunction(3, 1), Second = inFunction(3, 2);
  const void *Frame = EK_FRAME;
  auto Push = [&](uint64_t Id) {
    ek_context_push(Id, ~0u, EK_OF_CALL, Frame, nullptr);
  };
  auto Pop = [&](uint64_t Id) { ek_context_pop(Id, Frame, nullptr); };
  Push(Second);
  Push(InWrapper);
  const uint64_t Wanted = ek_context_of(Site);
  Pop(InWrapper);
  Pop(Second);
  for (int Time = 0; Time < 100; ++Time) { // far more than the stack holds
    Push(First);
    Push(InWrapper); // longjmp
  }
  const uint64_t Lost = ek_get(why[EK_WHY_context_lost]);
  Push(Second);
  Push(InWrapper);
  EXPECT_EQ(ek_context_of(Site), Wanted);
  Pop(InWrapper);
  Pop(Second);
  EXPECT_EQ(ek_get(why[EK_WHY_context_lost]), Lost);
  Pop(First);
}

/// Calls of one function are open at once where it calls itself, and where a
/// call is among the arguments of another: chains have one of them.
TEST_F(Context, RecursionAndArguments) {
  const uint64_t Site = inFunction(1, 9), Main = inFunction(3, 1);
  uint64_t Plain, Deep;
  {
    ek::call A(Main), B(inFunction(2, 1));
    Plain = ek_context_of(Site);
    ek::call C(inFunction(1, 2)), D(inFunction(1, 2)), E(inFunction(2, 7));
    ek::call F(inFunction(1, 3));
    Deep = ek_context_of(Site);
  }
  EXPECT_NE(Plain, 0u);
  EXPECT_EQ(Deep, Plain);
  uint64_t Alone, Argument;
  {
    ek::call A(Main);
    Alone = ek_context_of(Site);
    // The caller's own allocation does not belong to the wrapper.
    EXPECT_EQ(ek_context_of(inFunction(3, 8)), 0u);
  }
  {
    ek::call A(inFunction(3, 2)), B(Main); // outer(inner())
    Argument = ek_context_of(Site);
  }
  EXPECT_EQ(Argument, Alone);
}

TEST_F(Context, ValueOfACallGoesThrough) {
  void *P = outer(Many, nullptr);
  EXPECT_EQ(siteOf(P), 0x60u);
  free(P);
}

TEST_F(Context, LongjmpIsNoticed) {
  jmp_buf Jump;
  volatile int Jumps = 0;
  if (setjmp(Jump) == 0)
    outer(Many, &Jump);
  ++Jumps;
  EXPECT_EQ(Jumps, 1);
  // The next push from an outer frame drops the entries of the frame that
  // ended.
  uint64_t Fresh;
  {
    ek::call A(0x66);
    Fresh = ek_context_of(0x60);
  }
  EXPECT_EQ(ek_context_of(0x60), 0u);
  {
    ek::call A(0x66);
    EXPECT_EQ(ek_context_of(0x60), Fresh);
  }
}

TEST_F(Context, PopsOfOthersAreIgnored) {
  int Nobody;
  ek_context_pop(0x70, nullptr, &Nobody);
  ek::at A(0x71);
  ek_context_pop(0x72, EK_FRAME, nullptr);
  ek_asked Asked;
  ASSERT_TRUE(ek_context_site(&Asked));
  EXPECT_EQ(Asked.site, 0x71u);
}

TEST_F(Context, TooDeepIsCounted) {
  uint64_t Before = ek_get(why[EK_WHY_context_lost]);
  {
    std::deque<ek::call> Calls;
    for (unsigned I = 0; I < 100; ++I)
      Calls.emplace_back(I + 1);
    EXPECT_GT(ek_get(why[EK_WHY_context_lost]), Before);
  }
  EXPECT_TRUE(nothingIsOpen());
}

TEST_F(Context, ThreadsAndForks) {
  ek::at Ours(0x80);
  std::thread([] {
    EXPECT_TRUE(nothingIsOpen());
    std::vector<double> A(Many), B;
    EXPECT_EQ(siteOf(A.data()), 0u);
    ((void)::ek::at(0x81), B).resize(Many);
    EXPECT_EQ(siteOf(B.data()), 0x81u);
  }).join();
  pid_t Child = fork();
  if (Child == 0) {
    std::vector<double> A(Many);
    _exit(siteOf(A.data()) != 0x80);
  }
  int Status = -1;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
}

TEST(New, EveryFormGoesToItsDelete) {
  struct alignas(128) Wide {
    char Bytes[128];
    ~Wide() {}
  };
  for (size_t N : {size_t(3), Many}) {
    int *A = new (::ek::site(0x90), std::nothrow) int[N];
    delete[] A;
    Wide *B = new (::ek::site(0x91)) Wide[N];
    EXPECT_EQ(reinterpret_cast<uintptr_t>(B) % 128, 0u);
    delete[] B;
    Wide *C = new (::ek::site(0x92), std::nothrow) Wide[N];
    EXPECT_EQ(reinterpret_cast<uintptr_t>(C) % 128, 0u);
    if (ek_new_is_ours() && N == Many)
      EXPECT_NE(siteOf(C), 0u);
    delete[] C;
    auto Align = std::align_val_t(4096);
    auto *D = new (::ek::site(0x93), Align) int[N];
    EXPECT_EQ(reinterpret_cast<uintptr_t>(D) % 4096, 0u);
    ::operator delete[](D, Align);
    auto *E = new (::ek::site(0x94), Align, std::nothrow) int[N];
    ::operator delete[](E, Align);
  }
#if !__has_feature(address_sanitizer) // it ends such programs
  volatile size_t Huge = SIZE_MAX / 8;
  EXPECT_EQ(new (::ek::site(0x95), std::nothrow) char[Huge], nullptr);
#endif
}

struct Throwing {
  char Bytes[256];
  Throwing() { throw std::runtime_error("constructor"); }
};
struct alignas(64) ThrowingWide : Throwing {};

TEST(New, ThrowingConstructorsGiveMemoryBack) {
  for (size_t N : {size_t(2), size_t(1000)}) {
    uint64_t Live = ek_get(objects) - ek_get(freed);
    EXPECT_THROW((void)new (::ek::site(1)) Throwing[N], std::runtime_error);
    EXPECT_THROW((void)new (::ek::site(1), std::nothrow) Throwing[N],
                 std::runtime_error);
    EXPECT_THROW((void)new (::ek::site(1)) ThrowingWide[N], std::runtime_error);
    EXPECT_THROW((void)new (::ek::site(1), std::nothrow) ThrowingWide[N],
                 std::runtime_error);
    EXPECT_EQ(ek_get(objects) - ek_get(freed), Live);
  }
}

//===--- Calls that depend on other units ---------------------------------===//

/// A mark as in compiled code, with the marks that it depends on.
struct Mark {
  std::vector<uint64_t> Memory;

  explicit Mark(uint32_t Count, uint8_t State = EK_WRAPPER_OPEN)
      : Memory(sizeof(ek_wrapper) / 8 + Count) {
    get()->count = Count;
    get()->state = State;
  }
  ek_wrapper *get() { return reinterpret_cast<ek_wrapper *>(Memory.data()); }
  void set(uint32_t I, ek_wrapper *Of) { get()->if_any[I] = Of; }
};

/// Whether a call of the function with the mark becomes part of contexts.
bool isOpen(ek_wrapper *Of) {
  const uint64_t Call = uint64_t(7) << EK_FUNCTION_SHIFT;
  const void *Frame = __builtin_frame_address(0);
  ek_context_push_if(Of, Call, Frame);
  const bool Is = ek_context_of(1) != 0;
  ek_context_pop(Call, Frame, nullptr);
  EXPECT_EQ(ek_context_of(1), 0u);
  return Is;
}

TEST_F(Context, MarksHoldIfOneThatTheyDependOnDoes) {
  uint8_t Yes = EK_WRAPPER_YES; // a mark may be this byte alone
  Mark Known(0, EK_WRAPPER_YES), One(2), Two(1), Three(3), None(1), Alone(0);
  EXPECT_TRUE(isOpen(reinterpret_cast<ek_wrapper *>(&Yes)));
  One.set(1, Known.get()); // [0]: no unit defines it
  Two.set(0, One.get());
  Three.set(0, None.get());
  Three.set(1, Alone.get());
  Three.set(2, Two.get());
  EXPECT_TRUE(isOpen(Three.get()));
  EXPECT_EQ(Three.get()->state, EK_WRAPPER_YES);
  EXPECT_FALSE(isOpen(None.get()));
  EXPECT_FALSE(isOpen(Alone.get()));
  EXPECT_TRUE(isOpen(One.get()));
}

TEST_F(Context, MarksThatDependOnEachOtherHoldForAReasonOnly) {
  Mark A(2), B(2), Known(0, EK_WRAPPER_YES), C(2), D(1);
  A.set(0, A.get());
  A.set(1, B.get());
  B.set(0, A.get());
  EXPECT_FALSE(isOpen(A.get()));
  EXPECT_EQ(B.get()->state, EK_WRAPPER_NO); // by the same search
  C.set(0, D.get());
  C.set(1, Known.get());
  D.set(0, C.get());
  EXPECT_TRUE(isOpen(D.get()));
  EXPECT_TRUE(isOpen(C.get()));
}

TEST_F(Context, ThreadsDecideAlike) {
  std::vector<Mark> Chain(2000, Mark(2));
  for (size_t I = 0; I + 1 < Chain.size(); ++I) {
    Chain[I].set(0, Chain[I + 1].get());
    Chain[I].set(1, Chain[I ? I - 1 : 0].get());
  }
  uint8_t Yes = EK_WRAPPER_YES;
  Chain.back().set(0, reinterpret_cast<ek_wrapper *>(&Yes));
  std::vector<std::thread> Threads;
  std::vector<int> Missed(4);
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      for (size_t I = T; I < Chain.size(); I += 3)
        Missed[T] += !isOpen(Chain[I].get());
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Missed, std::vector<int>(4));
}

} // namespace
