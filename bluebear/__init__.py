"""The command `bluebear`, with one subcommand for each program.

`__main__` runs the program that the first argument names; its sentences are in `phrases.toml`.
`typescript` writes the page's types, `sdk` is the public name of the client library. These modules
may import server and clients, and no other module imports them.
"""
