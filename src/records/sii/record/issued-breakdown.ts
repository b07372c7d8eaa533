/** Builds `TipoDesglose` of an issued invoice: by invoice, or by goods and services. */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock, Line } from '#core/invoice/index.ts'
import { EXEMPT, isMarginKey, NON_TAXABLE, REVERSE_CHARGE } from '#core/invoice/terms.ts'
import type { Minor } from '#core/money/index.ts'
import { hasSurcharge } from '../../fiscal/fiscal-operation.ts'
import { toImporte, toTipo } from '../../fiscal/literals.ts'
import type { Refuse } from '../model/sii-items.ts'
import { isVat } from '../model/sii-keys.ts'
import type {
  DesgloseFactura,
  DesgloseTipoOperacion,
  DetalleExenta,
  DetalleIVAEmitida,
  FacturaExpedida,
} from '../model/sii-record-types.ts'
import { checkTax, isTaxNotOnBase } from './consistency.ts'
import { type Category, type DividedEntry, divideEntries } from './divided-entries.ts'

/** Maximum number of rates in a block. Exemption reasons need no check: fewer exist than a block may have. */
const MAX_VAT = 6

const GOODS: Category = { key: 'goods' }
const SERVICES: Category = { key: 'services' }

/**
 * Returns whether a line is goods or services: by its `item_type` or, without one, by its `supply_type` (one-stop
 * shop). Lines without either are goods.
 */
const natureOf = ({ item_type, supply_type }: Line): Category =>
  ['service', 'services'].includes(item_type ?? supply_type ?? '') ? SERVICES : GOODS

interface Detail {
  readonly class: 'S1' | 'S2'
  readonly rate: number
  readonly surchargeRate: number | undefined
  readonly surcharged: boolean
  readonly index: number
  /** False if the tax of one of the added parts need not be base x rate. */
  checked: boolean
  count: number
  base: Minor
  tax: Minor
  surcharge: Minor
}

interface Block {
  readonly details: Map<string, Detail>
  readonly exempt: Map<string, Minor>
  /** Amounts not subject to VAT: `located` under the place-of-supply rules, `other` under arts. 7, 14 and others. */
  located: Minor | undefined
  other: Minor | undefined
}

const newBlock = (): Block => ({
  details: new Map(),
  exempt: new Map(),
  located: undefined,
  other: undefined,
})

/** Adds a part of an entry to a block. Parts with the same class, rate and surcharge become one detail. */
function add(
  block: Block,
  { entry, index, base, tax, surcharge }: DividedEntry<Category>,
  vat: boolean,
): void {
  const treatment = entry.tax_treatment_code
  if (!vat || (treatment === NON_TAXABLE && entry.non_taxable_reason === 'LOCATION_RULES')) {
    block.located = (block.located ?? 0) + base
    return
  }
  if (treatment === NON_TAXABLE) {
    block.other = (block.other ?? 0) + base
    return
  }
  if (treatment === EXEMPT) {
    const reason = entry.exemption_reason_code ?? ''
    block.exempt.set(reason, (block.exempt.get(reason) ?? 0) + base)
    return
  }
  const reversed = treatment === REVERSE_CHARGE
  // A zero margin has neither rate nor tax (AEAT 1222, 1223).
  const rate = isMarginKey(entry.tax_regime_key) && base === 0 ? 0 : entry.tax_rate
  const surcharged = hasSurcharge(entry)
  const surchargeRate = surcharged ? entry.equivalence_surcharge : undefined
  const key = `${reversed}|${rate}|${surcharged}|${surchargeRate}`
  const known = block.details.get(key)
  const checked = !isTaxNotOnBase(entry.tax_regime_key)
  if (known) {
    known.checked &&= checked
    known.count += 1
    known.base += base
    known.tax += tax
    known.surcharge += surcharge
    return
  }
  block.details.set(key, {
    class: reversed ? 'S2' : 'S1',
    rate,
    surchargeRate,
    surcharged,
    index,
    checked,
    count: 1,
    base,
    tax,
    surcharge,
  })
}

const vatDetail = (detail: Detail): DetalleIVAEmitida => ({
  TipoImpositivo: toTipo(detail.rate),
  BaseImponible: toImporte(detail.base),
  CuotaRepercutida: toImporte(detail.tax),
  ...(detail.surchargeRate === undefined ? {} : { TipoRecargoEquivalencia: toTipo(detail.surchargeRate) }),
  ...(detail.surcharged ? { CuotaRecargoEquivalencia: toImporte(detail.surcharge) } : {}),
})

const exemptDetail = ([reason, base]: [string, Minor]): DetalleExenta => ({
  ...(reason === '' ? {} : { CausaExencion: reason as NonNullable<DetalleExenta['CausaExencion']> }),
  BaseImponible: toImporte(base),
})

function subjectOf(block: Block): NonNullable<DesgloseFactura['Sujeta']> {
  const details = [...block.details.values()]
  const classes = new Set(details.map((detail) => detail.class))
  return {
    ...(block.exempt.size > 0 ? { Exenta: { DetalleExenta: [...block.exempt].map(exemptDetail) } } : {}),
    ...(details.length > 0
      ? {
          NoExenta: {
            TipoNoExenta: classes.size > 1 ? ('S3' as const) : required(details[0]).class,
            DesgloseIVA: { DetalleIVA: details.map(vatDetail) },
          },
        }
      : {}),
  }
}

function writeBlock(block: Block, name: string, refuse: Refuse): DesgloseFactura {
  const { details, exempt, located, other } = block
  if (details.size > MAX_VAT)
    refuse('sii.too_many_details', '/invoice/taxes_outputs', {
      block: name,
      received: details.size,
      allowed: MAX_VAT,
    })
  for (const detail of details.values()) if (detail.checked) checkTax(detail, refuse)
  return {
    ...(details.size + exempt.size > 0 ? { Sujeta: subjectOf(block) } : {}),
    ...(located === undefined && other === undefined
      ? {}
      : {
          NoSujeta: {
            ...(other === undefined ? {} : { ImportePorArticulos7_14_Otros: toImporte(other) }),
            ...(located === undefined ? {} : { ImporteTAIReglasLocalizacion: toImporte(located) }),
          },
        }),
  }
}

/**
 * Returns the breakdown by goods and services. Each entry is divided by the `item_type` of its lines. Only goods have
 * an equivalence surcharge.
 */
function byOperation(invoice: InvoiceBlock, vat: boolean, refuse: Refuse): DesgloseTipoOperacion {
  const { pieces, overdrawn } = divideEntries(invoice, natureOf, (category) => category === GOODS)
  for (const index of vat ? overdrawn : [])
    refuse('sii.surcharge_on_services', `/invoice/taxes_outputs/${index}/equivalence_surcharge`, {
      received: required(required(invoice.taxes_outputs)[index]).taxable_base,
    })
  const goods = newBlock()
  const services = newBlock()
  for (const piece of pieces) add(piece.category === SERVICES ? services : goods, piece, vat)
  const any = (category: Category) => pieces.some((piece) => piece.category === category)
  return {
    ...(any(SERVICES) ? { PrestacionServicios: writeBlock(services, 'PrestacionServicios', refuse) } : {}),
    ...(any(GOODS) ? { Entrega: writeBlock(goods, 'Entrega', refuse) } : {}),
  }
}

/**
 * Returns the breakdown of an issued invoice. If the tax of the invoice is not VAT (IPSI, IGIC), its bases are stated
 * without that tax, as not subject under the place-of-supply rules.
 */
export function issuedBreakdown(
  invoice: InvoiceBlock,
  perOperation: boolean,
  refuse: Refuse,
): FacturaExpedida['TipoDesglose'] {
  const vat = isVat(invoice)
  if (perOperation) return { DesgloseTipoOperacion: byOperation(invoice, vat, refuse) }
  const block = newBlock()
  for (const piece of divideEntries(invoice, () => GOODS).pieces) add(block, piece, vat)
  return { DesgloseFactura: writeBlock(block, 'DesgloseFactura', refuse) }
}
