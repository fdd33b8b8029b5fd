// SPDX-License-Identifier: GPL-2.0
/*
 * The profile, and call trees of any part of it. Each record points to a node of
 * the profile's own tree, which all stacks share; each view sums up records anew.
 */
const data = JSON.parse(document.getElementById('data').textContent);

/* Weights are exact: BigInt if their sum exceeds what numbers can hold. */
const toWeight = Number.isSafeInteger(Number(data.total)) ? Number : BigInt;
const noWeight = toWeight(0);

data.total = toWeight(data.total);
data.records.weight = data.records.weight.map((weight) => toWeight(weight));
for (const lost of data.lost)
	lost.weight = toWeight(lost.weight);

/* Ranks of names in sorted order, so that sorting only compares numbers. */
const rankOfName = (() => {
	const byName = data.names.map((name, i) => i);
	const rank = new Uint32Array(byName.length);

	byName.sort((a, b) => data.names[a] < data.names[b] ? -1 :
			      data.names[a] > data.names[b] ? 1 : a - b);
	byName.forEach((name, place) => { rank[name] = place; });
	return rank;
})();

/* Names that the page itself adds follow those of the profile. */
const names = data.names.slice();
const nameNumbers = new Map();

function nameNumber(text)
{
	if (!nameNumbers.has(text)) {
		nameNumbers.set(text, names.length);
		names.push(text);
	}
	return nameNumbers.get(text);
}

/*
 * A call tree as columns: parent, name, kind, self, total, start, first child and
 * next sibling, by index; 0 is the root, and parents come before their children.
 * It has the members that graph.js expects of a tree.
 */
class Tree {
	constructor()
	{
		this.parent = [-1];
		this.name = [nameNumber('all')];
		this.kind = ['t'];
		this.self = [noWeight];
		this.found = new Map();
		this.root = 0;
		this.noWeight = noWeight;
	}

	parentOf(node)
	{
		return node ? this.parent[node] : null;
	}

	*childrenOf(node)
	{
		for (let child = this.child[node]; child; child = this.sibling[child])
			yield child;
	}

	weightOf(node)
	{
		return this.total[node];
	}

	startOf(node)
	{
		return this.start[node];
	}

	hiddenOf()
	{
		return noWeight;
	}

	nameOf(node)
	{
		return names[this.name[node]];
	}

	isFunction(node)
	{
		return node !== this.root;
	}

	/* Losses are always shown. */
	mayMerge(node)
	{
		return this.kind[node] !== 'l';
	}

	/* Return a path from the root: for each node its number among siblings. */
	placeOf(node)
	{
		const path = [];

		for (; node; node = this.parent[node])
			path.unshift(Array.from(this.childrenOf(this.parent[node])).indexOf(node));
		return path.join('.');
	}

	nodeAt(path)
	{
		let node = this.root;

		for (const place of path ? path.split('.') : []) {
			node = Array.from(this.childrenOf(node))[+place];
			if (node === undefined)
				return this.root;
		}
		return node;
	}

	/* Find or make a child. */
	add(parent, name, kind)
	{
		/* below 2^53 as long as names and nodes are below 2^24 */
		const key = (parent * 2 ** 24 + name) * 8 + 'tkmuilx'.indexOf(kind);
		let node = this.found.get(key);

		if (node === undefined) {
			node = this.parent.length;
			this.found.set(key, node);
			this.parent.push(parent);
			this.name.push(name);
			this.kind.push(kind);
			this.self.push(noWeight);
		}
		return node;
	}

	/*
	 * Find out to which half of its stack each node belongs, user or kernel, as
	 * ctl/tree/half.c does: marks go by what is above them, or else by what is below.
	 */
	halve()
	{
		const of = { u: 'u', k: 'k', m: 'k', i: 'k' }, nr = this.kind.length;
		const aboveUser = new Uint8Array(nr), cuts = ['[truncated]', '[incomplete]'];

		this.half = this.kind.map((kind) => of[kind] || '');
		for (let node = 1; node < nr; node++) {
			const above = this.half[this.parent[node]];

			if (this.kind[node] === 'x')
				this.half[node] = above === 'u' && cuts.includes(this.nameOf(node)) ?
					'k' : above;
		}
		for (let node = nr - 1; node; node--) {
			if (this.half[node] === 'u' || aboveUser[node])
				aboveUser[this.parent[node]] = 1;
			if (this.kind[node] === 'x' && !this.half[node])
				this.half[node] = aboveUser[node] ? 'u' : 'k';
		}
	}

	/* Report whether a node is of one half of its stack and its parent of the other. */
	meets(node)
	{
		const half = this.half[node], above = node && this.half[this.parent[node]];

		return !!half && !!above && half !== above;
	}

	/*
	 * Find the nodes most of whose time was spent off the CPU, as ctl/tree/off_cpu.c
	 * does: it is off in stacks that have a mark of it, which comes first in callers'
	 * trees.
	 */
	findOff()
	{
		const nr = this.kind.length, on = this.self.slice();

		this.isOff = new Uint8Array(nr);
		for (let node = 1; node < nr; node++)
			if (this.isOff[this.parent[node]] || (this.kind[node] === 'x' &&
			    data.offCpu.includes(this.nameOf(node))))
				this.isOff[node] = 1;
		for (let node = nr - 1; node >= 0; node--) {
			if (this.isOff[node])
				on[node] -= this.self[node];
			this.isOff[node] = on[node] < this.total[node] - on[node];
			if (node)
				on[this.parent[node]] += on[node];
		}
	}

	/*
	 * Find the nodes of wakers, as ctl/tree/wakers.c does: those that have the mark, and
	 * those between two that have it.
	 */
	findWakers()
	{
		const nr = this.kind.length, marked = this.name.map((name) => isWakerName(names[name]));
		const below = new Uint8Array(nr), above = new Uint8Array(nr);

		this.isWaker = marked.slice();
		this.hasWakers = marked.includes(true);
		for (let node = 1; node < nr; node++)
			below[node] = marked[this.parent[node]] || below[this.parent[node]];
		for (let node = nr - 1; node; node--) {
			if (marked[node] || above[node])
				above[this.parent[node]] = 1;
			this.isWaker[node] ||= !!(below[node] && above[node]);
		}
	}

	/*
	 * Return the letter of a node's colours: its kind, or that of wakers, or of time off
	 * the CPU, which is all time of tasks that others woke. Known marks stay as they are.
	 */
	familyOf(node)
	{
		const kind = this.kind[node];

		if (this.isWaker[node] && ('kmu'.includes(kind) ||
		    (kind === 'x' && data.marks.indexOf(this.nameOf(node)) < 1)))
			return 'w';
		if (this.hasWakers)
			return 'kmu'.includes(kind) ? 'o' : kind;
		return this.isOff[node] && 'kmui'.includes(kind) ? 'o' : kind;
	}

	/* Compute totals, depths, and children in the order of their names. */
	sum()
	{
		const nr = this.parent.length;

		this.found = null;
		this.total = this.self.slice();
		this.depth = new Uint32Array(nr);
		for (let node = nr - 1; node; node--)
			this.total[this.parent[node]] += this.total[node];
		for (let node = 1; node < nr; node++)
			this.depth[node] = this.depth[this.parent[node]] + 1;
		this.link();
		this.place();
		this.halve();
		this.findOff();
		this.findWakers();
		return this;
	}

	/* Set where nodes start: the first child where its parent does. */
	place()
	{
		this.start = this.parent.map(() => noWeight);
		for (let node = 0; node < this.start.length; node++) {
			let at = this.start[node];

			for (let child = this.child[node]; child; child = this.sibling[child]) {
				this.start[child] = at;
				at += this.total[child];
			}
		}
	}

	link()
	{
		const nr = this.parent.length, heads = new Map();
		const next = new Uint32Array(nr), order = [];

		for (let node = nr - 1; node; node--) {
			const name = this.name[node];

			next[node] = heads.get(name) || 0;
			heads.set(name, node);
		}
		for (const name of heads.keys())
			order.push(name);
		order.sort((a, b) => compareNames(b, a));
		this.child = new Uint32Array(nr);
		this.sibling = new Uint32Array(nr);
		for (const name of order)
			for (let node = heads.get(name); node; node = next[node]) {
				this.sibling[node] = this.child[this.parent[node]];
				this.child[this.parent[node]] = node;
			}
	}
}

/* Report whether a name is of a frame of a waker: "f_[w]", or "f_[w] [module]". */
function isWakerName(name)
{
	return name.endsWith('_[w]') || name.includes('_[w] [');
}

/* Names added by the page have no rank: groups, losses. */
function compareNames(a, b)
{
	if (a < rankOfName.length && b < rankOfName.length)
		return rankOfName[a] - rankOfName[b];
	return names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b;
}

const contexts = ['user', 'task', 'softirq', 'hardirq', 'idle'];
const IDLE = contexts.indexOf('idle');

function isWanted(filter, record)
{
	const { comm, host, cgroup, cpu, context } = data.records;

	return (filter.comm < 0 || comm[record] === filter.comm) &&
		(filter.host < 0 || host[record] === filter.host) &&
		(filter.cgroup < 0 || cgroup[record] === filter.cgroup) &&
		(filter.cpu < 0 || cpu[record] === filter.cpu) &&
		(filter.context < 0 || context[record] === filter.context);
}

function groupOf(level, record)
{
	const { comm, host, cgroup, cpu, context, pid, tid } = data.records;

	switch (level) {
	case 'comm':
		return data.comms[comm[record]];
	case 'host':
		return 'host ' + data.hosts[host[record]];
	case 'cgroup':
		return data.cgroups[cgroup[record]];
	case 'cpu':
		return 'cpu ' + cpu[record];
	case 'pid':
		return 'pid ' + pid[record];
	case 'tid':
		return 'tid ' + tid[record];
	default:
		return '[' + contexts[context[record]] + ']';
	}
}

/* Return the kind of a frame; kernel frames of idle time are idle. */
function kindOf(frame, idle)
{
	const kind = data.frames.kind[frame];

	return idle && (kind === 'k' || kind === 'm') ? 'i' : kind;
}

/*
 * Sum weights by group and node, so that each node is added once per group. The
 * names of a group are separated by NUL, which no text of the profile contains.
 */
function sumRecords(filter, levels)
{
	const { node, weight, context } = data.records;
	const groups = new Map();

	for (let i = 0; i < node.length; i++) {
		if (!weight[i] || !isWanted(filter, i))
			continue;
		const idle = data.hasContexts && context[i] === IDLE;
		const key = (idle ? 'i' : '-') +
			levels.map((level) => '\0' + groupOf(level, i)).join('');

		if (!groups.has(key))
			groups.set(key, new Map());
		const sums = groups.get(key);
		sums.set(node[i], (sums.get(node[i]) || noWeight) + weight[i]);
	}
	return groups;
}

function addStacks(tree, base, sums, idle)
{
	const placed = new Map([[0, base]]);

	for (const [leaf, weight] of sums) {
		const path = [];
		let node = leaf;

		for (; !placed.has(node); node = data.nodes.parent[node])
			path.push(node);
		let at = placed.get(node);
		while (path.length) {
			node = path.pop();
			const frame = data.nodes.frame[node];

			at = tree.add(at, data.frames.name[frame], kindOf(frame, idle));
			placed.set(node, at);
		}
		tree.self[at] += weight;
	}
}

function addCallers(tree, sums, idle)
{
	for (const [leaf, weight] of sums) {
		let at = 0;

		for (let node = leaf; node; node = data.nodes.parent[node]) {
			const frame = data.nodes.frame[node];

			at = tree.add(at, data.frames.name[frame], kindOf(frame, idle));
		}
		tree.self[at] += weight;
	}
}

/* Losses belong to a CPU, but not to a command, host, cgroup or context. */
function addLosses(tree, filter, levels)
{
	if (filter.comm >= 0 || filter.host >= 0 || filter.cgroup >= 0 || filter.context >= 0)
		return;
	for (const { cpu, reason, weight } of data.lost) {
		if (filter.cpu >= 0 && cpu !== filter.cpu)
			continue;
		let at = 0;

		if (levels.includes('cpu') && cpu >= 0)
			at = tree.add(at, nameNumber('cpu ' + cpu), 't');
		at = tree.add(at, nameNumber(`[lost: ${reason}]`), 'l');
		tree.self[at] += weight;
	}
}

/*
 * filter: comm, host, cgroup (indices), cpu, context (a number); -1 for all
 * levels: any of comm, host, cgroup, cpu, context, pid and tid, the outermost first
 * callers: a tree from leaves to roots, without groups
 */
function makeTree(filter, levels, callers)
{
	const tree = new Tree();

	levels = callers ? [] : levels;
	addLosses(tree, filter, levels);
	for (const [key, sums] of sumRecords(filter, levels)) {
		const [first, ...groups] = key.split('\0');
		const idle = first === 'i';

		if (callers)
			addCallers(tree, sums, idle);
		else
			addStacks(tree, groups.reduce((at, name) =>
				tree.add(at, nameNumber(name), 't'), 0), sums, idle);
	}
	return tree.sum();
}

/* Sum self and total of each function; recursive calls count once. */
function sumFunctions(tree)
{
	const functions = new Map(), within = new Map();
	const stack = [0];

	while (stack.length) {
		let node = stack.pop();
		const leaving = node < 0;

		node = leaving ? ~node : node;
		const name = tree.name[node], isFrame = tree.kind[node] !== 't';
		const depth = within.get(name) || 0;

		if (leaving) {
			within.set(name, depth - 1);
			continue;
		}
		if (isFrame) {
			const entry = functions.get(name) ||
				{ name, kind: tree.kind[node], self: noWeight, total: noWeight };

			functions.set(name, entry);
			entry.self += tree.self[node];
			entry.total += depth ? noWeight : tree.total[node];
			within.set(name, depth + 1);
			stack.push(~node);
		}
		for (const child of tree.childrenOf(node))
			stack.push(child);
	}
	return Array.from(functions.values());
}
