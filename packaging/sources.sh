# Debian's source packages of the release that this machine runs. Sourced by scripts that cross-compile libraries.
# shellcheck shell=sh
#
# $root is a folder with the folders source and licenses; $0 begins messages.

fail()
{
	echo "$0: $*" >&2
	exit 1
}

# apt with lists of source packages of its own: the machine's are left as they are.
apt()
{
	apt-get -qq -o Dir::Etc::sourcelist="$root/source/sources.list" -o Dir::Etc::sourceparts=/nonexistent \
		-o Dir::State::lists="$root/source/lists" -o Dir::Cache="$root/source/cache" -o APT::Sandbox::User=root "$@"
}

# Reads the lists of source packages, once.
begin_sources()
{
	release=$(. /etc/os-release && echo "$VERSION_CODENAME")
	[ -e "$root/source/ready" ] && return
	mkdir -p "$root/source/lists/partial" "$root/source/cache/archives/partial"
	# shellcheck disable=SC2016
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(CREATED_BY)' | sed -n "s/ $release Packages\$//p" | head -n 1)
	[ -n "$mirror" ] || fail "no source of packages of Debian $release is configured"
	echo "deb-src $mirror $release main" > "$root/source/sources.list"
	apt update
	touch "$root/source/ready"
}

# source_of PACKAGE: unpacks it with Debian's patches, once, copies its license, and prints its folder.
source_of()
{
	if ! [ -d "$root/source/$1" ]; then
		rm -rf "$root/source/fetched"
		mkdir "$root/source/fetched"
		(cd "$root/source/fetched" && apt source "$1" > fetch.log 2>&1) || { cat "$root/source/fetched/fetch.log" >&2; fail "cannot get the source of $1"; }
		cp "$root"/source/fetched/*/debian/copyright "$root/licenses/$1"
		mv "$root"/source/fetched/*/ "$root/source/$1"
	fi
	echo "$root/source/$1"
}
