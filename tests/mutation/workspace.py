"""The workspace of mutmut: a copy of the rules and of the table, their tests and settings in ``mutants/``.

mutmut leaves out functions that have a decorator, and lambdas in the tables of a module; those are
the ones that decide. In the copy each ``@decorator`` above a function is written out as an
assignment below it, and each lambda of a table as a function above it, which mean the same.
The copy is reused while nothing changes, so that a stopped run can continue.
"""

from __future__ import annotations

import ast
import hashlib
import shutil
from pathlib import Path

WORKSPACE = Path("mutants")
STAMP = WORKSPACE / "stamp"
COPIED = ("referee", "api", "projections", "tests", "benchmarks", "docs", "pyproject.toml")
MUTATED = (Path("referee/rules"), Path("referee/table"))
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")


def written_out(source: str) -> str:
    """Source with neither a decorated function nor a lambda outside functions."""
    return _without_decorators(_without_lambdas(source))


def _without_lambdas(source: str) -> str:
    lines = source.splitlines()
    tables = [n for n in ast.parse(source).body if isinstance(n, ast.Assign | ast.AnnAssign)]
    for table in reversed(tables):
        functions = []
        for one in (node for node in ast.walk(table) if isinstance(node, ast.Lambda)):
            line, name = lines[one.lineno - 1], f"_in_line_{one.lineno}"
            assert line.isascii(), "columns of a syntax tree count bytes"
            assert one.lineno == one.end_lineno, "a lambda is on one line"
            lines[one.lineno - 1] = line[: one.col_offset] + name + line[one.end_col_offset :]
            functions.append(f"def {name}({ast.unparse(one.args)}):")
            functions.append(f"    return {ast.unparse(one.body)}")
        lines[table.lineno - 1 : table.lineno - 1] = functions
    return "\n".join(lines) + "\n"


def _without_decorators(source: str) -> str:
    lines = source.splitlines()
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]
    for function in sorted(functions, key=lambda f: f.lineno, reverse=True):
        if not function.decorator_list:
            continue
        made = function.name
        for decorator in reversed(function.decorator_list):
            made = f"{ast.unparse(decorator)}({made})"
        lines.insert(
            function.end_lineno or 0, f"{' ' * function.col_offset}{function.name} = {made}"
        )
        del lines[function.decorator_list[0].lineno - 1 : function.lineno - 1]
    return "\n".join(lines) + "\n"


def fingerprint() -> str:
    """Hash over every file that a verdict may depend on."""
    files = [
        path
        for name in COPIED
        for path in ([Path(name)] if Path(name).is_file() else sorted(Path(name).rglob("*")))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    content = b"".join(
        str(path).encode() + hashlib.sha256(path.read_bytes()).digest() for path in files
    )
    return hashlib.sha256(content).hexdigest()


def main() -> None:
    """Make the workspace, unless the one that is there is of these very files."""
    found = fingerprint()
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == found:
        print("the same files: going on where the last run was")
        return
    shutil.rmtree(WORKSPACE, ignore_errors=True)
    WORKSPACE.mkdir()
    for name in map(Path, COPIED):
        if name.is_dir():
            shutil.copytree(name, WORKSPACE / name, ignore=LEFT_OUT)
        else:
            shutil.copy(name, WORKSPACE / name)
    for path in (path for room in MUTATED for path in sorted((WORKSPACE / room).rglob("*.py"))):
        path.write_text(written_out(path.read_text(encoding="utf-8")), encoding="utf-8")
    STAMP.write_text(found, encoding="utf-8")


if __name__ == "__main__":
    main()
