#!/bin/sh
# Checks that the code follows the table of rooms in docs/architecture.md: see rooms.py. $BUILD is the folder of the build.
exec /usr/bin/python3 "$(dirname "$0")/rooms.py" "$@"
