#!/bin/sh
# Runs that end in the middle; see interrupt.py. BV_SHOTS is the number of signals of each kind at random moments, and BV_THOROUGH
# takes larger meshes and all system calls.
exec /usr/bin/python3 "$(dirname "$0")/interrupt.py" "$BUILD" --shots "${BV_SHOTS:-4}" ${SAN:+--sanitized}
