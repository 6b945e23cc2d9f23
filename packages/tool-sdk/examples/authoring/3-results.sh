#!/bin/sh
# jq reads the request, and writes every value as valid JSON.
set -eu
request=$(cat)
get() { printf '%s' "$request" | jq -r "$1"; }

if [ "$(get .context.action)" = schema ]; then
  cat <<'END'
{"tools": [
  {"name": "list_notes", "summary": "List the notes.", "parameters": {}},
  {"name": "replace_word", "summary": "Replace a word in a note.", "parameters": {
    "path": {"type": "string", "required": true},
    "word": {"type": "string", "required": true},
    "by": {"type": "string", "required": true}}}]}
END
elif [ "$(get .tool.name)" = list_notes ]; then
  for name in *.md; do
    [ ! -f "$name" ] || jq -n --arg name "$name" --argjson bytes "$(wc -c <"$name")" '{$name, $bytes}'
  done | jq -s '{
    content: [{type: "text", text: (map("\(.name): \(.bytes) bytes") | join("\n"))}],
    structuredContent: {kind: "table", data: {
      columns: [{key: "name"}, {key: "bytes", label: "Bytes", type: "number", align: "right"}],
      rows: .}}}'
else
  path=$(get .tool.arguments.path)
  answer=$(printf '%s' "$request" | jq --rawfile original "$path" '.tool.arguments as {$path, $word, $by}
    | ($original | split($word)) as $parts | {
      content: [{type: "text", text: "Replaced \($parts | length - 1) × \($word) in \($path)."}],
      structuredContent: {kind: "diff", data: {$path, $original, modified: ($parts | join($by)), isNew: false}}}')
  printf '%s' "$answer" | jq -j .structuredContent.data.modified >"$path"
  printf '%s\n' "$answer"
fi
