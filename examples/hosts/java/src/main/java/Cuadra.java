import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.*;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.types.FunctionType;
import com.dylibso.chicory.wasm.types.ValType;
import com.google.gson.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Spanish invoices in Java: the cuadra engine as a WebAssembly module, run by Chicory. For one thread at a time. */
public final class Cuadra implements AutoCloseable {
    private final Instance.Builder builder;
    private Instance instance;

    /** Compiles the module to classes, which takes seconds: keep the object. */
    public Cuadra(Path wasm) {
        var module = Parser.parse(wasm);
        var type = FunctionType.of(List.of(ValType.I32, ValType.I32, ValType.I32, ValType.I32), List.of(ValType.I32));
        var imports = ImportValues.builder();
        for (var name : List.of("fd_read", "fd_write")) // for _start, which is not called here. 8: no such file
            imports.addFunction(new HostFunction("wasi_snapshot_preview1", name, type, (i, arguments) -> new long[] {8}));
        builder = Instance.builder(module).withImportValues(imports.build()).withStart(false)
                .withMemoryFactory(ByteArrayMemory::new).withMachineFactory(MachineFactoryCompiler.compile(module));
    }

    /** The JSON answer to a JSON request. A trap is an answer, too; then the next call has a new instance. */
    public String answer(String request) {
        try {
            if (instance == null) instance = builder.build();
            var bytes = request.getBytes(UTF_8);
            int pointer = call("alloc", bytes.length);
            if (pointer == 0) throw new IllegalStateException("no memory for the request");
            instance.memory().write(pointer, bytes);
            int result = call("validate", pointer, bytes.length);
            var answer = instance.memory().readString(result, call("result_len"), UTF_8);
            call("dealloc", pointer);
            return answer;
        } catch (RuntimeException | StackOverflowError trap) {
            instance = null;
            return new Gson().toJson(Map.of("detail", Map.of("code", "internal_error", "message", trap.toString())));
        }
    }

    @Override public void close() { instance = null; } // the memory goes with it

    private int call(String name, long... parameters) {
        var results = instance.export(name).apply(parameters);
        return results == null || results.length == 0 ? 0 : (int) results[0];
    }

    public static void main(String[] arguments) throws Exception {
        var engine = new Cuadra(Path.of(System.getenv().getOrDefault("CUADRA_WASM", "dist/cuadra.wasm")));
        var out = new PrintStream(System.out, true, UTF_8);
        if (List.of(arguments).equals(List.of("--pipe"))) { // a request a line, an answer a line
            var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            for (String line; (line = in.readLine()) != null; ) out.println(engine.answer(line));
            return;
        }
        for (var path : arguments) { // a file goes in as it is: no double of Java comes near its amounts
            var request = "{\"op\":\"validate\",\"document\":" + Files.readString(Path.of(path)) + "}";
            var it = new Gson().fromJson(engine.answer(request), Answer.class);
            var totals = it.data == null ? new Totals(0, 0, 0) : it.data.invoice.totals;
            out.printf(Locale.ROOT, "%-42s%-10s%12.2f%12.2f%12.2f%n", path, it.is_valid ? "valid" : "not valid",
                    totals.total_gross_amount_before_taxes, totals.total_tax_outputs, totals.invoice_total);
            for (var problem : it.errors == null ? List.of(it.detail) : it.errors)
                out.printf("  %s %s%n    %s%n", problem.code, Objects.toString(problem.path, ""), problem.message);
        }
    }

    record Answer(boolean is_valid, List<Problem> errors, Problem detail, Data data) {}
    record Problem(String code, String path, String message) {}
    record Data(Invoice invoice) {}
    record Invoice(Totals totals) {}
    record Totals(double total_gross_amount_before_taxes, double total_tax_outputs, double invoice_total) {}
}
