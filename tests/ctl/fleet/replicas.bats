#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# Three real ClickHouse servers and ZooKeeper: what is pushed to any of them is on all, and
# counts once. Debian packages: clickhouse-server, jq, libcurl4, python3, zookeeper.

bats_require_minimum_version 1.5.0

load clickhouse.bash

# zookeeper_start DIRECTORY PORT
zookeeper_start() {
	local tries
	mkdir -p "$1/data"
	cat > "$1/zoo.cfg" <<-END
	tickTime=2000
	dataDir=$1/data
	clientPort=$2
	clientPortAddress=127.0.0.1
	admin.enableServer=false
	END
	java -Xmx128m -cp /etc/zookeeper/conf_example:/usr/share/java/zookeeper.jar \
		org.apache.zookeeper.server.quorum.QuorumPeerMain "$1/zoo.cfg" > "$1/log" 2>&1 3>&- &
	echo $! > "$1/pid"
	for ((tries = 0; tries < 300; tries++)); do
		(: < "/dev/tcp/127.0.0.1/$2") 2> /dev/null && return
		sleep 0.2
	done
	cat "$1/log"
	return 1
}

# configuration NUMBER: print that of one replica, as docs/fleet.md has it
configuration() {
	cat <<-END
	<tcp_port>${tcp[$1]}</tcp_port>
	<interserver_http_host>127.0.0.1</interserver_http_host>
	<interserver_http_port>${between[$1]}</interserver_http_port>
	<zookeeper><node><host>127.0.0.1</host><port>$keeper</port></node></zookeeper>
	<remote_servers><fleet><shard><internal_replication>true</internal_replication>
	<replica><host>127.0.0.1</host><port>${tcp[0]}</port></replica>
	<replica><host>127.0.0.1</host><port>${tcp[1]}</port></replica>
	<replica><host>127.0.0.1</host><port>${tcp[2]}</port></replica>
	</shard></fleet></remote_servers>
	<macros><replica>db$1</replica></macros>
	<distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
	END
}

# replica_start NUMBER: start it; its address goes to the file store-NUMBER
replica_start() {
	read -ra tcp < tcp-ports
	read -ra between < between-ports
	keeper=$(cat keeper-port)
	clickhouse_start "$PWD/db$1" "$(configuration "$1")"
	echo "$store" > "store-$1"
}

# at NUMBER: ask this replica from now on
at() {
	store=$(cat "$BATS_FILE_TMPDIR/store-$1")
	fleet=clickhouse${store#http}/fleet
}

setup_file() {
	export flamectl
	local make_windows
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	make_windows=$(realpath out/fleet/windows)
	cd "$BATS_FILE_TMPDIR" || return
	free_ports 3 > tcp-ports
	free_ports 3 > between-ports
	free_ports 1 > keeper-port
	zookeeper_start "$PWD/zookeeper" "$(cat keeper-port)"
	for number in 0 1 2; do replica_start "$number"; done
	mkdir windows
	"$make_windows" windows 20 3 300
	cd - > /dev/null || return
}

teardown_file() {
	cd "$BATS_FILE_TMPDIR" || return
	for number in 0 1 2; do clickhouse_stop "db$number"; done
	kill "$(cat zookeeper/pid)"
}

setup() {
	windows=$BATS_FILE_TMPDIR/windows
	cd "$BATS_TEST_TMPDIR" || return
}

# synchronous: wait until all replicas have what any of them has, for at most 60 s each.
# (SYSTEM SYNC REPLICA would wait for merges, too, which a test stops.)
synchronous() {
	local tries
	for number in 0 1 2; do
		at "$number"
		for ((tries = 0; tries < 300; tries++)); do
			[ "$(sql "SELECT min(log_pointer > log_max_index AND inserts_in_queue = 0 AND NOT is_readonly) FROM system.replicas WHERE database = 'fleet' AND table != 'rollups'")" != 1 ] || continue 2
			sleep 0.2
		done
		return 1
	done
}

# rolled_everywhere: wait until all replicas have a rollup that is up to date. The table is
# apart from the others, because the log of one that was never filled has no end.
rolled_everywhere() {
	local tries
	for number in 0 1 2; do
		at "$number"
		for ((tries = 0; tries < 300; tries++)); do
			[ "$(sql 'SELECT mark FROM fleet.rollups WHERE kind = 0')" != "$(sql 'SELECT groupBitXor(cityHash64(host, boot_id, epoch, begin_ns, end_ns, content)) FROM fleet.profiles FINAL')" ] || continue 2
			sleep 0.2
		done
		return 1
	done
}

# right_everywhere: each replica has each window, once, to the period
right_everywhere() {
	[ -e sum.json ] || {
		"$flamectl" merge -o sum.pb.gz "$windows"/*.pb.gz
		"$flamectl" status --json -i sum.pb.gz > sum.json
		"$flamectl" report --no-pager sum.pb.gz > of-files
	}
	synchronous
	for number in 0 1 2; do
		at "$number"
		[ "$(sql 'SELECT count() FROM fleet.profiles FINAL')" = 60 ]
		for figure in fires missed stored filtered expected; do
			[ "$(sql "SELECT sum($figure) FROM fleet.profiles FINAL")" = "$(jq ".books.$figure" sum.json)" ]
		done
		[ "$(sql 'SELECT sum(arraySum(periods)) FROM fleet.profiles FINAL')" = "$(jq .books.stored sum.json)" ]
		[ "$(sql 'SELECT count() FROM fleet.profiles ARRAY JOIN sid WHERE sid NOT IN (SELECT sid FROM fleet.stacks)')" = 0 ]
		FLAMECTL_FLEET=$fleet "$flamectl" report --no-pager fleet: > of-fleet
		diff of-files of-fleet
	done
}

# again: remove all windows, on all replicas. After ZooKeeper was away, 18.16 has no leader
# for a while (code 292).
again() {
	local tries
	at 0
	for ((tries = 0; tries < 30; tries++)); do
		! sql "TRUNCATE TABLE fleet.profiles ON CLUSTER fleet" > /dev/null || return 0
		sleep 2
	done
	return 1
}

@test "tables are made on each server of the cluster, once" {
	at 0
	run -1 "$flamectl" fleet init --cluster none "$fleet"
	[[ $output = *"cannot make the tables:"*'Code: '*none* ]]
	run -1 "$flamectl" fleet init --cluster "a'b" "$fleet"
	[[ $output = *"a'b: the name of a cluster has 1 to 64 letters"* ]]
	"$flamectl" fleet init --cluster fleet "$fleet"
	at 1
	"$flamectl" fleet init --cluster fleet "$fleet"
	for number in 0 1 2; do
		at "$number"
		[ "$(sql "SELECT DISTINCT engine LIKE 'Replicated%' FROM system.tables WHERE database = 'fleet'")" = 1 ]
		[ "$(sql "SELECT min(total_replicas), max(is_readonly) FROM system.replicas WHERE database = 'fleet' AND table != 'rollups'")" = $'3\t0' ]
	done
}

@test "windows that were pushed to different replicas are on all" {
	again
	for number in 0 1 2; do
		at "$number"
		"$flamectl" push "$fleet" "$windows"/*-"$number".pb.gz
	done
	right_everywhere
}

@test "a window that was pushed to several replicas counts once" {
	again
	for number in 2 1 0; do
		at "$number"
		sql 'SYSTEM STOP MERGES'
	done
	"$flamectl" push "$fleet" "$windows"/*.pb.gz
	at 1
	"$flamectl" push --batch 7 "$fleet" "$windows"/*.pb.gz
	at 2
	"$flamectl" push --batch 1000 "$fleet" "$windows"/*.pb.gz
	synchronous
	# they are there several times: nothing but FINAL counts them once
	[ "$(sql 'SELECT count() FROM fleet.profiles')" -gt 60 ]
	right_everywhere
	for number in 0 1 2; do
		at "$number"
		sql 'SYSTEM START MERGES'
	done
}

@test "a replica that is killed in the middle of pushes loses nothing and doubles nothing" {
	again
	at 1
	"$flamectl" push --batch 1 --attempts 2 "$fleet" "$windows"/*.pb.gz > push.log 2>&1 3>&- &
	local pusher=$! tries
	for ((tries = 0; tries < 300; tries++)); do
		[ "$(sql 'SELECT count() FROM fleet.profiles')" -lt 10 ] || break
		sleep 0.1
	done
	clickhouse_kill "$BATS_FILE_TMPDIR/db1"
	local status=0
	wait "$pusher" || status=$?
	[ "$status" = 1 ]
	grep -q 'cannot push' push.log
	# the others go on; a new window is the last
	at 2
	"$flamectl" push "$fleet" "$windows"/*-0.pb.gz "$windows"/*-1.pb.gz
	[ "$(sql 'SELECT count() FROM fleet.profiles FINAL')" -lt 60 ]
	at 0
	"$flamectl" push "$fleet" "$windows"/*-2.pb.gz
	cd "$BATS_FILE_TMPDIR"
	replica_start 1
	cd "$BATS_TEST_TMPDIR"
	right_everywhere
	# what the pusher that failed sends again counts once, too
	at 1
	"$flamectl" push --batch 1 "$fleet" "$windows"/*.pb.gz
	right_everywhere
}

@test "without ZooKeeper a push fails and says so, and works again afterwards" {
	again
	kill "$(cat "$BATS_FILE_TMPDIR/zookeeper/pid")"
	at 0
	run -1 "$flamectl" push --attempts 1 "$fleet" "$windows"/*.pb.gz
	[[ $output = *'cannot push now'*'Code: '* ]]
	zookeeper_start "$BATS_FILE_TMPDIR/zookeeper" "$(cat "$BATS_FILE_TMPDIR/keeper-port")"
	"$flamectl" push --attempts 20 "$fleet" "$windows"/*.pb.gz
	right_everywhere
}

@test "one server rolls up for all, and each uses that only if it has the same windows" {
	again
	at 0
	"$flamectl" push "$fleet" "$windows"/*.pb.gz
	synchronous
	at 0
	[ "$("$flamectl" fleet roll "$fleet")" = 'rolled up 1 hour; 0 were up to date' ]
	rolled_everywhere
	right_everywhere
	for number in 0 1 2; do
		at "$number"
		[ "$(sql 'SELECT sum(windows) FROM fleet.rollups')" = 60 ]
		[ "$("$flamectl" fleet roll "$fleet")" = 'rolled up 0 hours; 1 were up to date' ]
	done
	# another one rolls up what came later
	at 1
	"$flamectl" push --label rack=7 "$fleet" "$windows/host0-0.pb.gz"
	synchronous
	at 1
	[ "$("$flamectl" fleet roll "$fleet")" = 'rolled up 1 hour; 0 were up to date' ]
	rolled_everywhere
	right_everywhere
	at 2
	[ "$("$flamectl" fleet roll "$fleet")" = 'rolled up 0 hours; 1 were up to date' ]
}
