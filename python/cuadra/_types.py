"""Types of requests and responses."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, Optional, TypedDict, Union

from ._document import Document

Amount = Union[int, Decimal]
Operation = Literal["draft", "issue", "import", "received"]
Locale = Literal["en", "es"]
Totals = Literal["recalculate", "check"]
Environment = Literal["production", "test"]


class Item(TypedDict, total=False):
    """A problem of an invoice. `path` is a JSON Pointer into the document sent."""

    source: Literal["schema", "business"]
    code: str
    message: str
    path: str
    extra: Optional[dict[str, Any]]
    severity: Literal["error", "warning"]


class ExplanationInput(TypedDict):
    path: str
    value: Amount


class ExplanationRow(TypedDict, total=False):
    """How an amount was computed: `exact` before and `rounded` after rounding."""

    path: str
    formula: str
    inputs: list[ExplanationInput]
    exact: str
    rounded: Amount
    rule: str
    line_by_line: dict[str, Amount]
    remainder: dict[str, Amount]


class ReconciliationRow(TypedDict):
    """An amount sent beside the computed one. `difference` is `sent - computed`."""

    path: str
    sent: Amount
    computed: Amount
    difference: Amount
    within_tolerance: bool


class ValidationResult(TypedDict, total=False):
    """`data` is the completed invoice, or `None` if the document has no structure to calculate."""

    is_valid: bool
    errors: list[Item]
    data: Optional[Document]
    explanation: list[ExplanationRow]


class Qr(TypedDict):
    url: str
    svg: str
    legends: list[str]


class QrResult(TypedDict):
    is_valid: bool
    errors: list[Item]
    qr: Optional[Qr]


class Chain(TypedDict):
    """`items` has at most 1,000 findings, `found` counts all. `last` is the link to the next record."""

    valid: bool
    records: int
    chains: int
    items: list[Item]
    found: int
    last: Optional[dict[str, Any]]
