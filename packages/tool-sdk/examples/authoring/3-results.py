import json
import os
import sys

TOOLS = [
    {"name": "list_notes", "summary": "List the notes.", "parameters": {}},
    {
        "name": "replace_word",
        "summary": "Replace a word in a note.",
        "parameters": {name: {"type": "string", "required": True} for name in ("path", "word", "by")},
    },
]


def list_notes():
    names = sorted(name for name in os.listdir() if name.endswith(".md"))
    rows = [{"name": name, "bytes": os.path.getsize(name)} for name in names]
    columns = [{"key": "name"}, {"key": "bytes", "label": "Bytes", "type": "number", "align": "right"}]
    return {
        # A model reads the text, a person sees the table. Both are needed.
        "content": [{"type": "text", "text": "\n".join(f"{row['name']}: {row['bytes']} bytes" for row in rows)}],
        "structuredContent": {"kind": "table", "data": {"columns": columns, "rows": rows}},
    }


def replace_word(path, word, by):
    with open(path, encoding="utf-8", newline="") as file:
        original = file.read()
    modified = original.replace(word, by)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(modified)
    data = {"path": path, "original": original, "modified": modified, "isNew": False}
    return {
        "content": [{"type": "text", "text": f"Replaced {original.count(word)} × {word} in {path}."}],
        "structuredContent": {"kind": "diff", "data": data},
    }


request = json.load(sys.stdin)
if request["context"]["action"] == "schema":
    answer = {"tools": TOOLS}
elif request["tool"]["name"] == "list_notes":
    answer = list_notes()
else:
    answer = replace_word(**request["tool"]["arguments"])
json.dump(answer, sys.stdout)
