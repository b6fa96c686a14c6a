"""Prompts for a secret, which is neither shown nor stored in a history."""

from __future__ import annotations

from prompt_toolkit import PromptSession
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output


async def ask_secret(
    question: str, *, source: Input | None = None, screen: Output | None = None
) -> str:
    """The typed secret; "" for nothing, or for the end of input."""
    session: PromptSession[str] = PromptSession(history=DummyHistory(), input=source, output=screen)
    try:
        return await session.prompt_async(question, is_password=True)
    except EOFError:
        return ""
