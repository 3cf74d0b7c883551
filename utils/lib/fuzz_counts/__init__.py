# fuzz_counts - random kernels whose formulas are compared with counting runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of utils/fuzz-counts: forms (generates kernels), render (their C code),
programs (counts of runs against formulas), shrink (reduces a kernel that
differs)."""
