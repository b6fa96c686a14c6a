"""Shows in a line that was refused which word is wrong."""

from __future__ import annotations

from wcwidth import wcswidth

from bluebear.clients.sdk import Reply
from bluebear.clients.terminal.secret_lines import masked


def marked(line: str, reply: Reply) -> str:
    """The line with marks below its wrong word; empty where there is no such word to show.

    A line that holds a secret is not said again. Marks are as wide as the signs above them.
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
