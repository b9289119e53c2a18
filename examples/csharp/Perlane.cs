// SPDX-License-Identifier: MIT
//
// perlane from C#, by P/Invoke: one file to copy, to be compiled with /unsafe. It declares what the
// example uses; perlane.h documents every function. Options of a field are given as text, so that no
// structure has to list them.

using System;
using System.Runtime.InteropServices;
using System.Text;

// perlane_grid
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Grid
{
    public int Dims, ExactStrides;
    public fixed long First[4];
    public fixed ulong Count[4];
    public fixed double Origin[4];
    public fixed double Step[4];
    public fixed long Stride[4];
    public void* Work;
    public UIntPtr WorkBytes;
    public int Octaves, Reserved0;
    public fixed ulong Reserved[4];

    public Grid(ulong nx, ulong ny, ulong nz = 0, ulong nw = 0)
    {
        Noise.Check(Native.perlane_grid_init(out this, nx, ny, nz, nw));
    }
}

public class PerlaneException : ArgumentException
{
    public PerlaneException(string text) : base(text) { }
}

static unsafe class Native
{
    const string Library = "perlane";

    [DllImport(Library)] public static extern IntPtr perlane_version();
    [DllImport(Library)] public static extern IntPtr perlane_status_string(int status);
    [DllImport(Library)] public static extern UIntPtr perlane_noise_size();
    [DllImport(Library)] public static extern UIntPtr perlane_params_size();
    [DllImport(Library)] public static extern int perlane_params_init(IntPtr made);
    [DllImport(Library)]
    public static extern int perlane_params_parse(IntPtr made, string text, IntPtr at);
    [DllImport(Library)]
    public static extern UIntPtr perlane_explain_text(string text, byte[] message, UIntPtr size);
    [DllImport(Library)]
    public static extern UIntPtr perlane_explain_params(IntPtr from, byte[] message, UIntPtr size);
    [DllImport(Library)]
    public static extern int perlane_grid_init(out Grid made, ulong nx, ulong ny, ulong nz, ulong nw);
    [DllImport(Library)] public static extern int perlane_init(IntPtr noise, IntPtr from);
    [DllImport(Library)] public static extern int perlane_fill(IntPtr noise, ref Grid grid, float* to);
    [DllImport(Library)]
    public static extern int perlane_fill_2d(IntPtr noise, long x, long y, ulong width, ulong height,
                                             float[] to);
    [DllImport(Library)]
    public static extern int perlane_points(IntPtr noise, int dims, UIntPtr n, double[] origin,
                                            float** coords, float[] to);
}

// perlane_noise, in memory of the size that the library asks for.
public sealed unsafe class Noise : IDisposable
{
    IntPtr noise;

    public static string Version
    {
        get { return Marshal.PtrToStringAnsi(Native.perlane_version()); }
    }

    public static ulong Size
    {
        get { return (ulong)Native.perlane_noise_size(); }
    }

    public static ulong ParamsSize
    {
        get { return (ulong)Native.perlane_params_size(); }
    }

    public static void Check(int status)
    {
        if (status != 0)
            throw new PerlaneException(Marshal.PtrToStringAnsi(Native.perlane_status_string(status)));
    }

    // The field with these options: "seed=7 octaves=8 fractal=ridged". An exception has the library's
    // sentence about the option that is wrong.
    public Noise(string options)
    {
        byte[] message = new byte[512];
        UIntPtr size = (UIntPtr)(uint)message.Length, length = UIntPtr.Zero;
        IntPtr made = Marshal.AllocHGlobal((int)ParamsSize);
        noise = Marshal.AllocHGlobal((int)Size);
        Native.perlane_params_init(made);
        if (Native.perlane_params_parse(made, options, IntPtr.Zero) != 0)
            length = Native.perlane_explain_text(options, message, size);
        else if (Native.perlane_init(noise, made) != 0)
            length = Native.perlane_explain_params(made, message, size);
        Marshal.FreeHGlobal(made);
        if (length == UIntPtr.Zero)
            return;
        Dispose();
        throw new PerlaneException(Encoding.UTF8.GetString(message, 0, (int)(uint)length));
    }

    ~Noise() { Dispose(); }

    public void Dispose()
    {
        Marshal.FreeHGlobal(noise);
        noise = IntPtr.Zero;
        GC.SuppressFinalize(this);
    }

    // Fills the grid into `to`, with sample (0, 0, ...) at index `start`.
    public void Fill(Grid grid, float[] to, int start = 0)
    {
        // The lowest and the highest index that the strides lead to.
        long lowest = start, highest = start, packed = 1;
        for (int a = 0; a < grid.Dims && a < 4; a++)
        {
            long count = checked((long)grid.Count[a]);
            long stride = grid.Stride[a] == 0 && grid.ExactStrides == 0 ? packed : grid.Stride[a];
            long end = checked((count - 1) * stride);
            if (end < 0)
                lowest = checked(lowest + end);
            else
                highest = checked(highest + end);
            packed = checked(packed * count);
        }
        if (lowest < 0 || highest >= to.Length)
            throw new ArgumentException("the array is too short for the grid");
        fixed (float* first = to)
            Check(Native.perlane_fill(noise, ref grid, first + start));
        GC.KeepAlive(this);
    }

    // A map of which the first sample has the index (x, y).
    public float[] Fill2D(long x, long y, int width, int height)
    {
        float[] map = new float[checked(width * height)];
        Check(Native.perlane_fill_2d(noise, x, y, (ulong)width, (ulong)height, map));
        GC.KeepAlive(this);
        return map;
    }

    // Values at (origin[0] + x[i], origin[1] + y[i]).
    public float[] Points(double[] origin, float[] x, float[] y)
    {
        if (origin.Length < 2 || x.Length != y.Length)
            throw new ArgumentException("points have an origin of two, and as many x as y");
        float[] values = new float[x.Length];
        fixed (float* firstX = x, firstY = y)
        {
            float** coords = stackalloc float*[2];
            coords[0] = firstX;
            coords[1] = firstY;
            Check(Native.perlane_points(noise, 2, (UIntPtr)(uint)x.Length, origin, coords, values));
        }
        GC.KeepAlive(this);
        return values;
    }
}
