# SPDX-License-Identifier: MIT
"""Conan 2's recipe: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = os.path.join("..", "..")


class Perlane(ConanFile):
    name = "perlane"
    license = "MIT"
    description = "Perlin, simplex and cellular noise at memory speed, the same bits everywhere"
    topics = "noise", "perlin", "terrain", "simd"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, ROOT, "include", "perlane.h"))
        self.version = re.search(r'PERLANE_VERSION "(.*)"', header)[1]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, ROOT)
        for pattern in ("CMakeLists.txt", "LICENSE", "packaging/cmake/*", "include/*", "src/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["PERLANE_BUILD_CLI"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["perlane"]
        if self.settings.os in ("Linux", "FreeBSD") and self.settings.arch not in ("x86_64", "armv8"):
            self.cpp_info.system_libs = ["m"]
        if self.settings.os == "Windows" and self.options.shared:
            self.cpp_info.defines = ["PERLANE_SHARED"]
