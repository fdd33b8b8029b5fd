#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# docs/coming-from.md: what it tells people to type is run as it stands there,
# on profiles that were recorded in kernels. Where it records, the module is made
# up (tests/ctl/top/fake.c). What it says of names is looked up in the profiles.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	page=$(realpath docs/coming-from.md)
	saved=$(realpath tests/ctl/articles)
	mkdir "$BATS_TEST_TMPDIR/here" "$BATS_TEST_TMPDIR/bin"
	cd "$BATS_TEST_TMPDIR/here" || return
	cp "$saved"/*.pb.gz .
	cat > ../bin/flamectl <<-END
		#!/bin/sh
		case "\$1 \$2" in
		"record -p") exec timeout 60 $fake 0 "\$@" ;;
		record*) exec timeout 60 $fake stopped "\$@" ;;
		esac
		exec $flamectl "\$@"
	END
	chmod +x ../bin/flamectl
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# ours: the commands of the page, one a line
ours() {
	awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$page"
}

@test "each command of the page runs, and shows something" {
	local line written nr=0
	while read -r line; do
		echo "$line"
		run -0 --separate-stderr bash -o pipefail -c "$line"
		# the process that the page names is not there
		[[ -z $stderr || $line = *' -p 42 '* ]]
		written=$(grep -oE '(> |-o )[^ ]+$|-o [^ ]+\.pb\.gz' <<< "$line" | tail -n 1 | cut -d' ' -f2)
		if [[ $written ]]; then
			[ -s "$written" ]
			[[ $written != *.svg ]] || grep -q '<rect' "$written"
		else
			[ "${#lines[@]}" -gt 4 ]
		fi
		((++nr))
	done < <(ours)
	[ "$nr" -gt 25 ]
}

@test "old names match nothing, and today's do" {
	local old today nr=0 file
	while IFS='`' read -r _ old _ today _; do
		old=${old//\\|/|} today=${today//\\|/|}
		for file in crypt.pb.gz archive.pb.gz; do
			flamectl dump -i $file > "$file.folded"
		done
		echo "$old: $today"
		# sys_read is in ksys_read
		[ "$old" = sys_read ] || run ! grep -hE "$old" ./*.folded
		grep -qE "$today" ./*.folded
		((++nr))
	done < <(grep -E '^\| `.*` \| `.*` \| ' "$page" | sed '/ understood/d' | head -n 5)
	[ "$nr" -eq 5 ]
	run -1 --separate-stderr flamectl svg --path 'system_call.*sys_read' archive.pb.gz
	[ "${stderr_lines[0]}" = 'flamectl: no stack matches system_call.*sys_read (--path)' ]
}

@test "a selection is what grep finds in folded text" {
	flamectl report -g folded --by none archive.pb.gz > folded
	local pattern
	for pattern in 'sys_(read|write).*ext4' 'ext4' 'do_syscall_64.*ksys_(read|write)'; do
		grep -E "$pattern" folded > found
		[ -s found ]
		flamectl report -g folded --by none --path "$pattern" archive.pb.gz | cmp found
		flamectl report -g folded --path "$pattern" folded | cmp found
	done
}

@test "the page has the tables of habits as they are" {
	flamectl pages habits > habits
	[ "$(wc -l < habits)" -gt 90 ]
	sed -n '/^| command | typed/,$p' "$page" | diff habits -
}
