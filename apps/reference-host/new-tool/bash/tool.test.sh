#!/usr/bin/env bash
set -euo pipefail
tool="$(dirname "$0")/TOOL_NAME.sh"

expect() { # WHAT EXPECTED GOT
  if [ "$2" != "$3" ]; then
    printf 'not ok: %s: expected %s, got %s\n' "$1" "$2" "$3" >&2
    exit 1
  fi
  printf 'ok: %s\n' "$1"
}

expect 'greets who is named' 'Hello, Ada!' "$(bash "$tool" Ada <<<'{"context":{"action":"run"}}')"
description="$(bash "$tool" null <<<'{"context":{"action":"schema"}}')"
expect 'says its name' 1 "$(grep -c '"name": "TOOL_NAME"' <<<"$description")"
