/* SPDX-License-Identifier: MIT
 *
 * The drawing of a curve: the value above, below it a strip for each octave on the same scale, and
 * the legend to the right. All lengths are in pixels.
 */
#include "commands/plot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <cairo-svg.h>
#include <cairo.h>

struct rgb {
  double r, g, b;
};

static const struct rgb PAPER = {1, 1, 1}, INK = {0.13, 0.13, 0.15}, FAINT = {0.42, 0.42, 0.45},
                        GRID = {0.90, 0.90, 0.91}, ZERO = {0.68, 0.68, 0.70};

/* Told apart with every kind of colour vision (Okabe and Ito, "Color Universal Design", 2008), but
 * for their yellow, which white paper swallows. */
static const struct rgb LINES[] = {
    {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451},
    {0.800, 0.475, 0.655}, {0.337, 0.706, 0.914}, {0.902, 0.624, 0.000},
};
enum { LINE_COLOURS = sizeof LINES / sizeof LINES[0] };

/* What is drawn where. */
struct layout {
  double em;                             /* the size of the letters */
  double left, right, top, bottom;       /* of all axes */
  double value_bottom;                   /* of the upper ones */
  double scale;                          /* pixels per unit of value, there */
  double strip_scale;                    /* and in the strips */
  double strip_top[PERLANE_MAX_OCTAVES]; /* of each octave that is drawn */
  double strip_height[PERLANE_MAX_OCTAVES];
  int strips;
  double low, high; /* ends of the axis of values, in order */
};

/* ---- Ticks ---- */

/* Tick i is at (first + i) * distance. */
struct ticks {
  double distance, first;
  int count;
};

/* At most `most` and one, at multiples of 1, 2 or 5 times a power of ten. */
static struct ticks ticks_between(double low, double high, double most) {
  static const double STEPS[] = {1, 2, 5, 10};
  const double least = (high - low) / fmax(most, 1);
  const double power = pow(10, floor(log10(least)));
  int step = 0;
  while (step < 3 && STEPS[step] * power < least)
    step++;
  struct ticks ticks = {.distance = STEPS[step] * power};
  ticks.first = ceil(low / ticks.distance - 1e-9);
  const double count = floor(high / ticks.distance + 1e-9) - ticks.first + 1;
  ticks.count = count >= 0 && count <= most + 1 ? (int)count : 0;
  return ticks;
}

static double tick_at(const struct ticks *ticks, int i) {
  const double number = ticks->first + i;
  return number == 0 ? 0 : number * ticks->distance; /* no -0 */
}

static void print_tick(char text[32], double tick, double distance) {
  const int decimals = distance >= 1 ? 0 : (int)ceil(-log10(distance) - 1e-9);
  const double ratio = fabs(tick) / distance;
  if (fabs(tick) >= 1e6 || decimals > 4) /* as many digits as tell it from the next */
    snprintf(text, 32, "%.*g", ratio > 1 ? (int)ceil(log10(ratio + 1)) + 1 : 1, tick);
  else
    snprintf(text, 32, "%.*f", decimals, tick);
}

/* ---- Layout ---- */

static double text_width(cairo_t *cr, const char *text) {
  cairo_text_extents_t extents;
  cairo_text_extents(cr, text, &extents);
  return extents.x_advance;
}

static double strip_height(const struct cli_plot *plot, const struct layout *layout, int k,
                           double scale) {
  return fmax(2 * plot->bound[k] * scale, 1.3 * layout->em);
}

static double strips_height(const struct cli_plot *plot, const struct layout *layout,
                            double scale) {
  double sum = 0;
  for (int k = 0; k < layout->strips; k++)
    sum += strip_height(plot, layout, k, scale) + 0.4 * layout->em;
  return sum;
}

/* The largest scale with which strips, and `span` units of value above them, fit in height. */
static double fitting_scale(const struct cli_plot *plot, const struct layout *layout, double span,
                            double height) {
  double fits = 0, most = height / fmax(span, 2 * plot->bound[0]);
  for (int i = 0; i < 50; i++) {
    const double scale = 0.5 * (fits + most);
    if (scale * span + strips_height(plot, layout, scale) <= height)
      fits = scale;
    else
      most = scale;
  }
  return fits;
}

static void scale_strips(const struct cli_plot *plot, struct layout *layout) {
  const double height = layout->bottom - layout->top, span = layout->high - layout->low;
  layout->scale = height / span;
  if (layout->strips == 0)
    return;
  layout->scale = fitting_scale(plot, layout, span, height);
  layout->strip_scale = layout->scale;
  if (layout->scale * span < 0.4 * height) {
    layout->scale = 0.4 * height / span;
    layout->strip_scale = fitting_scale(plot, layout, 0, 0.6 * height);
  }
}

/* Whether the last octave would be a straight line. */
static int last_is_flat(const struct cli_plot *plot, const struct layout *layout) {
  return layout->strips > 0 && 2 * plot->bound[layout->strips - 1] * layout->strip_scale < 0.5;
}

/* The axes of the value get two fifths of the height or more; where that takes another scale for
 * the strips, the legend tells. */
static void lay_out_strips(const struct cli_plot *plot, struct layout *layout) {
  const double height = layout->bottom - layout->top, span = layout->high - layout->low;
  layout->strips = plot->octaves > 1 ? plot->octaves : 0;
  while (layout->strips > 0 && strips_height(plot, layout, 0) > 0.6 * height)
    layout->strips--;
  scale_strips(plot, layout);
  while (last_is_flat(plot, layout)) {
    layout->strips--;
    scale_strips(plot, layout);
  }
  layout->value_bottom = layout->top + layout->scale * span;
  double top = layout->value_bottom;
  for (int k = 0; k < layout->strips; k++) {
    layout->strip_top[k] = top + 0.4 * layout->em;
    layout->strip_height[k] = strip_height(plot, layout, k, layout->strip_scale);
    top = layout->strip_top[k] + layout->strip_height[k];
  }
  layout->bottom = top;
}

static void print_legend(char text[32], const struct cli_plot *plot, int k) {
  snprintf(text, 32, "octave %d, \xC2\xB1%.3g", k + 1, plot->bound[k]);
}

static const char *legend_of_value(const struct cli_plot *plot) {
  const int sum =
      plot->octaves > 1 && plot->params->contrast == 1 && plot->params->value_offset == 0;
  return sum ? "value, their sum" : "value";
}

static double legend_width(cairo_t *cr, const struct cli_plot *plot) {
  double width = text_width(cr, legend_of_value(plot));
  for (int k = 0; k < plot->octaves && plot->octaves > 1; k++) {
    char text[32];
    print_legend(text, plot, k);
    width = fmax(width, text_width(cr, text));
  }
  return width;
}

static struct ticks value_ticks(const struct layout *layout) {
  const double height = layout->value_bottom - layout->top;
  return ticks_between(layout->low, layout->high, floor(height / (2.2 * layout->em)));
}

static double tick_width(cairo_t *cr, const struct layout *layout) {
  const struct ticks ticks = value_ticks(layout);
  double width = 0;
  for (int i = 0; i < ticks.count; i++) {
    char text[32];
    print_tick(text, tick_at(&ticks, i), ticks.distance);
    width = fmax(width, text_width(cr, text));
  }
  return width;
}

/* Sets the letters' size too. */
static struct layout lay_out(cairo_t *cr, const struct cli_plot *plot) {
  const double width = plot->curve->width, height = plot->curve->height;
  struct layout layout = {.em = fmin(fmax(sqrt(width * height) / 62, 8), 40)};
  cairo_set_font_size(cr, layout.em);
  layout.right = width - legend_width(cr, plot) - 3.2 * layout.em;
  layout.top = 2.8 * layout.em;
  layout.bottom = height - 3.6 * layout.em;
  layout.low = fmin((double)plot->curve->low, (double)plot->curve->high);
  layout.high = fmax((double)plot->curve->low, (double)plot->curve->high);
  lay_out_strips(plot, &layout);
  layout.left = tick_width(cr, &layout) + 2.8 * layout.em;
  return layout;
}

/* ---- Words and lines ---- */

static void set_colour(cairo_t *cr, struct rgb colour) {
  cairo_set_source_rgb(cr, colour.r, colour.g, colour.b);
}

/* Text beside x: align is 0 to begin there, 0.5 to be centred, 1 to end. y is its middle. */
static void draw_text(cairo_t *cr, const char *text, double x, double y, double align) {
  cairo_font_extents_t font;
  cairo_font_extents(cr, &font);
  cairo_move_to(cr, x - align * text_width(cr, text), y + 0.5 * (font.ascent - font.descent));
  cairo_show_text(cr, text);
}

/* Sharp in pixels. */
static void draw_rule(cairo_t *cr, double x0, double y0, double x1, double y1, struct rgb colour) {
  set_colour(cr, colour);
  cairo_set_line_width(cr, 1);
  cairo_move_to(cr, floor(x0) + 0.5, floor(y0) + 0.5);
  cairo_line_to(cr, floor(x1) + 0.5, floor(y1) + 0.5);
  cairo_stroke(cr);
}

/* ---- Axes ---- */

static void draw_value_axis(cairo_t *cr, const struct layout *layout) {
  const struct ticks ticks = value_ticks(layout);
  for (int i = 0; i < ticks.count; i++) {
    const double tick = tick_at(&ticks, i);
    const double y = layout->top + (layout->high - tick) * layout->scale;
    char text[32];
    print_tick(text, tick, ticks.distance);
    draw_rule(cr, layout->left, y, layout->right, y, tick == 0 ? ZERO : GRID);
    draw_rule(cr, layout->left - 0.4 * layout->em, y, layout->left, y, FAINT);
    set_colour(cr, INK);
    draw_text(cr, text, layout->left - 0.7 * layout->em, y, 1);
  }
  draw_rule(cr, layout->left, layout->top, layout->left, layout->value_bottom, FAINT);
  set_colour(cr, INK);
  cairo_save(cr);
  cairo_translate(cr, 1.1 * layout->em, 0.5 * (layout->top + layout->value_bottom));
  cairo_rotate(cr, -0.5 * 3.14159265358979323846);
  draw_text(cr, "value", 0, 0, 0.5);
  cairo_restore(cr);
}

/* Far from 0, ticks count from the first sample, which the axis' title then names. */
static void draw_position_axis(cairo_t *cr, const struct cli_plot *plot,
                               const struct layout *layout) {
  const struct cli_curve *curve = plot->curve;
  const double begin = curve->origin + (double)curve->first * curve->step;
  const double span = (double)(curve->samples - 1) * curve->step;
  const int far = fabs(begin) > 1e5 * fabs(span);
  const double from = far ? 0 : begin, width = layout->right - layout->left;
  const struct ticks ticks = ticks_between(fmin(from, from + span), fmax(from, from + span),
                                           floor(width / (5.5 * layout->em)));
  char text[64];
  for (int i = 0; i < ticks.count; i++) {
    const double tick = tick_at(&ticks, i), x = layout->left + (tick - from) / span * width;
    print_tick(text, tick, ticks.distance);
    draw_rule(cr, x, layout->top, x, layout->bottom, GRID);
    draw_rule(cr, x, layout->bottom, x, layout->bottom + 0.4 * layout->em, FAINT);
    set_colour(cr, INK);
    draw_text(cr, text, x, layout->bottom + 1.1 * layout->em, 0.5);
  }
  draw_rule(cr, layout->left, layout->bottom, layout->right, layout->bottom, FAINT);
  set_colour(cr, INK);
  snprintf(text, sizeof text, far ? "position, from %.17g on" : "position", begin);
  draw_text(cr, text, 0.5 * (layout->left + layout->right), layout->bottom + 2.6 * layout->em, 0.5);
}

/* ---- The curve ---- */

static void draw_line(cairo_t *cr, const struct cli_plot *plot, const struct layout *layout,
                      const float *sample, double zero, double scale, double line_width,
                      struct rgb colour) {
  const size_t samples = plot->curve->samples;
  const double width = layout->right - layout->left, far = 1e5;
  for (size_t i = 0; i < samples; i++) {
    const double y = zero - (double)sample[i] * scale;
    /* Within cairo's numbers, which are of fixed point. */
    cairo_line_to(cr, layout->left + width * (double)i / (double)(samples - 1),
                  fmin(fmax(y, -far), far));
  }
  set_colour(cr, colour);
  cairo_set_line_width(cr, line_width);
  cairo_stroke(cr);
}

static void draw_legend(cairo_t *cr, const struct layout *layout, double y, const char *text,
                        double line_width, struct rgb colour) {
  const double x = layout->right + 0.8 * layout->em;
  set_colour(cr, colour);
  cairo_set_line_width(cr, line_width);
  cairo_move_to(cr, x, y);
  cairo_line_to(cr, x + 1.2 * layout->em, y);
  cairo_stroke(cr);
  set_colour(cr, INK);
  draw_text(cr, text, x + 1.6 * layout->em, y, 0);
}

static void draw_value(cairo_t *cr, const struct cli_plot *plot, const struct layout *layout) {
  const double line_width = 0.17 * layout->em, zero = layout->top + layout->high * layout->scale;
  cairo_save(cr);
  cairo_rectangle(cr, layout->left, layout->top - line_width, layout->right - layout->left,
                  layout->value_bottom - layout->top + 2 * line_width);
  cairo_clip(cr);
  draw_line(cr, plot, layout, plot->value, zero, layout->scale, line_width, INK);
  cairo_restore(cr);
  draw_legend(cr, layout, layout->top + 0.5 * layout->em, legend_of_value(plot), line_width, INK);
}

static void draw_octave(cairo_t *cr, const struct cli_plot *plot, const struct layout *layout,
                        int k) {
  const struct rgb colour = LINES[k % LINE_COLOURS];
  const double line_width = 0.09 * layout->em;
  const double middle = layout->strip_top[k] + 0.5 * layout->strip_height[k];
  char text[32];
  print_legend(text, plot, k);
  draw_rule(cr, layout->left, middle, layout->right, middle, ZERO);
  draw_line(cr, plot, layout, &plot->octave[(size_t)k * plot->curve->samples], middle,
            layout->strip_scale, line_width, colour);
  draw_legend(cr, layout, middle, text, 1.5 * line_width, colour);
}

/* What the picture does not show, in small letters at its top. */
static void draw_title(cairo_t *cr, const struct cli_plot *plot, const struct layout *layout) {
  const perlane_params *params = plot->params;
  char text[256];
  int length = snprintf(text, sizeof text, "seed %llu, frequency %.6g, %d octave%s",
                        (unsigned long long)params->seed, params->frequency, plot->octaves,
                        plot->octaves == 1 ? "" : "s");
  if (plot->octaves > 1)
    length += snprintf(text + length, sizeof text - (size_t)length, ", lacunarity %.6g, gain %.6g",
                       params->lacunarity, params->gain);
  if (plot->octaves > 1 && params->contrast != 1)
    length += snprintf(text + length, sizeof text - (size_t)length, "; octaves before contrast %d",
                       (int)params->contrast);
  if (layout->strips > 0 && layout->strip_scale != layout->scale)
    length += snprintf(text + length, sizeof text - (size_t)length, "; octaves %.2g times as high",
                       layout->strip_scale / layout->scale);
  if (plot->octaves > 1 && layout->strips < plot->octaves)
    snprintf(text + length, sizeof text - (size_t)length, "; octaves from %d on not drawn",
             layout->strips + 1);
  const double room = plot->curve->width - layout->left - layout->em;
  cairo_save(cr);
  cairo_set_font_size(cr, layout->em * fmin(1, room / text_width(cr, text)));
  set_colour(cr, FAINT);
  draw_text(cr, text, layout->left, 1.3 * layout->em, 0);
  cairo_restore(cr);
}

static void draw(cairo_t *cr, const struct cli_plot *plot) {
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  const struct layout layout = lay_out(cr, plot);
  set_colour(cr, PAPER);
  cairo_paint(cr);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  draw_title(cr, plot, &layout);
  draw_position_axis(cr, plot, &layout);
  draw_value_axis(cr, &layout);
  draw_value(cr, plot, &layout);
  for (int k = 0; k < layout.strips; k++)
    draw_octave(cr, plot, &layout, k);
}

/* ---- Files ---- */

/* Draws, and destroys the surface. */
static const char *draw_on(cairo_surface_t *surface, const struct cli_plot *plot) {
  cairo_t *cr = cairo_create(surface);
  draw(cr, plot);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status(surface);
  return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}

struct sink {
  FILE *stream;
  int error;
};

static cairo_status_t write_bytes(void *closure, const unsigned char *data, unsigned length) {
  struct sink *sink = closure;
  if (fwrite(data, 1, length, sink->stream) == length)
    return CAIRO_STATUS_SUCCESS;
  sink->error = errno;
  return CAIRO_STATUS_WRITE_ERROR;
}

const char *cli_plot_svg(const struct cli_plot *plot, FILE *stream) {
  struct sink sink = {.stream = stream};
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream(
      write_bytes, &sink, plot->curve->width, plot->curve->height);
  cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
  const char *problem = draw_on(surface, plot);
  cairo_surface_destroy(surface);
  return sink.error ? strerror(sink.error) : problem;
}

const char *cli_plot_pixels(const struct cli_plot *plot, unsigned char *rgb) {
  const size_t width = plot->curve->width, height = plot->curve->height;
  cairo_surface_t *surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
  cairo_t *cr = cairo_create(surface);
  draw(cr, plot);
  const cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_flush(surface);
  const unsigned char *data = cairo_image_surface_get_data(surface);
  const size_t stride = (size_t)cairo_image_surface_get_stride(surface);
  for (size_t y = 0; status == CAIRO_STATUS_SUCCESS && y < height; y++)
    for (size_t x = 0; x < width; x++) {
      uint32_t pixel;
      memcpy(&pixel, data + y * stride + 4 * x, sizeof pixel);
      for (size_t c = 0; c < 3; c++)
        *rgb++ = (unsigned char)(pixel >> (16 - 8 * c) & 255);
    }
  cairo_surface_destroy(surface);
  return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}
