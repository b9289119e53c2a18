// SPDX-License-Identifier: MIT

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/Actor.h"
#include "PerlaneTerrain.generated.h"

class UProceduralMeshComponent;

/** A square of terrain, with normals from the noise's own derivatives. */
UCLASS()
class APerlaneTerrain : public AActor {
  GENERATED_BODY()

public:
  APerlaneTerrain();

  UPROPERTY(EditAnywhere)
  FString Options = TEXT("octaves=8 frequency=0.005 seed=7");

  UPROPERTY(EditAnywhere)
  int32 Side = 129;

  /** Centimetres between vertices, and of a value of 1. */
  UPROPERTY(EditAnywhere)
  double Spacing = 100;
  UPROPERTY(EditAnywhere)
  double Height = 4000;

  virtual void OnConstruction(const FTransform &Transform) override;

private:
  UPROPERTY()
  UProceduralMeshComponent *Mesh;
};
