#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
#
# flamectl push to Pyroscope, Parca and OTLP: views.py of the unit tests is a server of all
# three, which checks what it gets as these do. Debian packages: libcurl4, openssl, python3.

bats_require_minimum_version 1.5.0

setup() {
	flamectl=$(realpath "${FLAMECTL:-./flamectl}")
	fake=$(realpath out/unit/fake)
	saved=$(realpath tests/ctl/cli/saved.pb.gz)
	views=$(realpath tests/ctl/unit/views.py)
	cd "$BATS_TEST_TMPDIR" || return
	echo s3cr3t-t0k3n > token
	unset http_proxy https_proxy all_proxy
}

# serve PROGRAM ARGUMENT...: start a server; sets port
serve() {
	mkfifo input port-pipe
	python3 "$@" < input > port-pipe 3>&- 4>&- &
	exec 4> input
	read -r port < port-pipe
	rm input port-pipe
}

teardown() {
	exec 4>&-	# the server ends when its input does
	wait
}

# log: print what the server has taken
log() {
	python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=10).read().decode(), end="")' \
		"http://127.0.0.1:$port/log"
}

@test "each kind of server takes a window, with its labels, time and token" {
	serve "$views" serve
	"$fake" 0 record -q -d 50ms -o now.pb.gz
	periods=$("$flamectl" dump now.pb.gz | awk '{ sum += $NF } END { print sum }')
	[ "$periods" -gt 0 ]
	for url in "pyroscope://127.0.0.1:$port?tenant=team-1" "parca://127.0.0.1:$port" "otlp://127.0.0.1:$port"; do
		run -0 "$flamectl" push --label rack=7 --token-file token "$url" now.pb.gz
		[ "$output" = 'pushed 1 window in 1 request' ]
	done
	log > taken
	labels='"host": "box?[31m", "rack": "7", "release": "6.1.0-42-amd64", "service_name": "flamemod"'
	grep -qxF "pyroscope team-1 Bearer s3cr3t-t0k3n {$labels} $periods" taken
	grep -qxF "parca None Bearer s3cr3t-t0k3n {$labels} $periods" taken
	labels='"host.name": "box?[31m", "os.version": "6.1.0-42-amd64", "rack": "7", "service.name": "flamemod"'
	grep -qxF "otlp None Bearer s3cr3t-t0k3n {$labels} $periods" taken
	[ "$(wc -l < taken)" -eq 3 ]
}

@test "several windows are a request each" {
	serve "$views" serve
	run -0 "$flamectl" push "parca://127.0.0.1:$port" "$saved" "$saved" "$saved"
	[ "$output" = 'pushed 3 windows in 3 requests' ]
	[ "$(log | wc -l)" -eq 3 ]
	# what was taken is not sent again with what was not
	run -1 "$flamectl" push "parca://127.0.0.1:$port/answer/large" "$saved" "$saved" "$saved"
	[[ $output = *'answered 413: too large'*'pushed 1 window in 2 requests' ]]
	[ "$(log | wc -l)" -eq 4 ]
}

@test "a window that Pyroscope would refuse for its age is not sent" {
	serve "$views" serve
	run -1 "$flamectl" push "pyroscope://127.0.0.1:$port" "$saved"
	[[ $output = "flamectl: cannot push $saved: it starts at 2023-11-14 22:13:20 UTC, and Pyroscope refuses what is older than 3600.0 s; if that server takes more, add ?max-age="* ]]
	run -1 "$flamectl" push "pyroscope://127.0.0.1:$port?max-age=24h" "$saved"
	[[ $output = *'older than 86400.0 s'* ]]
	[ -z "$(log)" ]
}

@test "what a server says of a refusal is passed on, without the token" {
	serve "$views" serve
	run -1 "$flamectl" push "otlp://127.0.0.1:$port/answer/rejected" "$saved"
	[ "$output" = "flamectl: cannot push: http://127.0.0.1:$port answered 200: it rejected the profile: no such metric" ]
	run -1 "$flamectl" push "parca://127.0.0.1:$port/answer/page" "$saved"
	[[ $output = *'answered 200: <html>log in</html>' ]]
	run -1 "$flamectl" push "otlp://127.0.0.1:$port/elsewhere" "$saved"
	[[ $output = *'answered 404: 404 page not found' ]]
	run -0 "$flamectl" push "otlp://127.0.0.1:$port/answer/busy" "$saved"
	[ "$output" = 'pushed 1 window in 2 requests' ]
	run -1 "$flamectl" push "parca://me@127.0.0.1:$port" "$saved"
	[[ $output = *"me@: Parca takes no user: its token alone says who sends" ]]
	run -1 "$flamectl" push --token-file token "parca://127.0.0.1:$port/answer/echo" "$saved"
	[[ $output = *'answered 403: '*'*****'* && $output != *s3cr3t* ]]
}

@test "a window that may count twice is reported; with --in-doubt drop it is not sent again" {
	cat > cut.py <<-'END'
	"""Take each connection's request; answer only the second one."""
	import socket, sys, threading
	server = socket.create_server(("127.0.0.1", 0))
	print(server.getsockname()[1], flush=True)
	def run():
	    for nr in range(100):
	        peer = server.accept()[0]
	        data = b""
	        while b"\r\n\r\n" not in data:
	            data += peer.recv(65536)
	        head, body = data.split(b"\r\n\r\n", 1)
	        size = int(head.lower().split(b"content-length:")[1].split()[0])
	        while len(body) < size:
	            body += peer.recv(65536)
	        if nr % 2:
	            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	                         b"Content-Length: 2\r\nConnection: close\r\n\r\n{}")
	        peer.close()
	threading.Thread(target=run, daemon=True).start()
	sys.stdin.read()
	END
	serve cut.py
	run -0 --separate-stderr "$flamectl" push "parca://127.0.0.1:$port" "$saved"
	[ "$output" = 'pushed 1 window in 2 requests' ]
	[ "$stderr" = 'flamectl: warning: Parca may count 1 of them twice: it did not answer at first, and has no way to know a window' ]
	run -1 --separate-stderr "$flamectl" push --in-doubt drop "parca://127.0.0.1:$port" "$saved"
	[ "$output" = 'pushed 0 windows in 1 request' ]
	[[ $stderr = *'warning: 1 windows are dropped, as they may have been taken'* ]]
}

@test "https, with a certificate that is trusted, and not with another" {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
		-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout key -out cert 2> /dev/null
	serve "$views" serve cert key
	run -0 "$flamectl" push --ca cert "parca+https://127.0.0.1:$port" "$saved"
	run -0 "$flamectl" push "otlp+https://127.0.0.1:$port?ca=cert&token-file=token" "$saved"
	run -1 "$flamectl" push "parca+https://127.0.0.1:$port" "$saved"
	[[ $output = *'certificate'* ]]
	run -1 "$flamectl" push 'parca+http://db.example' "$saved"
	[[ $output = *'plain http is only for servers on this machine'* ]]
}
