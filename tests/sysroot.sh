#!/bin/sh
# sysroot.sh FOLDER ARCHITECTURE PACKAGE...: unpacks Debian's packages for another architecture, and all that they need, into
# the folder. apt keeps its lists and what it believes to be installed in there too: this system learns nothing of it.
set -eu
folder=$1
architecture=$2
shift 2
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
state=$folder/.apt
mkdir -p "$state/lists/partial" "$state/archives/partial"
: > "$state/status"
# Whoever may write in there may run it.
apt()
{
	apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State="$state" \
		-o Dir::State::status="$state/status" -o Dir::Cache="$state" -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 "$@"
}
apt update
apt install --download-only --no-install-recommends -y "$@" > /dev/null
for package in "$state"/archives/*.deb; do
	case ${package##*/} in
	# The cross compiler has its own of these.
	libc6-dev_* | linux-libc-dev_*) ;;
	*) dpkg-deb -x "$package" "$folder" ;;
	esac
done
rm -rf "$state"
