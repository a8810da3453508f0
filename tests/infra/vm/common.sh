# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# Shared by the scripts in tests/infra/vm: names of directories, messages, the cache.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
VM=$ROOT/tests/infra/vm
CACHE=${ETW_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/etw}
SELF=${0##*/}
export LC_ALL=C PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin
# the package etwtest, for the Python programs
export PYTHONPATH=$ROOT/tests/lib PYTHONDONTWRITEBYTECODE=1
# the same source in another checkout is compiled once
export CCACHE_DIR=$CACHE/ccache CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1
# started from a make, its job server and variables are not for ours
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

say() { printf '%s: %s\n' "$SELF" "$*" >&2; }
die() { say "$*"; exit 1; }

# usage: the head comment of the calling script, without its license line
usage() { sed -n '3,/^[^#]/{ /^# Copyright/d; s/^# \{0,1\}//p; }' "$0"; }

# cached NAME COMMAND...: the directory $CACHE/NAME; when it is not there,
# COMMAND DIR fills a temporary one which then gets the name, so that no one
# ever sees half a directory. A lock makes a second caller wait for the first.
# With ETW_CACHE_ONLY nothing is made: what is not there is an error.
cached() {
	local name=$1 lock tmp
	shift
	[ -d "$CACHE/$name" ] && return
	[ -z "${ETW_CACHE_ONLY:-}" ] || die "$name was not made yet"
	mkdir -p "$CACHE"
	exec {lock}>"$CACHE/.lock-$name"
	flock "$lock"
	if [ ! -d "$CACHE/$name" ]; then
		rm -rf "$CACHE/.tmp-$name"
		tmp=$CACHE/.tmp-$name
		mkdir "$tmp"
		"$@" "$tmp" {lock}>&- || die "could not make $CACHE/$name"
		mv -T "$tmp" "$CACHE/$name"
	fi
	exec {lock}>&-
}

# guest_folders: those of programs and scripts for guests
guest_folders() { find -L "$ROOT/tests" -type d -name guest | sort; }

# guest_scripts: the scripts in them
guest_scripts() { find -L "$ROOT/tests" -path '*/guest/*.sh'; }

# where what a guest runs is: the module and the programs, not what looks at their results
code_places() {
	printf '%s\n' module uapi include tests/unit/kunit tests/lib/kmod
	guest_folders | sed "s,^$ROOT/,,"
}

# code_commit: the commit, "-changed" when that code is not what the commit has
code_commit() {
	local commit places
	mapfile -t places < <(code_places)
	commit=$(git -C "$ROOT" rev-parse --short=12 HEAD)
	[ -z "$(git -C "$ROOT" status --porcelain -- "${places[@]}")" ] || commit+=-changed
	echo "$commit"
}

# code_key: a hash of that code
code_key() {
	(cd "$ROOT" && code_places | xargs -I{} find {} -type f ! -name '*.md' | sort |
		xargs cat) | sha256sum | cut -c1-12
}
