# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# Events of a process that moves between control groups, with names that engines use.
guid=0000c0a1-0002-0003-0405-060708090a0b
bad=0
# check NAME COMMAND...
check() {
	name=$1
	shift
	if "$@"; then echo "ok - $name"; else echo "not ok - $name"; bad=1; fi
}
# id N: 64 digits that begin with N; guid_of N: what of them is the GUID
id() { printf '%s23456789abcdef%048d' "$1$1" 5; }
guid_of() { printf '%s234567-89ab-cdef-0000-000000000000' "$1$1"; }
# shellcheck disable=SC2317 # called by check
same() { cmp "$1" "$2" || { diff "$1" "$2"; false; }; }

two=/tmp/two one=/tmp/one
mkdir -p $two $one
mount -t cgroup2 none $two || exit 1
: >/tmp/expected
# group FOLDER [N]: one more group of the process, and the container that its events have
group() {
	mkdir -p "$1" || exit 1
	for child in '' 'child '; do
		echo "$child$1${2:+ $(guid_of "$2")}" >>/tmp/expected
	done
	groups="$groups $1"
}
groups=
group $two
group "$two/system.slice/docker-$(id a).scope" a
group "$two/docker/$(id b)" b
group "$two/user.slice/libpod-$(id c).scope/container/init" c
group "$two/docker/$(id b)/system.slice/docker-$(id d).scope" d
group "$two/kubepods.slice/pod1.slice/cri-containerd-$(id e).scope" e
group "$two/kubepods/burstable/pod12345678-1234-1234-1234-123456789abc/$(id f)" f
group "$two/system.slice/web.service/libpod-payload-$(id 8)" 8
group "$two/system.slice/web.service/runtime"
group "$two/machine.slice/libpod-conmon-$(id a).scope"
group $two/lxc.payload.web
group "$two/system.slice/docker-$(id a).scope" a
group $two

insmod etw.ko || exit 1
for session in all none items; do etw start $session >/dev/null || exit 1; done
etw enable all -g $guid --container-id || exit 1
etw enable none -g $guid || exit 1
check 'EnableTraceEx2() takes the property' contained enable items
etw providers
check 'etw providers shows both sessions that asked for containers' \
	[ "$(etw providers | grep -c container-id)" = 2 ]
# shellcheck disable=SC2086 # a list
check 'a process writes an event in each group' contained write $groups

# version 1, whose groups can be renamed
has_one=
if mount -t cgroup -o pids none $one; then
	has_one=1
	groups=
	group "$one/docker/$(id 7)/inside" 7
	# shellcheck disable=SC2086 # a list
	check 'and in a group of version 1' contained write $groups
	mv "$one/docker/$(id 7)" $one/docker/renamed
	groups=
	group $one/docker/renamed/inside
	group $one
	# shellcheck disable=SC2086 # a list
	check 'and in a renamed one, and in the root' contained write $groups
fi
for session in all none items; do
	check "$session: no event is lost" etw stop -q --save /tmp/$session.etl $session
	contained read /tmp/$session.etl >/tmp/$session || bad=1
	check "$session: the file is good" etw check /tmp/$session.etl
done
cp /tmp/all.etl /out/container_ids.etl
cat /tmp/all
check 'each event has the container that its process is in then' same /tmp/all /tmp/expected
check 'also with other items, by EnableTraceEx2()' same /tmp/items /tmp/expected
sed 's/ [0-9a-f]\{8\}-[0-9a-f-]\{27\}$//' /tmp/expected >/tmp/without
check 'without the property no event has the item' same /tmp/none /tmp/without
sed -n 's/.* \([0-9a-f-]\{36\}\)$/\1/p' /tmp/expected >/tmp/ids
etw dump /tmp/all.etl | sed -n 's/.*ContainerId="\([^"]*\)".*/\1/p' >/tmp/dumped
check 'etw dump shows the items' same /tmp/dumped /tmp/ids
etw dump --json /tmp/all.etl | sed -n 's/.*"ContainerId": *"\([^"]*\)".*/\1/p' >/tmp/dumped
check 'and as JSON' same /tmp/dumped /tmp/ids
if [ -z "$has_one" ]; then
	echo 'skip - groups of version 1 # this kernel does not mount the hierarchy of pids'
fi
rmmod etw || bad=1
exit $bad
