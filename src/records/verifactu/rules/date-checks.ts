/** Rules for dates and timestamps: issue, operation, and generation of the record. */
import { required } from '#core/errors/index.ts'
import { dayOf, timestampOf } from '../../fiscal/literals.ts'
import { design, ERROR_LIST, validations } from '../model/laws.ts'
import { type AltaContext, type BreakdownLine, isImpossibleDate, relatedOf } from './check-context.ts'
import { type AuthorityCode, type Fail, offline, refusedAt, type Structural } from './check-declaration.ts'
import { CONTINUOUS_SUPPLY_KEY, isRegimeKey, isVatOrIgic, PUBLIC_WORKS_KEY } from './regime-key-checks.ts'
import { TIMESTAMP_CODES } from './timestamp-checks.ts'

/** Earliest issue date of an invoice with a record: publication of Orden HAC/1177/2024. */
const FIRST_DAY = '2024-10-28'
const MAX_YEARS = 20

/** Returns the day of a timestamp in its own offset; undefined if it cannot be read. */
export const dayOfRecord = (timestamp: string): string | undefined =>
  timestampOf(timestamp) === undefined ? undefined : timestamp.slice(0, 10)

/** Returns the authority's current date in the record's offset; undefined without a clock. */
function today({ record, around }: AltaContext): string | undefined {
  if (around.now === undefined) return undefined
  const text = record.FechaHoraHusoGenRegistro
  const timestamp = timestampOf(text)
  if (timestamp === undefined) return undefined
  const offset = required(timestampOf(`${text.slice(0, 19)}Z`)) - timestamp
  return dayOf(around.now + offset)
}

/**
 * Returns the day twenty years before the authority's date or, without a clock, before the generation of the record.
 */
function oldest(context: AltaContext): string | undefined {
  const day = today(context) ?? dayOfRecord(context.record.FechaHoraHusoGenRegistro)
  return day && `${String(Number(day.slice(0, 4)) - MAX_YEARS).padStart(4, '0')}${day.slice(4)}`
}

type IssueCode = 1105 | 1112 | 1133 | 1152

/** Returns the fault of the issue date, without comparing it with the operation date. */
function issueFault(context: AltaContext): IssueCode | undefined {
  const date = context.issueDate
  if (date === undefined)
    return isImpossibleDate(context.record.IDFactura.FechaExpedicionFactura) ? 1105 : undefined
  const limit = oldest(context)
  if (limit !== undefined && date < limit) return 1133
  if (date < FIRST_DAY) return 1152
  const day = today(context)
  return day !== undefined && date > day ? 1112 : undefined
}

type OperationCode = 1125 | 1134 | 1145 | 1146 | 1147 | 1173

/** Returns the fault of the operation date, alone or compared with the issue date. */
function operationFault(context: AltaContext): OperationCode | undefined {
  const { record, operationDate: date } = context
  const lines = context.lines.filter(isVatOrIgic)
  const works = lines.some(({ key }) => key === PUBLIC_WORKS_KEY)
  if (record.FechaOperacion === undefined) return works ? 1147 : undefined
  if (date === undefined) return isImpossibleDate(record.FechaOperacion) ? 1145 : undefined
  const limit = oldest(context)
  if (limit !== undefined && date < limit) return 1134
  const day = today(context)
  if (day !== undefined && Number(date.slice(0, 4)) > Number(day.slice(0, 4)) + 1) return 1125
  return orderFault(context, lines, date)
}

/** Returns the fault of an operation date compared with the issue date and the authority's date. */
function orderFault(
  context: AltaContext,
  lines: readonly BreakdownLine[],
  date: string,
): OperationCode | undefined {
  const day = today(context)
  // The operation date is not compared with an issue date that is itself wrong.
  const issued = issueFault(context) === undefined ? context.issueDate : undefined
  if (lines.some(({ key }) => key === PUBLIC_WORKS_KEY))
    return issued !== undefined && date <= issued ? 1147 : undefined
  const mayBeLater =
    lines.length === 0 || lines.some(({ key }) => key === CONTINUOUS_SUPPLY_KEY || !isRegimeKey(key))
  if (mayBeLater) return undefined
  if (day !== undefined && date > day) return 1173
  return issued !== undefined && issued < date ? 1146 : undefined
}

const ISSUE = '/IDFactura/FechaExpedicionFactura'

const checkIssueDate = (code: IssueCode) => (context: AltaContext, fail: Fail) => {
  if (issueFault(context) === code) fail(ISSUE, { received: context.record.IDFactura.FechaExpedicionFactura })
}

const checkOperationDate = (code: OperationCode) => (context: AltaContext, fail: Fail) => {
  const { FechaOperacion, IDFactura } = context.record
  if (operationFault(context) === code)
    fail(code === 1146 ? ISSUE : '/FechaOperacion', {
      operation_date: FechaOperacion ?? '',
      issue_date: IDFactura.FechaExpedicionFactura,
    })
}

const isIssueRefused = refusedAt(ISSUE)
const isCancelledRefused = refusedAt(`${ISSUE}Anulada`)

/** Whether a date is inside a record; dates of messages and queries have separate codes. */
const isDateOfRecord = ({ subject, field }: Structural): boolean =>
  (subject === 'alta' || subject === 'anulacion' || subject === 'evento') &&
  field.startsWith('Fecha') &&
  !field.startsWith('FechaHora')

export const DATE_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1105,
    field: 'IDFactura/FechaExpedicionFactura',
    law: design('2'),
    en: ['"{received}" is not an issue date.', 'Send a calendar day as dd-mm-yyyy, e.g. 05-01-2027.'],
    es: [
      '«{received}» no es una fecha de expedición.',
      'Envíe un día del calendario como dd-mm-aaaa, p. ej. 05-01-2027.',
    ],
    structure: (violation) => isIssueRefused(violation) || isCancelledRefused(violation),
    alta: checkIssueDate(1105),
    anulacion({ record }, fail) {
      const received = record.IDFactura.FechaExpedicionFacturaAnulada
      if (isImpossibleDate(received)) fail(`${ISSUE}Anulada`, { received })
    },
  }),
  offline({
    code: 1112,
    field: 'IDFactura/FechaExpedicionFactura',
    law: validations('3.1.3.1'),
    en: [
      'The issue date {received} is in the future.',
      'Send the day on which the invoice is issued; check the clock of the computer.',
    ],
    es: [
      'La fecha de expedición {received} es futura.',
      'Envíe el día en que se expide la factura; compruebe el reloj del equipo.',
    ],
    alta: checkIssueDate(1112),
  }),
  offline({
    code: 1133,
    field: 'IDFactura/FechaExpedicionFactura',
    law: ERROR_LIST,
    en: ['The issue date {received} is more than twenty years ago.', 'Correct the year.'],
    es: ['La fecha de expedición {received} es de hace más de veinte años.', 'Corrija el año.'],
    alta: checkIssueDate(1133),
  }),
  offline({
    code: 1152,
    field: 'IDFactura/FechaExpedicionFactura',
    law: `${validations('3.1.3.1')}; Orden HAC/1177/2024`,
    en: [
      'The issue date {received} is before 28-10-2024, when these records began.',
      'Correct the date; invoices issued before then have no record.',
    ],
    es: [
      'La fecha de expedición {received} es anterior al 28-10-2024, cuando empezaron estos registros.',
      'Corrija la fecha; las facturas expedidas antes no tienen registro.',
    ],
    alta: checkIssueDate(1152),
  }),
  offline({
    code: 1125,
    field: 'FechaOperacion',
    law: validations('3.1.3.7'),
    en: [
      'The operation date {operation_date} is after the end of next year.',
      'Correct the date of the operation.',
    ],
    es: [
      'La fecha de operación {operation_date} es posterior al final del año próximo.',
      'Corrija la fecha de operación.',
    ],
    alta: checkOperationDate(1125),
  }),
  offline({
    code: 1134,
    field: 'FechaOperacion',
    law: validations('3.1.3.7'),
    en: [
      'The operation date {operation_date} is more than twenty years ago.',
      'Correct the date of the operation.',
    ],
    es: [
      'La fecha de operación {operation_date} es de hace más de veinte años.',
      'Corrija la fecha de operación.',
    ],
    alta: checkOperationDate(1134),
  }),
  offline({
    code: 1173,
    field: 'FechaOperacion',
    law: validations('3.1.3.7'),
    en: [
      'The operation date {operation_date} is in the future, which only regime keys 14 and 15 allow.',
      'Correct the date, omit it if it is the issue date, or send the regime key that applies.',
    ],
    es: [
      'La fecha de operación {operation_date} es futura, lo que solo admiten las claves de régimen 14 y 15.',
      'Corrija la fecha; omítala si es la de expedición; o envíe la clave de régimen que corresponda.',
    ],
    alta: checkOperationDate(1173),
  }),
  offline({
    code: 1145,
    field: '(any date)',
    law: design('2'),
    en: ['{field} is not a date.', 'Send a calendar day as dd-mm-yyyy, e.g. 05-01-2027.'],
    es: ['{field} no contiene una fecha.', 'Envíe un día del calendario como dd-mm-aaaa, p. ej. 05-01-2027.'],
    structure: (violation) =>
      (violation.kind === 'length' || violation.kind === 'pattern') &&
      isDateOfRecord(violation) &&
      violation.parent !== 'RegistroAnterior',
    alta(context, fail) {
      checkOperationDate(1145)(context, fail)
      for (const { path, id } of relatedOf(context.record)) {
        const received = id.FechaExpedicionFactura
        if (isImpossibleDate(received)) fail(`${path}/FechaExpedicionFactura`, { received })
      }
    },
  }),
  offline({
    code: 1146,
    field: 'IDFactura/FechaExpedicionFactura',
    law: validations('3.1.3.1'),
    en: [
      'The issue date {issue_date} is before the operation date {operation_date}, which only regime keys 14 and 15 allow.',
      'Correct the dates, or send the regime key that applies; the operation date of an advance payment is the day it is received.',
    ],
    es: [
      'La fecha de expedición {issue_date} es anterior a la de operación {operation_date}, lo que solo admiten las claves de régimen 14 y 15.',
      'Corrija las fechas o envíe la clave de régimen que corresponda; la fecha de operación de un anticipo es el día en que se cobra.',
    ],
    alta: checkOperationDate(1146),
  }),
  offline({
    code: 1147,
    field: 'FechaOperacion',
    law: validations('3.1.3.15.6.9'),
    en: [
      'Regime key 14 (works certificates for public bodies, tax not yet due) requires an operation date after the issue date {issue_date}.',
      'Send FechaOperacion, later than the issue date; once the tax is due, send regime key 01.',
    ],
    es: [
      'La clave de régimen 14 (certificaciones de obra para Administraciones públicas, con el IVA pendiente de devengo) exige una fecha de operación posterior a la de expedición {issue_date}.',
      'Envíe FechaOperacion, posterior a la de expedición; una vez devengado el impuesto, envíe la clave de régimen 01.',
    ],
    alta: checkOperationDate(1147),
  }),
  ...TIMESTAMP_CODES,
]
