// SPDX-License-Identifier: MIT
//
// Fills the heights of the terrain on the same object. Tiles of one world have the same options, and
// `tile` says which one this is: neighbours share their border samples.

using Perlane;
using Unity.Collections;
using UnityEngine;

[RequireComponent(typeof(Terrain))]
public class PerlaneTerrain : MonoBehaviour
{
    public string options = "octaves=8 frequency=0.002 fractal=ridged seed=7";
    public Vector2Int tile;

    unsafe void Start()
    {
        TerrainData data = GetComponent<Terrain>().terrainData;
        int size = data.heightmapResolution;
        using (Field field = new Field(options))
        using (NativeArray<float> heights = new NativeArray<float>(size * size, Allocator.Temp))
        {
            Grid grid = new Grid((ulong)size, (ulong)size);
            grid.First[0] = (long)tile.x * (size - 1);
            grid.First[1] = (long)tile.y * (size - 1);
            field.Fill(grid, heights.AsSpan());
            float[,] levels = new float[size, size];
            for (int y = 0; y < size; y++)
                for (int x = 0; x < size; x++)
                    levels[y, x] = 0.5f + 0.5f * heights[y * size + x];
            data.SetHeights(0, 0, levels);
        }
    }
}
