;; The shim between a host and the JavaScript engine: memory, guards, one call, and standard input and output.
;; scripts/wasm.mjs replaces the {{braces}} by the limits of src/entry/request/request-limits.ts.
(module
  (import "engine" "memory" (memory 1))
  (import "engine" "__stack_pointer" (global $sp (mut i32)))
  (import "engine" "_initialize" (func $constructors))
  (import "engine" "malloc" (func $malloc (param i32) (result i32)))
  (import "engine" "realloc" (func $realloc (param i32 i32) (result i32)))
  (import "engine" "free" (func $free (param i32)))
  (import "engine" "JS_NewRuntime" (func $new_runtime (result i32)))
  (import "engine" "JS_NewContextRaw" (func $new_context (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicBaseObjects" (func $add_base (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicDate" (func $add_date (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicRegExp" (func $add_regexp (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicJSON" (func $add_json (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicMapSet" (func $add_map_set (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicTypedArrays" (func $add_typed_arrays (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicBigInt" (func $add_bigint (param i32) (result i32)))
  (import "engine" "JS_AddIntrinsicEval" (func $add_eval (param i32) (result i32)))
  (import "engine" "JS_SetGCThreshold" (func $gc_threshold (param i32 i32)))
  (import "engine" "JS_SetMaxStackSize" (func $max_stack (param i32 i32)))
  (import "engine" "JS_SetMemoryLimit" (func $memory_limit (param i32 i32)))
  (import "engine" "JS_GetException" (func $exception (param i32) (result i64)))
  (import "engine" "qjs_set_runtime_and_context" (func $adopt (param i32 i32)))
  (import "engine" "qjs_set_interrupt_handler" (func $interrupts (param i32)))
  (import "engine" "JS_UpdateStackTop" (func $stack_top (param i32)))
  (import "engine" "JS_RunGC" (func $collect (param i32)))
  (import "engine" "JS_Eval" (func $eval (param i32 i32 i32 i32 i32) (result i64)))
  (import "engine" "JS_WriteObject" (func $write (param i32 i32 i64 i32) (result i32)))
  (import "engine" "JS_ReadObject" (func $read (param i32 i32 i32 i32) (result i64)))
  (import "engine" "JS_EvalFunction" (func $run (param i32 i64) (result i64)))
  (import "engine" "JS_Call" (func $js_call (param i32 i64 i64 i32 i32) (result i64)))
  (import "engine" "JS_NewStringLen" (func $new_string (param i32 i32 i32) (result i64)))
  (import "engine" "JS_ToCStringLen2" (func $to_utf8 (param i32 i32 i64 i32) (result i32)))
  (import "engine" "JS_FreeCString" (func $free_utf8 (param i32 i32)))
  (import "engine" "JS_FreeValue" (func $free_value (param i32 i64)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))

  (global $max_bytes i32 (i32.const {{maxBytes}}))
  (global $max_depth i32 (i32.const {{maxDepth}}))
  ;; Maximum number of host_interrupt calls during one request. The engine calls it at every 10,000th branch or call.
  (global $budget i32 (i32.const {{budget}}))

  (global $runtime (mut i32) (i32.const 0))
  (global $context (mut i32) (i32.const 0))
  (global $answer (mut i64) (i64.const 0))    ;; JavaScript function that takes a request, or the number of a response
  (global $scratch (mut i32) (i32.const 0))   ;; 64 bytes
  (global $result (mut i32) (i32.const 0))    ;; last response of the engine, which must be freed; 0 if there is none
  (global $length (mut i32) (i32.const 0))
  ;; Bytecode, which runs before the first request; then 0.
  (global $bytecode (mut i32) (i32.const 0))
  (global $bytecode_length (mut i32) (i32.const 0))
  (global $fuel (mut i32) (i32.const 1000000))

  ;; Responses prepared before the first request: 1 too large, 2 too deep, 3 over budget.
  (global $too_large (mut i32) (i32.const 0))
  (global $too_large_length (mut i32) (i32.const 0))
  (global $too_deep (mut i32) (i32.const 0))
  (global $too_deep_length (mut i32) (i32.const 0))
  (global $over_budget (mut i32) (i32.const 0))
  (global $over_budget_length (mut i32) (i32.const 0))

  ;; Host functions that the interpreter imports. Only host_interrupt has a purpose, because the code is pure.
  (func (export "host_get_timezone_offset") (param i32 i32) (result i32) (i32.const 0))
  (func (export "host_interrupt") (result i32)
    (global.set $fuel (i32.sub (global.get $fuel) (i32.const 1)))
    (i32.lt_s (global.get $fuel) (i32.const 0)))
  (func (export "host_promise_rejection") (param i32 i32 i32) (unreachable))
  (func (export "host_module_normalize") (param i32 i32) (result i32) (unreachable))
  (func (export "host_module_load") (param i32 i32) (result i32) (unreachable))
  (func (export "host_call") (param i32 i32 i32 i32 i32) (result i32) (unreachable))

  ;; Adds no eval, promises or proxies, so that code cannot call them.
  (func $start_engine
    (call $constructors)
    (global.set $scratch (call $malloc (i32.const 64)))
    (memory.fill (global.get $scratch) (i32.const 0) (i32.const 64))
    (global.set $runtime (call $new_runtime))
    (call $max_stack (global.get $runtime) (i32.const 524288))
    (call $memory_limit (global.get $runtime) (i32.const {{memoryLimit}}))
    (global.set $context (call $new_context (global.get $runtime)))
    (drop (call $add_base (global.get $context)))
    (drop (call $add_date (global.get $context)))
    (drop (call $add_regexp (global.get $context)))
    (drop (call $add_json (global.get $context)))
    (drop (call $add_map_set (global.get $context)))
    (drop (call $add_typed_arrays (global.get $context)))
    (drop (call $add_bigint (global.get $context)))
    (call $adopt (global.get $runtime) (global.get $context))
    ;; The code creates no reference cycles, so the collector starts only at 64 MB.
    (call $gc_threshold (global.get $runtime) (i32.const 0x4000000))
    (call $interrupts (i32.const 1)))

  (func $is_exception (param $value i64) (result i32)
    (i64.eq (i64.shr_u (local.get $value) (i64.const 32)) (i64.const 6)))

  ;; Reads standard input up to the limit. Returns the buffer, and sets $length to the number of bytes.
  (func $read_input (result i32)
    (local $buffer i32) (local $capacity i32) (local $n i32) (local $got i32)
    (local.set $capacity (i32.const 1048576))
    (local.set $buffer (call $malloc (i32.add (local.get $capacity) (i32.const 1))))
    (block $end (loop $more
      (br_if $end (i32.gt_u (local.get $n) (global.get $max_bytes)))
      (if (i32.eq (local.get $n) (local.get $capacity)) (then
        (local.set $capacity (i32.shl (local.get $capacity) (i32.const 1)))
        (local.set $buffer (call $realloc (local.get $buffer) (i32.add (local.get $capacity) (i32.const 1))))
        (if (i32.eqz (local.get $buffer)) (then (unreachable)))))
      (i32.store (global.get $scratch) (i32.add (local.get $buffer) (local.get $n)))
      (i32.store offset=4 (global.get $scratch) (i32.sub (local.get $capacity) (local.get $n)))
      (br_if $end (call $fd_read
        (i32.const 0) (global.get $scratch) (i32.const 1) (i32.add (global.get $scratch) (i32.const 8))))
      (local.set $got (i32.load offset=8 (global.get $scratch)))
      (br_if $end (i32.eqz (local.get $got)))
      (local.set $n (i32.add (local.get $n) (local.get $got)))
      (br $more)))
    (i32.store8 (i32.add (local.get $buffer) (local.get $n)) (i32.const 0))
    (global.set $length (local.get $n))
    (local.get $buffer))

  ;; Build time only: compiles source text to bytecode without source and debugging tables.
  (func (export "compile") (param $source i32) (param $n i32) (result i32)
    (local $code i64)
    (call $start_engine)
    (drop (call $add_eval (global.get $context)))
    (i32.store offset=16 (global.get $scratch) (i32.const 0x61))
    (local.set $code (call $eval (global.get $context) (local.get $source) (local.get $n)
      (i32.add (global.get $scratch) (i32.const 16)) (i32.const 32)))
    (if (call $is_exception (local.get $code)) (then (unreachable)))
    (local.set $source (call $write (global.get $context) (global.get $scratch) (local.get $code) (i32.const 49)))
    (global.set $length (i32.load (global.get $scratch)))
    (local.get $source))

  ;; Returns the prepared response with the number $which, and sets $length to its length.
  (func $ready (param $which i64) (result i32)
    (local $value i64)
    (i64.store offset=32 (global.get $scratch) (local.get $which))
    (local.set $value (call $js_call (global.get $context) (global.get $answer) (i64.const 0x300000000)
      (i32.const 1) (i32.add (global.get $scratch) (i32.const 32))))
    (if (call $is_exception (local.get $value)) (then (unreachable)))
    (local.set $which (i64.extend_i32_u
      (call $to_utf8 (global.get $context) (global.get $scratch) (local.get $value) (i32.const 0))))
    (call $free_value (global.get $context) (local.get $value))
    (global.set $length (i32.load (global.get $scratch)))
    (i32.wrap_i64 (local.get $which)))

  ;; Build time only: starts the engine, and stores the bytecode from standard input for the first request.
  (func (export "wizer-initialize")
    (call $start_engine)
    (global.set $bytecode (call $read_input))
    (global.set $bytecode (call $realloc (global.get $bytecode) (global.get $length)))
    (global.set $bytecode_length (global.get $length))
    (global.set $length (i32.const 0))
    (call $collect (global.get $runtime))
    ;; Clears the stack of the engine, so that the snapshot does not contain it.
    (memory.fill (i32.const 0) (i32.const 0) (global.get $sp)))

  ;; Runs the bytecode before the first request, which defines the function $answer. A snapshot taken after this step
  ;; would save 6 of 8 ms on a warm host. But functions and tables in memory compress half as well as bytecode, so it
  ;; would add 350 KB gzipped (870 KB in total, or 37 KB less with free memory wiped). The limit is 700 KB.
  (func $boot
    (local $code i64)
    (call $stack_top (global.get $runtime))
    (local.set $code (call $read
      (global.get $context) (global.get $bytecode) (global.get $bytecode_length) (i32.const 1)))
    (if (call $is_exception (local.get $code)) (then (unreachable)))
    (call $free (global.get $bytecode))
    (global.set $bytecode (i32.const 0))
    (global.set $answer (call $run (global.get $context) (local.get $code)))
    (if (call $is_exception (global.get $answer)) (then (unreachable)))
    (global.set $too_large (call $ready (i64.const 1)))
    (global.set $too_large_length (global.get $length))
    (global.set $too_deep (call $ready (i64.const 2)))
    (global.set $too_deep_length (global.get $length))
    (global.set $over_budget (call $ready (i64.const 3)))
    (global.set $over_budget_length (global.get $length)))

  (func (export "alloc") (param $n i32) (result i32)
    (call $malloc (select (local.get $n) (i32.const 1) (local.get $n))))
  (func (export "dealloc") (param $pointer i32) (call $free (local.get $pointer)))
  (func (export "result_len") (result i32) (global.get $length))

  ;; Returns whether brackets outside strings nest too deeply. Checked first, because the JSON parser is recursive.
  (func $is_too_deep (param $at i32) (param $n i32) (result i32)
    (local $end i32) (local $byte i32) (local $depth i32) (local $in_text i32)
    (local.set $end (i32.add (local.get $at) (local.get $n)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (local.get $in_text)
        (then
          (if (i32.eq (local.get $byte) (i32.const 92))
            (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
          (if (i32.eq (local.get $byte) (i32.const 34)) (then (local.set $in_text (i32.const 0)))))
        (else
          (if (i32.eq (local.get $byte) (i32.const 34)) (then (local.set $in_text (i32.const 1))))
          ;; [ and { differ in one bit, and so do ] and }.
          (local.set $byte (i32.or (local.get $byte) (i32.const 32)))
          (if (i32.eq (local.get $byte) (i32.const 123)) (then
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (if (i32.gt_s (local.get $depth) (global.get $max_depth)) (then (return (i32.const 1))))))
          (if (i32.eq (local.get $byte) (i32.const 125))
            (then (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))))))
      (br $next)))
    (i32.const 0))

  (func $spent (result i32)
    (global.set $length (global.get $over_budget_length))
    (global.get $over_budget))

  ;; Responds to a JSON request in UTF-8 at $request. The response has result_len() bytes and is valid until the next
  ;; call.
  (func $validate (export "validate") (param $request i32) (param $n i32) (result i32)
    (local $text i64) (local $value i64)
    (if (global.get $bytecode) (then (call $boot)))
    (if (global.get $result) (then
      (call $free_utf8 (global.get $context) (global.get $result))
      (global.set $result (i32.const 0))))
    (if (i32.gt_u (local.get $n) (global.get $max_bytes)) (then
      (global.set $length (global.get $too_large_length))
      (return (global.get $too_large))))
    (if (call $is_too_deep (local.get $request) (local.get $n)) (then
      (global.set $length (global.get $too_deep_length))
      (return (global.get $too_deep))))
    (global.set $fuel (global.get $budget))
    (call $stack_top (global.get $runtime))
    (local.set $text (call $new_string (global.get $context) (local.get $request) (local.get $n)))
    (if (call $is_exception (local.get $text)) (then
      (call $free_value (global.get $context) (call $exception (global.get $context)))
      (return (call $spent))))
    (i64.store offset=32 (global.get $scratch) (local.get $text))
    (local.set $value (call $js_call (global.get $context) (global.get $answer) (i64.const 0x300000000)
      (i32.const 1) (i32.add (global.get $scratch) (i32.const 32))))
    (call $free_value (global.get $context) (local.get $text))
    (if (call $is_exception (local.get $value)) (then
      (call $free_value (global.get $context) (call $exception (global.get $context)))
      (return (call $spent))))
    (global.set $result
      (call $to_utf8 (global.get $context) (global.get $scratch) (local.get $value) (i32.const 0)))
    (call $free_value (global.get $context) (local.get $value))
    (if (i32.eqz (global.get $result)) (then
      (call $free_value (global.get $context) (call $exception (global.get $context)))
      (return (call $spent))))
    (global.set $length (i32.load (global.get $scratch)))
    (global.get $result))

  ;; Responds on standard output to a request on standard input.
  (func (export "_start")
    (local $at i32) (local $left i32)
    (local.set $at (call $read_input))
    (local.set $at (call $validate (local.get $at) (global.get $length)))
    (local.set $left (global.get $length))
    (block $done (loop $more
      (br_if $done (i32.eqz (local.get $left)))
      (i32.store (global.get $scratch) (local.get $at))
      (i32.store offset=4 (global.get $scratch) (local.get $left))
      (if (call $fd_write
        (i32.const 1) (global.get $scratch) (i32.const 1) (i32.add (global.get $scratch) (i32.const 8)))
        (then (unreachable)))
      (local.set $at (i32.add (local.get $at) (i32.load offset=8 (global.get $scratch))))
      (local.set $left (i32.sub (local.get $left) (i32.load offset=8 (global.get $scratch))))
      (br $more))))
)
