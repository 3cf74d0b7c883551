//===- Arena.cpp - canonical addresses and the objects behind them --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: blocks at fixed addresses, and the page table of Arena.h. All
// bookkeeping lies outside the blocks, so overruns cannot damage it.
//===----------------------------------------------------------------------===//
#include "Arena.h"
#include "format/ek_raw.h"
#include "record/host/Report.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

using namespace ekrec;

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace ekrec {
Space TheSpace;
}

namespace {

constexpr uint64_t UnitBytes = 64 << 10;
constexpr uint32_t MaxInstances = 1u << 24;
constexpr unsigned NumClasses = 44; // 16, 32, ... 128, then 4 per doubling

struct Unit {    // what a 64 KiB unit of a creator's range is used for
  uint32_t Pool; // 0 = large block or nothing
  uint8_t Class;
  uint8_t Offset; // units since the slab's begin
};

struct Pool {     // small blocks of one site, in one range
  uint32_t Named; // index of their Together
  void *Free[NumClasses];
  uint64_t Next[NumClasses], End[NumClasses];
};

struct Together { // the object that small blocks of a creator's site are
  uint32_t Instance;
  uint32_t Pages;
  uint64_t FirstPageUsed; // bytes
};

struct SiteEntry { // of a site, or of a context, which is a hash of its site
  uint64_t Site;
  uint32_t Large; // made so far
  uint32_t Own;   // and with the small ones that are objects of their own
  uint32_t Named; // index of its Together, plus 1
  uint32_t Pool;  // index, plus 1
  bool Used;
};

struct Extent {
  uint64_t Start, Bytes;
};

/// Zeroed memory is one that nobody holds.
class Lock {
  static __thread char Self __attribute__((tls_model("initial-exec")));
  std::atomic<const void *> Holder;

public:
  bool take() {
    const void *Nobody = nullptr;
    return Holder.compare_exchange_strong(Nobody, &Self,
                                          std::memory_order_acquire);
  }
  bool isMine() const {
    return Holder.load(std::memory_order_relaxed) == &Self;
  }
  void give() { Holder.store(nullptr, std::memory_order_release); }
};
__thread char Lock::Self;

/// What a creator's objects are called. Others than the creator may make some.
struct Naming {
  Lock Changes;
  Vec<SiteEntry> Sites;
  size_t NumSites;
  Vec<Together> Small;
};

struct Arena {   // of a creator, or the others'
  uint64_t Bump; // 0: not mapped yet
  bool Refused;
  Vec<Extent> Free; // sorted by address, coalesced
  Vec<Pool> Pools;
  Naming Names; // of the others': which pool a site has
  Lock Shared;  // guards Remote; of the others': everything
  Vec<void *> Remote;
};

/// Holds a lock while it lives. A signal handler that allocates, and has
/// interrupted whoever holds it, goes on without, as it would without locks.
class Held {
  Lock *Its;

public:
  explicit Held(Lock &L) : Its(&L) {
    for (unsigned Tries = 0; Its && !L.take();) {
      if (L.isMine())
        Its = nullptr;
      else if (++Tries % 64 == 0)
        sched_yield();
    }
  }
  ~Held() {
    if (Its)
      Its->give();
  }
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;
};

struct GlobalArray {
  uint64_t Start, Bytes; // canonical
  uint32_t Instance;
};

} // namespace

static Arena *Arenas; // [Ranges]
static std::atomic<bool> SpaceClosed;
static Unit *UnitTable;
static Vec<GlobalArray> Globals; // sorted by Start
static std::atomic<uint32_t> LastInstance;

bool ekrec::initSpace(bool Spans) {
  TheSpace.Spans = Spans;
  uint64_t Total = uint64_t(Slots) << SlotBits;
  auto *Pages =
      static_cast<Page *>(reservePages((Total >> PageBits) * sizeof(Page)));
  TheSpace.Before =
      static_cast<Page *>(reservePages((Total >> PageBits) * sizeof(Page)));
  UnitTable =
      static_cast<Unit *>(reservePages(Total / UnitBytes * sizeof(Unit)));
  TheSpace.Table =
      static_cast<Instance *>(reservePages(MaxInstances * sizeof(Instance)));
  Arenas = static_cast<Arena *>(reservePages(Ranges * sizeof(Arena)));
  if (!Pages || !TheSpace.Before || !UnitTable || !TheSpace.Table || !Arenas)
    return false;
  TheSpace.Pages = Pages;
  return true;
}

/// Room for another two entries. False: no memory.
static bool growSites(Naming &A) {
  if ((A.NumSites + 1) * 2 < A.Sites.size())
    return true;
  Vec<SiteEntry> Old = A.Sites;
  A.Sites = Vec<SiteEntry>();
  if (!A.Sites.resize(Old.size() ? Old.size() * 2 : 128)) {
    A.Sites = Old;
    return false;
  }
  for (const SiteEntry &E : Old) {
    if (!E.Used)
      continue;
    size_t I = E.Site % A.Sites.size();
    while (A.Sites[I].Used)
      I = (I + 1) % A.Sites.size();
    A.Sites[I] = E;
  }
  Old.release();
  return true;
}

static SiteEntry &entryOf(Naming &A, uint64_t Site) {
  size_t I = Site % A.Sites.size();
  while (A.Sites[I].Used && A.Sites[I].Site != Site)
    I = (I + 1) % A.Sites.size();
  SiteEntry &E = A.Sites[I];
  if (!E.Used) {
    E = {Site, 0, 0, 0, 0, true};
    ++A.NumSites;
  }
  return E;
}

static uint32_t newNumber() {
  uint32_t N = LastInstance.fetch_add(1, std::memory_order_relaxed) + 1;
  if (N < MaxInstances)
    return N;
  LastInstance.fetch_sub(1, std::memory_order_relaxed);
  return 0;
}

/// Large ones are counted as the runtime does, which places no others.
static uint32_t nextOrdinal(SiteEntry &E, bool Small) {
  const uint32_t Number = E.Own++;
  return Small ? EK_RAW_ONE_SMALL | Number : E.Large++;
}

/// An object of its own; 0: there can be no more.
static uint32_t newInstance(Asked Who, unsigned Creator, uint32_t Phase,
                            bool Small) {
  Naming &A = Arenas[Creator].Names;
  Held L(A.Changes);
  uint32_t N = growSites(A) ? newNumber() : 0;
  if (!N)
    return 0;
  Instance &I = TheSpace.Table[N];
  I = {};
  I.Site = Who.Site;
  I.Context = Who.Context;
  I.Creator = Creator;
  I.AllocPhase = Phase;
  I.FreePhase = Never;
  SiteEntry &Site = entryOf(A, Who.Site);
  I.Number = Site.Own;
  I.InContext = I.Ordinal = nextOrdinal(Site, Small);
  if (Who.Context)
    I.InContext = nextOrdinal(entryOf(A, Who.Context), Small);
  return N;
}

/// Whether the next small block may be an object of its own.
static bool mayOwn(Naming &A, Asked Who) {
  Held L(A.Changes);
  if (!growSites(A))
    return false;
  const SiteEntry &E = entryOf(A, Who.Context ? Who.Context : Who.Site);
  return E.Own - E.Large < MostOwnSmall;
}

/// The object that small blocks of a site share: index of its Together, plus 1;
/// 0: there can be no more.
static uint32_t togetherOf(uint64_t Site, unsigned Creator, uint32_t Phase) {
  Naming &A = Arenas[Creator].Names;
  Held L(A.Changes);
  if (!growSites(A))
    return 0;
  SiteEntry &E = entryOf(A, Site);
  if (E.Named)
    return E.Named;
  const uint32_t N = newNumber();
  if (!N || !A.Small.push({N, 0, 0}))
    return 0;
  Instance &I = TheSpace.Table[N];
  I = {};
  I.Site = Site;
  I.Ordinal = I.InContext = EK_RAW_SMALL;
  I.Creator = Creator;
  I.AllocPhase = Phase;
  I.FreePhase = Never;
  return E.Named = static_cast<uint32_t>(A.Small.size());
}

/// Where small blocks of a site come from; null: there can be no more.
static Pool *poolOf(Arena &A, uint64_t Site, Maker By, uint32_t Phase) {
  // The others' are told apart by their creators, too.
  const uint64_t Key =
      By.Range == By.Creator ? Site : Site ^ By.Creator * 0x9E3779B97F4A7C15ull;
  {
    Held L(A.Names.Changes);
    if (!growSites(A.Names))
      return nullptr;
    if (const uint32_t At = entryOf(A.Names, Key).Pool)
      return &A.Pools[At - 1];
  }
  Pool Fresh = {};
  Fresh.Named = togetherOf(Site, By.Creator, Phase);
  if (!Fresh.Named-- || !A.Pools.push(Fresh))
    return nullptr;
  Held L(A.Names.Changes);
  if (!growSites(A.Names))
    return nullptr;
  entryOf(A.Names, Key).Pool = static_cast<uint32_t>(A.Pools.size());
  return &A.Pools.back();
}

/// Pages of a new small block belong to its object, if they do not yet.
static void namePages(const Pool &P, unsigned Creator, uint64_t Start,
                      size_t Bytes) {
  Naming &A = Arenas[Creator].Names;
  Held L(A.Changes);
  Together &All = A.Small[P.Named];
  for (uint64_t G = Start >> PageBits; G <= (Start + Bytes - 1) >> PageBits;
       ++G) {
    Page &Entry = TheSpace.Pages[G - (Base >> PageBits)];
    if (!Entry.Instance)
      Entry = {All.Instance, All.Pages++};
  }
  if (All.Pages == 1)
    All.FirstPageUsed = (Start & 4095) + Bytes;
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

/// What kind of block is asked for.
enum class Kind { First, Moved, Pages };

/// Freed blocks of so many bytes are given back to the system at once; smaller
/// ones keep their pages, which costs less when they come and go.
constexpr uint64_t GiveBackBytes = 1 << 20;

/// At most so many rows tell of an object's pages at a time, and at least half
/// of them if it has so many: twice as many as chunks.
constexpr uint64_t MostSpans = 2 * EK_CHUNKS;

static uint32_t spanOf(uint64_t Bytes) {
  uint32_t Span = 0;
  if (TheSpace.Spans)
    while (Bytes >> PageBits >> Span > MostSpans)
      ++Span;
  return Span;
}

/// A block of its own, large or not.
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
    if (Want >= GiveBackBytes)
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
    // Not where a large block was, if it can be helped: its lines may still lie
    // dirty in the caches of other threads.
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
  if (Align > 16) { // a power of two of at least Align is aligned in its slab
    Small = Align > Bytes ? Align : Bytes;
    if (Small < LargeBytes)
      Small = Small <= 1 ? 1 : 1ull << (64 - __builtin_clzll(Small - 1));
  }
  const bool Large = Bytes >= LargeBytes || Small >= LargeBytes;
  if (Large || (K == Kind::First && Who.Site && Bytes >= OwnBytes &&
                mayOwn(Arenas[By.Creator].Names, Who)))
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
      return; // not a block's begin, or freed before: leave it alone
    I.FreePhase = Phase;
    if (I.Capacity >= GiveBackBytes)
      madvise(P, I.Capacity, MADV_DONTNEED);
  }
  if (Owner == By.Range && Owner != OthersRange) {
    giveBack(A, P);
    return;
  }
  if (SpaceClosed.load()) // nobody will ask for it again
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

/// Number of page \p Page of the address space within an array. An array that
/// starts within a page touches one page more than it has bytes for: what lies
/// there counts for its last page.
static uint32_t pageOfArray(uint64_t Start, uint64_t Bytes, uint64_t Page) {
  uint64_t First = Start >> PageBits, Last = (Bytes - 1) >> PageBits;
  return static_cast<uint32_t>(Page > First ? std::min(Page - First, Last) : 0);
}

void ekrec::registerGlobal(uint64_t Site, void *P, size_t Bytes) {
  Dl_info Info;
  if (!TheSpace.Pages || !Bytes || !dladdr(P, &Info) || !Info.dli_fbase)
    return;
  uint64_t Low = reinterpret_cast<uint64_t>(Info.dli_fbase);
  uint64_t A = addressOf(P);
  Image *M = nullptr;
  for (unsigned I = 0; I < TheSpace.NumImages; ++I)
    if (TheSpace.Image_[I].Low == Low)
      M = &TheSpace.Image_[I];
  if (!M) {
    if (TheSpace.NumImages == Images) {
      count(Why::ImageRefused);
      return;
    }
    M = &TheSpace.Image_[TheSpace.NumImages];
    *M = {Low, Low, Base + (Ranges + uint64_t(TheSpace.NumImages)) * SlotBytes};
    ++TheSpace.NumImages;
  }
  if (A + Bytes - Low > SlotBytes) {
    count(Why::ImageRefused);
    return;
  }
  if (A + Bytes > M->High)
    M->High = A + Bytes;
  uint64_t Start = A - Low + M->Canonical;
  size_t At = std::lower_bound(Globals.begin(), Globals.end(), Start,
                               [](const GlobalArray &G, uint64_t S) {
                                 return G.Start < S;
                               }) -
              Globals.begin();
  if (At < Globals.size() && Globals[At].Start == Start)
    return;
  uint32_t N = newInstance({Site, 0}, 0, 0, /*Small=*/false);
  if (!N || !Globals.insertAt(At, {Start, Bytes, N})) {
    count(Why::NoMemory);
    return;
  }
  TheSpace.Table[N].Bytes = Bytes;
  TheSpace.Table[N].Start = Start;
  TheSpace.Table[N].Span = spanOf(Bytes);
  for (uint64_t G = Start >> PageBits; G <= (Start + Bytes - 1) >> PageBits;
       ++G) {
    bool Whole = G << PageBits >= Start && (G + 1) << PageBits <= Start + Bytes;
    TheSpace.Pages[G - (Base >> PageBits)] =
        Whole ? Page{N, pageOfArray(Start, Bytes, G)} : Page{MixedPage, 0};
  }
}

Page ekrec::lookupMixed(uint64_t A) {
  // By line, not byte: an evicted line is known by its first byte only. A line
  // that two arrays share belongs to the later one.
  const GlobalArray *G = std::upper_bound(
      Globals.begin(), Globals.end(), A | 63,
      [](uint64_t S, const GlobalArray &E) { return S < E.Start; });
  if (G == Globals.begin())
    return {0, 0};
  --G;
  if ((A & ~63ull) >= G->Start + G->Bytes)
    return {0, 0};
  return {G->Instance, pageOfArray(G->Start, G->Bytes, A >> PageBits)};
}

static const GlobalArray *arrayOf(uint64_t C) {
  const GlobalArray *G = std::upper_bound(
      Globals.begin(), Globals.end(), C,
      [](uint64_t S, const GlobalArray &E) { return S < E.Start; });
  if (G == Globals.begin())
    return nullptr;
  --G;
  return C < G->Start + G->Bytes ? G : nullptr;
}

uint32_t ekrec::instanceOfMixed(uint64_t C) {
  const GlobalArray *G = arrayOf(C);
  return G ? G->Instance : 0;
}

Surroundings ekrec::surroundingsOf(uint64_t C) {
  const uint64_t PageStart = C >> PageBits << PageBits;
  const uint32_t N = TheSpace.Pages[(C - Base) >> PageBits].Instance;
  if (N == MixedPage) {
    const GlobalArray *G = arrayOf(C);
    return G ? Surroundings{G->Start, G->Bytes} : Surroundings{C, 1};
  }
  if (const Instance &I = TheSpace.Table[N];
      N && C >= I.Start && C - I.Start < I.Bytes)
    return {I.Start, I.Bytes};
  return {PageStart, uint64_t(1) << PageBits}; // a slab's, or nobody's
}

Surroundings ekrec::surroundingsAround(uint64_t Address) {
  if (const uint64_t C = canonical(Address)) {
    const Surroundings E = surroundingsOf(C);
    return {E.Low + (Address - C), E.Size};
  }
  const uint64_t Low = Address >> PageBits << PageBits,
                 High = Low + (1 << PageBits) - 1;
  // A page in which static arrays end, or begin.
  if (canonical(Low) || canonical(High))
    return {Address, 1};
  return {Low, uint64_t(1) << PageBits};
}

void ekrec::closeSpace(bool Child) {
  if (!TheSpace.Pages)
    return;
  SpaceClosed.store(true);
  Lock &Others = Arenas[OthersRange].Shared;
  if (!Child) {
    // Whoever is at it will be done; a signal handler that ends the program may
    // have interrupted one that never will be.
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
    Arenas[C].Names.Changes.give();
  }
}

void ekrec::finishInstances() {
  TheSpace.NumInstances = LastInstance.load();
  if (!TheSpace.Pages)
    return;
  for (unsigned C = 0; C < Creators; ++C)
    for (const Together &P : Arenas[C].Names.Small)
      TheSpace.Table[P.Instance].Bytes =
          P.Pages > 1 ? uint64_t(P.Pages) << PageBits : P.FirstPageUsed;
}
