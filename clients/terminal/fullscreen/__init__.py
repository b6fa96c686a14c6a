"""Full-screen mode: the table at the top, the log in the middle, the input line at the bottom.

`screen_layout` computes the rows, as a pure function of the state and the window's size; `seats`
reads the seats from a view, `refresh` queries the board, `window` is the screen with its keys.
Imports prompt_toolkit and wcwidth. Start with `screen_layout.py`.
"""
