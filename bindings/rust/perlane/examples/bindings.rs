// SPDX-License-Identifier: MIT

//! A map, a tile by its first sample, and points around an origin far away, from Rust. Prints what
//! examples/bindings.c prints.

use perlane::{Field, Grid};

const SIZE: usize = 512;
const TILE: usize = 64;
const POINTS: usize = 1000;

/// FNV-1a over the bytes of the floats, the lowest byte of each first.
fn digest(values: &[f32]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for value in values {
        for byte in value.to_bits().to_le_bytes().iter() {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
    }
    hash
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "perlane {}: params {}, grid {}, noise {} bytes",
        perlane::version(),
        perlane::params_size(),
        std::mem::size_of::<perlane_sys::perlane_grid>(),
        perlane::noise_size()
    );

    let noise = Field::new(
        "seed=0xFEDCBA9876543210 frequency=0.005 octaves=6 fractal=ridged period=0,40 \
         value_scale=800 value_offset=100 contrast=2 curve=-1:0,0:0.25,1:1 terraces=8 \
         warp_amplitude=20 warp_rounds=2",
    )?;

    let mut grid = Grid::new(&[SIZE as u64, SIZE as u64])?;
    grid.first[0] = -(SIZE as i64) / 2;
    grid.origin[1] = 0.25;
    grid.step[0] = 0.5;
    grid.stride[1] = -(SIZE as i64); // the last row first in memory
    let mut map = vec![0.0; SIZE * SIZE];
    noise.fill(&grid, &mut map)?;
    println!("map: 0x{:016X}", digest(&map));

    let tile = noise.map(1 << 40, -1000, TILE, TILE)?;
    println!("tile: 0x{:016X}", digest(&tile));

    let x: Vec<f32> = (0..POINTS).map(|i| i as f32).collect();
    let y: Vec<f32> = (0..POINTS).map(|i| i as f32 * 0.25).collect();
    let mut points = vec![0.0; POINTS];
    noise.points(&[2e7, -3e7], &[&x, &y], &mut points)?;
    println!("points: 0x{:016X}", digest(&points));

    match Field::new("octaves=0") {
        Ok(_) => Err("a field without octaves".into()),
        Err(error) => {
            println!("without octaves: {}", error);
            Ok(())
        }
    }
}
