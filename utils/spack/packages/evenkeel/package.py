# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Recipe for Spack: `spack repo add utils/spack`, then `spack install evenkeel`.
# Checked here by Python only (test/install/recipes.test), not by a Spack.
from spack.package import *


class Evenkeel(CMakePackage):
    """Places the data of parallel programs in fast and slow memory so that all
    tasks finish soonest: compiler plugins, runtime, planner and replay."""

    maintainers("evenkeel")
    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    variant("compiler", default=True,
            description="Plugins and compilers; without, a runtime that needs no LLVM")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("llvm@19 +clang +lld", when="+compiler", type=("build", "link", "run"))
    depends_on("llvm-openmp", when="~compiler", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("sqlite@3.35:")
    depends_on("zlib-api")
    depends_on("glpk")
    depends_on("hwloc", type=("build", "run"))

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("EVENKEEL_BUILD_TESTS", False),
            self.define_from_variant("EVENKEEL_BUILD_PASSES", "compiler"),
            self.define_from_variant("EVENKEEL_BUILD_REWRITER", "compiler"),
        ]

    def setup_run_environment(self, env):
        if self.spec.satisfies("+compiler"):
            env.set("EVENKEEL_CLANG", join_path(self.spec["llvm"].prefix.bin, "clang"))
            env.set("EVENKEEL_CLANGXX", join_path(self.spec["llvm"].prefix.bin, "clang++"))
