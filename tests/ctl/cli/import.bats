#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl import: other tools' text becomes a profile that every command opens, or is
# refused with the number of its line. Debian packages: jq.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	cd "$BATS_TEST_TMPDIR" || return
}

# import stdin; check for a valid profile that folds to these lines
imported() { # FORMAT [OPTION...]: expected lines in the file "expected"
	local format=$1
	shift
	"$flamectl" import --from "$format" "$@" -o out.pb.gz -
	"$flamectl" dump -i out.pb.gz --by comm,pid,tid,cpu,context > got
	diff <(sort expected) <(sort got)
	"$flamectl" svg -o out.svg out.pb.gz
	"$flamectl" status --json -i out.pb.gz > status
	jq -e '.books | .fires + .missed == .stored + .filtered + ([.lost[]] | add)' status
}

# import stdin; check that it is refused with this message, and writes nothing
refused() { # MESSAGE FORMAT [OPTION...]
	local message=$1 format=$2
	shift 2
	run -1 --separate-stderr "$flamectl" import --from "$format" "$@" -o new.pb.gz -
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr = "flamectl: cannot import stdin: $message"* ]] || { echo "$stderr"; false; }
	[ ! -e new.pb.gz ]
}

@test "perf script: call chains of kernel, modules and programs" {
	cat > expected <<-'END'
	Web Content 12;pid 34;tid 35;cpu 3;[task];[libc.so.6];operator+(foo (int));vfs_read;ext4_read [ext4] 2
	dd;pid 77;tid 78;cpu 0;[user];main 1
	kworker/0:1-ev;pid 0;tid 9;cpu 0;[softirq];ret_from_fork;asm_common_interrupt;__do_softirq;net_rx_action [nf_tables] 1
	swapper;pid 0;tid 0;cpu 1;[idle];cpu_startup_entry;do_idle;default_idle;native_safe_halt 1
	END
	imported perf-script <<'END'
# ========
# hostname : web1
# os release : 6.1.0-42-amd64
# ========
#
swapper     0 [001] 100.000001:   10101010 cpu-clock:pppH: 
	ffffffff8103ce3b native_safe_halt+0xb ([kernel.kallsyms])
	ffffffff8101c6a3 default_idle+0x10 ([kernel.kallsyms])
	ffffffff81013236 do_idle ([kernel.kallsyms])
	ffffffff815bf03e cpu_startup_entry+0x1 ([kernel.kallsyms].init.text)

Web Content 12 34/35 [003] d..2. 100.500001:   10101010 cpu-clock:pppH: 
	ffffffffc012ce3b ext4_read+0xb ([ext4])
	ffffffff8101c6a3 vfs_read+0x10 ([kernel.kallsyms])
	    7f0123456789 operator+(foo (int)) (/usr/lib/a (deleted))
	    7f0123456000 [unknown] (/usr/lib/libc.so.6)

Web Content 12 34/35 [003] 100.500001:   10101010 cpu-clock:pppH: 
	ffffffffc012ce3b ext4_read+0xc ([ext4])
	ffffffff8101c6a3 vfs_read+0x11 ([kernel.kallsyms])
	    7f0123456789 operator+(foo (int)) (/usr/lib/a (deleted))
	    7f0123456000 [unknown] (/usr/lib/libc.so.6)

dd  77/78 101.500001000:   10101010 cpu-clock:pppH: 
	    7f0123456789 main+0x10 (/usr/bin/dd)

kworker/0:1-ev     9 [000] 101.600001:   10101010 cpu-clock:pppH: 
        ffffffffc0aa0000 net_rx_action+0x10 (/lib/modules/6.1/kernel/net/nf_tables.ko.xz)
        ffffffff81013236 __do_softirq ([kernel.vmlinux])
        ffffffff81013237 asm_common_interrupt ([kernel.vmlinux])
        ffffffff81013238 ret_from_fork ([kernel.vmlinux])
END
	jq -e '.period_ns == 10101010 and .hz == 99 and .host == "web1" and .release == "6.1.0-42-amd64" and .duration_ns == 1600000000' status
}

@test "perf script: without call chains, CPU, time or symbols" {
	cat > expected <<-'END'
	bash;pid 0;tid 1234;cpu 0;[task];sym 1
	dd;pid 0;tid 1234;cpu 0;[user];main 1
	java;pid 5;tid 6;cpu 0;[user];[unknown] 1
	x;pid 0;tid 7;cpu 2;[task];vfs_read 1
	x;pid 0;tid 7;cpu 2;[user];[unknown] 1
	END
	imported perf-script <<'END'
            bash  1234 1.5:          1 cycles:  ffffffff81000000 sym+0x1 ([kernel.kallsyms])
              dd  1234 1.6:          1 cycles:      7f0000401136 main+0x1 (/bin/dd)
java 5/6 cycles:
               x     7 [002] 1.7: cycles:

x 7 [002] cycles:
	ffffffff81000000 vfs_read+0x1
END
	jq -e '.period_ns == 0 and .hz == 0' status
}

@test "perf script: weights are samples or periods" {
	printf 'a 1 [000] 1.5: %s cpu-clock: \n\tffffffff81000000 f ([kernel.kallsyms])\n\n' 1000 3000 > text
	echo 'a;pid 0;tid 1;cpu 0;[task];f 2' > expected
	imported perf-script < text
	# with periods of two lengths the period is unknown
	jq -e '.period_ns == 0' status
	imported perf-script -F 1000 < text
	jq -e '.period_ns == 1000000 and .hz == 1000' status
	echo 'a;pid 0;tid 1;cpu 0;[task];f 4000' > expected
	imported perf-script --weight period < text
	jq -e '.period_ns == 1' status
	sed 's/ [13]000 / /' text | refused 'line 1 has no period: let perf script print it with -F +period, or leave out --weight period' perf-script --weight period
}

@test "perf script: several events are not summed" {
	printf 'a 1 [000] 1.5: 1 %s: \n\tffffffff81000000 f ([kernel.kallsyms])\n\n' cycles:ppp cycles sched:sched_switch > text
	echo 'a;pid 0;tid 1;cpu 0;[task];f 2' > expected
	imported perf-script < text
	echo 'a;pid 0;tid 1;cpu 0;[task];f 2' > expected
	imported perf-script --event cycles < text
	echo 'a;pid 0;tid 1;cpu 0;[task];f 1' > expected
	imported perf-script --event sched:sched_switch < text
	refused 'it has no sample of the event instructions' perf-script --event instructions < text
}

@test "perf script: other text is refused with its line" {
	printf 'a 1 [000] 1.5: cycles:\n\tnonsense\n\tmore\n' | refused 'line 2 is neither a sample'"'"'s first line nor a frame of one: ' perf-script
	printf 'nonsense\n' | refused 'line 1 is neither a sample'"'"'s first line nor a frame of one: nonsense' perf-script
	printf 'a 1 [000] 1.5: cycles:\n\0' | refused 'line 2 contains a NUL byte: this is not text' perf-script
	head -c 2000000 /dev/zero | tr '\0' a | refused 'line 1 is longer than 1024 KiB' perf-script
	refused 'it contains no perf-script stack' perf-script <<< ''
	refused 'it is empty: see what the program that was to write it reported' perf-script < /dev/null
	{
		echo 'a 1 [000] 1.5: cycles:'
		yes "$(printf '\tffffffff81000000 f ([k])')" | head -n 20000
	} | refused 'line 16377 makes the stack deeper than 16375 frames' perf-script
}

@test "bpftrace: maps by kstack, ustack, comm and others" {
	cat > expected <<-'END'
	[unknown];pid 0;tid 0;cpu 0;[task];entry_SYSCALL_64_after_hwframe;ext4_read [ext4] 3
	[unknown];pid 0;tid 0;cpu 0;[task];vfs_write;ksys_write 8
	cat;pid 0;tid 0;cpu 0;[task];[12];main;read;ksys_read;vfs_read 42
	idle;pid 0;tid 0;cpu 0;[user];[user] 2
	perl;pid 0;tid 0;cpu 0;[task];main;do_mmap 5
	swapper/0;pid 0;tid 0;cpu 0;[idle];cpu_startup_entry;do_idle;default_idle 7
	END
	imported bpftrace <<-'END'
	Attaching 1 probe...

	@samples[
	    vfs_read+149
	    ksys_read+95
	,
	    read+18
	    main+20
	, cat, 12]: 42
	@[
	    ext4_read+1 [ext4]
	    entry_SYSCALL_64_after_hwframe+61
	]: 3

	@start: 123
	@[swapper/0, 
	    default_idle+1
	    do_idle+5
	    cpu_startup_entry+3
	]: 7
	@[
	, idle]: 2
	@[
		ffffffffb4019501 do_mmap+1 ([kernel.kallsyms])
		7f0123456789 main+2 (/usr/bin/perl)
	, perl]: 5
	@[
	ksys_write+0
	vfs_write+1
	]: 8
	END
}

@test "bpftrace: a frame stays one frame, whatever its name contains" {
	cat > expected <<-'END'
	["a]: 1",5,["do_mmap"]]
	["c++",42,["[unknown]","foo(int) (const)","plain","tiny","memcpy@@GLIBC_2.14","operator new(unsigned long, (anonymous namespace)::x)","operator+","]: 7",", comma","@at","weird]: name","std::map<int, Foo[]: x>::operator[]: (int const&)"]]
	["perl",9,["vfs_read","inl","[unknown]","main (x)"]]
	["raw",3,["[unknown]","[unknown]"]]
	["trimmed",1,["ext4_read [ext4]","odd]: 3 name"]]
	END
	"$flamectl" import --from bpftrace -o odd.pb.gz - <<-'END'
	@[
	    std::map<int, Foo[]: x>::operator[]: (int const&)+12
	    weird]: name+3
	    @at+1
	    , comma+2
	    ]: 7+5
	    operator++4
	    operator new(unsigned long, (anonymous namespace)::x)+7
	    memcpy@@GLIBC_2.14+1
	    [inlined] tiny@/src/a b.c:12
	    plain+5@/usr/src/x+y.c:99
	    foo(int) (const)+3
	    0x7f12
	, c++]: 42
	@[a]: 1, 
	    do_mmap+1
	]: 5
	@[
		7f0123456789 main (x)+2 (/opt/c++6 (deleted))
		7f0123456789 0x7f0123456789 ([unknown])
		7f0123456789 inl (inlined)
		ffffffffb4019501 vfs_read+1
	, perl]: 9
	@[
	ffffffffb4019501
	7f058de12155
	, raw]: 3
	@[
	odd]: 3 name+1
	ext4_read+0x1f/0x40 [ext4]
	, trimmed]: 1
	END
	"$flamectl" export --to jsonl odd.pb.gz |
		jq -c 'select(.stack) | [.comm, .count, .stack]' | sort | diff expected -
}

@test "bpftrace: other text is refused with its line" {
	printf '@[\n    a+1\n' | refused 'the entry that starts in line 1 has no end' bpftrace
	printf '@[\n    a+1\n@[\n' | refused 'line 3 starts a map'"'"'s entry inside the one of line 1' bpftrace
	printf '@[\n    a+1\n]: 1.5\n' | refused 'line 3 ends in 1.5, which is not a count' bpftrace
	printf '@[\n    a+1\n,\n   b\n,\n   c\n]: 1\n' | refused 'line 6 starts a third stack' bpftrace
	printf '@[\n    a\n]: 18446744073709551615\n@[\n    a\n]: 1\n' | refused 'line 6 makes the weights sum to more than 2^64' bpftrace
}

@test "stap: stacks, each with its count" {
	cat > expected <<-'END'
	[unknown];pid 0;tid 0;cpu 0;[task];main;[unknown];ext4_file_read_iter [ext4];vfs_read 42
	[unknown];pid 0;tid 0;cpu 0;[task];vfs_read 1
	END
	imported stap -F 100 <<-'END'
	 0xffffffff81234567 : vfs_read+0x95/0x190 [kernel]
	 0xffffffffc0123456 : ext4_file_read_iter+0x12/0x60 [ext4] (inexact)
	 0xffffffffc0123400 : 0xffffffffc0123400 [kernel]
	 0x00007f0123456789 : main+0x10/0x40 [/usr/bin/cat]
		42

	vfs_read+0x95/0x190
	1
	END
	jq -e '.period_ns == 10000000' status
	printf '12\n' | refused 'line 1 is a count, 12, without a stack above it' stap
	printf 'a\n1\n\nb\nc\n' | refused 'the stack that starts in line 4 has no count below it' stap
}

@test "bcc: programs and the kernel are distinguished by the delimiter" {
	cat > expected <<-'END'
	cat;pid 0;tid 0;cpu 0;[task];[Missed User Stack];vfs_read 1
	cat;pid 0;tid 0;cpu 0;[task];odd;read;entry_SYSCALL_64;vfs_read 3
	cat;pid 0;tid 0;cpu 0;[user];main;spin 2
	swapper/0;pid 0;tid 0;cpu 0;[idle];cpu_startup_entry;do_idle 4
	END
	imported bcc <<-'END'
	cat;odd;read;-;entry_SYSCALL_64;vfs_read 3
	cat;main;spin 2
	cat;[Missed User Stack];-;vfs_read 1
	swapper/0;cpu_startup_entry_[k];do_idle_[k] 4
	END
}

@test "a command alone is a command, if the user says that commands are first" {
	printf '%s\n' 'main 5' 'main;run 40' 'main;pid 12 4' > text
	"$flamectl" import --comm-first text > saved
	"$flamectl" dump --by comm,pid saved > got
	printf '%s\n' 'main;pid 0;[unknown] 5' 'main;pid 0;run 40' 'main;pid 12;[unknown] 4' | cmp - got
	"$flamectl" import text > saved
	"$flamectl" dump saved > got
	printf '%s\n' 'main 5' 'main;pid 12 4' 'main;run 40' | cmp - got
}

@test "injected idle time belongs to its thread" {
	cat > text <<-'END'
	idle_inj/1;ret_from_fork;kthread;play_idle_precise;do_idle;default_idle;[injected idle] 8
	swapper;cpu_startup_entry;do_idle;default_idle 5
	END
	"$flamectl" import --comm-first text > saved
	"$flamectl" dump -i saved > got
	diff text got
	run -0 --separate-stderr "$flamectl" dump -i saved --no-idle --by comm,context
	[ "$output" = 'idle_inj/1;[task];ret_from_fork;kthread;play_idle_precise;do_idle;default_idle;[injected idle] 8' ]
}

@test "folded: our own text becomes what it was made from" {
	"$flamectl" dump -i "$saved" --by comm,pid,tid,cpu,context > expected
	imported folded < expected
	[ "$(jq -c .books.lost status)" = "$("$flamectl" status --json -i "$saved" | jq -c .books.lost)" ]
	# idle time without frames has none again
	"$flamectl" import --from folded expected | "$flamectl" export --to jsonl - |
		jq -se 'map(select(.context == "idle") | .stack) == [[]]'
	printf 'x 5\n' > one
	"$flamectl" import --from folded one | "$flamectl" dump -i - --by none > got
	diff one got
	printf 'a;b\n' | refused 'line 1 has no count' folded
}

@test "pprof: files of other programs are saved like ours" {
	"$flamectl" import --from pprof -o out.pb.gz "$saved"
	"$flamectl" dump -i "$saved" > expected
	"$flamectl" dump -i out.pb.gz | diff expected -
	printf 'nonsense' | refused 'not a pprof profile, or damaged' pprof
}

@test "wrong usage is reported" {
	wrong() { # MESSAGE ARGUMENT...
		local message=$1
		shift
		run -2 --separate-stderr "$flamectl" import "$@"
		[ -z "$output" ]
		[[ ${stderr_lines[0]} = "flamectl: $message"* ]]
	}
	wrong '--from xml: there are pprof perf-data perf-script ' --from xml "$saved"
	wrong 'import needs an input: name a file, or - for stdin' --from folded
	wrong '--event is for perf-script, perf-report and pprof, not for stap' --from stap --event x a
	wrong '--weight lost: there are count and period' --from perf-script --weight lost a
	wrong '-F 0: a whole number from 1 to 1000000000' --from folded -F 0 a
	wrong '-F is for counts of samples, not' --from perf-script -F 9 --weight period a
	wrong '-F does not work with pprof files' --from pprof -F 9 a
}

# units OF: print the unit that each view of that file shows
units() {
	"$flamectl" report "$1" | sed -n 's/^# 100 % is //p'
	"$flamectl" svg "$1" | sed -n '/<title>main$/{n;s/<.*//;p}'
	"$flamectl" diff --no-normalize "$1" "$1" | sed -n '/<title>main$/{n;s/<.*//;p}'
	"$flamectl" diff --text --threshold 0 --no-normalize "$1" "$1" | sed -n 's/ *\(.*\)  main$/\1/p' | tr -s ' '
	"$flamectl" html "$1" | grep -o '"unit":"[a-z]*"'
	"$flamectl" status --json -i "$1" | jq -r .unit
}

@test "another program's weights keep their unit, in every view and when they are saved" {
	load foreign.bash
	foreign inuse_space bytes 400 > heap
	foreign cpu nanoseconds 80000000 > cpu
	foreign delay milliseconds 1500 > delay
	foreign contentions count 7 > contentions
	foreign samples count 1 > samples
	for file in heap cpu delay contentions samples; do
		"$flamectl" import --from pprof -o $file.pb.gz $file
		gzip $file
		units $file.gz > $file.told
		cat $file.told
		units $file.pb.gz | diff $file.told -
		"$flamectl" merge -o $file.twice $file.pb.gz $file.pb.gz
	done
	[ "$(cat heap.told)" = $'400 bytes\n400 bytes, 100.00 %\n0, from 400 to 400 bytes\n400 400 0 400 400 0\n"unit":"bytes"\nbytes' ]
	[ "$(cat cpu.told)" = $'80.00 ms\n80.00 ms, 100.00 %\n0 ns, from 80.00 ms to 80.00 ms\n80.00 ms 80.00 ms 0 ns 80.00 ms 80.00 ms 0 ns\n"unit":"nanoseconds"\nnanoseconds' ]
	[ "$(head -n 2 delay.told)" = $'1.50 s\n1.50 s, 100.00 %' ]
	[ "$(head -n 2 contentions.told)" = $'7 contentions\n7 contentions, 100.00 %' ]
	[ "$(head -n 2 samples.told)" = $'1 sample\n1 sample, 100.00 %' ]
	"$flamectl" report heap.twice | grep -qx '# 100 % is 800 bytes'
	"$flamectl" report heap.twice | grep -qx '# bytes: read 800 = stored 800 + filtered 0; what its tool lost is not known'
	"$flamectl" report --exclude main heap.twice 2>&1 | grep -q 'nothing is selected'
	"$flamectl" svg --exclude main heap.twice 2>&1 | grep -q '800 bytes left out$'
}

@test "weights that are not time are not saved as time, nor summed with it" {
	load foreign.bash
	foreign inuse_space bytes 400 > heap
	foreign delay nanoseconds 400 > delay
	foreign cpu nanoseconds 400 > cpu
	echo 'a;b 5' > folded
	"$flamectl" import --from folded -o folded.pb.gz folded
	"$flamectl" report folded.pb.gz | grep -qx '# 100 % is 5 samples'
	zcat folded.pb.gz > raw
	run ! grep -q nanoseconds raw
	"$flamectl" import --from folded -F 100 -o folded.pb.gz folded
	"$flamectl" report folded.pb.gz | grep -qx '# 100 % is 5 periods'
	zcat folded.pb.gz > raw
	grep -qa nanoseconds raw
	run -1 "$flamectl" merge -o no heap cpu
	[ "$output" = 'flamectl: cannot merge: cpu: its weights are nanoseconds, those of heap are inuse_space: they cannot be summed' ]
	run -1 "$flamectl" merge -o no delay cpu
	[ "$output" = 'flamectl: cannot merge: cpu: its weights are nanoseconds, those of delay are delay: they cannot be summed' ]
	run -1 "$flamectl" merge --ns -o no heap
	[ "$output" = 'flamectl: cannot merge: heap: its weights are inuse_space, which are not time: --ns cannot sum them' ]
	"$flamectl" merge --ns -o time delay cpu
	"$flamectl" report time | grep -qx '# 100 % is 800 ns'
	[ ! -e no ]
}

@test "weights of an event are reported with its name" {
	printf 'a 1 [000] 1.5: %s cycles: \n\tffffffff81000000 f ([kernel.kallsyms])\n\n' 1000 3000 |
		"$flamectl" import --from perf-script --weight period -o cycles.pb.gz -
	"$flamectl" report cycles.pb.gz | grep -qx '# 100 % is 4000 cycles'
}

@test "profiles and folded text are distinguished by their content, gzip'd or not" {
	load foreign.bash
	foreign samples count 3 > pprof
	cp "$saved" saved.gz
	gunzip -c saved.gz > saved
	# with each first byte that a message can have, and text after a blank line
	printf '\n*a;b 1\n2x;b 1\n@;"b 1\nH 5\nPx;y 1\nZ 1\n`b 7\nhot;j 2\np 1\nx 2\n\n' > folded
	tail -n +4 folded > later
	gzip -k pprof folded later
	for file in pprof folded later saved; do
		for command in "svg -" "html -" "report -" "report --flat --threshold 0 -" "diff - saved.gz" "diff --text --threshold 0 saved.gz -"; do
			# shellcheck disable=SC2086 # words
			"$flamectl" $command < $file > plain
			# shellcheck disable=SC2086 # words
			"$flamectl" $command < $file.gz | cmp plain -
			# also through a pipe, in pieces
			# shellcheck disable=SC2086 # words
			{ head -c 1; sleep 0.05; cat; } < $file | "$flamectl" $command | cmp plain -
		done
	done
	for file in pprof saved; do
		for command in "dump -i" "status -i" "export --to jsonl" "merge" "import --from pprof"; do
			# shellcheck disable=SC2086 # words
			"$flamectl" $command - < $file > plain
			# shellcheck disable=SC2086 # words
			"$flamectl" $command - < $file.gz | cmp plain -
		done
	done
	[ "$("$flamectl" report folded | sed -n 's/^# 100 % is //p')" = '22 samples' ]
	"$flamectl" import --from folded folded > plain
	"$flamectl" import --from folded folded.gz | cmp plain -
	run -1 "$flamectl" import --from folded pprof
	[ "$output" = 'flamectl: cannot import pprof: a pprof file, and not folded: leave out --from' ]
	"$flamectl" status folded.gz | grep -q '^all  *read 22 = stored 22 '
	head -c 2000 saved > cut
	run -1 "$flamectl" report cut
	[[ $output = 'flamectl: cannot read cut: damaged: '* ]]
}

@test "status does not report a session of an imported profile" {
	printf 'cat;main;read 3\n' > folded
	"$flamectl" import -o folded.pb.gz folded
	"$flamectl" status folded.pb.gz > status
	[ "$(head -n 1 status)" = "imported   another tool's: nothing is known of its losses" ]
	run ! grep -E '^(was|state|sampled)' status
	"$flamectl" status "$saved" | grep -qE '^was +[a-z]+$'
}
