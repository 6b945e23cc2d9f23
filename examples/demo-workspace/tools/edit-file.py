#!/usr/bin/env python3
"""Shows a diff and asks before it writes. The answer comes with the second start."""

import difflib
import json
import pathlib
import sys

request = json.load(sys.stdin)
arguments = request["tool"]["arguments"]
path = pathlib.Path(arguments["path"])
before = path.read_text()
after = before.replace(arguments["find"], arguments["replace"])
name = arguments["path"]
diff = "".join(
    difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}", n=1
    )
)
answer = request["tool"]["answers"].get("apply_changes")


def say(text, error=False):
    json.dump({"content": [{"type": "text", "text": text}], "isError": error}, sys.stdout)


if diff == "":
    say(f"{name} does not contain that text.", error=True)
elif answer is None:
    patch = {"uri": path.resolve().as_uri() + ".diff", "mimeType": "text/x-diff", "text": diff}
    question = {
        "id": "apply_changes",
        "text": f"Apply this change to {name}?",
        "schema": {"type": "boolean"},
        "default": True,
    }
    json.dump(
        {
            "content": [
                {"type": "resource", "resource": patch},
                {"type": "question", "question": question},
            ]
        },
        sys.stdout,
    )
elif answer:
    path.write_text(after)
    say(f"Changed {name}.")
else:
    say(f"{name} was left as it is.")
