//===- SharedList.h - a list shared by its copies ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: most phases of a long run do the same, so copies of a list share its
// memory until one of them is changed (copy on write). Whether two lists share
// memory is known without comparing their elements.
// Not here: threads; copies that share memory must not be changed at the same
// time.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_SHAREDLIST_H
#define EVENKEEL_PROFILES_PROBLEM_SHAREDLIST_H

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace evenkeel {

template <typename T> class SharedList {
  std::shared_ptr<std::vector<T>> Its; // null: empty

  const std::vector<T> &list() const {
    static const std::vector<T> Empty;
    return Its ? *Its : Empty;
  }

public:
  SharedList() = default;
  SharedList(std::initializer_list<T> All) : SharedList(std::vector<T>(All)) {}
  SharedList(std::vector<T> All)
      : Its(All.empty() ? nullptr
                        : std::make_shared<std::vector<T>>(std::move(All))) {}

  size_t size() const { return Its ? Its->size() : 0; }
  bool empty() const { return !size(); }
  const T &operator[](size_t I) const { return (*Its)[I]; }
  const T &front() const { return Its->front(); }
  const T &back() const { return Its->back(); }
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  operator const std::vector<T> &() const { return list(); }

  /// The list for changes; it is not shared afterwards.
  std::vector<T> &edit() {
    if (!Its)
      Its = std::make_shared<std::vector<T>>();
    else if (Its.use_count() > 1)
      Its = std::make_shared<std::vector<T>>(*Its);
    return *Its;
  }
  void push_back(T X) { edit().push_back(std::move(X)); }

  /// Equal for lists that share memory; null: the list was never filled.
  const void *id() const { return Its.get(); }

  bool operator==(const SharedList &O) const {
    return Its == O.Its || list() == O.list();
  }
};

} // namespace evenkeel

#endif
