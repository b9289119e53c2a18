# SPDX-License-Identifier: MIT
#
# A terrain from a height map of 16 bits, as `perlane fill --for godot` writes it. Without a window:
#
#   perlane fill -o alps --for godot --size 257 --look alps --heights 0,1740 --spacing 78
#   godot --headless --path examples/godot --script terrain.gd -- $PWD/alps.r16 257 0 1740 78
#
# With the extension of packaging/godot in addons/perlane, a text of options may take the file's place.
# Prints x, z, the height of the mesh and its normal, for places between the samples.
extends SceneTree


# Returns side * side heights from `low` to `high`, row by row.
func heights_of(path: String, low: float, high: float) -> PackedFloat32Array:
	var bytes := FileAccess.get_file_as_bytes(path)
	var heights := PackedFloat32Array()
	heights.resize(bytes.size() / 2)
	for i in heights.size():
		heights[i] = low + bytes.decode_u16(2 * i) * (high - low) / 65535
	return heights


# Returns side * side heights of a field at the positions 0, spacing, 2 * spacing ...
func heights_of_field(options: String, side: int, spacing: float) -> PackedFloat32Array:
	var noise = ClassDB.instantiate("PerlaneNoise")
	var message: String = noise.set_options(options)
	if message:
		push_error(message)
	return noise.fill(Vector2i(side, side), Vector2i(), spacing)


# Row 0 is at the lowest z, Godot's north.
func mesh_of(heights: PackedFloat32Array, side: int, spacing: float) -> ArrayMesh:
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	var vertices := PackedVector3Array()
	var normals := PackedVector3Array()
	var indices := PackedInt32Array()
	var height := func(x: int, z: int) -> float:
		return heights[clampi(z, 0, side - 1) * side + clampi(x, 0, side - 1)]
	for z in side:
		for x in side:
			vertices.append(Vector3(x * spacing, height.call(x, z), z * spacing))
			var dx: float = height.call(x + 1, z) - height.call(x - 1, z)
			var dz: float = height.call(x, z + 1) - height.call(x, z - 1)
			normals.append(Vector3(-dx, 2 * spacing, -dz).normalized())
			if x < side - 1 and z < side - 1:
				var a := z * side + x  # a triangle's front is where its corners go clockwise
				indices.append_array([a, a + 1, a + side, a + 1, a + side + 1, a + side])
	arrays[Mesh.ARRAY_VERTEX] = vertices
	arrays[Mesh.ARRAY_NORMAL] = normals
	arrays[Mesh.ARRAY_INDEX] = indices
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return mesh


func _init() -> void:
	var given := OS.get_cmdline_user_args()
	var side := int(given[1])
	var spacing := float(given[4])
	var heights: PackedFloat32Array
	if given[0].ends_with(".r16"):
		heights = heights_of(given[0], float(given[2]), float(given[3]))
	else:
		heights = heights_of_field(given[0], side, spacing)
	if heights.size() != side * side:
		push_error("expected %d x %d heights in %s" % [side, side, given[0]])
		quit(1)
		return
	var terrain := MeshInstance3D.new()
	terrain.mesh = mesh_of(heights, side, spacing)
	root.add_child(terrain)
	var triangles := terrain.mesh.generate_triangle_mesh()
	for i in 40:
		var at := Vector3(i * 7 % (side - 1) + 0.25, 0, i * 13 % (side - 1) + 0.25) * spacing
		var hit := triangles.intersect_ray(at + Vector3(0, 1e4, 0), Vector3.DOWN)
		print("%s %s %s %s" % [at.x, at.z, hit.position.y, hit.normal.y])
	quit()
