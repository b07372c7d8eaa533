// Command gobl processes one invoice with GOBL. The first line of standard input is the invoice in GOBL's JSON. Each
// further line is a number: the command processes the invoice that many times from bytes to bytes (reads, calculates,
// validates and writes it), then prints a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

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
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	text := slices.Clone(lines.Bytes())
	answer, err := once(text)
	if err != nil {
		return err
	}
	// The first line is the processed invoice, so that its total can be compared.
	fmt.Println(string(answer))
	for lines.Scan() {
		count, err := strconv.Atoi(lines.Text())
		if err != nil {
			return err
		}
		for range count {
			if _, err := once(text); err != nil {
				return err
			}
		}
		fmt.Println("done")
	}
	return lines.Err()
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
