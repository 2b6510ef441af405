#!/bin/sh
# samples/slurm on Debian's own Slurm: controller, node and munge as daemons of whoever runs this, in the scratch folder, on ports of
# the loopback device that are free. In a job array, by GNU parallel and in one plain call the files are the same bytes; a mesh
# that fails makes all of it fail; a task that is killed begins again and changes nothing.
. "$(dirname "$0")/lib.sh"
use_installed
PATH=$PATH:/usr/sbin
needs munged slurmctld slurmd sbatch parallel /usr/bin/python3
cluster=$scratch/cluster
daemons=

# with_slurm COMMAND...: one that talks to this cluster, and no longer than a minute.
with_slurm()
{
	SLURM_CONF=$cluster/slurm.conf timeout -k 5 60 "$@"
}

# has NAME=VALUE PROCESS: whether a process was begun with that in its environment.
has()
{
	tr '\0' '\n' 2> "$scratch/gone" < "/proc/$2/environ" | grep -qxF "$1"
}

# Whatever was begun here has the cluster's configuration in its environment: daemons, steps and what they run.
find_left()
{
	for folder in /proc/[0-9]*; do
		if has "SLURM_CONF=$cluster/slurm.conf" "${folder#/proc/}"; then
			echo "${folder#/proc/}"
		fi
	done 2> "$scratch/gone"
}

# Slurm's own way first, so that no step outlives its daemon; then by number, whatever is left.
stop_cluster()
{
	if [ -n "$daemons" ]; then
		with_slurm scancel --me --full > "$scratch/gone" 2>&1
		wait_until 10 nothing_runs
		# shellcheck disable=SC2086
		kill $daemons 2> "$scratch/gone"
		wait_until 10 nothing_left || kill -KILL $(find_left) $daemons 2> "$scratch/gone"
		daemons=
	fi
}
nothing_runs()
{
	[ -z "$(with_slurm squeue -h -t RUNNING,COMPLETING 2>&1)" ]
}
nothing_left()
{
	[ -z "$(find_left)" ]
}
trap 'stop_cluster; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# wait_until SECONDS COMMAND...: tries every tenth of a second, and says whether it came true.
wait_until()
{
	tries=$(($1 * 10))
	shift
	while ! "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# begin NAME READY COMMAND...: a daemon, for which READY has to come true within half a minute.
begin()
{
	name=$1
	ready=$2
	shift 2
	SLURM_CONF=$cluster/slurm.conf "$@" > "$cluster/$name.out" 2>&1 < /dev/null &
	daemon=$!
	daemons="$daemons $daemon"
	wait_until 30 ready_or_dead
	if ! "$ready"; then
		tail -n 20 "$cluster/$name.out" "$cluster/$name.log" 2> "$scratch/gone" | sed 's/^/    /'
		fail "$name has ended, or is not ready after half a minute"
		finish
	fi
}
ready_or_dead()
{
	! kill -0 "$daemon" 2> "$scratch/gone" || "$ready"
}
munge_is_ready()
{
	munge --socket="$cluster/munge/socket" --no-input 2> "$scratch/gone" > "$scratch/credential"
}
controller_is_ready()
{
	with_slurm scontrol ping 2> "$scratch/gone" | grep -q 'is UP'
}
node_is_ready()
{
	[ "$(with_slurm sinfo -h -o %T 2> "$scratch/gone")" = idle ]
}

# One machine that is controller and node. It has no systemd and no control groups, accounts for nothing, and looks for work every
# second. A task that begins again has to wait until the credential of its first run is out of date: cred_expire, of which less than
# 5 seconds count as 120.
start_cluster()
{
	chmod 711 "$scratch"
	mkdir "$cluster" "$cluster/munge" "$cluster/state" "$cluster/spool"
	chmod 711 "$cluster" "$cluster/munge"
	head -c 128 /dev/urandom > "$cluster/munge/key"
	chmod 600 "$cluster/munge/key"
	user=$(id -un)
	# shellcheck disable=SC2046
	set -- $(/usr/bin/python3 -c 'import socket
a, b = socket.socket(), socket.socket()
a.bind( ( "127.0.0.1", 0 ) ), b.bind( ( "127.0.0.1", 0 ) )
print( a.getsockname()[1], b.getsockname()[1] )')
	cat > "$cluster/slurm.conf" <<END
ClusterName=scratch
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$2
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
PlugStackConfig=/dev/null
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=5
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
END
	begin munged munge_is_ready munged --foreground --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
		--pid-file="$cluster/munge/pid" --seed-file="$cluster/munge/seed" --log-file="$cluster/munge/log"
	begin slurmctld controller_is_ready slurmctld -D -c -f "$cluster/slurm.conf"
	begin slurmd node_is_ready slurmd -D -N localhost -f "$cluster/slurm.conf"
}

# The files that a call has made, by name and content.
list_files()
{
	(cd "$1" && find . -type f | LC_ALL=C sort | while read -r name; do md5sum "$name"; done)
}

# names LOG: what a log tells of each mesh, without times.
tell()
{
	sed -n 's/^{"input":"\([^"]*\)".*"result":"\([^"]*\)".*/\1 \2/p' "$1" | LC_ALL=C sort
}

recipe slurm
# In this cluster's environment, and with a limit that no test should come near.
submit()
{
	SLURM_CONF=$cluster/slurm.conf timeout -k 5 180 sh -c "$1"
}

# More than there are tasks, of other sizes.
"$BUILD/make_samples" meshes > "$scratch/made"
for mesh in crate cup stair; do
	echo "meshes/$mesh.obj" >> assets.txt
done
bvbuild @assets.txt --config collision.json --root meshes -o "$scratch/plain" --quiet --threads 1 --jobs 1 --log plain.jsonl
check 'a plain call builds all' test $? = 0
list_files "$scratch/plain" > plain
check 'six files' test "$(wc -l < plain)" = 6

# GNU parallel.
run 0 sh parallel.sh 3
check 'parallel says so' grep -qx '6 meshes in 3 shards, all well' "$scratch/out"
list_files collision > parallel
check 'parallel makes the same bytes' diff plain parallel
tell plain.jsonl > told
check 'parallel logs the same' test "$(tell collision.jsonl)" = "$(cat told)"
rm -rf collision logs collision.jsonl

# The job array, from the README's line.
start_cluster
run 0 submit "$(first_command slurm)"
check 'the array says so' grep -qx '6 meshes in 2 shards, all well' "$scratch/out"
list_files collision > array
check 'the array makes the same bytes' diff plain array
check 'the array logs the same' test "$(tell collision.jsonl)" = "$(cat told)"
check 'every task has a log of its own' test "$(find logs -name '[0-9]*.jsonl' | wc -l)" = 2

# More tasks than meshes, again: nothing is built anew, and empty shards do no harm.
run 0 submit 'sh submit.sh 8'
check 'all is up to date' test "$(tell collision.jsonl | grep -c ' up to date$')" = 6
list_files collision > array
check 'nothing has changed' diff plain array

# One mesh that fails: the others are built, the merged result fails and names it.
cp assets.txt whole.txt
echo 'v 0 0 0' > meshes/empty.obj
echo meshes/empty.obj >> assets.txt
rm -rf collision
run 1 submit 'sh submit.sh 2'
check 'the mesh that failed is named' grep -q '"input":"meshes/empty.obj".*"result":"failed","code":2,' "$scratch/out"
check 'the sum says so' grep -qx '7 meshes in 2 shards, with failures' "$scratch/out"
list_files collision > array
check 'the others are there' diff plain array
cp whole.txt assets.txt

# A task whose bvbuild is killed in the midst begins again, by itself. The knot takes some seconds; before it other meshes of the
# second shard are done.
sed 's|"assets": \[|& { "match": "meshes/knot.obj", "options": { "decompose": "2%" } },|' collision.json > slow.json
mv slow.json collision.json
printf 'meshes/rock.obj\nmeshes/knot.obj\n' >> assets.txt
rm -rf collision "$scratch/plain"
bvbuild @assets.txt --config collision.json --root meshes -o "$scratch/plain" --quiet
list_files "$scratch/plain" > plain
submit 'sh submit.sh 2' > "$scratch/out" 2> "$scratch/err" &
waiting=$!
# The processes of bvbuild in the second task.
find_task()
{
	for folder in /proc/[0-9]*; do
		name=
		read -r name < "$folder/comm"
		if [ "$name" = bvbuild ] && has "SLURM_CONF=$cluster/slurm.conf" "${folder#/proc/}" &&
			has SLURM_ARRAY_TASK_ID=2 "${folder#/proc/}"; then
			echo "${folder#/proc/}"
		fi
	done 2> "$scratch/gone"
}
in_the_midst()
{
	[ -e collision/stair.bvh ] && [ -n "$(find_task)" ]
}
check 'the task comes to its slow mesh' wait_until 60 in_the_midst
# shellcheck disable=SC2046
kill -KILL $(find_task)
check 'its log has no end' test "$(grep -c summary logs/2.jsonl)" = 0
wait $waiting
check 'the array ends well all the same' test $? = 0
check 'and says so' grep -qx '8 meshes in 2 shards, all well' "$scratch/out"
check 'what was finished before is up to date' test "$(tell collision.jsonl | grep -c ' up to date$')" -ge 1
list_files collision > array
check 'the same bytes, and nothing besides' diff plain array

# A log that is cut off is no success.
sed '$d' logs/1.jsonl > cut && mv cut logs/1.jsonl
run 1 sh merge.sh 2
check 'a log without an end is named' grep -qx 'shard 1 of 2 did not come to its end: logs/1.txt may say why' "$scratch/out"
rm logs/2.jsonl
run 1 sh merge.sh 2
check 'a log that is missing is named' grep -qx 'shard 2 of 2 did not come to its end: logs/2.txt may say why' "$scratch/out"

stop_cluster
check 'no process is left' nothing_left
finish
