// Command gobl measures GOBL with one invoice. Its argument is a file with the invoice in GOBL's JSON. Each line of
// standard input is a count. The command processes the invoice that many times from bytes to bytes (reads, calculates,
// validates and writes it), and prints the microseconds of CPU time per invoice.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"syscall"

	_ "github.com/invopop/gobl"
	"github.com/invopop/gobl/bill"
	"github.com/invopop/gobl/rules"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	answer, err := once(text)
	if err != nil {
		return err
	}
	// The first line is the processed invoice, so that its total can be compared.
	fmt.Println(string(answer))
	counts := bufio.NewScanner(os.Stdin)
	for counts.Scan() {
		count, err := strconv.Atoi(counts.Text())
		if err != nil {
			return err
		}
		start, err := cpu()
		if err != nil {
			return err
		}
		for range count {
			if _, err := once(text); err != nil {
				return err
			}
		}
		end, err := cpu()
		if err != nil {
			return err
		}
		fmt.Println((end - start) / float64(count))
	}
	return counts.Err()
}

// once processes the invoice from bytes to bytes.
func once(text []byte) ([]byte, error) {
	invoice := new(bill.Invoice)
	if err := json.Unmarshal(text, invoice); err != nil {
		return nil, err
	}
	if err := invoice.Calculate(); err != nil {
		return nil, err
	}
	if faults := rules.Validate(invoice); faults != nil {
		return nil, fmt.Errorf("the invoice of the bench is not valid: %v", faults)
	}
	return json.Marshal(invoice)
}

// cpu returns the CPU time that this process has used, in microseconds.
func cpu() (float64, error) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0, err
	}
	micro := func(time syscall.Timeval) float64 { return float64(time.Sec)*1e6 + float64(time.Usec) }
	return micro(used.Utime) + micro(used.Stime), nil
}
