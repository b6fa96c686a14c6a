"""The bounds of frames, with the reason for each."""

from typing import Final

INTEGER_MAX: Final = 2**53 - 1
"""The largest whole number that every JSON reader (a browser's too) holds exactly."""

CLIENT_NESTING_MAX: Final = 16
"""Containers inside containers in a client's frame; the deepest message has two."""

SERVER_NESTING_MAX: Final = 64
"""The same for a server's frame: views are shallow, but `game` carries a schema."""

CLIENT_STRING_MAX_BYTES: Final = 8192
"""One msgpack string of a client: the longest line (2,000 code points) in UTF-8."""

CLIENT_ITEMS_MAX: Final = 32
"""Items of one msgpack array or map of a client. The decoder reserves what is declared,
so without this bound 3 KiB of nested headers would reserve 500 MiB."""

SAY_ID_MAX: Final = 32
"""Characters of `say.id`: 12 random bytes in base64 and a counter fit."""

SAY_TEXT_MAX: Final = 2000
"""Code points of a typed line: a pasted paragraph still gets a sentence as its refusal."""

NAME_MAX: Final = 1000
"""Code points of `hello.name`; the server refuses a bad name with a sentence."""

TOKEN_MAX: Final = 256
"""Characters of a token; ours are shorter, tokens of other issuers may be longer."""

AGENT_MAX: Final = 64
"""Characters of the client program's own name and version."""

LANGS_MAX: Final = 8
"""Languages listed by one client; there are two, repeated ones are harmless."""

ASK_ARGUMENTS_MAX: Final = 16
"""Named arguments of one `ask`."""

ASK_KEY_MAX: Final = 32
"""Characters of an argument's name."""

ENTRY_PASSWORD_MAX = 200
"""Characters of the password that a server may ask newcomers for."""
