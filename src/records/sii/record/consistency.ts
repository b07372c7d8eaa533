/** Checks rules that the authority enforces, and finds documents that were changed after `validate`. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock, TaxOutput } from '#core/invoice/index.ts'
import { isMarginKey, NON_TAXABLE, TAXED } from '#core/invoice/terms.ts'
import { type Minor, percentOf, sum, toleranceOf, toMinor } from '#core/money/index.ts'
import { taxTolerance } from '../../fiscal/correction.ts'
import { chargedTotal } from '../../fiscal/fiscal-operation.ts'
import type { Refuse } from '../model/sii-items.ts'
import { isVat } from '../model/sii-keys.ts'
import type { RegistroEmitida } from '../model/sii-record-types.ts'
import { totalOf } from './sii-document.ts'

const VAT_GROUP = '06'
const OTHER_TERRITORY = '08'
/** Regime keys of VAT that is not yet due: works certificates (14), continuous supplies (15). */
const NOT_YET_DUE_KEYS: readonly string[] = ['14', '15']

/** Limit of a simplified invoice, 3,000 euros (art. 4 RD 1619/2012), and the 10 euros that the authority tolerates. */
const SIMPLIFIED_LIMIT: Minor = 3000_00
const SIMPLIFIED_TOLERANCE: Minor = 10_00

/**
 * Whether the tax under a regime key is not base x rate: margin schemes, and VAT groups, which are taxed on the cost.
 */
export const isTaxNotOnBase = (key: string | undefined): boolean => isMarginKey(key) || key === VAT_GROUP

/** One detail of a breakdown. Its tax is the sum of `count` amounts that were rounded individually. */
export interface TaxDetail {
  readonly rate: number
  readonly base: Minor
  readonly tax: Minor
  readonly count: number
  /** Index of the detail's first entry in `taxes_outputs`. */
  readonly index: number
}

/** Checks the tax against base x rate. */
export function checkTax({ rate, base, tax, count, index }: TaxDetail, refuse: Refuse): void {
  if (Math.abs(tax - (base * rate) / 100) <= taxTolerance(base, count)) return
  refuse('sii.tax_differs', `/invoice/taxes_outputs/${index}/tax_amount`, {
    received: tax / 100,
    expected: percentOf(base, rate) / 100,
    rate,
  })
}

/**
 * Checks the totals of the document against its breakdown, within the tolerance. If a margin scheme applies, only the
 * tax is checked.
 */
export function checkTotals(block: InvoiceBlock, refuse: Refuse): void {
  const { totals } = block
  const entries = required(block.taxes_outputs)
  const differ = (field: string, received: Minor, expected: Minor): void => {
    if (Math.abs(received - expected) > toleranceOf(block))
      refuse('sii.totals_differ', `/invoice/totals/${field}`, {
        received: received / 100,
        expected: expected / 100,
      })
  }
  const taxOf = (entry: TaxOutput): Minor =>
    toMinor(entry.tax_amount) + toMinor(entry.equivalence_surcharge_amount ?? 0)
  const base = sum(entries.map((entry) => toMinor(entry.taxable_base)))
  const tax = sum(entries.map(taxOf))
  differ('total_tax_outputs', toMinor(totals.total_tax_outputs), tax)
  if (entries.some((entry) => isMarginKey(entry.tax_regime_key))) return
  differ('invoice_total', chargedTotal(block), base + tax)
  if (!isVat(block)) differ('total_gross_amount_before_taxes', totalOf(block), base)
}

/** Checks that entries with regime key 08 have a tax treatment that `allowed` accepts. Key 08 is for IPSI and IGIC. */
export function checkOtherTerritory(
  block: InvoiceBlock,
  allowed: (treatment: string | undefined) => boolean,
  refuse: Refuse,
): void {
  if (!isVat(block)) return
  required(block.taxes_outputs).forEach(({ tax_regime_key: key, tax_treatment_code: treatment }, index) => {
    if (key === OTHER_TERRITORY && !allowed(treatment))
      refuse('sii.key_08', `/invoice/taxes_outputs/${index}/tax_treatment_code`, {
        received: treatment ?? '',
      })
  })
}

const isNotSubject = (treatment: string | undefined): boolean => treatment === NON_TAXABLE

interface IssuedFacts {
  readonly type: string
  /** True for a full invoice without recipient (art. 6.1.d). */
  readonly anonymous: boolean
  /** True if the caller passes an agreement number. */
  readonly agreement: boolean
  readonly costBase: boolean
}

/** Checks the rules for issued invoices. */
export function checkIssued(block: InvoiceBlock, facts: IssuedFacts, refuse: Refuse): void {
  checkTotals(block, refuse)
  checkOtherTerritory(block, isNotSubject, refuse)
  const { issue_data: data, taxes_outputs: entries } = block
  const hasKey = (keys: readonly string[]): boolean =>
    required(entries).some((entry) => keys.includes(entry.tax_regime_key ?? ''))
  // Only a stated operation date is checked here; `checkCorrection` checks the dates of corrected invoices.
  const day = data.operation_date
  if (day !== undefined && day > data.issue_date! && !hasKey(NOT_YET_DUE_KEYS))
    refuse('sii.operation_date', '/invoice/issue_data/operation_date', {
      received: day,
      expected: data.issue_date!,
    })
  if (hasKey([VAT_GROUP]) && !facts.costBase) refuse('sii.cost_base', '/fields/BaseImponibleACoste')
  const total = totalOf(block)
  const limited = facts.type === 'F2' && !facts.anonymous && !facts.agreement
  if (limited && total > SIMPLIFIED_LIMIT + SIMPLIFIED_TOLERANCE)
    refuse('sii.simplified_limit', '/invoice/totals/invoice_total', {
      received: total / 100,
      allowed: SIMPLIFIED_LIMIT / 100,
    })
}

const LEASES: readonly string[] = ['12', '13']

/**
 * Warns about a lease without data of the property, and about a filing period whose year does not fit the date of
 * issue.
 */
export function warnIssued(
  { PeriodoLiquidacion: period, IDFactura, FacturaExpedida: factura }: RegistroEmitida,
  warn: Refuse,
): void {
  const keys = [
    factura.ClaveRegimenEspecialOTrascendencia,
    factura.ClaveRegimenEspecialOTrascendenciaAdicional1 ?? '',
    factura.ClaveRegimenEspecialOTrascendenciaAdicional2 ?? '',
  ]
  const lease = keys.find((key) => LEASES.includes(key))
  if (lease !== undefined && factura.DatosInmueble === undefined)
    warn('sii.lease_property', '/fields/DatosInmueble', { received: lease })
  const year = Number(period.Ejercicio)
  const issued = Number(IDFactura.FechaExpedicionFacturaEmisor.slice(-4))
  const early = year < issued - 1
  const late = year > issued && !keys.some((key) => NOT_YET_DUE_KEYS.includes(key))
  if (early || late)
    warn('sii.period_year', '/PeriodoLiquidacion/Ejercicio', { received: year, expected: issued })
}

/**
 * Checks the rules for received invoices. Regime key 08 cannot have VAT: the tax of another territory is not
 * deductible.
 */
export function checkReceived(block: InvoiceBlock, refuse: Refuse): void {
  checkTotals(block, refuse)
  checkOtherTerritory(block, (treatment) => treatment !== TAXED, refuse)
}
