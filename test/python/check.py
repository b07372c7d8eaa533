"""Tests the installed package: functions, docstrings, README and types."""

import doctest
import importlib.util
import json
import os
import subprocess
import sys
import threading
import unittest
from datetime import date
from decimal import Decimal
from pathlib import Path

import cuadra
import cuadra._engine

EXAMPLES = sorted(Path("examples").glob("*.json"))
FLAGS = doctest.NORMALIZE_WHITESPACE


def load_tests(_loader, tests, _pattern):
    for module in (cuadra, cuadra._engine):
        tests.addTests(doctest.DocTestSuite(module, optionflags=FLAGS))
    readme = doctest.DocFileSuite("../../python/README.md", optionflags=FLAGS | doctest.IGNORE_EXCEPTION_DETAIL)
    tests.addTest(readme)
    return tests


def example(name="02-shop-prices-with-tax"):
    return json.loads(Path(f"examples/{name}.json").read_text("utf-8"), parse_float=Decimal)


class Package(unittest.TestCase):
    def test_comes_from_the_wheel(self):
        self.assertIn("site-packages", cuadra.__file__)
        self.assertRegex(cuadra.__version__, r"^\d+\.\d+\.\d+$")
        self.assertNotEqual(cuadra.__version__, "0.0.0")

    def test_has_types(self):
        if not importlib.util.find_spec("mypy"):
            self.skipTest("needs mypy")
        command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "--strict", "-p", "cuadra"]
        for argument in (command, [*command[:6], "test/python/typed.py"]):
            done = subprocess.run(argument, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)


class Functions(unittest.TestCase):
    def test_amounts_keep_their_digits(self):
        invoice = example()
        line = invoice["invoice"]["lines"][0]
        line.pop("unit_price_with_tax", None)
        line["unit_price_without_tax"] = Decimal("0.12345678")
        answer = cuadra.validate(invoice)
        self.assertEqual(answer["data"]["invoice"]["lines"][0]["unit_price_without_tax"], Decimal("0.12345678"))

    def test_dates_are_accepted(self):
        options = {"operation": "issue", "locale": "es"}
        with_date = cuadra.validate(example(), today=date(2026, 3, 5), **options)
        self.assertEqual(with_date, cuadra.validate(example(), today="2026-03-05", **options))

    def test_every_example_has_an_explanation_and_a_reconciliation(self):
        for path in EXAMPLES:
            text = cuadra.Json(path.read_text("utf-8"))
            self.assertTrue(cuadra.validate(text)["is_valid"], path)
            rows = cuadra.explain(text)
            self.assertIn("/invoice/totals/invoice_total", [row["path"] for row in rows])
            for row in cuadra.reconcile(text):
                self.assertEqual(row["sent"] - row["computed"], row["difference"])

    def test_a_qr_code_is_drawn(self):
        invoice = example()
        invoice["invoice"]["header"]["invoice_number"] = "WEB-000041"
        invoice["invoice"]["issue_data"]["issue_date"] = "2026-03-05"
        drawn = cuadra.qr(invoice, environment="test", size=40)
        self.assertEqual(drawn["errors"], [])
        self.assertTrue(drawn["qr"]["svg"].startswith("<svg"))
        self.assertIn("importe=48.87", drawn["qr"]["url"])

    def test_a_chain_is_verified(self):
        self.assertEqual(cuadra.verify_chain([])["records"], 0)
        report = cuadra.verify_chain([{"RegistroAlta": {}}])
        self.assertFalse(report["valid"])
        self.assertTrue(report["items"])

    def test_an_invalid_option_is_refused_with_its_name(self):
        with self.assertRaises(cuadra.RequestError) as caught:
            cuadra.validate(example(), today="5/3/2026")
        self.assertEqual(caught.exception.code, "request_validation_error")
        self.assertIn("today", str(caught.exception))

    def test_values_that_are_not_json_are_refused_with_their_path(self):
        for value in (float("nan"), Decimal("Infinity"), b"bytes", {1: 2}, object()):
            with self.assertRaisesRegex(TypeError, r"/document/invoice"):
                cuadra.validate({"invoice": value})

    def test_a_request_of_six_megabytes_is_refused(self):
        with self.assertRaises(cuadra.RequestError) as caught:
            cuadra.validate({"invoice": "x" * 6_000_000})
        self.assertEqual(caught.exception.code, "payload_too_large")
        self.assertTrue(cuadra.validate(example())["is_valid"])

    def test_text_that_is_not_unicode_is_replaced(self):
        self.assertFalse(cuadra.validate({"invoice": "\ud800"})["is_valid"])
        self.assertIn("detail", json.loads(cuadra.Engine().answer("\ud800")))

    def test_threads_get_the_same_answers(self):
        wanted = cuadra.validate(example())
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(cuadra.validate(example()))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [wanted] * 8)


if __name__ == "__main__":
    unittest.main()
