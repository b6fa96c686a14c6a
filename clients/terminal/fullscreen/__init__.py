"""The chat on a whole screen: the table above, the log in the middle, the typed line below.

`drawing` says what stands where, as a pure function of what is known and how large the window is;
`seats` reads a room for it, `lookout` asks the server for the board, `window` is the screen itself
with its keys. Imports prompt_toolkit and wcwidth. Start with `screen_layout.py`.
"""
