//===- sim_link_offender.cpp - what the link test must catch --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/Replay.h"

std::vector<std::string> peeksAtTheJudge() { return evenkeel::policyNames(); }
