// SPDX-License-Identifier: MIT

#include "PerlaneTerrain.h"

#include "KismetProceduralMeshLibrary.h"
#include "ProceduralMeshComponent.h"
#include "perlane.hpp"

APerlaneTerrain::APerlaneTerrain() {
  Mesh = CreateDefaultSubobject<UProceduralMeshComponent>(TEXT("Mesh"));
  RootComponent = Mesh;
}

void APerlaneTerrain::OnConstruction(const FTransform &Transform) {
  Super::OnConstruction(Transform);
  const TUniquePtr<perlane::field> Field =
      MakeUnique<perlane::field>(std::string(TCHAR_TO_UTF8(*Options)));
  if (!*Field || Side < 2 || Side > 2048) {
    const std::string Problem = *Field ? "Side must be from 2 to 2048" : Field->message();
    UE_LOG(LogTemp, Error, TEXT("perlane: %s"), UTF8_TO_TCHAR(Problem.c_str()));
    return;
  }
  const int32 Count = Side * Side;
  TArray<float> Value, SlopeX, SlopeY;
  Value.SetNumUninitialized(Count);
  SlopeX.SetNumUninitialized(Count);
  SlopeY.SetNumUninitialized(Count);
  perlane::grid Grid(Side, Side);
  float *const Slope[] = {SlopeX.GetData(), SlopeY.GetData()};
  const perlane_status Status = perlane_fill_gradient(Field->get(), &Grid, Value.GetData(), Slope);
  if (Status != PERLANE_OK) {
    UE_LOG(LogTemp, Error, TEXT("perlane: %s"), UTF8_TO_TCHAR(perlane_status_string(Status)));
    return;
  }

  TArray<FVector> Vertices, Normals;
  for (int32 i = 0; i < Count; i++) {
    Vertices.Add(FVector(i % Side * Spacing, i / Side * Spacing, Value[i] * Height));
    const double Steepness = Height / Spacing;
    Normals.Add(FVector(-SlopeX[i] * Steepness, -SlopeY[i] * Steepness, 1).GetSafeNormal());
  }
  TArray<int32> Triangles;
  UKismetProceduralMeshLibrary::CreateGridMeshTriangles(Side, Side, false, Triangles);
  Mesh->CreateMeshSection(0, Vertices, Triangles, Normals, {}, {}, {}, true);
}
