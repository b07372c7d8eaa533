/**
 * Builds the details of a received invoice's breakdown. Groups parts with the same class, rates and investment flag,
 * and calculates the self-assessed tax.
 */
import { required } from '#core/errors/index.ts'
import type { Line, TaxOutput } from '#core/invoice/index.ts'
import { EXEMPT, isMarginKey, REVERSE_CHARGE, TAXED } from '#core/invoice/terms.ts'
import { type Minor, percentOf, sum } from '#core/money/index.ts'
import { hasSurcharge } from '../../fiscal/fiscal-operation.ts'
import { toImporte, toTipo } from '../../fiscal/literals.ts'
import type { DetalleIVARecibida } from '../model/sii-record-types.ts'
import { isTaxNotOnBase } from './consistency.ts'
import { type Deduction, deductionOf } from './deductible.ts'
import { type Category, type DividedEntry, spreadDifference } from './divided-entries.ts'

/** Standard rate (art. 90 Ley 37/1992). It has not changed since 2012-09-01, before the SII began. */
const STANDARD_RATE = 21

/** Regime key of the compensation paid to farmers (REAGYP). */
const COMPENSATION = '02'
export const INTRA_COMMUNITY = '09'

export interface ReceivedCategory extends Category {
  readonly investment: boolean
  /** Rate of a self-assessed tax: the rate of the line or, without one, the standard rate. */
  readonly rate: number
  readonly deduction: Deduction
}

/**
 * Returns the category of a line of a received invoice: whether it is an investment good, the rate for self-assessed
 * tax, and the deduction.
 */
export function receivedCategoryOf(line: Line): ReceivedCategory {
  const investment = line.item_type === 'investment_good'
  const rate = (line.tax_output_rate ?? 0) > 0 ? required(line.tax_output_rate) : STANDARD_RATE
  const deduction = deductionOf(line)
  const { percent, proRata, needsProRata } = deduction
  const key = [investment, rate, percent, proRata, needsProRata].join('|')
  return { key, investment, rate, deduction }
}

/**
 * `vat`: tax, also self-assessed tax under regime key 09. `reverse`: other reverse charge. `compensation`: REAGYP.
 * `base`: a base without tax.
 */
type DetailClass = 'vat' | 'reverse' | 'compensation' | 'base'

/**
 * Regime keys whose tax is not deductible: margin schemes (03, 05), imports without a customs document (13),
 * equivalence surcharge (18), farming (19).
 */
const NOT_DEDUCTIBLE: readonly (string | undefined)[] = ['03', '05', '13', '18', '19']
const NEVER: Deduction = { percent: 0, proRata: false, needsProRata: false }

interface Part {
  readonly base: Minor
  tax: Minor
  /** True if the recipient self-assesses the tax, which the invoice does not charge. */
  readonly selfAssessed: boolean
  readonly deduction: Deduction
}

export interface Detail {
  readonly class: DetailClass
  readonly rate: number
  readonly surchargeRate: number | undefined
  readonly surcharged: boolean
  readonly investment: boolean
  /** Index of the detail's first entry in `taxes_outputs`. */
  readonly index: number
  /** False if the tax of one of the parts need not be base x rate. */
  checked: boolean
  readonly parts: Part[]
  surcharge: Minor
}

/** Exemption reasons that also exempt the acquisition from another member state (art. 26.Uno Ley 37/1992). */
const EXEMPT_HERE: readonly (string | undefined)[] = ['E1', 'E3', 'E4']

/**
 * Whether the recipient self-assesses the tax: in a reverse charge, and in an acquisition from another member state.
 */
function isSelfAssessed(entry: TaxOutput, key: string | undefined): boolean {
  const { tax_treatment_code: treatment } = entry
  if (treatment === REVERSE_CHARGE) return true
  if (key !== INTRA_COMMUNITY || treatment === TAXED) return false
  return treatment !== EXEMPT || !EXEMPT_HERE.includes(entry.exemption_reason_code)
}

function classOf({ entry }: DividedEntry<ReceivedCategory>, key: string | undefined): DetailClass {
  // The record of a purchase under a margin scheme states neither base nor tax.
  if (isMarginKey(key)) return 'vat'
  if (isSelfAssessed(entry, key)) return key === INTRA_COMMUNITY ? 'vat' : 'reverse'
  if (entry.tax_treatment_code !== TAXED) return 'base'
  return key === COMPENSATION ? 'compensation' : 'vat'
}

function detailOf(piece: DividedEntry<ReceivedCategory>, key: string | undefined, vat: boolean): Detail {
  const { entry, category, index } = piece
  const margin = isMarginKey(key)
  const surcharged = vat && !margin && hasSurcharge(entry)
  const rate = isSelfAssessed(entry, key) ? category.rate : entry.tax_rate
  const type = vat ? classOf(piece, key) : 'base'
  return {
    class: type,
    rate: margin || type === 'base' ? 0 : rate,
    surchargeRate: surcharged ? entry.equivalence_surcharge : undefined,
    surcharged,
    // A good bought without tax has no deduction to regularise later (arts. 107-110 Ley 37/1992).
    investment: type !== 'base' && category.investment,
    index,
    checked: true,
    parts: [],
    surcharge: 0,
  }
}

function partOf(piece: DividedEntry<ReceivedCategory>, type: DetailClass, key: string | undefined): Part {
  const { entry, category } = piece
  const margin = isMarginKey(key)
  return {
    base: margin ? 0 : piece.base,
    tax: margin || type === 'base' ? 0 : piece.tax,
    selfAssessed: isSelfAssessed(entry, key),
    // A retailer that is charged equivalence surcharge cannot deduct tax (art. 154.Dos Ley 37/1992).
    deduction:
      hasSurcharge(entry) || NOT_DEDUCTIBLE.includes(entry.tax_regime_key) ? NEVER : category.deduction,
  }
}

/** Calculates the self-assessed tax once for the whole detail, and distributes it over the parts. */
function assess({ parts, rate }: Detail): void {
  const own = parts.filter((part) => part.selfAssessed)
  const taxes = spreadDifference(
    percentOf(sum(own.map(({ base }) => base)), rate),
    own.map(({ base }) => percentOf(base, rate)),
  )
  own.forEach((part, at) => {
    part.tax = required(taxes[at])
  })
}

/**
 * Returns the details of an invoice. If `vat` is false, the tax of the invoice is not VAT, and the book has only its
 * bases.
 */
export function detailsOf(
  pieces: readonly DividedEntry<ReceivedCategory>[],
  keyOf: (entry: DividedEntry<ReceivedCategory>['entry']) => string | undefined,
  vat: boolean,
): Detail[] {
  const details = new Map<string, Detail>()
  for (const piece of pieces) {
    const key = keyOf(piece.entry)
    const fresh = detailOf(piece, key, vat)
    const { class: type, rate, surcharged, surchargeRate, investment } = fresh
    const name = [type, rate, surcharged, surchargeRate, investment].join('|')
    const detail = details.get(name) ?? fresh
    details.set(name, detail)
    detail.checked &&= !isTaxNotOnBase(key)
    detail.parts.push(partOf(piece, type, key))
    if (surcharged) detail.surcharge += piece.surcharge
  }
  for (const detail of details.values()) assess(detail)
  return [...details.values()]
}

/** Returns the element `DetalleIVA` of a detail. */
export function writeDetail(detail: Detail): DetalleIVARecibida {
  const { class: type, parts, surchargeRate, surcharged } = detail
  const base = toImporte(sum(parts.map((part) => part.base)))
  const tax = toImporte(sum(parts.map((part) => part.tax)))
  const rate = toTipo(detail.rate)
  const investment = detail.investment ? { BienInversion: 'S' as const } : {}
  if (type === 'base') return { BaseImponible: base }
  if (type === 'compensation')
    return {
      BaseImponible: base,
      PorcentCompensacionREAGYP: rate,
      ImporteCompensacionREAGYP: tax,
      ...investment,
    }
  return {
    TipoImpositivo: rate,
    BaseImponible: base,
    CuotaSoportada: tax,
    ...(surchargeRate === undefined ? {} : { TipoRecargoEquivalencia: toTipo(surchargeRate) }),
    ...(surcharged ? { CuotaRecargoEquivalencia: toImporte(detail.surcharge) } : {}),
    ...investment,
  }
}
