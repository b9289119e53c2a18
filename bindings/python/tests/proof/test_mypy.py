# SPDX-License-Identifier: MIT
"""The types, for mypy."""

from test_docs import check_types


def test_types(tmp_path):
    check_types("mypy", tmp_path)
