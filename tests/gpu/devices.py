#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the shaders, checks that the code may fuse and reorder no operation, and runs test_gpu on
the devices: devices.py SHADERS WORK TEST_GPU [--all]. --all has all compilers that are here, and
checks that missing `precise` would be noticed."""

import os
import re
import shutil
import subprocess
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTS)
import checks  # noqa: E402
import spirv  # noqa: E402

SHADERS, WORK, TEST_GPU = map(os.path.abspath, sys.argv[1:4])
IS_ALL = sys.argv[4:] == ["--all"]
GLSL, HLSL = ["-V", "fill.comp"], ["-D", "-V", "-S", "comp", "fill.hlsl"]
PROGRAMS = {
    "glsl_fill": GLSL,
    "glsl_selftest": ["-DSELFTEST", *GLSL],
    "glsl_points": ["-DPOINTS", *GLSL],
    "hlsl_fill": ["-e", "fill", *HLSL],
    "hlsl_selftest": ["-e", "selftest", *HLSL],
    "hlsl_points": ["-e", "points", *HLSL],
}
PROOF_PROGRAMS = {
    "glsl_declared_fill": ["-DPERLANE_FLOAT_CONTROLS", *GLSL],
    "glsl_declared_selftest": ["-DPERLANE_FLOAT_CONTROLS", "-DSELFTEST", *GLSL],
    "glsl_loose_fill": ["-DPERLANE_EXACT=", *GLSL],
    "glsl_loose_selftest": ["-DPERLANE_EXACT=", "-DSELFTEST", *GLSL],
    "glsl_declared_points": ["-DPERLANE_FLOAT_CONTROLS", "-DPOINTS", *GLSL],
    "glsl_loose_points": ["-DPERLANE_EXACT=", "-DPOINTS", *GLSL],
}
if shutil.which("dxc"):
    for shader in "fill", "selftest", "points":
        PROOF_PROGRAMS[f"hlsl_dxc_{shader}"] = ["-spirv", "-T", "cs_6_0", "-E", shader, "fill.hlsl"]


def read(name, mode="rb"):
    with open(os.path.join(WORK, name), mode) as file:
        return file.read()


def compiled(name, arguments):
    """Returns the SPIR-V of a program."""
    compiler, to = ("dxc", "-Fo") if "_dxc_" in name else ("glslangValidator", "-o")
    result = subprocess.run([compiler, *arguments, to, f"{name}.spv"], cwd=WORK, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        checks.check(f"{name} compiles", False, result.stdout)
        sys.exit(checks.total())
    return read(f"{name}.spv")


def check_contractions(programs):
    for name, arguments in programs.items():
        operations, loose = spirv.contractible(compiled(name, arguments))
        checks.check(f"{name}: {operations} operations on floats, {loose} of which may be fused",
                     operations > 50 and (loose > 0) == ("loose" in name))
    with open(os.path.join(WORK, "mediump.comp"), "w", encoding="utf-8") as file:
        file.write(read("fill.comp", "r").replace("layout", "precision mediump float;\nlayout", 1))
    loose = spirv.relaxed(compiled("mediump", ["-V", "mediump.comp"]))
    checks.check("in a program of `precision mediump float` no value has less precision", loose == 0, loose)


def check_precise():
    for name, least in ("perlane_core.h", 20), ("perlane_cells.h", 10), ("perlane_simplex.h", 8):
        text = read(name, "r")
        exact = [match.start() for match in re.finditer("PERLANE_EXACT ", text)]
        whole, noticed, missed = read("glsl_fill.spv"), 0, []
        for at in exact:
            with open(os.path.join(WORK, name), "w", encoding="utf-8") as file:
                file.write(text[:at] + text[at + len("PERLANE_EXACT "):])
            faulty = compiled("faulty", PROGRAMS["glsl_fill"])
            if spirv.contractible(faulty)[1]:
                noticed += 1
            elif faulty != whole:
                missed.append(text[at:text.index(";", at)])
        checks.check(f"{name}: of {len(exact)} operations without `precise` {noticed} are noticed, the others are "
                     "precise as parts of those", noticed >= least and not missed, missed)
        shutil.copy(os.path.join(SHADERS, name), WORK)


def code_of(name, command, output, lacks=None):
    """Compiles; returns the text of the output, or None, saying so, if the compiler lacks what `lacks` matches."""
    result = subprocess.run(command, cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0 and lacks and re.search(lacks, result.stdout):
        print(f"not run: {name}:", result.stdout.splitlines()[0])
        return None
    checks.check(f"{name} compiles", result.returncode == 0, result.stdout)
    return read(output, "r") if result.returncode == 0 else ""


def check_dxil():
    """Checks that dxc's code for Direct3D lets no operation be fused or reordered. (`fast` would.)"""
    for flags in [], ["-D", "PERLANE_EXACT="]:
        code = code_of(f"fill.hlsl, DXIL {flags}",
                       ["dxc", *flags, "-T", "cs_6_0", "-E", "fill", "fill.hlsl", "-Fc", "dxil.txt"], "dxil.txt")
        operations = re.findall(r"= f(?:add|sub|mul|div) (fast)?", code)
        checks.check(f"fill.hlsl, DXIL {flags}: {len(operations)} operations, {operations.count('fast')} loose",
                     len(operations) > 500 and (operations.count("fast") == 0) == (not flags))


def check_wgsl():
    """Translates the shaders to WGSL and, by naga, to SPIR-V, also without what hides results."""
    functions = subprocess.run([sys.executable, "wgsl.py"], cwd=WORK, stdout=subprocess.PIPE, text=True,
                               check=True).stdout
    for name, text in (("wgsl", functions), ("wgsl_loose", functions.replace(" + perlane_words[7]", ""))):
        with open(os.path.join(WORK, f"{name}.wgsl"), "w", encoding="utf-8") as file:
            file.write(read("fill.wgsl", "r") + text)
        if not shutil.which("naga"):
            print("not run: wgsl on Vulkan: there is no naga")
            return
        result = subprocess.run(["naga", f"{name}.wgsl", f"{name}.spv"], cwd=WORK, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
        checks.check(f"{name} compiles", result.returncode == 0, result.stdout)
        for shader in ("fill", "selftest", "points"):
            shutil.copy(os.path.join(WORK, f"{name}.spv"), os.path.join(WORK, f"{name}_{shader}.spv"))


def check_cuda_nvcc():
    """Checks that nvcc fuses nothing but operations on plain floats, in machine code. Without the two
    flags it makes quotients and roots of fused operations."""
    with open(os.path.join(WORK, "loose.cu"), "w", encoding="utf-8") as file:
        file.write(read("fill.cu", "r").replace(
            '#include "perlane.cuh"', read("perlane.cuh", "r").replace("#define float perlane_float", "")))
    for machine in "sm_75", "sm_120":
        for name in "fill.cu", "loose.cu":
            code = code_of(f"{name}, nvcc for {machine}",
                           ["sh", "-c", f"nvcc -cubin -arch={machine} -prec-div=false -prec-sqrt=false {name} "
                            "-o cuda.cubin && cuobjdump -sass cuda.cubin >cuda.sass"], "cuda.sass")
            exact, fused = len(re.findall(r"\bF(?:ADD|MUL)", code)), len(re.findall(r"\bFFMA", code))
            checks.check(f"{name}, {machine}: {exact} sums and products, {fused} fused",
                         exact > 1000 and (fused == 0) == (name == "fill.cu"))


def check_amd():
    """Checks that clang fuses nothing of OpenCL's shader for AMD's devices, in machine code. Those before
    gfx1030 have sums of products that are rounded twice; with subnormals, quotients are made of fused ones."""
    for flags in [], ["-ffp-contract=fast"]:
        code = code_of(f"fill.cl, gfx1030 {flags}",
                       ["clang", "-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1030",
                        "-nogpulib", "-O2", "-Xclang", "-finclude-default-header", "-cl-denorms-are-zero", *flags, "-S",
                        "fill.cl", "-o", "amd.s"], "amd.s", "amdgcn|gfx1030")
        if code is None:
            return
        exact = len(re.findall(r"\bv_(?:add|sub|subrev|mul)_f32", code))
        fused = len(re.findall(r"\bv_(?:pk_)?(?:fma|mad|mac)\w*_f32", code))
        checks.check(f"fill.cl, gfx1030, {flags}: {exact} sums and products, {fused} fused",
                     (exact > 1000 and fused == 0) if not flags else fused > 0)


def check_bits():
    result = subprocess.run([TEST_GPU], env={**os.environ, "PERLANE_GPU_SHADERS": WORK}, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    print(result.stdout)
    checks.check("samples on devices", result.returncode == 0)
    for name in "glsl", "opencl":
        checks.check(f"there is a device for {name}", re.search(rf"\b{name}: \d+ of", result.stdout))


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(SHADERS, WORK)
    check_contractions(PROGRAMS)
    if not IS_ALL:
        for shader in "fill", "selftest", "points":  # devices take seconds to compile each
            os.remove(os.path.join(WORK, f"hlsl_{shader}.spv"))
        check_bits()
        return checks.total()
    check_contractions(PROOF_PROGRAMS)
    check_precise()
    check_wgsl()
    check_bits()
    for compiler, check in (("clang", check_amd), ("nvcc", check_cuda_nvcc), ("dxc", check_dxil)):
        if shutil.which(compiler):
            check()
        else:
            print(f"not run: {check.__name__}: there is no {compiler}")
    return checks.total()


sys.exit(main())
