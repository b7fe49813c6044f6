"""openapi.json, made from the endpoints themselves."""

import inspect
import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

import msgspec

import server
from server.web.endpoint import Empty, Endpoint
from server.web.problems import Problem

Json = dict[str, Any]


def document(endpoints: Iterable[Endpoint]) -> Json:
    """The OpenAPI 3.1 description of a table of endpoints."""
    listed = list(endpoints)
    types = list(dict.fromkeys([Problem, *(kind for each in listed for kind in _types(each))]))
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(types, schemas, strict=True))
    paths: dict[str, Json] = {}
    for each in listed:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Heartline",
            "version": version("heartline"),
            "description": inspect.getdoc(server),
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "session"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _types(endpoint: Endpoint) -> list[Any]:
    answers = [kind for kind in endpoint.answers.values() if kind is not None and not isinstance(kind, str)]
    body = [] if endpoint.body in (None, Empty) else [endpoint.body]
    return [*body, *answers, *endpoint.path_types.values()]


def _operation(endpoint: Endpoint, schema_of: Mapping[Any, Json]) -> Json:
    operation: Json = {
        "operationId": endpoint.handler.__name__,
        "summary": (inspect.getdoc(endpoint.handler) or "").partition("\n")[0],
        "parameters": _path_parameters(endpoint, schema_of) + _query_parameters(endpoint),
        "responses": {
            str(status): _response(status, kind, schema_of) for status, kind in endpoint.answers.items()
        },
    }
    operation["responses"]["default"] = _content("application/problem+json", schema_of[Problem], "An error")
    if endpoint.body not in (None, Empty):
        content = {"application/json": {"schema": schema_of[endpoint.body]}}
        operation["requestBody"] = {"required": True, "content": content}
    if endpoint.takes_caller:
        operation["security"] = [{"cookie": []}, {"bearer": []}] + ([] if endpoint.needs_caller else [{}])
    return operation


def _response(status: int, kind: Any, schema_of: Mapping[Any, Json]) -> Json:
    phrase = HTTPStatus(status).phrase
    if kind is None:
        return {"description": phrase}
    if isinstance(kind, str):
        return _content(kind, {"type": "string"}, phrase)
    return _content("application/json", schema_of[kind], phrase)


def _content(media_type: str, schema: Json, description: str) -> Json:
    return {"description": description, "content": {media_type: {"schema": schema}}}


def _path_parameters(endpoint: Endpoint, schema_of: Mapping[Any, Json]) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": schema_of[endpoint.path_types[name]]}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]


def _query_parameters(endpoint: Endpoint) -> list[Json]:
    schema = msgspec.json.schema(endpoint.query)["$defs"][endpoint.query.__name__]
    return [
        {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": each}
        for name, each in schema["properties"].items()
    ]
