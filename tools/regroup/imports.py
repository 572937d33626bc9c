"""Imports and strings of one file in the new names."""

from __future__ import annotations

import libcst as cst

from tools.regroup.module_map import PACKAGE, ModuleMap


class Rewriter(cst.CSTTransformer):
    """Rewrites `from … import …` statements, and dotted names in strings and comments.

    Imports within the package, and within the tests, stay relative; a file that moves takes its own new name as start.
    """

    def __init__(self, module: str, modules: ModuleMap, known: set[str], *, package: bool) -> None:
        super().__init__()
        self.module = module
        self.modules = modules
        self.known = known
        self.package = package
        self.home = modules.new_of.get(module, module)
        """The module that this file becomes."""
        self.renamed: dict[str, str] = {
            name: new for (place, name), new in modules.names.items() if place == module and module in modules.new_of
        }
        """Names of this file that have to change: its own, and those of modules that it imports as modules."""

    def visit_Module(self, node: cst.Module) -> None:
        """Find the modules that are imported as such, before any use of their names is met."""
        for statement in _all_imports(node):
            for alias in _aliases(statement):
                old = self._origin(statement, alias)
                if alias.asname is None and old in self.modules.new_of:
                    self.renamed[str(alias.name.value)] = self.modules.new_of[old].rpartition(".")[2]
                new = self.modules.names.get((self._base(statement), str(alias.name.value)))
                if alias.asname is None and new is not None and self._base(statement) in self.modules.new_of:
                    self.renamed[str(alias.name.value)] = new

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        """Use the new name."""
        return updated_node.with_changes(value=self.renamed.get(original_node.value, updated_node.value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        """Leave attributes alone, whatever they are called."""
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        """Leave keywords alone."""
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:
        """Rewrite dotted names in a string."""
        return updated_node.with_changes(value=self.modules.in_text(original_node.value))

    def leave_FormattedStringText(
        self, original_node: cst.FormattedStringText, updated_node: cst.FormattedStringText
    ) -> cst.FormattedStringText:
        """Rewrite dotted names in the text of an f-string."""
        return updated_node.with_changes(value=self.modules.in_text(original_node.value))

    def leave_Comment(self, original_node: cst.Comment, updated_node: cst.Comment) -> cst.Comment:
        """Rewrite dotted names in a comment."""
        return updated_node.with_changes(value=self.modules.in_text(original_node.value))

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.BaseStatement | cst.RemovalSentinel:
        """Take out `if TYPE_CHECKING:` where nothing is left in it."""
        if isinstance(updated_node.body, cst.IndentedBlock) and not updated_node.body.body:
            return cst.RemoveFromParent()
        return updated_node

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine] | cst.RemovalSentinel:
        """Rewrite an import; one statement may become several, or none."""
        statement = original_node.body[0]
        if not isinstance(statement, cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
            return updated_node
        targets = self._targets(statement)
        if targets is None:
            return updated_node.with_changes(body=list(original_node.body))
        if not targets:
            return cst.RemoveFromParent()
        lines = [_line(self._spelled(target), names) for target, names in targets.items()]
        lines[0] = lines[0].with_changes(leading_lines=original_node.leading_lines)
        lines[-1] = lines[-1].with_changes(trailing_whitespace=original_node.trailing_whitespace)
        return cst.FlattenSentinel(lines)

    def _targets(self, statement: cst.ImportFrom) -> dict[str, list[cst.ImportAlias]] | None:
        """New module to what is imported from it; None where nothing of it is ours."""
        base = self._base(statement)
        if base.split(".")[0] not in (PACKAGE, "tests"):
            return None
        found: dict[str, list[cst.ImportAlias]] = {}
        for alias in _aliases(statement):
            name = str(alias.name.value)
            whole = f"{base}.{name}"
            if whole in self.known:
                target, _, new_name = self.modules.new_of.get(whole, whole).rpartition(".")
                inside = self.modules.new_of.get(whole, whole) == self.home
            elif (base, name) in self.modules.moved_names:
                target, new_name = self.modules.moved_names[base, name]
                inside = target == self.home
            else:
                target = self.modules.new_of.get(base, base)
                new_name = self.modules.names.get((base, name), name) if base in self.modules.new_of else name
                inside = target == self.home and base != self.module
            if not inside:
                renamed = alias.with_changes(name=cst.Name(new_name), comma=cst.MaybeSentinel.DEFAULT)
                found.setdefault(target, []).append(renamed)
        return found

    def _base(self, statement: cst.ImportFrom) -> str:
        named = "" if statement.module is None else cst.Module([]).code_for_node(statement.module)
        if not statement.relative:
            return named
        parts = self.module.split(".")
        parts = parts if self.package else parts[:-1]
        parts = parts[: len(parts) - len(statement.relative) + 1]
        return ".".join([*parts, named] if named else parts)

    def _origin(self, statement: cst.ImportFrom, alias: cst.ImportAlias) -> str:
        return f"{self._base(statement)}.{alias.name.value}"

    def _spelled(self, target: str) -> str:
        """The target as this file's new place spells it."""
        here = self.home.split(".")
        there = target.split(".")
        if here[0] != there[0]:
            return target
        here = here if self.package else here[:-1]
        shared = 0
        while shared < min(len(here), len(there)) and here[shared] == there[shared]:
            shared += 1
        return "." * (len(here) - shared + 1) + ".".join(there[shared:])


def _line(module: str, names: list[cst.ImportAlias]) -> cst.SimpleStatementLine:
    listed = ", ".join(cst.Module([]).code_for_node(name) for name in names)
    parsed = cst.parse_statement(f"from {module} import {listed}\n")
    assert isinstance(parsed, cst.SimpleStatementLine)
    return parsed


def _aliases(statement: cst.ImportFrom) -> list[cst.ImportAlias]:
    return [] if isinstance(statement.names, cst.ImportStar) else list(statement.names)


class _Finder(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.ImportFrom] = []

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        self.found.append(node)


def _all_imports(node: cst.Module) -> list[cst.ImportFrom]:
    finder = _Finder()
    node.visit(finder)
    return finder.found
