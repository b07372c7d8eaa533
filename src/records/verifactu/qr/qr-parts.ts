/** The four values of a QR address and their checks. */
import { isDate } from '#core/invoice/date.ts'
import { displayTextOf, fault, type QrFault, shownCharacter } from './fault.ts'

/** The service behind the address: `production`, or `test` without legal effect. */
export type QrEnvironment = 'production' | 'test'

/** The values of a QR address, exactly as in the record. */
export interface QrParts {
  /** `IDEmisorFactura`: NIF of the issuer, 9 characters. */
  readonly nif: string
  /** `NumSerieFactura`: series and number, 1 to 60 characters. */
  readonly numSerie: string
  /** `FechaExpedicionFactura`: date of issue, `dd-mm-yyyy`. */
  readonly fecha: string
  /** `ImporteTotal` in euros, exactly as in the record: the service looks the record up by it. */
  readonly importe: string
}

/** The parameter of each value and its element in the record, in the order of the address. */
export const PARAMETERS = [
  { field: 'nif', parameter: 'nif', element: 'IDEmisorFactura', missing: 1001 },
  { field: 'numSerie', parameter: 'numserie', element: 'NumSerieFactura', missing: 1002 },
  { field: 'fecha', parameter: 'fecha', element: 'FechaExpedicionFactura', missing: 1003 },
  { field: 'importe', parameter: 'importe', element: 'ImporteTotal', missing: 1004 },
] as const

/** Printable ASCII without `" ' < = >` (validations of the tax authority, errors 1130 and 1287). */
const NOT_IN_NUMBER = /[^ -~]|["'<=>]/u

type Check = (value: string, name: string) => QrFault | null

const CHECKS: Readonly<Record<keyof QrParts, Check>> = {
  nif(value, name) {
    const is = `${name} is ${displayTextOf(value)}`
    if (value.length !== 9)
      return fault(
        'nif',
        'length',
        `${is}: a NIF has 9 characters. Pass it without ES, spaces or hyphens.`,
        2001,
      )
    if (/^[A-Z\d]+$/.test(value)) return null
    return fault(
      'nif',
      'character',
      `${is}: a NIF has only digits and capital letters. Remove all other characters.`,
      2001,
    )
  },
  numSerie(value, name) {
    const is = `${name} is ${displayTextOf(value)}`
    if (value.length > 60) {
      const long = `${is}, ${value.length} characters: the tax authority accepts 60. Shorten the series or the number.`
      return fault('numSerie', 'length', long, 2002)
    }
    const at = value.search(NOT_IN_NUMBER)
    if (at >= 0) {
      const which = shownCharacter(value, at)
      const why = `only ASCII 32 to 126 without " ' < > = is allowed. Number the invoice without it.`
      return fault('numSerie', 'character', `${is} and has ${which}: ${why}`, 2003)
    }
    if (value.trim() === value) return null
    const why =
      'the tax authority removes the spaces, so the QR would refer to another number. Remove them from the record and the QR.'
    return fault('numSerie', 'blank_ends', `${is}, with leading or trailing spaces: ${why}`)
  },
  fecha(value, name) {
    const is = `${name} is ${displayTextOf(value)}`
    const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(value) ?? []
    if (day === undefined)
      return fault('fecha', 'format', `${is}: a date is dd-mm-yyyy. Write it like 01-09-2026.`, 2004)
    if (isDate(`${year}-${month}-${day}`)) return null
    return fault('fecha', 'impossible_date', `${is}: no such day exists. Pass the date of issue.`, 2004)
  },
  importe(value, name) {
    const is = `${name} is ${displayTextOf(value)}`
    if (/^-?(?:0|[1-9]\d{0,11})(\.\d{1,2})?$/.test(value)) return null
    if (/^-?0\d/.test(value) && /^-?\d+(\.\d+)?$/.test(value))
      return fault(
        'importe',
        'format',
        `${is}: an amount has no leading zeros. Pass the text of the record, like 241.4.`,
        2005,
      )
    if (/^-?\d+(\.\d+)?$/.test(value)) {
      const why =
        'an amount has at most 12 digits before the point and 2 after it. Pass the text of the record.'
      return fault('importe', 'digits', `${is}: ${why}`, 2006)
    }
    const why =
      'an amount has only digits, an optional leading minus, and an optional point with one or two decimals.'
    return fault('importe', 'format', `${is}: ${why} Pass the text of the record, like 241.4.`, 2005)
  },
}

/** Returns the fault of one value, or `null`. */
export function qrPartFault(index: number, value: unknown): QrFault | null {
  const { field, parameter, element, missing } = PARAMETERS[index]!
  const name = `${field} (${element} of the record, ${parameter} in the QR)`
  if (typeof value !== 'string')
    return fault(
      field,
      'type',
      `${name} is ${displayTextOf(value)}: it must be the literal text of the record.`,
    )
  if (value === '')
    return fault(
      field,
      'empty',
      `${name} is empty: the QR must identify the invoice. Copy the value from the record.`,
      missing,
    )
  return CHECKS[field](value, name)
}

/** Returns the fault of an invoice number, called `name` in its message, or `null`. */
export const numberFault = (number: string, name: string): QrFault | null => CHECKS.numSerie(number, name)
