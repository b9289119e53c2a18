// SPDX-License-Identifier: MIT
//
// perlane for C++17 and later: fields and grids as values, and outputs whose sizes are checked.
//
//   const perlane::field terrain("octaves=8 frequency=0.002 fractal=ridged");
//   if (!terrain)
//     std::cerr << terrain.message();
//   std::vector<float> heights(512 * 512);
//   const perlane_status status = terrain.fill(heights, perlane::grid(512, 512));
//   if (status != PERLANE_OK)
//     std::cerr << perlane_status_string(status);
//
// Calls return a status; if PERLANE_EXCEPTIONS is defined, errors throw std::invalid_argument with
// the library's message. perlane.h documents the functions; pass field.get() and a grid to those
// without a wrapper here. A field may be copied and shared between threads. It takes 20 KB, too
// much for a small stack.
#ifndef PERLANE_HPP
#define PERLANE_HPP

#ifndef __cpp_if_constexpr // MSVC's __cplusplus may be that of C++98
#error "perlane: compile perlane.hpp as C++17 or later, or use perlane.h"
#endif

#include "perlane_expression.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace perlane {

#ifdef __cpp_lib_span
using std::span;
#else
// The part of C++20's std::span that is needed here.
template <class T>
class span {
public:
  span(T *data, std::size_t size) : data_(data), size_(size) {}
  template <class Range, class = std::enable_if_t<std::is_convertible_v<
                             decltype(std::data(std::declval<Range &>())), T *>>>
  span(Range &&range) : data_(std::data(range)), size_(std::size(range)) {}
  T *data() const { return data_; }
  std::size_t size() const { return size_; }

private:
  T *data_;
  std::size_t size_;
};
#endif

// A packed grid with step 1 whose first sample has index 0, unless its members are changed.
struct grid : perlane_grid {
  explicit grid(std::uint64_t nx, std::uint64_t ny = 0, std::uint64_t nz = 0, std::uint64_t nw = 0)
      : perlane_grid(perlane_grid_make(nx, ny, nz, nw)) {}
  // Lends fills work memory, PERLANE_WORK_BYTES of it if possible, one for each thread.
  void use_work(void *memory, std::size_t bytes) {
    work = memory;
    work_bytes = bytes;
  }
};

class field {
public:
  // A moved-from field would evaluate an expression's fields after they are gone, so moving copies.
  field(const field &) = default;
  field &operator=(const field &) = default;

  // Makes the default field with the options of a text: "seed=7 octaves=8", or "preset=improved".
  explicit field(const std::string &options = "") {
    const auto explain = [](const char *from, char *message, std::size_t size) {
      return perlane_explain_text(nullptr, from, message, size);
    };
    accept(perlane_init_text(&noise_, options.c_str()), explain, options.c_str());
  }
  explicit field(const perlane_params &params) {
    accept(perlane_init(&noise_, &params), perlane_explain_params, &params);
  }

  // Makes an expression, whose text defines its fields: "a = octaves=4; b = seed=2; max(a, b)".
  // Copies share these fields.
  static field expression(const std::string &text) {
    field made;
    made.noise_ = {};
    // A definition ends with its line or a semicolon.
    const auto ends =
        std::count_if(text.begin(), text.end(), [](char c) { return c == ';' || c == '\n'; });
    const auto room = ends < PERLANE_MAX_EXPRESSION_FIELDS ? ends : PERLANE_MAX_EXPRESSION_FIELDS;
    made.fields_ = std::make_shared<std::vector<perlane_noise>>(static_cast<std::size_t>(room) + 1);
    const auto explain = [](const char *from, char *message, std::size_t size) {
      return perlane_explain_text("expression", from, message, size);
    };
    made.accept(perlane_expression_init_text(&made.noise_, text.c_str(),
                                             static_cast<std::int32_t>(room) + 1,
                                             made.fields_->data(), nullptr),
                explain, text.c_str());
    return made;
  }

  // Returns true if the field can be evaluated. If not, message() says why, and every call fails.
  // message() is empty after any other failure, which the call's status describes.
  explicit operator bool() const { return message_.empty(); }
  const std::string &message() const { return message_; }
  const perlane_noise *get() const { return &noise_; }

  // Changes the seed, or leaves the first octaves; of a copy, for example.
  perlane_status reseed(std::uint64_t seed) { return done(perlane_reseed(&noise_, seed)); }
  perlane_status limit_octaves(std::int32_t octaves) {
    return done(perlane_limit_octaves(&noise_, octaves));
  }

  // Computes bounds of the field's values in 1 to 4 dimensions.
  perlane_status range(std::int32_t dims, float &low, float &high) const {
    return done(perlane_range(&noise_, dims, &low, &high));
  }

  // Fills a grid with floats, or with integers: low becomes 0, high the largest integer. Returns
  // PERLANE_ERROR_COUNT and writes nothing if the output is too small for the grid and its strides.
  perlane_status fill(span<float> out, const perlane_grid &g) const {
    return checked(g, out.size(), [&] { return perlane_fill(get(), &g, out.data()); });
  }
  perlane_status fill(span<std::uint16_t> out, const perlane_grid &g, float low, float high) const {
    return checked(g, out.size(),
                   [&] { return perlane_fill_u16(get(), &g, low, high, out.data()); });
  }
  perlane_status fill(span<std::uint8_t> out, const perlane_grid &g, float low, float high) const {
    return checked(g, out.size(),
                   [&] { return perlane_fill_u8(get(), &g, low, high, out.data()); });
  }

  // Fills a grid, and finds the smallest and the largest value.
  perlane_status fill_extremes(span<float> out, const perlane_grid &g, float &smallest,
                               float &largest) const {
    return checked(g, out.size(), [&] {
      return perlane_fill_extremes(get(), &g, out.data(), &smallest, &largest);
    });
  }

  // Fills a grid and its gradient, an array for each axis of the grid. `out` may be empty.
  template <std::size_t Dims>
  perlane_status fill_gradient(span<float> out, const perlane_grid &g,
                               const std::array<span<float>, Dims> &gradient) const {
    if (g.dims != static_cast<std::int32_t>(Dims))
      return done(PERLANE_ERROR_DIMS, "the gradient needs an array for each axis of the grid");
    std::array<float *, Dims> arrays;
    std::size_t room = out.data() ? out.size() : gradient[0].size();
    for (std::size_t a = 0; a < Dims; a++) {
      arrays[a] = gradient[a].data();
      room = gradient[a].size() < room ? gradient[a].size() : room;
    }
    return checked(g, room,
                   [&] { return perlane_fill_gradient(get(), &g, out.data(), arrays.data()); });
  }

  // Fills those arrays of perlane_cells that are not null; each has room for `room` elements.
  perlane_status fill_cells(const perlane_cells &out, std::size_t room,
                            const perlane_grid &g) const {
    return checked(g, room, [&] { return perlane_fill_cells(get(), &g, &out); });
  }

  // Returns the value at a position of 1 to 4 coordinates: noise(x, y).
  template <class... Coordinates>
  float operator()(Coordinates... coordinates) const {
    static_assert(sizeof...(coordinates) <= PERLANE_MAX_DIMS, "noise has 1 to 4 dimensions");
    const double position[] = {static_cast<double>(coordinates)...};
    return perlane_at(&noise_, static_cast<std::int32_t>(sizeof...(coordinates)), position);
  }

  // Evaluates the field at out.size() points. coords holds one array per axis.
  template <std::size_t Dims>
  perlane_status points(const std::array<span<const float>, Dims> &coords, span<float> out,
                        const std::array<double, Dims> &origin = {}) const {
    perlane_list list = {};
    list.dims = static_cast<std::int32_t>(Dims);
    list.count = out.size();
    list.origin = origin.data();
    for (std::size_t a = 0; a < Dims; a++) {
      if (coords[a].size() != out.size())
        return done(PERLANE_ERROR_COUNT, "coordinates and outputs differ in number");
      list.coords[a] = coords[a].data();
    }
    return done(perlane_points(&noise_, &list, out.data(), nullptr));
  }

  // Evaluates the field at a perlane_list, whose positions may be members of vertices and which may
  // ask for fewer octaves, and its gradient unless that has no arrays. A span may be empty.
  template <std::size_t Dims = 0>
  perlane_status points(const perlane_list &list, span<float> out,
                        const std::array<span<float>, Dims> &gradient = {}) const {
    std::array<float *, PERLANE_MAX_DIMS> arrays = {};
    bool has_room = !out.data() || list.count <= out.size();
    for (std::size_t a = 0; a < Dims; a++) {
      arrays[a] = gradient[a].data();
      has_room = has_room && list.count <= gradient[a].size();
    }
    if (Dims > 0 && list.dims != static_cast<std::int32_t>(Dims))
      return done(PERLANE_ERROR_DIMS, "the gradient needs an array for each axis of the list");
    if (!has_room)
      return done(PERLANE_ERROR_COUNT, "an output is too small for the list");
    return done(perlane_points(get(), &list, out.data(), Dims > 0 ? arrays.data() : nullptr));
  }

private:
  perlane_noise noise_ = {};
  std::shared_ptr<std::vector<perlane_noise>> fields_;
  std::string message_;
  // Keeps the message that a perlane_explain function writes if status is an error.
  template <class Explain, class Arguments>
  void accept(perlane_status status, Explain explain, Arguments arguments) {
    char message[PERLANE_MESSAGE_BYTES];
    if (status != PERLANE_OK && explain(arguments, message, sizeof message) != 0)
      message_ = message;
    done(status, message_.c_str());
  }

  static perlane_status done(perlane_status status, const char *message = nullptr) {
#ifdef PERLANE_EXCEPTIONS
    if (status != PERLANE_OK)
      throw std::invalid_argument(message ? message : perlane_status_string(status));
#endif
    return static_cast<void>(message), status;
  }

  template <class Fill>
  perlane_status checked(const perlane_grid &g, std::size_t room, Fill fill) const {
    char message[PERLANE_MESSAGE_BYTES];
    const perlane_status status = perlane_grid_check(&noise_, &g);
    if (status != PERLANE_OK)
      return perlane_explain_grid(&noise_, &g, message, sizeof message), done(status, message);
    std::uint64_t last = 0, packed = 1; // the last sample's index; that of a valid grid fits
    for (std::int32_t a = 0; a < g.dims; packed *= g.count[a++]) {
      if (g.stride[a] < 0 && g.count[a] > 1)
        return done(PERLANE_ERROR_STRIDE, "a stride below 0 would write before the span");
      const bool given = g.stride[a] != 0 || g.exact_strides != 0;
      last += (g.count[a] - 1) * (given ? static_cast<std::uint64_t>(g.stride[a]) : packed);
    }
    return last < room ? done(fill())
                       : done(PERLANE_ERROR_COUNT, "the output is too small for the grid");
  }
};

} // namespace perlane
#endif
