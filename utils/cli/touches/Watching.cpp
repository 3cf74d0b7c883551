//===- Watching.cpp - a program under libevenkeel-touches -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Watching.h.
//===----------------------------------------------------------------------===//
#include "Watching.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Launched.h"
#include "cli/programs/Preloadable.h"
#include "cli/programs/Process.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

/* --- options ----------------------------------------------------------------
 */

/// The number before \p Unit at the end of \p Text; NaN if there is none.
static double numberBefore(const std::string &Text, const std::string &Unit) {
  if (Text.size() <= Unit.size() ||
      Text.compare(Text.size() - Unit.size(), Unit.size(), Unit) != 0)
    return std::nan("");
  const std::string Digits = Text.substr(0, Text.size() - Unit.size());
  if (Digits.find_first_not_of("0123456789.") != std::string::npos)
    return std::nan("");
  char *End = nullptr;
  const double N = std::strtod(Digits.c_str(), &End);
  return *End ? std::nan("") : N;
}

static double overheadOf(const Args &A) {
  const std::string Text = A.text("--overhead");
  const double Percent = numberBefore(Text, "%");
  if (!(Percent >= 0.01 && Percent <= 50))
    fail("--overhead is a share of the program's CPU time from 0.01% to 50%, "
         "as in 1%, not '" +
         Text + "'");
  return Percent / 100;
}

static double windowOf(const Args &A) {
  const std::string Text = A.text("--window");
  double Seconds = numberBefore(Text, "ms") / 1000;
  if (std::isnan(Seconds))
    Seconds = numberBefore(Text, "s");
  if (!(Seconds >= 0.0001 && Seconds <= 100))
    fail("--window is a time from 0.1ms to 100s, not '" + Text + "'");
  return Seconds;
}

static uint64_t chunkOf(const Args &A) {
  const std::string Text = A.text("--chunk");
  for (const auto &[Unit, Scale] : {std::pair("KiB", 1024.0),
                                    {"MiB", 1024.0 * 1024},
                                    {"GiB", 1024.0 * 1024 * 1024}}) {
    const double Given = numberBefore(Text, Unit) * Scale;
    if (!(Given >= 4096 && Given <= 1024.0 * 1024 * 1024 * 1024))
      continue;
    const auto Bytes = static_cast<uint64_t>(Given);
    if ((Bytes & (Bytes - 1)) == 0)
      return Bytes;
  }
  fail("--chunk is a power of two from 4KiB to 1024GiB, not '" + Text + "'");
}

static void checkMechanism(const std::string &Name) {
  if (Name == "auto" || ek_touch_named(Name.c_str()))
    return;
  std::string Known;
#define EK_LISTED(Text, Bits) Known += std::string(Text) + ", ";
  EK_TOUCH_MECHANISMS(EK_LISTED)
#undef EK_LISTED
  fail("--mechanism is " + Known + "or auto, not '" + Name + "'");
}

std::vector<std::pair<std::string, std::string>>
evenkeel::cli::watchingEnvironment(const Args &A, const std::string &Prefix) {
  std::vector<std::pair<std::string, std::string>> Env = {
      {"EVENKEEL_TOUCHES", Prefix},
      {"EVENKEEL_TOUCHES_OVERHEAD", std::to_string(overheadOf(A))},
      {"LD_PRELOAD", preloadFirst(libraryFile("libevenkeel-touches.so"))},
      // A program that places its data itself gets blocks of the C library
      // here, like any other: the watcher names and moves no others.
      {"EVENKEEL_DISABLE", "1"}};
  checkMechanism(A.text("--mechanism"));
  if (A.text("--mechanism") != "auto")
    Env.push_back({"EVENKEEL_TOUCHES_BY", A.text("--mechanism")});
  if (A.has("--chunk"))
    Env.push_back({"EVENKEEL_TOUCHES_CHUNK", std::to_string(chunkOf(A))});
  if (A.has("--window"))
    Env.push_back({"EVENKEEL_TOUCHES_WINDOW", std::to_string(windowOf(A))});
  return Env;
}

/* --- what processes leave ---------------------------------------------------
 */

WatchedProcesses evenkeel::cli::readWatched(const std::string &Folder) {
  WatchedProcesses L;
  std::vector<std::string> Files;
  for (const auto &Entry : fs::directory_iterator(Folder))
    if (Entry.path().extension() == ".why")
      L.Why = readTextFile(Entry.path().string());
    else if (Entry.path().extension() == ".full")
      ++L.CutShort;
    else if (Entry.path().extension() != ".account")
      Files.push_back(Entry.path().string());
  std::sort(Files.begin(), Files.end());
  for (const std::string &File : Files) {
    if (fs::file_size(File) < sizeof(ek_touch_header))
      continue; // it ended as soon as it had begun
    RawTouches T = orFail(readRawTouches(File));
    if (!T.Passes.empty()) {
      L.Processes.push_back(std::move(T));
      continue;
    }
    if (!T.End) // it was killed, called _exit, or became another program
      continue;
    ++L.Short;
    L.LongestShort = std::max(L.LongestShort, double(T.End->program_ns) / 1e9);
  }
  std::sort(L.Processes.begin(), L.Processes.end(),
            [](const RawTouches &A, const RawTouches &B) {
              return std::pair(A.Header.rank, A.Header.pid) <
                     std::pair(B.Header.rank, B.Header.pid);
            });
  return L;
}

const char *const evenkeel::cli::NoRoomForStreams =
    "no room in the folder for temporary files (TMPDIR), or within the "
    "program's limit of file sizes";

/// What a mechanism needs; for auto, the first of its choice.
static std::string needsOf(const std::string &Mechanism) {
  static const std::pair<uint32_t, const char *> Needs[] = {
      {EK_TOUCH_BY_ACCESSED, "/proc/PID/clear_refs and smaps"},
      {EK_TOUCH_BY_WRITES, "userfaultfd and PAGEMAP_SCAN of Linux 6.7"},
      {EK_TOUCH_BY_SOFT_DIRTY, "a kernel with CONFIG_MEM_SOFT_DIRTY"},
      {EK_TOUCH_BY_IDLE, "root and a kernel with CONFIG_IDLE_PAGE_TRACKING"},
      {EK_TOUCH_BY_LOADS,
       "a processor with PEBS or IBS, which virtual machines often hide, and "
       "the right to perf_event_open"}};
  uint32_t By = ek_touch_named(Mechanism.c_str());
  if (!By)
    By = EK_TOUCH_BY_ACCESSED;
  std::string Text;
  for (const auto &[Bit, Need] : Needs)
    if (By & Bit)
      Text += (Text.empty() ? "" : "; ") + std::string(Need);
  return Text;
}

std::string evenkeel::cli::whyNotWatched(const std::string &Why,
                                         const Args &A) {
  if (Why == "mechanism")
    return "this kernel or container does not offer " +
           (A.text("--mechanism") == "auto" ? "any mechanism"
                                            : A.text("--mechanism")) +
           ": it needs " + needsOf(A.text("--mechanism"));
  if (Why == "processor")
    return "pages are watched on x86-64 and AArch64 only";
  if (Why == "moves")
    return "this kernel or container does not permit moving pages (mbind and "
           "move_pages)";
  if (Why == "initial")
    return "the list of call stacks for fast memory cannot be read";
  if (Why == "account")
    return "no room in the folder for temporary files (TMPDIR)";
  return std::string("no ") +
         (Why == "thread" ? "further thread" : "address space") +
         " for the watcher";
}

void evenkeel::cli::checkWatchable(const Args &A) {
  const std::string Program = findProgram(A.Command[0]);
  if (Program.empty())
    fail("no program '" + A.Command[0] + "'");
  checkPreloadable(Program, A.Command[0]);
  // As a symbol, whose name is a text of its own.
  if (readTextFile(Program).find(std::string("\0__asan_init", 12) + '\0') !=
      std::string::npos)
    fail("'" + A.Command[0] +
         "' was built with AddressSanitizer, which lets no library in front; "
         "build it without");
}

void evenkeel::cli::checkOffered(const Args &A, const std::string &Folder) {
  // This command, since the library ends it before it begins.
  Job J{{siblingProgram("evenkeel"), "--version"},
        "",
        watchingEnvironment(A, Folder + "/try")};
  J.Env.push_back({"EVENKEEL_TOUCHES_TRY", "1"});
  runJob(J);
  const WatchedProcesses L = readWatched(Folder);
  if (!L.Why.empty())
    fail("'" + A.Command[0] +
         "' cannot be watched: " + whyNotWatched(L.Why, A));
}
