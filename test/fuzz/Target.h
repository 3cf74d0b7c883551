//===- Target.h - one parser of outside input under test --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a target is a name and a function that feeds any bytes to one parser
// and checks what must hold of whatever that accepts. The same functions serve
// libFuzzer (fuzz_main.cpp) and the replay of kept inputs (replay_main.cpp).
// Makes: an abort with one line where a property does not hold.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_FUZZ_TARGET_H
#define EVENKEEL_TEST_FUZZ_TARGET_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ekfuzz {

struct Target {
  const char *Name;
  /// Whether the parser accepted the input.
  bool (*Run)(const std::string &Input);
};

/// Null when there is no target of that name in this build.
const Target *findTarget(const std::string &Name);

/// Prints the line and aborts: the input is kept as a reproducer.
[[noreturn]] void violated(const char *File, int Line, const std::string &What);

/// Errors are one line, whatever the input holds.
void checkError(const std::string &Message);

/// Writes \p Bytes to the scratch file \p Name of this process, for readers
/// that take a path, and returns that path. It goes away at exit.
std::string scratchFile(const char *Name, const std::string &Bytes);
/// The path of such a file that is not there (any more).
std::string freshPath(const char *Name);

/// Content as text in which no two different contents look alike, to compare
/// what was read before and after a round trip.
class Description {
  std::string Text;

public:
  Description &add(const std::string &S);
  Description &add(uint64_t V);
  Description &add(double V); // -0 as 0: the formats need not tell them apart
  const std::string &text() const { return Text; }
};

bool runFacts(const std::string &Input);
bool runExpression(const std::string &Input);
bool runPlan(const std::string &Input);
bool runRuntimePlan(const std::string &Input);
bool runStacks(const std::string &Input);
bool runMachine(const std::string &Input);
bool runModel(const std::string &Input);
bool runGiven(const std::string &Input);
bool runFastSize(const std::string &Input);
bool runRaw(const std::string &Input);
bool runProfile(const std::string &Input);
bool runSeen(const std::string &Input);
bool runTouches(const std::string &Input);
bool runRawTouches(const std::string &Input);
bool runSampleRing(const std::string &Input);
bool runParamedir(const std::string &Input);
bool runAllocsInfo(const std::string &Input);
bool runMemoryConfig(const std::string &Input);
bool runLocations(const std::string &Input);
bool runStackLog(const std::string &Input);
bool runAdvisor(const std::string &Input);
bool runMemProf(const std::string &Input);
bool runDamo(const std::string &Input);
bool runMappings(const std::string &Input);
bool runCompileDb(const std::string &Input);
bool runBuiltProgram(const std::string &Input);
bool runEnvironment(const std::string &Input);
bool runRecordEnvironment(const std::string &Input);

} // namespace ekfuzz

#define EK_HOLDS(Condition, What)                                              \
  ((Condition) ? (void)0 : ekfuzz::violated(__FILE__, __LINE__, (What)))

#endif
