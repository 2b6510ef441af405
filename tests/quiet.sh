#!/bin/sh
# Runs a command with its output in a file, which is shown if the command fails: quiet.sh LOG COMMAND...
log=$1
shift
"$@" > "$log" 2>&1 || {
	code=$?
	cat "$log"
	exit $code
}
