"""Links between our own processes: edges, which have connections, and engines, which have rooms.

`frames` are what crosses, `wire` carries it, `inward` is an engine's side, `outward` an edge's;
`owning` says which rooms are whose. In one process nothing of this runs: there the edge calls the
engine. Start reading at `frames.py`.
"""
