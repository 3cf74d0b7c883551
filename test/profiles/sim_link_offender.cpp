//===- sim_link_offender.cpp - a violation for the link test --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/Replay.h"

std::vector<std::string> peeksAtTheJudge() { return evenkeel::policyNames(); }
