//===- ModelFile.cpp - read, check and evaluate trained functions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ModelFile.h.
//===----------------------------------------------------------------------===//
#include "ModelFile.h"
#include "File.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

static const char *const Remedy = "write it with utils/train-model";
static const DataFolder Models = {"trained model", "models/trained",
                                  "EVENKEEL_MODELS"};

namespace {

class FunctionReader {
  JsonReader &R;
  TrainedFunction &F;

public:
  FunctionReader(JsonReader &R, TrainedFunction &F) : R(R), F(F) {}
  void read(const json &J);

private:
  std::vector<double> numbers(const json &A, const std::string &Where,
                              size_t Size);
  std::vector<double> member(const json &O, const std::string &Where,
                             const char *Name, size_t Size) {
    return numbers(R.array(O, Where, Name), Where + "." + Name, Size);
  }
  void network(const json &N);
  void trees(const json &T);
  void tree(const json &T, const std::string &Where);
};

/// Reads finite numbers: exactly \p Size, or any number of them if it is 0.
std::vector<double>
FunctionReader::numbers(const json &A, const std::string &Where, size_t Size) {
  std::vector<double> Out;
  if (R.failed())
    return Out;
  if (!A.is_array())
    R.fail(Where, "must be a list");
  else if (Size && A.size() != Size)
    R.fail(Where, "must have " + std::to_string(Size) + " numbers, not " +
                      std::to_string(A.size()));
  else
    for (const json &X : A) {
      if (!X.is_number() || !std::isfinite(X.get<double>())) {
        R.fail(Where, "must contain only finite numbers");
        break;
      }
      Out.push_back(X.get<double>());
    }
  return Out;
}

void FunctionReader::network(const json &N) {
  F.Mean = member(N, "network", "mean", F.Inputs.size());
  F.Scale = member(N, "network", "scale", F.Inputs.size());
  for (double S : F.Scale)
    if (S == 0)
      R.fail("network.scale", "must not be 0");
  size_t Width = F.Inputs.size();
  const json &All = R.array(N, "network", "layers");
  for (size_t I = 0; I < All.size() && !R.failed(); ++I) {
    std::string Where = "network.layers[" + std::to_string(I) + "]";
    NetworkLayer L;
    L.Bias = member(All[I], Where, "bias", 0);
    const json &Rows = R.array(All[I], Where, "weights");
    if (!R.failed() && (L.Bias.empty() || Rows.size() != L.Bias.size()))
      R.fail(Where, "must have as many rows of weights as biases, at least 1");
    for (const json &Row : Rows)
      L.Weights.push_back(numbers(Row, Where + ".weights", Width));
    Width = L.Bias.size();
    F.Layers.push_back(std::move(L));
  }
  if (!R.failed() && (F.Layers.empty() || Width != 1))
    R.fail("network.layers", "must end in a layer with one output");
}

void FunctionReader::tree(const json &T, const std::string &Where) {
  std::vector<double> Threshold = member(T, Where, "threshold", 0);
  size_t N = Threshold.size();
  if (!R.failed() && N == 0)
    R.fail(Where, "must have a node");
  std::vector<double> Input = member(T, Where, "input", N);
  std::vector<double> Left = member(T, Where, "left", N);
  std::vector<double> Right = member(T, Where, "right", N);
  std::vector<double> Value = member(T, Where, "value", N);
  if (R.failed())
    return;
  std::vector<TreeNode> Nodes(N);
  for (size_t I = 0; I < N; ++I) {
    auto Index = [](double V, double From, double To) {
      return V == std::floor(V) && V >= From && V < To;
    };
    Nodes[I].Threshold = Threshold[I];
    Nodes[I].Value = Value[I];
    if (Input[I] == -1)
      continue;
    // Children follow their parent, so every walk ends.
    if (!Index(Input[I], 0, double(F.Inputs.size())) ||
        !Index(Left[I], double(I) + 1, double(N)) ||
        !Index(Right[I], double(I) + 1, double(N)))
      return R.fail(Where,
                    "node " + std::to_string(I) +
                        " refers to an input or a child that does not exist");
    Nodes[I].Input = static_cast<int>(Input[I]);
    Nodes[I].Left = static_cast<unsigned>(Left[I]);
    Nodes[I].Right = static_cast<unsigned>(Right[I]);
  }
  F.Trees.push_back(std::move(Nodes));
}

void FunctionReader::trees(const json &T) {
  F.Bias = R.number(T, "trees", "bias");
  const json &All = R.array(T, "trees", "trees");
  for (size_t I = 0; I < All.size() && !R.failed(); ++I)
    tree(All[I], "trees.trees[" + std::to_string(I) + "]");
}

void FunctionReader::read(const json &J) {
  F.Name = R.string(J, "", "name");
  F.Predicts = R.string(J, "", "predicts");
  for (const json &I : R.array(J, "", "inputs")) {
    if (!I.is_string())
      R.fail("inputs", "must contain names");
    else
      F.Inputs.push_back(I.get<std::string>());
  }
  F.Low = R.number(J, "", "low");
  F.High = R.number(J, "", "high");
  if (R.failed())
    return;
  if (F.Inputs.empty())
    return R.fail("inputs", "must not be empty");
  if (!(F.Low <= F.High))
    return R.fail("low", "must not be above 'high'");
  unsigned Kinds = 0;
  for (const char *Kind : {"linear", "network", "trees"})
    if (J.contains(Kind)) {
      if (!J[Kind].is_object())
        return R.fail(Kind, "must be an object");
      ++Kinds;
    }
  if (Kinds != 1)
    return R.fail("linear",
                  "is missing; one of linear, network and trees is required");
  if (J.contains("linear")) {
    F.Bias = R.number(J["linear"], "linear", "bias");
    F.Weights = member(J["linear"], "linear", "weights", F.Inputs.size());
  } else if (J.contains("network")) {
    network(J["network"]);
  } else {
    trees(J["trees"]);
  }
}

} // namespace

double TrainedFunction::operator()(const std::vector<double> &X) const {
  double Y = Bias;
  for (size_t I = 0; I < Weights.size(); ++I)
    Y += Weights[I] * X[I];
  for (const std::vector<TreeNode> &T : Trees) {
    const TreeNode *N = T.data();
    while (N->Input >= 0)
      N = &T[X[N->Input] <= N->Threshold ? N->Left : N->Right];
    Y += N->Value;
  }
  if (!Layers.empty()) {
    std::vector<double> In(X.size()), Out;
    for (size_t I = 0; I < X.size(); ++I)
      In[I] = (X[I] - Mean[I]) / Scale[I];
    for (const NetworkLayer &L : Layers) {
      Out = L.Bias;
      for (size_t O = 0; O < Out.size(); ++O) {
        for (size_t I = 0; I < In.size(); ++I)
          Out[O] += L.Weights[O][I] * In[I];
        if (&L != &Layers.back())
          Out[O] = std::max(0.0, Out[O]);
      }
      In.swap(Out);
    }
    Y += In[0];
  }
  // This order maps NaN (overflow) to the lower bound.
  return Y > Low ? std::min(Y, High) : Low;
}

Expected<TrainedFunction>
evenkeel::parseTrainedFunction(const std::string &Text,
                               const std::string &Path) {
  Expected<json> J = parseJsonText(Text, Path, "model", 1, Remedy);
  if (!J)
    return J.takeError();
  JsonReader R(Path);
  TrainedFunction F;
  FunctionReader(R, F).read(*J);
  if (R.failed())
    return R.error();
  return F;
}

Expected<TrainedFunction>
evenkeel::readTrainedFunction(const std::string &NameOrPath) {
  Expected<std::string> Path = locateDataFile(Models, NameOrPath);
  if (!Path)
    return Path.takeError();
  Expected<std::string> Text = readWholeFile(*Path);
  if (!Text)
    return Text.takeError();
  return parseTrainedFunction(*Text, *Path);
}
