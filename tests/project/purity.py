"""What is impure in the source of a rule engine? A reader of syntax trees.

It sees what an import contract cannot: clocks, randomness, the environment, files, floats that
may reach a result, and orders that differ from process to process.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

# The pure part of the standard library: same arguments, same results, nothing touched.
# fmt: off
PURE_MODULES: Final = frozenset({
    "__future__", "abc", "array", "base64", "binascii", "bisect", "collections", "contextlib",
    "copy", "dataclasses", "difflib", "enum", "fnmatch", "fractions", "functools", "graphlib",
    "hashlib", "heapq", "hmac", "importlib", "itertools", "json", "keyword", "math", "numbers",
    "operator", "re", "string", "struct", "textwrap", "tomllib", "types", "typing",
    "unicodedata", "zlib",
})
# fmt: on

# Exact members of modules that also have others; `fnmatch.fnmatch` asks the system about case.
EXACT_MEMBERS: Final[Mapping[str, frozenset[str]]] = {
    "fnmatch": frozenset({"fnmatchcase"}),
    "math": frozenset({"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}),
    "importlib": frozenset({"import_module", "resources"}),
}

IMPURE_CALLS: Final[Mapping[str, str]] = {
    "open": "files are read by rules/core/package_data.py only",
    "input": "rules do not ask anybody",
    "print": "rules answer by their results",
    "eval": "no code from texts",
    "exec": "no code from texts",
    "__import__": "imports stand at the top",
    "float": "floats do not reach a result",
    "hash": "differs from process to process",
    "id": "differs from process to process",
}

# What these make of an unordered collection does not depend on its order.
ORDERLESS: Final = frozenset(
    {"all", "any", "frozenset", "len", "max", "min", "set", "sorted", "sum", "Counter"}
)
# What these make of one does: of all their arguments, or of the first.
SHOW_ALL: Final = frozenset({"chain", "enumerate", "iter", "list", "tuple", "zip"})
SHOW_FIRST: Final = frozenset({"extend", "fromkeys", "join", "next"})
SET_TYPES: Final = frozenset({"set", "frozenset", "AbstractSet", "Set", "MutableSet"})
SET_METHODS: Final = frozenset({"union", "intersection", "difference", "symmetric_difference"})
SET_OPERATORS: Final = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One impure place."""

    line: int
    kind: str
    why: str


def faults(source: str, *, set_names: frozenset[str] = frozenset()) -> list[Fault]:
    """Everything impure in a module, in order; `set_names` are functions known to give sets."""
    tree = ast.parse(source)
    aliases = _set_aliases(tree)
    registered = set_names | set_functions(source)
    problems = [
        *_import_faults(tree),
        *_value_faults(tree),
        *_order_faults(tree, aliases, registered),
    ]
    return sorted(set(problems))


def set_functions(source: str) -> frozenset[str]:
    """The names of the functions and fields of a module that are declared to be sets."""
    tree = ast.parse(source)
    aliases = _set_aliases(tree)
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and _is_set_type(node.returns, aliases):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and _is_set_type(field.annotation, aliases):
                    names.add(ast.unparse(field.target))
    return frozenset(names)


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every module that is imported, with the line; `from a import b` counts as `a`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or "."


def _import_faults(tree: ast.AST) -> Iterator[Fault]:
    for line, name in imported(tree):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names and top not in PURE_MODULES:
            yield Fault(line, top, "not of the pure part of the standard library")
        elif top not in sys.stdlib_module_names and top not in ("bluebear", "tests"):
            yield Fault(line, top, "rules import the standard library and bluebear.rules.core")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in EXACT_MEMBERS:
            for alias in node.names:
                if alias.name not in EXACT_MEMBERS[node.module or ""]:
                    yield Fault(node.lineno, f"{node.module}.{alias.name}", "not exact")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            members = EXACT_MEMBERS.get(node.value.id)
            if members is not None and node.attr not in members:
                yield Fault(node.lineno, f"{node.value.id}.{node.attr}", "not exact")


def _value_faults(tree: ast.AST) -> Iterator[Fault]:
    hashing = {
        child
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "__hash__"
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield Fault(node.lineno, "float", "floats do not reach a result")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield Fault(node.lineno, "/", "true division makes floats; use // or Fraction")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in IMPURE_CALLS and not (name == "hash" and node in hashing):
                yield Fault(node.lineno, f"{name}()", IMPURE_CALLS[name])


def _order_faults(
    tree: ast.Module, aliases: frozenset[str], set_names: frozenset[str]
) -> Iterator[Fault]:
    """Iterations over sets, except where the order cannot be seen."""
    for scope in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]:
        local = _set_variables(scope, aliases, set_names)
        orderless = {
            argument
            for node in _nodes_of(scope)
            if isinstance(node, ast.Call) and _called(node) in ORDERLESS
            for argument in node.args
            if not any(keyword.arg == "key" for keyword in node.keywords)
            or _called(node) == "sorted"
        }
        for node in _nodes_of(scope):
            for walked in _walked(node):
                if (
                    node not in orderless
                    and walked not in orderless
                    and _is_set(walked, local, set_names)
                ):
                    yield Fault(walked.lineno, "set order", "wrap it in sorted()")


def _walked(node: ast.AST) -> list[ast.expr]:
    """The expressions whose order this node shows."""
    if isinstance(node, ast.For):
        return [node.iter]
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp):
        return [generator.iter for generator in node.generators]
    if isinstance(node, ast.Starred | ast.YieldFrom):
        return [node.value]
    if not isinstance(node, ast.Call):
        return []
    if _called(node) in SHOW_ALL:
        return list(node.args)
    if _called(node) in ("max", "min") and node.keywords:  # equals by the key: the first one wins
        return list(node.args)
    return list(node.args[:1]) if _called(node) in SHOW_FIRST else []


def _nodes_of(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of the functions in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef):
            yield from _nodes_of(child)


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _is_set(node: ast.expr, local: frozenset[str], set_names: frozenset[str]) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.Name):
        return node.id in local
    if isinstance(node, ast.Attribute):
        return node.attr in set_names
    if isinstance(node, ast.BinOp) and isinstance(node.op, SET_OPERATORS):
        return _is_set(node.left, local, set_names) or _is_set(node.right, local, set_names)
    if isinstance(node, ast.IfExp):
        return _is_set(node.body, local, set_names) or _is_set(node.orelse, local, set_names)
    return isinstance(node, ast.Call) and _called(node) in {*SET_TYPES, *SET_METHODS, *set_names}


def _set_variables(
    scope: ast.AST, aliases: frozenset[str], set_names: frozenset[str]
) -> frozenset[str]:
    """Names that are sets in a scope: declared, or assigned from something that is one."""
    names: set[str] = set()
    if isinstance(scope, ast.FunctionDef):
        arguments = scope.args.posonlyargs + scope.args.args + scope.args.kwonlyargs
        names |= {each.arg for each in arguments if _is_set_type(each.annotation, aliases)}
    for node in _nodes_of(scope):
        if isinstance(node, ast.AnnAssign) and _is_set_type(node.annotation, aliases):
            names.add(ast.unparse(node.target))
        elif isinstance(node, ast.Assign) and _is_set(node.value, frozenset(names), set_names):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)


def _set_aliases(tree: ast.Module) -> frozenset[str]:
    """`Eyes = frozenset[Seat]` makes `Eyes` the name of a set, here and where it is imported."""
    made = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and _is_set_type(node.value, frozenset())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return frozenset(made | {"Eyes"})


def _is_set_type(node: ast.expr | None, aliases: frozenset[str]) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _is_set_type(ast.parse(node.value, mode="eval").body, aliases)
    if isinstance(node, ast.Subscript):
        return _is_set_type(node.value, frozenset())
    if isinstance(node, ast.Name):
        return node.id in SET_TYPES or node.id in aliases
    return isinstance(node, ast.Attribute) and node.attr in SET_TYPES
