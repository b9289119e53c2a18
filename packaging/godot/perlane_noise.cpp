// SPDX-License-Identifier: MIT
//
// The class PerlaneNoise for Godot 4: README.md has its functions.
#include <godot_cpp/classes/ref_counted.hpp>
#include <godot_cpp/core/class_db.hpp>
#include <godot_cpp/godot.hpp>

#include <memory>
#include <perlane.hpp>

using namespace godot;

class PerlaneNoise : public RefCounted {
  GDCLASS(PerlaneNoise, RefCounted)

public:
  // Returns what is wrong with the options, and then keeps the field that it had; or "".
  String set_options(const String &options) {
    const auto made = std::make_unique<perlane::field>(options.utf8().get_data());
    if (*made)
      noise = *made;
    return String::utf8(made->message().c_str());
  }

  double get_height(double x, double y) const { return static_cast<double>(noise(x, y)); }

  // Rows of size.x heights, `step` apart, of which the first has the position first * step.
  PackedFloat32Array fill(const Vector2i &size, const Vector2i &first, double step) const {
    PackedFloat32Array heights;
    ERR_FAIL_COND_V_MSG(size.x < 1 || size.y < 1, heights, "perlane: the size must be at least 1");
    const int64_t count = int64_t{size.x} * size.y;
    ERR_FAIL_COND_V_MSG(heights.resize(count) != OK, heights, "perlane: out of memory");
    perlane::grid grid(static_cast<uint64_t>(size.x), static_cast<uint64_t>(size.y));
    grid.first[0] = first.x;
    grid.first[1] = first.y;
    grid.step[0] = grid.step[1] = step;
    const perlane::span<float> out(heights.ptrw(), static_cast<size_t>(count));
    const perlane_status status = noise.fill(out, grid);
    ERR_FAIL_COND_V_MSG(status != PERLANE_OK, PackedFloat32Array(), perlane_status_string(status));
    return heights;
  }

protected:
  static void _bind_methods() {
    ClassDB::bind_method(D_METHOD("set_options", "options"), &PerlaneNoise::set_options);
    ClassDB::bind_method(D_METHOD("get_height", "x", "y"), &PerlaneNoise::get_height);
    ClassDB::bind_method(D_METHOD("fill", "size", "first", "step"), &PerlaneNoise::fill,
                         DEFVAL(Vector2i()), DEFVAL(1.0));
  }

private:
  perlane::field noise;
};

static void initialize(ModuleInitializationLevel level) {
  if (level == MODULE_INITIALIZATION_LEVEL_SCENE)
    GDREGISTER_CLASS(PerlaneNoise);
}

static void terminate(ModuleInitializationLevel) {}

extern "C" GDExtensionBool GDE_EXPORT
perlane_godot_init(GDExtensionInterfaceGetProcAddress get_proc_address,
                   GDExtensionClassLibraryPtr library, GDExtensionInitialization *initialization) {
  GDExtensionBinding::InitObject binding(get_proc_address, library, initialization);
  binding.register_initializer(initialize);
  binding.register_terminator(terminate);
  binding.set_minimum_library_initialization_level(MODULE_INITIALIZATION_LEVEL_SCENE);
  return binding.init();
}
