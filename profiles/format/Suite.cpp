//===- Suite.cpp - reading suite.json -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the fields of a suite and what makes a name usable as a file name.
//===----------------------------------------------------------------------===//
#include "Suite.h"
#include "File.h"
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

using namespace evenkeel;
using nlohmann::json;

static bool isFileName(const std::string &S) {
  for (char C : S)
    if (!std::isalnum(static_cast<unsigned char>(C)) && C != '.' && C != '_' &&
        C != '-')
      return false;
  return !S.empty() && S[0] != '.';
}

namespace {
class SuiteReader {
  JsonReader &R;
  std::string Folder; // with a trailing slash, or empty

  std::string path(const json &O, const std::string &Where, const char *Name) {
    std::string P = R.string(O, Where, Name);
    return P.empty() || P[0] == '/' ? P : Folder + P;
  }
  std::string name(const json &O, const std::string &Where,
                   std::set<std::string> &Seen) {
    std::string N = R.string(O, Where, "name");
    if (!R.failed() && !isFileName(N))
      R.fail(Where + ".name", "is '" + oneLine(N) +
                                  "', but becomes a file name: use letters, "
                                  "digits, '.', '_' and '-'");
    if (!R.failed() && !Seen.insert(N).second)
      R.fail(Where + ".name", "'" + N + "' comes twice");
    return N;
  }
  std::vector<std::string> strings(const json &O, const std::string &Where,
                                   const char *Name) {
    std::vector<std::string> Out;
    for (const json &X : R.array(O, Where, Name, true))
      if (X.is_string())
        Out.push_back(X.get<std::string>());
      else
        R.fail(Where + "." + Name, "contains something other than text");
    return Out;
  }

public:
  SuiteReader(JsonReader &Reader, const std::string &Path) : R(Reader) {
    Folder = Path.substr(0, Path.find_last_of('/') + 1);
  }

  SuiteWorkload workload(const json &O, const std::string &Where,
                         std::set<std::string> &Seen) {
    SuiteWorkload W;
    W.Name = name(O, Where, Seen);
    W.Groups = strings(O, Where, "groups");
    W.Facts = path(O, Where, "facts");
    W.Base = path(O, Where, "base");
    for (const std::string &P : strings(O, Where, "more_bases"))
      W.MoreBases.push_back(P.empty() || P[0] == '/' ? P : Folder + P);
    std::set<std::string> Names;
    const json &Targets = R.array(O, Where, "targets");
    for (size_t I = 0; I < Targets.size() && !R.failed(); ++I) {
      std::string At = Where + ".targets[" + std::to_string(I) + "]";
      SuiteTarget T;
      T.Name = name(Targets[I], At, Names);
      T.Record = path(Targets[I], At, "record");
      if (Targets[I].is_object() && Targets[I].contains("prefix"))
        T.Prefix = path(Targets[I], At, "prefix");
      T.For = strings(Targets[I], At, "for");
      T.Threads = R.maybeUnsigned(Targets[I], At, "threads").value_or(0);
      W.Targets.push_back(std::move(T));
    }
    return W;
  }
};
} // namespace

Expected<Suite> evenkeel::readSuite(const std::string &Path) {
  auto J = readJsonFile(Path, "suite", 1, "write it with utils/make-suite");
  if (!J)
    return J.takeError();
  JsonReader R(Path);
  SuiteReader Reader(R, Path);
  Suite S;
  std::set<std::string> Seen;
  const json &All = R.array(*J, "", "workloads");
  for (size_t I = 0; I < All.size() && !R.failed(); ++I)
    S.Workloads.push_back(
        Reader.workload(All[I], "workloads[" + std::to_string(I) + "]", Seen));
  if (R.failed())
    return R.error();
  return S;
}
