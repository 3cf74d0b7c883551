# fuzz_counts - random kernels whose formulas are compared with counting runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of utils/fuzz-counts: forms (which kernels there are), render (their C),
programs (what runs count, and what the formulas say), shrink (the smallest
kernel that still differs)."""
