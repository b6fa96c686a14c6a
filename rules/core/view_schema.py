"""The JSON Schema of views, made from the plans that make the views.

A row is an array whose `"x-fields"` name its items. An Owner field is an optional property with
`"x-owner": true`; a Hidden field is left out.
"""

from __future__ import annotations

from typing import Any, Final

from bluebear.rules.core.type_codecs import (
    EnumLeaf,
    Field,
    KeyedPlan,
    Leaf,
    NodePlan,
    OneOf,
    Plan,
    RowPlan,
    TuplePlan,
)
from bluebear.rules.core.visibility import Visibility

Schema = dict[str, Any]  # Any: a plain tree

_LEAVES: Final = {int: "integer", str: "string", bool: "boolean"}


def schema_of(plan: Plan) -> Schema:
    """The JSON Schema of the views that a plan makes. TypeError for an unknown kind of plan."""
    match plan:
        case Leaf():
            return {"type": _LEAVES[plan.kind]}
        case EnumLeaf():
            return {"enum": [member.value for member in plan.kind]}
        case TuplePlan():
            return _array(plan)
        case RowPlan():
            return {**_array(plan.row), "x-fields": list(plan.names)}
        case KeyedPlan():
            return {"type": "object", "additionalProperties": schema_of(plan.value)}
        case NodePlan():
            return _object(plan)
        case OneOf():
            return {"oneOf": [_object(each, name) for name, each in sorted(plan.names.items())]}
        case _:
            raise TypeError(f"no schema for {plan!r}")


def _array(plan: TuplePlan) -> Schema:
    if plan.repeats:
        return {"type": "array", "items": schema_of(plan.items[0])}
    count = len(plan.items)
    items = [schema_of(item) for item in plan.items]
    return {"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}


def _object(plan: NodePlan, name: str = "") -> Schema:
    """The schema of a node; `name` is the value of the key `is` if it is one of several classes."""
    seen = [field for field in plan.listed if field.sight is not Visibility.HIDDEN]
    properties = {field.name: _property(field) for field in seen}
    required = [f.name for f in seen if f.sight is Visibility.PUBLIC and not f.optional]
    if name:
        properties["is"] = {"const": name}
        required.append("is")
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(required),
        "additionalProperties": False,
    }


def _property(field: Field) -> Schema:
    made = schema_of(field.plan)
    return made if field.sight is Visibility.PUBLIC else {**made, "x-owner": True}
