/* SPDX-License-Identifier: MIT
 *
 * perlane scatter: prints the points of cellular noise in a box, to place things at.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"

static const struct cli_command SCATTER = {
    .name = "scatter",
    .synopsis = "--from X,Y --to X,Y --basis cellular [OPTION]... >POINTS",
    .about = "Prints the points of cellular noise in a box of 1 to 3 axes, one in each cell:\n"
             "places for trees, rocks or towns. Boxes side by side contain each point once, so\n"
             "a world may be made tile by tile. A lower --jitter keeps points apart.\n"
             "\n"
             "A point is a line of CSV: its position, which reads back as the same double; an\n"
             "id; and a number evenly distributed in (-1, 1). With --crs it is a feature of\n"
             "GeoJSON, with id and number as properties. RFC 7946 knows longitudes and\n"
             "latitudes alone, those of EPSG:4326; for other systems the member \"crs\" is\n"
             "added, which GDAL and QGIS read.",
    .examples = "Trees 5 apart in an area of 300 by 200.\n"
                "  $ perlane scatter --basis cellular --frequency 0.2 --from 0,0 --to 300,200\n"
                "Forests among clearings: the density is a field, or an expression.\n"
                "  $ perlane scatter --basis cellular --frequency 0.2 --from 0,0 --to 300,200 \\\n"
                "    --density 'seed=5 octaves=3 frequency=0.02'\n"
                "Rocks for a map, in its coordinates.\n"
                "  $ perlane scatter --basis cellular --frequency 0.01 --from 500000,5190000 \\\n"
                "    --to 510000,5200000 --crs EPSG:32633\n",
};

enum { AXES = 3, WGS84 = 4326 };

/* A run of the command. */
struct scatter {
  struct cli_request request;
  char *density_text; /* the option's, to be freed */
  perlane_noise density, fields[PERLANE_MAX_EXPRESSION_FIELDS];
  struct cli_bytes memory; /* of the arrays, */
  uint64_t room, count;    /* which have this many places, and points */
  double *position[AXES];
  uint32_t *id;
  float *number, *value;
  int is_any_printed;
};

/* ---- Before the first point ---- */

static int refuse_status(const char *option, perlane_status status) {
  return cli_refuse("%s: %s", option, perlane_status_string(status));
}

static int check_field(const struct cli_field *field) {
  return field->expression.text
             ? cli_refuse(
                   "--expression has no cells, whose points are printed; --density takes one")
         : field->params.basis != PERLANE_BASIS_CELLULAR
             ? cli_refuse("only cellular noise has points; --basis cellular")
         : field->params.warp_amplitude != 0
             ? cli_refuse("a field with a warp has no points; --warp-amplitude 0")
             : 0;
}

/* Returns whether a text is options of a field: their first word is NAME=VALUE, and no definition,
 * NAME=OPTIONS. */
static int is_options(const char *text) {
  text += strspn(text, " \t");
  const size_t length = strcspn(text, " \t\r\v\f");
  const char *equals = memchr(text, '=', length), *end = text + length;
  return equals && equals + 1 < end && !memchr(equals + 1, '=', (size_t)(end - equals - 1)) &&
         !strpbrk(text, ";\n");
}

/* Returns the density's text, that of a file for @FILE, as an expression: a field alone is one,
 * too. NULL after a failure. */
static char *read_density(const struct cli_request *request) {
  static const char BETWEEN[] = " \t\r\n\v\f;";
  const char *option = request->scatter.density;
  const int is_file = *option == '@' && cli_is_given(&request->line, "density");
  char *text = is_file ? cli_expression_read("density", option + 1) : cli_need(strdup(option));
  if (!text)
    return NULL;
  for (size_t length = strlen(text); length > 0 && strchr(BETWEEN, text[length - 1]);)
    text[--length] = '\0';
  for (char *at = text; !is_file && (at = strchr(at, '&')) != NULL;) /* in a text of options */
    *at = ' ';
  const size_t size = strlen(text) + sizeof "f=\nf";
  char *whole = cli_need(malloc(size));
  snprintf(whole, size, is_options(text) ? "f=%s\nf" : "%s", text);
  free(text);
  return whole;
}

/* Makes the density's field, and its text as options print it. */
static int make_density(struct scatter *scatter) {
  char message[PERLANE_MESSAGE_BYTES];
  struct cli_scatter *options = &scatter->request.scatter;
  const perlane_list empty = {.dims = options->from.count};
  char *text = read_density(&scatter->request);
  if (!text)
    return CLI_FAILURE;
  if (perlane_expression_init_text(&scatter->density, text, PERLANE_MAX_EXPRESSION_FIELDS,
                                   scatter->fields, NULL) != PERLANE_OK) {
    perlane_explain_text("expression", text, message, sizeof message);
    free(text);
    return cli_refuse("--density: %s", message);
  }
  if (cli_is_given(&scatter->request.line, "density"))
    cli_expression_note(text);
  free(text);
  options->density = scatter->density_text = cli_expression_text(&scatter->density);
  const perlane_status found = perlane_points(&scatter->density, &empty, NULL, NULL);
  return found == PERLANE_OK ? 0 : refuse_status("--density", found);
}

static int check_crs(const struct cli_request *request) {
  static const double END[] = {180, 90};
  const struct cli_scatter *options = &request->scatter;
  const struct cli_numbers *from = &options->from, *to = &options->to;
  int is_on_earth = 1;
  for (int a = 0; a < 2; a++)
    is_on_earth &= from->at[a].real >= -END[a] && to->at[a].real <= END[a];
  const char *problem = from->count < 2 ? "GeoJSON needs boxes of 2 or 3 axes"
                        : options->crs.vertical != 0 && from->count < AXES
                            ? "heights need boxes of 3 axes"
                        : options->crs.horizontal == WGS84 && !is_on_earth
                            ? "longitudes are from -180 to 180, latitudes from -90 to 90"
                            : cli_crs_check(options->crs);
  return problem ? cli_request_refuse(request, "crs", "%s", problem) : 0;
}

static int check(struct cli_request *request) {
  struct scatter *scatter = (struct scatter *)(void *)request;
  const struct cli_scatter *options = &request->scatter;
  const int axes = options->from.count;
  if (axes == 0 || options->to.count == 0)
    return cli_refuse("--%s is missing: a corner of the box", axes ? "to" : "from");
  if (axes != options->to.count)
    return cli_refuse("--from has %d axes, and --to has %d", axes, options->to.count);
  for (int a = 0; a < axes; a++)
    if (!(options->from.at[a].real < options->to.at[a].real))
      return cli_refuse("--from must be below --to along each axis");
  int status = check_field(&request->field);
  if (status == 0 && options->crs.horizontal)
    status = check_crs(request);
  for (int i = 0; i < 2 && status == 0; i++) { /* an empty box at each corner */
    double corner[AXES];
    for (int a = 0; a < axes; a++)
      corner[a] = (i ? options->to : options->from).at[a].real;
    const perlane_status found = perlane_scatter(&request->field.noise, axes, corner, corner, 0,
                                                 NULL, NULL, NULL, &scatter->count);
    status = found == PERLANE_OK ? 0 : refuse_status(i ? "--to" : "--from", found);
  }
  return status == 0 && options->density ? make_density(scatter) : status;
}

/* ---- Points ---- */

/* Makes room for the points that were found to be more, and for some that the next blocks have. */
static int make_room(struct scatter *scatter) {
  const uint64_t room = scatter->count + scatter->count / 8;
  const size_t bytes = sizeof(double[AXES]) + sizeof(uint32_t) + sizeof(float[2]);
  if (!cli_bytes_reserve(&scatter->memory, room * bytes))
    return cli_fail("%s", strerror(ENOMEM));
  double *next = (double *)(void *)scatter->memory.data;
  for (int a = 0; a < AXES; a++, next += room)
    scatter->position[a] = next;
  scatter->id = (uint32_t *)(void *)next;
  scatter->number = (float *)(void *)(scatter->id + room);
  scatter->value = scatter->number + room;
  scatter->room = room;
  return 0;
}

/* Finds the points of a block, and the density there. Returns 0, or the exit status. */
static int find(struct scatter *scatter, const double *low, const double *high) {
  perlane_list list = {.dims = scatter->request.scatter.from.count};
  perlane_status found;
  do {
    if (scatter->count > scatter->room && make_room(scatter) != 0)
      return CLI_FAILURE;
    found = perlane_scatter(&scatter->request.field.noise, list.dims, low, high, scatter->room,
                            scatter->position, scatter->id, scatter->number, &scatter->count);
  } while (found == PERLANE_OK && scatter->count > scatter->room);
  list.count = scatter->count;
  for (int a = 0; a < list.dims; a++)
    list.coords64[a] = scatter->position[a];
  if (found == PERLANE_OK && scatter->request.scatter.density)
    found = perlane_points(&scatter->density, &list, scatter->value, NULL);
  return found == PERLANE_OK ? 0 : refuse_status("--from", found);
}

/* Prints a line of CSV, or a feature of GeoJSON. */
static void print_point(struct scatter *scatter, uint64_t i) {
  const int is_json = scatter->request.scatter.crs.horizontal != 0;
  if (is_json)
    printf("%s\n{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[",
           scatter->is_any_printed ? "," : "");
  for (int a = 0; a < scatter->request.scatter.from.count; a++)
    printf("%s%.17g", a ? "," : "", scatter->position[a][i]);
  printf(is_json ? "]},\"properties\":{\"id\":%" PRIu32 ",\"number\":%.9g" : ",%" PRIu32 ",%.9g",
         scatter->id[i], (double)scatter->number[i]);
  if (scatter->request.scatter.density)
    printf(is_json ? ",\"density\":%.9g" : ",%.9g", (double)scatter->value[i]);
  fputs(is_json ? "}}" : "\n", stdout);
  scatter->is_any_printed = 1;
}

static int print_block(struct scatter *scatter, const double *low, const double *high) {
  const int status = find(scatter, low, high);
  for (uint64_t i = 0; i < scatter->count && status == 0; i++)
    if (!scatter->request.scatter.density || scatter->number[i] < scatter->value[i])
      print_point(scatter, i);
  return status == 0 && ferror(stdout) ? cli_finish_stdout() : status;
}

/* Prints the points block by block, so that memory does not grow with the box. */
static int print_blocks(struct scatter *scatter) {
  static const double CELLS[AXES] = {65536, 256, 48}; /* of a block, along each axis */
  const struct cli_numbers *from = &scatter->request.scatter.from,
                           *to = &scatter->request.scatter.to;
  const int dims = from->count;
  const double side = CELLS[dims - 1] / scatter->request.field.params.frequency;
  double low[AXES], high[AXES];
  int status = 0;
  for (int a = 0; a < dims; a++)
    low[a] = from->at[a].real;
  for (int is_end = 0; !is_end && status == 0;) {
    for (int a = 0; a < dims; a++)
      high[a] = fmin(fmax(low[a] + side, nextafter(low[a], INFINITY)), to->at[a].real);
    status = print_block(scatter, low, high);
    is_end = 1;
    for (int a = 0; a < dims && is_end; a++) { /* the next block, x fastest */
      is_end = high[a] == to->at[a].real;
      low[a] = is_end ? from->at[a].real : high[a];
    }
  }
  return status;
}

/* GDAL and QGIS read the member crs, which the GeoJSON of 2008 has, and RFC 7946 has not. */
static int print_points(struct cli_request *request) {
  struct scatter *scatter = (struct scatter *)(void *)request;
  const struct cli_scatter *options = &request->scatter;
  const struct cli_crs crs = options->crs;
  if (crs.horizontal)
    fputs("{\"type\":\"FeatureCollection\",", stdout);
  else
    printf("%.*s,id,number%s\n", 2 * options->from.count - 1, "x,y,z",
           options->density ? ",density" : "");
  if (crs.vertical || (crs.horizontal && crs.horizontal != WGS84)) {
    printf("\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs%s:EPSG::%d",
           crs.vertical ? ",crs" : "", crs.horizontal);
    if (crs.vertical)
      printf(",crs:EPSG::%d", crs.vertical);
    fputs("\"}},", stdout);
  }
  fputs(crs.horizontal ? "\"features\":[" : "", stdout);
  const int status = print_blocks(scatter);
  fputs(crs.horizontal && status == 0 ? "\n]}\n" : "", stdout);
  return status == 0 ? cli_finish_stdout() : status;
}

int cli_scatter(char **argv) {
  static struct scatter scatter;
  memset(&scatter, 0, sizeof scatter);
  cli_request_begin(&scatter.request, &SCATTER, CLI_SCATTER);
  const int status = cli_request_run(&scatter.request, argv, check, print_points);
  free(scatter.memory.data);
  free(scatter.density_text);
  return status;
}
