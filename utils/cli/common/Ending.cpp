//===- Ending.cpp - ending by a signal ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Ending.h. The signals are blocked in all threads but one, which waits for
// them and can do what a handler may not. SIGPIPE and SIGXFSZ go to the thread
// that wrote and would be lost if blocked: their handler forwards them. After a
// signal, processes whose parent has ended become our children
// (PR_SET_CHILD_SUBREAPER), so /proc shows all of them.
//===----------------------------------------------------------------------===//
#include "Ending.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <pthread.h>
#include <set>
#include <sstream>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace evenkeel::cli {

namespace {
struct Folders {
  std::mutex Lock;
  std::set<std::string> All;
};

/// The state of a process according to /proc.
struct Process {
  pid_t Parent = 0, Group = 0;
  bool Dead = false; // a zombie
};
} // namespace

/// Never destroyed: the waiting thread outlives main().
static Folders &folders() {
  static Folders &F = *new Folders;
  return F;
}

static std::atomic<bool> IsEnding{false};
static sigset_t BlockedBefore;

static std::map<pid_t, Process> allProcesses() {
  std::map<pid_t, Process> All;
  std::error_code EC;
  for (fs::directory_iterator It("/proc", EC), End; !EC && It != End;
       It.increment(EC)) {
    const pid_t Id = std::atoi(It->path().filename().c_str());
    if (Id <= 0)
      continue;
    std::ifstream In(It->path() / "stat");
    std::string Line;
    std::getline(In, Line);
    // "ID (NAME) STATE PARENT GROUP ...", where NAME may contain anything.
    const size_t Behind = Line.rfind(')');
    if (Behind == std::string::npos)
      continue;
    std::istringstream Rest(Line.substr(Behind + 1));
    char State = 0;
    Process P;
    Rest >> State >> P.Parent >> P.Group;
    P.Dead = State == 'Z' || State == 'X';
    All[Id] = P;
  }
  return All;
}

/// Running descendants of this process.
static std::map<pid_t, Process> ourPrograms() {
  const std::map<pid_t, Process> All = allProcesses();
  std::map<pid_t, Process> Ours;
  for (const auto &[Id, P] : All) {
    size_t Steps = 0;
    pid_t At = P.Parent;
    while (At != ::getpid() && Steps++ < All.size()) {
      auto Next = All.find(At);
      At = Next == All.end() ? 0 : Next->second.Parent;
    }
    if (At == ::getpid() && !P.Dead)
      Ours[Id] = P;
  }
  return Ours;
}

/// Whether process \p Id ignores \p Signal.
static bool ignores(pid_t Id, int Signal) {
  std::ifstream In("/proc/" + std::to_string(Id) + "/status");
  const std::string Name = "SigIgn:";
  for (std::string Line; std::getline(In, Line);)
    if (Line.compare(0, Name.size(), Name) == 0)
      return std::strtoull(Line.c_str() + Name.size(), nullptr, 16) >>
                 (Signal - 1) &
             1;
  return false;
}

/// The name of a running program.
static std::string nameOf(pid_t Id) {
  std::ifstream In("/proc/" + std::to_string(Id) + "/comm");
  std::string Name;
  std::getline(In, Name);
  return Name.empty() ? "a program" : "'" + Name + "'";
}

/// Ends all programs, including stopped ones: with \p Signal, which a terminal
/// has already sent to those in our group; with SIGKILL those that ignore it,
/// and after a while all that are left.
static void endPrograms(int Signal, bool FromTerminal) {
  using namespace std::chrono;
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  constexpr seconds Patience(5); // time for programs to clean up
  const auto Began = steady_clock::now();
  std::set<pid_t> Told;
  bool SaidLate = false;
  for (;;) {
    const std::map<pid_t, Process> Ours = ourPrograms();
    if (Ours.empty())
      return;
    const bool Late = steady_clock::now() - Began > Patience;
    if (Late && !SaidLate) {
      std::fprintf(stderr,
                   "evenkeel: %s did not end within %d s and is killed\n",
                   nameOf(Ours.begin()->first).c_str(), int(Patience.count()));
      SaidLate = true;
    }
    for (const auto &[Id, P] : Ours) {
      const bool First = Told.insert(Id).second;
      if (Late || (First && ignores(Id, Signal)))
        ::kill(Id, SIGKILL);
      else if (First && !(FromTerminal && P.Group == ::getpgrp()))
        ::kill(Id, Signal);
      if (First)
        ::kill(Id, SIGCONT); // stopped programs do not receive it otherwise
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
}

void endPrograms(int Signal) { endPrograms(Signal, /*FromTerminal=*/false); }

static void removeFolders() {
  std::lock_guard<std::mutex> Guard(folders().Lock);
  std::error_code Ignored;
  for (const std::string &Folder : folders().All)
    fs::remove_all(Folder, Ignored);
}

/// Whether \p Signal would end this process, other than by a fault.
static bool endsUs(int Signal) {
  static const std::set<int> Others = {
      SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGTRAP, SIGSYS,
      SIGCHLD, SIGCONT, SIGURG,  SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH};
  struct sigaction Old;
  return !Others.count(Signal) && sigaction(Signal, nullptr, &Old) == 0 &&
         Old.sa_handler == SIG_DFL;
}

/// Signals of a write() without a reader, or without room.
static bool isOfWriting(int Signal) {
  return Signal == SIGPIPE || Signal == SIGXFSZ;
}

static void passOn(int Signal) {
  const int Saved = errno;
  IsEnding = true;
  sigval Value = {};
  Value.sival_int = Signal;
  ::sigqueue(::getpid(), SIGRTMIN, Value);
  errno = Saved;
}

/// Waits for one of \p Watched that ends this command, and returns it.
static int waitForEnd(const sigset_t &Watched, bool &FromTerminal) {
  siginfo_t Info = {};
  int Signal;
  do
    Signal = sigwaitinfo(&Watched, &Info);
  while (Signal < 0);
  if (Signal == SIGRTMIN && Info.si_code == SI_QUEUE &&
      Info.si_pid == ::getpid())
    Signal = Info.si_value.sival_int;
  FromTerminal = Info.si_code == SI_KERNEL &&
                 (Signal == SIGINT || Signal == SIGQUIT || Signal == SIGHUP);
  return Signal;
}

/// The signal for the programs: they may handle other signals as messages.
static int toldAs(int Signal) {
  const bool Ends = Signal == SIGHUP || Signal == SIGINT || Signal == SIGQUIT;
  return Ends ? Signal : SIGTERM;
}

void watchSignals() {
  sigset_t Watched;
  sigemptyset(&Watched);
  struct sigaction Pass = {};
  Pass.sa_handler = passOn;
  Pass.sa_flags = SA_RESTART;
  std::vector<int> OfWriting;
  for (int Signal = 1; Signal <= SIGRTMAX; ++Signal)
    if (endsUs(Signal) && isOfWriting(Signal))
      OfWriting.push_back(Signal);
    else if (endsUs(Signal))
      sigaddset(&Watched, Signal);
  sigaddset(&Watched, SIGRTMIN);
  if (pthread_sigmask(SIG_BLOCK, &Watched, &BlockedBefore) != 0)
    return;
  for (int Signal : OfWriting)
    sigaction(Signal, &Pass, nullptr);
  std::thread([Watched] {
    bool FromTerminal;
    const int Signal = waitForEnd(Watched, FromTerminal);
    IsEnding = true;
    endPrograms(toldAs(Signal), FromTerminal);
    removeFolders();
    _exit(128 + Signal);
  }).detach();
}

void unblockSignals() { pthread_sigmask(SIG_SETMASK, &BlockedBefore, nullptr); }

void endsWithUs(pid_t Parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != Parent)
    _exit(128 + SIGKILL);
}

void waitWhileEnding() {
  while (IsEnding)
    ::pause();
}

void removeAtEnd(const std::string &Folder) {
  std::lock_guard<std::mutex> Guard(folders().Lock);
  folders().All.insert(Folder);
}

void removeNow(const std::string &Folder) {
  std::lock_guard<std::mutex> Guard(folders().Lock);
  std::error_code Ignored;
  fs::remove_all(Folder, Ignored);
  folders().All.erase(Folder);
}

} // namespace evenkeel::cli
