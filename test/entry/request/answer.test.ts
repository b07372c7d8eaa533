/** JSON in, JSON out: every request gets a response, and a refusal states its reason. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { explain, reconcile, type ValidationItem, validate } from '#engine/index.ts'
import { answer, answerValue, LIMITS } from '#entry/request/index.ts'
import { isTooDeep, utf8Length } from '#entry/request/request-limits.ts'
import { linkOf } from '#records/verifactu/index.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { alta } from '../../records/verifactu/records.ts'
import { tokens } from '../../tokens.ts'

type Item = Pick<ValidationItem, 'code' | 'path'>

const ask = (request: unknown): any => JSON.parse(answer(JSON.stringify(request)))
const detail = (text: string) => JSON.parse(answer(text)).detail

describe('answer', () => {
  it('is what the function of the same name gives', () => {
    for (const { invoice } of goldenInvoices().slice(0, 40)) {
      const text = (op: string, options?: object) =>
        answer(JSON.stringify({ op, document: invoice, ...(options ? { options } : {}) }))
      expect(text('validate')).toBe(JSON.stringify(validate(invoice)))
      expect(text('validate', { locale: 'es', operation: 'import', company: null })).toBe(
        JSON.stringify(validate(invoice, { locale: 'es', operation: 'import' })),
      )
      expect(text('explain')).toBe(JSON.stringify(explain(invoice)))
      expect(text('reconcile')).toBe(JSON.stringify(reconcile(invoice)))
    }
  })

  const shop = JSON.parse(
    readFileSync(new URL('../../../examples/02-shop-prices-with-tax.json', import.meta.url), 'utf8'),
  )
  shop.invoice.header.invoice_number = 'WEB-000041'
  shop.invoice.issue_data.issue_date = '2026-03-05'

  it('draws the QR code of an invoice with number and date', () => {
    const { is_valid, errors, qr } = ask({ op: 'qr', document: shop, options: { environment: 'test' } })
    expect(is_valid).toBe(true)
    expect(errors).toEqual([])
    expect(qr.url).toBe(
      'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B23456783&numserie=WEB-000041&fecha=05-03-2026&importe=48.87',
    )
    expect(qr.svg).toMatch(/^<svg/)
    expect(qr.legends.above).toBe('QR tributario:')
  })

  it('says why there is no QR code', () => {
    const draft = structuredClone(shop)
    delete draft.invoice.header.invoice_number
    expect(
      ask({ op: 'qr', document: draft }).errors.map((item: Item) => `${item.code} ${item.path}`),
    ).toEqual(['record.required /invoice/header/invoice_number'])
    expect(ask({ op: 'qr', document: {}, options: { locale: 'es' } })).toMatchObject({
      is_valid: false,
      qr: null,
    })
    const quoted = structuredClone(shop)
    quoted.invoice.header.invoice_number = 'A"1'
    expect(ask({ op: 'qr', document: quoted }).errors.at(-1)).toMatchObject({
      code: 'qr.invoice_number',
      path: '/invoice/header/invoice_number',
    })
  })

  it('names an option of the QR code by its name in the request', () => {
    const { reason } = ask({ op: 'qr', document: shop, options: { quiet_zone: 1 } }).detail
    expect(reason).toMatch(/^quiet_zone is 1:/)
  })

  it.each([
    ['', { line: 1, column: 1 }, 'it is empty'],
    ['{\n  "op": "validate",\n}', { line: 2, column: 19 }, 'trailing comma; remove it'],
    ["{'op': 1}", { line: 1, column: 2 }, 'JSON requires double quotes, not single quotes'],
    ['{"op": 01}', { line: 1, column: 8 }, undefined],
  ])('reports where %j stops being valid JSON', (text, place, reason) => {
    const found = detail(text)
    expect(found).toMatchObject({ code: 'request_validation_error', ...place })
    if (reason)
      expect(found.message).toBe(
        `The request is not valid JSON: line ${place.line}, column ${place.column}: ${reason}.`,
      )
  })

  it.each([
    [5, 'The request is 5. Send an object with op, document and options.'],
    [[], 'The request is an array. Send an object with op, document and options.'],
    [{ op: 'validate' }, 'document is missing. Send a canonical invoice.'],
    [
      { op: 'fly', document: {} },
      'op is fly. Send one of validate, explain, reconcile, qr, catalog, verify_chain.',
    ],
    [
      { op: 'toString', document: {} },
      'op is toString. Send one of validate, explain, reconcile, qr, catalog, verify_chain.',
    ],
    [
      { op: 'validate', document: {}, more: 1 },
      'Unknown member of the request: more. Use op, document, options.',
    ],
    [{ op: 'validate', document: {}, options: [] }, 'options is an array. Send an object, or omit options.'],
    [
      { op: 'validate', document: {}, options: { todays: '2027-01-01' } },
      'Invalid options: options has no "todays"; it has operation, company, today, locale, totals, exchange_rate, explain.',
    ],
    [
      { op: 'explain', document: {}, options: { operation: 'sell', locale: 'es' } },
      'Opciones no válidas: la opción «operation» es "sell"; debe ser draft, issue, import o received.',
    ],
    [
      { op: 'validate', document: {}, options: { exchange_rate: { exchange_rate: 0 } } },
      'Invalid options: option "exchange_rate" is {"exchange_rate":0}; it must be { exchange_rate: euros per unit, above 0; exchange_rate_date: YYYY-MM-DD }.',
    ],
    [
      { op: 'validate', document: {}, options: { todays: '2027-01-01', locale: 'es' } },
      'Opciones no válidas: opción desconocida: «todays»; existen operation, company, today, locale, totals, exchange_rate, explain.',
    ],
    [
      { op: 'validate', document: {}, options: { explain: 1, locale: 'es' } },
      'Opciones no válidas: la opción «explain» es 1; indique true o false.',
    ],
    [
      { op: 'catalog', document: 'units', options: { on: 'hoy', locale: 'es' } },
      'Opciones no válidas: la opción «on» es "hoy"; indique una fecha AAAA-MM-DD.',
    ],
    [
      { op: 'verify_chain', document: [], options: { now: 'ahora', locale: 'es' } },
      'Opciones no válidas: la opción «now» es «ahora»; indique una fecha y hora con huso horario, como 2027-01-31T10:00:00+01:00.',
    ],
    [{ op: 'verify_chain', document: {} }, 'document is an object. Send the list of records, oldest first.'],
    [
      { op: 'catalog', document: 'units', options: { on: 'today' } },
      'Invalid options: option "on" is "today"; pass a date YYYY-MM-DD.',
    ],
  ])('refuses %j with instructions', (request, message) => {
    expect(ask(request).detail).toMatchObject({ code: 'request_validation_error', message })
  })

  it('returns the code not_found for an unknown catalog', () => {
    expect(ask({ op: 'catalog', document: 'moons' }).detail).toMatchObject({
      code: 'not_found',
      received: 'moons',
    })
  })

  it('refuses oversized or deeply nested requests before parsing', () => {
    expect(detail('['.repeat(10_000))).toMatchObject({ max_depth: LIMITS.maxDepth })
    expect(detail(`"${'€'.repeat(LIMITS.maxBytes / 3)}"`)).toMatchObject({ code: 'payload_too_large' })
    expect(detail('x'.repeat(20_000_000))).toMatchObject({ max_bytes: LIMITS.maxBytes })
  })

  it('explains at most 1,000 lines in one response, and validates more', () => {
    const { invoice } = required(goldenInvoices()[0])
    const line = { item_description: 'x', quantity: 1, unit_price_without_tax: 1, tax_output_rate: 21 }
    const document = (count: number) => ({
      ...invoice,
      invoice: { ...invoice.invoice, lines: new Array(count).fill(line) },
    })
    for (const request of [{ op: 'explain' }, { op: 'validate', options: { explain: true } }]) {
      expect(ask({ ...request, document: document(1001) }).detail).toMatchObject({
        code: 'payload_too_large',
        lines: 1001,
        max_lines: 1000,
      })
      expect(ask({ ...request, document: document(1000) }).detail).toBeUndefined()
    }
    expect(ask({ op: 'validate', document: document(1001) }).detail).toBeUndefined()
  })

  it('examines no line of an invoice with more than 20,000', () => {
    const { errors } = ask({ op: 'validate', document: { invoice: { lines: new Array(300_000).fill(0) } } })
    const ofLines = errors.filter(({ path }: Item) => path.startsWith('/invoice/lines'))
    expect(ofLines.map(({ code, path }: Item) => `${code} ${path}`)).toEqual([
      'schema.max_items /invoice/lines',
    ])
  })

  it('reports values that are not records among the records of a chain', () => {
    const report = ask({ op: 'verify_chain', document: [null, 5, 'text', [], {}] })
    expect(report.items.map((item: Item) => item.code)).toEqual(Array(5).fill('chain.unreadable'))
  })

  it('audits a chain that continues under another owner in one call, and refuses exclusive options', () => {
    const timestamp = (second: number) => `2027-01-15T10:00:0${second}+01:00`
    const first = alta((r) => {
      r.Encadenamiento = { PrimerRegistro: 'S' }
      r.FechaHoraHusoGenRegistro = timestamp(0)
    })
    const second = alta((r) => {
      r.IDFactura.NumSerieFactura = 'A-3'
      r.SistemaInformatico.NumeroInstalacion = '2'
      r.Encadenamiento = { RegistroAnterior: linkOf(first) }
      r.FechaHoraHusoGenRegistro = timestamp(1)
    })
    const audit = (options: object) => ask({ op: 'verify_chain', document: [first, second], options })
    expect(audit({}).valid).toBe(false)
    expect(audit({ chain_continues: true })).toMatchObject({ valid: true, chains: 1, found: 1 })
    expect(audit({ chain_continues: true, split: true }).detail.message).toBe(
      'Invalid options: options "split" and "chain_continues" cannot be combined; pass only one.',
    )
  })

  it('never throws, for any text or value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(typeof answer(text)).toBe('string')
      }),
    )
    const ops = fc.constantFrom('validate', 'explain', 'reconcile', 'qr', 'catalog', 'verify_chain')
    const names = tokens`operation company today locale totals exchange_rate explain on after now size`
    const options = fc.dictionary(fc.constantFrom(...names), fc.jsonValue())
    fc.assert(
      fc.property(fc.record({ op: ops, document: fc.jsonValue(), options }), (request) => {
        expect(JSON.stringify(answerValue(request))).not.toContain('internal_error')
      }),
      { numRuns: 2000 },
    )
  })

  it('handles any company and exchange rate with a whole invoice', () => {
    const document = required(goldenInvoices()[0]).invoice
    const odd = fc.oneof(fc.jsonValue(), fc.constant({ cash_basis: [null], oss: 5, address: 'x', tax_id: 1 }))
    fc.assert(
      fc.property(odd, odd, (company, exchange_rate) => {
        const given = answer(
          JSON.stringify({ op: 'validate', document, options: { company, exchange_rate } }),
        )
        expect(given).not.toContain('internal_error')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('limits', () => {
  it('count bytes as an encoder does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })

  it('count levels of nesting as the JSON parser does', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value)
        const depth = depthOf(value)
        expect(isTooDeep(text, depth)).toBe(false)
        if (depth > 0) expect(isTooDeep(text, depth - 1)).toBe(true)
      }),
    )
  })
})
