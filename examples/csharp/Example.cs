// SPDX-License-Identifier: MIT
//
// A map, a tile by its first sample, and points around an origin far away, from C#. Prints what
// examples/bindings.c prints.

using System;

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

    static int Main()
    {
        Console.WriteLine("perlane {0}: params {1}, grid {2}, noise {3} bytes", Noise.Version,
                          sizeof(Params), sizeof(Grid), Noise.Size);

        Params made = Params.Default();
        made.Seed = 0xFEDCBA9876543210;
        made.Frequency = 0.005;
        made.Octaves = 6;
        made.Fractal = Fractal.Ridged;
        made.Period[1] = 40;
        made.ValueScale = 800;
        made.ValueOffset = 100;
        made.Contrast = 2;
        made.Curve = new Curve(-1, 0, 0, 0.25, 1, 1);
        made.Terraces = 8;
        made.WarpAmplitude = 20;
        made.WarpRounds = 2;
        using (Noise noise = new Noise(made))
        {
            Grid grid = new Grid(SIZE, SIZE);
            grid.First[0] = -SIZE / 2;
            grid.Origin[1] = 0.25;
            grid.Step[0] = 0.5;
            grid.Stride[1] = -SIZE; // the last row first in memory
            float[] map = new float[SIZE * SIZE];
            noise.Fill(grid, map, SIZE * (SIZE - 1));
            Console.WriteLine("map: " + Digest(map));

            Console.WriteLine("tile: " + Digest(noise.Fill2D(1L << 40, -1000, TILE, TILE)));

            float[] x = new float[POINTS], y = new float[POINTS];
            for (int i = 0; i < POINTS; i++)
            {
                x[i] = i;
                y[i] = i * 0.25f;
            }
            double[] origin = { 2e7, -3e7 };
            Console.WriteLine("points: " + Digest(noise.Points(origin, x, y)));

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
            made.Octaves = 0;
            new Noise(made);
            return 1;
        }
        catch (PerlaneException error)
        {
            Console.WriteLine("without octaves: " + error.Message);
        }
        return 0;
    }
}
