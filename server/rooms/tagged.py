"""Types of JSON objects that tell by a field which one they are.

What is built as a dict is typed by a TypedDict. But to tell several apart, msgspec wants structs.
"""

from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

FIELD = "game"


def tagged(kind: Any) -> type[msgspec.Struct]:
    """The struct that a TypedDict describes, told by its field `game`, which is one literal text."""
    hints = get_type_hints(kind)
    [tag] = get_args(hints.pop(FIELD))
    fields: list[Any] = [
        (name, hint) if name in kind.__required_keys__ else (name, hint | UnsetType, UNSET)
        for name, hint in hints.items()
    ]
    return msgspec.defstruct(
        kind.__name__, fields, namespace={"__doc__": kind.__doc__}, tag_field=FIELD, tag=tag, kw_only=True
    )
