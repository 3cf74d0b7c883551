//===- Races.h - accesses that nothing orders -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which bytes the threads of a team touch within one phase. A program in
// which two of them touch the same byte, one of them writes it, and neither
// barriers, locks nor atomic operations order them, has a data race (C11,
// 5.1.2.4): what it computes, and so its record, may depend on scheduling.
// Each thread gathers what it does to a line (Watcher) and shows it to a shadow
// of the line from time to time; the shadow forgets when the phase ends. That
// finds races whatever the order was in which the threads came by.
// Makes: one row per pair of code places and object, with the number of lines,
// for the stream (ek_raw_race).
// Not here: races among explicit tasks that one thread created: they run one
// after the other (Tasks.cpp), so a record does not depend on them; which of
// several threads had read a line before one of those writes it, when there
// were more than two; units built without the pass; in sampled runs, lines that
// are not sampled. Accesses under any two locks are taken for ordered. In
// phases with atomic operations that order others (acquire, release, flush)
// findings are doubtful, and said to be.
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

/// Why two accesses may touch the same bytes all the same: both are Atomic, or
/// both Locked.
enum class Order : uint8_t { Plain, Atomic, Locked };

/// What is known of a line: who did what in the phase. Written while Locked is
/// set, read without to find out that nothing is new.
struct LineShadow {
  /// One thread alone; several, in ways that cannot clash; byte by byte.
  enum Use : unsigned { Alone, Shared, Split };
  struct Bits {
    uint32_t Phase : 24, Thread : 8; // older phases: nothing is known
    uint32_t How : 2, State : 2, Told : 1, Used : 1;
    uint32_t ByByte : 25; // its bytes, once split; kept
    uint32_t Locked : 1;
  };
  std::atomic<uint64_t> Head; // Bits
  std::atomic<uint64_t> Read, Written;
  uint32_t ReadAt, WrittenAt; // lower halves of the last ones

  Bits bits() const {
    return __builtin_bit_cast(Bits, Head.load(std::memory_order_relaxed));
  }
  /// Waits until nobody writes; the state then.
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
  /// Bytes of \p R are known to be read, those of \p W to be written.
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

/// Of the lines of objects, from Base on, 1 << ShadowShift lines each: of those
/// only one is ever shown.
extern LineShadow *ObjectShadows;
extern unsigned ShadowShift;

/// nullptr: the line is not of an object's.
inline LineShadow *objectShadow(uint64_t Line) {
  uint64_t N = Line - Base / LineBytes;
  return N < ShadowedLines ? ObjectShadows + (N >> ShadowShift) : nullptr;
}

/// All lines of an object will be looked at, [\p Start, \p Start + \p Bytes):
/// those of a large one are faster in huge pages, where a full run has them.
void expectLines(uint64_t Start, uint64_t Bytes);

/// What one thread did to one line.
struct Touch {
  uint64_t Key;               // keyOf(); 0 = none
  uint64_t Read, Written;     // bit i: byte i
  uint32_t ReadAt, WrittenAt; // lower halves of the code that did it last

  static uint64_t keyOf(uint64_t Line, Order How) {
    return Line << 2 | static_cast<unsigned>(How);
  }
  uint64_t line() const { return Key >> 2; }
  Order how() const { return static_cast<Order>(Key & 3); }
};

/// One thread's view of the phase it is in.
class Watcher {
  static constexpr unsigned Entries = 512; // lines that a first level holds
  Touch Table[Entries] = {};
  uint16_t Used[Entries] = {};
  unsigned NumUsed = 0;
  uint32_t Thread = 0, Phase = 0;
  uint64_t Region = 0;
  uint32_t Locks = 0;
  bool Skip = false; // code that the OpenMP runtime orders
  /// Of accesses that are not atomic. There are no entries of Nobody's.
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
  /// The common case of touch(), to be inlined: the line was touched before and
  /// has its entry still. False: nothing was done.
  bool touchAgain(uint64_t Line, uint64_t Mask, bool Read, bool Write,
                  uintptr_t At) {
    Touch &T = entryOf(Line, Now);
    if (T.Key != Touch::keyOf(Line, Now))
      return false;
    touchEntry(T, Mask, Read, Write, At);
    return true;
  }
  /// Bytes \p Mask of \p Line, at \p At in the code.
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
                uint64_t Bytes, bool Read, bool Write, uintptr_t At);
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
  /// An operation that may order others came by.
  void orders();
  /// The phase ends: shows all that is left.
  void flush();
};

/// Looks for races from now on, on one line in \p Rate of each page. False: no
/// memory.
bool initRaces(uint32_t Rate);

/// What was found: pairs that are races, and pairs that atomic operations may
/// order.
struct RaceCount {
  uint64_t Races, Doubtful;
};
RaceCount racesFound();

/// Rows in a fixed order, and the images that their places lie in. \p RowOf
/// gives the row of an instance; \p Self is handed to it.
void collectRaces(uint32_t (*RowOf)(uint32_t Instance, const void *Self),
                  const void *Self, Vec<ek_raw_race> &Rows,
                  Vec<ek_raw_image> &Images);

} // namespace ekrec

#endif
