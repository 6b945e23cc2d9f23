#!/bin/sh
# Plain text is an answer too: what a tool prints is what the model gets.
git ls-files
