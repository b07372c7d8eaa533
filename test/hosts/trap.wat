;; A module with the interface of dist/cuadra.wasm that counts its calls and traps at a request of four bytes: what
;; a host does after a trap can be seen with it.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "{\"calls\":0}")
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "dealloc") (param i32))
  (func (export "result_len") (result i32) (i32.const 11))
  (func (export "validate") (param $at i32) (param $n i32) (result i32)
    (i32.store8 (i32.const 25) (i32.add (i32.load8_u (i32.const 25)) (i32.const 1)))
    (if (i32.eq (local.get $n) (i32.const 4)) (then (unreachable)))
    (i32.const 16))
  ;; a host that runs this waits for ever
  (func (export "_start") (loop $again (br $again))))
