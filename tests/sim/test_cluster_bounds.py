"""Bounds that hold although two nodes are asked in the same moment."""

from __future__ import annotations

import asyncio

import pytest

from tests.sim.cluster import cluster
from tests.sim.test_presence import node_of, texts_of, two_at_two_nodes
from tests.sim.virtual_loop import virtual


@pytest.mark.parametrize("apart", [0.0, 0.004])
@virtual
async def test_a_room_is_praised_once_although_two_nodes_are_prompted_at_once(apart: float) -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        dan = await made.person("Dan")
        assert node_of(ayu) != node_of(ben)
        assert (await ayu.line("/newroom manhattan public")).ok
        assert (await ben.line(f"/room {ayu.here}")).ok
        assert (await ben.line("/join")).ok
        lines = [(ayu, ayu.say("/gameyell come", ayu.here))]
        await asyncio.sleep(apart)
        lines.append((ben, ben.say("/gameyell come", ben.here)))
        await asyncio.sleep(10)
        replies = [who.replies[line][0] for who, line in lines]
        assert sorted(reply.code for reply in replies if not reply.ok) == ["too_much"]
        assert len(texts_of(dan, "gameyell")) == 1
