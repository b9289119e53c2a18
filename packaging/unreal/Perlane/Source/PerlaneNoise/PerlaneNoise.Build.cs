// SPDX-License-Identifier: MIT

using System.IO;
using UnrealBuildTool;

// The module is not called Perlane, as its macro PERLANE_API would be perlane.h's. perlane.c and the
// headers, as scripts/amalgamate writes them, are in Private/ and Public/. The C file
// has its own settings: no precompiled header, no unity build, precise arithmetic.
public class PerlaneNoise : ModuleRules
{
    public PerlaneNoise(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.NoPCHs;
        bUseUnity = false;
        FPSemantics = FPSemanticsMode.Precise;
        PublicIncludePaths.Add(Path.Combine(ModuleDirectory, "Public"));
        PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "Engine", "ProceduralMeshComponent" });
    }
}
