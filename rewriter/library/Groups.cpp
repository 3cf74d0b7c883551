//===- Groups.cpp - blocks that are freed together ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Groups.h.
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace evenkeel {

using Group = Finding::Group;
using State = Finding::State;

namespace {

/// The flow of all units together.
class JoinedFlow {
public:
  std::vector<BlockCall> Makers, Enders;
  std::vector<bool> FreedElsewhere, MadeElsewhere;

  explicit JoinedFlow(const std::vector<BlockFlow> &Flows) {
    std::set<std::string> Defined;
    for (const BlockFlow &F : Flows)
      Defined.insert(F.Defined.begin(), F.Defined.end());
    std::set<unsigned> Freed, Made;
    for (const BlockFlow &F : Flows) {
      std::vector<unsigned> Of; // node numbers
      for (const std::string &Name : F.Names)
        Of.push_back(node(Name));
      for (auto [From, To] : F.Edges)
        Edges.push_back({Of[From], Of[To]});
      for (unsigned N : F.FreedElsewhere)
        Freed.insert(Of[N]);
      for (unsigned N : F.MadeElsewhere)
        Made.insert(Of[N]);
      auto Add = [&](std::vector<BlockCall> &To, BlockCall C) {
        C.Node = Of[C.Node];
        To.push_back(std::move(C));
      };
      for (const BlockCall &C : F.Makers)
        Add(Makers, C);
      for (const BlockCall &C : F.Enders)
        Add(Enders, C);
      // What functions of other people's objects do is not known.
      for (const auto &[Name, Parameters] : F.Called)
        if (!Defined.count(Name)) {
          for (unsigned I = 0; I < Parameters; ++I)
            Freed.insert(node(parameterNode(Name, I)));
          Made.insert(node(resultNode(Name)));
        }
    }
    index();
    FreedElsewhere.resize(Numbers.size());
    MadeElsewhere.resize(Numbers.size());
    for (unsigned N : Freed)
      FreedElsewhere[N] = true;
    for (unsigned N : Made)
      MadeElsewhere[N] = true;
  }

  size_t size() const { return Numbers.size(); }
  const std::vector<unsigned> &from(unsigned N) const { return Next[N]; }
  const std::vector<unsigned> &to(unsigned N) const { return Before[N]; }

private:
  unsigned node(const std::string &Name) {
    return Numbers.try_emplace(Name, Numbers.size()).first->second;
  }
  void index() {
    Next.resize(Numbers.size());
    Before.resize(Numbers.size());
    llvm::sort(Edges);
    Edges.erase(std::unique(Edges.begin(), Edges.end()), Edges.end());
    for (auto [From, To] : Edges) {
      Next[From].push_back(To);
      Before[To].push_back(From);
    }
  }

  std::map<std::string, unsigned> Numbers;
  std::vector<std::pair<unsigned, unsigned>> Edges;
  std::vector<std::vector<unsigned>> Next, Before;
};

/// Sites and calls of free that belong together.
struct FreedTogether {
  std::set<TextPlace> Makers, Enders;
  bool FreedElsewhere = false, MadeElsewhere = false;
};

/// Follows values from the sites forwards and from calls of free backwards,
/// until nothing new is found.
class Follow {
  const JoinedFlow &Flow;
  const BlockFamily Family;
  FreedTogether &Out;
  std::vector<bool> Held, Freed; // nodes: of the sites, of the calls of free
  std::multimap<unsigned, const BlockCall *> MakersAt, EndersAt;
  std::multimap<TextPlace, unsigned> MakerNodes, EnderNodes;

  void addMaker(const TextPlace &Place) {
    if (!Out.Makers.insert(Place).second)
      return;
    auto [From, To] = MakerNodes.equal_range(Place);
    for (auto It = From; It != To; ++It)
      forwards(It->second);
  }
  void addEnder(const TextPlace &Place) {
    if (!Out.Enders.insert(Place).second)
      return;
    auto [From, To] = EnderNodes.equal_range(Place);
    for (auto It = From; It != To; ++It)
      backwards(It->second);
  }
  void forwards(unsigned Start) {
    std::set<TextPlace> Found;
    std::vector<unsigned> Work{Start};
    while (!Work.empty()) {
      const unsigned N = Work.back();
      Work.pop_back();
      if (Held[N])
        continue;
      Held[N] = true;
      Out.FreedElsewhere |= Flow.FreedElsewhere[N];
      auto [From, To] = EndersAt.equal_range(N);
      for (auto It = From; It != To; ++It)
        Found.insert(It->second->Place);
      Work.insert(Work.end(), Flow.from(N).begin(), Flow.from(N).end());
    }
    for (const TextPlace &Place : Found)
      addEnder(Place);
  }
  void backwards(unsigned Start) {
    std::set<TextPlace> Found;
    std::vector<unsigned> Work{Start};
    while (!Work.empty()) {
      const unsigned N = Work.back();
      Work.pop_back();
      if (Freed[N])
        continue;
      Freed[N] = true;
      Out.MadeElsewhere |= Flow.MadeElsewhere[N] && Family == BlockFamily::Heap;
      auto [From, To] = MakersAt.equal_range(N);
      for (auto It = From; It != To; ++It)
        Found.insert(It->second->Place);
      Work.insert(Work.end(), Flow.to(N).begin(), Flow.to(N).end());
    }
    for (const TextPlace &Place : Found)
      addMaker(Place);
  }

public:
  Follow(const JoinedFlow &Flow, BlockFamily Family, FreedTogether &Out)
      : Flow(Flow), Family(Family), Out(Out), Held(Flow.size()),
        Freed(Flow.size()) {
    for (const BlockCall &C : Flow.Makers)
      if (C.Family == Family) {
        MakersAt.insert({C.Node, &C});
        MakerNodes.insert({C.Place, C.Node});
      }
    for (const BlockCall &C : Flow.Enders)
      if (C.Family == Family) {
        EndersAt.insert({C.Node, &C});
        EnderNodes.insert({C.Place, C.Node});
      }
  }
  /// A realloc both makes and frees.
  void start(const TextPlace &Site) {
    addMaker(Site);
    for (size_t Before = 0; Before != Out.Makers.size() + Out.Enders.size();) {
      Before = Out.Makers.size() + Out.Enders.size();
      for (const TextPlace &Place : std::set<TextPlace>(Out.Makers))
        if (EnderNodes.count(Place))
          addEnder(Place);
      for (const TextPlace &Place : std::set<TextPlace>(Out.Enders))
        if (MakerNodes.count(Place))
          addMaker(Place);
    }
  }
};

using ByPlace = std::map<TextPlace, Finding *>;

/// The finding at \p Place if it is edited; null: the call stays.
Finding *edited(const ByPlace &Found, const TextPlace &Place) {
  auto It = Found.find(Place);
  return It != Found.end() && It->second->What == State::Rewritten &&
                 !It->second->Edits.empty()
             ? It->second
             : nullptr;
}

} // namespace

static BlockFamily familyOf(const Finding &F) {
  return F.Form == "new[]" ? BlockFamily::Array
         : F.Form == "new" ? BlockFamily::Single
                           : BlockFamily::Heap;
}

/// Why \p G cannot be rewritten; "": it can.
static const char *refusal(const FreedTogether &G, const ByPlace &Found,
                           const std::map<uint64_t, Space> &Wanted,
                           LibraryCalls Style) {
  if (G.FreedElsewhere)
    return "freed-elsewhere";
  if (G.MadeElsewhere)
    return "made-elsewhere";
  std::set<Space> Kinds;
  bool Reallocates = false;
  for (const TextPlace &Place : G.Makers) {
    const Finding *F = edited(Found, Place);
    if (!F)
      return "made-elsewhere";
    auto It = Wanted.find(F->Id);
    Kinds.insert(It == Wanted.end() ? Space::Ordinary : It->second);
    Reallocates |= llvm::StringRef(F->Form).ends_with("realloc");
  }
  for (const TextPlace &Place : G.Enders)
    if (!edited(Found, Place))
      return "freed-elsewhere";
  // memkind_realloc takes blocks of the kind that it is given.
  if (Style == LibraryCalls::Memkind && Reallocates && Kinds.size() > 1)
    return "realloc-across";
  return "";
}

static void takeBack(Finding &F, State What, const char *Reason) {
  F.What = What;
  F.Reason = Reason;
  F.Edits.clear();
}

void keepGroups(const std::vector<BlockFlow> &Flows,
                const std::map<uint64_t, Space> &Wanted, LibraryCalls Style,
                std::vector<Finding> &Findings) {
  llvm::erase_if(Findings, [&](const Finding &F) {
    return (F.Class != Group::Site && F.Class != Group::Free) ||
           llvm::StringRef(F.Key.Path).ends_with(memoryHeaderName(Style));
  });
  const JoinedFlow Flow(Flows);
  ByPlace Found;
  for (Finding &F : Findings)
    if (!F.File.empty())
      Found.insert({{F.File, F.Anchor}, &F});
  auto SpaceOf = [&](const Finding &F) {
    auto It = Wanted.find(F.Id);
    return F.Class != Group::Site || It == Wanted.end() ? Space::Ordinary
                                                        : It->second;
  };
  std::set<const Finding *> Kept;
  for (Finding &F : Findings) {
    if (SpaceOf(F) == Space::Ordinary || F.What != State::Rewritten ||
        Kept.count(&F))
      continue;
    FreedTogether G;
    Follow(Flow, familyOf(F), G).start({F.File, F.Anchor});
    if (const char *Reason = refusal(G, Found, Wanted, Style); *Reason) {
      takeBack(F, State::Skipped, Reason);
      continue;
    }
    for (const std::set<TextPlace> *Places : {&G.Makers, &G.Enders})
      for (const TextPlace &Place : *Places) {
        Finding *Member = Found.at(Place);
        Kept.insert(Member);
        Member->Tag = spaceArgument(SpaceOf(*Member), Style);
        Member->Memory = spaceWords(SpaceOf(*Member));
      }
  }
  for (Finding &F : Findings)
    if (!Kept.count(&F) &&
        (F.What == State::Rewritten ||
         (F.What == State::Skipped && SpaceOf(F) == Space::Ordinary)))
      takeBack(F, State::Left, "ordinary-memory");
}

} // namespace evenkeel
