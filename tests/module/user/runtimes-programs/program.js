// SPDX-License-Identifier: GPL-2.0
// program.js SECONDS: JavaScript that V8 compiles, with callbacks out of its own
// builtins, exceptions and garbage.
'use strict';
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
function words(text) { return text.split(' ').map((word) => word.length).sort((a, b) => a - b); }
function tree(depth) { return depth ? { left: tree(depth - 1), right: tree(depth - 1) } : null; }
function count(node) { return node ? 1 + count(node.left) + count(node.right) : 0; }
function fail(depth) { if (!depth) throw new Error('deep'); fail(depth - 1); }
const end = Date.now() + 1000 * Number(process.argv[2]);
let sum = 0;
while (Date.now() < end) {
	sum += fibonacci(18);
	sum += words('the quick brown fox jumps over the lazy dog '.repeat(20)).length;
	sum += count(JSON.parse(JSON.stringify(tree(8))));
	try { fail(20); } catch (error) { sum += error.message.length; }
}
console.log(sum);
