// SPDX-License-Identifier: GPL-2.0
/*
 * Figures in a browser, as the program tells them in titles and reports.
 */
'use strict';

/* "1,234,567" */
function counted(number)
{
	return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/* Nanoseconds. */
function time(weight)
{
	const units = [['us', 1e3], ['ms', 1e6], ['s', 1e9]];
	const ns = Number(weight);

	if (ns < 1000)
		return ns + ' ns';
	const [unit, scale] = units.find(([, one]) => ns < 999.995 * one) || units[2];
	return (Math.floor(ns / (scale / 100) + 0.5) / 100).toFixed(2) + ' ' + unit;
}

/* "1,234", or "12.34 ms" where weights are time */
function figure(weight, unit)
{
	return unit === 'nanoseconds' ? time(weight) : counted(weight);
}

/* "1,234 samples"; a weight past 2^53 is to be given as text */
function weighed(weight, unit)
{
	const word = unit === 'nanoseconds' ? '' :
		String(weight) === '1' ? unit.replace(/(..)s$/, '$1') : unit;

	return figure(weight, unit) + (word ? ' ' + word : '');
}

/*
 * Hundredths of a percent, rounded half up as ctl/base/percent.c rounds them. Whole
 * numbers all the way: both are safe integers, or both BigInt.
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
