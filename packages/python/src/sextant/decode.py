"""Turns the JSON of an answer into its dataclass. Fields that this version does not know are left out."""

from __future__ import annotations

import dataclasses
import functools
import typing
from typing import Any, Type, TypeVar

from . import answers

T = TypeVar("T")


@functools.lru_cache(maxsize=None)
def _fields(kind: type):
    hints = typing.get_type_hints(kind, vars(answers))
    return [(field.name, field.metadata.get("name", field.name), hints[field.name]) for field in dataclasses.fields(kind)]


def _value(kind: Any, data: Any) -> Any:
    if data is None:
        return None
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return _value(next(argument for argument in arguments if argument is not type(None)), data)
    if origin is list:
        return [_value(arguments[0], item) for item in data]
    if origin is dict:
        return {name: _value(arguments[1], item) for name, item in data.items()}
    return decode(kind, data) if dataclasses.is_dataclass(kind) else data


def decode(kind: Type[T], data: Any) -> T:
    """The answer `data` as a `kind`."""
    return kind(**{own: _value(hint, data[wire]) for own, wire, hint in _fields(kind) if wire in data})
