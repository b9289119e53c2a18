// SPDX-License-Identifier: MIT

//! perlane.h 2.0 as Rust declares it: the functions that fields, expressions, grids and points need. The
//! header documents each. Options of a field are given as text, so that no structure has to list them.

#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_int, c_void};

pub const PERLANE_OK: c_int = 0;
/// Room for any sentence of a `perlane_explain` function.
pub const PERLANE_MESSAGE_BYTES: usize = 512;
/// Most fields of an expression.
pub const PERLANE_MAX_EXPRESSION_FIELDS: usize = 16;
/// Amount of work memory beyond which more makes no fill faster.
pub const PERLANE_WORK_BYTES: usize = 320 * 1024;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct perlane_grid {
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
    pub has_seed: i32,
    pub seed: u64,
    pub reserved: [u64; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct perlane_list {
    pub dims: i32,
    pub octaves: i32,
    pub count: u64,
    pub stride: i64,
    pub step: f64,
    pub origin: *const f64,
    pub coords: [*const f32; 4],
    pub coords64: [*const f64; 4],
    pub reserved: [*mut c_void; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct perlane_cells {
    pub id: *mut u32,
    pub offset: [*mut f32; 4],
    pub f1: *mut f32,
    pub f2: *mut f32,
    pub edge: *mut f32,
    pub reserved: [*mut c_void; 2],
}

/// `(perlane_layout() >> 36 & 0xFFF) * 8` bytes, aligned to 8.
pub type perlane_params = c_void;
/// `(perlane_layout() >> 48) * 8` bytes, aligned to 8.
pub type perlane_noise = c_void;

#[rustfmt::skip]
extern "C" {
    pub fn perlane_version() -> *const c_char;
    pub fn perlane_status_string(status: c_int) -> *const c_char;
    pub fn perlane_layout() -> u64;
    pub fn perlane_params_init(params: *mut perlane_params) -> c_int;
    pub fn perlane_params_parse(params: *mut perlane_params, text: *const c_char, at: *mut usize) -> c_int;
    pub fn perlane_look(params: *mut perlane_params, name: *const c_char, width: f64) -> c_int;
    pub fn perlane_explain_text(option: *const c_char, text: *const c_char, message: *mut c_char, size: usize) -> usize;
    pub fn perlane_explain_params(params: *const perlane_params, message: *mut c_char, size: usize) -> usize;
    pub fn perlane_explain_grid(noise: *const perlane_noise, grid: *const perlane_grid, message: *mut c_char, size: usize) -> usize;
    pub fn perlane_init(noise: *mut perlane_noise, params: *const perlane_params) -> c_int;
    pub fn perlane_expression_init_text(noise: *mut perlane_noise, text: *const c_char, room: i32, fields: *mut perlane_noise, count: *mut i32) -> c_int;
    pub fn perlane_reseed(noise: *mut perlane_noise, seed: u64) -> c_int;
    pub fn perlane_limit_octaves(noise: *mut perlane_noise, octaves: i32) -> c_int;
    pub fn perlane_range(noise: *const perlane_noise, dims: i32, low: *mut f32, high: *mut f32) -> c_int;
    pub fn perlane_range_in(noise: *const perlane_noise, grid: *const perlane_grid, low: *mut f32, high: *mut f32) -> c_int;
    pub fn perlane_grid_init(grid: *mut perlane_grid, nx: u64, ny: u64, nz: u64, nw: u64) -> c_int;
    pub fn perlane_grid_check(noise: *const perlane_noise, grid: *const perlane_grid) -> c_int;
    pub fn perlane_grid_cut(grid: *const perlane_grid, unit: *const u64, wanted: u64, pieces: *mut u64) -> c_int;
    pub fn perlane_grid_piece(grid: *const perlane_grid, unit: *const u64, pieces: u64, index: u64, piece: *mut perlane_grid, offset: *mut i64) -> c_int;
    pub fn perlane_fill(noise: *const perlane_noise, grid: *const perlane_grid, out: *mut f32) -> c_int;
    pub fn perlane_fill_gradient(noise: *const perlane_noise, grid: *const perlane_grid, out: *mut f32, gradient: *const *mut f32) -> c_int;
    pub fn perlane_fill_u16(noise: *const perlane_noise, grid: *const perlane_grid, low: f32, high: f32, out: *mut u16) -> c_int;
    pub fn perlane_fill_u8(noise: *const perlane_noise, grid: *const perlane_grid, low: f32, high: f32, out: *mut u8) -> c_int;
    pub fn perlane_fill_cells(noise: *const perlane_noise, grid: *const perlane_grid, out: *const perlane_cells) -> c_int;
    pub fn perlane_points(noise: *const perlane_noise, list: *const perlane_list, out: *mut f32, gradient: *const *mut f32) -> c_int;
    pub fn perlane_at(noise: *const perlane_noise, dims: i32, position: *const f64) -> f32;
    pub fn perlane_at_gradient(noise: *const perlane_noise, dims: i32, position: *const f64, gradient: *mut f32) -> f32;
    pub fn perlane_scatter(noise: *const perlane_noise, dims: i32, low: *const f64, high: *const f64, capacity: u64, position: *const *mut f64, id: *mut u32, number: *mut f32, count: *mut u64) -> c_int;
    pub fn perlane_selftest(isa: c_int, digest: *mut u64) -> c_int;
}
