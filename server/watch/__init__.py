"""What only the operator of a server sees of it: figures, at an address of their own.

`figures` says how much there is of what, `exposition` how that is written, `port` who may ask.
"""
