"""The WebAssembly module, run by Wasmtime."""

from __future__ import annotations

import json
import threading
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from wasmtime import Config, Linker, Module, Store, Trap, WasmtimeError
from wasmtime import Engine as Compiler

# The memory of an instance never shrinks. Beyond this limit the instance is replaced.
_MAX_MEMORY = 64 * 1024 * 1024


class Json(str):
    """JSON text that is sent as it is, such as the content of a file."""


class RequestError(Exception):
    """A refused request. `detail` has `code`, `message` and the values of the code."""

    def __init__(self, detail: Mapping[str, Any]) -> None:
        super().__init__(detail["message"])
        self.detail = dict(detail)
        self.code: str = detail["code"]


class _Instance:
    """One instance of the module (binary interface: docs/wasm.md)."""

    def __init__(self, compiler: Compiler, module: Module) -> None:
        self._store = Store(compiler)
        linker = Linker(compiler)
        # Only `_start` uses the imports, and it is never called.
        linker.define_unknown_imports_as_traps(module)
        self._exports: Any = linker.instantiate(self._store, module).exports(self._store)

    def _call(self, name: str, *values: int) -> int:
        # Pointers beyond 2 GB are negative.
        return int(self._exports[name](self._store, *values)) & 0xFFFFFFFF

    def answer(self, request: bytes) -> bytes:
        pointer = self._call("alloc", len(request))
        if pointer == 0:
            raise MemoryError("cuadra: no memory for the request")
        memory = self._exports["memory"]
        memory.write(self._store, request, pointer)
        result = self._call("validate", pointer, len(request))
        answer = bytes(memory.read(self._store, result, result + self._call("result_len")))
        self._exports["dealloc"](self._store, pointer)
        return answer

    @property
    def is_large(self) -> bool:
        return bool(self._exports["memory"].data_len(self._store) > _MAX_MEMORY)


class Engine:
    """The engine. Each thread that uses it gets an instance of its own, of 2.5 MB.

    `module` is the path of another `cuadra.wasm`. Compiling takes a second or two the first time; the machine code is
    kept in the user's cache folder, if there is one.
    """

    def __init__(self, module: Union[str, Path, None] = None) -> None:
        path = str(module or Path(__file__).with_name("cuadra.wasm"))
        try:
            self._compiler = self._compiler_of(cache=True)
        except WasmtimeError:  # no cache folder
            self._compiler = self._compiler_of(cache=False)
        self._module = Module.from_file(self._compiler, path)
        self._local = threading.local()

    @staticmethod
    def _compiler_of(cache: bool) -> Compiler:
        config = Config()
        if cache:
            config.cache = True
        return Compiler(config)

    def answer(self, request: Union[str, bytes]) -> str:
        """Returns the response to a request, both as JSON text, byte for byte the same as in JavaScript.

        >>> Engine().answer('{"op":"catalog","document":"tax-groups"}')[:15]
        '[{"code":"IVA",'

        A refused request has the member `detail`.
        """
        data = request.encode("utf-8", "replace") if isinstance(request, str) else request
        instance: Optional[_Instance] = getattr(self._local, "instance", None)
        # A trap leaves the instance in an undefined state, so it is reused only after a successful call.
        self._local.instance = None
        try:
            instance = instance or _Instance(self._compiler, self._module)
            answer = instance.answer(data)
        except (Trap, WasmtimeError, MemoryError) as error:
            return json.dumps({"detail": {"code": "internal_error", "message": str(error)}})
        if not instance.is_large:
            self._local.instance = instance
        return answer.decode("utf-8")

    def request(self, op: str, document: Any, options: Optional[Mapping[str, Any]] = None) -> Any:
        """Returns the response to an operation as Python values. Raises `RequestError` if the request is refused."""
        members = {"op": op, "document": document, **({"options": options} if options else {})}
        answer = json.loads(self.answer(to_json(members)), parse_float=Decimal)
        if isinstance(answer, dict) and "detail" in answer:
            raise RequestError(answer["detail"])
        return answer


def to_json(value: Any, path: str = "") -> str:
    """Returns JSON text in which a `Decimal` keeps its digits and a `date` is `YYYY-MM-DD`.

    >>> to_json({"price": Decimal("1.10"), "on": date(2027, 1, 1)})
    '{"price":1.10,"on":"2027-01-01"}'
    """
    if isinstance(value, Json):
        return value
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise TypeError(f"{path or 'the request'}: the key {name!r} is not a string")
        return "{" + ",".join(f"{json.dumps(name)}:{to_json(one, f'{path}/{name}')}" for name, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(to_json(one, f"{path}/{index}") for index, one in enumerate(value)) + "]"
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, date):
        return json.dumps(value.isoformat()[:10])
    if value is None or isinstance(value, (str, bool, int)) or isinstance(value, float) and value - value == 0:
        return json.dumps(value)
    raise TypeError(f"{path or 'the request'}: {value!r} is not a JSON value; pass a string, a number, a list or a dict")
