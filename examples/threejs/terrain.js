// SPDX-License-Identifier: MIT
//
// A terrain of 1025 x 1025 vertices, in a page served from here with both packages in node_modules.
// Row 0 is at the lowest z, far from the camera.

import { field, looks } from "perlane/sync";
import * as THREE from "three";

const side = 1025;
const look = looks.find(({ name }) => name === "alps");
const height = look.relief * (side - 1); // of a value difference of 1, true to scale
const terrain = field({ look: look.name, width: side - 1 });
const { values, gradient } = terrain.fillGradient({ size: [side, side] });

const positions = new Float32Array(3 * side * side);
const normals = new Float32Array(3 * side * side);
const normal = new THREE.Vector3();
for (let i = 0; i < side * side; i++) {
  positions.set([i % side, height * values[i], Math.floor(i / side)], 3 * i);
  normal
    .set(-height * gradient[0][i], 1, -height * gradient[1][i])
    .normalize()
    .toArray(normals, 3 * i);
}
const corners = new Uint32Array(6 * (side - 1) ** 2);
for (let z = 0, at = 0; z < side - 1; z++)
  for (let x = 0; x < side - 1; x++, at += 6) {
    const a = z * side + x; // a triangle's front is where its corners go counterclockwise
    corners.set([a, a + side, a + 1, a + 1, a + side, a + side + 1], at);
  }

const geometry = new THREE.BufferGeometry();
geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
geometry.setIndex(new THREE.BufferAttribute(corners, 1));
const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x9a8f7d }));

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xbcd3e6);
const sun = new THREE.DirectionalLight(0xfff4e0, 3);
sun.position.set(-1, 0.5, -0.3);
scene.add(mesh, sun, new THREE.HemisphereLight(0xbcd3e6, 0x605040, 0.7));
const camera = new THREE.PerspectiveCamera(45, innerWidth / innerHeight, 1, 4000);
camera.position.set(side / 2, 330, 1.3 * side);
camera.lookAt(side / 2, 40, side / 2);
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
renderer.render(scene, camera);

// What rays find in the mesh at some vertices: the height, and between triangle and vertex the normals' angle.
const down = new THREE.Vector3(0, -1, 0);
const places = Array.from({ length: 50 }, (_, i) => [(i * 313) % 1024, (i * 577) % 1024]);
window.found = places.map(([x, z]) => {
  const from = new THREE.Vector3(x + 0.01, 1e3, z + 0.01);
  const [{ point, face }] = new THREE.Raycaster(from, down).intersectObject(mesh);
  const angle = face.normal.angleTo(normal.fromArray(normals, 3 * (z * side + x)));
  return { mesh: point.y, field: height * terrain.at(x, z), angle };
});
