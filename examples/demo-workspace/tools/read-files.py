#!/usr/bin/env python3
"""Reads files as resources: the host knows what they are, and decides how to show them."""

import base64
import json
import mimetypes
import pathlib
import sys

DESCRIPTION = {
    "name": "read_files",
    "summary": "Read files as resources, with their uri and type.",
    "examples": '`{"paths": ["README.md"]}` reads one file.',
    "parameters": {
        "paths": {
            "type": "array",
            "items": {"type": "string"},
            "summary": "Paths relative to the workspace.",
        },
    },
}

request = json.load(sys.stdin)
if request["context"]["action"] == "schema":
    json.dump({"tools": [DESCRIPTION]}, sys.stdout)
    sys.exit()

root = pathlib.Path(request["context"]["root"])
content, missing = [], []

for name in request["tool"]["arguments"]["paths"]:
    path = root / name
    if not path.is_file():
        missing.append(name)
        continue
    data = path.read_bytes()
    resource = {"uri": path.as_uri()}
    kind = {".rs": "text/rust"}.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    if kind:
        resource["mimeType"] = kind
    try:
        resource["text"] = data.decode("utf-8")
    except UnicodeDecodeError:
        resource["blob"] = base64.b64encode(data).decode("ascii")
    content.append({"type": "resource", "resource": resource})

if missing:
    content.append({"type": "text", "text": "No such file: " + ", ".join(missing)})
json.dump({"content": content, "isError": bool(missing)}, sys.stdout)
