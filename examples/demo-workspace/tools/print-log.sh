#!/bin/sh
# The number of lines comes through the command line; see toolblocks.toml.
awk -v lines="$1" 'BEGIN { for (i = 1; i <= lines; i++) printf "%08d lamp on, lamp off\n", i }'
