# SPDX-License-Identifier: MIT
#
# Tests of the command's pictures: sh pictures.sh PERLANE WORK. Finds a Python that has NumPy and
# Pillow, which need not be the first one: Debian installs both for its own.

# shellcheck shell=sh

here=$(cd "$(dirname "$0")" && pwd)
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import numpy, PIL' 2>/dev/null; then
    exec "$python" "$here/pictures.py" "$@"
  fi
done
echo "pictures.sh: no python3 with NumPy and Pillow (python3-numpy, python3-pil)" >&2
exit 2
