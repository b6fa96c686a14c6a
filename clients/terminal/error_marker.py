"""Marks the wrong word of a refused line."""

from __future__ import annotations

from wcwidth import wcswidth

from bluebear.clients.sdk import Reply
from bluebear.clients.terminal.secret_lines import masked


def marked(line: str, reply: Reply) -> str:
    """The line with marks below its wrong word; empty if the reply has none.

    A line with a secret is not repeated. Marks are as wide as the characters above them.
    """
    if reply.ok or reply.place is None or masked(line) != line:
        return ""
    start, end = reply.place
    if not 0 <= start < end <= len(line):
        return ""
    before, wrong = wcswidth(line[:start]), wcswidth(line[start:end])
    if before < 0 or wrong < 1:
        return ""
    return f"  {line}\n  {' ' * before}{'^' * wrong}"
