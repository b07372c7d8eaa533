/** Builds the tax breakdown of an invoice as `DetalleDesglose` lines. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock } from '#core/invoice/index.ts'
import { EXEMPT, isMarginKey, NON_TAXABLE, REVERSE_CHARGE } from '#core/invoice/terms.ts'
import { sum, toMinor } from '#core/money/index.ts'
import { isExport } from '../../fiscal/fiscal-operation.ts'
import { toImporte, toTipo } from '../../fiscal/literals.ts'
import type { DetalleDesglose } from '../model/verifactu-record-types.ts'
import type { CostBase } from './registration-options.ts'

type Entry = NonNullable<InvoiceBlock['taxes_outputs']>[number]

/** List L1 of the record design. */
const TAX_CODES: Readonly<Record<string, DetalleDesglose['Impuesto']>> = { IVA: '01', IPSI: '02', IGIC: '03' }

/** Regime key of a VAT group at its advanced level. Its tax is computed on the base at cost. */
const VAT_GROUP = '06'

/**
 * Regime keys of VeriFactu for the keys that only the SII has: leases (12, 13) and invoices from before the SII (16).
 * See the mapping page, section 4.
 */
const ONLY_SII: Readonly<Record<string, string>> = { '12': '11', '13': '11', '16': '01' }

function keyOf(entry: Entry, tax: DetalleDesglose['Impuesto']): string {
  const key = entry.tax_regime_key ?? '01'
  if (key === '01' && tax !== '02' && isExport(entry)) return '02'
  return ONLY_SII[key] ?? key
}

interface Part {
  readonly head: Omit<DetalleDesglose, 'BaseImponibleOimporteNoSujeto'>
  readonly bases: number[]
  readonly taxes: number[]
  readonly surcharges: number[]
}

function headOf(entry: Entry, tax: DetalleDesglose['Impuesto']): Part['head'] {
  const common = {
    Impuesto: tax!,
    ClaveRegimen: keyOf(entry, tax) as NonNullable<DetalleDesglose['ClaveRegimen']>,
  }
  const treatment = entry.tax_treatment_code
  if (treatment === EXEMPT)
    return {
      ...common,
      ...(entry.exemption_reason_code === undefined
        ? {}
        : {
            OperacionExenta: entry.exemption_reason_code as NonNullable<DetalleDesglose['OperacionExenta']>,
          }),
    }
  if (treatment === NON_TAXABLE)
    return { ...common, CalificacionOperacion: entry.non_taxable_reason === 'LOCATION_RULES' ? 'N2' : 'N1' }
  if (treatment === REVERSE_CHARGE) return { ...common, CalificacionOperacion: 'S2', TipoImpositivo: '0' }
  const surcharge = entry.equivalence_surcharge
  return {
    ...common,
    CalificacionOperacion: 'S1',
    TipoImpositivo: toTipo(entry.tax_rate),
    ...(surcharge === undefined ? {} : { TipoRecargoEquivalencia: toTipo(surcharge) }),
  }
}

export interface Breakdown {
  readonly lines: DetalleDesglose[]
  /** Cents of `CuotaTotal`: Spanish tax and surcharge. */
  readonly tax: number
  /** Cents of base, tax and surcharge together. */
  readonly total: number
  /** True if the total may exceed the breakdown, because a line is under the margin scheme. */
  readonly margin: boolean
}

/**
 * Merges entries with the same tax, regime key, classification, rate and surcharge into one line, as the record design
 * requires.
 */
export function breakdownOf(invoice: InvoiceBlock, costBases: readonly CostBase[] = []): Breakdown {
  const entries = required(invoice.taxes_outputs)
  const tax = TAX_CODES[invoice.issue_data.tax_group_code ?? 'IVA']
  const parts = new Map<string, Part>()
  for (const entry of entries) {
    const head = headOf(entry, tax)
    const name = JSON.stringify(head)
    const part = parts.get(name) ?? { head, bases: [], taxes: [], surcharges: [] }
    parts.set(name, part)
    part.bases.push(toMinor(entry.taxable_base))
    part.taxes.push(toMinor(entry.tax_amount))
    part.surcharges.push(toMinor(entry.equivalence_surcharge_amount ?? 0))
  }
  const costOf = ({ ClaveRegimen, TipoImpositivo }: Part['head']): CostBase | undefined =>
    ClaveRegimen === VAT_GROUP
      ? costBases.find(({ tax_rate }) => toTipo(tax_rate) === TipoImpositivo)
      : undefined
  let taxes = 0
  let total = 0
  const lines = [...parts.values()].map(({ head, bases, taxes: own, surcharges }) => {
    const base = sum(bases)
    const charged = head.CalificacionOperacion === 'S1' ? sum(own) : 0
    const surcharge = sum(surcharges)
    taxes += charged + surcharge
    total += base + charged + surcharge
    const cost = costOf(head)
    const { TipoRecargoEquivalencia: surchargeRate, ...rest } = head
    return {
      ...rest,
      BaseImponibleOimporteNoSujeto: toImporte(base),
      ...(cost === undefined ? {} : { BaseImponibleACoste: toImporte(toMinor(cost.amount)) }),
      ...(head.TipoImpositivo === undefined ? {} : { CuotaRepercutida: toImporte(charged) }),
      ...(surchargeRate === undefined
        ? {}
        : { TipoRecargoEquivalencia: surchargeRate, CuotaRecargoEquivalencia: toImporte(surcharge) }),
    }
  })
  const margin = entries.some((entry) => isMarginKey(entry.tax_regime_key))
  return { lines, tax: taxes, total, margin }
}
