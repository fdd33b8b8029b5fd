// SPDX-License-Identifier: GPL-2.0
/*
 * Loads BPF programs by the system call alone: no library, no compiler, no BTF.
 *
 *   bpf churn TIMES REPEAT COMMAND
 *                                programs "left" and "right" in turns, loaded,
 *                                run REPEAT times and unloaded, after COMMAND has
 *                                run; the process bears the name of the one it is at
 *   bpf probe FUNCTION...        a program at each function's entry and one at
 *                                its return, until killed; prints a line when
 *                                they are attached
 *
 * A program reads the time, so that it calls into the kernel.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS	64

static void die(const char *what)
{
	fprintf(stderr, "bpf: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static int program_load(enum bpf_prog_type type, const char *name,
			uint32_t version)
{
	struct bpf_insn insns[CALLS + 2];
	static char log[4096];
	union bpf_attr attr;
	int fd, i;

	memset(insns, 0, sizeof(insns));
	for (i = 0; i < CALLS; i++) {
		insns[i].code = BPF_JMP | BPF_CALL;
		insns[i].imm = BPF_FUNC_ktime_get_ns;
	}
	insns[CALLS].code = BPF_ALU64 | BPF_MOV | BPF_K;
	insns[CALLS + 1].code = BPF_JMP | BPF_EXIT;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = CALLS + 2;
	attr.license = (uintptr_t)"GPL";
	attr.kern_version = version;
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	strncpy(attr.prog_name, name, sizeof(attr.prog_name) - 1);
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (fd < 0) {
		fprintf(stderr, "%s", log);
		die("load a program");
	}
	return fd;
}

static void program_run(int fd, uint32_t repeat)
{
	unsigned char packet[64] = { 0 };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)fd;
	attr.test.data_in = (uintptr_t)packet;
	attr.test.data_size_in = sizeof(packet);
	attr.test.repeat = repeat;
	if (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr)))
		die("run a program");
}

static void churn(int times, uint32_t repeat, const char *command)
{
	static const char * const names[] = { "left", "right" };
	int i;

	for (i = 0; i < times; i++) {
		const char *name = names[i % 2];
		int fd;

		prctl(PR_SET_NAME, name);
		fd = program_load(BPF_PROG_TYPE_SOCKET_FILTER, name, 0);
		program_run(fd, repeat);
		if (system(command))
			die("run the command");
		close(fd);
		/* it is freed after a grace period */
		usleep(100000);
	}
}

static unsigned int kprobe_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	unsigned int type;

	if (!file || fscanf(file, "%u", &type) != 1)
		die("find the kprobe event source");
	fclose(file);
	return type;
}

static void probe_attach(const char *function, int is_return)
{
	struct perf_event_attr attr;
	int event, program;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = kprobe_type();
	/* bit 0 of the kprobe event source: at the return */
	attr.config = (uint64_t)is_return;
	attr.kprobe_func = (uintptr_t)function;
	attr.sample_period = 1;
	event = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1,
			     PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		die(function);
	program = program_load(BPF_PROG_TYPE_KPROBE, "probe", 0);
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, program) ||
	    ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		die("attach a program");
}

int main(int argc, char **argv)
{
	int i;

	if (argc == 5 && !strcmp(argv[1], "churn")) {
		churn(atoi(argv[2]), (uint32_t)atoi(argv[3]), argv[4]);
		return 0;
	}
	if (argc > 2 && !strcmp(argv[1], "probe")) {
		for (i = 2; i < argc; i++) {
			probe_attach(argv[i], 0);
			probe_attach(argv[i], 1);
		}
		printf("attached\n");
		fflush(stdout);
		pause();
		return 0;
	}
	fprintf(stderr, "usage: bpf churn TIMES REPEAT COMMAND | bpf probe FUNCTION...\n");
	return 2;
}
