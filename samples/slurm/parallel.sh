#!/bin/sh
# The same without a cluster: N shards by GNU parallel, which takes --sshlogin for other machines. parallel.sh N
set -eu

mkdir -p logs
rm -f logs/*
# What fails is in the logs, too.
seq "$1" | parallel --joblog logs/parallel.txt bvbuild @assets.txt --config collision.json --root meshes -o collision/ \
	--shard "{}/$1" --jobs 1 --threads 1 --keep-going --quiet --log "logs/{}.jsonl" || true
sh merge.sh "$1"
