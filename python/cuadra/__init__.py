"""Validates, calculates and explains Spanish invoices: the cuadra engine, the same as in JavaScript.

>>> import cuadra
>>> from decimal import Decimal
>>> answer = cuadra.validate({
...     "schema_version": "json_1_1",
...     "meta": {"direction": "issued", "source_system": "shop", "external_ref": "41"},
...     "invoice": {
...         "supplier": {"person_type_code": "J", "name": "Papelería Sol, S.L.", "tax_id": "B23456783"},
...         "header": {"invoice_type_code": "02", "invoice_series_code": "T"},
...         "issue_data": {},
...         "lines": [{"item_description": "Paper", "quantity": 3, "unit_price_without_tax": Decimal("18.95"),
...                    "tax_output_rate": 21}],
...         "totals": {"total_gross_amount_before_taxes": 0, "total_tax_outputs": 0, "invoice_total": 0},
...     },
... })
>>> answer["is_valid"]
True
>>> answer["data"]["invoice"]["totals"]["invoice_total"]
Decimal('68.79')

The functions of this module share one `Engine`, which any number of threads may use.
"""

from __future__ import annotations

import threading
from typing import Any, Iterable, Mapping, Optional, Union, cast

from ._document import Document
from ._engine import Engine, Json, RequestError
from ._types import (
    Chain,
    Environment,
    ExplanationInput,
    ExplanationRow,
    Item,
    Locale,
    Operation,
    Qr,
    QrResult,
    ReconciliationRow,
    Totals,
    ValidationResult,
)

__version__ = "0.0.0"
__all__ = [
    "Chain",
    "Document",
    "Engine",
    "ExplanationInput",
    "ExplanationRow",
    "Item",
    "Qr",
    "QrResult",
    "ReconciliationRow",
    "RequestError",
    "ValidationResult",
    "catalog",
    "explain",
    "qr",
    "reconcile",
    "validate",
    "verify_chain",
]

_lock = threading.Lock()
_shared: Optional[Engine] = None

Invoice = Union[Json, Mapping[str, Any]]
Options = Optional[Mapping[str, Any]]


def _request(op: str, document: Any, **options: Any) -> Any:
    global _shared
    with _lock:
        if _shared is None:
            _shared = Engine()
    return _shared.request(op, document, {name: value for name, value in options.items() if value is not None})


def validate(
    invoice: Invoice,
    *,
    operation: Optional[Operation] = None,
    company: Options = None,
    today: Any = None,
    locale: Optional[Locale] = None,
    totals: Optional[Totals] = None,
    exchange_rate: Options = None,
    explain: Optional[bool] = None,
) -> ValidationResult:
    """Validates, normalises and calculates an invoice.

    The invoice is a dictionary, or a `Json` with the text of a file. Amounts may be `Decimal`, `int` or `float`; they
    are returned as `Decimal` or `int`. `today` is a `date` or `"YYYY-MM-DD"`: rules that compare dates with the current
    day are skipped without it, because the engine reads no clock. `company` has the format of the server's
    `company.json`. Problems of the invoice are in `errors`, each with code, path, message and severity.

    Raises `RequestError` if the request is refused, such as for an unknown option value or more than 4 MiB, and
    `TypeError` for a value that is not JSON, with its path.
    """
    options = dict(operation=operation, company=company, today=today, locale=locale, totals=totals)
    return cast(
        ValidationResult, _request("validate", invoice, exchange_rate=exchange_rate, explain=explain, **options)
    )


def explain(
    invoice: Invoice,
    *,
    operation: Optional[Operation] = None,
    company: Options = None,
    today: Any = None,
    locale: Optional[Locale] = None,
    totals: Optional[Totals] = None,
    exchange_rate: Options = None,
) -> list[ExplanationRow]:
    """Explains every computed amount: its formula, inputs, exact value and rule. Options and errors as in `validate`."""
    options = dict(operation=operation, company=company, today=today, locale=locale, totals=totals)
    return cast("list[ExplanationRow]", _request("explain", invoice, exchange_rate=exchange_rate, **options))


def reconcile(
    invoice: Invoice,
    *,
    operation: Optional[Operation] = None,
    company: Options = None,
    today: Any = None,
    locale: Optional[Locale] = None,
    totals: Optional[Totals] = None,
    exchange_rate: Options = None,
) -> list[ReconciliationRow]:
    """Compares the amounts sent with the computed ones, in euros. Options and errors as in `validate`."""
    options = dict(operation=operation, company=company, today=today, locale=locale, totals=totals)
    return cast("list[ReconciliationRow]", _request("reconcile", invoice, exchange_rate=exchange_rate, **options))


def qr(
    invoice: Invoice,
    *,
    environment: Optional[Environment] = None,
    verifiable: Optional[bool] = None,
    size: Optional[float] = None,
    quiet_zone: Optional[float] = None,
    legend: Any = None,
    font_size: Optional[float] = None,
    operation: Optional[Operation] = None,
    company: Options = None,
    today: Any = None,
    locale: Optional[Locale] = None,
    totals: Optional[Totals] = None,
    exchange_rate: Options = None,
) -> QrResult:
    """Draws the QR code of an invoice with number and date: its URL, an SVG and the legends.

    `size` is in millimetres (30 to 40), `quiet_zone` in modules (4 to 100), `font_size` in points (6 to 12), and
    `legend` is a boolean, `"long"` or `"short"`. `qr` of the result is `None` if the invoice has errors. The
    other options and the errors are those of `validate`; the default operation is `"issue"`.
    """
    drawing = dict(
        environment=environment,
        verifiable=verifiable,
        size=size,
        quiet_zone=quiet_zone,
        legend=legend,
        font_size=font_size,
    )
    options = dict(operation=operation, company=company, today=today, locale=locale, totals=totals)
    return cast(QrResult, _request("qr", invoice, exchange_rate=exchange_rate, **drawing, **options))


def catalog(name: str, *, on: Any = None, locale: Optional[Locale] = None) -> list[dict[str, Any]]:
    """Returns the rows of a catalog, such as `"tax-rates"`, on a day if it is given.

    >>> [row["code"] for row in catalog("tax-groups")]
    ['IVA', 'IGIC', 'IPSI']

    Raises `RequestError` with the code `not_found` for an unknown name.
    """
    return cast("list[dict[str, Any]]", _request("catalog", name, on=on, locale=locale))


def verify_chain(
    records: Iterable[Mapping[str, Any]],
    *,
    after: Options = None,
    now: Optional[str] = None,
    split: Optional[bool] = None,
    chain_continues: Optional[bool] = None,
    locale: Optional[Locale] = None,
) -> Chain:
    """Verifies the hashes and the chain of VeriFactu records, oldest first. Raises `RequestError` and `TypeError`."""
    options = dict(after=after, now=now, split=split, chain_continues=chain_continues, locale=locale)
    return cast(Chain, _request("verify_chain", list(records), **options))
