#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Views by cgroup, and of one cgroup, of a file that has the label.
# Debian packages: jq, python3.

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	here=$(realpath tests/ctl/cli)
	cd "$BATS_TEST_TMPDIR" || return
	id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
	made a.pb.gz "/ 1" "/system.slice/ssh.service 2" "/system.slice/docker-$id.scope 4" \
		"/system.slicex 8" "cgroup 77 (gone) 16"
}

made() { python3 "$here/cgroups.py" "$@"; }

by() { "$flamectl" dump --by cgroup "$@" | sort; }

@test "by cgroup: paths, containers by their short names" {
	[ "$(by -i a.pb.gz)" = "/;work 1
/system.slice/ssh.service;work 2
/system.slicex;work 8
cgroup 77 (gone);work 16
docker 0123456789ab;work 4" ]
}

@test "a cgroup is selected with those below it, by a path or a container's id" {
	for path in system.slice /system.slice /system.slice/ /sys/fs/cgroup/system.slice; do
		[ "$(by -i a.pb.gz --cgroup "$path" | awk '{ sum += $NF } END { print sum }')" = 6 ]
	done
	[ "$(by -i a.pb.gz --cgroup 0123456789abcd)" = 'docker 0123456789ab;work 4' ]
	[ "$(by -i a.pb.gz --cgroup 'cgroup 77 (gone)')" = 'cgroup 77 (gone);work 16' ]
	[ "$(by -i a.pb.gz --cgroup / --comm '*' | wc -l)" = 4 ]
}

@test "a cgroup that is not there is reported" {
	run "$flamectl" report --cgroup user.slice a.pb.gz
	[ "$status" = 1 ]
	[[ $output == *'no cgroup is, or is below, user.slice (--cgroup)'* ]]
	run "$flamectl" report --cgroup '' a.pb.gz
	[ "$status" = 2 ]
	[[ $output == *'--cgroup: PATH is empty'* ]]
}

@test "saved again, exported and on a page the path is whole or short" {
	"$flamectl" merge -o b.pb.gz a.pb.gz a.pb.gz
	[ "$(by -i b.pb.gz --cgroup 0123456789ab)" = 'docker 0123456789ab;work 8' ]
	[ "$("$flamectl" export -t jsonl a.pb.gz | jq -r 'select(.periods == 4).cgroup')" = \
		"/system.slice/docker-$id.scope" ]
	"$flamectl" html --by cgroup a.pb.gz > page.html
	grep -q '"docker 0123456789ab"' page.html
	"$flamectl" svg --by cgroup a.pb.gz | grep -q 'docker 0123456789ab'
	"$flamectl" report --by cgroup --depth 1 a.pb.gz | grep -q 'docker 0123456789ab'
}

@test "a file without cgroups says so, if they are asked for" {
	made none.pb.gz " 3"
	run "$flamectl" report --by cgroup none.pb.gz
	[ "$status" = 0 ]
	[[ $output == *"no task's cgroup is known"* ]]
	made root.pb.gz "/ 3"
	run "$flamectl" report --by cgroup root.pb.gz
	[[ $output == *'all tasks are in the cgroup /'*'cgroup v1 only'* ]]
	run "$flamectl" report --by comm root.pb.gz
	[[ $output != *'cgroup v1'* ]]
}
