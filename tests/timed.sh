#!/bin/sh
# The shell of make's recipes: timed.sh TARGET -c COMMAND. Where $TIMES names a folder, it gets a file with the target, the wall
# clock when the command began and ended, and the processor time that it took. tests/slowest.sh reads them. A recipe that only
# calls make again is not recorded, since its parts are.
if [ "$1" = -c ]; then
	exec /bin/sh "$@"
fi
target=$1
shift
case "${TIMES:-}$2" in
/*"--no-print-directory"*) exec /bin/sh "$@" ;;
/*) ;;
*) exec /bin/sh "$@" ;;
esac
read -r began rest < /proc/uptime
/bin/sh "$@"
code=$?
read -r ended rest < /proc/uptime
{ echo "$target $began $ended" && times; } >> "$TIMES/$$" 2> /dev/null
exit $code
