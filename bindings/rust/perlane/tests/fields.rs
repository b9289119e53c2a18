// SPDX-License-Identifier: MIT

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use perlane::{Field, Grid};

/// Counts the allocations of each thread.
struct Counted;

thread_local!(static ALLOCATIONS: Cell<usize> = const { Cell::new(0) });

unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        System.dealloc(memory, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

#[test]
fn fills_allocate_nothing_after_the_first() {
    let field = Field::new("octaves=4").unwrap();
    let grid = Grid::new(&[64, 64]).unwrap();
    let mut out = vec![0.0; 4096];
    field.fill(&grid, &mut out).unwrap();
    let before = ALLOCATIONS.with(Cell::get);
    field.fill(&grid, &mut out).unwrap();
    assert_eq!(ALLOCATIONS.with(Cell::get), before);
}

#[test]
fn fills_points_and_values_are_one_function() {
    let field = Field::new("seed=7 octaves=5 warp_amplitude=20").unwrap();
    let mut grid = Grid::new(&[33, 9, 3]).unwrap();
    grid.first = [-4, 1 << 40, 7, 0];
    grid.step[0] = 0.5;
    grid.stride = [1, -40, 9 * 40, 0];
    let mut out = vec![f32::NAN; 2 * 360 + 8 * 40 + 33];
    field.fill(&grid, &mut out).unwrap();
    let (x, y, z) = (30, 5, 2);
    let value = field.at(&[13.0, (1i64 << 40) as f64 + 5.0, 9.0]);
    assert_eq!(out[8 * 40 + x - 40 * y + 360 * z].to_bits(), value.to_bits());
    assert!(out[33].is_nan());
    let mut points = [0.0];
    field.points(&[13.0, (1i64 << 40) as f64, 9.0], &[&[0.0], &[5.0], &[0.0]], &mut points).unwrap();
    assert_eq!(points[0].to_bits(), value.to_bits());
    out.pop();
    assert!(field.fill(&grid, &mut out).unwrap_err().to_string().contains("too short"));
}

#[test]
fn integers_are_scaled() {
    let field = Field::new("").unwrap();
    let grid = Grid::new(&[64, 64]).unwrap();
    let (mut fine, mut coarse) = (vec![0u16; 4096], vec![0u8; 4096]);
    field.fill_u16(&grid, -1.0, 1.0, &mut fine).unwrap();
    field.fill_u8(&grid, -1.0, 1.0, &mut coarse).unwrap();
    let value = field.at(&[9.0, 3.0]);
    assert_eq!(fine[3 * 64 + 9], ((value + 1.0) * 32767.5).round_ties_even() as u16);
    assert_eq!(coarse[3 * 64 + 9], ((value + 1.0) * 127.5).round_ties_even() as u8);
    assert_eq!(field.range(2).unwrap(), (-1.0, 1.0));
}

#[test]
fn negative_seeds_are_those_of_the_library() {
    let value = |seed| Field::new(seed).unwrap().at(&[1.5, 2.5]).to_bits();
    assert_eq!(value("seed=-1"), value("seed=18446744073709551615"));
    assert_eq!(value("seed=-9223372036854775808"), value("seed=0x8000000000000000"));
    assert_ne!(value("seed=-1"), value("seed=1"));
    assert!(Field::new("seed=-9223372036854775809").is_err());
}

#[test]
fn errors_are_the_librarys_sentences() {
    let message = |options| Field::new(options).err().unwrap().to_string();
    assert_eq!(message("octaves=0"), "octaves must be a whole number from 1 to 32, not 0");
    assert!(message("a\0b").contains("NUL"));
    assert!(Field::look("moutains", 512.0).is_err());
    assert!(Field::look("mountains", 512.0).is_ok());
    assert!(Grid::new(&[4, 0]).is_err());
    let mut grid = Grid::new(&[8, 8]).unwrap();
    grid.step[1] = 0.0;
    let error = Field::new("").unwrap().fill(&grid, &mut [0.0; 64]).unwrap_err();
    assert!(error.to_string().starts_with("step along y"));
    assert!(Field::new("").unwrap().map(0, 0, usize::MAX, 4).is_err());
}

#[test]
fn fields_are_shared_between_threads() {
    let field = Field::new("octaves=3").unwrap();
    let whole = field.map(0, 0, 64, 64).unwrap();
    std::thread::scope(|scope| {
        for row in 0..4 {
            let (field, whole) = (&field, &whole);
            scope.spawn(move || {
                let part = field.map(0, row * 16, 64, 16).unwrap();
                assert_eq!(part[..], whole[row as usize * 1024..][..1024]);
            });
        }
    });
}

#[test]
fn derivatives_are_those_of_the_values() {
    let field = Field::new("octaves=3 warp_amplitude=9").unwrap();
    let grid = Grid::new(&[20, 10]).unwrap();
    let (mut out, mut dx, mut dy) = (vec![0.0; 200], vec![0.0; 200], vec![0.0; 200]);
    field.fill_gradient(&grid, &mut out, &mut [&mut dx, &mut dy]).unwrap();
    let slope = |a: [f64; 2], b: [f64; 2]| (field.at(&b) - field.at(&a)) / 0.02;
    assert!((dx[65] - slope([4.99, 3.0], [5.01, 3.0])).abs() < 1e-3);
    assert!((dy[65] - slope([5.0, 2.99], [5.0, 3.01])).abs() < 1e-3);
    assert!(dx[65].abs() > 2e-3 && dy[65].abs() > 2e-3);
    let (value, slopes) = field.at_gradient(&[5.0, 3.0]);
    assert_eq!((value, slopes[..2].to_vec()), (out[65], vec![dx[65], dy[65]]));
    let (mut one, mut x, mut y) = ([0.0], [0.0], [0.0]);
    field.points_gradient(&[5.0, 0.0], &[&[0.0], &[3.0]], &mut one, &mut [&mut x, &mut y]).unwrap();
    assert_eq!((one[0], x[0], y[0]), (value, slopes[0], slopes[1]));
    let short = field.fill_gradient(&grid, &mut out, &mut [&mut dx[1..], &mut dy]).unwrap_err();
    assert!(short.to_string().contains("a slice for each axis"));
    assert!(field.fill_gradient(&grid, &mut out, &mut [&mut dx]).is_err());
}

#[test]
fn expressions_own_their_fields() {
    let text = "a = octaves=3\nb = seed=2; mix(a, b, 0.25)";
    let clone = Field::expression(text).unwrap().clone();
    let value = |options| Field::new(options).unwrap().at(&[1.5, 2.5]);
    let mixed = value("octaves=3") * 0.75 + value("seed=2") * 0.25;
    assert!((clone.at(&[1.5, 2.5]) - mixed).abs() < 1e-6);
    assert_eq!(clone.map(0, 0, 40, 30).unwrap()[41], clone.at(&[1.0, 1.0]));
    let error = Field::expression("a = octaves=2; a + c").err().unwrap();
    assert!(error.to_string().contains("'c'"), "{error}");
    assert!(Field::expression("x").unwrap().reseed(2).is_err());
    assert_eq!(Field::expression("x").unwrap().at(&[7.0]), 7.0);
}

#[test]
fn a_new_seed_is_that_of_a_new_field() {
    let mut field = Field::new("octaves=2").unwrap();
    let before = field.clone();
    field.reseed(7).unwrap();
    assert_eq!(field.at(&[1.5, 2.5]), Field::new("octaves=2 seed=7").unwrap().at(&[1.5, 2.5]));
    assert_ne!(field.at(&[1.5, 2.5]), before.at(&[1.5, 2.5]));
}

#[test]
fn cells_are_those_of_the_values() {
    let field = Field::new("basis=cellular frequency=0.1 normalize=none").unwrap();
    let mut grid = Grid::new(&[40, 30, 2]).unwrap();
    grid.first[1] = -7;
    let cells = field.cells(&grid).unwrap();
    let mut values = vec![0.0; 2400];
    field.fill(&grid, &mut values).unwrap();
    assert_eq!(cells.f1, values);
    assert_eq!((cells.id.len(), cells.f2.len(), cells.offset.len()), (2400, 2400, 3));
    let length = |i: usize| cells.offset.iter().map(|each| each[i].powi(2)).sum::<f32>().sqrt();
    assert!((0..2400).all(|i| (length(i) * 0.1 - cells.f1[i]).abs() < 1e-5 && cells.f1[i] <= cells.f2[i]));
    assert!(Field::new("").unwrap().cells(&grid).is_err());
}
