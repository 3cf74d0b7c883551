//===- cache_model_test.cpp - the cache model against hardware counters ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines that five kernels fetch from memory, by hardware counters (PAPI) and by
// the recorder. How much of a shared last level a program gets is not known, so
// the size is fitted on two kernels, and the others are judged: within 10 %.
// Counters are believed only if they agree with arithmetic on a known chase and
// a known triad, and if that many can be open at once; machines without such
// are skipped, with the reason. The judge itself is tested everywhere, with
// counts that the model made at a known size in the counters' place.
//===----------------------------------------------------------------------===//
#include "format/profile/Profile.h"
#include "kernels.h"
#include "simulator/LastLevel.h"
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <malloc.h>
#include <map>
#include <sstream>
#ifdef EK_HAVE_PAPI
#include <papi.h>
#endif

using namespace evenkeel;
namespace fs = std::filesystem;

namespace {

constexpr double MiB = 1 << 20;
constexpr double Within = 0.1;
const char *const Fitted[] = {"chase", "spmv"};
const char *const Judged[] = {"triad", "heat", "spgemm"};

using Counts = std::map<std::string, double>; // lines, by kernel

/// Records of the kernels, each behind all last levels at once.
class Model {
  std::map<std::string, MissRecord> Records;

public:
  std::string Problem;

  Model() {
    std::string Dir = (fs::temp_directory_path() / "ekhwXXXXXX").string();
    if (!mkdtemp(Dir.data())) {
      Problem = "no temporary folder";
      return;
    }
    std::string Program = Dir + "/kernels";
    sh(std::string(EK_CC) + " --record=misses -O2 -DKERNEL_MAIN " + EK_KERNELS +
       " -o " + Program + " -lm");
    for (const char *Name : {"chase", "spmv", "triad", "heat", "spgemm"}) {
      std::string Raw = Dir + "/" + Name;
      fs::create_directory(Raw);
      // A small private L2: what hardware has there does not matter above 4 MB.
      sh("env EVENKEEL_RECORD_L2=524288/8 EVENKEEL_RECORD_PREFETCH=0 "
         "EVENKEEL_RECORD_LLC_SIZES=2097152,4194304,8388608,16777216,33554432 "
         "EVENKEEL_RAW=" +
         Raw + "/raw " + Program + " " + Name + " >/dev/null 2>&1");
      for (const auto &E : fs::directory_iterator(Raw))
        if (auto R = readRaw(E.path().string()))
          Records[Name] = *R;
    }
    fs::remove_all(Dir);
    if (Problem.empty() && Records.size() != 5)
      Problem = "kernels left no records";
  }
  double lines(const std::string &Kernel, double LlcBytes) const {
    const MissRecord &R = Records.at(Kernel);
    double Sum = 0;
    for (const ek_raw_mrc &C : R.Curves)
      Sum += fetchedAt(C, R.Config.llc_sizes, LlcBytes);
    return Sum;
  }

private:
  void sh(const std::string &Command) {
    if (Problem.empty() && std::system(Command.c_str()) != 0)
      Problem = Command;
  }
};

const Model &model() {
  static const Model M;
  return M;
}

/// The last level with which the model is nearest on the fitted kernels.
double fit(const Counts &Hardware) {
  double Best = 0, Least = INFINITY;
  for (double Size = 2 * MiB; Size <= 32 * MiB; Size *= std::pow(2, 1.0 / 16)) {
    double Off = 0;
    for (const char *K : Fitted)
      Off += std::abs(model().lines(K, Size) / Hardware.at(K) - 1);
    if (Off < Least) {
      Least = Off;
      Best = Size;
    }
  }
  return Best;
}

/// The kernels on which the model is further off than it may be.
std::string judge(const Counts &Hardware, double Size) {
  std::ostringstream Out;
  for (const char *K : Judged) {
    double Off = model().lines(K, Size) / Hardware.at(K) - 1;
    if (!(std::abs(Off) <= Within))
      Out << K << ": model " << model().lines(K, Size) << ", hardware "
          << Hardware.at(K) << " lines (" << 100 * Off << " %)\n";
  }
  return Out.str();
}

TEST(CacheModel, AgreesWithArithmetic) {
  ASSERT_EQ(model().Problem, "");
  for (const char *K : {"triad", "chase"})
    EXPECT_NEAR(model().lines(K, 2 * MiB) / kernel_lines(K), 1, 0.01) << K;
}

TEST(CacheModel, TheJudgeFindsTheSizeAndWhatIsWrong) {
  ASSERT_EQ(model().Problem, "");
  Counts Hardware;
  for (const char *K : {"chase", "spmv", "triad", "heat", "spgemm"})
    Hardware[K] = model().lines(K, 11 * MiB);
  double Size = fit(Hardware);
  EXPECT_NEAR(Size / MiB, 11, 0.5);
  EXPECT_EQ(judge(Hardware, Size), "");
  Hardware["heat"] *= 1.2;
  EXPECT_NE(judge(Hardware, Size).find("heat: model"), std::string::npos);
}

#ifdef EK_HAVE_PAPI

/// Events whose sum may be the lines fetched from memory, by processor family:
/// AMD Zen's fills from memory on demand, with those of the prefetchers, and
/// Intel's architectural last-level misses.
const std::vector<std::vector<const char *>> Candidates = {
    {"perf_raw::r0843"},
    {"perf_raw::r0843", "perf_raw::rff72"},
    {"perf_raw::r412e"},
    {"perf::LLC-LOAD-MISSES", "perf::LLC-STORE-MISSES",
     "perf::LLC-PREFETCH-MISSES"},
};

/// Sums of \p Events over \p What; nothing if they cannot be counted.
std::optional<std::vector<double>>
count(const std::vector<const char *> &Events,
      const std::function<void()> &What) {
  int Set = PAPI_NULL;
  std::optional<std::vector<double>> Out;
  if (PAPI_create_eventset(&Set) != PAPI_OK)
    return Out;
  bool Good = true;
  for (const char *E : Events)
    Good = Good && PAPI_add_named_event(Set, E) == PAPI_OK;
  std::vector<long long> Values(Events.size());
  if (Good && PAPI_start(Set) == PAPI_OK) {
    What();
    if (PAPI_stop(Set, Values.data()) == PAPI_OK)
      Out.emplace(Values.begin(), Values.end());
  }
  PAPI_cleanup_eventset(Set);
  PAPI_destroy_eventset(&Set);
  return Out;
}

std::optional<double> linesBy(const std::vector<const char *> &Events,
                              const char *Kernel) {
  auto Values = count(Events, [&] { kernel_run(Kernel); });
  if (!Values)
    return std::nullopt;
  double Sum = 0;
  for (double V : *Values)
    Sum += V;
  return Sum;
}

/// Do so many counters run at once and say the same?
bool countersAgree(size_t Number) {
  std::vector<const char *> Same(Number, "perf::INSTRUCTIONS");
  auto Values = count(Same, [] { kernel_run("heat"); });
  if (!Values)
    return false;
  for (double V : *Values)
    if (!(V > 0) || std::abs(V / Values->front() - 1) > 0.01)
      return false;
  return true;
}

TEST(CacheModel, AgreesWithHardware) {
  ASSERT_EQ(model().Problem, "");
  if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
    GTEST_SKIP() << "hardware: PAPI does not start here";
  if (!countersAgree(1))
    GTEST_SKIP() << "hardware: no counters on this machine (PAPI counts no "
                    "instructions)";
  // Freed memory stays with the process, so that the second run of a kernel
  // meets pages that are there already.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2047 << 20);
  std::string Tried;
  for (const auto &Events : Candidates) {
    if (!countersAgree(Events.size()))
      continue;
    bool Good = true;
    for (const char *K : {"triad", "chase"}) {
      kernel_run(K);
      auto Lines = linesBy(Events, K);
      double Off = Lines ? *Lines / kernel_lines(K) - 1 : NAN;
      Good = Good && std::abs(Off) <= Within;
      Tried += std::string(Events[0]) + (Events.size() > 1 ? "+.. " : " ") + K +
               " " + std::to_string(Off) + "; ";
    }
    if (!Good)
      continue;
    Counts Hardware;
    for (const char *K : {"chase", "spmv", "triad", "heat", "spgemm"}) {
      kernel_run(K);
      Hardware[K] = linesBy(Events, K).value_or(0);
    }
    double Size = fit(Hardware);
    EXPECT_EQ(judge(Hardware, Size), "")
        << "with a last level of " << Size / MiB << " MiB";
    return;
  }
  GTEST_SKIP() << "hardware: no counter of lines fetched passes its self-test: "
               << Tried;
}

#else

TEST(CacheModel, AgreesWithHardware) {
  FAIL() << "built without PAPI; install libpapi-dev (utils/packages.txt)";
}

#endif

} // namespace
