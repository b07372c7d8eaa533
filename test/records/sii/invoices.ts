/** Fixtures: the invoices of the reference's sample messages, as canonical documents through `validate`. */
import { type CanonicalInvoice, type Options, validate } from '#engine/index.ts'

/** Documents and records whose shape the test knows. */
export type Loose = any

const COMPANY = { person_type_code: 'J', tax_id: 'B12345674', name: 'EMPRESA DE PRUEBAS SL' }
const CLIENT = {
  person_type_code: 'J',
  tax_id: 'A58818501',
  name: 'CLIENTE UNO SA',
  company: { address: { post_code: '28001' } },
}
const SUPPLIER = { person_type_code: 'J', tax_id: 'B65410011', name: 'PROVEEDOR SL' }

/** A line of one unit at a price without tax. */
export const line = (price: number, rate: number | undefined, more: object = {}): Loose => ({
  item_description: 'Cosa',
  quantity: 1,
  unit_price_without_tax: price,
  ...(rate === undefined ? {} : { tax_output_rate: rate }),
  ...more,
})

const NO_TOTALS = { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 }

/** Returns the normalised document. Throws for errors unless they are expected. */
export function normalised(
  document: Loose,
  options: Options,
  errors: readonly string[] = [],
): CanonicalInvoice {
  const { data, errors: items } = validate(document, options)
  const found = items.filter((item) => item.severity === 'error').map((item) => item.code)
  if (data === null || String([...new Set(found)].sort()) !== String([...errors].sort()))
    throw new Error(JSON.stringify(items, null, 1))
  // An import keeps its number as a reference; the samples have none.
  const copy: Loose = structuredClone(data)
  if (document.meta.external_ref === undefined) delete copy.meta.external_ref
  return copy
}

/** Returns an issued invoice of 10 March 2026, modified by `change`. */
export function issued(
  lines: readonly object[],
  change: (invoice: Loose, document: Loose) => void = () => {},
  errors: readonly string[] = [],
): CanonicalInvoice {
  const document = {
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system: 'Pruebas 1.0' },
    invoice: {
      supplier: structuredClone(COMPANY),
      customer: structuredClone(CLIENT),
      header: { invoice_type_code: '01', invoice_number: 'F2026/0001' } as Loose,
      issue_data: { issue_date: '2026-03-10', invoice_description: 'Venta' },
      lines: structuredClone(lines),
      totals: { ...NO_TOTALS },
    },
  }
  change(document.invoice, document)
  document.invoice.header.invoice_series_code ??= 'F'
  return normalised(document, { operation: 'import' }, errors)
}

/** Returns a received invoice of 2 March 2026, registered on the 6th. */
export function received(
  lines: readonly object[],
  change: (invoice: Loose, document: Loose) => void = () => {},
  errors: readonly string[] = [],
): CanonicalInvoice {
  const document = {
    schema_version: 'json_1_1',
    meta: { direction: 'received', source_system: 'Pruebas 1.0' },
    invoice: {
      supplier: structuredClone(SUPPLIER),
      customer: structuredClone(COMPANY),
      header: { invoice_type_code: '01', invoice_number: 'A-77' },
      issue_data: {
        issue_date: '2026-03-02',
        receipt_date: '2026-03-06',
        invoice_description: 'Compra de material',
      },
      lines: structuredClone(lines),
      totals: { ...NO_TOTALS },
    },
  }
  change(document.invoice, document)
  return normalised(document, { operation: 'received' }, errors)
}

/** Returns the record of a result; throws its items. */
export function recordOf<T>(
  result: { ok: true; record: T } | { ok: false; items: readonly { code: string; path: string }[] },
): Loose {
  if (!result.ok) throw new Error(JSON.stringify(result.items, null, 1))
  return result.record
}

/** Returns the message of a result; throws its items. */
export function messageOf<T>(
  result: { ok: true; message: T } | { ok: false; items: readonly { code: string; path: string }[] },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.items, null, 1))
  return result.message
}

/** Matches a message with a missing value. */
const UNFILLED = /\b(?:null|undefined|NaN|Object)\b|—|\{\w+\}/

/** Returns items as `code path`, after checking that their messages have real values. */
export const itemsOf = (result: {
  ok: boolean
  items?: readonly { code: string; path: string; message: string }[]
}): string[] => {
  const items = result.ok ? [] : (result.items ?? [])
  const hole = items.find((item) => UNFILLED.test(item.message) && !item.code.startsWith('sii.payment'))
  if (hole) throw new Error(`${hole.code} shows a hole: ${hole.message}`)
  return items.map((item) => `${item.code} ${item.path}`)
}

export const HOLDER = { name: 'EMPRESA DE PRUEBAS SL', nif: 'B12345674' }

/** A detail of an issued record. */
export const taxed = (BaseImponible: string, CuotaRepercutida: string, TipoImpositivo = '21') => ({
  TipoImpositivo,
  BaseImponible,
  CuotaRepercutida,
})

/** A detail of a received record. */
export const inputDetail = (BaseImponible: string, CuotaSoportada: string, TipoImpositivo = '21') => ({
  TipoImpositivo,
  BaseImponible,
  CuotaSoportada,
})
