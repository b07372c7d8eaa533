/** Finds number, dates and type of an invoice. */
import { type Cell, type Hit, labelled, type Sheet } from './cells.ts'
import type { TaxCode } from './codes.ts'
import { type PrintedDate, printedDate } from './dates.ts'
import { type Found, found, TRUST } from './found.ts'

/** Words that identify an invoice. */
export const INVOICE_WORD = /\b(?:factura|facturas|fra\b\.?|invoice|abono|credit note|rectificativa|ticket)/

// OCR reads the ordinal sign º as a 9 or a quotation mark.
const SIGN =
  '(?:n\\s?[.ºo°*9”“’"]{1,2}\\s?[ºo°9]?|n(?=\\s*:)|no(?:\\.|(?=\\s+\\S*\\d))|n[uú]m(?:ero|\\.)?|number|nr\\.?|#|codi(?:go)?)'
const NAMES = '(?:factura|fra\\.?|invoice|fact\\.|abono|rectificativa|ticket|simplificada)'
/** Labels of the number of this invoice, the strongest first. */
const NUMBER_LABELS: readonly RegExp[] = [
  new RegExp(
    `\\b${SIGN}[:\\s]*(?:de\\s+|of\\s+)?(?:la\\s+)?${NAMES}(?:\\s+(?:rectificativa|simplificada))?(?!\\w)`,
  ),
  new RegExp(`\\b${NAMES}(?:\\s+(?:rectificativa|simplificada))?\\s*${SIGN}(?!\\w)`),
  new RegExp(`\\b(?:serie\\s*(?:y|/|-)\\s*)?n[uú]mero(?=\\s*:|$)|^${SIGN}(?=\\s*:|\\s*$)`),
  new RegExp(`^(?:${NAMES}\\s*)?${NAMES}(?=\\s*:?\\s)|^${SIGN}(?=\\s)`),
]
/** Labels of numbers of other documents. */
const OF_ANOTHER =
  /rectificad|corrig|original|albaran|pedido|order|delivery|cliente|customer|contrato|cuenta|telefono|registro|expediente|presupuesto|proveedor/

const NUMBER =
  /^((?=[^\s]*\d)[A-Za-z0-9][\w./\-–]*|[A-Za-z]{1,4}[\s-]+(?=[^\s]*\d)[\w./\-–]+)((?:\s?[/-]\s?[\w./-]*\d[\w./-]*)*)/

function numberOf(text: string): string | undefined {
  const [whole = ''] = NUMBER.exec(text.replace(/^[^\p{L}\p{N}]+/u, '')) ?? []
  const value = whole.replace(/[.,;:\-/–]+$/, '')
  if (!/\d/.test(value) || value.length > 60) return undefined
  const date = printedDate(value)
  if (date && value.length <= 10 && /^\d/.test(value)) return undefined
  // An amount is not an invoice number.
  return /^\d+[.,]\d{2}$/.test(value) ? undefined : value
}

const isOfAnother = ({ cell }: Hit<unknown>, label: Cell | undefined): boolean =>
  OF_ANOTHER.test(cell.plain) || (label !== undefined && OF_ANOTHER.test(label.plain))

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const compact = (number: string): string => number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** Returns the invoice number; if there is a tax QR, that of the QR. */
export function numberIn(sheet: Sheet, code: TaxCode | undefined): Found<string> | undefined {
  const byLabel = NUMBER_LABELS.map((label) =>
    labelled(sheet, label, numberOf).filter((hit) => {
      const label = sheet.rows[hit.cell.row]?.[hit.cell.column - 1]
      return !isOfAnother(hit, label)
    }),
  )
  const strength = byLabel.findIndex((hits) => hits.length > 0)
  const values = unique((byLabel[strength] ?? []).map(({ value }) => value))
  const [printed] = values
  if (code) {
    const stands = compact(sheet.plain).includes(compact(code.number))
    // Text recognised from pixels is too uncertain to contradict the QR.
    if (stands || printed === undefined || sheet.source === 'ocr') return found(code.number, TRUST.certain)
    return found(code.number, TRUST.found, 'number_contradicted')
  }
  if (printed === undefined) return undefined
  if (values.length > 1) return found(printed, TRUST.doubted, 'several_numbers')
  if (sheet.source === 'ocr') {
    const times = byLabel.flat().filter(({ value }) => value === printed).length
    return found(printed, times > 1 ? TRUST.agreed : TRUST.found, 'number_unchecked')
  }
  return strength < 2 ? found(printed, TRUST.named) : found(printed, TRUST.agreed, 'number_unchecked')
}

/** Returns a series that is printed separately. */
export function seriesIn(sheet: Sheet): string | undefined {
  const read = (text: string) => /^([A-Z0-9][A-Z0-9-]{0,19})(?=\s|$)/.exec(text)?.[1]
  const [hit] = labelled(sheet, /(?:^|\s)seri(?:e|es)\s*:/, read)
  return hit?.value
}

const DAY = '(?:fecha|data|date|dia)'
const ISSUE_LABELS: readonly RegExp[] = [
  new RegExp(
    `\\b${DAY}(?:\\s+de)?(?:\\s+(?:la\\s+)?|\\s+d['’]\\s?)(?:expedicion?o?|emisi?s?i?on?|factura|fra\\.?|facturacion)(?!\\w)|\\b(?:invoice|issue)\\s+date|\\bdate\\s+of\\s+(?:issue|invoice)|\\b(?:expedida|emitida|issued)(?:\\s+(?:el|on))?(?!\\w)`,
  ),
  new RegExp(`(?:^|[\\s,])${DAY}(?=\\s*:|\\s*$|\\s+\\d)`),
]
const DUE_LABEL =
  /\b(?:fecha\s+(?:de\s+)?)?(?:vencimiento|vto|venciment|vence(?:\s+el)?)(?!\w)\.?|\bdue\s+(?:date|on|by)|\bpayment\s+due|\bfecha\s+(?:limite\s+)?de\s+pago/
const OPERATION_LABEL =
  /\b(?:fecha|data)\s+(?:de\s+)?(?:la\s+)?(?:operacion?o?|devengo|prestacion|entrega|servicio)(?!\w)|\b(?:supply|operation|delivery|tax\s+point)\s+date|\bdate\s+of\s+(?:supply|operation|delivery)/

const daysBehind = (sheet: Sheet, label: RegExp): PrintedDate[] => {
  const days = new Map<string, PrintedDate>()
  for (const { value } of labelled(sheet, label, (text) => printedDate(text.slice(0, 40))))
    days.set(value.value, value)
  return [...days.values()]
}

/** Whether the document is only in English, so that dates may have the month first. */
const isEnglish = ({ plain }: Sheet): boolean => /\binvoice\b/.test(plain) && !/\bfactura\b/.test(plain)

/** Returns the date of a document that has only one, which is usually its issue date. */
function onlyDay({ cells, source }: Sheet): Found<string> | undefined {
  const [only, ...more] = unique(cells.flatMap(({ text }) => printedDate(text)?.value ?? []))
  if (only === undefined || more.length > 0) return undefined
  return found(only, source === 'ocr' ? TRUST.doubted : TRUST.found, 'date_unchecked')
}

/** Returns the issue date; if there is a tax QR, that of the QR. Dates after `today` are doubted. */
export function dateIn(sheet: Sheet, code: TaxCode | undefined, today: string): Found<string> | undefined {
  const isGuessed = sheet.source === 'ocr'
  const days = ISSUE_LABELS.map((label) => daysBehind(sheet, label)).find(({ length }) => length > 0) ?? []
  const [day] = days
  if (code) {
    const isDenied = day && !isGuessed && !days.some(({ value }) => value === code.date)
    return isDenied ? found(code.date, TRUST.found, 'date_contradicted') : found(code.date, TRUST.certain)
  }
  if (!day) return onlyDay(sheet)
  const { value } = day
  if (value > today) return found(value, TRUST.doubted, 'date_in_future')
  if (days.length > 1) return found(value, TRUST.doubted, 'several_dates')
  if (day.isAmbiguous && isEnglish(sheet)) return found(value, TRUST.found, 'date_ambiguous')
  return isGuessed ? found(value, TRUST.found, 'date_unchecked') : found(value, TRUST.named)
}

/** Returns an optional date: due date, or date of operation. */
function optionalDay(sheet: Sheet, label: RegExp): Found<string> | undefined {
  const days = daysBehind(sheet, label)
  const [day] = days
  if (!day) return undefined
  const isSure = days.length === 1 && sheet.source === 'text' && !(day.isAmbiguous && isEnglish(sheet))
  return found(day.value, isSure ? TRUST.named : TRUST.found)
}

export const dueDateIn = (sheet: Sheet): Found<string> | undefined => optionalDay(sheet, DUE_LABEL)
export const operationDateIn = (sheet: Sheet): Found<string> | undefined =>
  optionalDay(sheet, OPERATION_LABEL)

export type TypeCode = '01' | '02' | '03'

/** Returns the invoice type, from how the document names itself. */
export function typeIn({ plain }: Sheet): TypeCode {
  if (
    /factura (?:de )?(?:abono|rectificativa)|credit note|factura rectificativa|nota de (?:credito|abono)|^abono\b/m.test(
      plain,
    )
  )
    return '03'
  return /factura simplificada|simplified invoice|\bticket\b/.test(plain) ? '02' : '01'
}

/** Returns the number of the invoice that a corrective invoice corrects. */
export const correctedIn = (sheet: Sheet): string | undefined =>
  labelled(
    sheet,
    /\b(?:rectifica(?:\s+a)?(?:\s+(?:la\s+)?factura)?|factura\s+(?:rectificada|original|que\s+se\s+rectifica)|corrects(?:\s+invoice)?|original\s+invoice)(?!\w)\s*(?:n[.ºo°]*|num\.?|no\.)?/,
    numberOf,
  )[0]?.value
