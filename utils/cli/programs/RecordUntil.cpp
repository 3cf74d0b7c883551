//===- RecordUntil.cpp - recording a program's beginning ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RecordUntil.h.
//===----------------------------------------------------------------------===//
#include "RecordUntil.h"
#include "cli/common/Cli.h"
#include "cli/common/Ending.h"
#include "format/File.h"
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace evenkeel;
using namespace evenkeel::cli;

RecordEnd evenkeel::cli::parseRecordEnd(const std::string &Text) {
  RecordEnd E;
  if (Text == "end")
    return E;
  const std::string ByKinds = "phases";
  std::string Number = Text;
  if (Text.compare(0, ByKinds.size(), ByKinds) == 0) {
    E.Its = RecordEnd::Phases;
    E.Amount = EK_UNTIL_LIMIT_S;
    if (Text == ByKinds)
      return E;
    const size_t At = Text.find_first_not_of(' ', ByKinds.size());
    Number =
        At == ByKinds.size() || At == std::string::npos ? "" : Text.substr(At);
  }
  char *Rest = nullptr;
  const bool Digit = !Number.empty() && Number[0] >= '0' && Number[0] <= '9';
  E.Amount = Digit ? std::strtod(Number.c_str(), &Rest) : 0;
  std::string Unit = Rest ? Rest : "";
  Unit.erase(0, Unit.find_first_not_of(' '));
  constexpr double MostSeconds = 86400, MostPhases = 1 << 24;
  if (E.Its == RecordEnd::WithProgram &&
      (Unit == "phases" || Unit == "phase")) {
    E.Its = RecordEnd::Count;
    if (E.Amount >= 1 && E.Amount <= MostPhases &&
        E.Amount == std::floor(E.Amount))
      return E;
  } else if (Unit == "s" || Unit == "seconds" || Unit == "min") {
    if (E.Its == RecordEnd::WithProgram)
      E.Its = RecordEnd::Seconds;
    E.Amount *= Unit == "min" ? 60 : 1;
    if (E.Amount > 0 && E.Amount <= MostSeconds)
      return E;
  }
  fail("--until is phases, phases and a time at most ('phases 20s'), a number "
       "of phases ('20 phases'), a time ('30s', a day at most) or end, not '" +
       Text + "'");
}

struct UntilWatch::Shared {
  RecordEnd End;
  std::string File;
  ek_until_board *Board = nullptr;
  std::atomic<bool> Stopped{false};
  std::mutex Lock;
  std::condition_variable Over;
  bool Done = false;
  std::thread Listener;

  bool allWritten() const {
    const uint32_t Expected =
        __atomic_load_n(&Board->expected, __ATOMIC_SEQ_CST);
    return Expected &&
           __atomic_load_n(&Board->written, __ATOMIC_SEQ_CST) >= Expected;
  }

  /// Seconds after which a program is asked to write its record.
  double longest() const {
    constexpr double Grace = 10; // to reach the end of a phase
    switch (End.Its) {
    case RecordEnd::Phases:
      return 2 * End.Amount;
    case RecordEnd::Seconds:
      return 2 * End.Amount + Grace;
    default:
      return INFINITY;
    }
  }

  /// The condition being waited for, for progress messages.
  std::string waitText() const {
    switch (End.Its) {
    case RecordEnd::Phases:
      return "until each kind of phase that matters was seen three times, "
             "for " +
             secondsText() + " s at most";
    case RecordEnd::Count:
      return "for " + std::to_string(uint64_t(End.Amount)) + " phases";
    default:
      return "for " + secondsText() + " s";
    }
  }
  std::string secondsText() const {
    return std::to_string(uint64_t(std::ceil(End.Amount)));
  }

  void listen() {
    using namespace std::chrono;
    constexpr double Silent = 2; // seconds
    const auto Began = steady_clock::now();
    bool Said = false;
    std::unique_lock<std::mutex> Guard(Lock);
    while (!Over.wait_for(Guard, milliseconds(10), [&] { return Done; })) {
      const bool Written = allWritten();
      // A program that should continue is never ended from here.
      if (Written && End.KeepRunning)
        return;
      const double Seconds =
          duration<double>(steady_clock::now() - Began).count();
      const bool Late = Seconds > longest();
      if (!Said && Seconds > Silent) {
        std::fprintf(stderr, "evenkeel: recording %s\n", waitText().c_str());
        Said = true;
      }
      if (End.KeepRunning || (!Late && !Written))
        continue;
      Guard.unlock();
      Stopped = true;
      endPrograms(Late ? SIGTERM : SIGINT);
      return;
    }
  }
};

UntilWatch::UntilWatch(const RecordEnd &End, const std::string &Folder)
    : S(std::make_unique<Shared>()) {
  S->End = End;
  if (End.Its == RecordEnd::WithProgram)
    return;
  S->File = Folder + "/until";
  orFail(writeWholeFile(S->File, std::string(sizeof(ek_until_board), '\0')));
  const int Fd = ::open(S->File.c_str(), O_RDWR | O_CLOEXEC);
  void *P = Fd < 0 ? MAP_FAILED
                   : ::mmap(nullptr, sizeof(ek_until_board),
                            PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
  if (Fd >= 0)
    ::close(Fd);
  if (P == MAP_FAILED)
    fail("cannot map '" + S->File + "': " + std::strerror(errno));
  S->Board = static_cast<ek_until_board *>(P);
  S->Listener = std::thread([this] { S->listen(); });
}

UntilWatch::~UntilWatch() {
  if (!S->Listener.joinable())
    return;
  {
    std::lock_guard<std::mutex> Guard(S->Lock);
    S->Done = true;
  }
  S->Over.notify_all();
  S->Listener.join();
  ::munmap(S->Board, sizeof(ek_until_board));
}

bool UntilWatch::stopped() const { return S->Stopped; }

bool UntilWatch::written() const { return S->Board && S->allWritten(); }

std::vector<std::pair<std::string, std::string>>
UntilWatch::environment() const {
  if (!S->Board)
    return {};
  char Amount[64];
  std::snprintf(Amount, sizeof Amount, "%.17g%c", S->End.Amount,
                S->End.Its == RecordEnd::Count ? 'p' : 's');
  return {{EK_UNTIL_ENV, (S->End.Its == RecordEnd::Phases ? "phases " : "") +
                             std::string(Amount)},
          {EK_UNTIL_KEEP_ENV, S->End.KeepRunning ? "1" : "0"},
          {EK_UNTIL_BOARD_ENV, S->File}};
}

/// What was missing for EK_ENDED_PHASES.
static const char *missingText(uint32_t Missing) {
  switch (Missing) {
  case EK_UNSEEN_SHORT:
    return "it ran for less than half a second of computing";
  case EK_UNSEEN_REPEATS:
    return "no kind of phase came three times";
  case EK_UNSEEN_ALIKE:
    return "no kind of phase came three times with the same work";
  case EK_UNSEEN_MOST:
    return "phases that came three times with the same work took too little "
           "of the time";
  case EK_UNSEEN_RANKS:
    return "another rank had not seen enough";
  default:
    return "";
  }
}

std::string evenkeel::cli::endText(const RecordEnd &Asked,
                                   const MissRecord &R) {
  if (Asked.Its == RecordEnd::WithProgram)
    return "";
  const std::string Phases = std::to_string(R.Phases.size()) +
                             (R.Phases.size() == 1 ? " phase" : " phases");
  char Seen[160];
  std::snprintf(Seen, sizeof Seen,
                "of %u kinds of phases, those seen three times with the same "
                "work took %.0f %% of the time",
                R.End.kinds, 100 * R.End.seen_share);
  const bool ByKinds = Asked.Its == RecordEnd::Phases;
  switch (R.End.why) {
  case EK_ENDED_PHASES:
    return "the record ends after " + Phases + ": " + Seen;
  case EK_ENDED_COUNT:
  case EK_ENDED_SECONDS:
    return "the record ends after " + Phases + ", as asked for" +
           (Asked.Its == RecordEnd::Count && R.Phases.size() > Asked.Amount
                ? ": the first place after " +
                      std::to_string(uint64_t(Asked.Amount)) +
                      " where all can stop"
                : std::string());
  case EK_ENDED_LIMIT:
    return "the record ends after " + Phases + " and " +
           std::to_string(uint64_t(std::ceil(Asked.Amount))) +
           " s: " + missingText(R.End.missing) + " (" + Seen + ")";
  case EK_ENDED_CUT:
    return "the record ends in the middle of a phase that did not end; what "
           "its "
           "tasks did so far is missing";
  default:
    return "the whole run is recorded, as the program ended first" +
           (ByKinds && R.End.missing
                ? std::string(": ") + missingText(R.End.missing)
                : std::string());
  }
}
