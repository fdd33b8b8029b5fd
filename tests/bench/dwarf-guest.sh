#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest, with the host's programs: sample each for SECONDS with flamemod and with
# perf record --call-graph dwarf at the same time.
#
#   dwarf-guest.sh SECONDS
cd /tmp || exit
seconds=$1
# Paths begin at the guest's own root, where the host's is /host.
mkdir -p /host && mount --bind / /host || exit
# Where these programs are is no local file system of the guest.
insmod /root/flamemod.ko hz=997 user_any_fs=1 autostart=0 || exit
for i in {100..190}; do
	echo "int f$i(int x) { int y[9] = { x }; for (int i = 1; i < 9; i++) y[i] = y[i - 1] * $i + i; return y[x & 7]; }"
done >source.c
cat >source.py <<'END'
import json
while True:
    json.dumps(json.loads(json.dumps({str(i): [i, i / 3, str(i)] for i in range(3000)})), indent=1)
    sorted((str(i * 7919 % 10007) for i in range(10000)), key=lambda s: s[::-1])
END
cat >source.pl <<'END'
while (1) {
	my %seen;
	$seen{$_ % 997} .= sprintf("%d,", $_) for 1 .. 20000;
	my @sorted = sort { length($seen{$a}) <=> length($seen{$b}) || $a <=> $b } keys %seen;
	join(" ", @sorted) =~ s/(\d)(\d)/$2$1/gr;
}
END

# endless PROGRAM: run it until it is ended
endless() {
	case $1 in
	gcc) while :; do gcc -O2 -c source.c -o source.o; done ;;
	python3) exec python3 source.py ;;
	perl) exec perl source.pl ;;
	esac
}

for program in gcc python3 perl; do
	endless $program &
	pid=$!
	# The worker reads the program's unwind tables meanwhile.
	flamectl start
	sleep 30
	flamectl stop
	flamectl reset
	perf record -q -e cpu-clock -F 997 -a --call-graph dwarf -o /out/$program.data -- sleep "$seconds" &
	flamectl record -q --any-fs -o /out/$program.pb.gz -d "$seconds"s || exit
	wait $! || exit
	kill $pid
	wait $pid 2>/dev/null || true
done
