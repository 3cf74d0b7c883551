//===- InputFinder.h - values that come from the input ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a program gets numbers from its arguments, options, environment
// and files: library functions that convert text (Conversions.h), tests of
// options (Options.cpp), and the way of texts and numbers through variables,
// members, arguments and results.
// Makes: the value of a place in the program as an expression over rows of
// InputTable.
// Not here: control flow apart from tests of options. Of several values that a
// place may have, the first that the command line states counts, then the
// constant; so the planner checks the result against the base run.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_INPUTS_INPUTFINDER_H
#define EVENKEEL_PASSES_ACCESS_INPUTS_INPUTFINDER_H

#include "access/calls/CallGraph.h"
#include "access/inputs/InputTable.h"
#include "objects/Provenance.h"
#include <deque>
#include <set>

namespace evenkeel {

struct Conversion;

class InputFinder {
public:
  /// A call through which a value is looked at; null: any call.
  struct Frame {
    const llvm::CallBase *Call;
    const llvm::Function *Callee;
    const Frame *Up;
  };
  /// Where control was when a value was chosen: in From, or on the edge from it
  /// to To.
  struct Step {
    const llvm::BasicBlock *From;
    const llvm::BasicBlock *To = nullptr;
  };
  using Trail = llvm::SmallVector<Step, 4>;

  InputFinder(llvm::Module &M, const Objects &Obj, const CallGraph &Graph,
              const Provenance &From, InputTable &Table)
      : M(M), Obj(Obj), Graph(Graph), From(From), Table(Table) {}

  /// Null if \p V does not come from the input alone.
  CountRef valueOf(llvm::Value *V);

private:
  llvm::Module &M;
  const Objects &Obj;
  const CallGraph &Graph;
  const Provenance &From;
  InputTable &Table;
  std::deque<Frame> Frames;
  /// Values being looked at, to recognise cycles.
  std::set<std::pair<const llvm::Value *, const Frame *>> Open;
  unsigned Left = 0;   // steps until the search gives up
  bool InTest = false; // a test is being searched, see chosen()

  /// One of the values from which another is taken unchanged.
  struct Source {
    llvm::Value *V = nullptr; // null: not known
    const Frame *In = nullptr;
    llvm::SmallVector<Step, 1> At;
    bool Into = false; // V is a call that writes the value to Where
    Location Where = {};
  };
  struct Sources {
    llvm::SmallVector<Source, 4> All;
    bool Agree = false; // the program may use any of them: all must be equal
    bool Anew = false;  // the trail so far says nothing about them
    bool Moved = false; // V itself is no source
  };
  Sources sourcesOf(llvm::Value *V, const Frame *In);
  void addArguments(llvm::Argument &A, const Frame *In, Sources &Out);
  void addReturns(llvm::CallBase &CB, const Frame *In, Sources &Out);
  void addLoaded(llvm::LoadInst &L, Sources &Out);
  int64_t bytesOf(llvm::Type *Ty) const {
    return int64_t(M.getDataLayout().getTypeStoreSize(Ty).getFixedValue());
  }
  void addStored(Location At, llvm::Type *Ty, Sources &Out, unsigned Depth = 0);
  void addStore(llvm::StoreInst &S, Location At, llvm::Type *Ty, Sources &Out);
  void addInitial(Location At, llvm::Type *Ty, Sources &Out);
  const Frame *frame(const llvm::CallBase &CB, const llvm::Function &F,
                     const Frame *Up);

  // Numbers (Numbers.cpp).
  CountRef number(llvm::Value *V, const Frame *In, const Trail &T);
  CountRef numberOfSources(const Sources &S, const Trail &T);
  CountRef arithmetic(llvm::Instruction &I, const Frame *In, const Trail &T);
  std::optional<CountRef> chosen(llvm::Value &V, const Frame *In,
                                 const Trail &T);
  /// Whether \p C stands for a value that only goes around in a cycle.
  static bool isCycle(const CountRef &C);
  CountRef truthOf(llvm::Value *Cond, const Frame *In, const Trail &T);
  CountRef truthOfComparison(llvm::CallBase &CB, const Frame *In,
                             const Trail &T);
  CountRef operation(llvm::BinaryOperator &B, const CountRef &X,
                     const CountRef &Y);
  CountRef converted(llvm::CallBase &CB, const Conversion &C, const Frame *In,
                     const Trail &T, unsigned Field = 0);
  CountRef written(llvm::CallBase &CB, Location Where, const Frame *In,
                   const Trail &T);

public:
  /// A text that the program gets from outside, or a literal.
  struct Text {
    InputRow Row; // kind and names; none for a literal
    bool Literal = false;
    std::string Words; // of a literal
    bool operator==(const Text &O) const {
      return Literal == O.Literal && Words == O.Words &&
             keyOfInput(Row) == keyOfInput(O.Row);
    }
  };

private:
  using Texts = llvm::SmallVector<Text, 2>;
  // Texts (Texts.cpp). False: one of the texts is not known.
  bool addTexts(llvm::Value *P, const Frame *In, const Trail &T, int64_t Skip,
                Texts &Out);
  bool addTextsOfCall(llvm::CallBase &CB, const Frame *In, const Trail &T,
                      int64_t Skip, Texts &Out);
  bool addContents(llvm::Value *P, Texts &Out);
  bool addElement(llvm::LoadInst &L, const Frame *In, const Trail &T,
                  int64_t Skip, Texts &Out);
  bool addOption(const Trail &T, int64_t Skip, Texts &Out);
  bool addTextsOfString(llvm::Value *Object, Texts &Out);
  bool addTextsOfStream(llvm::Value *Object, Texts &Out);
  bool addFile(llvm::Value *P, const Frame *In, Texts &Out);
  void addFilesNamed(const Texts &Names, const llvm::Instruction *At,
                     Texts &Out);
  /// A pointer into argv.
  struct Slot {
    std::optional<int64_t> Index;        // if it is constant
    std::optional<int64_t> AfterOptions; // argv[optind + this]
  };
  std::optional<Slot> slotOf(llvm::Value *P, const Frame *In);
  bool isElement(llvm::Value *P);

  // Tests of options (Options.cpp).
  struct Tests {
    std::set<std::string> Names; // "-n"; "--n=" if only the beginning counts
    const llvm::CallBase *Parser = nullptr; // getopt, if it found the option
  };
  /// What is known of the characters of an argument on the way so far.
  using Letters = std::map<int64_t, char>;
  bool testsAt(const llvm::BasicBlock *B, const Letters &L, unsigned Depth,
               Tests &Out);
  bool testsOnEdge(const llvm::BasicBlock *P, const llvm::BasicBlock *B,
                   const Letters &L, unsigned Depth, Tests &Out);
  bool testsIf(llvm::Value *Cond, bool Sense, const llvm::BasicBlock *P,
               const Letters &L, unsigned Depth, Tests &Out);
  bool testsIfEqual(llvm::Value *X, int64_t C, const llvm::BasicBlock *P,
                    const Letters &L, unsigned Depth, Tests &Out);
  bool testsIfPhi(llvm::PHINode &X, int64_t C, unsigned Depth, const Letters &L,
                  Tests &Out);
  const llvm::CallBase *parserOf(llvm::Value *V, unsigned Depth);
  bool isElementText(llvm::Value *P, bool OfString);
  std::vector<std::string> longNamesOf(const llvm::CallBase &Parser,
                                       int64_t Letter);
  void describeParser(const llvm::CallBase &Parser, InputRow &R);
};

} // namespace evenkeel

#endif
