// SPDX-License-Identifier: GPL-2.0
// Program SECONDS: Java that is interpreted first and compiled then, with garbage.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Program {
	static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

	static int words(int seed) {
		Map<String, Integer> counts = new HashMap<>();
		for (int i = 0; i < 500; i++)
			counts.merge("word" + (seed * i) % 97, 1, Integer::sum);
		List<String> keys = new ArrayList<>(counts.keySet());
		keys.sort((a, b) -> counts.get(a) - counts.get(b));
		return keys.size();
	}

	static int fail(int depth) {
		if (depth == 0)
			throw new IllegalStateException("deep");
		return fail(depth - 1) + 1;
	}

	public static void main(String[] arguments) {
		long end = System.nanoTime() + (long) (1e9 * Double.parseDouble(arguments[0])), sum = 0;
		while (System.nanoTime() < end) {
			sum += fibonacci(18) + words((int) sum & 1023);
			try {
				sum += fail(20);
			} catch (IllegalStateException error) {
				sum += error.getMessage().length();
			}
		}
		System.out.println(sum);
	}
}
