/** `DesgloseFactura` of a received invoice, with self-assessed tax and what of all tax is deductible. */
import { toImporte } from '../fiscal/literals.ts'
import { type InvoiceBlock, isMarginKey, type Line, REVERSE_CHARGE, TAXED } from '../invoice/index.ts'
import { type Minor, percentOf, sum } from '../money/index.ts'
import { type Deduction, deductibleOf, deductionOf, type TaxShare } from './deductible.ts'
import { rateText } from './issued-breakdown.ts'
import type { Refuse } from './items.ts'
import { isVat } from './keys.ts'
import { fitted, hasSurcharge, type Kind, type Piece, piecesOf } from './pieces.ts'
import type { DetalleIVARecibida, FacturaRecibida } from './types.ts'

const MAX_VAT = 6

/** Standard rate of the SII's whole lifetime (art. 90 Ley 37/1992, since 2012-09-01). */
const STANDARD_RATE = 21

/** Compensation to farmers, and imports without a customs document. */
const COMPENSATION = '02'
const WITHOUT_DUA = '13'
export const INTRA_COMMUNITY = '09'

/** `vat` ordinary, `reverse` self-assessed outside key 09, `compensation` REAGYP, `base` without tax. */
type Class = 'vat' | 'reverse' | 'compensation' | 'base'

interface ReceivedKind extends Kind {
  readonly investment: boolean
  /** Rate of a self-assessed tax: the line's where it names one. */
  readonly rate: number
  readonly deduction: Deduction
}

function kindOf(line: Line): ReceivedKind {
  const investment = line.item_type === 'investment_good'
  const rate = (line.tax_output_rate ?? 0) > 0 ? line.tax_output_rate! : STANDARD_RATE
  const deduction = deductionOf(line)
  const { percent, proRata, needsProRata } = deduction
  const selfAssessed = line.tax_treatment_code === REVERSE_CHARGE ? rate : 0
  return {
    key: [investment, selfAssessed, percent, proRata, needsProRata].join('|'),
    investment,
    rate,
    deduction,
  }
}

interface Detail {
  readonly class: Class
  readonly rate: number
  readonly surchargeRate: number | undefined
  readonly surcharged: boolean
  readonly investment: boolean
  /** True where the recipient works out the tax: it is not in the invoice. */
  readonly selfAssessed: boolean
  surcharge: Minor
  readonly bases: Minor[]
  readonly taxes: Minor[]
  readonly deductions: Deduction[]
}

function classOf({ entry }: Piece<ReceivedKind>, key: string | undefined, vat: boolean): Class {
  if (!vat) return 'base'
  if (entry.tax_treatment_code === REVERSE_CHARGE) return key === INTRA_COMMUNITY ? 'vat' : 'reverse'
  if (entry.tax_treatment_code !== TAXED) return 'base'
  return key === COMPENSATION ? 'compensation' : 'vat'
}

function detailOf(piece: Piece<ReceivedKind>, key: string | undefined, vat: boolean): Detail {
  const { entry, kind } = piece
  const selfAssessed = vat && entry.tax_treatment_code === REVERSE_CHARGE
  const margin = vat && isMarginKey(key)
  const surcharged = vat && !margin && hasSurcharge(entry)
  return {
    class: margin ? 'vat' : classOf(piece, key, vat),
    rate: margin ? 0 : selfAssessed ? kind.rate : entry.tax_rate,
    surchargeRate: surcharged ? entry.equivalence_surcharge : undefined,
    surcharged,
    investment: kind.investment,
    selfAssessed: selfAssessed && !margin,
    surcharge: 0,
    bases: [],
    taxes: [],
    deductions: [],
  }
}

/** Puts pieces with equal key fields together. The buyer of a margin operation has neither base nor tax. */
function gather(
  pieces: readonly Piece<ReceivedKind>[],
  keyOf: (entry: Piece<ReceivedKind>['entry']) => string | undefined,
  vat: boolean,
): Detail[] {
  const details = new Map<string, Detail>()
  for (const piece of pieces) {
    const key = keyOf(piece.entry)
    const fresh = detailOf(piece, key, vat)
    const rate = fresh.class === 'base' ? '' : fresh.rate
XX    const margin = vat && isMarginKey(key)
    detail.bases.push(margin ? 0 : piece.base)
    detail.taxes.push(margin || detail.class === 'base' ? 0 : piece.tax)
    detail.deductions.push(piece.kind.deduction)
    if (detail.surcharged) detail.surcharge += piece.surcharge
  }
  for (const detail of details.values()) if (detail.selfAssessed) assess(detail)
  return [...details.values()]
}

/** Once for the whole detail, then shared among the deductions. */
function assess({ bases, taxes, rate }: Detail): void {
  const shares = bases.map((base) => percentOf(base, rate))
  taxes.splice(0, taxes.length, ...fitted(percentOf(sum(bases), rate), shares))
}

function write(detail: Detail): DetalleIVARecibida {
  const base = toImporte(sum(detail.bases))
  const tax = toImporte(sum(detail.taxes))
  const rate = rateText(detail.rate)
  const investment = detail.investment ? { BienInversion: 'S' as const } : {}
  if (detail.class === 'base') return { BaseImponible: base, ...investment }
  if (detail.class === 'compensation')
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
    ...(detail.surchargeRate === undefined
      ? {}
      : { TipoRecargoEquivalencia: rateText(detail.surchargeRate) }),
    ...(detail.surcharged ? { CuotaRecargoEquivalencia: toImporte(detail.surcharge) } : {}),
    ...investment,
  }
}

export interface ReceivedBreakdown {
  readonly DesgloseFactura: FacturaRecibida['DesgloseFactura']
  /** Tax that the recipient works out: part of the record's total, not of the invoice's. */
  readonly selfAssessed: Minor
  readonly deductible: Minor
}

/** The breakdown of a received invoice; `keyOf` gives each entry its key in this book. */
export function receivedBreakdown(
  invoice: InvoiceBlock,
  keyOf: (entry: Piece<ReceivedKind>['entry']) => string | undefined,
  proRata: number | undefined,
  refuse: Refuse,
): ReceivedBreakdown {
  const vat = isVat(invoice)
  const { pieces } = piecesOf(invoice, kindOf)
  const details = gather(pieces, keyOf, vat)
  const reversed = details.filter((detail) => detail.class === 'reverse')
  const ordinary = details.filter((detail) => detail.class !== 'reverse')
  for (const [list, block] of [
    [reversed, 'InversionSujetoPasivo'],
    [ordinary, 'DesgloseIVA'],
  ] as const)
    if (list.length > MAX_VAT)
      refuse('sii.too_many_details', '/invoice/taxes_outputs', {
        block,
        received: list.length,
        allowed: MAX_VAT,
      })
  const shares = details.flatMap(({ taxes, deductions }) =>
    taxes.map((tax, at): TaxShare => ({ tax, deduction: deductions[at]! })),
  )
  const without = pieces.some(({ entry }) => keyOf(entry) === WITHOUT_DUA)
  if (
    proRata === undefined &&
    !without &&
    shares.some(({ tax, deduction }) => tax !== 0 && deduction.needsProRata)
  )
    refuse(
      'sii.pro_rata',
      `/invoice/lines/${invoice.lines.findIndex((line) => deductionOf(line).needsProRata)}/deduction_rate`,
    )
  return {
    DesgloseFactura: {
      ...(reversed.length > 0
        ? {
            InversionSujetoPasivo: {
              DetalleIVA: reversed.map(write) as NonNullable<
                FacturaRecibida['DesgloseFactura']['InversionSujetoPasivo']
              >['DetalleIVA'],
            },
          }
        : {}),
      ...(ordinary.length > 0 ? { DesgloseIVA: { DetalleIVA: ordinary.map(write) } } : {}),
    },
    selfAssessed: sum(details.flatMap(({ selfAssessed, taxes }) => (selfAssessed ? taxes : []))),
    deductible: without ? 0 : deductibleOf(shares, proRata),
  }
}
