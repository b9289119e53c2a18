// SPDX-License-Identifier: MIT
//
// A map, a tile by its first sample, and points around an origin far away, from C#. Prints what
// examples/bindings.c prints.

using System;
using Perlane;
using UnityEngine;

// A script of Unity has both namespaces: no name may be in both.
namespace UnityEngine
{
    public class Grid { }
}

static unsafe class Example
{
    const int SIZE = 512, TILE = 64, POINTS = 1000;

    // FNV-1a over the bytes of the floats, the lowest byte of each first.
    static string Digest(float[] values)
    {
        ulong hash = 0xCBF29CE484222325;
        foreach (float value in values)
        {
            float copy = value;
            uint bits = *(uint*)&copy;
            for (int shift = 0; shift < 32; shift += 8)
                hash = unchecked((hash ^ (bits >> shift & 0xFF)) * 0x100000001B3);
        }
        return "0x" + hash.ToString("X16");
    }

    // Integers, derivatives and single values are those of the same field.
    static bool Agrees(Field noise)
    {
        SampleGrid grid = new SampleGrid(8, 4);
        float[] values = new float[32], dx = new float[32], dy = new float[32];
        ushort[] fine = new ushort[32];
        byte[] coarse = new byte[32];
        noise.FillGradient(grid, values, dx, dy);
        noise.Fill(grid, -700, 900, fine);
        noise.Fill(grid, -700, 900, coarse);
        float x = values[2 * 8 + 5], slope = (float)(noise.At(5.001, 2) - noise.At(4.999, 2)) / 0.002f;
        float part = Math.Min(Math.Max((x + 700) / 1600, 0), 1);
        return x == noise.At(5, 2) && Math.Abs(fine[21] - part * 65535) < 1 &&
               Math.Abs(coarse[21] - part * 255) < 1 && Math.Abs(dx[21] - slope) < 0.05f * Math.Abs(slope) + 0.5f;
    }

    static float Value(string seed)
    {
        using (Field noise = new Field(seed))
            return noise.At(1.5, 2.5);
    }

    // Negative seeds are those of the library.
    static bool TakesNegativeSeeds()
    {
        return Value("seed=-1") == Value("seed=18446744073709551615") &&
               Value("seed=-9223372036854775808") == Value("seed=0x8000000000000000") &&
               Value("seed=-1") != Value("seed=1");
    }

    static int Main()
    {
        Console.WriteLine("perlane {0}: params {1}, grid {2}, noise {3} bytes", Field.Version,
                          Field.ParamsSize, sizeof(SampleGrid), Field.Size);

        using (Field noise = new Field(
            "seed=0xFEDCBA9876543210 frequency=0.005 octaves=6 fractal=ridged period=0,40 " +
            "value_scale=800 value_offset=100 contrast=2 curve=-1:0,0:0.25,1:1 terraces=8 " +
            "warp_amplitude=20 warp_rounds=2"))
        {
            SampleGrid grid = new SampleGrid(SIZE, SIZE);
            grid.First[0] = -SIZE / 2;
            grid.Origin[1] = 0.25;
            grid.Step[0] = 0.5;
            grid.Stride[1] = -SIZE; // the last row first in memory
            float[] map = new float[SIZE * SIZE];
            noise.Fill(grid, map, SIZE * (SIZE - 1));
            Console.WriteLine("map: " + Digest(map));

            Console.WriteLine("tile: " + Digest(noise.Map(1L << 40, -1000, TILE, TILE)));

            float[] x = new float[POINTS], y = new float[POINTS];
            for (int i = 0; i < POINTS; i++)
            {
                x[i] = i;
                y[i] = i * 0.25f;
            }
            double[] origin = { 2e7, -3e7 };
            float[] values = new float[POINTS];
            noise.Points(origin, x, y, default(Span<float>), values);
            Console.WriteLine("points: " + Digest(values));
            if (!Agrees(noise) || !TakesNegativeSeeds())
                return 1;

            try
            {
                noise.Fill(grid, map);
                return 1;
            }
            catch (ArgumentException)
            {
                // rows would lie before the array
            }
        }

        try
        {
            new Field("octaves=0");
            return 1;
        }
        catch (PerlaneException error)
        {
            Console.WriteLine("without octaves: " + error.Message);
        }
        return 0;
    }
}
