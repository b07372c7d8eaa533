//! Spanish invoices in Rust: the cuadra engine as a WebAssembly module, run by Wasmi.

use serde_json::{Value, json};
use std::{env, error::Error, fs, io::BufRead, io::stdin};
use wasmi::{Engine, Instance, Linker, Module, Store};

/// One engine. Its memory goes when it is dropped.
pub struct Cuadra {
    module: Module,
    linker: Linker<()>,
    running: Option<(Store<()>, Instance)>, // none at first and after a trap
}

impl Cuadra {
    pub fn new(wasm: &[u8]) -> Result<Self, wasmi::Error> {
        let engine = Engine::default();
        let mut linker = Linker::new(&engine);
        for name in ["fd_read", "fd_write"] {
            // For the module as a command, _start, which is not called here. 8: no such file.
            linker.func_wrap("wasi_snapshot_preview1", name, |_: i32, _: i32, _: i32, _: i32| 8)?;
        }
        Ok(Self { module: Module::new(&engine, wasm)?, linker, running: None })
    }

    /// The JSON answer to a JSON request. A trap is an answer, too; the next call has a new instance.
    pub fn answer(&mut self, request: &str) -> String {
        self.call(request).unwrap_or_else(|trap| {
            self.running = None;
            json!({"detail": {"code": "internal_error", "message": trap.to_string()}}).to_string()
        })
    }

    fn call(&mut self, request: &str) -> Result<String, Box<dyn Error>> {
        if self.running.is_none() {
            let mut store = Store::new(self.module.engine(), ());
            let instance = self.linker.instantiate_and_start(&mut store, &self.module)?;
            self.running = Some((store, instance));
        }
        let (store, it) = self.running.as_mut().unwrap();
        let size = u32::try_from(request.len())?;
        let pointer = it.get_typed_func::<u32, u32>(&*store, "alloc")?.call(&mut *store, size)?;
        if pointer == 0 {
            return Err("no memory for the request".into());
        }
        let memory = it.get_memory(&*store, "memory").ok_or("no memory")?;
        memory.write(&mut *store, pointer as usize, request.as_bytes())?;
        let validate = it.get_typed_func::<(u32, u32), u32>(&*store, "validate")?;
        let result = validate.call(&mut *store, (pointer, size))?;
        let length = it.get_typed_func::<(), u32>(&*store, "result_len")?.call(&mut *store, ())?;
        let answer = memory.data(&*store)[result as usize..][..length as usize].to_vec();
        it.get_typed_func::<u32, ()>(&*store, "dealloc")?.call(&mut *store, pointer)?;
        Ok(String::from_utf8(answer)?)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Cuadra::new(&fs::read(env::var("CUADRA_WASM").unwrap_or("dist/cuadra.wasm".into()))?)?;
    if env::args().skip(1).eq(["--pipe"]) {
        for line in stdin().lock().split(b'\n') {
            println!("{}", engine.answer(&String::from_utf8_lossy(&line?)));
        }
        return Ok(());
    }
    for path in env::args().skip(1) {
        // A file goes in as it is: no float of Rust comes near its amounts.
        let request = format!(r#"{{"op":"validate","document":{}}}"#, fs::read_to_string(&path)?);
        let it: Value = serde_json::from_str(&engine.answer(&request))?;
        print!("{path:<42}{:<10}", if it["is_valid"] == true { "valid" } else { "not valid" });
        for name in ["total_gross_amount_before_taxes", "total_tax_outputs", "invoice_total"] {
            print!("{:12.2}", it["data"]["invoice"]["totals"][name].as_f64().unwrap_or_default());
        }
        println!();
        for it in it["errors"].as_array().unwrap_or(&vec![it["detail"].clone()]) {
            let text = |name: &str| it[name].as_str().unwrap_or_default();
            println!("  {} {}\n    {}", text("code"), text("path"), text("message"));
        }
    }
    Ok(())
}
