/* SPDX-License-Identifier: MIT
 *
 * What messages say about the options of a map, and about its size on the disk.
 */
#include <inttypes.h>

#include "commands/fill.h"
#include "formats/output.h"

int cli_fill_given(const struct cli_fill *fill, size_t option) {
  return cli_is_given(&fill->group[FILL_MAP], option);
}

void cli_fill_print(FILE *stream, const struct cli_fill *fill, size_t option) {
  const struct cli_group *group = &fill->group[FILL_MAP];
  cli_print_option(stream, &group->option[option], group->values);
  if (option == CLI_MAP_SIZE && fill->field.saved && !cli_fill_given(fill, option))
    fprintf(stream, " from '%s'", fill->field.saved);
}

/* With the tiles after it. */
int cli_fill_check_space(const struct cli_fill *fill, int descriptor, uint64_t bytes) {
  const char *file = fill->options.file;
  const uint64_t after = (uint64_t)(cli_fill_tile_count(fill) - 1 - fill->tiles.tile);
  char tiles[64] = "";
  if (fill->work.force)
    return 0;
  if (after > 0)
    snprintf(tiles, sizeof tiles, ", with the %" PRIu64 " tiles after it,", after);
  const uint64_t smallest = cli_format_smallest(fill->format, &fill->map, bytes);
  const char *problem = cli_output_space(descriptor, smallest * (1 + after));
  if (problem)
    return cli_fail(fill->line.command, "'%s'%s needs at least %s; --force begins it anyway", file,
                    tiles, problem);
  const int is_noted = fill->work.quiet || fill->tiles.tile > 0;
  const char *doubt = is_noted ? NULL : cli_output_space(descriptor, bytes * (1 + after));
  if (doubt)
    cli_note(fill->line.command,
             "'%s'%s may not fit on its disk, which depends on its compression: without any it "
             "needs %s",
             file, tiles, doubt);
  return 0;
}
