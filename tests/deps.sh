#!/bin/sh
# Installs those of the Debian packages named as arguments that are missing.
set -eu

missing=
for package in "$@"; do
	if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
		missing="$missing $package"
	fi
done
if [ -z "$missing" ]; then
	exit 0
fi

sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo apt-get install -y -qq --no-install-recommends $missing
