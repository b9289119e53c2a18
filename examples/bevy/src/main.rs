// SPDX-License-Identifier: MIT

//! Chunks of a terrain as meshes of Bevy, with normals, made by the pool of compute tasks. Runs one frame
//! without a window, and checks that chunks meet and that normals are those of the triangles.

use bevy::app::ScheduleRunnerPlugin;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;
use perlane::{Field, Grid};

const QUADS: usize = 64; // of a chunk, along x and z
const SIDE: usize = QUADS + 1; // vertices: neighbours share those at their border
const STEP: f32 = 4.0; // metres between vertices

#[derive(Component)]
struct Chunk(i64, i64);

/// The mesh of a chunk, whose first vertex is at its corner. Row 0 is at the lowest z, Bevy's north.
fn mesh(terrain: &Field, chunk: &Chunk) -> Result<Mesh, perlane::Error> {
    let mut grid = Grid::new(&[SIDE as u64; 2])?;
    grid.first = [chunk.0 * QUADS as i64, chunk.1 * QUADS as i64, 0, 0];
    grid.step = [STEP.into(); 4];
    grid.octaves = -1; // those that the step shows: finer ones would make normals of noise
    let mut arrays = [(); 3].map(|_| vec![0.0; SIDE * SIDE]);
    let [height, dx, dz] = &mut arrays;
    terrain.fill_gradient(&grid, height, &mut [dx, dz])?;
    let [height, dx, dz] = arrays;

    let at = |i: usize| [(i % SIDE) as f32 * STEP, height[i], (i / SIDE) as f32 * STEP];
    let normal = |i: usize| Vec3::new(-dx[i], 1.0, -dz[i]).normalize().to_array();
    let quads = (0..QUADS * QUADS).map(|i| (i / QUADS * SIDE + i % QUADS) as u32);
    let side = SIDE as u32; // a triangle's front is where its corners go counterclockwise
    let corners = quads.flat_map(|a| [a, a + side, a + 1, a + 1, a + side, a + side + 1]);
    let all = 0..SIDE * SIDE;
    Ok(Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, all.clone().map(at).collect::<Vec<_>>())
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, all.map(normal).collect::<Vec<_>>())
        .with_inserted_indices(Indices::U32(corners.collect())))
}

fn spawn(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>) -> Result {
    let terrain = Field::new("seed=4 frequency=0.004 octaves=8 value_scale=20")?;
    let made = ComputeTaskPool::get().scope(|scope| {
        for chunk in [(-1, 0), (0, 0), (-1, 1), (0, 1)].map(|(x, z)| Chunk(x, z)) {
            let terrain = &terrain;
            scope.spawn(async move { mesh(terrain, &chunk).map(|mesh| (chunk, mesh)) });
        }
    });
    for chunk in made {
        let (chunk, mesh) = chunk?;
        let corner = Vec3::new(chunk.0 as f32, 0.0, chunk.1 as f32) * STEP * QUADS as f32;
        commands.spawn((chunk, Transform::from_translation(corner), Mesh3d(meshes.add(mesh))));
    }
    Ok(())
}

fn vectors(mesh: &Mesh, of: bevy::mesh::MeshVertexAttribute) -> &[[f32; 3]] {
    match mesh.attribute(of) {
        Some(VertexAttributeValues::Float32x3(vectors)) => vectors,
        _ => panic!("expected vectors"),
    }
}

fn check(chunks: Query<(&Chunk, &Mesh3d)>, meshes: Res<Assets<Mesh>>) {
    let (mut vertices, mut worst) = (0, 0.0f32);
    for (chunk, handle) in &chunks {
        let mesh = meshes.get(handle).unwrap();
        let flat = mesh.clone().with_computed_smooth_normals(); // Bevy's own
        let (ours, bevys) = (vectors(mesh, Mesh::ATTRIBUTE_NORMAL), vectors(&flat, Mesh::ATTRIBUTE_NORMAL));
        for i in (0..SIDE * SIDE).filter(|i| (1..QUADS).contains(&(i % SIDE)) && (1..QUADS).contains(&(i / SIDE))) {
            worst = worst.max(Vec3::from(ours[i]).angle_between(bevys[i].into()).to_degrees());
        }
        for (other, neighbour) in chunks.iter().filter(|(other, _)| (other.0, other.1) == (chunk.0 + 1, chunk.1)) {
            let next = meshes.get(neighbour).unwrap();
            for attribute in [Mesh::ATTRIBUTE_POSITION, Mesh::ATTRIBUTE_NORMAL] {
                let (here, there) = (vectors(mesh, attribute), vectors(next, attribute));
                assert!((0..SIDE).all(|z| here[z * SIDE + QUADS][1] == there[z * SIDE][1]), "{} {}", other.0, other.1);
            }
        }
        vertices += ours.len();
    }
    assert!(vertices == 4 * SIDE * SIDE && worst < 3.0, "{vertices} vertices, {worst} degrees");
    println!("4 chunks of {} vertices meet; normals are within 3 degrees of Bevy's", SIDE * SIDE);
}

fn main() {
    App::new()
        .add_plugins((MinimalPlugins.set(ScheduleRunnerPlugin::run_once()), AssetPlugin::default()))
        .init_asset::<Mesh>()
        .add_systems(Startup, spawn)
        .add_systems(Update, check)
        .run();
}
