//===- Streams.cpp - steps on workers, copies on two streams --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Streams.h. Claims are how data gets to a step: in the order of positions
// (the cursor), each datum of a step is given room, copied in if its contents
// are needed, and claimed, which keeps it until the step has started.
//===----------------------------------------------------------------------===//
#include "Streams.h"
#include "Residence.h"
#include "text/Units.h"
#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>
#include <tuple>

namespace evenkeel::required {
namespace {

class Streams {
  struct Copy {
    uint32_t Datum;
    double End;
  };
  struct Running {
    uint32_t Position;
    double End;
  };
  struct Latest {
    uint32_t Position = 0, Index = 0;
  };

  const TaskGraph &G;
  const Schedule &S;
  const FastMemory &Fast;
  const LiveRanges Live;
  Residence Held;
  Replayed Out;

  double Now = 0;
  std::vector<Running> Steps; // running, by position
  std::vector<bool> Ended;    // by step
  uint32_t Started = 0;
  std::vector<Latest> Last; // of each datum the last use that started
  std::optional<Copy> In, Back;
  std::deque<uint32_t> ToBack; // data to copy out

  // The cursor: the next use whose datum is claimed.
  uint32_t Position = 0, Turn = 0;
  std::vector<uint32_t> Turns; // uses of the step at the cursor, in turn
  uint32_t Flushed = Never;    // the last position whose data left for order

public:
  Streams(const TaskGraph &G, const Schedule &S, const FastMemory &Fast)
      : G(G), S(S), Fast(Fast), Live(liveRanges(G, S.Steps)),
        Held(G, makePool(S.Pool, Fast.Bytes, S.ReclaimedBytes)),
        Ended(G.Steps.size(), false), Last(G.Data.size()) {
    takeTurns();
  }

  Replayed run() {
    if (MaybeError E = checkFits(G, Fast.Bytes)) {
      Out.Failure = E->Message;
      return Out;
    }
    for (const Step &X : G.Steps)
      Out.StepSeconds += X.Seconds;
    do {
      while (Out.Failure.empty() && progress()) {
      }
    } while (Out.Failure.empty() && nextEvent());
    assert((Out.failed() || Started == S.Steps.size()) && "nobody goes on");
    Out.Seconds = Now;
    Out.PeakBytes = Held.PeakBytes;
    Out.LeastSpareBytes = Held.LeastSpareBytes;
    Out.MeanFragmentation = Held.meanFragmentation();
    Out.WorstFragmentation = Held.WorstFragmentation;
    return Out;
  }

private:
  const Step &stepAt(uint32_t At) const { return G.Steps[S.Steps[At]]; }
  bool atEnd() const { return Position == S.Steps.size(); }

  Mobility kindOf(uint32_t Datum, uint32_t Further) const {
    if (G.Data[Datum].Bytes < S.SmallBytes)
      return Mobility::Reclaimed;
    return Further > 1 ? Mobility::Temporary : Mobility::Movable;
  }

  /// The order in which the data of the step at the cursor is claimed: what is
  /// here first, so that nothing evicts it; then temporary data, of it the most
  /// referenced first, of that the largest. After a flush, by size alone.
  void takeTurns() {
    Turns.clear();
    Turn = 0;
    if (atEnd())
      return;
    const std::vector<Use> &Uses = stepAt(Position).Uses;
    std::vector<std::tuple<bool, bool, uint32_t, uint64_t>> Key(Uses.size());
    for (uint32_t I = 0; I < Uses.size(); ++I) {
      Turns.push_back(I);
      const uint32_t Further = usesUntilGone(G, S, Live, Position, I);
      const uint64_t Bytes = G.Data[Uses[I].Datum].Bytes;
      Key[I] = Flushed == Position
                   ? std::tuple(false, false, 0u, Bytes)
                   : std::tuple(Held[Uses[I].Datum].Offset.has_value(),
                                kindOf(Uses[I].Datum, Further) ==
                                    Mobility::Temporary,
                                Further, Bytes);
    }
    std::sort(Turns.begin(), Turns.end(), [&](uint32_t A, uint32_t B) {
      return Key[A] != Key[B] ? Key[A] > Key[B] : A < B;
    });
  }

  bool progress() {
    bool Any = claim();
    Any |= startSteps();
    Any |= startCopyOut();
    Any |= Any ? false : copyOutputs();
    return Any || makeRoom();
  }

  bool mayClaim() const {
    if (atEnd() || (Flushed == Position && !Turn && isLeaving()))
      return false;
    return Started >= S.After[Position] ||
           (Started == Position && Steps.size() < Fast.Workers);
  }

  /// Whether data of the step at the cursor is still on its way out.
  bool isLeaving() const {
    const std::vector<Use> &Uses = stepAt(Position).Uses;
    return std::any_of(Uses.begin(), Uses.end(),
                       [&](const Use &U) { return Held[U.Datum].Leaving; });
  }

  /// Whether the next step is the one at the cursor and waits for room.
  bool nextIsBlocked() const {
    if (atEnd() || Position != Started || !mayClaim() || Turn == Turns.size())
      return false;
    const Use &U = stepAt(Position).Uses[Turns[Turn]];
    const Resident &R = Held[U.Datum];
    return !R.Offset && !(U.Needs && R.Filled && In);
  }

  bool claim() {
    bool Any = false;
    while (mayClaim()) {
      if (Turn == Turns.size()) {
        ++Position;
        takeTurns();
        Any = true;
        continue;
      }
      const uint32_t Index = Turns[Turn];
      const Use &U = stepAt(Position).Uses[Index];
      Resident &R = Held[U.Datum];
      if (!R.Offset) {
        const bool Copied = U.Needs && R.Filled;
        const uint32_t Further = usesUntilGone(G, S, Live, Position, Index);
        if ((Copied && In) ||
            !Held.admit(U.Datum, kindOf(U.Datum, Further), Further))
          return Any;
        if (Copied) {
          R.Loading = true;
          In = {U.Datum, Now + copySeconds(U.Datum, Fast.Copies.InGBps)};
          Out.InBytes += G.Data[U.Datum].Bytes;
        }
      }
      R.Leaving = false;
      ++R.Claims;
      ++Turn;
      Any = true;
    }
    return Any;
  }

  double copySeconds(uint32_t Datum, double GBps) {
    const double Seconds =
        Fast.Copies.StartUs * 1e-6 + double(G.Data[Datum].Bytes) / (GBps * 1e9);
    Out.CopySeconds += Seconds;
    return Seconds;
  }

  bool mayStart() const {
    if (Started == Position || Steps.size() >= Fast.Workers)
      return false;
    if (S.Barrier && (In || Back || !ToBack.empty() || !Steps.empty()))
      return false;
    const Step &X = stepAt(Started);
    for (uint32_t P : X.Waits)
      if (!Ended[P])
        return false;
    for (const Use &U : X.Uses)
      if (Held[U.Datum].Loading || (U.Writes && Held[U.Datum].CopyingOut))
        return false;
    return true;
  }

  bool startSteps() {
    bool Any = false;
    for (; mayStart(); Any = true) {
      const Step &X = stepAt(Started);
      for (uint32_t I = 0; I < X.Uses.size(); ++I) {
        const uint32_t D = X.Uses[I].Datum;
        Resident &R = Held[D];
        --R.Claims;
        ++R.Users;
        R.Writers += X.Uses[I].Writes;
        Last[D] = {Started, I};
        // Contents that this step leaves as they are can go while it runs.
        if (!X.Uses[I].Writes && S.Leaves[Started][I] &&
            Live.at(G, S.Steps, Started, I).LiveAfter && R.isDirty())
          queueCopyOut(D);
      }
      Out.Starts.push_back(Now);
      Steps.push_back({Started, Now + X.Seconds});
      ++Started;
      if (S.Barrier)
        return true; // its copies are begun first
    }
    return Any;
  }

  void endStep(size_t At) {
    const uint32_t Ran = Steps[At].Position;
    Steps.erase(Steps.begin() + long(At));
    Ended[S.Steps[Ran]] = true;
    for (const Use &U : stepAt(Ran).Uses) {
      Resident &R = Held[U.Datum];
      --R.Users;
      R.Writers -= U.Writes;
      if (U.Writes) {
        R.Filled = true;
        R.Backed = false;
      }
      if (!R.isHeld())
        settle(U.Datum);
    }
  }

  /// Nobody holds \p Datum: drop, copy out or keep its contents.
  void settle(uint32_t Datum) {
    Resident &R = Held[Datum];
    const Latest &L = Last[Datum];
    if (!Live.at(G, S.Steps, L.Position, L.Index).LiveAfter) {
      R.Filled = R.Backed = false;
      leave(Datum);
    } else if (S.Leaves[L.Position][L.Index]) {
      leave(Datum);
    }
  }

  /// Takes the room of \p Datum, as soon as its contents are backed.
  void leave(uint32_t Datum) {
    Resident &R = Held[Datum];
    if (!R.isDirty() && !R.CopyingOut) {
      Held.release(Datum);
      return;
    }
    R.Leaving = true;
    if (!R.CopyingOut)
      queueCopyOut(Datum);
  }

  void queueCopyOut(uint32_t Datum) {
    Resident &R = Held[Datum];
    if (R.Queued || R.CopyingOut)
      return;
    R.Queued = true;
    ToBack.push_back(Datum);
  }

  bool startCopyOut() {
    bool Any = false;
    while (!Back && !ToBack.empty()) {
      const uint32_t D = ToBack.front();
      ToBack.pop_front();
      Resident &R = Held[D];
      R.Queued = false;
      Any = true;
      // Claimed again, changed or dropped meanwhile: it stays, or is gone.
      if (!R.Offset || !R.isDirty() || R.Claims || R.Writers)
        continue;
      R.CopyingOut = true;
      Back = {D, Now + copySeconds(D, Fast.Copies.OutGBps)};
      Out.OutBytes += G.Data[D].Bytes;
    }
    return Any;
  }

  void endCopyOut() {
    Resident &R = Held[Back->Datum];
    R.CopyingOut = false;
    if (R.Filled)
      R.Backed = true;
    if (R.Leaving && !R.isHeld())
      Held.release(Back->Datum);
    Back.reset();
  }

  /// After the last step: what is wanted afterwards.
  bool copyOutputs() {
    if (Started < S.Steps.size() || !Steps.empty())
      return false;
    bool Any = false;
    for (uint32_t D = 0; D < G.Data.size(); ++D) {
      const Resident &R = Held[D];
      if (G.Data[D].Output && R.Offset && R.isDirty() && !R.Queued &&
          !R.CopyingOut) {
        leave(D);
        Any = true;
      }
    }
    return Any;
  }

  /// Bytes that running steps leave to others when they end.
  uint64_t freeSoon() const {
    uint64_t Sum = 0;
    for (const Running &Step : Steps) {
      const std::vector<Use> &Uses = stepAt(Step.Position).Uses;
      for (uint32_t I = 0; I < Uses.size(); ++I) {
        const Resident &R = Held[Uses[I].Datum];
        if (!R.Claims && R.Users == 1 &&
            (S.Leaves[Step.Position][I] ||
             !Live.at(G, S.Steps, Step.Position, I).LiveAfter))
          Sum += G.Data[Uses[I].Datum].Bytes;
      }
    }
    return Sum;
  }

  /// Evicts for the next step; true if that frees room at once.
  bool makeRoom() {
    if (!nextIsBlocked() || Back || !ToBack.empty())
      return false;
    const uint32_t Wanted = stepAt(Position).Uses[Turns[Turn]].Datum;
    const uint64_t Used = Held.pool().usedBytes(), Soon = freeSoon();
    if (Used - std::min(Used, Soon) + G.Data[Wanted].Bytes <= Fast.Bytes &&
        !Steps.empty())
      return false;
    if (std::optional<uint32_t> D = victim()) {
      ++Out.Evictions;
      leave(*D);
      return true;
    }
    return Steps.empty() && !In && flush();
  }

  /// Of the data that nobody holds, what is used last.
  std::optional<uint32_t> victim() const {
    std::optional<uint32_t> Best;
    uint32_t Farthest = 0;
    for (uint32_t D = 0; D < G.Data.size(); ++D) {
      const Resident &R = Held[D];
      if (!R.Offset || R.isHeld() || R.Leaving || R.CopyingOut)
        continue;
      const uint32_t Next =
          Live.at(G, S.Steps, Last[D].Position, Last[D].Index).NextUse;
      if (!Best || Next > Farthest) {
        Best = D;
        Farthest = Next;
      }
    }
    return Best;
  }

  /// Only data of the next step is here, and what is free is in pieces.
  bool flush() {
    if (Flushed == Position) {
      const uint32_t D = stepAt(Position).Uses[Turns[Turn]].Datum;
      const std::vector<uint64_t> Free = Held.pool().freeBlocks();
      Out.Failure =
          "out-of-room: " + stepAt(Position).Name + " needs a block of " +
          bytesToText(G.Data[D].Bytes) + ", and the largest that pool " +
          poolName(S.Pool) + " has is " +
          bytesToText(
              Free.empty() ? 0 : *std::max_element(Free.begin(), Free.end()));
      return false;
    }
    Flushed = Position;
    ++Out.Flushes;
    for (uint32_t I = 0; I < Turn; ++I) {
      const uint32_t D = stepAt(Position).Uses[Turns[I]].Datum;
      if (--Held[D].Claims == 0)
        leave(D);
    }
    takeTurns();
    return true;
  }

  bool nextEvent() {
    double Next = std::numeric_limits<double>::infinity();
    for (const Running &Step : Steps)
      Next = std::min(Next, Step.End);
    if (In)
      Next = std::min(Next, In->End);
    if (Back)
      Next = std::min(Next, Back->End);
    if (Next == std::numeric_limits<double>::infinity())
      return false;
    if (Steps.empty())
      Out.ExposedSeconds += (Next - Now) * (int(!!In) + int(!!Back));
    Now = Next;
    for (size_t I = Steps.size(); I-- > 0;)
      if (Steps[I].End <= Now)
        endStep(I);
    if (In && In->End <= Now) {
      Held[In->Datum].Loading = false;
      In.reset();
    }
    if (Back && Back->End <= Now)
      endCopyOut();
    return true;
  }
};

} // namespace

Replayed replayStreams(const TaskGraph &G, const Schedule &S,
                       const FastMemory &Fast) {
  return Streams(G, S, Fast).run();
}

} // namespace evenkeel::required
