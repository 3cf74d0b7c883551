//===- Races.h - accesses without synchronisation ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which bytes the threads of a team access within a phase. If two
// threads access the same byte, one of them writes, and neither barriers, locks
// nor atomic operations order the accesses, the program has a data race (C11,
// 5.1.2.4): its results, and so its record, may depend on scheduling. Each
// thread collects its accesses to a line (Watcher) and transfers them to a
// shadow of the line from time to time; the shadow is cleared when the phase
// ends. This finds races independent of the order in which threads ran.
// Makes: one row per pair of code places and object, with the number of lines,
// for the stream (ek_raw_race).
// Not here: races among explicit tasks created by one thread, which are
// executed one after the other (Tasks.cpp), so records do not depend on them;
// which of more than two threads had read a line before one of them writes it;
// units built without the pass; in sampled runs, lines that are not sampled.
// Accesses under any two locks count as ordered. In phases with atomic
// operations that order others (acquire, release, flush), findings are reported
// as doubtful.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_RACES_H
#define EVENKEEL_RUNTIME_RECORD_RACES_H

#include "format/ek_raw.h"
#include "record/caches/Options.h"
#include "record/host/Vec.h"
#include "record/objects/Space.h"
#include <atomic>

namespace ekrec {

constexpr uint64_t ShadowedLines = (uint64_t(Slots) << SlotBits) / LineBytes;

/// Why two accesses to the same bytes are not a race: both are Atomic, or both
/// Locked.
enum class Order : uint8_t { Plain, Atomic, Locked };

/// The accesses to a line in the phase, by thread. Written while Locked is set;
/// read without it to detect that nothing is new.
struct LineShadow {
  /// By one thread; by several threads without conflict; byte by byte.
  enum Use : unsigned { Alone, Shared, Split };
  struct Bits {
    uint32_t Phase : 24, Thread : 8; // older phases: no accesses
    uint32_t How : 2, State : 2, Reported : 1, Used : 1;
    uint32_t ByByte : 25; // index of its bytes, once split; kept
    uint32_t Locked : 1;
  };
  std::atomic<uint64_t> Head; // Bits
  std::atomic<uint64_t> Read, Written;
  uint32_t ReadAt, WrittenAt; // lower halves of the last accesses

  Bits bits() const {
    return __builtin_bit_cast(Bits, Head.load(std::memory_order_relaxed));
  }
  /// Waits until it is not being written; returns the state.
  Bits lock() {
    for (;;) {
      uint64_t Word = Head.load(std::memory_order_relaxed);
      Bits B = __builtin_bit_cast(Bits, Word);
      if (B.Locked)
        continue;
      B.Locked = 1;
      if (Head.compare_exchange_weak(Word, __builtin_bit_cast(uint64_t, B),
                                     std::memory_order_acquire))
        return B;
    }
  }
  void unlock(Bits B) {
    B.Locked = 0;
    Head.store(__builtin_bit_cast(uint64_t, B), std::memory_order_release);
  }
  /// Whether bytes \p R are known as read, and bytes \p W as written.
  bool knows(uint64_t R, uint64_t W) const {
    return !(R & ~Read.load(std::memory_order_relaxed)) &&
           !(W & ~Written.load(std::memory_order_relaxed));
  }
  void forget() {
    Read.store(0, std::memory_order_relaxed);
    Written.store(0, std::memory_order_relaxed);
  }
  void add(uint64_t R, uint64_t W) {
    Read.store(Read.load(std::memory_order_relaxed) | R,
               std::memory_order_relaxed);
    Written.store(Written.load(std::memory_order_relaxed) | W,
                  std::memory_order_relaxed);
  }
};

/// Shadows of the lines of objects, from Base on, one for 1 << ShadowShift
/// lines: only one of these lines is ever shown.
extern LineShadow *ObjectShadows;
extern unsigned ShadowShift;

/// nullptr: the line does not belong to an object.
inline LineShadow *objectShadow(uint64_t Line) {
  uint64_t N = Line - Base / LineBytes;
  return N < ShadowedLines ? ObjectShadows + (N >> ShadowShift) : nullptr;
}

/// All lines of the object [\p Start, \p Start + \p Bytes) will be accessed: in
/// full runs, a large object's shadows are faster in huge pages.
void expectLines(uint64_t Start, uint64_t Bytes);

/// The accesses of one thread to one line.
struct Touch {
  uint64_t Key;               // keyOf(); 0 = none
  uint64_t Read, Written;     // bit i: byte i
  uint32_t ReadAt, WrittenAt; // lower halves of the last code that did it

  static uint64_t keyOf(uint64_t Line, Order How) {
    return Line << 2 | static_cast<unsigned>(How);
  }
  uint64_t line() const { return Key >> 2; }
  Order how() const { return static_cast<Order>(Key & 3); }
};

/// One thread's accesses in its phase.
class Watcher {
  static constexpr unsigned Entries =
      512; // the number of lines in a first-level cache
  Touch Table[Entries] = {};
  uint16_t Used[Entries] = {};
  unsigned NumUsed = 0;
  uint32_t Thread = 0, Phase = 0;
  uint64_t Region = 0;
  uint32_t Locks = 0;
  bool Skip = false; // in code that the OpenMP runtime orders
  /// For accesses that are not atomic. No entry has Nobody.
  static constexpr Order Nobody = static_cast<Order>(3);
  Order Now = Order::Plain;

  void setNow() { Now = Skip ? Nobody : Locks ? Order::Locked : Order::Plain; }
  Touch &entryOf(uint64_t Line, Order How) {
    return Table[static_cast<unsigned>(Line + 37 * static_cast<unsigned>(How)) %
                 Entries];
  }
  static void touchEntry(Touch &T, uint64_t Mask, bool Read, bool Write,
                         uintptr_t At) {
    if (Read && Mask & ~T.Read) {
      T.Read |= Mask;
      T.ReadAt = static_cast<uint32_t>(At);
    }
    if (Write && Mask & ~T.Written) {
      T.Written |= Mask;
      T.WrittenAt = static_cast<uint32_t>(At);
    }
  }
  void show(Touch &T);
  void replace(Touch &T, uint64_t Line, Order How);
  void showBytes(const Touch &T, const LineShadow &C, LineShadow::Bits &H);

public:
  void begin(uint32_t ThreadNumber, uint32_t PhaseNumber, uint64_t RegionId) {
    Thread = ThreadNumber;
    Phase = PhaseNumber;
    Region = RegionId;
    Locks = 0;
    setNow();
  }
  /// The common case of touch(), inlined: the line still has an entry. False:
  /// nothing was done.
  bool touchAgain(uint64_t Line, uint64_t Mask, bool Read, bool Write,
                  uintptr_t At) {
    Touch &T = entryOf(Line, Now);
    if (T.Key != Touch::keyOf(Line, Now))
      return false;
    touchEntry(T, Mask, Read, Write, At);
    return true;
  }
  /// Accesses bytes \p Mask of \p Line, by code at \p At.
  void touch(uint64_t Line, uint64_t Mask, bool Read, bool Write, bool Atomic,
             uintptr_t At) {
    if (Skip)
      return;
    Order How = Atomic && !Locks ? Order::Atomic : Now;
    Touch &T = entryOf(Line, How);
    if (__builtin_expect(T.Key != Touch::keyOf(Line, How), 0))
      replace(T, Line, How);
    touchEntry(T, Mask, Read, Write, At);
  }
  /// \p Times accesses of \p Bytes each to \p Line, evenly spread between those
  /// at \p First and \p Last.
  void touchRow(uint64_t Line, uint64_t First, uint64_t Last, uint64_t Times,
                uint64_t Size, bool Read, bool Write, uintptr_t At);
  void lock() {
    ++Locks;
    setNow();
  }
  void unlock() {
    Locks -= Locks != 0;
    setNow();
  }
  void skip(bool On) {
    Skip = On;
    setNow();
  }
  /// Call after an operation that may order others.
  void orders();
  /// Call at the end of the phase: transfers all that is left.
  void flush();
};

/// Starts looking for races, on one line in \p Rate of each page. False: no
/// memory.
bool initRaces(uint32_t Rate);

/// The findings: pairs that race, and pairs that atomic operations may order.
struct RaceCount {
  uint64_t Races, Doubtful;
};
RaceCount racesFound();

/// Rows in a fixed order, and the images of their places. \p RowOf returns the
/// row of an instance; \p Self is passed to it.
void collectRaces(uint32_t (*RowOf)(uint32_t Instance, const void *Self),
                  const void *Self, Vec<ek_raw_race> &Rows,
                  Vec<ek_raw_image> &Images);

} // namespace ekrec

#endif
