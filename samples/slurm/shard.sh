#!/bin/sh
# One task of the array: every Nth mesh of the list, from the one on that has the task's number. shard.sh N
#SBATCH --job-name=collision
#SBATCH --cpus-per-task=1
#SBATCH --time=2:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=logs/%a.txt

task=$SLURM_ARRAY_TASK_ID
bvbuild @assets.txt --config collision.json --root meshes -o collision/ --shard "$task/$1" --jobs "$SLURM_CPUS_PER_TASK" \
	--threads 1 --keep-going --quiet --log "logs/$task.jsonl"
code=$?

# Killed, for its memory or with its machine: again, three times at most. What was finished is up to date then.
if [ $code -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
	scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
