/**
 * Handles suppliers of Northern Ireland, which is a member state for goods only (Protocol on Ireland/Northern Ireland;
 * Directive (EU) 2020/1756). Their goods are acquisitions under regime key 09; their services count as coming from
 * outside the Union.
 */
import { required } from '#core/errors/index.ts'
import type { InvoiceBlock, Line, TaxOutput } from '#core/invoice/index.ts'
import { GENERAL_REGIME } from '#core/invoice/terms.ts'
import { toNumber } from '#core/money/index.ts'
import type { FiscalParty } from '../../fiscal/fiscal-party.ts'
import { receivedRegimeKey } from '../model/sii-keys.ts'
import { type DividedEntry, divideEntries } from './divided-entries.ts'
import { INTRA_COMMUNITY } from './received-details.ts'

/** Whether a supplier has a VAT number of Northern Ireland. */
export const isNorthernIrish = ({ IDOtro }: FiscalParty): boolean =>
  IDOtro?.IDType === '02' && IDOtro.ID.startsWith('XI')

const categoryOf = ({ item_type }: Line) => ({ key: item_type === 'service' ? 'service' : 'goods' })

/**
 * Returns the invoice with regime key 09 on its acquired goods. An entry with goods and services is divided in two; the
 * part with services is appended, so that the other entries keep their index.
 */
export function withAcquiredGoods(
  block: InvoiceBlock,
  isAcquisition: (one: Line | TaxOutput) => boolean,
): InvoiceBlock {
  const isAcquired = (one: Line | TaxOutput): boolean =>
    receivedRegimeKey(one, block) === GENERAL_REGIME && isAcquisition(one)
  const { pieces } = divideEntries(block, categoryOf)
  const partOf = (
    { entry, base }: DividedEntry<ReturnType<typeof categoryOf>>,
    keys: Pick<TaxOutput, 'tax_regime_key'>,
  ) => ({
    ...entry,
    ...keys,
    taxable_base: toNumber(base),
  })
  const services: TaxOutput[] = []
  const entries = required(block.taxes_outputs).map((entry, at) => {
    if (!isAcquired(entry)) return entry
    const own = pieces.filter(({ index }) => index === at)
    const goods = own.find(({ category }) => category.key === 'goods')
    const service = own.find(({ category }) => category.key === 'service')
    if (!goods) return entry
    if (service) services.push(partOf(service, {}))
    return partOf(goods, { tax_regime_key: INTRA_COMMUNITY })
  })
  return {
    ...block,
    lines: block.lines.map((line) =>
      categoryOf(line).key === 'goods' && isAcquired(line)
        ? { ...line, tax_regime_key: INTRA_COMMUNITY }
        : line,
    ) as InvoiceBlock['lines'],
    taxes_outputs: [...entries, ...services],
  }
}
