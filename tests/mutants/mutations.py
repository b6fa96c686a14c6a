"""Small mistakes in a module, each of them one that a test should notice.

`sites` lists every mistake that can be made in a source, in the order of the text; `Site.made_in`
makes one. `choose` picks some of them by a seed, evenly over the kinds, so that equal seeds and
sources give equal mistakes. Nothing else in a source is touched, not even its layout.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

COMPARE: Final = "compare"
CONSTANT: Final = "constant"
LOGIC: Final = "logic"
DROP: Final = "drop"
BRANCH: Final = "branch"
MARKER: Final = "marker"

KINDS: Final[Mapping[str, str]] = {
    COMPARE: "a comparison is flipped, or is off by the equal case",
    CONSTANT: "a whole number is one more or one less",
    LOGIC: "`and` for `or`, or the other way round",
    DROP: "a statement is left out",
    BRANCH: "the branches of an `if` are swapped",
    MARKER: "a marker of who sees what is left out, or says that everybody does",
}

_FLIPPED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

_MARKER_LINES: Final = frozenset({"sight", "reveals"})
_MARKERS: Final = frozenset({"Owner", "Hidden"})

_Node = TypeVar("_Node", bound=ast.expr | ast.stmt)


@dataclass(frozen=True, slots=True)
class Site:
    """One mistake: the bytes `start` to `end` of the file become `after`."""

    file: str
    function: str
    """The qualified name of what it is in; empty at the top of the module."""
    kind: str
    line: int
    before: str
    after: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """What is said instead of what."""
        return f"{_short(self.before)} -> {_short(self.after)}"

    def made_in(self, source: str) -> str:
        """The source with this mistake."""
        raw = source.encode()
        return (raw[: self.start] + self.after.encode() + raw[self.end :]).decode()


def _short(text: str) -> str:
    tokens = " ".join(text.split())
    return tokens if len(tokens) <= 120 else f"{tokens[:117]}..."


def sites(source: str, file: str) -> list[Site]:
    """Every mistake that can be made in a source, in the order of the text."""
    results = list(_Finder(source, file).all())
    results.sort(key=lambda site: (site.start, site.end, site.kind, site.after))
    return results


def choose(candidates: Iterable[Site], count: int, seed: str) -> list[Site]:
    """Some of the mistakes: the kinds in turn, within a kind at random."""
    chance = random.Random(seed)
    kinds: dict[str, list[Site]] = {kind: [] for kind in KINDS}
    for site in candidates:
        kinds[site.kind].append(site)
    for listed in kinds.values():
        chance.shuffle(listed)
    chosen: list[Site] = []
    while len(chosen) < count and any(kinds.values()):
        for listed in kinds.values():
            if listed and len(chosen) < count:
                chosen.append(listed.pop())
    return chosen


class _Finder:
    """Walks one module; owned by the call of `sites`."""

    def __init__(self, source: str, file: str) -> None:
        self._raw = source.encode()
        self._module = ast.parse(source)
        self._file = file
        self._starts = [0]
        for line in self._raw.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def all(self) -> Iterator[Site]:
        yield from self._body(self._module, "")

    def _body(self, node: ast.AST, name: str) -> Iterator[Site]:
        """The mistakes below a node that stands in `name`."""
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}" if name else child.name
            if isinstance(child, ast.ClassDef):
                yield from self._markers(child, inner)
            if not _is_left_alone(child, node):
                yield from self._here(child, node, inner)
                yield from self._body(child, inner)

    def _here(self, node: ast.AST, parent: ast.AST, name: str) -> Iterator[Site]:
        match node:
            case ast.Compare(ops=[operator]):
                made = ast.Compare(node.left, [_FLIPPED[type(operator)]()], node.comparators)
                yield self._site(node, name, COMPARE, f"({ast.unparse(made)})")
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                yield self._site(node, name, CONSTANT, str(number + 1))
                if number > 0:
                    yield self._site(node, name, CONSTANT, str(number - 1))
            case ast.BoolOp():
                other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                made_other = ast.BoolOp(other, node.values)
                yield self._site(node, name, LOGIC, f"({ast.unparse(made_other)})")
            case ast.If(test=test) | ast.IfExp(test=test):
                yield self._site(test, name, BRANCH, f"(not ({ast.unparse(test)}))")
            case ast.stmt() if name and _may_be_dropped(node, parent):
                yield self._site(node, name, DROP, "pass")
            case _:
                pass

    def _markers(self, cls: ast.ClassDef, name: str) -> Iterator[Site]:
        for statement in cls.body:
            if not isinstance(statement, ast.AnnAssign | ast.Assign):
                continue
            target = statement.target if isinstance(statement, ast.AnnAssign) else None
            term = target or (statement.targets[0] if isinstance(statement, ast.Assign) else None)
            if isinstance(term, ast.Name) and term.id in _MARKER_LINES:
                yield self._site(statement, name, MARKER, "pass")
            elif isinstance(statement, ast.AnnAssign):
                for each in ast.walk(statement.annotation):
                    if isinstance(each, ast.Name) and each.id in _MARKERS:
                        yield self._site(each, name, MARKER, "Public", shown=statement)

    def _site(
        self, node: _Node, name: str, kind: str, after: str, *, shown: ast.stmt | None = None
    ) -> Site:
        start, end = self._span(node)
        before = self._raw[start:end].decode()
        if shown is not None:
            # The name alone says nothing: the whole field is taken instead of it.
            first, last = self._span(shown)
            after = (self._raw[first:start] + after.encode() + self._raw[end:last]).decode()
            start, end, before = first, last, self._raw[first:last].decode()
        return Site(self._file, name, kind, node.lineno, before, after, start, end)

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset


def _is_left_alone(node: ast.AST, parent: ast.AST) -> bool:
    """Annotations, assertions and imports; and the parts of an f-string, whose places are wrong."""
    if isinstance(node, ast.JoinedStr | ast.Assert | ast.Import | ast.ImportFrom | ast.arguments):
        return True
    if isinstance(parent, ast.AnnAssign):
        return node is parent.annotation
    if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
        return node is parent.returns or node in parent.decorator_list
    if isinstance(parent, ast.ClassDef):
        return node in parent.decorator_list
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _may_be_dropped(node: ast.stmt, parent: ast.AST) -> bool:
    """Whether leaving out a statement is a mistake that a reader would not see at once."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Assign(targets=[ast.Name(id=name)]):
            return _is_set_before(name, node, parent)
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
        case ast.Return():
            return isinstance(parent, ast.If)
        case _:
            return False


def _is_set_before(name: str, node: ast.stmt, parent: ast.AST) -> bool:
    """Whether a name has a value without this statement: it stands below an `if` or a loop."""
    if isinstance(parent, ast.If | ast.For | ast.While):
        return True
    before: Sequence[ast.stmt] = getattr(parent, "body", ())
    for each in before:
        if each is node:
            return False
        if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(each)):
            return True
    return False


__all__ = ["KINDS", "Site", "choose", "sites"]
