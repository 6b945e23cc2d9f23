#!/bin/sh
rm -- "$1" && echo "Deleted $1."
