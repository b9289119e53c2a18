// SPDX-License-Identifier: MIT

//! perlane from Rust: one file to copy. It declares what the example uses, and both structures
//! whole; perlane.h documents every member and function.

use std::ffi::{c_void, CStr};
use std::os::raw::{c_char, c_int};

/// perlane_curve
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Curve {
    count: i32,
    reserved0: i32,
    point: [[f64; 2]; 16],
}

impl Curve {
    /// A curve through points, each an x and a y.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, &'static str> {
        let mut curve = Curve { count: points.len() as i32, reserved0: 0, point: [[0.0; 2]; 16] };
        match curve.point.get_mut(..points.len()) {
            Some(place) => place.copy_from_slice(points),
            None => return Err("a curve has at most 16 points"),
        }
        Ok(curve)
    }
}

/// perlane_params
#[repr(C)]
#[derive(Clone)]
pub struct Params {
    pub seed: u64,
    pub frequency: f64,
    pub octaves: i32,
    reserved0: i32,
    pub lacunarity: f64,
    pub gain: f64,
    pub octaves_share: i32,
    pub phase: i32,
    pub basis: i32,
    pub hash: i32,
    pub gradients: i32,
    pub fade: i32,
    pub fractal: i32,
    pub normalize: i32,
    pub weighted_strength: f64,
    pub ping_pong_strength: f64,
    pub erosion: f64,
    pub period: [i32; 4],
    pub table_offset: [i32; 4],
    pub amplitude: f64,
    pub value_scale: f64,
    pub value_offset: f64,
    pub curve: Curve,
    pub curve_shape: i32,
    pub terraces: i32,
    pub terrace_sharpness: f64,
    pub warp_amplitude: f64,
    pub warp_frequency: f64,
    pub warp_lacunarity: f64,
    pub warp_gain: f64,
    pub warp_octaves: i32,
    pub warp_rounds: i32,
    pub jitter: f64,
    pub cell_metric: i32,
    pub cell_output: i32,
    pub contrast: i32,
    // Tables are pointers into memory that Rust does not watch over: set them by functions of your
    // own, which tie them to a lifetime.
    gradient_dims: i32,
    gradient_count: i32,
    gradient_grid_count: [i32; 2],
    reserved1: i32,
    hash_table: *const i32,
    gradient_table: *const f32,
    gradient_grid: *const f32,
    reserved2: *const c_void,
    reserved: [u64; 16],
}

pub const FRACTAL_RIDGED: i32 = 2;

/// perlane_grid
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Grid {
    pub dims: i32,
    pub exact_strides: i32,
    pub first: [i64; 4],
    pub count: [u64; 4],
    pub origin: [f64; 4],
    pub step: [f64; 4],
    pub stride: [i64; 4],
}

extern "C" {
    fn perlane_version() -> *const c_char;
    fn perlane_status_string(status: c_int) -> *const c_char;
    fn perlane_noise_size() -> usize;
    fn perlane_params_init(params: *mut Params) -> c_int;
    fn perlane_grid_init(grid: *mut Grid, nx: u64, ny: u64, nz: u64, nw: u64) -> c_int;
    fn perlane_init(noise: *mut c_void, params: *const Params) -> c_int;
    fn perlane_fill(noise: *const c_void, grid: *const Grid, out: *mut f32) -> c_int;
    fn perlane_fill_2d(
        noise: *const c_void,
        x: i64,
        y: i64,
        width: u64,
        height: u64,
        out: *mut f32,
    ) -> c_int;
    fn perlane_points(
        noise: *const c_void,
        dims: i32,
        n: usize,
        origin: *const f64,
        coords: *const *const f32,
        out: *mut f32,
    ) -> c_int;
}

fn text(c: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(c) }.to_str().unwrap_or("")
}

fn check(status: c_int) -> Result<(), &'static str> {
    match status {
        0 => Ok(()),
        _ => Err(text(unsafe { perlane_status_string(status) })),
    }
}

pub fn version() -> &'static str {
    text(unsafe { perlane_version() })
}

pub fn noise_size() -> usize {
    unsafe { perlane_noise_size() }
}

impl Default for Params {
    fn default() -> Self {
        let mut params = std::mem::MaybeUninit::uninit();
        unsafe {
            perlane_params_init(params.as_mut_ptr());
            params.assume_init()
        }
    }
}

impl Grid {
    pub fn new(count: [u64; 4]) -> Result<Self, &'static str> {
        let mut grid = std::mem::MaybeUninit::uninit();
        check(unsafe {
            perlane_grid_init(grid.as_mut_ptr(), count[0], count[1], count[2], count[3])
        })?;
        Ok(unsafe { grid.assume_init() })
    }

    /// The lowest and the highest index that the strides lead to; None if they are too large.
    fn span(&self, start: usize) -> Option<(i128, i128)> {
        let (mut lowest, mut highest, mut packed) = (start as i128, start as i128, 1i128);
        for a in 0..self.dims.max(0).min(4) as usize {
            let count = self.count[a] as i128;
            let stride = match self.stride[a] {
                0 if self.exact_strides == 0 => packed,
                given => given as i128,
            };
            let end = (count - 1).checked_mul(stride)?;
            lowest = lowest.checked_add(end.min(0))?;
            highest = highest.checked_add(end.max(0))?;
            packed = packed.checked_mul(count)?;
        }
        Some((lowest, highest))
    }
}

/// perlane_noise, in memory of the size that the library asks for, aligned to 8 bytes.
pub struct Noise(Vec<u64>);

impl Noise {
    pub fn new(params: &Params) -> Result<Self, &'static str> {
        let mut memory = vec![0u64; (noise_size() + 7) / 8];
        check(unsafe { perlane_init(memory.as_mut_ptr() as *mut c_void, params) })?;
        Ok(Noise(memory))
    }

    fn pointer(&self) -> *const c_void {
        self.0.as_ptr() as *const c_void
    }

    /// Fills the grid into `out`, with sample (0, 0, ...) at index `start`.
    pub fn fill(&self, grid: &Grid, out: &mut [f32], start: usize) -> Result<(), &'static str> {
        match grid.span(start) {
            Some((lowest, highest)) if lowest >= 0 && highest < out.len() as i128 => {
                check(unsafe { perlane_fill(self.pointer(), grid, out.as_mut_ptr().add(start)) })
            }
            _ => Err("the slice is too short for the grid"),
        }
    }

    /// A map of which the first sample has the index (x, y).
    pub fn fill_2d(&self, x: i64, y: i64, width: usize, height: usize) -> Result<Vec<f32>, &'static str> {
        let samples = width.checked_mul(height).ok_or("the map is too large")?;
        let mut out = vec![0.0; samples];
        let (width, height) = (width as u64, height as u64);
        check(unsafe { perlane_fill_2d(self.pointer(), x, y, width, height, out.as_mut_ptr()) })?;
        Ok(out)
    }

    /// Values at (origin[0] + x[i], origin[1] + y[i]).
    pub fn points(&self, origin: [f64; 2], x: &[f32], y: &[f32]) -> Result<Vec<f32>, &'static str> {
        if x.len() != y.len() {
            return Err("points have as many x as y");
        }
        let mut out = vec![0.0; x.len()];
        let coords = [x.as_ptr(), y.as_ptr()];
        check(unsafe {
            perlane_points(
                self.pointer(),
                2,
                x.len(),
                origin.as_ptr(),
                coords.as_ptr(),
                out.as_mut_ptr(),
            )
        })?;
        Ok(out)
    }
}
