# kernel_format.py - lit's view of the kernel matrix: one test per kernel
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test format of test/kernels. Measurements of a file are stored in the suite's
folder and shared by its kernels. Not here: the checks (kernel_counts)."""
import os

import lit.formats
import lit.Test

import kernel_counts


class KernelFormat(lit.formats.base.FileBasedTest):
    def getTestsInDirectory(self, suite, path, lit_config, local):
        folder = suite.getSourcePath(path)
        for name in sorted(os.listdir(folder)):
            if name.endswith((".c", ".cpp")):
                kernels, _ = kernel_counts.read_kernels(os.path.join(folder, name))
                for kernel in kernels:
                    yield lit.Test.Test(suite, path + (name, kernel.name), local)

    def execute(self, test, lit_config):
        config = test.config
        source = test.suite.getSourcePath(test.path_in_suite[:-1])
        build = kernel_counts.Build(
            config.ek_binary_root, config.ek_program_root, config.ek_llvm_bin)
        cache = os.path.join(config.test_exec_root, "measured")
        try:
            found = kernel_counts.File(source, build, cache)
            kernel = next(k for k in found.kernels if k.name == test.path_in_suite[-1])
            result = found.check(kernel)
        except kernel_counts.Missing as problem:
            return lit.Test.UNSUPPORTED, str(problem)
        except kernel_counts.Failure as problem:
            return lit.Test.FAIL, str(problem)
        problems = kernel_counts.differences(kernel, result)
        counts = [f"{name}: formula {formula} recorder {recorder} memprof {memprof}"
                  for name, formula, recorder, memprof in result.counts]
        return (lit.Test.FAIL if problems else lit.Test.PASS), "\n".join(
            problems + counts)
