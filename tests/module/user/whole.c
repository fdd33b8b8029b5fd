// SPDX-License-Identifier: GPL-2.0
/*
 * whole [-r ROOT]... FILE... - unwind by libdw what the witness saw, and compare.
 *
 * Each FILE is of keep.c. The stacks that the module calls whole must be libdw's, frame by
 * frame: the same file and the same offset in it, for a return address that of the byte
 * before. libdw reads the copied stack and registers, and the files that were mapped: those
 * below a ROOT (default: /) that has them.
 *
 * Prints a line for each file, then sums: how many were whole and compared, in how many
 * something differs, and how many could not be compared: the process was gone or had
 * replaced its mappings before they were read, or libdw needed more of the stack than was
 * copied, or lost a register (see add_frame()), and had the same frames until then. On arm64 also where libdw guesses: PLTs and the
 * vdso have no tables there, and it takes their leaves for functions with a frame pointer.
 * Exit status 1 if any stack differs.
 */
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kept.h"

#define WHOLE		0	/* FLAMEMOD_USER_WHOLE */
#define MAX_MAPS	200000
#define MAX_LINES	4096
#define MAX_FRAMES	256
#define ENTRY_BYTES	64	/* as fm_is_entry() in module/user/walk.c */
#define SHOWN		20

struct line {
	uint64_t start, end, offset, ino;
	uint64_t dev;
	bool is_text, is_vdso;
};

/* A state of a process's mappings. */
struct maps {
	char *text;
	Dwfl *dwfl;
	struct line *lines;
	unsigned int nr_lines;
};

struct frame {
	uint64_t pc;
	bool is_activation;
};

struct sums {
	unsigned long records, whole, compared, frames, differ, gone, changed, cut, guessed;
	unsigned long copies, signals;
};

static const char *roots[8] = { "" };
static unsigned int nr_roots;

static struct maps maps[MAX_MAPS];
static unsigned int nr_maps;
static char vdso_path[] = "/tmp/whole-vdso-XXXXXX";
static bool have_vdso;
static unsigned long shown;

/* What is unwound now. */
static const struct witness_record *current;
static struct frame frames[MAX_FRAMES];
static unsigned int nr_frames;
static bool is_cut;		/* libdw needed what was not copied */
static bool has_lost_rbx;	/* libdw does not know rbx in its last frame */

static int find_elf(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
		    char **file_name, Elf **elf)
{
	int fd = -1;

	(void)mod;
	(void)data;
	(void)base;
	(void)elf;
	for (unsigned int i = 0; fd < 0 && (!i || i < nr_roots); i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s%s", roots[i], name);
		fd = open(path, O_RDONLY);
		if (fd >= 0)
			*file_name = strdup(path);
	}
	return fd;
}

static int find_debuginfo(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)mod;
	(void)data;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)crc;
	(void)found;
	return -1;	/* .eh_frame is in the file itself */
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debuginfo,
};

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	(void)dwfl;
	(void)arg;
	if (*thread)
		return 0;
	*thread = &nr_frames;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
	(void)dwfl;
	(void)tid;
	(void)arg;
	*thread = &nr_frames;
	return true;
}

static uint64_t sp_of(const struct witness_record *r)
{
	return r->regs[r->is_arm64 ? WITNESS_SP_ARM64 : WITNESS_SP_X86];
}

static uint64_t pc_of(const struct witness_record *r)
{
	return r->regs[r->is_arm64 ? WITNESS_REGS_ARM64 : WITNESS_REGS_X86];
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *arg)
{
	uint64_t start = sp_of(current) - WITNESS_BELOW, offset = address - start;

	(void)dwfl;
	(void)arg;
	if (address < start || offset + sizeof(*result) > current->nr_stack) {
		is_cut = true;
		return false;
	}
	memcpy(result, current->stack + offset, sizeof(*result));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	(void)arg;
	if (!current->is_arm64)
		return dwfl_thread_state_registers(thread, 0, WITNESS_REGS_X86 + 1,
						   (const Dwarf_Word *)current->regs);
	dwfl_thread_state_register_pc(thread, pc_of(current));
	return dwfl_thread_state_registers(thread, 0, WITNESS_REGS_ARM64,
					   (const Dwarf_Word *)current->regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_registers,
};

/*
 * If a function has not saved rbx, its caller still has it. libdw's own rules for x86-64 say
 * so of rax (register 0) in its place, so it ends where the caller's rule needs rbx, as in
 * _dl_runtime_resolve, at the first instructions of what that calls.
 */
static int add_frame(Dwfl_Frame *state, void *arg)
{
	const unsigned int rbx = 3;
	Dwarf_Word value;

	(void)arg;
	has_lost_rbx = !current->is_arm64 && dwfl_frame_reg(state, rbx, &value);
	if (nr_frames == MAX_FRAMES ||
	    !dwfl_frame_pc(state, &frames[nr_frames].pc, &frames[nr_frames].is_activation))
		return DWARF_CB_ABORT;
	nr_frames++;
	return DWARF_CB_OK;
}

static void read_lines(struct maps *m)
{
	char *text = strdup(m->text), *at = text, *line;

	m->lines = calloc(MAX_LINES, sizeof(*m->lines));
	while ((line = strsep(&at, "\n")) && m->nr_lines < MAX_LINES) {
		struct line *l = &m->lines[m->nr_lines];
		unsigned int major, minor;
		char bits[8];

		if (sscanf(line, "%lx-%lx %7s %lx %x:%x %lu", &l->start, &l->end, bits,
			   &l->offset, &major, &minor, &l->ino) != 7)
			continue;
		l->dev = makedev(major, minor);
		l->is_text = bits[2] == 'x';
		l->is_vdso = strstr(line, "[vdso]");
		m->nr_lines++;
	}
	free(text);
}

/* Let libdw know the files of a state of mappings. Return: false if it cannot. */
static bool open_maps(struct maps *m)
{
	FILE *text;

	if (m->dwfl)
		return true;
	read_lines(m);
	m->dwfl = dwfl_begin(&callbacks);
	text = fmemopen(m->text, strlen(m->text), "r");
	if (!m->dwfl || !text || dwfl_linux_proc_maps_report(m->dwfl, text))
		return false;
	fclose(text);
	for (unsigned int i = 0; have_vdso && i < m->nr_lines; i++)
		if (m->lines[i].is_vdso)
			dwfl_report_elf(m->dwfl, "[vdso]", vdso_path, -1,
					m->lines[i].start, false);
	dwfl_report_end(m->dwfl, NULL, NULL);
	return dwfl_attach_state(m->dwfl, NULL, 1, &thread_callbacks, NULL);
}

static void close_maps(struct maps *m)
{
	if (m->dwfl)
		dwfl_end(m->dwfl);
	free(m->lines);
	m->dwfl = NULL;
	m->lines = NULL;
	m->nr_lines = 0;
}

static const struct line *find_line(const struct maps *m, uint64_t address)
{
	for (unsigned int i = 0; i < m->nr_lines; i++)
		if (address >= m->lines[i].start && address < m->lines[i].end)
			return &m->lines[i];
	return NULL;
}

/* Return: whether an address is that of a frame, which the module has found. */
static bool is_frame(const struct maps *m, uint64_t address, const struct witness_frame *frame)
{
	const struct line *l = find_line(m, address);

	if (!l || !l->is_text)
		return false;
	if (l->is_vdso || frame->is_vdso)
		return l->is_vdso && frame->is_vdso && frame->offset == address - l->start;
	return l->ino == frame->ino && l->dev == frame->dev &&
	       address - l->start + l->offset == frame->offset;
}

/* Return: whether an address is in the first instructions of its program, where walks end. */
static bool is_entry(struct maps *m, uint64_t address)
{
	Dwfl_Module *mod = dwfl_addrmodule(m->dwfl, address);
	GElf_Addr bias;
	GElf_Ehdr header;
	Elf *elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;

	return elf && gelf_getehdr(elf, &header) && address >= header.e_entry + bias &&
	       address - header.e_entry - bias < ENTRY_BYTES;
}

/* Return: whether libdw has a table for an address. Without one it guesses the caller. */
static bool has_table(struct maps *m, uint64_t address)
{
	Dwfl_Module *mod = dwfl_addrmodule(m->dwfl, address);
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = mod ? dwfl_module_eh_cfi(mod, &bias) : NULL;
	Dwarf_Frame *frame;

	if (!cfi || dwarf_cfi_addrframe(cfi, address - bias, &frame))
		return false;
	free(frame);
	return true;
}

/* Return: whether libdw guessed the caller of one of the first frames of a stack of arm64. */
static bool is_guessed(struct maps *m, const struct witness_record *r, unsigned int nr)
{
	for (unsigned int i = 0; r->is_arm64 && i < nr && i < nr_frames; i++)
		if (!has_table(m, frames[i].pc - (i && !frames[i].is_activation)))
			return true;
	return false;
}

/* Return: the first frame that differs; nr_frames or more if none does. */
static unsigned int first_difference(struct maps *m, const struct witness_record *r)
{
	unsigned int i;

	for (i = 0; i < r->nr_frames; i++) {
		bool is_exact = !i, may_be;

		if (i == nr_frames)
			return i;
		/*
		 * libdw calls both the kernel's signal frame and the code that it
		 * interrupted activations: the first is a return address.
		 */
		may_be = i && frames[i].is_activation;
		if (!is_frame(m, frames[i].pc - !is_exact, &r->frames[i]) &&
		    !(may_be && is_frame(m, frames[i].pc, &r->frames[i])))
			return i;
	}
	/* libdw guesses where tables end, as in _start of the dynamic linker. */
	if (nr_frames > i && !is_entry(m, frames[i - 1].pc - (i > 1)))
		return i;
	return UINT32_MAX;
}

static void show(struct maps *m, const struct witness_record *r, unsigned int at)
{
	unsigned int i;

	if (shown++ >= SHOWN)
		return;
	printf("# pid %u, copy %u, user %u: frame %u of %u differs; libdw's %u:\n", r->pid,
	       r->is_copy, r->from_user, at, r->nr_frames, nr_frames);
	for (i = 0; i < r->nr_frames || i < nr_frames; i++) {
		const struct line *l = i < nr_frames ? find_line(m, frames[i].pc) : NULL;

		printf("#  %2u", i);
		if (i < r->nr_frames)
			printf(" %llu+0x%llx", r->frames[i].ino, r->frames[i].offset);
		else
			printf(" -");
		if (l)
			printf("\t%lu+0x%lx%s", l->ino, frames[i].pc - l->start + l->offset,
			       frames[i].is_activation ? " activation" : "");
		else if (i < nr_frames)
			printf("\t0x%lx", frames[i].pc);
		printf("\n");
	}
}

static void compare(struct sums *sums, uint32_t number, const struct witness_record *r)
{
	struct maps *m = &maps[number];
	unsigned int at, differs;

	sums->records++;
	if (r->side != WHOLE || !r->nr_frames)
		return;
	sums->whole++;
	if (!number) {
		sums->gone++;
		return;
	}
	/* It has called exec since, or is in it, without a program. */
	if (!open_maps(m) ||
	    (!is_frame(m, pc_of(r), &r->frames[0]) && !find_line(m, sp_of(r)))) {
		sums->changed++;
		return;
	}
	current = r;
	nr_frames = 0;
	is_cut = false;
	dwfl_getthread_frames(m->dwfl, 1, add_frame, NULL);
	differs = first_difference(m, r);
	if ((is_cut || has_lost_rbx) && differs == nr_frames) {
		sums->cut++;
		return;
	}
	if (differs != UINT32_MAX && is_guessed(m, r, differs)) {
		sums->guessed++;
		return;
	}
	sums->compared++;
	sums->frames += r->nr_frames;
	sums->copies += r->is_copy;
	for (at = 1; at < nr_frames; at++)
		sums->signals += frames[at].is_activation;
	if (differs == UINT32_MAX)
		return;
	sums->differ++;
	show(m, r, differs);
}

static void keep_vdso(const void *bytes, size_t nr)
{
	int fd = have_vdso ? -1 : mkstemp(vdso_path);

	if (fd < 0)
		return;
	have_vdso = write(fd, bytes, nr) == (ssize_t)nr;
	close(fd);
}

static void compare_file(struct sums *sums, FILE *file)
{
	static union {
		struct witness_record record;
		char bytes[2 << 20];
	} part;
	struct kept kept;

	while (fread(&kept, sizeof(kept), 1, file) == 1) {
		if (kept.nr >= sizeof(part) || kept.number >= MAX_MAPS ||
		    fread(&part, 1, kept.nr, file) != kept.nr) {
			fprintf(stderr, "whole: cut short\n");
			exit(1);
		}
		part.bytes[kept.nr] = 0;
		switch (kept.kind) {
		case KEPT_VDSO:
			keep_vdso(part.bytes, kept.nr);
			break;
		case KEPT_MAPS:
			maps[kept.number].text = strdup(part.bytes);
			nr_maps = kept.number;
			break;
		case KEPT_RECORD:
			compare(sums, kept.number, &part.record);
			break;
		}
	}
	for (unsigned int i = 1; i <= nr_maps; i++) {
		close_maps(&maps[i]);
		free(maps[i].text);
		maps[i].text = NULL;
	}
}

static void print(const char *name, const struct sums *s)
{
	printf("%s\t%lu samples\t%lu whole\t%lu compared\t%lu frames\t%lu copies\t%lu signal frames\t%lu gone\t%lu changed\t%lu cut\t%lu guessed\t%lu differ\n",
	       name, s->records, s->whole, s->compared, s->frames, s->copies, s->signals,
	       s->gone, s->changed, s->cut, s->guessed, s->differ);
}

int main(int argc, char **argv)
{
	struct sums all = { 0 };
	int i = 1;

	for (; i + 1 < argc && !strcmp(argv[i], "-r") && nr_roots < 8; i += 2)
		roots[nr_roots++] = argv[i + 1];
	for (; i < argc; i++) {
		struct sums sums = { 0 };
		FILE *file = fopen(argv[i], "r");

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		compare_file(&sums, file);
		fclose(file);
		print(strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i], &sums);
		for (size_t k = 0; k < sizeof(sums) / sizeof(unsigned long); k++)
			((unsigned long *)&all)[k] += ((unsigned long *)&sums)[k];
	}
	print("all", &all);
	if (have_vdso)
		unlink(vdso_path);
	return all.differ || !all.compared;
}
