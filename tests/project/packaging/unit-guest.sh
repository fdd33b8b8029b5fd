# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# In a guest of tests/project/packaging/unit, in this machine's root directory below an
# overlay: install the module, flamectl and the unit, and start systemd in a pid namespace
# of its own, with unit-check.sh as its only task. Other services of this machine are masked.
set -eu
release=$(uname -r)
mkdir -p "/lib/modules/$release/extra"
cp /proc/1/root/root/flamemod.ko "/lib/modules/$release/extra/"
depmod "$release" 2> /dev/null
cp /proc/1/root/usr/bin/flamectl /usr/bin/
cp /out/flamectl-agent.service /lib/systemd/system/
# or systemd takes the guest for a container
rm -f /.dockerenv
cd /etc/systemd/system
for path in /lib/systemd/system/*.wants/* ./*.wants/*; do
	case $path in
	*journald* | *systemd-tmpfiles-setup.service) ;;
	*.service | *.mount | *.automount | *.path | *.timer) ln -sf /dev/null "${path##*/}" ;;
	esac
done
cat > unit-check.service <<'END'
[Unit]
DefaultDependencies=no
Wants=sysinit.target
After=sysinit.target
FailureAction=exit-force
SuccessAction=exit-force
[Service]
Type=oneshot
ExecStart=/bin/bash /out/unit-check.sh
StandardOutput=file:/out/tap
StandardError=file:/out/stderr
TimeoutStartSec=400
END
# its last action ends it by a signal
unshare --mount --pid --fork --kill-child sh -c '
	mount -t proc proc /proc
	mount -t tmpfs run /run
	mkdir -p /sys/fs/cgroup
	mount -t cgroup2 cgroup /sys/fs/cgroup
	exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=kmsg --unit=unit-check.service' || :
dmesg | grep 'systemd\[' | tail -n 40
