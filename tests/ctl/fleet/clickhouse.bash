# SPDX-License-Identifier: GPL-2.0
#
# A real ClickHouse for tests: on a free port of 127.0.0.1, in a directory of its own, with
# a user "me" whose password is "hush". Debian packages: clickhouse-server, python3.
# shellcheck shell=bash

# free_ports NUMBER: print so many ports of this machine that nobody uses
free_ports() {
	python3 - "$1" <<-'END'
	import socket, sys
	sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
	for s in sockets:
	    s.bind(("127.0.0.1", 0))
	print(*(s.getsockname()[1] for s in sockets))
	END
}

# clickhouse_start DIRECTORY [CONFIGURATION]: start it, with more elements of its
# configuration; sets store to http://HOST:PORT
clickhouse_start() {
	local directory=$1 port tries
	port=$(free_ports 1)
	mkdir -p "$directory"/{data,tmp,files,schemas}
	cat > "$directory/config.xml" <<-END
	<yandex>
	<logger><level>warning</level><console>1</console></logger>
	<http_port>$port</http_port><listen_host>127.0.0.1</listen_host>
	<path>$directory/data/</path><tmp_path>$directory/tmp/</tmp_path>
	<user_files_path>$directory/files/</user_files_path>
	<format_schema_path>$directory/schemas/</format_schema_path>
	<users_config>$directory/users.xml</users_config>
	<default_profile>default</default_profile><default_database>default</default_database>
	<mark_cache_size>268435456</mark_cache_size><timezone>UTC</timezone>
	${2-}
	</yandex>
	END
	cat > "$directory/users.xml" <<-'END'
	<yandex>
	<profiles><default></default><seeing><readonly>1</readonly></seeing></profiles><quotas><default></default></quotas>
	<users>
	<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
	<seer><password></password><networks><ip>127.0.0.1</ip></networks><profile>seeing</profile><quota>default</quota></seer>
	<me><password>hush</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></me>
	</users>
	</yandex>
	END
	(cd "$directory" && exec clickhouse-server --config-file="$directory/config.xml") \
		> "$directory/log" 2>&1 3>&- &
	echo $! > "$directory/pid"
	store=http://127.0.0.1:$port
	for ((tries = 0; tries < 150; tries++)); do
		[ "$(sql 'SELECT 1' 2> /dev/null)" = 1 ] && return
		sleep 0.2
	done
	cat "$directory/log"
	return 1
}

# clickhouse_kill DIRECTORY: as a machine that fails would end it
clickhouse_kill() {
	local pid tries
	pid=$(cat "$1/pid")
	kill -KILL "$pid"
	for ((tries = 0; tries < 150; tries++)); do
		[ -e "/proc/$pid" ] || return 0
		sleep 0.2
	done
}

# clickhouse_stop DIRECTORY: it may be another shell's child
clickhouse_stop() {
	local pid tries
	pid=$(cat "$1/pid")
	kill "$pid"
	for ((tries = 0; tries < 150; tries++)); do
		[ -e "/proc/$pid" ] || return 0
		sleep 0.2
	done
	kill -KILL "$pid"
}

# sql STATEMENT: run it, in the database fleet if there is one
sql() {
	python3 - "$store/" "$1" <<-'END'
	import sys
	from urllib.error import HTTPError
	from urllib.request import urlopen
	try:
	    print(urlopen(sys.argv[1], sys.argv[2].encode(), timeout=120).read().decode(), end="")
	except HTTPError as error:
	    sys.exit(error.read().decode())
	END
}

# store_start: start a ClickHouse for the tests of a file; sets and exports store and
# FLAMECTL_FLEET, and sets flamectl
store_start() {
	export store FLAMECTL_FLEET
	# shellcheck disable=SC2034 # for the caller
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	clickhouse_start "$BATS_FILE_TMPDIR/server"
	FLAMECTL_FLEET=clickhouse${store#http}/fleet
}
