#!/bin/sh
# Builds all meshes of assets.txt in N tasks, waits for them, and ends with what merge.sh says. submit.sh N
set -eu

mkdir -p logs
rm -f logs/*
array=$(sbatch --parsable --array="1-$1" shard.sh "$1")
# Also after tasks that failed, to say which.
code=0
sbatch --wait --parsable --dependency="afterany:$array" merge.sh "$1" > logs/merge_job || code=$?
cat logs/merge.txt
exit $code
