# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# programs.bash DIR - compile one source to programs with and without symbols, for
# tests of their names. Each program prints lines "NAME OFFSET" of its functions, as it
# finds them in /proc/self/maps. Needs dwz.
set -euo pipefail
cd "$1"

cat >program.c <<'END'
#include <inttypes.h>
#include <stdio.h>

#define FUNCTION(name) \
	__attribute__((noinline, noclone, used)) int name(int x) \
	{ __asm__ volatile(""); return x * 3 + 1; }

static FUNCTION(hidden_function)
FUNCTION(known_function)
int cxx(int x) __asm__("_ZN5outer5inner3runEi");
FUNCTION(cxx)
int rust_old(int x) __asm__("_ZN4core3fmt5write17h0123456789abcdefE");
FUNCTION(rust_old)
int rust(int x) __asm__("_RNvNtCs1234_7mycrate3foo3bar");
FUNCTION(rust)

static void show(const char *name, int (*function)(int))
{
	uint64_t address = (uintptr_t)function + 2, start, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64,
			   &start, &end, &offset) == 3 &&
		    address >= start && address < end)
			printf("%s %" PRIx64 "\n", name, address - start + offset);
	fclose(maps);
}

int main(void)
{
	show("hidden_function", hidden_function);
	show("known_function", known_function);
	show("outer::inner::run", cxx);
	show("core::fmt::write", rust_old);
	show("mycrate::foo::bar", rust);
	return hidden_function(known_function(0)) + rust(rust_old(cxx(0))) < 0;
}
END

build_id() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

cc=${CC:-cc}
$cc -O1 -Wl,--build-id -o pie program.c
$cc -O1 -Wl,--build-id -no-pie -o fixed program.c
$cc -O1 -Wl,--build-id -static -o static program.c
$cc -O1 -Wl,--build-id -static-pie -o static-pie program.c
$cc -O1 -Wl,--build-id=none -o no-id program.c
$cc -O1 -Wl,--build-id -DOTHER -g -o other program.c
# text in the first segment; text with a gap before it in memory, but not in the file
$cc -O1 -Wl,--build-id -Wl,-z,noseparate-code -o joined program.c
$cc -O1 -Wl,--build-id -Wl,--section-start=.text=0x40000 -o gap program.c

# names of .dynsym only
$cc -O1 -Wl,--build-id -rdynamic -o dynamic program.c
strip dynamic

# none at all, or in a debug file by its build-id
strip -o stripped pie
$cc -O1 -Wl,--build-id=0x1234567890abcdef1234567890abcdef12345678 -o separate program.c
debug=usr/lib/debug/.build-id/12/34567890abcdef1234567890abcdef12345678
mkdir -p "${debug%/*}"
objcopy --only-keep-debug separate "$debug.debug"
strip separate

# .gnu_debugdata, as Fedora's
$cc -O1 -Wl,--build-id=0xfedcba98 -o mini program.c
nm mini --format=posix --defined-only | awk '$2 ~ /^[Tt]$/ { print $1 }' >keep
objcopy --only-keep-debug mini mini.debug
objcopy -S --keep-symbols=keep mini.debug mini.data
xz -f mini.data
strip mini
objcopy --add-section .gnu_debugdata=mini.data.xz mini

# Functions that are inlined. DWARF tells of them: in the program, with and without an
# index of addresses; in a debug file, which shares a part with that of another program;
# or in a file of split DWARF, which is not read. In the first two pages of a PIE, offsets
# in the file are addresses.
cat >inlined.cc <<'END'
namespace deep {
struct S {
	static inline __attribute__((always_inline)) int inner(int x)
	{
		__asm__ volatile("nop\n.globl mark_inner\nmark_inner: nop");
		return x * 3;
	}
	static inline __attribute__((always_inline)) int middle(int x)
	{
		__asm__ volatile("");
		return inner(x) + 1;
	}
};
}

extern "C" __attribute__((noinline)) int outer(int x)
{
	int result = deep::S::middle(x);

	__asm__ volatile("nop\n.globl mark_own\nmark_own: nop");
	return result;
}

int main(int argc, char **)
{
	return outer(argc) == 0;
}
END
cxx="${CXX:-c++} -O2 -Wl,--build-id inlined.cc"
$cxx -g -o inlined
$cxx -g -gdwarf-4 -o inlined4
$cxx -g -gsplit-dwarf -o inlined-split
# whoever opens this waits
rm inlined-split*.dwo
mkfifo inlined-split-inlined.dwo
objcopy --remove-section .debug_aranges inlined inlined-bare
# Functions, and blocks in outer(), that have the same 1,000,000 ranges, all of them empty.
cat >empty-ranges.s <<'END'
	.section .debug_abbrev, "", %progbits
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0x11, 1, 0x12, 7, 0, 0
	.uleb128 2, 0x2e
	.byte 1
	.uleb128 0x11, 1, 0x12, 7, 0, 0
	.uleb128 3, 0x0b
	.byte 0
	.uleb128 0x55, 0x17, 0, 0
	.uleb128 4, 0x2e
	.byte 0
	.uleb128 0x55, 0x17, 0, 0
	.byte 0
	.section .debug_info, "", %progbits
	.long 2f - 1f
1:	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1
	.quad outer, 0x100
	.uleb128 2
	.quad outer, 0x100
	.rept 100000
	.uleb128 3
	.long .debug_ranges
	.endr
	.byte 0
	.rept 100000
	.uleb128 4
	.long .debug_ranges
	.endr
	.byte 0
2:
	.section .debug_ranges, "", %progbits
	.fill 2000000, 8, 1
	.quad 0, 0
	.section .note.GNU-stack, "", %progbits
END
$cxx empty-ranges.s -o inlined-empty
# The same with lists that only change the base address, of which libdw reports none.
sed 's/\.fill 2000000, 8, 1$/.rept 1000000\n.quad -1, 4096\n.endr/' empty-ranges.s >bases.s
$cxx bases.s -o inlined-bases
shared=()
for program in one two; do
	id=abcdef012345678$((${#shared[@]}))
	$cxx -g -Wl,--build-id=0x$id -o inlined-$program
	mkdir -p usr/lib/debug/.build-id/ab
	shared+=(usr/lib/debug/.build-id/ab/${id#ab}.debug)
	objcopy --only-keep-debug inlined-$program "${shared[-1]}"
	strip inlined-$program
done
mkdir usr/lib/debug/.dwz
dwz -m usr/lib/debug/.dwz/shared.debug -M /usr/lib/debug/.dwz/shared.debug "${shared[@]}"
# of the second, what it shares is not there
mkdir -p other-root/usr/lib/debug/.build-id/ab
cp "${shared[1]}" other-root/usr/lib/debug/.build-id/ab/
cp inlined-two other-root/
for program in inlined inlined4 inlined-bare inlined-split inlined-empty inlined-bases; do
	build_id $program >$program.id
	nm $program | awk '$3 ~ /^mark_/ { print $3, $1 }' >$program.marks
done
nm "${shared[0]}" | awk '$3 ~ /^mark_/ { print $3, $1 }' | tee inlined-one.marks >inlined-two.marks
for program in one two; do
	build_id inlined-$program >inlined-$program.id
done

for program in pie fixed static static-pie joined gap no-id other dynamic stripped separate mini; do
	./$program >$program.places
	build_id $program >$program.id
done
