# SPDX-License-Identifier: MIT
"""The notebook of the documentation, run from the top in an empty folder."""

from pathlib import Path

import nbclient
import nbformat

NOTEBOOK = Path(__file__).resolve().parents[3] / "docs/notebook.ipynb"


def test_the_notebook_runs_and_shows_pictures(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=place).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 7
    assert not any(output.get("name") == "stderr" for output in outputs)
    nbformat.validate(notebook)
    nbformat.write(notebook, tmp_path / "run.ipynb")
