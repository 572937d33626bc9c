"""Several modules as one: one docstring, one block of imports, then each body, the imported ones first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

import libcst as cst

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def joined(parts: list[tuple[str, str]], first_line: str) -> str:
    """The text of a new module.

    Args:
        parts: old name and rewritten text of each module that it is made of, the main one first.
        first_line: what its docstring says first.
    """
    if len(parts) == 1:
        return parts[0][1]
    pieces = [_Piece(old, cst.parse_module(text)) for old, text in parts]
    head = [line for piece in pieces for line in piece.imports]
    typed = [line for piece in pieces for line in piece.typed]
    body: list[Statement] = [*head]
    if typed:
        body.append(cst.If(cst.Name("TYPE_CHECKING"), cst.IndentedBlock(typed)))
    seen: set[str] = set()
    for piece in _ordered(pieces):
        piece.without(seen)
        seen |= piece.names
        body += piece.rest_with_heading(main=piece is pieces[0])
    code = cst.Module(body).code
    docstring = _docstring(first_line, pieces)
    return f'"""{docstring}"""\n\n' + (f"from __future__ import annotations\n\n{code}" if _future(pieces) else code)


class _Piece:
    def __init__(self, old: str, tree: cst.Module) -> None:
        self.old = old
        self.docstring = ast.get_docstring(ast.parse(tree.code)) or ""
        self.future = False
        self.imports: list[cst.SimpleStatementLine] = []
        self.typed: list[Statement] = []
        self.rest: list[Statement] = []
        for place, statement in enumerate(tree.body):
            self._sort(place, statement)
        self.names = _bound(self.rest)
        self.imported = _imported([*self.imports, *self.typed])

    def _sort(self, place: int, statement: Statement) -> None:
        first = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if place == 0 and isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString):
            return
        if isinstance(first, cst.ImportFrom) and _names_future(first):
            self.future = True
        elif isinstance(statement, cst.SimpleStatementLine) and isinstance(first, cst.Import | cst.ImportFrom):
            self.imports.append(statement.with_changes(leading_lines=_comments(statement)))
        elif isinstance(statement, cst.If) and _is_type_checking(statement):
            self.typed += statement.body.body  # type: ignore[arg-type]
        else:
            self.rest.append(statement)

    def code_of(self, name: str) -> str:
        """The statement that defines a name, without its comments."""
        for node in ast.parse(cst.Module(self.rest).code).body:
            bound = {getattr(node, "name", None)} | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            if name in bound:
                return ast.unparse(node)
        return ""

    def without(self, names: set[str]) -> None:
        """Drop functions and values that an earlier part defines alike."""
        self.rest = [line for line in self.rest if not (_bound([line]) and _bound([line]) <= names)]

    def rest_with_heading(self, *, main: bool) -> list[Statement]:
        """The body; that of a further part begins with what its docstring said first."""
        if main or not self.rest:
            return self.rest
        first = self.rest[0]
        words = self.docstring.split("\n")[0]
        blank = cst.EmptyLine(indent=False)
        heading = [blank, blank, cst.EmptyLine(comment=cst.Comment(f"# {words}")), blank]
        kept = _comments(first)
        return [first.with_changes(leading_lines=[*heading, *kept]), *self.rest[1:]]


def _names_future(statement: cst.ImportFrom) -> bool:
    return isinstance(statement.module, cst.Name) and statement.module.value == "__future__"


def _is_type_checking(statement: cst.If) -> bool:
    named = isinstance(statement.test, cst.Name) and statement.test.value == "TYPE_CHECKING"
    return named and statement.orelse is None


def _comments(statement: Statement) -> list[cst.EmptyLine]:
    lines = getattr(statement, "leading_lines", ())
    return [line for line in lines if line.comment is not None]


def _future(pieces: list[_Piece]) -> bool:
    return any(piece.future for piece in pieces)


def _docstring(first: str, pieces: list[_Piece]) -> str:
    further = ["\n".join(piece.docstring.split("\n")[1:]).strip() for piece in pieces]
    text = "\n\n".join([first, *(words for words in further if words)])
    return text if "\n" not in text else f"{text}\n"


def _ordered(pieces: list[_Piece]) -> list[_Piece]:
    """Each part after the parts whose names its own top level needs as soon as it is loaded."""
    waiting, placed = list(pieces), []
    while waiting:
        for piece in waiting:
            needed = _used_at_load(piece.rest)
            others = [other for other in waiting if other is not piece]
            if not any(needed & other.names for other in others):
                break
        else:
            piece = waiting[0]
        waiting.remove(piece)
        placed.append(piece)
    return placed


def _used_at_load(rest: list[Statement]) -> set[str]:
    """Names that are looked up while the module loads: outside of functions, and not in annotations alone."""
    tree = ast.parse(cst.Module(rest).code)
    found: set[str] = set()

    def walk(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in [*node.decorator_list, *node.args.defaults, *[d for d in node.args.kw_defaults if d]]:
                walk(part)
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Name):
            found.add(node.id)
        for child in ast.iter_child_nodes(node):
            walk(child)

    walk(tree)
    return found


def _bound(rest: list[Statement]) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(cst.Module(rest).code).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            stored = [n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            found |= {name.id for name in stored}
    return found


def _imported(lines: list[Statement]) -> dict[str, str]:
    """Imported name to where it comes from."""
    found = {}
    for node in ast.walk(ast.parse(cst.Module(lines).code)):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = f"{'.' * node.level}{node.module or ''}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name] = alias.name
    return found


def refuse_clashes(groups: dict[str, list[tuple[str, str]]]) -> None:
    """Stop before anything is written where joined modules use one name for two things.

    Raises:
        SystemExit: with every clash; `names.txt` has to rename one of each pair.
    """
    found = []
    for target, parts in groups.items():
        pieces = [_Piece(old, cst.parse_module(text)) for old, text in parts] if len(parts) > 1 else []
        found += [f"{target}: {clash}" for clash in _clashes(pieces)]
    if found:
        raise SystemExit("one name for two things; rename one of each pair in names.txt:\n  " + "\n  ".join(found))


def _clashes(pieces: list[_Piece]) -> Iterator[str]:
    for one, other in combinations(pieces, 2):
        for name in sorted(one.names & other.names):
            if one.code_of(name) != other.code_of(name):
                yield f"{other.old}:{name} is defined in {one.old} too"
        for left, right in ((one, other), (other, one)):
            for name in sorted(left.names & set(right.imported)):
                yield f"{left.old}:{name} is imported in {right.old}"
        for name in sorted(set(one.imported) & set(other.imported)):
            if one.imported[name] != other.imported[name]:
                yield f"{one.old}:{name} is {one.imported[name]}, in {other.old} it is {other.imported[name]}"
