// SPDX-License-Identifier: MIT
//
// perlane from C#, by P/Invoke: one file, to be compiled with /unsafe, for .NET, Mono and Unity. Options
// of a field are given as text, so that no structure has to list them; perlane.h and
// docs/parameters.md document what they do.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Perlane
{
    /// <summary>What the library says is wrong.</summary>
    public class PerlaneException : ArgumentException
    {
        public PerlaneException(string text) : base(text) { }
    }

    /// <summary>A uniform grid of samples: perlane_grid.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct SampleGrid
    {
        public int Dims, ExactStrides;
        public fixed long First[4];
        public fixed ulong Count[4];
        public fixed double Origin[4];
        public fixed double Step[4];
        public fixed long Stride[4];
        public void* Work;
        public UIntPtr WorkBytes;
        public int Octaves, HasSeed;
        public ulong Seed;
        public fixed ulong Reserved[3];

        /// <summary>A packed grid with step 1, whose first sample has index 0.</summary>
        public SampleGrid(ulong nx, ulong ny = 0, ulong nz = 0, ulong nw = 0)
        {
            Field.Check(Native.perlane_grid_init(out this, nx, ny, nz, nw));
        }

        /// <summary>How many elements before and from sample (0, 0, ...) on the strides lead to, and
        /// how many samples there are.</summary>
        internal static void Room(SampleGrid of, out long before, out long from, out long samples)
        {
            samples = 1;
            before = 0;
            from = 1;
            for (int a = 0; a < of.Dims && a < 4; a++)
            {
                long count = checked((long)of.Count[a]);
                long stride = of.Stride[a] == 0 && of.ExactStrides == 0 ? samples : of.Stride[a];
                long end = checked((count - 1) * stride);
                if (end < 0)
                    before = checked(before - end);
                else
                    from = checked(from + end);
                samples = checked(samples * count);
            }
        }
    }

    /// <summary>Work memory of a thread, with which fills are up to twice as fast.</summary>
    sealed unsafe class WorkMemory
    {
        const int Bytes = 320 * 1024; // PERLANE_WORK_BYTES
        const long SmallGrid = 1024; // samples, which fills have room for without
        [ThreadStatic] static WorkMemory own;
        readonly IntPtr memory = Marshal.AllocHGlobal(Bytes);

        ~WorkMemory() { Marshal.FreeHGlobal(memory); }

        /// <summary>Gives a grid that is checked the memory of this thread, unless it has its own.
        /// </summary>
        internal static void Give(ref SampleGrid grid, long samples)
        {
            if (grid.Work != null || samples <= SmallGrid)
                return;
            if (own == null)
                own = new WorkMemory();
            grid.Work = (void*)own.memory;
            grid.WorkBytes = (UIntPtr)(uint)Bytes;
        }
    }

    /// <summary>Positions: perlane_list.</summary>
    [StructLayout(LayoutKind.Sequential)]
    unsafe struct List
    {
        public int Dims, Octaves;
        public ulong Count;
        public long Stride;
        public double Step;
        public double* Origin;
        public float* X, Y, Z, W;
        public double* X64, Y64, Z64, W64;
        public void* Reserved0, Reserved1, Reserved2;
    }

    static unsafe class Native
    {
#if UNITY_IOS && !UNITY_EDITOR
        const string Library = "__Internal";
#else
        const string Library = "perlane";
#endif
        [DllImport(Library)] public static extern IntPtr perlane_version();
        [DllImport(Library)] public static extern IntPtr perlane_status_string(int status);
        [DllImport(Library)] public static extern ulong perlane_layout();
        [DllImport(Library)] public static extern int perlane_params_init(IntPtr made);
        [DllImport(Library)]
        public static extern int perlane_params_parse(IntPtr made, byte[] text, IntPtr at);
        [DllImport(Library)]
        public static extern UIntPtr perlane_explain_text(byte[] option, byte[] text, byte[] message,
                                                          UIntPtr size);
        [DllImport(Library)]
        public static extern UIntPtr perlane_explain_params(IntPtr from, byte[] message, UIntPtr size);
        [DllImport(Library)]
        public static extern UIntPtr perlane_explain_grid(IntPtr noise, ref SampleGrid grid, byte[] message,
                                                          UIntPtr size);
        [DllImport(Library)]
        public static extern int perlane_grid_init(out SampleGrid made, ulong nx, ulong ny, ulong nz, ulong nw);
        [DllImport(Library)] public static extern int perlane_grid_check(IntPtr noise, ref SampleGrid grid);
        [DllImport(Library)] public static extern int perlane_init(IntPtr noise, IntPtr from);
        [DllImport(Library)]
        public static extern int perlane_fill(IntPtr noise, ref SampleGrid grid, float* to);
        [DllImport(Library)]
        public static extern int perlane_fill_u16(IntPtr noise, ref SampleGrid grid, float low, float high,
                                                  ushort* to);
        [DllImport(Library)]
        public static extern int perlane_fill_u8(IntPtr noise, ref SampleGrid grid, float low, float high,
                                                 byte* to);
        [DllImport(Library)]
        public static extern int perlane_fill_gradient(IntPtr noise, ref SampleGrid grid, float* to,
                                                       float** gradient);
        [DllImport(Library)]
        public static extern int perlane_points(IntPtr noise, ref List list, float* to,
                                                float** gradient);
        [DllImport(Library)]
        public static extern float perlane_at(IntPtr noise, int dims, double* position);
    }

    /// <summary>A field of noise. Any number of threads may use it at once.</summary>
    public sealed unsafe class Field : IDisposable
    {
        IntPtr noise;

        static Field()
        {
            if (SizeOf(24) != (ulong)sizeof(SampleGrid) || SizeOf(12) != (ulong)sizeof(List))
                throw new PerlaneException("this file is for another version than perlane " + Version);
        }

        public static string Version
        {
            get { return Marshal.PtrToStringAnsi(Native.perlane_version()); }
        }

        public static ulong Size
        {
            get { return SizeOf(48); }
        }

        public static ulong ParamsSize
        {
            get { return SizeOf(36); }
        }

        /// <summary>The size of the structure at a bit of perlane_layout.</summary>
        static ulong SizeOf(int bit)
        {
            return (Native.perlane_layout() >> bit & 0xFFF) * 8;
        }

        internal static void Check(int status)
        {
            if (status != 0)
                throw new PerlaneException(Marshal.PtrToStringAnsi(Native.perlane_status_string(status)));
        }

        static string Sentence(byte[] message, UIntPtr length)
        {
            return Encoding.UTF8.GetString(message, 0, (int)(uint)length);
        }

        /// <summary>The field with these options: "seed=7 octaves=8 fractal=ridged".</summary>
        /// <exception cref="PerlaneException">with the library's sentence about an option</exception>
        public Field(string options)
        {
            byte[] text = Encoding.UTF8.GetBytes(options + "\0"), message = new byte[512];
            UIntPtr size = (UIntPtr)(uint)message.Length, length = UIntPtr.Zero;
            IntPtr made = Marshal.AllocHGlobal((int)ParamsSize);
            noise = Marshal.AllocHGlobal((int)Size);
            Native.perlane_params_init(made);
            if (Native.perlane_params_parse(made, text, IntPtr.Zero) != 0)
                length = Native.perlane_explain_text(null, text, message, size);
            else if (Native.perlane_init(noise, made) != 0)
                length = Native.perlane_explain_params(made, message, size);
            Marshal.FreeHGlobal(made);
            if (length == UIntPtr.Zero)
                return;
            Dispose();
            throw new PerlaneException(Sentence(message, length));
        }

        ~Field() { Dispose(); }

        public void Dispose()
        {
            Marshal.FreeHGlobal(noise);
            noise = IntPtr.Zero;
            GC.SuppressFinalize(this);
        }

        /// <summary>Checks a grid, and that an output of `length` elements holds it, with sample
        /// (0, 0, ...) at `start`; then gives it work memory.</summary>
        void Prepare(ref SampleGrid grid, long length, long start)
        {
            if (noise == IntPtr.Zero)
                throw new ObjectDisposedException("Field");
            long before, from, samples;
            if (Native.perlane_grid_check(noise, ref grid) != 0)
            {
                byte[] message = new byte[512];
                throw new PerlaneException(Sentence(message, Native.perlane_explain_grid(
                    noise, ref grid, message, (UIntPtr)(uint)message.Length)));
            }
            SampleGrid.Room(grid, out before, out from, out samples);
            if (start < before || length - start < from)
                throw new ArgumentException("the output is too short for the grid");
            WorkMemory.Give(ref grid, samples);
        }

        /// <summary>Fills a grid into `to`, with sample (0, 0, ...) at index `start`. A NativeArray of
        /// Unity is a span: array.AsSpan().</summary>
        public void Fill(SampleGrid grid, Span<float> to, int start = 0)
        {
            Prepare(ref grid, to.Length, start);
            fixed (float* first = to)
                Check(Native.perlane_fill(noise, ref grid, first + start));
            GC.KeepAlive(this);
        }

        /// <summary>Fills a grid with integers: `low` becomes 0, `high` 65535.</summary>
        public void Fill(SampleGrid grid, float low, float high, Span<ushort> to, int start = 0)
        {
            Prepare(ref grid, to.Length, start);
            fixed (ushort* first = to)
                Check(Native.perlane_fill_u16(noise, ref grid, low, high, first + start));
            GC.KeepAlive(this);
        }

        /// <summary>Fills a grid with integers: `low` becomes 0, `high` 255.</summary>
        public void Fill(SampleGrid grid, float low, float high, Span<byte> to, int start = 0)
        {
            Prepare(ref grid, to.Length, start);
            fixed (byte* first = to)
                Check(Native.perlane_fill_u8(noise, ref grid, low, high, first + start));
            GC.KeepAlive(this);
        }

        /// <summary>Fills a grid of 2 or 3 axes with values, and with the derivatives along x, y and
        /// z; dz is ignored in 2D.</summary>
        public void FillGradient(SampleGrid grid, Span<float> to, Span<float> dx, Span<float> dy,
                                 Span<float> dz = default(Span<float>))
        {
            if (grid.Dims != 2 && grid.Dims != 3)
                throw new ArgumentException("the grid must have 2 or 3 axes");
            Prepare(ref grid, Math.Min(to.Length, Math.Min(dx.Length, dy.Length)), 0);
            if (grid.Dims == 3)
                Prepare(ref grid, dz.Length, 0);
            fixed (float* first = to, x = dx, y = dy, z = dz)
            {
                float** gradient = stackalloc float*[3];
                gradient[0] = x;
                gradient[1] = y;
                gradient[2] = z;
                Check(Native.perlane_fill_gradient(noise, ref grid, first, gradient));
            }
            GC.KeepAlive(this);
        }

        /// <summary>A map of which the first sample has the index (x, y).</summary>
        public float[] Map(long x, long y, int width, int height)
        {
            float[] map = new float[checked(width * height)];
            SampleGrid grid = new SampleGrid((ulong)width, (ulong)height);
            grid.First[0] = x;
            grid.First[1] = y;
            Fill(grid, map);
            return map;
        }

        /// <summary>Values at (origin[0] + x[i], origin[1] + y[i]), and z where it is given.</summary>
        public void Points(ReadOnlySpan<double> origin, ReadOnlySpan<float> x, ReadOnlySpan<float> y,
                           ReadOnlySpan<float> z, Span<float> to)
        {
            int dims = z.IsEmpty ? 2 : 3;
            if (origin.Length < dims || x.Length != to.Length || y.Length != to.Length ||
                (dims == 3 && z.Length != to.Length))
                throw new ArgumentException("origin, coordinates and outputs differ in number");
            fixed (double* from = origin)
            fixed (float* firstX = x, firstY = y, firstZ = z, first = to)
            {
                List list = new List { Dims = dims, Count = (ulong)to.Length, Origin = from,
                                       X = firstX, Y = firstY, Z = firstZ };
                Check(Native.perlane_points(noise, ref list, first, null));
            }
            GC.KeepAlive(this);
        }

        /// <summary>The value at a position; NaN outside the domain.</summary>
        public float At(double x, double y)
        {
            return At(2, x, y, 0);
        }

        public float At(double x, double y, double z)
        {
            return At(3, x, y, z);
        }

        float At(int dims, double x, double y, double z)
        {
            double* position = stackalloc double[3];
            position[0] = x;
            position[1] = y;
            position[2] = z;
            float value = Native.perlane_at(noise, dims, position);
            GC.KeepAlive(this);
            return value;
        }
    }
}
