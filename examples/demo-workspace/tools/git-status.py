#!/usr/bin/env python3
"""Answers with a value of a kind of its own: a host that does not know the kind shows it by its hints."""

import json
import subprocess

words = ["git", "status", "--porcelain", "--branch", "--untracked-files=no"]
printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
branch, *lines = printed.splitlines()
status = {
    "branch": branch.removeprefix("## "),
    "staged": [line[3:] for line in lines if line[0] != " "],
    "modified": [line[3:] for line in lines if line[1] != " "],
}
paths = ", ".join(line[3:] for line in lines)
answer = {
    "content": [{"type": "text", "text": f"Changed: {paths or 'nothing'}."}],
    "structuredContent": {
        "kind": "git.status",
        "data": status,
        "display": {"preferredView": "tree"},
    },
}
print(json.dumps(answer))
