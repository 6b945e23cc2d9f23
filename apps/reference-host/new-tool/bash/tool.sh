#!/usr/bin/env bash
# A tool is a program: a JSON request comes on standard input, and plain text on standard output is an answer.
# What it takes of the request stands on its command line, in toolblocks.toml: "{{tool.arguments.who}}".
set -euo pipefail

case "$(cat)" in
'{"context":{"action":"schema"'*)
  cat <<'JSON'
{
  "tools": [
    {
      "name": "TOOL_NAME",
      "summary": "Greet somebody.",
      "description": "One line, in English. Change this text, the parameters, and what is printed below.",
      "parameters": {
        "who": { "type": "string", "summary": "Who is greeted." }
      }
    }
  ]
}
JSON
  ;;
*)
  printf 'Hello, %s!\n' "$1"
  ;;
esac
