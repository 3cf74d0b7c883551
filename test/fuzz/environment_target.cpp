//===- environment_target.cpp - EVENKEEL_* variables ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime's and the recorder's options as one line NAME=VALUE each
// (without "EVENKEEL_"). Whatever stands there, the options are usable; tiers
// that were accepted, written out, are the same tiers.
// Leaves out: everything that starts once per process.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/Machine.h"
#include "runtime/core/options.h"
#include "runtime/core/reserved.h"
#include "runtime/core/stats.h"
#include "runtime/objects/pages.h"
#include "runtime/providers/provider.h"
#include "runtime/record/caches/Options.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

using namespace ekfuzz;

// What the runtime's sources under test need of its others.
extern "C" {
ek_stats_t ek_stats;
}

static void setEnvironment(const std::string &Input,
                           const std::vector<const char *> &Names) {
  for (const char *Name : Names)
    ::unsetenv((std::string("EVENKEEL_") + Name).c_str());
  for (size_t From = 0; From < Input.size();) {
    size_t To = std::min(Input.find('\n', From), Input.size());
    std::string Line = Input.substr(From, To - From).c_str();
    size_t Equal = Line.find('=');
    for (const char *Name : Names)
      if (Line.substr(0, Equal) == Name && Equal != std::string::npos)
        ::setenv((std::string("EVENKEEL_") + Name).c_str(),
                 Line.c_str() + Equal + 1, 1);
    From = To + 1;
  }
}

static void checkTiers(const char *Text, uint64_t FastBytes) {
  ek_provider_config Config = {Text, FastBytes, ek_pages_table};
  ek_tier A[EK_MAX_TIERS], B[EK_MAX_TIERS];
  unsigned Count = 0, Again = 0;
  if (const char *Why = ek_provider_emulated.init(&Config, A, &Count)) {
    EK_HOLDS(*Why, "tiers are refused without a reason");
    return;
  }
  EK_HOLDS(Count >= 2 && Count <= EK_MAX_TIERS, "number of tiers");
  std::string Written;
  for (unsigned I = 0; I < Count; ++I) {
    EK_HOLDS(std::memchr(A[I].name, 0, sizeof A[I].name) && A[I].name[0],
             "a tier's name");
    if (A[I].capacity == EK_UNLIMITED)
      return;
    Written += (I ? "," : "") + std::string(A[I].name) + "=" +
               std::to_string(A[I].capacity);
  }
  Config.tiers = Written.c_str();
  EK_HOLDS(!ek_provider_emulated.init(&Config, B, &Again), "written tiers");
  EK_HOLDS(Again == Count && !std::memcmp(A, B, Count * sizeof *A),
           "tiers differ after a round trip: " + Written);
}

bool ekfuzz::runEnvironment(const std::string &Input) {
  static const std::vector<const char *> Names = {
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc) #NAME,
#include "runtime/core/options.def"
#undef EK_OPTION
  };
  setEnvironment(Input, Names);
  ek_options_read();
  const char *Tiers = std::getenv("EVENKEEL_TIERS");
  EK_HOLDS(std::strcmp(ek_opt.tiers, Tiers ? Tiers : "") == 0, "a text option");
  EK_HOLDS(ek_opt.disable <= 1 && ek_opt.help <= 1, "a flag");
  for (uint64_t Size :
       {ek_opt.migrate, ek_opt.reserve, ek_opt.retain, ek_opt.threshold})
    EK_HOLDS(Size < 9200000000000000000u, "a size");
  checkTiers(ek_opt.tiers, ek_opt.threshold);
  // One spelling is one size, here and on the command line.
  const char *Threshold = std::getenv("EVENKEEL_THRESHOLD");
  uint64_t Bytes;
  if (Threshold && ek_parse_size(Threshold, &Bytes) == 0) {
    auto Same = evenkeel::parseFastSize(Threshold, 0);
    EK_HOLDS(Bytes > 8999999999999999999u || (Same && *Same == Bytes),
             std::string("two sizes for ") + Threshold);
  }
  // Options live as long as the process; here there are many.
#define EK_FREE_FLAG(field)
#define EK_FREE_SIZE(field)
#define EK_FREE_TEXT(field) std::free(const_cast<char *>(ek_opt.field));
#define EK_FREE_REPLANNING(field)
#define EK_FREE_SAMPLING EK_FREE_TEXT
#define EK_FREE_MOVING(field)
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc) EK_FREE_##KIND(field)
#include "runtime/core/options.def"
#undef EK_OPTION
#undef EK_FREE_FLAG
#undef EK_FREE_SIZE
#undef EK_FREE_REPLANNING
#undef EK_FREE_SAMPLING
#undef EK_FREE_MOVING
#undef EK_FREE_TEXT
  return true; // bad values leave defaults
}

bool ekfuzz::runRecordEnvironment(const std::string &Input) {
  setEnvironment(Input,
                 {"RECORD_L1", "RECORD_L2", "RECORD_LLC", "RECORD_LLC_SIZES",
                  "RECORD_LLC_CYCLES", "RECORD_QUANTUM", "RECORD_ROB",
                  "RECORD_FILL_BUFFERS", "RECORD_PREFETCH", "RECORD_GHZ"});
  const uint32_t Rate = Input.size() % 2 ? ekrec::SampledRate : 1;
  ekrec::Options O = ekrec::optionsFromEnvironment(Rate);
  auto Cache = [](uint32_t Bytes, uint32_t Ways) {
    return Ways >= 1 && Ways <= 64 && Bytes &&
           Bytes % (Ways * ekrec::LineBytes) == 0;
  };
  EK_HOLDS(Cache(O.L1Bytes, O.L1Ways) && Cache(O.L2Bytes, O.L2Ways) &&
               Cache(O.LlcBytes, O.LlcWays),
           "a cache that cannot be");
  bool Given = std::getenv("EVENKEEL_RECORD_LLC_SIZES");
  for (unsigned I = 0; I < ekrec::LlcSizes; ++I) {
    EK_HOLDS(!O.LlcSize[I] || Cache(O.LlcSize[I], O.LlcWays),
             "a last level that cannot be");
    if (!Given && I && O.LlcSize[I])
      EK_HOLDS(O.LlcSize[I] >= O.LlcSize[I - 1], "last levels must rise");
  }
  EK_HOLDS(Given || std::count(std::begin(O.LlcSize), std::end(O.LlcSize),
                               O.LlcBytes),
           "one last level is the cache");
  EK_HOLDS(O.Rob && O.FillBuffers && O.QuantumCycles && std::isfinite(O.Ghz) &&
               O.Ghz > 0,
           "a core that cannot be");
  return true; // bad values leave defaults
}
