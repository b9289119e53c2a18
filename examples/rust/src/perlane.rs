// SPDX-License-Identifier: MIT

//! perlane from Rust: one file to copy. It declares what the example uses; perlane.h documents every
//! function. Options of a field are given as text, so that no structure has to list them.

use std::ffi::{c_void, CStr, CString};
use std::os::raw::{c_char, c_int};
use std::ptr;

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
    pub work: *mut c_void,
    pub work_bytes: usize,
    pub octaves: i32,
    pub reserved0: i32,
    pub reserved: [u64; 4],
}

extern "C" {
    fn perlane_version() -> *const c_char;
    fn perlane_status_string(status: c_int) -> *const c_char;
    fn perlane_noise_size() -> usize;
    fn perlane_params_size() -> usize;
    fn perlane_params_init(params: *mut c_void) -> c_int;
    fn perlane_params_parse(params: *mut c_void, text: *const c_char, at: *mut usize) -> c_int;
    fn perlane_explain_text(text: *const c_char, message: *mut c_char, size: usize) -> usize;
    fn perlane_explain_params(params: *const c_void, message: *mut c_char, size: usize) -> usize;
    fn perlane_grid_init(grid: *mut Grid, nx: u64, ny: u64, nz: u64, nw: u64) -> c_int;
    fn perlane_init(noise: *mut c_void, params: *const c_void) -> c_int;
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

pub fn params_size() -> usize {
    unsafe { perlane_params_size() }
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
    /// The field with these options: "seed=7 octaves=8 fractal=ridged". An error is the library's
    /// sentence about the option that is wrong.
    pub fn new(options: &str) -> Result<Self, String> {
        let options = CString::new(options).map_err(|_| "options cannot contain NUL")?;
        let mut params = vec![0u64; (params_size() + 7) / 8];
        let mut memory = vec![0u64; (noise_size() + 7) / 8];
        let mut message = [0 as c_char; 512];
        let params = params.as_mut_ptr() as *mut c_void;
        let noise = memory.as_mut_ptr() as *mut c_void;
        unsafe {
            perlane_params_init(params);
            if perlane_params_parse(params, options.as_ptr(), ptr::null_mut()) != 0 {
                perlane_explain_text(options.as_ptr(), message.as_mut_ptr(), message.len());
            } else if perlane_init(noise, params) != 0 {
                perlane_explain_params(params, message.as_mut_ptr(), message.len());
            } else {
                return Ok(Noise(memory));
            }
            Err(CStr::from_ptr(message.as_ptr()).to_string_lossy().into_owned())
        }
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
