// SPDX-License-Identifier: GPL-2.0
/*
 * Derive subsystems from function names. The kernel has no table of subsystems,
 * but the prefixes of its function names identify most of what profiles show.
 */
#include <stddef.h>
#include <string.h>

#include "tree/subsystem.h"

static const char *const names[SUBSYSTEM_MAX] = {
	[SUBSYSTEM_OTHER] = "other",
	[SUBSYSTEM_ENTRY] = "entry",
	[SUBSYSTEM_SCHEDULER] = "scheduler",
	[SUBSYSTEM_INTERRUPTS] = "interrupts",
	[SUBSYSTEM_TIME] = "time",
	[SUBSYSTEM_LOCKS] = "locks",
	[SUBSYSTEM_MEMORY] = "memory",
	[SUBSYSTEM_FILES] = "files",
	[SUBSYSTEM_BLOCK] = "block",
	[SUBSYSTEM_NETWORK] = "network",
	[SUBSYSTEM_SECURITY] = "security",
	[SUBSYSTEM_TRACING] = "tracing",
	[SUBSYSTEM_VIRTUAL] = "virtual",
	[SUBSYSTEM_DRIVERS] = "drivers",
};

/* Prefixes separated by spaces; the longest one that matches decides. */
static const char *const function_prefixes[SUBSYSTEM_MAX] = {
	[SUBSYSTEM_ENTRY] =
		"asm_exc_ exc_ entry_ do_syscall do_int80 do_fast_syscall "
		"x64_sys_ ia32_sys_ arm64_sys_ se_sys_ do_sys_ sys_ syscall_ "
		"ret_from_fork ret_to_user exit_to_user el0 el1 invoke_syscall "
		"ksys_ error_entry native_iret swapgs_ copy_thread do_exit "
		"do_group_exit kernel_clone copy_process signal get_signal "
		"do_signal do_send_ kill_ wait4 do_wait kernel_wait begin_new_exec "
		"bprm_ load_elf_ search_binary do_execve",
	[SUBSYSTEM_SCHEDULER] =
		"schedule sched_ pick_next pick_task enqueue_task dequeue_task "
		"enqueue_entity dequeue_entity update_curr update_load update_rq "
		"update_cfs load_balance newidle_ try_to_wake wake_up ttwu_ "
		"default_wake autoremove_wake finish_task context_switch switch_ "
		"select_task select_idle set_next put_prev check_preempt "
		"task_tick scheduler_ cpuacct_ psi_ kthread worker_ process_one_work "
		"queue_work do_idle cpu_idle cpuidle_ cpu_startup default_idle "
		"native_safe_halt acpi_idle intel_idle mwait_ play_dead prepare_to_wait "
		"finish_wait do_wait_intr rebalance_ nohz_ balance_ place_entity "
		"reweight_ resched_ yield_ cgroup_ smpboot_ migration_ stop_one_",
	[SUBSYSTEM_INTERRUPTS] =
		"asm_sysvec_ sysvec_ asm_common_interrupt common_interrupt "
		"handle_irq handle_softirqs handle_edge handle_fasteoi handle_level "
		"do_softirq softirq irq_ do_irq do_IRQ tasklet_ apic_ lapic_ x2apic_ "
		"ack_ native_apic native_send reschedule_ call_function "
		"generic_handle generic_smp smp_call gic_ asm_exc_nmi nmi_ "
		"default_send local_bh tick_irq run_ksoftirqd flush_smp",
	[SUBSYSTEM_TIME] =
		"hrtimer_ timer_ tick_ ktime_ clock clockevents_ timekeeping_ "
		"run_timer call_timer read_tsc delay_ udelay msleep usleep "
		"nanosleep do_nanosleep schedule_hrtimeout alarm posix_timer "
		"itimer update_process_times update_wall rcu_ call_rcu note_gp "
		"srcu_ synchronize_ get_timespec mod_timer del_timer add_timer "
		"internal_add_timer lock_timer ntp_ pvclock_ kvm_clock sched_clock",
	[SUBSYSTEM_LOCKS] =
		"raw_spin native_queued queued_ mutex_ rwsem_ down_ up_ down up "
		"rt_mutex rt_spin rtlock futex_ do_futex get_futex osq_ lock_ "
		"lockref_ lockdep_ percpu_down percpu_up semaphore ww_mutex "
		"pv_queued virt_spin plist_ completion complete wait_for_completion",
	[SUBSYSTEM_MEMORY] =
		"alloc_page alloc_pages get_page free_page free_unref rmqueue "
		"kmem_ kmalloc kfree kvmalloc kvfree kzalloc slab_ cache_alloc "
		"cache_grow new_slab allocate_slab memcg_ mem_cgroup obj_cgroup "
		"charge_ try_charge uncharge_ handle_mm handle_pte do_anonymous "
		"do_fault do_user_addr do_page_fault exc_page_fault "
		"asm_exc_page_fault do_wp_ wp_page "
		"do_swap swap_ finish_fault filemap_map do_read_fault do_cow clear_page "
		"clear_huge clear_user copy_page copy_mc_ copy_present copy_pte "
		"copy_user_highpage zap_ unmap_ tlb_ flush_tlb native_flush "
		"mmap_ do_mmap do_munmap do_brk vma_ vm_ vmap_ vmalloc vunmap "
		"mas_ mt_ mtree_ anon_vma page_ folio_ lru_ shrink_ kswapd "
		"try_to_free try_to_unmap rmap_ pte_ pmd_ pud_ p4d_ pgd_ "
		"mprotect madvise mremap mlock khugepaged compact_ isolate_ "
		"migrate_ release_pages workingset_ mm_ mmput exit_mmap dup_mm "
		"get_user_pages gup_ follow_page pagefault_ fault_in cow_user "
		"memcpy memset memmove memcmp rep_ perf_clear prep_new pcpu_ percpu_ "
		"hugetlb_ numa_ vmemmap_ ksm_ oom_ out_of_memory",
	[SUBSYSTEM_FILES] =
		"vfs_ ksys_read ksys_write x64_sys_read x64_sys_write new_sync_ "
		"do_sys_open do_filp do_open path_ link_path walk_component "
		"lookup_ d_ dput dget dentry_ inode_ iput iget igrab new_inode "
		"alloc_inode destroy_inode evict file_ fput fget filp_ alloc_file "
		"alloc_empty_file filemap_ generic_file generic_perform "
		"generic_write pagecache_ read_pages page_cache writeback_ wb_ "
		"do_writepages write_cache balance_dirty sync_ fsync do_fsync "
		"ext2_ ext4_ jbd2_ xfs_ btrfs_ f2fs_ fuse_ nfs_ nfsd_ overlay "
		"ovl_ proc_ kernfs_ sysfs_ tmpfs shmem_ debugfs_ seq_ pipe_ "
		"anon_pipe splice_ do_splice iter_ copy_page_to_iter "
		"copy_page_from_iter import_iovec rw_verify fsnotify inotify "
		"eventfd_ epoll ep_ do_epoll do_poll do_select do_sys_poll "
		"poll_ select_estimate getname putname getdents filldir "
		"do_statx stat_ cp_new_stat statfs mnt_ mntput mntget do_mount "
		"namespace_ super_ simple_ iomap_ buffer_ bh_ mark_buffer "
		"block_write block_read submit_bh ll_rw touch_atime atime_ "
		"open_last may_open complete_walk step_into nd_ terminate_walk "
		"do_unlink do_rename do_dentry isofs_ fat_ vfat_ udf_ squashfs_ "
		"exfat_ io_uring io_ aio_ tty_ n_tty pty_ dnotify locks_ posix_lock",
	[SUBSYSTEM_BLOCK] =
		"blk_ bio_ submit_bio elv_ elevator_ dd_ bfq_ kyber_ scsi_ sd_ "
		"nvme_ ata_ ahci_ sata_ dm_ md_ raid loop_ nbd_ mmc_ virtblk_ "
		"virtscsi_ blkdev_ blkg_ blkcg_ block_ generic_make disk_ part_ "
		"rq_qos wbt_ xlog_ null_ zram_ sg_ sr_ rbd_ end_bio",
	[SUBSYSTEM_NETWORK] =
		"tcp_ tcp4_ tcp6_ udp_ udp4_ udp6_ ip_ ip6_ ipv4_ ipv6_ inet_ "
		"inet6_ icmp skb_ sk_ sock_ socket_ sockfd_ sys_send sys_recv "
		"x64_sys_send x64_sys_recv move_addr net_ netif_ netdev_ netlink_ "
		"dev_ napi_ gro_ nf_ nft_ ipt_ xt_ ebt_ br_ bridge_ fib_ fib6_ "
		"neigh_ arp_ eth_ ether_ dst_ rt_ rt6_ route_ qdisc_ sch_ tc_ "
		"cls_ pfifo_ fq_ tun_ tap_ veth_ bond_ team_ vlan_ vxlan_ "
		"geneve_ gre_ loopback_ validate_xmit kfree_skb consume_skb "
		"alloc_skb build_skb unix_ packet_ raw_send raw_recv raw_v4 "
		"rtnl_ genl_ csum_ do_csum sctp_ mptcp_ tls_ xfrm_ esp_ ah_ "
		"wg_ virtnet_ e1000 igb_ ixgbe_ i40e_ ice_ mlx4_ mlx5_ bnxt_ "
		"ena_ r8169_ rtl_ tg3_ process_backlog enqueue_to_backlog "
		"dequeue_skb dst phy_ mac80211 ieee80211_ cfg80211_ sunrpc svc_ "
		"rpc_ xprt_ lock_sock release_sock __sk wake_async",
	[SUBSYSTEM_SECURITY] =
		"security_ selinux_ avc_ apparmor_ aa_ smack_ tomoyo_ landlock_ "
		"ima_ evm_ audit_ seccomp_ cap_ capable ns_capable cred_ "
		"prepare_creds override_creds revert_creds key_ keyring_ crypto_ "
		"sha1_ sha256_ sha512_ aes_ aesni_ chacha_ poly1305_ blake2 "
		"curve25519_ random_ get_random extract_ crng_ add_interrupt_ rand "
		"siphash crc32 hash_ xor_ gcm_ ghash_",
	[SUBSYSTEM_TRACING] =
		"perf_ ftrace_ trace_ tracing_ ring_buffer kprobe uprobe bpf_ "
		"flamemod fm_ unwind_ arch_stack stack_trace stack_depot orc_ "
		"kallsyms_ printk vprintk console_ vsnprintf event_ "
		"x86_pmu intel_pmu amd_pmu __orc intel_bts ptrace_",
	[SUBSYSTEM_VIRTUAL] =
		"kvm_ vmx_ svm_ vcpu_ x86_emulate ept_ tdp_ npt_ vhost_ virtio_ "
		"virtqueue_ vring_ xen_ hv_ hyperv_ vmbus_ vmw_ vfio_ iommu_ "
		"intel_iommu dma_ swiotlb_ hypercall",
	[SUBSYSTEM_DRIVERS] =
		"pci_ acpi_ usb_ xhci_ ehci_ hid_ input_ drm_ i915_ amdgpu_ "
		"radeon_ nouveau_ fb_ vga_ vt_ serial8250 uart_ i2c_ spi_ gpio_ "
		"snd_ device_ driver_ platform_ regmap_ thermal_ cpufreq_ "
		"pm_ rtc_ watchdog efi_ mei_ tpm_",
};

static const char *const module_prefixes[SUBSYSTEM_MAX] = {
	[SUBSYSTEM_FILES] =
		"ext2 ext4 jbd2 mbcache xfs btrfs f2fs fuse nfs lockd overlay "
		"isofs fat vfat exfat udf squashfs ceph cifs 9p autofs binfmt_ "
		"configfs efivarfs zfs erofs virtiofs",
	[SUBSYSTEM_BLOCK] =
		"scsi sd_mod sr_mod sg nvme libata ata_ ahci libahci dm_ dm_mod md_mod "
		"raid loop nbd mmc virtio_blk virtio_scsi null_blk zram rbd "
		"drbd bcache megaraid mpt3sas",
	[SUBSYSTEM_NETWORK] =
		"tcp_ udp_ ip_ ip6 nf_ nft_ nfnetlink x_tables xt_ ebtable iptable "
		"bridge br_ stp llc 8021q bonding veth tun tap vxlan geneve gre "
		"wireguard virtio_net net_failover e1000 igb ixgbe i40e ice mlx4 "
		"mlx5 bnxt ena r8169 tg3 af_packet sch_ cls_ act_ tls sctp "
		"sunrpc mac80211 cfg80211 iwl rpcsec openvswitch dummy macvlan",
	[SUBSYSTEM_SECURITY] =
		"crypto aes ghash sha1 sha256 sha512 chacha poly1305 blake2 "
		"curve25519 libcrc crc rng_core virtio_rng cryptd xor",
	[SUBSYSTEM_TRACING] = "flamemod kheaders",
	[SUBSYSTEM_VIRTUAL] =
		"kvm irqbypass vhost vfio virtio xen hv_ vmw vboxguest",
};

/* Return: the length of the longest of @prefixes that @name starts with. */
static size_t longest_prefix(const char *prefixes, const char *name,
			     size_t length)
{
	size_t longest = 0;

	while (prefixes && *prefixes) {
		size_t size = strcspn(prefixes, " ");

		if (*prefixes == *name && size > longest && size <= length &&
		    !memcmp(prefixes, name, size))
			longest = size;
		prefixes += size;
		prefixes += *prefixes == ' ';
	}
	return longest;
}

static enum subsystem find(const char *const prefixes[SUBSYSTEM_MAX],
			   const char *name, size_t length,
			   enum subsystem unknown)
{
	enum subsystem found = unknown;
	size_t longest = 0;

	for (int i = 0; i < SUBSYSTEM_MAX; i++) {
		size_t size = longest_prefix(prefixes[i], name, length);

		if (size > longest) {
			longest = size;
			found = i;
		}
	}
	return found;
}

enum subsystem subsystem_of(const char *name)
{
	const char *module = strstr(name, " ["), *bare = name;
	size_t length = module ? (size_t)(module - name) : strlen(name);
	enum subsystem unknown = module ? SUBSYSTEM_DRIVERS : SUBSYSTEM_OTHER;

	if (module) {
		module += 2;
		unknown = find(module_prefixes, module, strcspn(module, "]"),
			       unknown);
		if (unknown != SUBSYSTEM_DRIVERS)
			return unknown;
	}
	bare += strspn(bare, "_");
	if (bare > name + length)
		return unknown;
	return find(function_prefixes, bare, length - (bare - name), unknown);
}

const char *subsystem_name(enum subsystem subsystem)
{
	return names[subsystem];
}
