#!/bin/sh
# Runs that end in the middle; see interrupt.py. BV_SHOTS is how many signals of each kind at random moments.
exec /usr/bin/python3 "$(dirname "$0")/interrupt.py" "$BUILD" --shots "${BV_SHOTS:-4}" ${SAN:+--sanitized}
