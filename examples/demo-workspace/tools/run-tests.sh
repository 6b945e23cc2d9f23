#!/bin/sh
# A failure needs nothing special either: an exit code, and a word on stderr.
echo "running 2 tests"
echo "test blink_is_short ... FAILED"
echo "test lamp_is_on ... ok"
echo "error: 1 test failed" >&2
exit 101
