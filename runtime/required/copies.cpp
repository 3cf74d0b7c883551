//===- copies.cpp - a required tier apart, with copies --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tier is a region of its own (an accelerator's memory, emulated on
// ordinary memory). Room in it comes from the pool that replay uses
// (profiles/required/pools), so blocks lie where replay expects them. A copy
// keeps its address modulo a cache line. Copies may be slowed down to the rate
// of a link; one runs at a time in each direction, as in replay.
// Not here: a device's own memory and copy engines.
//===----------------------------------------------------------------------===//
#include "core/tuning.h"
#include "required/link.h"
#include "required/pools/Fragmentation.h"
#include "required/room.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace evenkeel::acquire {
namespace {

constexpr uint64_t Line = 64;

uint64_t blockBytes(const Range &R) {
  return (R.From % Line + R.bytes() + Line - 1) / Line * Line;
}

class Copies : public Room {
  char *const Base;
  const uint64_t SmallBytes;
  const std::unique_ptr<required::Pool> Pool;
  Link In, Out;

  static uint64_t smallBytes(uint64_t Capacity) {
    return uint64_t(double(Capacity) * EK_REQUIRED_SMALL) / Line * Line;
  }

public:
  Copies(char *Base, uint64_t Capacity, uint64_t BytesPerSecond)
      : Base(Base), SmallBytes(smallBytes(Capacity)),
        Pool(
            required::makePool(required::PoolKind::Gtbm, Capacity, SmallBytes)),
        In(BytesPerSecond), Out(BytesPerSecond) {}
  ~Copies() override { munmap(Base, Pool->capacity()); }

  uint64_t capacity() const override { return Pool->capacity(); }
  uint64_t usedBytes() const override { return Pool->usedBytes(); }

  uint64_t bytesOf(const std::vector<Range> &Ranges) const override {
    uint64_t Sum = 0;
    for (const Range &R : Ranges)
      Sum += blockBytes(R);
    return Sum;
  }

  /// Large blocks cannot use the space of small ones.
  bool fit(const std::vector<Range> &Ranges) const override {
    uint64_t Small = 0, Large = 0;
    for (const Range &R : Ranges)
      (isSmall(R) ? Small : Large) += blockBytes(R);
    const uint64_t Beyond = Small > SmallBytes ? Small - SmallBytes : 0;
    return Large + Beyond <= capacity() - SmallBytes;
  }

  bool isSmall(const Range &R) const override {
    return blockBytes(R) < SmallBytes;
  }

  std::optional<uint64_t> take(const Range &R,
                               const required::Request &As) override {
    required::Request Asked = As;
    Asked.Bytes = blockBytes(R);
    return Pool->allocate(Asked);
  }

  void give(const Range &, uint64_t At) override { Pool->free(At); }

  double unusableShare(const Range &R) const override {
    return required::unusableShare(Pool->freeBlocks(), blockBytes(R));
  }

  Range leaves(const Range &R) override { return R; }

  uint64_t bringIn(const Range &R, uint64_t At, bool Reads) override {
    if (!Reads)
      return 0;
    return In.take([&] {
      std::memcpy(address(R.From, R, At), reinterpret_cast<void *>(R.From),
                  R.bytes());
      return R.bytes();
    });
  }

  uint64_t takeBack(const Range &, const Range &R, uint64_t At,
                    bool Dirty) override {
    if (!Dirty)
      return 0;
    return Out.take([&] {
      std::memcpy(reinterpret_cast<void *>(R.From), address(R.From, R, At),
                  R.bytes());
      return R.bytes();
    });
  }

  void *address(uintptr_t P, const Range &R, uint64_t At) const override {
    return Base + At + R.From % Line + (P - R.From);
  }

  bool isApart() const override { return true; }
  uint64_t copyNs() const override { return In.busyNs() + Out.busyNs(); }
};

} // namespace

std::unique_ptr<Room> makeCopies(uint64_t Capacity, uint64_t BytesPerSecond) {
  Capacity = Capacity / Line * Line;
  void *Base = Capacity
                   ? mmap(nullptr, Capacity, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                   : MAP_FAILED;
  if (Base == MAP_FAILED)
    return nullptr;
  return std::make_unique<Copies>(static_cast<char *>(Base), Capacity,
                                  BytesPerSecond);
}

} // namespace evenkeel::acquire
