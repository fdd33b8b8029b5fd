// SPDX-License-Identifier: GPL-2.0
/*
 * throws SECONDS - throw and catch exceptions below calls of several depths, and sort by
 * a comparison that throws now and then: a program of C++ for user stacks.
 */
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct held {
	std::string text = std::string(40, 'x');
	~held() { count++; }
	static unsigned long count;
};
unsigned long held::count;

__attribute__((noinline)) static int descend(int depth)
{
	held each;

	if (!depth)
		throw std::runtime_error("at the end");
	return descend(depth - 1) + each.text.size();
}

__attribute__((noinline)) static bool less(const std::string &a, const std::string &b)
{
	if (a == "000")
		throw std::logic_error("met");
	return a < b;
}

static void sort_some(unsigned int round)
{
	std::vector<std::string> words;
	std::map<std::string, int> seen;

	for (unsigned int i = 0; i < 300; i++)
		words.push_back(std::to_string((i * 7919 + round) % 1009 + 1));
	if (round % 2)
		words.push_back("000");
	for (const auto &word : words)
		seen[word]++;
	std::sort(words.begin(), words.end(), less);
}

int main(int argc, char **argv)
{
	const std::chrono::seconds span(argc > 1 ? std::atoi(argv[1]) : 1);
	const auto end = std::chrono::steady_clock::now() + span;
	unsigned int caught = 0;

	for (unsigned int round = 0; std::chrono::steady_clock::now() < end; round++) {
		try {
			descend(round % 30);
		} catch (const std::exception &) {
			caught++;
		}
		try {
			sort_some(round);
		} catch (const std::logic_error &) {
			caught++;
		}
	}
	return !caught || !held::count;
}
