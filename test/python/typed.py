"""What a type checker must accept."""

from decimal import Decimal
from typing import Union

import cuadra

document: cuadra.Document = {
    "schema_version": "json_1_1",
    "meta": {"direction": "issued", "source_system": "shop"},
    "invoice": {"lines": [{"item_description": "Paper", "quantity": 3, "unit_price_without_tax": Decimal("18.95")}]},
}
answer = cuadra.validate(document, operation="draft", locale="es")
total: Union[int, Decimal] = 0
if answer["data"] is not None:
    total = answer["data"]["invoice"]["totals"]["invoice_total"]
codes: list[str] = [item["code"] for item in answer["errors"]]
rules: list[str] = [row["rule"] for row in cuadra.explain(document)]
drawn = cuadra.qr(document)["qr"]
svg: str = drawn["svg"] if drawn else ""
