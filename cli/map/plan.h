/* SPDX-License-Identifier: MIT
 *
 * What was asked for, by a command line or by the options that a map carries, and what will be
 * done.
 */
#ifndef PERLANE_CLI_PLAN_H
#define PERLANE_CLI_PLAN_H

#include "field/field.h"
#include "map/map.h"
#include "map/stream.h"

/* The options of a map, or of points. They are completed in place, as maps carry them. */
struct cli_request {
  struct cli_points {
    int32_t dims; /* 0 for any: the number on the first line */
    int with_gradient;
    int bits_out;
  } points;
  struct cli_scatter {
    struct cli_numbers from, to;
    const char *density; /* NULL for none */
    struct cli_crs crs;  /* of GeoJSON; none for CSV */
  } scatter;
  struct cli_map_options map;
  struct cli_picture picture;
  struct cli_work {
    struct cli_numbers threads; /* 0 for all processors */
    int force;
  } work;
  int is_there; /* the map is a file that was made of these options */
  struct cli_field field;
  struct cli_command_line line;
};

extern const struct cli_kind CLI_THREADS;

/* Adds the option --quiet to a command line. */
void cli_add_quiet(struct cli_command_line *line);

/* The results of commands, which make them of a field. */
enum cli_result { CLI_MAP, CLI_POINTS, CLI_SCATTER };

/* Sets the defaults of a request, which is to stay where it is. The options of results that are not
 * the command's are known in texts. */
void cli_request_begin(struct cli_request *request, const struct cli_command *command,
                       enum cli_result result);
void cli_request_end(struct cli_request *request);

/* Reads the command line of a request that has begun, makes the field, checks the rest, does the
 * work or prints the options, and ends the request. Returns the exit status, as functions do. */
int cli_request_run(struct cli_request *request, char **argv,
                    int (*check)(struct cli_request *request),
                    int (*work)(struct cli_request *request));

/* Refuses the value of an option of the map: "--size 5x5: ...". Returns the exit status. */
int cli_request_refuse(const struct cli_request *request, const char *name, const char *format,
                       ...);

/* A map, or each of its tiles. */
struct cli_plan {
  const struct cli_format *format;
  const struct cli_engine *engine; /* NULL for none */
  char name[CLI_NAME];             /* of the file, if it is not the one that was asked for */
  struct cli_tiles tiles;
  struct cli_map map;
  struct cli_stream stream;
  perlane_picture_plan picture; /* used for pictures and masks */
  double range[2];              /* of the values, before --heights */
  int clamps;                   /* values may be beyond it */
  double seconds;               /* that planning took, with its passes over the map */
  char note[256];               /* the map's, or empty */
};

/* A step on the way from a command line to a map. Returns 0, or the exit status. */
typedef int cli_step(struct cli_plan *plan, struct cli_request *request);

/* Takes steps up to a NULL, as long as they succeed. */
int cli_take_steps(struct cli_plan *plan, struct cli_request *request, cli_step *const *step);

/* Refuses a file, and a size, that the plan's engine does not import. Return 0, or the exit status.
 */
int cli_engine_check_file(const struct cli_plan *plan, const char *file);
int cli_engine_refuse_size(const struct cli_request *request, const struct cli_plan *plan);

/* Steps: set the periods of a map that repeats after the samples of all its tiles, and move
 * frequencies to whole cells; make the map in more samples. */
cli_step cli_seamless_choose, cli_scale;

/* Makes the message that a field does not exist with these periods one about an option to change.
 * Returns the exit status. */
int cli_seamless_refuse(const struct cli_field *field);

/* Sets the shape of the map of a request whose size and depth are complete. */
void cli_plan_shape(struct cli_plan *plan, const struct cli_request *request);

/* Plans a request whose size and depth are complete, with tiles that are those of the plan
 * already: makes its field, and checks all that could go wrong before the first sample is
 * written. */
cli_step cli_plan_make;

#endif
