// SPDX-License-Identifier: MIT

//! Perlin, simplex, value, cellular and white noise at memory speed, with the same bits on every machine.
//!
//! ```
//! use perlane::{Field, Grid};
//!
//! let terrain = Field::new("octaves=8 frequency=0.002 fractal=ridged")?;
//! let mut heights = vec![0.0; 512 * 256];
//! terrain.fill(&Grid::new(&[512, 256])?, &mut heights)?;
//! assert_eq!(heights[0], terrain.at(&[0.0, 0.0]));
//! # Ok::<(), perlane::Error>(())
//! ```
//!
//! perlane.h documents what the functions of the same name do, and docs/parameters.md every option.
//! [`sys`] has what is missing here: [`Field::as_ptr`] and [`Grid::raw`] lead there.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::fmt;
use std::os::raw::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

pub use perlane_sys as sys;

/// What the library says is wrong: "octaves must be a whole number from 1 to 32, not 0".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

fn text(c: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(c) }.to_str().unwrap_or("")
}

fn check(status: c_int) -> Result<(), Error> {
    match status {
        sys::PERLANE_OK => Ok(()),
        _ => Err(Error(text(unsafe { sys::perlane_status_string(status) }).into())),
    }
}

fn terminated(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error("a text contains a NUL".into()))
}

/// The sentence that a function of perlane_explain writes.
fn explained(explain: impl Fn(*mut c_char, usize) -> usize) -> Error {
    let mut message = [0 as c_char; sys::PERLANE_MESSAGE_BYTES];
    explain(message.as_mut_ptr(), message.len());
    Error(unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().into_owned())
}

/// The version of the library: "2.0.0".
pub fn version() -> &'static str {
    text(unsafe { sys::perlane_version() })
}

/// The size of a field in bytes.
pub fn noise_size() -> usize {
    (unsafe { sys::perlane_layout() } >> 48) as usize * 8
}

/// The size of a field's parameters in bytes.
pub fn params_size() -> usize {
    (unsafe { sys::perlane_layout() } >> 36 & 0xFFF) as usize * 8
}

/// The samples of a grid that fills have room for without work memory.
const SMALL_GRID: u64 = 1024;

thread_local! {
    // Allocated once, and never written here: a small grid takes less time than setting it to zero.
    static WORK: RefCell<Vec<u64>> = RefCell::new(Vec::new());
}

/// The work memory of this thread, PERLANE_WORK_BYTES; null while the thread ends.
fn work_memory() -> *mut c_void {
    WORK.try_with(|work| {
        let mut work = work.borrow_mut();
        work.reserve(sys::PERLANE_WORK_BYTES / 8);
        work.as_mut_ptr() as *mut c_void
    })
    .unwrap_or(ptr::null_mut())
}

/// Zeros for a structure of so many bytes.
fn room_for(bytes: usize) -> Vec<u64> {
    vec![0; (bytes + 7) / 8]
}

/// The addresses of `count` slices, which have `room` elements each.
fn pointers(slices: &mut [&mut [f32]], count: usize, room: usize) -> Result<[*mut f32; 4], Error> {
    if slices.len() != count || slices.iter().any(|slice| slice.len() != room) {
        return Err(Error("expected a slice for each axis, as long as that of the values".into()));
    }
    let mut to = [ptr::null_mut(); 4];
    for (to, slice) in to.iter_mut().zip(slices) {
        *to = slice.as_mut_ptr();
    }
    Ok(to)
}

/// A uniform grid of samples: perlane_grid, without work memory, which fills bring themselves.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Index of the first sample along each axis; may be negative.
    pub first: [i64; 4],
    /// Coordinate of index 0.
    pub origin: [f64; 4],
    /// Distance between samples.
    pub step: [f64; 4],
    /// Distance between samples in the output, in elements; 0: packed, x fastest.
    pub stride: [i64; 4],
    /// Number of octaves; 0: all; -1: those that the longest step shows, for levels of detail.
    pub octaves: i32,
    count: Vec<u64>,
}

impl Grid {
    /// A packed grid of so many samples along x, y, z and w, with step 1.
    pub fn new(count: &[u64]) -> Result<Self, Error> {
        if count.is_empty() || count.len() > 4 || count.contains(&0) {
            return Err(Error("a grid has 1 to 4 counts, each at least 1".into()));
        }
        let (first, origin, step, stride) = ([0; 4], [0.0; 4], [1.0; 4], [0; 4]);
        Ok(Grid { first, origin, step, stride, octaves: 0, count: count.to_vec() })
    }

    /// The grid as the library takes it, with the work memory of this thread; set `work` and `work_bytes`
    /// to memory of your own to use that.
    ///
    /// ```
    /// use perlane::{sys, Field, Grid};
    ///
    /// let mut work = vec![0u64; sys::PERLANE_WORK_BYTES / 8];
    /// let mut grid = Grid::new(&[64, 64])?.raw();
    /// (grid.work, grid.work_bytes) = (work.as_mut_ptr().cast(), sys::PERLANE_WORK_BYTES);
    /// let mut out = vec![0.0; 64 * 64];
    /// let field = Field::new("octaves=4")?;
    /// let status = unsafe { sys::perlane_fill(field.as_ptr(), &grid, out.as_mut_ptr()) };
    /// assert_eq!((status, out[65]), (sys::PERLANE_OK, field.at(&[1.0, 1.0])));
    /// # Ok::<(), perlane::Error>(())
    /// ```
    pub fn raw(&self) -> sys::perlane_grid {
        let mut count = [0; 4];
        count[..self.count.len()].copy_from_slice(&self.count);
        let samples = self.count.iter().fold(1u64, |all, n| all.saturating_mul(*n));
        let work = if samples > SMALL_GRID { work_memory() } else { ptr::null_mut() };
        sys::perlane_grid {
            dims: self.count.len() as i32,
            exact_strides: 0,
            first: self.first,
            count,
            origin: self.origin,
            step: self.step,
            stride: self.stride,
            work,
            work_bytes: if work.is_null() { 0 } else { sys::PERLANE_WORK_BYTES },
            octaves: self.octaves,
            has_seed: 0,
            seed: 0,
            reserved: [0; 3],
        }
    }

    /// Where sample (0, 0, ...) is in an output whose samples begin at its start, and how many
    /// elements that takes; None if that is too large.
    fn room(&self) -> Option<(usize, usize)> {
        let (mut lowest, mut highest, mut packed) = (0i128, 0i128, 1i128);
        for (count, stride) in self.count.iter().zip(self.stride) {
            let stride = if stride == 0 { packed } else { stride.into() };
            let end = i128::from(count - 1).checked_mul(stride)?;
            lowest = lowest.checked_add(end.min(0))?;
            highest = highest.checked_add(end.max(0))?;
            packed = packed.checked_mul((*count).into())?;
        }
        Some((usize::try_from(-lowest).ok()?, usize::try_from(highest - lowest + 1).ok()?))
    }
}

/// Cells of cellular noise, an entry for each sample of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Number of the cell of the nearest point, which all samples of its region share.
    pub id: Vec<u32>,
    /// Vector to the nearest point, in units of position: entries for each axis.
    pub offset: Vec<Vec<f32>>,
    /// Distance to the nearest point, in cells.
    pub f1: Vec<f32>,
    /// Distance to the second nearest point, in cells.
    pub f2: Vec<f32>,
}

/// A field of noise, or an expression of fields. It may be cloned, and shared between threads.
#[derive(Clone)]
pub struct Field {
    noise: Vec<u64>,
    _fields: Arc<Vec<u64>>, // of an expression, which the noise refers to
}

impl Field {
    /// The field with these options: "seed=7 octaves=8 fractal=ridged".
    pub fn new(options: &str) -> Result<Self, Error> {
        let options = terminated(options)?;
        Field::make(|params| match unsafe {
            sys::perlane_params_parse(params, options.as_ptr(), ptr::null_mut())
        } {
            sys::PERLANE_OK => Ok(()),
            _ => Err(explained(|message, size| unsafe {
                sys::perlane_explain_text(ptr::null(), options.as_ptr(), message, size)
            })),
        })
    }

    /// A field by what it shows, "mountains", for a map that is `width` wide.
    pub fn look(name: &str, width: f64) -> Result<Self, Error> {
        let name = terminated(name)?;
        Field::make(|params| check(unsafe { sys::perlane_look(params, name.as_ptr(), width) }))
    }

    /// Fields combined in one text, which defines them. Clones share the fields.
    ///
    /// ```
    /// let text = "plains = octaves=4; peaks = seed=2 octaves=6 fractal=ridged; mix(plains, peaks, 0.3)";
    /// let land = perlane::Field::expression(text)?;
    /// assert!(land.at(&[1.5, 2.5]) < 1.0);
    /// # Ok::<(), perlane::Error>(())
    /// ```
    pub fn expression(text: &str) -> Result<Self, Error> {
        // Each definition ends with one of these characters.
        let room = text.matches([';', '\n']).count().min(sys::PERLANE_MAX_EXPRESSION_FIELDS);
        let text = terminated(text)?;
        let (mut noise, mut fields) = (room_for(noise_size()), room_for(room * noise_size()));
        let (made, to) = (noise.as_mut_ptr().cast(), fields.as_mut_ptr().cast());
        let status = unsafe {
            sys::perlane_expression_init_text(made, text.as_ptr(), room as i32, to, ptr::null_mut())
        };
        match status {
            sys::PERLANE_OK => Ok(Field { noise, _fields: Arc::new(fields) }),
            _ => Err(explained(|message, size| unsafe {
                sys::perlane_explain_text(b"expression\0".as_ptr().cast(), text.as_ptr(), message, size)
            })),
        }
    }

    fn make(set: impl Fn(*mut sys::perlane_params) -> Result<(), Error>) -> Result<Self, Error> {
        let (mut params, mut noise) = (room_for(params_size()), room_for(noise_size()));
        let params = params.as_mut_ptr() as *mut c_void;
        check(unsafe { sys::perlane_params_init(params) })?;
        set(params)?;
        match unsafe { sys::perlane_init(noise.as_mut_ptr() as *mut c_void, params) } {
            sys::PERLANE_OK => Ok(Field { noise, _fields: Arc::default() }),
            _ => Err(explained(|message, size| unsafe {
                sys::perlane_explain_params(params, message, size)
            })),
        }
    }

    /// The noise that functions of `sys` take.
    pub fn as_ptr(&self) -> *const sys::perlane_noise {
        self.noise.as_ptr().cast()
    }

    /// Changes the seed, faster than a new field. An expression has none.
    pub fn reseed(&mut self, seed: u64) -> Result<(), Error> {
        check(unsafe { sys::perlane_reseed(self.noise.as_mut_ptr().cast(), seed) })
    }

    /// Calls a function that fills slices of `room` elements each, with the grid and where sample
    /// (0, 0, ...) is.
    fn filled(
        &self,
        grid: &Grid,
        room: usize,
        fill: impl FnOnce(&sys::perlane_grid, usize) -> c_int,
    ) -> Result<(), Error> {
        let raw = grid.raw();
        if unsafe { sys::perlane_grid_check(self.as_ptr(), &raw) } != sys::PERLANE_OK {
            return Err(explained(|message, size| unsafe {
                sys::perlane_explain_grid(self.as_ptr(), &raw, message, size)
            }));
        }
        match grid.room() {
            Some((start, needed)) if needed <= room => check(fill(&raw, start)),
            _ => Err(Error("the slice is too short for the grid".into())),
        }
    }

    /// Fills a grid. With strides, `out` begins at the sample that comes first in memory.
    pub fn fill(&self, grid: &Grid, out: &mut [f32]) -> Result<(), Error> {
        self.filled(grid, out.len(), |grid, start| unsafe {
            sys::perlane_fill(self.as_ptr(), grid, out.as_mut_ptr().add(start))
        })
    }

    /// Fills a grid with values, and with the derivatives along each axis, in value per unit of
    /// position: a slice for each, as long as `out`.
    ///
    /// ```
    /// use perlane::{Field, Grid};
    ///
    /// let (mut h, mut dx, mut dy) = ([0.0; 12], [0.0; 12], [0.0; 12]);
    /// let grid = Grid::new(&[4, 3])?;
    /// Field::new("")?.fill_gradient(&grid, &mut h, &mut [&mut dx, &mut dy])?;
    /// let normals = dx.iter().zip(dy).map(|(dx, dy)| [-dx, 1.0, -dy]); // of a terrain whose y is up
    /// # Ok::<(), perlane::Error>(())
    /// ```
    pub fn fill_gradient(
        &self,
        grid: &Grid,
        out: &mut [f32],
        slopes: &mut [&mut [f32]],
    ) -> Result<(), Error> {
        let mut to = pointers(slopes, grid.count.len(), out.len())?;
        self.filled(grid, out.len(), |grid, start| unsafe {
            for slope in to.iter_mut().filter(|slope| !slope.is_null()) {
                *slope = slope.add(start);
            }
            sys::perlane_fill_gradient(self.as_ptr(), grid, out.as_mut_ptr().add(start), to.as_ptr())
        })
    }

    /// The cells of cellular noise, and the points nearest to the samples of a grid without strides.
    ///
    /// ```
    /// use perlane::{Field, Grid};
    ///
    /// let regions = Field::new("basis=cellular frequency=0.05")?;
    /// let cells = regions.cells(&Grid::new(&[64, 64])?)?;
    /// let centre = [5.0 + f64::from(cells.offset[0][5]), f64::from(cells.offset[1][5])]; // for (5, 0)
    /// let climate = Field::new("seed=3 frequency=0.003")?.at(&centre); // the same in all of the region
    /// # Ok::<(), perlane::Error>(())
    /// ```
    pub fn cells(&self, grid: &Grid) -> Result<Cells, Error> {
        let packed = Grid { stride: [0; 4], ..grid.clone() };
        let mut cells = Cells::default();
        self.filled(&packed, usize::MAX, |grid, _| {
            let samples = packed.count.iter().product::<u64>() as usize;
            cells.id = vec![0; samples];
            cells.offset = vec![vec![0.0; samples]; packed.count.len()];
            cells.f1 = vec![0.0; samples];
            cells.f2 = vec![0.0; samples];
            let mut out = sys::perlane_cells {
                id: cells.id.as_mut_ptr(),
                offset: [ptr::null_mut(); 4],
                f1: cells.f1.as_mut_ptr(),
                f2: cells.f2.as_mut_ptr(),
                edge: ptr::null_mut(),
                reserved: [ptr::null_mut(); 2],
            };
            for (to, offset) in out.offset.iter_mut().zip(&mut cells.offset) {
                *to = offset.as_mut_ptr();
            }
            unsafe { sys::perlane_fill_cells(self.as_ptr(), grid, &out) }
        })?;
        Ok(cells)
    }

    /// Fills a grid with integers: `low` becomes 0, `high` 65535.
    pub fn fill_u16(&self, grid: &Grid, low: f32, high: f32, out: &mut [u16]) -> Result<(), Error> {
        self.filled(grid, out.len(), |grid, start| unsafe {
            sys::perlane_fill_u16(self.as_ptr(), grid, low, high, out.as_mut_ptr().add(start))
        })
    }

    /// Fills a grid with integers: `low` becomes 0, `high` 255.
    pub fn fill_u8(&self, grid: &Grid, low: f32, high: f32, out: &mut [u8]) -> Result<(), Error> {
        self.filled(grid, out.len(), |grid, start| unsafe {
            sys::perlane_fill_u8(self.as_ptr(), grid, low, high, out.as_mut_ptr().add(start))
        })
    }

    /// A map of which the first sample has the index (x, y).
    pub fn map(&self, x: i64, y: i64, width: usize, height: usize) -> Result<Vec<f32>, Error> {
        let mut grid = Grid::new(&[width as u64, height as u64])?;
        grid.first = [x, y, 0, 0];
        let samples = width.checked_mul(height).filter(|n| *n < isize::MAX as usize / 4);
        let mut out = vec![0.0; samples.ok_or_else(|| Error("the map is too large".into()))?];
        self.fill(&grid, &mut out)?;
        Ok(out)
    }

    /// Values at `origin + coords`, with a slice for each coordinate.
    pub fn points(&self, origin: &[f64], coords: &[&[f32]], out: &mut [f32]) -> Result<(), Error> {
        self.evaluate(origin, coords, out, [ptr::null_mut(); 4])
    }

    /// Values at `origin + coords`, and derivatives: a slice for each coordinate, as long as `out`.
    pub fn points_gradient(
        &self,
        origin: &[f64],
        coords: &[&[f32]],
        out: &mut [f32],
        slopes: &mut [&mut [f32]],
    ) -> Result<(), Error> {
        let to = pointers(slopes, coords.len(), out.len())?;
        self.evaluate(origin, coords, out, to)
    }

    fn evaluate(
        &self,
        origin: &[f64],
        coords: &[&[f32]],
        out: &mut [f32],
        slopes: [*mut f32; 4],
    ) -> Result<(), Error> {
        if origin.len() != coords.len() || coords.iter().any(|of| of.len() != out.len()) {
            return Err(Error("origin, coordinates and outputs differ in number".into()));
        }
        let mut list = sys::perlane_list {
            dims: coords.len() as i32,
            octaves: 0,
            count: out.len() as u64,
            stride: 0,
            step: 0.0,
            origin: origin.as_ptr(),
            coords: [ptr::null(); 4],
            coords64: [ptr::null(); 4],
            reserved: [ptr::null_mut(); 3],
        };
        for (to, of) in list.coords.iter_mut().zip(coords) {
            *to = of.as_ptr();
        }
        let gradient = if slopes[0].is_null() { ptr::null() } else { slopes.as_ptr() };
        check(unsafe { sys::perlane_points(self.as_ptr(), &list, out.as_mut_ptr(), gradient) })
    }

    /// The value at a position of 1 to 4 coordinates; NaN outside the domain.
    pub fn at(&self, position: &[f64]) -> f32 {
        unsafe { sys::perlane_at(self.as_ptr(), position.len() as i32, position.as_ptr()) }
    }

    /// The value at a position, and the derivatives; NaN where the field has none.
    pub fn at_gradient(&self, position: &[f64]) -> (f32, [f32; 4]) {
        let (dims, mut slopes) = (position.len() as i32, [f32::NAN; 4]);
        let to = slopes.as_mut_ptr();
        (unsafe { sys::perlane_at_gradient(self.as_ptr(), dims, position.as_ptr(), to) }, slopes)
    }

    /// Bounds that no value exceeds.
    pub fn range(&self, dims: i32) -> Result<(f32, f32), Error> {
        let (mut low, mut high) = (0.0, 0.0);
        check(unsafe { sys::perlane_range(self.as_ptr(), dims, &mut low, &mut high) })?;
        Ok((low, high))
    }
}
