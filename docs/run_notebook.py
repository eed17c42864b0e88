"""Results of the notebook on partidas, from the data set that the tests make.

``python docs/run_notebook.py`` runs every cell of ``docs/study/partidas.ipynb`` in turn and
keeps what each shows, as Jupyter does; its charts are pictures beside it. So the figures on its
page are those of the code above them.
"""

from __future__ import annotations

import ast
import json
import os
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parent / "study" / "partidas.ipynb"
CHARTS = ("forty", "cantes", "arrastre")
"""Names of the charts, in their order."""
_SVG = "image/svg+xml"


def run(tables: Path) -> str:
    """The notebook with the results of its cells on these tables."""
    book = json.loads(NOTEBOOK.read_text("utf-8"))
    os.environ["STUDY"] = str(tables)
    names: dict[str, Any] = {}
    codes = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(codes, 1):
        cell["execution_count"] = number
        cell["outputs"] = _outputs("".join(cell["source"]), number, names)
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def charts(book: str) -> dict[Path, str]:
    """The charts of a notebook that was run, by their files."""
    outputs = [one for cell in json.loads(book)["cells"] for one in cell.get("outputs", ())]
    drawn = [one["data"][_SVG][0] for one in outputs if _SVG in one.get("data", {})]
    return {
        NOTEBOOK.with_name(f"{name}.svg"): f"{one}\n"
        for name, one in zip(CHARTS, drawn, strict=True)
    }


def _outputs(source: str, number: int, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last line."""
    body, printed, shown = ast.parse(source).body, StringIO(), None
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)  # noqa: S102 - our own notebook
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307 - as above
    found: list[dict[str, Any]] = []
    if text := printed.getvalue():
        found.append(
            {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
        )
    if shown is not None:
        data: dict[str, Any] = {"text/plain": repr(shown).splitlines(keepends=True)}
        if hasattr(shown, "_repr_svg_"):
            data[_SVG] = [shown._repr_svg_()]
        found.append(
            {
                "data": data,
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return found


def main() -> None:
    """Make the data set, and write the notebook and its charts."""
    from tests.support.records.study_set import made_set  # noqa: PLC0415 - the tests may lack here

    with tempfile.TemporaryDirectory() as folder:
        book = run(made_set(Path(folder)))
    for file, text in {NOTEBOOK: book, **charts(book)}.items():
        file.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
