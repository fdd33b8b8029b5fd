// SPDX-License-Identifier: GPL-2.0
/*
 * Formats numbers in a browser as the program does in titles and reports.
 */
'use strict';

/* Return "1,234,567". */
function counted(number)
{
	return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/* Format nanoseconds. */
function time(weight)
{
	const units = [['us', 1e3], ['ms', 1e6], ['s', 1e9]];
	const ns = Number(weight);

	if (ns < 1000)
		return ns + ' ns';
	const [unit, scale] = units.find(([, one]) => ns < 999.995 * one) || units[2];
	return (Math.floor(ns / (scale / 100) + 0.5) / 100).toFixed(2) + ' ' + unit;
}

/* Return "1,234", or "12.34 ms" if weights are time. */
function figure(weight, unit)
{
	return unit === 'nanoseconds' ? time(weight) : counted(weight);
}

/* Return "1,234 samples"; a weight above 2^53 must be given as text. */
function weighed(weight, unit)
{
	const word = unit === 'nanoseconds' ? '' :
		String(weight) === '1' ? unit.replace(/(..)s$/, '$1') : unit;

	return figure(weight, unit) + (word ? ' ' + word : '');
}

/*
 * Return hundredths of a percent, rounded half up like ctl/base/percent.c does.
 * Only integers are used: both numbers are safe integers, or both BigInt.
 */
function hundredths(part, whole)
{
	if (10000 * Number(part) + Number(whole) <= Number.MAX_SAFE_INTEGER) {
		const scaled = 10000 * Number(part) + Math.floor(Number(whole) / 2);

		return (scaled - scaled % Number(whole)) / Number(whole);
	}
	return Number((10000n * BigInt(part) + BigInt(whole) / 2n) / BigInt(whole));
}

function percent(part, whole)
{
	const share = whole ? hundredths(part, whole) : 0;

	return Math.floor(share / 100) + '.' + String(share % 100).padStart(2, '0') + ' %';
}
