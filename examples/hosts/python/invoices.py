"""Validates files of invoices with the package cuadra, or answers requests from a pipe."""

import os
import sys
from pathlib import Path

from cuadra import Engine, Json

NAMES = ("total_gross_amount_before_taxes", "total_tax_outputs", "invoice_total")


def report(path: str, answer: dict) -> None:
    state = "valid" if answer["is_valid"] else "not valid"
    totals = answer["data"]["invoice"]["totals"] if answer["data"] else {}
    print(f"{path:<42}{state:<10}", *(f"{totals.get(name, 0):12.2f}" for name in NAMES), sep="")
    for item in answer["errors"]:
        print(f"  {item['code']} {item['path']}\n    {item['message']}")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    engine = Engine(os.environ.get("CUADRA_WASM"))
    if sys.argv[1:] == ["--pipe"]:  # one request per line, one response per line
        for line in sys.stdin.buffer:
            print(engine.answer(line.rstrip(b"\r\n")), flush=True)
    else:
        for path in sys.argv[1:]:
            report(path, engine.request("validate", Json(Path(path).read_text("utf-8"))))
