/** The day of the operation in a record (`FechaOperacion`), alike in both systems: derived, capped and explained here. */
import { type Dated, type InvoiceBlock, isDate, operationDay } from '../invoice/index.ts'
import { messageText } from '../messages/index.ts'

/** A further invoice that a corrective corrects, as the caller names it. */
interface Corrected {
  readonly issue_date?: string
}

/**
 * Day of the operation and what says it; undefined where that is the day of issue, and on drafts without one.
 *
 * A corrective of several invoices (`corrects`) has the latest of their days, unless it says one of its own (AEAT,
 * preguntas frecuentes del SII). The end of a corrected period counts no further than the issue of the corrective.
 */
export function fiscalDay(block: InvoiceBlock, corrects: readonly Corrected[] = []): Dated | undefined {
  const { header, issue_data: data } = block
  let dated = operationDay(header, data, data.issue_date)
  if (header.is_corrective && data.operation_date === undefined)
    corrects.forEach((one, i) => {
      const day = one?.issue_date
      if (isDate(day) && (dated === undefined || day > dated.day))
        dated = { day, path: `/corrects/${i}/issue_date` }
    })
  return dated?.day === data.issue_date ? undefined : dated
}

/** `FechaOperacion` as a date: undefined where it is the day of issue. */
export const operationDateOf = (block: InvoiceBlock, corrects?: readonly Corrected[]): string | undefined =>
  fiscalDay(block, corrects)?.day

/** A corrected invoice that is later than its corrective, and where it is named: nothing can be right about it. */
export function correctedLater(
  block: InvoiceBlock,
  corrects?: readonly Corrected[],
): { readonly path: string; readonly received: string; readonly expected: string } | undefined {
  const { issue_date: issued, operation_date } = block.issue_data
  const dated = operation_date === undefined ? fiscalDay(block, corrects) : undefined
  if (!dated || issued === undefined || dated.day <= issued) return undefined
  return { path: dated.path, received: dated.day, expected: issued }
}

/** The words of that refusal. */
export const CORRECTED_LATER = messageText(
  'art. 15 RD 1619/2012',
  [
    'The corrected invoice is of {received}, after the issue of the corrective ({expected}).',
    'Correct {path}: only an invoice that exists can be corrected. Its date is the operation date of the record unless operation_date says another.',
  ],
  [
    'La factura rectificada es del {received}, posterior a la expedición de la rectificativa ({expected}).',
    'Corrija {path}: solo se rectifica una factura que existe. Su fecha es la de operación del registro, salvo que operation_date indique otra.',
  ],
)
