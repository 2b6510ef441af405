#!/bin/sh
# merge.sh N: merges the logs of all N shards into collision.jsonl. Fails if a log is incomplete or reports a
# failure.
#SBATCH --job-name=collision-merge
#SBATCH --time=5:00
#SBATCH --output=logs/merge.txt

code=0
: > collision.jsonl
for shard in $(seq "$1"); do
	log=logs/$shard.jsonl
	# The last line sums up. Without it bvbuild did not come to its end.
	case $(tail -n 1 "$log" 2>&1) in
	'{"summary":'*'"code":0,'*) ;;
	'{"summary":'*) code=1 ;;
	*)
		echo "shard $shard of $1 did not come to its end: logs/$shard.txt may say why"
		code=1
		;;
	esac
	[ ! -e "$log" ] || cat "$log" >> collision.jsonl
done
grep '"result":"failed"' collision.jsonl
echo "$(grep -c '^{"input":' collision.jsonl) meshes in $1 shards, $([ $code = 0 ] && echo all well || echo with failures)"
exit $code
