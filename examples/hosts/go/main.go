// Spanish invoices in Go: the cuadra engine as a WebAssembly module, run by wazero.
package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	wasi "github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tidwall/gjson"
)

// Cuadra is one engine, for one goroutine at a time. Close ends it.
type Cuadra struct {
	wazero.Runtime
	code   wazero.CompiledModule
	module api.Module // nil at first and after a trap
}

// Answer gives the JSON answer to a JSON request. A trap is an answer, too; then the next call has a new instance.
func (c *Cuadra) Answer(ctx context.Context, request string) (answer string) {
	if c.module == nil { // without WithStartFunctions, wazero would run _start, which reads standard input
		c.module = must(c.InstantiateModule(ctx, c.code, wazero.NewModuleConfig().WithStartFunctions()))
	}
	defer func() {
		if trap := recover(); trap != nil {
			c.module = must[api.Module](nil, c.module.Close(ctx))
			answer = fmt.Sprintf(`{"detail":{"code":"internal_error","message":%q}}`, trap)
		}
	}()
	call, memory, size := c.module.ExportedFunction, c.module.Memory(), uint64(len(request))
	pointer := must(call("alloc").Call(ctx, size))[0]
	if pointer == 0 || !memory.WriteString(uint32(pointer), request) {
		panic("no memory for the request")
	}
	result, length := must(call("validate").Call(ctx, pointer, size)), must(call("result_len").Call(ctx))
	bytes, _ := memory.Read(uint32(result[0]), uint32(length[0])) // a view, good until the next request
	must(call("dealloc").Call(ctx, pointer))
	return string(bytes)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	cache := must(wazero.NewCompilationCacheWithDir(must(os.UserCacheDir()) + "/cuadra")) // of machine code
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
	wasi.MustInstantiate(ctx, runtime)
	wasm := must(os.ReadFile(cmp.Or(os.Getenv("CUADRA_WASM"), "dist/cuadra.wasm")))
	engine := Cuadra{Runtime: runtime, code: must(runtime.CompileModule(ctx, wasm))}
	if len(os.Args) == 2 && os.Args[1] == "--pipe" { // a request a line, an answer a line
		lines := bufio.NewScanner(os.Stdin)
		for lines.Buffer(nil, 64<<20); lines.Scan(); {
			fmt.Println(engine.Answer(ctx, lines.Text()))
		}
		return
	}
	for _, path := range os.Args[1:] { // a file goes in as it is: no float of Go comes near its amounts
		it := gjson.Parse(engine.Answer(ctx, `{"op":"validate","document":`+string(must(os.ReadFile(path)))+`}`))
		state := map[bool]string{true: "valid", false: "not valid"}[it.Get("is_valid").Bool()]
		fmt.Printf("%-42s%-10s", path, state)
		for _, name := range []string{"total_gross_amount_before_taxes", "total_tax_outputs", "invoice_total"} {
			fmt.Printf("%12.2f", it.Get("data.invoice.totals."+name).Float())
		}
		for _, it := range it.Get("[errors,detail]|@flatten").Array() {
			fmt.Printf("\n  %s %s\n    %s", it.Get("code"), it.Get("path"), it.Get("message"))
		}
		fmt.Println()
	}
}
