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


# For a table or a diff, add beside "content": "structuredContent": {"kind": "table", "data": {…}}.
# docs/authoring-tools.md of toolblocks has complete programs, in its step 3.
def run(arguments):
    return {"content": [{"type": "text", "text": f"Hello, {arguments['who']}!"}]}


request = json.load(sys.stdin)
if request["context"]["action"] == "schema":
    answer = {"tools": [DESCRIPTION]}
else:
    answer = run(request["tool"]["arguments"])
json.dump(answer, sys.stdout)
