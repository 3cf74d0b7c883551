//===- acquire.cpp - ek_acquire and ek_release ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the C interface of the required tier; one line and one status for each
// misuse; what the end of a thread, of the process, and fork do. Copies in a
// tier apart go home at every hook, because serial code reads its data after
// it has waited for tasks. The copier's thread, which starts with the first
// announced task.
// Not here: who waits for whom (residence.cpp).
//===----------------------------------------------------------------------===//
#include "core/events.h"
#include "core/names.h"
#include "core/options.h"
#include "core/say.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "objects/object.h"
#include "providers/provider.h"
#include "required/required.h"
#include "required/residence.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <new>
#include <sched.h>
#include <signal.h>
#include <tuple>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

using namespace evenkeel::acquire;

namespace {

Residence *Tier; // never destroyed: threads may outlive static objects
pthread_key_t AtEnd;
thread_local Residence::Thread *Own __attribute__((tls_model("initial-exec")));
/// Blocks that the runtime itself frees are no data of the program.
thread_local bool Inside __attribute__((tls_model("initial-exec")));

/// A thread that is cancelled ends after the call, not while it moves data or
/// waits for its turn.
struct Work {
  const int Saved = errno;
  const bool Before = Inside;
  int Cancel = PTHREAD_CANCEL_ENABLE;
  Work() {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &Cancel);
    Inside = true;
  }
  ~Work() {
    Inside = Before;
    pthread_setcancelstate(Cancel, nullptr);
    errno = Saved;
  }
};

bool Said[EK_WHY_COUNT];

/// Whether the reason is new: only its first case is printed.
bool count(unsigned Why, uint64_t Times = 1) {
  ek_count(Why, Times);
  return !__atomic_exchange_n(&Said[Why], true, __ATOMIC_RELAXED);
}

void endOfThread(void *T) {
  Work W;
  Own = nullptr;
  const unsigned Held = Tier->leave(static_cast<Residence::Thread *>(T));
  if (Held && count(EK_WHY_held_at_end, Held))
    ek_say("evenkeel: held-at-end: a thread ended while it held %u range%s of "
           "data; released\n",
           Held, Held == 1 ? "" : "s");
}

Residence::Thread *own() {
  if (!Own) {
    Own = Tier->join();
    pthread_setspecific(AtEnd, Own);
  }
  return Own;
}

int fault(Outcome O, ek_id Task, const void *P, uint64_t Bytes) {
  char Name[EK_NAME_SIZE];
  ek_name_of(Name, "", Task);
  switch (O) {
  case Outcome::Done:
    return 0;
  case Outcome::TooLarge:
    if (count(EK_WHY_task_too_large))
      ek_say("evenkeel: task-too-large: task %s needs %" PRIu64
             " bytes at a time, and the required tier has %" PRIu64
             "; it works on data where it is\n",
             Name, Bytes, Tier->capacity());
    return EFBIG;
  case Outcome::NoRoom:
    if (count(EK_WHY_out_of_room))
      ek_say("evenkeel: out-of-room: task %s needs %" PRIu64
             " bytes of %" PRIu64 ", and all tasks that hold data wait for "
             "room; it works on data where it is\n",
             Name, Bytes, Tier->capacity());
    return ENOMEM;
  case Outcome::Apart:
    if (count(EK_WHY_in_place))
      ek_say("evenkeel: in-place: task %s uses data at its own address, and "
             "tasks work on copies; it works on data where it is\n",
             Name);
    return ENOTSUP;
  case Outcome::Twice:
    if (count(EK_WHY_acquired_twice))
      ek_say("evenkeel: acquired-twice: task %s acquires bytes that its thread "
             "holds; not acquired again\n",
             Name);
    return EALREADY;
  case Outcome::NotHeld:
    if (count(EK_WHY_not_acquired))
      ek_say("evenkeel: not-acquired: task %s releases %p, which its thread "
             "does not hold; ignored\n",
             Name, P);
    return EINVAL;
  }
  return EINVAL;
}

bool isRange(const ek_need &N) {
  return N.p && N.n && N.n <= UINTPTR_MAX - reinterpret_cast<uintptr_t>(N.p) &&
         (N.mode & EK_READ_WRITE) &&
         !(N.mode & ~(EK_READ_WRITE | EK_IN_PLACE | EK_WHOLE)) &&
         (!(N.mode & EK_WHOLE) || (N.mode & EK_IN_PLACE));
}

/// A range of 0 bytes, or a clause's pointer that points nowhere.
bool isNothing(const ek_need &N) {
  return !N.n || ((N.mode & EK_IN_PLACE) && !N.p);
}

/// The range becomes the object around it, if that is known.
void makeWhole(ek_need &N) {
  ek_where Around;
  if ((N.mode & EK_WHOLE) && ek_object_find(N.p, &Around)) {
    N.at = N.p = Around.base;
    N.n = Around.bytes;
  }
}

/// Of ranges in place that overlap, the first one becomes their union, and the
/// others empty.
void joinInPlace(ek_need *Needs, unsigned Count) {
  std::vector<ek_need *> All;
  for (unsigned I = 0; I < Count; ++I)
    if ((Needs[I].mode & EK_IN_PLACE) && !isNothing(Needs[I]))
      All.push_back(&Needs[I]);
  std::sort(All.begin(), All.end(), [](const ek_need *A, const ek_need *B) {
    return std::tie(A->p, A) < std::tie(B->p, B);
  });
  ek_need *Last = nullptr;
  for (ek_need *N : All) {
    char *From = static_cast<char *>(N->p);
    char *End = Last ? static_cast<char *>(Last->p) + Last->n : nullptr;
    if (!Last || From >= End) {
      Last = N;
      continue;
    }
    Last->n += From + N->n > End ? size_t(From + N->n - End) : 0;
    Last->mode |= N->mode;
    N->n = 0;
  }
}

/// Whether all of \p Needs are ranges. Then whole objects are, too, and those
/// in place do not overlap.
bool makeRanges(ek_need *Needs, unsigned Count, bool &InPlace) {
  InPlace = false;
  for (unsigned I = 0; I < Count; ++I) {
    const ek_need &N = Needs[I];
    if (isNothing(N))
      continue; // nothing to be brought in
    if (!isRange(N)) {
      if (count(EK_WHY_not_acquired))
        ek_say("evenkeel: not-acquired: %zu bytes at %p with mode %u are not "
               "a range that a task can acquire\n",
               size_t(N.n), N.p, N.mode);
      return false;
    }
    InPlace |= (N.mode & EK_IN_PLACE) != 0;
    makeWhole(Needs[I]);
  }
  if (InPlace)
    joinInPlace(Needs, Count);
  return true;
}

std::vector<Wanted> wanted(const ek_need *Needs, unsigned Count) {
  std::vector<Wanted> Out;
  for (unsigned I = 0; I < Count; ++I) {
    const ek_need &N = Needs[I];
    const uintptr_t At = reinterpret_cast<uintptr_t>(N.p);
    if (!isNothing(N))
      Out.push_back(
          {{At, At + N.n}, (N.mode & EK_READ) != 0, (N.mode & EK_WRITE) != 0});
  }
  return Out;
}

int acquireAll(ek_id Task, ek_need *Needs, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I) {
    Needs[I].at = Needs[I].p;
    Needs[I].held = 0;
  }
  if (!Tier)
    return 0;
  bool InPlace;
  if (!makeRanges(Needs, Count, InPlace))
    return EINVAL;
  const std::vector<Wanted> Asked = wanted(Needs, Count);
  if (Asked.empty())
    return 0;
  if (InPlace && Tier->isApart()) {
    for (const Wanted &W : Asked)
      Tier->useInPlace(W);
    return fault(Outcome::Apart, Task, nullptr, 0);
  }
  std::vector<void *> Where;
  uint64_t Bytes = 0;
  const Outcome O = Tier->acquire(own(), Asked, Where, Bytes, Task);
  if (O != Outcome::Done)
    return fault(O, Task, nullptr, Bytes);
  size_t Next = 0;
  for (unsigned I = 0; I < Count; ++I)
    if (!isNothing(Needs[I])) {
      Needs[I].at = Where[Next++];
      Needs[I].held = 1;
    }
  return 0;
}

int release(ek_id Task, void *P) {
  if (!Tier)
    return 0;
  const Outcome O = Own ? Tier->release(Own, reinterpret_cast<uintptr_t>(P))
                        : Outcome::NotHeld;
  return fault(O, Task, P, 0);
}

// --- ahead -----------------------------------------------------------------

struct {
  pthread_t Thread;
  pid_t Of; // the process in which it runs; 0: it does not
} Copier;

/// Processors of the process: the thread that announces first may be bound to
/// one, beside which the copier should work.
cpu_set_t Processors;
bool KnowsProcessors = false;

void *copyAhead(void *) {
  Inside = true;
  if (KnowsProcessors)
    pthread_setaffinity_np(pthread_self(), sizeof Processors, &Processors);
  try {
    Tier->copyAhead();
  } catch (const std::bad_alloc &) { // tasks copy for themselves
    Tier->stopAhead();
    ek_count(EK_WHY_no_copier, 1);
  }
  return nullptr;
}

/// With all signals blocked: it must not run the program's handlers.
void startCopier() {
  sigset_t AllSignals, Before;
  sigfillset(&AllSignals);
  pthread_sigmask(SIG_SETMASK, &AllSignals, &Before);
  const bool Runs =
      pthread_create(&Copier.Thread, nullptr, copyAhead, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  Copier.Of = Runs ? getpid() : 0;
  if (Runs) {
    pthread_setname_np(Copier.Thread, "evenkeel-copy");
    return;
  }
  Tier->stopAhead();
  ek_count(EK_WHY_no_copier, 1);
}

/// Memory whose end nobody reports may be gone when the copier reads it.
bool isKnown(const Range &R) {
  ek_where Around;
  return ek_object_find(reinterpret_cast<void *>(R.From), &Around) &&
         R.To <= reinterpret_cast<uintptr_t>(Around.base) + Around.bytes;
}

void announce(ek_id Task, const ek_need *Given, unsigned Count) {
  std::vector<ek_need> Needs(Given, Given + Count);
  bool InPlace;
  if (!makeRanges(Needs.data(), Count, InPlace) || (InPlace && Tier->isApart()))
    return; // as the task will say when it acquires
  std::vector<Wanted> Asked = wanted(Needs.data(), Count);
  if (Asked.empty())
    return; // it acquires nothing, so nobody would hear of its start
  if (Tier->isApart() &&
      !std::all_of(Asked.begin(), Asked.end(),
                   [](const Wanted &W) { return isKnown(W.R); })) {
    ek_count(EK_WHY_unknown_ahead, 1);
    return;
  }
  switch (Tier->announce(Task, std::move(Asked))) {
  case Residence::Announced::Kept:
    return;
  case Residence::Announced::First:
    return startCopier();
  case Residence::Announced::TooMany:
    ek_count(EK_WHY_too_many_ahead, 1);
    return;
  }
}

// --- events ----------------------------------------------------------------

void atHook(uint64_t, bool) {
  Work W;
  Tier->bringHome();
}

void atPhase(uint64_t, bool Serial) {
  if (!Serial)
    return;
  Work W;
  Tier->announcedEnded();
}

void atFree(const ek_told *O) {
  if (Inside)
    return;
  Work W;
  Tier->forget({O->base, O->base + O->bytes});
}

std::unique_ptr<Room> makeRoom() {
  if (ek_opt.required_by == EK_BY_COPIES)
    return makeCopies(ek_opt.required, ek_opt.copy_rate);
  if (ek_tier_count < 2)
    return nullptr;
  return makePages(std::min(ek_opt.required, ek_tiers[0].capacity),
                   ek_opt.copy_rate);
}

} // namespace

void ek_required_start() {
  if (!ek_opt.required)
    return;
  std::unique_ptr<Room> R = makeRoom();
  if (!R || pthread_key_create(&AtEnd, endOfThread) != 0) {
    ek_say("evenkeel: required-unavailable: provider '%s' has no second tier, "
           "or there is no memory for one; set EVENKEEL_REQUIRED_BY=copies, or "
           "another provider\n",
           ek_provider_now->name);
    ek_count(EK_WHY_required_unavailable, 1);
    return;
  }
  if (ek_opt.required_by == EK_BY_PAGES &&
      ek_opt.required > ek_tiers[0].capacity) {
    ek_say("evenkeel: EVENKEEL_REQUIRED=%" PRIu64 " is more than tier %s has; "
           "%" PRIu64 " used\n",
           ek_opt.required, ek_tiers[0].name, ek_tiers[0].capacity);
    ek_count(EK_WHY_bad_option, 1);
  }
  KnowsProcessors = sched_getaffinity(0, sizeof Processors, &Processors) == 0;
  Tier = new Residence(std::move(R),
                       unsigned(std::min<uint64_t>(ek_opt.ahead, UINT16_MAX)));
  if (Tier->isApart())
    ek_listen_hook(atHook);
  ek_listen_freed(atFree);
  ek_listen_phase_ended(atPhase);
}

void ek_required_end() {
  if (!Tier)
    return;
  Work W;
  Tier->stopAhead();
  if (Copier.Of == getpid())
    pthread_join(Copier.Thread, nullptr);
  Copier.Of = 0;
  if (Tier->isApart())
    Tier->bringHome();
}

void ek_required_fork_prepare() {
  if (Tier)
    Tier->forkPrepare();
}

void ek_required_fork_parent() {
  if (Tier)
    Tier->forkParent();
}

void ek_required_fork_child() {
  if (!Tier)
    return;
  Work W;
  const unsigned Held = Tier->forkChild(Own);
  if (Held && count(EK_WHY_held_at_fork, Held))
    ek_say("evenkeel: held-at-fork: other threads of the parent held %u "
           "range%s of data; released in the child\n",
           Held, Held == 1 ? "" : "s");
}

// --- the summary -----------------------------------------------------------

static const char *kind() { return Tier->isApart() ? "copies" : "pages"; }

void ek_required_table(FILE *F) {
  if (!Tier)
    return;
  const Counts C = Tier->counts();
  fprintf(F,
          "  required tier, by %s: %" PRIu64 " bytes, peak %" PRIu64
          "; acquired %" PRIu64 " ranges, %" PRIu64 " of them found there\n",
          kind(), C.CapacityBytes, C.PeakBytes, C.Acquired, C.Found);
  fprintf(F,
          "  in %" PRIu64 " ranges, %" PRIu64 " bytes; out %" PRIu64
          " ranges, %" PRIu64 " bytes; %" PRIu64
          " calls waited for room, %.6f s; fragmentation %.1f %%\n",
          C.In, C.InBytes, C.Out, C.OutBytes, C.Waits, double(C.WaitNs) * 1e-9,
          100 * C.WorstUnusable);
  if (C.Announced)
    fprintf(F,
            "  ahead of %" PRIu64 " announced tasks: in %" PRIu64
            " ranges, %" PRIu64 " bytes; %" PRIu64 " found, %" PRIu64
            " left unused; copies took %.6f s, acquiring %.6f s\n",
            C.Announced, C.Ahead, C.AheadBytes, C.AheadFound, C.AheadUnused,
            double(C.CopyNs) * 1e-9, double(C.AcquireNs) * 1e-9);
}

void ek_required_json(FILE *F) {
  if (!Tier)
    return;
  const Counts C = Tier->counts();
  fprintf(F,
          "  \"required\": {\"by\": \"%s\", \"capacity_bytes\": %" PRIu64
          ", \"peak_bytes\": %" PRIu64 ", \"end_bytes\": %" PRIu64
          ", \"acquired\": %" PRIu64 ", \"found\": %" PRIu64
          ", \"in\": %" PRIu64 ", \"in_bytes\": %" PRIu64 ", \"out\": %" PRIu64
          ", \"out_bytes\": %" PRIu64 ", \"waits\": %" PRIu64
          ", \"wait_seconds\": %.9f, \"fragmentation\": %.6f"
          ", \"announced\": %" PRIu64 ", \"ahead\": %" PRIu64
          ", \"ahead_bytes\": %" PRIu64 ", \"ahead_found\": %" PRIu64
          ", \"ahead_unused\": %" PRIu64
          ", \"copy_seconds\": %.9f, \"acquire_seconds\": %.9f},\n",
          kind(), C.CapacityBytes, C.PeakBytes, C.UsedBytes, C.Acquired,
          C.Found, C.In, C.InBytes, C.Out, C.OutBytes, C.Waits,
          double(C.WaitNs) * 1e-9, C.WorstUnusable, C.Announced, C.Ahead,
          C.AheadBytes, C.AheadFound, C.AheadUnused, double(C.CopyNs) * 1e-9,
          double(C.AcquireNs) * 1e-9);
}

// --- the C interface -------------------------------------------------------

EXPORT int ek_acquire_all(ek_id Task, ek_need *Needs, unsigned Count) {
  Work W;
  try {
    return acquireAll(Task, Needs, Count);
  } catch (const std::bad_alloc &) {
    return ENOMEM;
  }
}

EXPORT void ek_announce(ek_id Task, const ek_need *Needs, unsigned Count) {
  if (!Tier || !ek_opt.ahead)
    return;
  Work W;
  try {
    announce(Task, Needs, Count);
  } catch (const std::bad_alloc &) { // the task copies what it needs itself
    ek_count(EK_WHY_too_many_ahead, 1);
  }
}

EXPORT int ek_release_all(ek_id Task, ek_need *Needs, unsigned Count) {
  Work W;
  int First = 0;
  for (unsigned I = 0; I < Count; ++I) {
    if (!Needs[I].held)
      continue;
    Needs[I].held = 0;
    const int Why = release(Task, Needs[I].p);
    First = First ? First : Why;
  }
  return First;
}

EXPORT void *ek_acquire(ek_id Task, void *P, ek_size N, unsigned Mode) {
  ek_need Need = EK_NEED(P, N, Mode);
  const int Why = ek_acquire_all(Task, &Need, 1);
  if (!Why)
    return Need.at;
  errno = Why;
  return nullptr;
}

EXPORT int ek_release(ek_id Task, void *P) {
  Work W;
  return release(Task, P);
}

EXPORT void ek_bring_home() {
  if (Tier && Tier->isApart())
    atHook(0, false);
}
