// SPDX-License-Identifier: GPL-2.0
// program SECONDS: Go with goroutines, channels, maps and garbage.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

func words(seed int) int {
	counts := map[string]int{}
	for i := 0; i < 500; i++ {
		counts["word"+strconv.Itoa(seed*i%97)]++
	}
	keys := []string{}
	for key := range counts {
		keys = append(keys, strings.ToUpper(key))
	}
	sort.Slice(keys, func(a, b int) bool { return keys[a] < keys[b] })
	return len(keys)
}

func work(results chan<- int, end time.Time) {
	sum := 0
	for time.Now().Before(end) {
		sum += fibonacci(18) + words(sum&1023)
	}
	results <- sum
}

func main() {
	seconds, _ := strconv.ParseFloat(os.Args[1], 64)
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	results := make(chan int)
	for i := 0; i < 2; i++ {
		go work(results, end)
	}
	fmt.Println(<-results + <-results)
}
