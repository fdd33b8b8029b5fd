// SPDX-License-Identifier: GPL-2.0
/*
 * The tables: functions by their weight, and the books, which count what became of
 * each timer period: fires + missed = stored + filtered + lost.
 */
function cell(row, text, share)
{
	const td = document.createElement('td');

	td.textContent = text;
	if (share !== undefined) {
		const span = document.createElement('span');

		span.textContent = share;
		td.append(span);
	}
	return row.appendChild(td);
}

class FunctionTable {
	constructor(table, more, chosen)
	{
		this.table = table;
		this.body = table.querySelector('tbody');
		this.more = more;
		this.chosen = chosen;	/* called with a function's name */
		this.sorting = 'self';
		this.isRising = false;
		this.shown = FunctionTable.STEP;
		this.functions = [];
		this.pattern = null;
		table.querySelector('thead').addEventListener('click', (event) => {
			const button = event.target.closest('button');

			if (button)
				this.sortBy(button.dataset.sort);
		});
		this.body.addEventListener('click', (event) => {
			const row = event.target.closest('tr');

			if (row)
				this.chosen(row.cells[0].textContent);
		});
		more.addEventListener('click', () => {
			this.shown += FunctionTable.STEP;
			this.fill();
		});
	}

	show(functions, total)
	{
		this.functions = functions;
		this.total = total;
		this.shown = FunctionTable.STEP;
		this.fill();
	}

	search(pattern)
	{
		this.pattern = pattern;
		this.shown = FunctionTable.STEP;
		this.fill();
	}

	sortBy(column)
	{
		this.isRising = column === this.sorting ? !this.isRising : column === 'name';
		this.sorting = column;
		for (const th of this.table.querySelectorAll('th'))
			th.setAttribute('aria-sort', th.firstChild.dataset.sort !== column ?
				'none' : this.isRising ? 'ascending' : 'descending');
		this.fill();
	}

	compare(a, b)
	{
		const sign = this.isRising ? 1 : -1;

		if (this.sorting !== 'name' && a[this.sorting] !== b[this.sorting])
			return a[this.sorting] < b[this.sorting] ? -sign : sign;
		if (names[a.name] === names[b.name])
			return 0;
		const order = names[a.name] < names[b.name] ? -1 : 1;
		return this.sorting === 'name' ? sign * order : order;
	}

	fill()
	{
		const rows = [];

		this.functions.sort((a, b) => this.compare(a, b));
		const found = this.pattern ? this.functions.filter(
			(one) => this.pattern.test(names[one.name])) : this.functions;
		for (const one of found.slice(0, this.shown)) {
			const row = document.createElement('tr');

			cell(row, names[one.name]).title = names[one.name];
			for (const weight of [one.self, one.total])
				cell(row, figure(weight, data.unit), percent(weight, this.total));
			rows.push(row);
		}
		this.body.replaceChildren(...rows);
		this.more.hidden = found.length <= this.shown;
		this.more.textContent = 'Show more of ' + counted(found.length) + ' functions';
	}
}

FunctionTable.STEP = 50;

/* ---- the books; figures are text, exact to 2^64 ---- */

const BOOKS = ['fires', 'missed', 'stored', 'filtered'];

function sumOfLost(books)
{
	return Object.values(books.lost).reduce((sum, lost) => sum + BigInt(lost), 0n);
}

function lostInWords(books)
{
	const parts = Object.entries(books.lost).filter(([, lost]) => lost !== '0')
		.map(([reason, lost]) => reason + ' ' + counted(lost));

	return parts.length ? ` (${parts.join(', ')})` : '';
}

function showSum(element, books)
{
	const part = (name, figure, rest) => {
		const span = document.createElement('span'), b = document.createElement('b');

		b.textContent = counted(figure);
		span.append(b, ' ' + name + (rest || ''));
		return span;
	};
	const sign = (text) => {
		const span = document.createElement('span');

		span.textContent = text;
		return span;
	};

	element.replaceChildren(part('fires', books.fires), sign('+'),
				part('missed', books.missed), sign('='),
				part('stored', books.stored), sign('+'),
				part('filtered', books.filtered), sign('+'),
				part('lost', sumOfLost(books), lostInWords(books)));
}

function showCpus(table, cpus)
{
	const head = document.createElement('tr');
	/* expected = fires + missed + overdue; overdue is usually 0 */
	const overdue = cpus.some((books) => books.overdue) ? ['overdue'] : [];

	for (const name of ['CPU', 'expected', ...overdue, ...BOOKS, 'lost']) {
		const th = document.createElement('th');

		th.textContent = name;
		head.append(th);
	}
	table.querySelector('thead').replaceChildren(head);
	table.querySelector('tbody').replaceChildren(...cpus.map((books) => {
		const row = document.createElement('tr');

		cell(row, String(books.cpu));
		cell(row, counted(books.expected));
		for (const name of [...overdue, ...BOOKS])
			cell(row, counted(books[name] || '0'));
		cell(row, counted(sumOfLost(books)) + lostInWords(books));
		return row;
	}));
}
