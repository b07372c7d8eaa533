/** The WebAssembly module: its interface, its guards, and the same results as the engine. */
import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { answer, LIMITS } from '#entry/request/index.ts'
import { engineOf } from '#entry/wasm/engine.ts'
import { setMissing, suite } from '../../needs.ts'
import { LONG } from '../../size.ts'

/** One after the other, in one instance. */
const CALLS = LONG ? 10_000 : 3000

const PATH = new URL('../../../dist/cuadra.wasm', import.meta.url)
const missing = existsSync(PATH) ? undefined : (setMissing('module') ?? 'not built: npm run build -- module')

/** What the exports are, as a host sees them. */
interface Exports {
  readonly memory: WebAssembly.Memory
  readonly alloc: (n: number) => number
  readonly dealloc: (pointer: number) => void
  readonly validate: (pointer: number, n: number) => number
  readonly result_len: () => number
}

suite('dist/cuadra.wasm', missing, () => {
  let module: WebAssembly.Module
  let bytes: Buffer
  let calls: string[]
  let abi: Exports

  const instantiate = (): Exports => {
    const stub = (name: string) => () => {
      calls.push(name)
      return 8
    }
    const imports = { fd_read: stub('fd_read'), fd_write: stub('fd_write') }
    return new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports }).exports as unknown as Exports
  }
  const send = (request: Uint8Array): string => {
    const pointer = abi.alloc(request.length)
    new Uint8Array(abi.memory.buffer, pointer, request.length).set(request)
    const result = abi.validate(pointer, request.length)
    const text = Buffer.from(abi.memory.buffer, result, abi.result_len()).toString('utf8')
    abi.dealloc(pointer)
    return text
  }
  const ask = (text: string) => send(Buffer.from(text))
  const detail = (text: string) => JSON.parse(ask(text)).detail

  beforeAll(() => {
    bytes = readFileSync(PATH)
    module = new WebAssembly.Module(Uint8Array.from(bytes))
    calls = []
    abi = instantiate()
  })

  it('is a core module with the documented exports and two imports of WASI preview 1', () => {
    expect(WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`)).toEqual([
      'wasi_snapshot_preview1.fd_write',
      'wasi_snapshot_preview1.fd_read',
    ])
    expect(
      WebAssembly.Module.exports(module)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['_start', 'alloc', 'dealloc', 'memory', 'result_len', 'validate'])
  })

  it('ships the notices of everything inside it', () => {
    const notices = readFileSync(new URL('../../../dist/cuadra.wasm.NOTICES.txt', import.meta.url), 'utf8')
    for (const name of ['cuadra', 'quickjs-wasi 3.6.2', '@noble/hashes', 'uqr', 'QuickJS-NG', 'wasi-libc'])
      expect(notices).toContain(name)
  })

  it('calls no import during a request', () => {
    calls.length = 0
    for (const op of ['validate', 'explain', 'reconcile', 'qr']) ask(JSON.stringify({ op, document: {} }))
    ask('{"op":"verify_chain","document":[{}]}')
    ask('nonsense')
    expect(calls).toEqual([])
  })

  it('refuses every kind of request with the same response as the engine', () => {
    const refused = [
      '',
      'nonsense',
      '[1, 2',
      '{"op":"validate"}',
      '{"op":"fly","document":1}',
      '{"op":"validate","document":1,"options":2}',
      '{"op":"validate","document":1,"options":{"today":"yesterday"}}',
      '{"op":"validate","document":1,"options":{"__proto__":1}}',
      '{"op":"qr","document":{},"options":{"size":1000,"locale":"es"}}',
      '{"op":"catalog","document":"moons"}',
      '{"op":"verify_chain","document":{}}',
      '{"op":"validate","document":1,"more":1}',
      'null',
      '"text"',
      '\u0000',
      '{"op":"validate","document":"\\ud800"}',
    ]
    for (const text of refused) expect(ask(text), text).toBe(answer(text))
  })

  it('decodes invalid UTF-8 with replacement characters', () => {
    const invalid = Buffer.from([...Buffer.from('{"op":"catalog","document":"'), 0xff, 0xc3, 0x22, 0x7d])
    expect(send(invalid)).toBe(answer(invalid.toString('utf8')))
  })

  it('refuses 10,000 and 1,000,000 levels of nesting with a clear error, not a trap', () => {
    for (const levels of [10_000, 1_000_000]) {
      const text = `{"op":"validate","document":${'['.repeat(levels)}${']'.repeat(levels)}}`
      expect(detail(text)).toMatchObject({ code: 'request_validation_error', max_depth: LIMITS.maxDepth })
    }
  })

  it('counts levels as the engine does, ignoring brackets inside strings', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}"[[[\\"{{{"${']'.repeat(levels)}`
    for (const levels of [LIMITS.maxDepth, LIMITS.maxDepth + 1])
      expect(ask(nested(levels))).toBe(answer(nested(levels)))
  })

  it('refuses 20 MB and takes the largest request that is allowed', () => {
    expect(detail(`"${'x'.repeat(20_000_000)}"`)).toMatchObject({
      code: 'payload_too_large',
      max_bytes: LIMITS.maxBytes,
    })
    const largest = `{"op":"catalog","document":"${'x'.repeat(LIMITS.maxBytes - 30)}"}`
    expect(Buffer.byteLength(largest)).toBe(LIMITS.maxBytes)
    expect(ask(largest)).toBe(answer(largest))
    expect(detail(`${largest} `).code).toBe('payload_too_large')
  })

  const long = LONG
  const heavy = long ? it : it.skip
  heavy(
    `answers or clearly refuses the heaviest requests, and then goes on${long ? '' : ' (npm run test:long)'}`,
    () => {
      const fill = (piece: (at: number) => string) => {
        let text = ''
        for (let at = 0; text.length < LIMITS.maxBytes - 100; at++) text += piece(at)
        return text
      }
      const heaviest = [
        `{"op":"validate","document":{${fill((at) => `"k${at}":1,`)}"k":1}}`,
        `{"op":"validate","document":{"invoice":{"lines":[${fill(() => '{"z":1},')}1]}}}`,
        `{"op":"validate","document":[${fill(() => '{},')}1]}`,
        `{"op":"verify_chain","document":[${fill(() => '{"RegistroAlta":{"Huella":"x"}},')}1]}`,
        `{"op":"validate","document":[${fill(() => '1,')}x`,
      ]
      for (const text of heaviest) {
        abi = instantiate()
        const answered = ask(text)
        if (answered !== answer(text)) expect(JSON.parse(answered).detail.code).toBe('payload_too_large')
        expect(ask('{"op":"catalog","document":"units"}')).toBe(answer('{"op":"catalog","document":"units"}'))
      }
    },
    1_200_000,
  )

  it(`keeps its memory over ${CALLS} calls`, () => {
    abi = instantiate()
    const request = Buffer.from(
      JSON.stringify({
        op: 'validate',
        document: JSON.parse(
          readFileSync(new URL('../../../examples/01-services-irpf.json', import.meta.url), 'utf8'),
        ),
      }),
    )
    for (let i = 0; i < 100; i++) send(request)
    const before = abi.memory.buffer.byteLength
    for (let i = 0; i < CALLS; i++) send(request)
    expect(abi.memory.buffer.byteLength).toBe(before)
  }, 300_000)

  it('is an engine through the loader, which replaces an instance that has grown', () => {
    const engine = engineOf(module)
    expect(engine.validate({}).errors.map(({ path }) => path)).toEqual([
      '/invoice',
      '/meta',
      '/schema_version',
    ])
    expect(() => engine.explain({}, { today: 'tomorrow' })).toThrow('option "today" is "tomorrow"')
    expect(engine.instances()).toBe(1)
    engine.answer(`{"op":"validate","document":[${'{},'.repeat(1_000_000)}1]}`)
    expect(engine.reconcile({})).toEqual([])
    expect(engine.instances()).toBe(2)
    expect(engine.memory()).toBeLessThan(8 * 1024 * 1024)
  }, 300_000)
})
