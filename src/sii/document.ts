/** What the records of both books take from an invoice in the same way. */
import { toFecha, toImporte } from '../fiscal/literals.ts'
import { correctiveType, descriptionOf, externalRefOf } from '../fiscal/operation.ts'
import { correctedLater, operationDateOf } from '../fiscal/operation-day.ts'
import type { CanonicalInvoice, InvoiceBlock, Locale } from '../invoice/index.ts'
import { type Minor, toMinor } from '../money/index.ts'
import type { Refuse } from './items.ts'
import { isVat } from './keys.ts'
import { checkReferences, isObject, type OptionKinds, shown } from './options.ts'
import type { FacturaExpedida, FacturaRecibida } from './types.ts'

/** Identity of an invoice that this one corrects or replaces. */
export interface SiiInvoiceReference {
  readonly invoice_number: string
  /** `YYYY-MM-DD`. */
  readonly issue_date: string
}

/** What the caller knows and the invoice does not say. */
export interface SiiRecordOptions {
  /** Settlement period `YYYY-MM`, where it is not the one that the dates give. */
  readonly period?: string
  /** True where the other party's NIF is known not to be in the census (IDType 07). */
  readonly counterparty_not_in_census?: boolean
  /** Further corrected invoices, besides the one that the invoice names. */
  readonly corrects?: readonly SiiInvoiceReference[]
  /** Surcharge of the corrected invoice, in euros, in a correction by substitution. */
  readonly corrected_surcharge_amount?: number
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

/** Kinds of the options of both books. */
export const RECORD_OPTIONS: OptionKinds<SiiRecordOptions> = {
  period: 'any',
  counterparty_not_in_census: 'boolean',
  corrects: 'list',
  corrected_surcharge_amount: 'number',
  locale: 'any',
}

/** What a kind does not say of the options of both books. */
export function checkRecordOptions({
  corrects,
  corrected_surcharge_amount: surcharge,
}: SiiRecordOptions): void {
  checkReferences('corrects', corrects)
  if (surcharge !== undefined && !Number.isFinite(surcharge))
    throw new TypeError(`cuadra: option "corrected_surcharge_amount" is ${surcharge}; pass euros`)
}

const numbered = (number: unknown): boolean => typeof number === 'string' && number.trim() !== ''

/** First member that a document of the engine has and this one lacks. */
function missingOf(document: unknown): string | undefined {
  const block = isObject(document) && isObject(document.invoice) ? document.invoice : {}
  if (!isObject(block.totals) || typeof block.totals.invoice_total !== 'number') return '/invoice/totals'
  for (const list of ['taxes_outputs', 'lines'])
    if (!Array.isArray(block[list]) || !block[list].every(isObject)) return `/invoice/${list}`
  const name = ['header', 'issue_data', 'supplier'].find((member) => !isObject(block[member]))
  if (name !== undefined) return `/invoice/${name}`
  return isObject((document as { meta?: unknown }).meta) ? undefined : '/meta'
}

/** The invoice of a document that `validate` answered; anything else throws a `TypeError`. */
export function calculated(document: CanonicalInvoice): InvoiceBlock {
  const missing = missingOf(document)
  if (missing !== undefined)
    throw new TypeError(
      `cuadra: the invoice is ${isObject(document) ? `without ${missing}` : shown(document)}; pass the data that validate answers`,
    )
  return document.invoice
}

/** Whether the document is the engine's answer, of this direction, with number and date. */
export function checkDocument(
  document: CanonicalInvoice,
  direction: 'issued' | 'received' | null,
  refuse: Refuse,
): boolean {
  const missing = missingOf(document)
  if (missing !== undefined) {
    refuse('sii.not_normalised', missing)
    return false
  }
  const block = document.invoice
  const received = document.meta?.direction ?? ''
  if (direction !== null && received !== direction)
    refuse('sii.direction', '/meta/direction', { received, expected: direction })
  const { header, issue_data: data } = block
  if (!numbered(header.invoice_number)) refuse('sii.number', '/invoice/header/invoice_number')
  if (!data.issue_date) refuse('sii.issue_date', '/invoice/issue_data/issue_date')
  return numbered(header.invoice_number) && Boolean(data.issue_date)
}

const idOf = (reference: SiiInvoiceReference) => ({
  NumSerieFacturaEmisor: reference.invoice_number.trim(),
  FechaExpedicionFacturaEmisor: toFecha(reference.issue_date),
})

export const listOf = (references: readonly SiiInvoiceReference[]) => references.map(idOf)

type Correction = Pick<FacturaExpedida, 'TipoRectificativa' | 'FacturasRectificadas' | 'ImporteRectificacion'>

/**
 * Corrected invoices, and by substitution what they amounted to. A received corrective need not say (`mustSay`) how
 * it corrects: it is then one by differences.
 */
export function correctionOf(
  block: InvoiceBlock,
  options: SiiRecordOptions,
  mustSay: boolean,
  refuse: Refuse,
): Correction {
  if (correctiveType(block) === undefined) return {}
  const path = '/invoice/header/corrective'
  const corrective = block.header.corrective ?? {}
  const kind = corrective.correction_type
  const later = correctedLater(block, options.corrects)
  if (later) refuse('sii.corrected_later', later.path, later)
  const { corrected_taxable_base: base, corrected_tax_amount: tax } = corrective
  if (kind === undefined && mustSay) refuse('sii.correction', `${path}/correction_type`)
  const substitution = kind === 'S'
  if (substitution && base === undefined) refuse('sii.correction', `${path}/corrected_taxable_base`)
  if (substitution && tax === undefined) refuse('sii.correction', `${path}/corrected_tax_amount`)
  const { invoice_number, invoice_issue_date: issue_date } = corrective
  const references = listOf([
    ...(invoice_number && issue_date ? [{ invoice_number, issue_date }] : []),
    ...(options.corrects ?? []),
  ])
  const surcharge = options.corrected_surcharge_amount
  return {
    TipoRectificativa: substitution ? 'S' : 'I',
    ...(references.length > 0 ? { FacturasRectificadas: { IDFacturaRectificada: references } } : {}),
    ...(substitution
      ? {
          ImporteRectificacion: {
            BaseRectificada: toImporte(toMinor(base ?? 0)),
            CuotaRectificada: toImporte(toMinor(tax ?? 0)),
            ...(surcharge === undefined ? {} : { CuotaRecargoRectificado: toImporte(toMinor(surcharge)) }),
          },
        }
      : {}),
  }
}

/** Over this, in absolute value, a record carries the mark of a very large amount. */
const MACRODATO: Minor = 100_000_000_00

/**
 * `ImporteTotal`: what the invoice charges, without foreign tax, withholding and outlays. Of an invoice of another
 * tax (IPSI), without that tax.
 */
export function totalOf(block: InvoiceBlock): Minor {
  const { totals } = block
  return isVat(block)
    ? toMinor(totals.invoice_total) - toMinor(totals.total_consumption_taxes ?? 0)
    : toMinor(totals.total_gross_amount_before_taxes)
}

type Shared = Pick<FacturaExpedida & FacturaRecibida, 'FechaOperacion' | 'RefExterna' | 'Macrodato'>

/** Members that both books fill alike. */
export function commonMembers(
  document: CanonicalInvoice,
  { corrects }: Pick<SiiRecordOptions, 'corrects'>,
  total: Minor,
): Shared & Pick<FacturaExpedida, 'DescripcionOperacion'> & { ImporteTotal: string } {
  const day = operationDateOf(document.invoice, corrects)
  const reference = externalRefOf(document)
  return {
    ...(day === undefined ? {} : { FechaOperacion: toFecha(day) }),
    ImporteTotal: toImporte(total),
    DescripcionOperacion: descriptionOf(document.invoice),
    ...(reference === undefined ? {} : { RefExterna: reference }),
    ...(Math.abs(total) > MACRODATO ? { Macrodato: 'S' as const } : {}),
  }
}
