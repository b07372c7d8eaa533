"""Spanish invoices in Python: the cuadra engine as a WebAssembly module, run by Wasmtime."""

import json
import os
import sys
from pathlib import Path

from wasmtime import Config, Engine, Linker, Module, Store


class Cuadra:
    """One engine, for one thread at a time."""

    def __init__(self, wasm: str) -> None:
        config = Config()
        config.cache = True  # machine code is made once and kept in the user's cache folder
        self._engine = Engine(config)
        self._module = Module.from_file(self._engine, wasm)
        self._start()

    def _start(self) -> None:
        self._store = Store(self._engine)
        linker = Linker(self._engine)
        # fd_read and fd_write are for the module as a command, _start, which is not called here.
        linker.define_unknown_imports_as_traps(self._module)
        self._exports = linker.instantiate(self._store, self._module).exports(self._store)

    def answer(self, request: str) -> str:
        """The JSON answer to a JSON request. A trap is an answer, too; then the next call has a new instance."""
        data = request.encode()
        try:
            pointer = self._call("alloc", len(data))
            if pointer <= 0:  # an i32 is signed here: beyond 2 GB it is negative
                raise MemoryError("no memory for the request")
            memory = self._exports["memory"]
            memory.write(self._store, data, pointer)
            result = self._call("validate", pointer, len(data))
            answer = memory.read(self._store, result, result + self._call("result_len")).decode()
            self._call("dealloc", pointer)
            return answer
        except Exception as trap:
            self.close()
            self._start()
            return json.dumps({"detail": {"code": "internal_error", "message": str(trap)}})

    def _call(self, name: str, *params: int) -> int:
        return self._exports[name](self._store, *params)

    def close(self) -> None:
        """Gives the memory back now, and not when the collector comes by."""
        self._store.close()


def report(path: str, answer: dict) -> None:
    state = "valid" if answer.get("is_valid") else "not valid"
    totals = answer["data"]["invoice"]["totals"] if answer.get("data") else {}
    amounts = (totals.get(it, 0) for it in ("total_gross_amount_before_taxes", "total_tax_outputs", "invoice_total"))
    print(f"{path:<42}{state:<10}", *(f"{it:12.2f}" for it in amounts), sep="")
    for it in answer.get("errors", [answer.get("detail")]):
        print(f"  {it['code']} {it.get('path', '')}\n    {it['message']}")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    engine = Cuadra(os.environ.get("CUADRA_WASM", "dist/cuadra.wasm"))
    if sys.argv[1:] == ["--pipe"]:  # a request a line, an answer a line
        for line in sys.stdin.buffer:
            print(engine.answer(line.rstrip(b"\r\n").decode(errors="replace")), flush=True)
    else:
        for path in sys.argv[1:]:
            # A file goes in as it is: no float of Python comes near its amounts.
            report(path, json.loads(engine.answer(f'{{"op":"validate","document":{Path(path).read_text("utf-8")}}}')))
