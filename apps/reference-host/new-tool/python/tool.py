"""A tool is a program: a JSON request comes on standard input, the answer goes to standard output."""

import json
import sys

DESCRIPTION = {
    "name": "TOOL_NAME",
    "summary": "Greet somebody.",
    "description": "One line, in English. Change this text, the parameters, and what `run` does.",
    "parameters": {
        "who": {"type": "string", "summary": "Who is greeted."},
    },
}


# A table beside "content": "structuredContent": {"kind": "table", "data": {"columns": [{"key": "name"}], "rows": [{"name": "…"}]}}.
# A diff, and complete programs: step 3 of docs/authoring-tools.md of toolblocks.
def run(arguments):
    return {"content": [{"type": "text", "text": f"Hello, {arguments['who']}!"}]}


request = json.load(sys.stdin)
if request["context"]["action"] == "schema":
    answer = {"tools": [DESCRIPTION]}
else:
    answer = run(request["tool"]["arguments"])
json.dump(answer, sys.stdout)
