//===- Races.cpp - accesses without synchronisation -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the shadow of each line that a team touches. While a single thread
// uses a line, or all threads only read it, a few words suffice. From the first
// write to a shared line on, each byte has its last writer and its reader.
//===----------------------------------------------------------------------===//
#include "Races.h"
#include "RowMask.h"
#include "format/ek_sizes.h"
#include "record/host/Report.h"
#include "record/objects/Space.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

using namespace ekrec;

LineShadow *ekrec::ObjectShadows;
unsigned ekrec::ShadowShift;

namespace {

/// A thread and its synchronisation; 0 = none.
using Id = uint16_t;
constexpr uint32_t SeveralThreads = 0x3ffd;
constexpr Id Unknown = 0xffff;
constexpr Id idOf(uint32_t Thread, Order How) {
  return static_cast<Id>((Thread + 1) << 2 | static_cast<unsigned>(How));
}
constexpr unsigned threadOf(Id I) { return I >> 2; }
constexpr Order orderOf(Id I) { return static_cast<Order>(I & 3); }

bool clash(Id A, Id B) {
  return A && B && A != Unknown && B != Unknown && threadOf(A) != threadOf(B) &&
         (orderOf(A) != orderOf(B) || orderOf(A) == Order::Plain);
}

struct Bytes { // of one line
  Id Reader[LineBytes], Writer[LineBytes];
};

/// Shadows of a page without objects: stacks, small static variables.
struct OtherPage {
  std::atomic<uint64_t> Key; // page, plus 1
  std::atomic<LineShadow *> Lines;
};

constexpr uint64_t OtherPages = 1 << 16, LinesOfPage = EK_PAGE / LineBytes;
constexpr uint32_t MaxSplits = 1 << 21;
constexpr unsigned MaxFindings = 4096;

struct Finding {
  uint64_t Address; // canonical if there is a canonical address
  uint64_t Region;
  uint32_t First, Second; // places, lower halves
  bool FirstWrites, SecondWrites;
  uint64_t Lines;
};

struct Races {
  OtherPage *Others;
  LineShadow *OtherLines; // [OtherPages * LinesOfPage], in the order of Others
  std::atomic<uint64_t> NumOthers;
  Bytes *Splits;
  std::atomic<uint32_t> NumSplits;
  std::atomic_flag Lock; // guards the following members
  Vec<Finding> Found;
  Vec<uint64_t> Ordering; // regions with operations that may order accesses
};
Races All;

class Guard {
  std::atomic_flag &F;

public:
  explicit Guard(std::atomic_flag &Flag) : F(Flag) {
    while (F.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Guard() { F.clear(std::memory_order_release); }
};

LineShadow *shadowOf(uint64_t Line) {
  if (LineShadow *S = objectShadow(Line))
    return S;
  uint64_t Page = Line / LinesOfPage;
  for (uint64_t Tried = 0; Tried < 64; ++Tried) {
    OtherPage &P = All.Others[(Page + Tried) % OtherPages];
    uint64_t Key = P.Key.load(std::memory_order_acquire);
    if (!Key && P.Key.compare_exchange_strong(Key, Page + 1)) {
      P.Lines.store(All.OtherLines + All.NumOthers.fetch_add(1) * LinesOfPage,
                    std::memory_order_release);
      Key = Page + 1;
    }
    if (Key != Page + 1)
      continue;
    LineShadow *Lines;
    while (!(Lines = P.Lines.load(std::memory_order_acquire))) {
    }
    return Lines + Line % LinesOfPage;
  }
  return nullptr;
}

/// False: there is no room.
bool split(LineShadow &C, LineShadow::Bits &H) {
  if (!H.ByByte) {
    uint32_t N = All.NumSplits.fetch_add(1) + 1;
    if (N >= MaxSplits)
      return false;
    H.ByByte = N & 0x1ffffff;
  }
  Bytes &B = All.Splits[H.ByByte];
  memset(&B, 0, sizeof B);
  Id Owner = H.State == LineShadow::Alone
                 ? idOf(H.Thread, static_cast<Order>(H.How))
                 : Unknown;
  for (unsigned I = 0; I < LineBytes; ++I) {
    if (C.Read >> I & 1)
      B.Reader[I] = Owner;
    if (C.Written >> I & 1)
      B.Writer[I] = Owner;
  }
  H.State = LineShadow::Split;
  return true;
}

/// The number of the object at \p Address; 0 = no known object.
uint32_t instanceAt(uint64_t Address) {
  bool Within = Address - Base < uint64_t(ekrec::Slots) << SlotBits;
  return Within && TheSpace.Pages ? lookup(Address).Instance : 0;
}

void add(Finding New) {
  if (New.First > New.Second ||
      (New.First == New.Second && New.FirstWrites < New.SecondWrites)) {
    std::swap(New.First, New.Second);
    std::swap(New.FirstWrites, New.SecondWrites);
  }
  Guard G(All.Lock);
  for (Finding &F : All.Found)
    if (F.First == New.First && F.Second == New.Second &&
        F.FirstWrites == New.FirstWrites &&
        F.SecondWrites == New.SecondWrites && F.Region == New.Region &&
        instanceAt(F.Address) == instanceAt(New.Address)) {
      ++F.Lines;
      F.Address = std::min(F.Address, New.Address);
      return;
    }
  if (All.Found.size() < MaxFindings)
    All.Found.push(New);
}

/// The address of loaded code with this lower half; 0 = unloaded.
uintptr_t codeAt(uint32_t Low) {
  struct Search {
    uint32_t Low;
    uintptr_t Found;
  } S = {Low, 0};
  dl_iterate_phdr(
      [](dl_phdr_info *Image, size_t, void *Data) {
        auto &S = *static_cast<Search *>(Data);
        for (unsigned I = 0; I < Image->dlpi_phnum; ++I) {
          const auto &P = Image->dlpi_phdr[I];
          if (P.p_type != PT_LOAD || !(P.p_flags & PF_X))
            continue;
          uintptr_t Begin = Image->dlpi_addr + P.p_vaddr;
          uintptr_t At = (Begin & ~uintptr_t(UINT32_MAX)) | S.Low;
          if (At < Begin)
            At += uintptr_t(1) << 32;
          if (At - Begin < P.p_memsz)
            S.Found = At;
        }
        return S.Found != 0 ? 1 : 0;
      },
      &S);
  return S.Found;
}

bool doubtful(const Finding &F) {
  for (uint64_t R : All.Ordering)
    if (R == F.Region)
      return true;
  return false;
}

} // namespace

/// Uses the entry for another line from now on.
void Watcher::replace(Touch &T, uint64_t Line, Order How) {
  if (T.Key)
    show(T);
  else
    Used[NumUsed++] = static_cast<uint16_t>(&T - Table);
  T = {Touch::keyOf(Line, How), 0, 0, 0, 0};
  // It will be needed when the entry is replaced.
  if (LineShadow *S = objectShadow(Line))
    __builtin_prefetch(S, 1);
}

void Watcher::show(Touch &T) {
  LineShadow *C = shadowOf(T.line());
  if (!C)
    return;
  const auto How = static_cast<uint32_t>(T.how());
  const uint32_t Now = Phase & 0xffffff;
  const uint64_t Read = T.Read, Written = T.Written;
  LineShadow::Bits H = C->bits();
  if (H.Used && H.Phase == Now && C->knows(Read, Written) &&
      ((H.State == LineShadow::Alone && H.Thread == Thread && H.How == How) ||
       (H.State == LineShadow::Shared && (H.How == How || !Written))))
    return;
  H = C->lock();
  if (H.Phase != Now || !H.Used) {
    H.Phase = Now;
    H.Thread = Thread & 0xff;
    H.How = How & 3;
    H.State = LineShadow::Alone;
    H.Reported = false;
    H.Used = true;
    C->forget();
    C->ReadAt = C->WrittenAt = 0;
  } else if (H.State != LineShadow::Split &&
             (H.State != LineShadow::Alone || H.Thread != Thread ||
              H.How != How)) {
    bool AllOrdered = H.How == How && T.how() != Order::Plain;
    bool AllReads = !(C->Written | Written);
    if (!AllReads && !AllOrdered) {
      if (!split(*C, H)) {
        C->unlock(H);
        return;
      }
    } else {
      H.State = LineShadow::Shared;
    }
    if (!AllOrdered)
      H.How = static_cast<uint32_t>(Order::Plain);
  }
  if (H.State == LineShadow::Split)
    showBytes(T, *C, H);
  C->add(Read, Written);
  C->ReadAt = Read ? T.ReadAt : C->ReadAt;
  C->WrittenAt = Written ? T.WrittenAt : C->WrittenAt;
  C->unlock(H);
}

/// Each byte has its last writer and its reader, or several readers.
void Watcher::showBytes(const Touch &T, const LineShadow &C,
                        LineShadow::Bits &H) {
  const Id Me = idOf(Thread, T.how());
  Bytes &B = All.Splits[H.ByByte];
  auto Tell = [&](uint32_t Other, bool OtherWrites, bool Writes,
                  unsigned Byte) {
    if (H.Reported)
      return;
    H.Reported = true;
    add({T.line() * LineBytes + Byte, Region, Other,
         Writes ? T.WrittenAt : T.ReadAt, OtherWrites, Writes, 1});
  };
  auto Mix = [&](Id Old) { // plain if it is known to have varied
    const bool Known = Old && Old != Unknown;
    return Known && orderOf(Old) != T.how() ? Order::Plain : T.how();
  };
  for (uint64_t Left = T.Read | T.Written; Left; Left &= Left - 1) {
    unsigned I = static_cast<unsigned>(__builtin_ctzll(Left));
    bool Reads = T.Read >> I & 1, Writes = T.Written >> I & 1;
    Id &Reader = B.Reader[I], &Writer = B.Writer[I];
    if (clash(Writer, Me))
      Tell(C.WrittenAt, true, Writes, I);
    else if (Writes && clash(Reader, Me))
      Tell(C.ReadAt, false, true, I);
    if (Reads && Reader != Unknown) {
      bool Other = Reader && threadOf(Reader) != threadOf(Me);
      Reader = idOf(Other ? SeveralThreads : Thread, Mix(Reader));
    }
    if (Writes)
      Writer = idOf(Thread, Mix(Writer));
  }
}

void Watcher::touchRow(uint64_t Line, uint64_t First, uint64_t Last,
                       uint64_t Times, uint64_t Size, bool Read, bool Write,
                       uintptr_t At) {
  if (Last < First)
    std::swap(First, Last);
  const uint64_t Low = Line * LineBytes, High = Low + LineBytes;
  const uint64_t Apart = Last - First, Steps = std::min(Times - 1, Apart);
  uint64_t Mask = First < Low ? 0 : rowMask(First - Low, Apart, Steps, Size);
  auto Cover = [&](uint64_t From, uint64_t To) {
    From = std::max(From, Low);
    To = std::min(To, High);
    if (From < To)
      Mask |= maskOf(From - Low, To - From);
  };
  if (!Mask && Apart <= Steps * Size)
    Cover(First, Last + Size);
  else if (!Mask)
    for (uint64_t I = 0; I <= Steps; ++I) {
      uint64_t A = First + (Steps ? Apart * I / Steps : 0);
      Cover(A, A + Size);
    }
  touch(Line, Mask, Read, Write, /*Atomic=*/false, At);
}

void Watcher::orders() {
  Guard G(All.Lock);
  for (uint64_t R : All.Ordering)
    if (R == Region)
      return;
  All.Ordering.push(Region);
}

void Watcher::flush() {
  for (unsigned I = 0; I < NumUsed; ++I) {
    show(Table[Used[I]]);
    Table[Used[I]].Key = 0;
  }
  NumUsed = 0;
}

bool ekrec::initRaces(uint32_t Rate) {
  ShadowShift = static_cast<unsigned>(__builtin_ctz(Rate));
  All.Others =
      static_cast<OtherPage *>(reservePages(OtherPages * sizeof(OtherPage)));
  All.OtherLines = static_cast<LineShadow *>(
      reservePages(OtherPages * LinesOfPage * sizeof(LineShadow)));
  All.Splits = static_cast<Bytes *>(reservePages(MaxSplits * sizeof(Bytes)));
  ObjectShadows = static_cast<LineShadow *>(
      reservePages((ShadowedLines >> ShadowShift) * sizeof(LineShadow)));
  return All.Others && All.OtherLines && All.Splits && ObjectShadows;
}

void ekrec::expectLines(uint64_t Start, uint64_t Bytes) {
  if (!ObjectShadows || ShadowShift)
    return;
  askForHugePages(Start, Bytes);
  askForHugePages(reinterpret_cast<uint64_t>(objectShadow(Start / LineBytes)),
                  Bytes / LineBytes * sizeof(LineShadow));
}

RaceCount ekrec::racesFound() {
  RaceCount N = {0, 0};
  for (const Finding &F : All.Found)
    ++(doubtful(F) ? N.Doubtful : N.Races);
  return N;
}

void ekrec::collectRaces(uint32_t (*RowOf)(uint32_t Instance, const void *Self),
                         const void *Self, Vec<ek_raw_race> &Rows,
                         Vec<ek_raw_image> &Images) {
  auto Locate = [&](uint32_t Low, uint32_t &Image, uint64_t &Offset) {
    Dl_info Info;
    Image = EK_NO_TASK;
    Offset = 0;
    uintptr_t At = codeAt(Low);
    if (!At || !dladdr(reinterpret_cast<void *>(At), &Info) || !Info.dli_fname)
      return;
    // A return address is after the call.
    Offset = At - 1 - reinterpret_cast<uintptr_t>(Info.dli_fbase);
    ek_raw_image Name = {};
    strncpy(Name.path, Info.dli_fname, sizeof Name.path - 1);
    for (Image = 0; Image < Images.size(); ++Image)
      if (!strcmp(Images[Image].path, Name.path))
        return;
    Images.push(Name);
  };
  for (const Finding &F : All.Found) {
    ek_raw_race R = {};
    uint32_t N = instanceAt(F.Address);
    R.inst = N ? RowOf(N, Self) : EK_NO_TASK;
    R.region = F.Region;
    R.lines = F.Lines;
    R.flags = (F.FirstWrites ? 1u : 0) | (F.SecondWrites ? 2u : 0) |
              (doubtful(F) ? 4u : 0);
    Locate(F.First, R.image[0], R.place[0]);
    Locate(F.Second, R.image[1], R.place[1]);
    Rows.push(R);
  }
  std::sort(Rows.begin(), Rows.end(),
            [](const ek_raw_race &A, const ek_raw_race &B) {
              return memcmp(&A, &B, sizeof A) < 0;
            });
}
