"""Import rules and sizes of packages, checked on the syntax trees."""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from tests.project.rooms import ROOMS
from tests.support.places import ROOT

PACKAGES = ("referee", "api", "projections")
SOURCES = (*PACKAGES, "tests", "benchmarks", "docs")
LONGEST_FILE = 500
LONGEST_FUNCTION = 40
SHORT_STATEMENT = 3
MOST_FILES = 20
MOST_SUPPORT = 9_000
"""Lines of what tests of several rooms share; what one room alone needs is beside its tests."""
LARGER_FOLDERS = {
    # one file for each rule that holds for all routes
    "tests/api/http": 22,
    # the second reading of the law, with its tests beside it: one package that shares nothing
    "tests/oracle": 28,
}

COMPOSITION = ("api.server", "api.cli", "projections.process", "projections.__main__")
TABLE_OF_ACTS = (
    *(
        f"referee.aggregates.{one}"
        for one in ("partida", "encuentro", "case", "result", "commands")
    ),
    *("referee.table", "referee.events", "referee.rules"),
)
PURE = (
    *("referee/rules/", "referee/events/", "referee/errors.py", "referee/table/"),
    *("referee/aggregates/", "referee/access/"),
    "referee/record/",
)
NOT_PURE = (
    *(
        f"referee/access/{one}.py"
        for one in (
            "admission",
            "attempts",
            "keys",
            "known_browsers",
            "row_seals",
            "security_log",
            "tables",
        )
    ),
)
CHANCE_CLOCK_AND_OUTSIDE = {
    *("random", "secrets", "uuid", "time", "datetime", "os", "sys", "socket", "sqlite3"),
    *("pathlib", "logging", "threading", "asyncio", "subprocess", "tempfile", "urllib", "http"),
    *("importlib", "tomllib"),
}
READS_ITS_DATA = {
    "referee/access/passwords.py": {"importlib"},
    "referee/rules/profile/profile.py": {"importlib", "tomllib"},
}
NO_ROOM_IS_CALLED = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def python(*folders: str) -> tuple[Path, ...]:
    return tuple(path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))


def module_of(path: Path) -> str:
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def modules() -> frozenset[str]:
    return frozenset(map(module_of, python(*PACKAGES)))


def package_of(module: str) -> str:
    is_package = (ROOT / module.replace(".", "/")).is_dir()
    return module if is_package else module.rpartition(".")[0]


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(source(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Every name that a file imports, with its module: ``referee.rules.cards.TOKENS``."""
    found: list[str] = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name_of(path)}: a relative import hides where it points"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(found)


def is_within(name: str, allowed: Iterator[str] | list[str] | tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in allowed)


def is_root(path: Path) -> bool:
    return is_within(module_of(path), COMPOSITION)


def room_of(module: str) -> str:
    """The longest entry that a module lies in."""
    fitting = [one for one in ROOMS if is_within(module, [one])]
    assert fitting, f"{module}: say in ROOMS what it may import"
    return max(fitting, key=len)


def test_each_room_imports_only_what_it_says() -> None:
    wrong = []
    for path in python(*PACKAGES):
        module = module_of(path)
        room = room_of(module)
        allowed = [room, package_of(module), *ROOMS[room].split(), "referee.errors"]
        wrong += [
            f"{name_of(path)} imports {name}"
            for name in imported(path)
            if name.split(".")[0] not in sys.stdlib_module_names and not is_within(name, allowed)
        ]
    assert not wrong


def test_no_room_may_import_what_it_does_not() -> None:
    used = defaultdict(set)
    for path in python(*PACKAGES):
        used[room_of(module_of(path))] |= set(imported(path))
    idle = {
        room: [one for one in allowed.split() if not any(is_within(n, [one]) for n in used[room])]
        for room, allowed in ROOMS.items()
    }
    assert not {room: names for room, names in idle.items() if names}


def test_every_room_is_there() -> None:
    assert not [one for one in ROOMS if not list(ROOT.glob(f"{one.replace('.', '/')}*"))]


def neighbours() -> dict[str, set[str]]:
    """Imports between packages; a package and those inside it count as one."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in python(*PACKAGES):
        here = package_of(module_of(path))
        for name in imported(path):
            module = name if name in modules() else name.rpartition(".")[0]
            if module in modules():
                there = package_of(module)
                if not is_within(here, [there]) and not is_within(there, [here]):
                    found[here].add(there)
    return found


def assert_no_circle(graph: dict[str, set[str]]) -> None:
    done, way = set[str](), list[str]()

    def visit(one: str) -> None:
        assert one not in way, " -> ".join([*way[way.index(one) :], one])
        if one not in done:
            way.append(one)
            for other in sorted(graph.get(one, ())):
                visit(other)
            done.add(way.pop())

    for one in sorted(graph):
        visit(one)


def test_no_packages_import_each_other_in_a_circle() -> None:
    assert_no_circle(neighbours())


def test_no_files_import_each_other_in_a_circle() -> None:
    """Neither at their beginning nor within a function."""
    graph = defaultdict(set)
    for path in python(*PACKAGES):
        here = module_of(path)
        for name in imported(path):
            there = name if name in modules() else name.rpartition(".")[0]
            if there in modules() and there != here:
                graph[here].add(there)
    assert_no_circle(graph)


def test_a_circle_is_found() -> None:
    with pytest.raises(AssertionError, match="b -> c -> b"):
        assert_no_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}})


def test_an_act_at_a_table_enters_no_tournament_code() -> None:
    paths = [p for p in python("referee") if is_within(module_of(p), TABLE_OF_ACTS)]
    of_the_club = ("tournament", "club", "season", "session", "access")
    others = [f"referee.aggregates.{one}" for one in of_the_club]
    assert not [f"{name_of(p)}: {n}" for p in paths for n in imported(p) if is_within(n, others)]


def test_a_folder_has_about_twenty_files_at_most() -> None:
    count = Counter(
        path.parent
        for path in texts()
        if path.suffix in (".py", ".js", ".html") and path.name != "__init__.py"
    )
    most = {name_of(folder): n for folder, n in count.items() if n > MOST_FILES}
    assert set(most) == set(LARGER_FOLDERS), "a bound that nothing needs, or a folder without one"
    assert not [name for name, n in most.items() if n > LARGER_FOLDERS[name]]


def test_no_package_is_faked_by_a_prefix() -> None:
    for folder in {path.parent for path in python(*PACKAGES)}:
        stems = {path.stem for path in folder.glob("*.py")}
        faked = {one for one in stems if sum(o.startswith(f"{one}_") for o in stems) > 1}
        assert not faked, f"{name_of(folder)}: {faked} wants to be a folder"


def test_the_domain_uses_no_randomness_no_clock_and_no_input_or_output() -> None:
    wrong = []
    for path in python("referee"):
        if not name_of(path).startswith(PURE) or name_of(path) in NOT_PURE:
            continue
        barred = CHANCE_CLOCK_AND_OUTSIDE - READS_ITS_DATA.get(name_of(path), set())
        wrong += [f"{name_of(path)}: {n}" for n in imported(path) if n.split(".")[0] in barred]
        called = {
            node.func.id
            for node in nodes(path)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        outside = called & {"open", "print", "input", "exec", "eval", "__import__"}
        wrong += [f"{name_of(path)}: {name}" for name in outside]
    assert not wrong


def test_only_a_process_imports_what_composes() -> None:
    paths = [path for path in python(*PACKAGES) if not is_root(path)]
    assert not [
        f"{name_of(path)}: {name}"
        for path in paths
        for name in imported(path)
        if is_within(name, COMPOSITION)
    ]


def test_only_the_write_side_uses_deciders() -> None:
    wrong = []
    for path in python("api", "projections"):
        wrong += [f"{name_of(path)}: {name}" for name in imported(path) if name.endswith(".decide")]
        wrong += [
            f"{name_of(path)}: {node.value.id}.decide"
            for node in nodes(path)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr == "decide"
        ]
    assert not wrong


def test_the_read_side_takes_no_commands_and_refuses_nothing() -> None:
    others = ["referee.aggregates.commands", "referee.errors"]
    paths = python("projections")
    assert not [f"{name_of(p)}: {n}" for p in paths for n in imported(p) if is_within(n, others)]


def calls_of(path: Path, method: str) -> bool:
    """Whether a module calls a method of this name of something called a writer or a log."""
    return f".{method}" in source(path) and any(
        isinstance(node, ast.Attribute)
        and node.attr == method
        and isinstance(node.value, ast.Name | ast.Attribute)
        and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr)
        in ("writer", "_writer", "log", "referee")
        for node in nodes(path)
    )


HANDLERS = "referee/handlers/"


def test_only_handlers_ask_the_writer_to_write() -> None:
    asking = [name_of(path) for path in python(*SOURCES) if calls_of(path, "plan_and_save")]
    assert asking
    assert not [name for name in asking if not name.startswith(HANDLERS)]


LOG_ROOM = "referee/log/"
LOG_TABLES = (
    r"(?i)\b(insert into|replace into|update|delete from)\s+(stored_events|receipts|leaves|tree)\b"
)


def writes_of(module: ast.Module) -> Iterator[str]:
    """Places where a module would write to a log by itself, whatever it calls the log."""
    for node in ast.walk(module):
        match node:
            case ast.Attribute(attr="insert_events" | "_insert_events"):
                yield ast.unparse(node)
            case ast.Attribute(
                attr="put", value=ast.Attribute(attr="events") | ast.Name(id="events")
            ):
                yield ast.unparse(node)
            case ast.Attribute(attr="save", value=value):
                # a QR code is saved to a file
                if not ast.unparse(value).startswith("segno.make("):
                    yield ast.unparse(node)
            case ast.Constant(value=str() as text) if re.search(LOG_TABLES, text):
                yield text


@pytest.mark.parametrize(
    "line",
    [
        "recorder.insert_events(rows)",
        "keep = anything.insert_events",
        "services.referee.events.put(rows)",
        "events.put(rows)",
        "application.save(aggregate)",
        "db.execute('INSERT INTO stored_events VALUES (?)')",
        "db.execute('delete from leaves')",
    ],
)
def test_a_write_to_the_log_is_found_whatever_the_log_is_called(line: str) -> None:
    assert list(writes_of(ast.parse(line)))


def test_only_the_room_of_the_log_writes_to_a_log() -> None:
    paths = [path for path in python(*PACKAGES) if not name_of(path).startswith(LOG_ROOM)]
    assert not [f"{name_of(p)}: {one}" for p in paths for one in writes_of(tree(p))]
    assert "self.events.put" in writes_of(tree(ROOT / LOG_ROOM / "writer.py"))


def test_only_handlers_know_the_writer() -> None:
    knowing = [name_of(p) for p in python(*PACKAGES) if "referee.log.writer.Writer" in imported(p)]
    assert knowing
    others = {"referee/application.py"}
    assert {name for name in knowing if not name.startswith(HANDLERS)} <= others


@cache
def texts() -> list[Path]:
    kinds = (".py", ".js", ".html", ".css")
    found = [p for folder in SOURCES for p in sorted((ROOT / folder).rglob("*"))]
    return [p for p in [*found, *sorted(ROOT.glob("*.py"))] if p.suffix in kinds and is_ours(p)]


def is_ours(path: Path) -> bool:
    others = {"vendor", "golden", "logs", "__pycache__", "node_modules"}
    return not others & set(path.parts)


def test_a_file_holds_one_thing() -> None:
    lines = {path: len(source(path).splitlines()) for path in texts()}
    assert not {name_of(path): n for path, n in lines.items() if n > LONGEST_FILE}


def test_what_tests_share_does_not_grow() -> None:
    shared = [path for path in texts() if ROOT / "tests" / "support" in path.parents]
    assert sum(len(source(path).splitlines()) for path in shared) <= MOST_SUPPORT


def is_dispatch(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a table of cases: one ``match``, with two short statements at most."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    rest = [statement for statement in body if not isinstance(statement, ast.Match)]
    return len(body) == len(rest) + 1 and len(rest) <= 2 and all(map(is_short, rest))


def is_short(statement: ast.stmt) -> bool:
    return (statement.end_lineno or statement.lineno) - statement.lineno < SHORT_STATEMENT


def long_functions(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_dispatch(node):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{name_of(path)}: {node.name} has {lines} lines"


def test_a_function_does_one_thing() -> None:
    paths = [*python(*SOURCES), ROOT / "dev.py"]
    assert not [one for path in paths for one in long_functions(path)]


def test_what_is_switched_off_says_which_check_and_why() -> None:
    wrong = []
    for path in [*python(*SOURCES), ROOT / "dev.py", ROOT / "gunicorn.conf.py"]:
        if not re.search("type:|noqa", source(path), re.IGNORECASE):
            continue
        tokens = tokenize.generate_tokens(StringIO(source(path)).readline)
        comments = [one.string for one in tokens if one.type == tokenize.COMMENT]
        ignored = [c for c in comments if re.match(r"#\s*type:\s*ignore", c)]
        unchecked = [c for c in comments if re.match(r"#\s*(ruff:\s*)?noqa", c, re.IGNORECASE)]
        with_code = r"# type: ignore\[[\w-]+(, ?[\w-]+)*\]  ?# \w"
        with_rule = r"# noqa: [A-Z]+\d+(, ?[A-Z]+\d+)* - \w"
        wrong += [f"{name_of(path)}: {c}" for c in ignored if not re.match(with_code, c)]
        wrong += [f"{name_of(path)}: {c}" for c in unchecked if not re.match(with_rule, c)]
    assert not wrong


def test_no_room_is_called_utils() -> None:
    parts = {part for path in python(*SOURCES) for part in (*path.parts, path.stem)}
    assert not parts & NO_ROOM_IS_CALLED


INSIDE = {"Card", "Suit", "Seat", "Side"}
"""Types in the front of the law; inside, aliases of numbers and texts have the same names."""
FRONT = {"Partida", "Deal", "Outcome"}
"""Classes of the library, for what inside is a state of that name: a player has one word for it."""


def type_name(node: ast.stmt) -> str:
    """Name of the type that a statement of a module defines, else nothing.

    A class, a type alias, a variable of types, or a name in the spelling of types.
    """
    match node:
        case ast.ClassDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
            return "" if name in INSIDE else name
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            is_variable = isinstance(value, ast.Call) and ast.unparse(value.func) == "TypeVar"
            return name if is_variable or re.match("[A-Z]+[a-z]", name) else ""
    return ""


@pytest.mark.parametrize(
    "statement, name",
    [
        ("class Row: pass", "Row"),
        ("Row: TypeAlias = tuple[int, str]", "Row"),
        ("Row = tuple[int, str]", "Row"),
        ("Row = TypeVar('Row')", "Row"),
        ("T = TypeVar('T')", "T"),
        ("ROW = 1", ""),
        ("row = 1", ""),
    ],
)
def test_the_name_of_a_type_is_found_however_it_is_defined(statement: str, name: str) -> None:
    assert type_name(ast.parse(statement).body[0]) == name


def test_a_public_name_of_a_type_exists_once() -> None:
    homes = defaultdict(list)
    for path in python(*PACKAGES):
        for name in filter(None, map(type_name, tree(path).body)):
            is_front = name in FRONT and name_of(path).startswith("referee/library/")
            if not name.startswith("_") and not is_front:
                homes[name].append(name_of(path))
    assert not {name: paths for name, paths in homes.items() if len(paths) > 1}
