//===- Arena.cpp - blocks at canonical addresses --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: blocks at fixed addresses, and the page table of Space.h. All
// bookkeeping is outside the blocks, so overruns cannot damage it.
//===----------------------------------------------------------------------===//
#include "Arena.h"
#include "Naming.h"
#include "core/tuning.h"
#include "format/ek_raw.h"
#include "record/host/Report.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace ekrec;

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace {

constexpr uint64_t UnitBytes = 64 << 10;
constexpr unsigned NumClasses = 44; // 16, 32, ... 128, then 4 per doubling

struct Unit {    // the use of a 64 KiB unit of a creator's range
  uint32_t Pool; // 0 = large block or unused
  uint8_t Class;
  uint8_t Offset; // units since the start of the slab
};

struct Pool {     // small blocks of one site in one range
  uint32_t Named; // index of their Together
  void *Free[NumClasses];
  uint64_t Next[NumClasses], End[NumClasses];
};

struct Extent {
  uint64_t Start, Bytes;
};

struct Arena {   // of a creator, or of the other threads
  uint64_t Bump; // 0: not mapped yet
  bool Refused;
  Vec<Extent> Free; // sorted by address, coalesced
  Vec<Pool> Pools;
  Lock Shared; // guards Remote; for other threads: everything
  Vec<void *> Remote;
};

} // namespace

static Arena *Arenas; // [Ranges]
static std::atomic<bool> SpaceClosed;
static Unit *UnitTable;

bool ekrec::initSpace(bool Spans) {
  TheSpace.Spans = Spans;
  uint64_t Total = uint64_t(Slots) << SlotBits;
  auto *Pages =
      static_cast<Page *>(reservePages((Total >> PageBits) * sizeof(Page)));
  TheSpace.Before =
      static_cast<Page *>(reservePages((Total >> PageBits) * sizeof(Page)));
  UnitTable =
      static_cast<Unit *>(reservePages(Total / UnitBytes * sizeof(Unit)));
  Arenas = static_cast<Arena *>(reservePages(Ranges * sizeof(Arena)));
  if (!Pages || !TheSpace.Before || !UnitTable || !Arenas || !initNames())
    return false;
  TheSpace.Pages = Pages;
  return true;
}

/// The pool for small blocks of a site; null: there can be no more.
static Pool *poolOf(Arena &A, uint64_t Site, Maker By, uint32_t Phase) {
  // In the range of other threads, pools are also separated by creator.
  const uint64_t Key =
      By.Range == By.Creator ? Site : Site ^ By.Creator * 0x9E3779B97F4A7C15ull;
  Naming &Names = namesOf(By.Range);
  {
    Held L(Names.Changes);
    if (!growSites(Names))
      return nullptr;
    if (const uint32_t At = entryOf(Names, Key).Pool)
      return &A.Pools[At - 1];
  }
  Pool Fresh = {};
  Fresh.Named = togetherOf(Site, By.Creator, Phase);
  if (!Fresh.Named-- || !A.Pools.push(Fresh))
    return nullptr;
  Held L(Names.Changes);
  if (!growSites(Names))
    return nullptr;
  entryOf(Names, Key).Pool = static_cast<uint32_t>(A.Pools.size());
  return &A.Pools.back();
}

/// The pages of a new small block are assigned to its object, if they have
/// none.
static void namePages(const Pool &P, unsigned Creator, uint64_t Start,
                      size_t Bytes) {
  Naming &A = namesOf(Creator);
  Held L(A.Changes);
  Together &All = A.Small[P.Named];
  for (uint64_t G = Start >> PageBits; G <= (Start + Bytes - 1) >> PageBits;
       ++G) {
    Page &Entry = TheSpace.Pages[G - (Base >> PageBits)];
    if (!Entry.Instance)
      Entry = {All.Instance, All.Pages++};
  }
  if (All.Pages == 1)
    All.FirstPageUsed = (Start & (EK_PAGE - 1)) + Bytes;
}

static Arena *arenaOf(unsigned Creator) {
  Arena &A = Arenas[Creator];
  if (A.Bump || A.Refused)
    return A.Refused ? nullptr : &A;
  void *Want = reinterpret_cast<void *>(Base + Creator * SlotBytes);
  void *Got = mmap(
      Want, SlotBytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (Got != Want) {
    if (Got != MAP_FAILED)
      munmap(Got, SlotBytes);
    A.Refused = true;
    count(Why::ArenaRefused);
    return nullptr;
  }
  A.Bump = Base + Creator * SlotBytes;
  return &A;
}

static uint64_t roundUp(uint64_t N, uint64_t To) {
  return (N + To - 1) & ~(To - 1);
}

static uint64_t takeFresh(Arena &A, unsigned Creator, uint64_t Bytes,
                          uint64_t Align) {
  uint64_t Start = roundUp(A.Bump, Align);
  if (Bytes > SlotBytes ||
      Start + Bytes > Base + (uint64_t(Creator) + 1) * SlotBytes)
    return 0;
  A.Bump = Start + Bytes;
  return Start;
}

static uint64_t takePages(Arena &A, unsigned Creator, uint64_t Bytes,
                          uint64_t Align) {
  for (size_t I = 0; I < A.Free.size(); ++I) {
    Extent E = A.Free[I];
    uint64_t Start = roundUp(E.Start, Align);
    if (Start + Bytes > E.Start + E.Bytes)
      continue;
    uint64_t Rest = E.Start + E.Bytes - (Start + Bytes);
    if (Start == E.Start && !Rest) {
      A.Free.eraseAt(I);
    } else if (Start == E.Start) {
      A.Free[I] = {Start + Bytes, Rest};
    } else {
      A.Free[I].Bytes = Start - E.Start;
      if (Rest)
        A.Free.insertAt(I + 1, {Start + Bytes, Rest});
    }
    return Start;
  }
  uint64_t Start = takeFresh(A, Creator, Bytes, Align);
  if (!Start)
    count(Why::ArenaFull);
  return Start;
}

static void givePages(Arena &A, uint64_t Start, uint64_t Bytes) {
  size_t I = std::lower_bound(
                 A.Free.begin(), A.Free.end(), Start,
                 [](const Extent &E, uint64_t S) { return E.Start < S; }) -
             A.Free.begin();
  bool Before = I && A.Free[I - 1].Start + A.Free[I - 1].Bytes == Start;
  bool After = I < A.Free.size() && Start + Bytes == A.Free[I].Start;
  if (Before && After) {
    A.Free[I - 1].Bytes += Bytes + A.Free[I].Bytes;
    A.Free.eraseAt(I);
  } else if (Before) {
    A.Free[I - 1].Bytes += Bytes;
  } else if (After) {
    A.Free[I].Start = Start;
    A.Free[I].Bytes += Bytes;
  } else {
    A.Free.insertAt(I, {Start, Bytes});
  }
}

static Unit &unitOf(uint64_t A) { return UnitTable[(A - Base) / UnitBytes]; }

static unsigned classOf(size_t Bytes) {
  if (Bytes <= 128)
    return Bytes ? static_cast<unsigned>((Bytes + 15) / 16 - 1) : 0;
  unsigned Log = 63 - __builtin_clzll(Bytes - 1); // 128 <= 2^Log < Bytes
  return 8 + (Log - 7) * 4 +
         static_cast<unsigned>((Bytes - 1 - (1ull << Log)) >> (Log - 2));
}

static size_t classBytes(unsigned Class) {
  if (Class < 8)
    return (Class + 1) * 16;
  unsigned Log = 7 + (Class - 8) / 4;
  return (1ull << Log) + ((Class - 8) % 4 + 1) * (1ull << (Log - 2));
}

/// The kind of block that is requested.
enum class Kind { First, Moved, Pages };

/// A block that is an object of its own, large or not.
static void *allocateOwn(Arena &A, Maker By, Asked Who, size_t Bytes,
                         size_t Align, bool Zero, uint32_t Phase, bool Small) {
  uint64_t Want = roundUp(Bytes ? Bytes : 1, 1 << PageBits);
  uint64_t Step = Align > (1 << PageBits) ? Align : (1 << PageBits);
  const uint64_t Fresh = A.Bump;
  uint64_t Start = takePages(A, By.Range, Want, Step);
  if (!Start)
    return nullptr;
  if (Zero && Start < Fresh) { // may have been used before
    void *Block = reinterpret_cast<void *>(Start);
    if (Want >= EK_GIVE_BACK_BYTES)
      madvise(Block, Want, MADV_DONTNEED);
    else
      memset(Block, 0, Want);
  }
  uint32_t N = newInstance(Who, By.Creator, Phase, Small);
  if (!N) {
    givePages(A, Start, Want);
    count(Why::NoMemory);
    return nullptr;
  }
  Instance &I = TheSpace.Table[N];
  I.Bytes = Bytes;
  I.Start = Start;
  I.Capacity = Want;
  I.Span = spanOf(Want);
  Page *P = TheSpace.Pages + ((Start - Base) >> PageBits);
  Page *Before = TheSpace.Before + ((Start - Base) >> PageBits);
  for (uint32_t K = 0; K < Want >> PageBits; ++K) {
    if (P[K].Instance && TheSpace.Table[P[K].Instance].AllocPhase != Phase)
      Before[K] = P[K];
    P[K] = {N, K};
  }
  for (uint64_t U = Start & ~(UnitBytes - 1); U < Start + Want; U += UnitBytes)
    unitOf(U).Pool = 0;
  return reinterpret_cast<void *>(Start);
}

static void *allocateSmall(Arena &A, Maker By, uint64_t Site, unsigned Class,
                           uint32_t Phase) {
  Pool *Its = poolOf(A, Site, By, Phase);
  if (!Its) {
    count(Why::NoMemory);
    return nullptr;
  }
  Pool &P = *Its;
  if (void *Block = P.Free[Class]) {
    memcpy(&P.Free[Class], Block, sizeof(void *));
    return Block;
  }
  size_t Bytes = classBytes(Class);
  if (P.Next[Class] + Bytes > P.End[Class]) {
    uint64_t Slab = Bytes <= 4096 ? UnitBytes : 8 * UnitBytes;
    // Avoid the place of a former large block: its lines may still be dirty in
    // the caches of other threads.
    uint64_t Start = takeFresh(A, By.Range, Slab, UnitBytes);
    if (!Start)
      Start = takePages(A, By.Range, Slab, UnitBytes);
    if (!Start)
      return nullptr;
    for (uint64_t O = 0; O < Slab; O += UnitBytes)
      unitOf(Start + O) = {static_cast<uint32_t>(Its - A.Pools.begin()) + 1,
                           static_cast<uint8_t>(Class),
                           static_cast<uint8_t>(O / UnitBytes)};
    memset(TheSpace.Pages + ((Start - Base) >> PageBits), 0,
           (Slab >> PageBits) * sizeof(Page));
    P.Next[Class] = Start;
    P.End[Class] = Start + Slab;
  }
  uint64_t Start = P.Next[Class];
  P.Next[Class] += Bytes;
  namePages(P, By.Creator, Start, Bytes);
  return reinterpret_cast<void *>(Start);
}

static void *takeHeld(Arena &A, Maker By, Asked Who, size_t Bytes, size_t Align,
                      bool Zero, uint32_t Phase, Kind K) {
  if (K == Kind::Pages)
    return allocateOwn(A, By, Who, Bytes, Align, Zero, Phase,
                       Bytes < LargeBytes);
  size_t Small = Bytes;
  if (Align >
      16) { // blocks whose size is a power of two >= Align are aligned in slabs
    Small = Align > Bytes ? Align : Bytes;
    if (Small < LargeBytes)
      Small = Small <= 1 ? 1 : 1ull << (64 - __builtin_clzll(Small - 1));
  }
  const bool Large = Bytes >= LargeBytes || Small >= LargeBytes;
  if (Large || (K == Kind::First && Who.Site && Bytes >= OwnBytes &&
                mayOwn(By.Creator, Who)))
    return allocateOwn(A, By, Who, Bytes, Align, Zero, Phase, !Large);
  void *P = allocateSmall(A, By, Who.Site, classOf(Small), Phase);
  if (P && Zero)
    memset(P, 0, Bytes);
  return P;
}

static void *take(Maker By, Asked Who, size_t Bytes, size_t Align, bool Zero,
                  uint32_t Phase, Kind K) {
  if (!TheSpace.Pages || By.Range >= Ranges || By.Creator >= Creators ||
      Bytes > SlotBytes)
    return nullptr;
  if (By.Range != OthersRange) {
    Arena *A = arenaOf(By.Range);
    return A ? takeHeld(*A, By, Who, Bytes, Align, Zero, Phase, K) : nullptr;
  }
  Held L(Arenas[OthersRange].Shared);
  Arena *A = SpaceClosed.load() ? nullptr : arenaOf(OthersRange);
  return A ? takeHeld(*A, By, Who, Bytes, Align, Zero, Phase, K) : nullptr;
}

void *ekrec::allocate(Maker By, Asked Who, size_t Bytes, size_t Align,
                      bool Zero, uint32_t Phase) {
  return take(By, Who, Bytes, Align, Zero, Phase, Kind::First);
}

void *ekrec::resized(Maker By, Asked Who, size_t Bytes, uint32_t Phase) {
  return take(By, Who, Bytes, 16, /*Zero=*/false, Phase, Kind::Moved);
}

void *ekrec::allocatePages(Maker By, Asked Who, size_t Bytes, size_t Align,
                           uint32_t Phase) {
  return take(By, Who, Bytes, Align, /*Zero=*/true, Phase, Kind::Pages);
}

static uint64_t addressOf(const void *P) {
  return reinterpret_cast<uint64_t>(P);
}

static Instance &largeOf(const void *P) {
  return TheSpace
      .Table[TheSpace.Pages[(addressOf(P) - Base) >> PageBits].Instance];
}

static void giveBack(Arena &A, void *P) {
  Unit U = unitOf(addressOf(P));
  if (!U.Pool) {
    const Instance &I = largeOf(P);
    givePages(A, I.Start, I.Capacity);
    return;
  }
  Pool &Home = A.Pools[U.Pool - 1];
  memcpy(P, &Home.Free[U.Class], sizeof(void *));
  Home.Free[U.Class] = P;
}

void ekrec::release(Maker By, void *P, uint32_t Phase) {
  unsigned Owner = static_cast<unsigned>((addressOf(P) - Base) >> SlotBits);
  Arena &A = Arenas[Owner];
  if (!unitOf(addressOf(P)).Pool) {
    Instance &I = largeOf(P);
    if (I.Start != addressOf(P) || I.FreePhase != Never)
      return; // not the start of a block, or freed before: ignore it
    I.FreePhase = Phase;
    if (I.Capacity >= EK_GIVE_BACK_BYTES)
      madvise(P, I.Capacity, MADV_DONTNEED);
  }
  if (Owner == By.Range && Owner != OthersRange) {
    giveBack(A, P);
    return;
  }
  if (SpaceClosed.load()) // it will not be reused
    return;
  Held L(A.Shared);
  if (Owner != OthersRange)
    A.Remote.push(P);
  else if (!SpaceClosed.load())
    giveBack(A, P);
}

void ekrec::absorbRemoteFrees() {
  if (!TheSpace.Pages)
    return;
  for (unsigned C = 0; C < Creators; ++C) {
    Arena &A = Arenas[C];
    if (A.Remote.empty())
      continue;
    Held L(A.Shared); // against threads outside teams
    std::sort(A.Remote.begin(), A.Remote.end());
    for (void *P : A.Remote)
      giveBack(A, P);
    A.Remote.clear();
  }
}

size_t ekrec::capacityOf(const void *P) {
  Unit U = unitOf(addressOf(P));
  return U.Pool ? classBytes(U.Class) : largeOf(P).Capacity;
}

Asked ekrec::askedFor(const void *P) {
  Page E = TheSpace.Pages[(addressOf(P) - Base) >> PageBits];
  const Instance &I = TheSpace.Table[E.Instance];
  return {I.Site, I.Context};
}

Instance *ekrec::blockOf(const void *P) {
  if (unitOf(addressOf(P)).Pool)
    return nullptr;
  Instance &I = largeOf(P);
  return I.Start && I.FreePhase == Never ? &I : nullptr;
}

bool ekrec::resizeInPlace(void *P, size_t Bytes) {
  if (unitOf(addressOf(P)).Pool)
    return Bytes && Bytes <= capacityOf(P) && Bytes * 2 > capacityOf(P);
  Instance &I = largeOf(P);
  const bool Small = EK_RAW_IS_SMALL(I.Ordinal);
  if (Bytes > I.Capacity || Bytes * 2 < I.Capacity ||
      (Small ? Bytes >= LargeBytes : Bytes < LargeBytes))
    return false;
  I.Bytes = Bytes > I.Bytes ? Bytes : I.Bytes;
  return true;
}

void ekrec::closeSpace(bool Child) {
  if (!TheSpace.Pages)
    return;
  SpaceClosed.store(true);
  Lock &Others = Arenas[OthersRange].Shared;
  if (!Child) {
    // The current holder will finish soon, unless a signal handler that ends
    // the program has interrupted it.
    for (int Tries = 0; Tries < 1000; ++Tries) {
      if (Others.take()) {
        Others.give();
        return;
      }
      usleep(1000);
    }
    return;
  }
  for (unsigned C = 0; C < Ranges; ++C) {
    Arenas[C].Shared.give();
    namesOf(C).Changes.give();
  }
}
