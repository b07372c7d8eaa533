/**
 * Determines the next step after a response. The authority accepts a record only with the marks that match its stored
 * state of the invoice (AEAT web service description 1.0.3). A rejection reveals that state, and the state determines
 * the marks of the next record. The code, its test and the table of `docs/verifactu.md` use the rows below.
 */
import { required } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { fill } from '#core/messages/index.ts'
import type { CommonRefusal, VerifactuStep as NextStep } from '../../fiscal/next-step.ts'
import { ADVICE } from '../generated/texts/next-steps.ts'

/**
 * What a rejection reveals about the stored state. `form` (3004): the record was created with the authority's own
 * invoicing application.
 */
export type Refusal = CommonRefusal | 'form'

/** Options of `registrationRecord` or `cancellationRecord` for the next record of the invoice. */
export interface NextOptions {
  readonly correction?: 'none' | 'rejected' | 'never_registered'
  readonly rejected?: boolean
  readonly never_registered?: boolean
}

export interface Step {
  readonly next: NextStep
  /** Null if no further record is due. */
  readonly options: NextOptions | null
}

/** Marks of a record, such as `Subsanacion`; an omitted mark means N. */
export interface Marks {
  readonly Subsanacion?: 'S'
  readonly RechazoPrevio?: 'S' | 'X'
  readonly SinRegistroPrevio?: 'S'
}

/** A row of table 7.1 (registrations) or 7.2 (cancellations). */
export interface ResponseRow {
  readonly operation: 'alta' | 'anulacion'
  readonly when: Text
  readonly marks: Marks
  /**
   * Whether the authority accepts a record with these marks only without or only with a stored record of the invoice.
   */
  readonly acceptedWith: 'no record' | 'a record'
  /** Next step for each kind of rejection. */
  readonly after: Readonly<Record<Refusal, Step>>
}

const FIRST: NextOptions = { correction: 'never_registered' }
const CORRECTED: NextOptions = { correction: 'none' }
const CORRECTED_AGAIN: NextOptions = { correction: 'rejected' }
const CANCELLED_AGAIN: NextOptions = { rejected: true }
const CANCELLED_UNKNOWN: NextOptions = { rejected: true, never_registered: true }

const fixed = (options: NextOptions): Step => ({ next: 'fix_and_register', options })

const FORM: Step = { next: 'use_form', options: null }
const DONE: Step = { next: 'done', options: null }

/**
 * Returns the next steps after the rejection of a registration. `revival` are the options that register a cancelled
 * invoice again; `other`, those after a rejection for any other reason.
 */
const registration = (other: NextOptions, revival: NextOptions): ResponseRow['after'] => ({
  other: fixed(other),
  no_record: fixed(FIRST),
  registered: { next: 'adopt', options: null },
  cancelled: { next: 'revive', options: revival },
  duplicate: { next: 'query', options: null },
  form: FORM,
})

const cancellation = (other: NextOptions): ResponseRow['after'] => ({
  other: fixed(other),
  no_record: fixed(CANCELLED_UNKNOWN),
  registered: fixed(CANCELLED_AGAIN),
  cancelled: DONE,
  duplicate: { next: 'query', options: null },
  form: FORM,
})

/** All valid combinations of marks, with the next step after each kind of rejection. */
export const RESPONSE_ROWS: readonly ResponseRow[] = [
  {
    operation: 'alta',
    when: { en: 'First registration', es: 'Primera alta' },
    marks: {},
    acceptedWith: 'no record',
    after: registration(FIRST, CORRECTED),
  },
  {
    operation: 'alta',
    when: { en: 'Registration after the first was rejected', es: 'Alta por rechazo de la primera' },
    marks: { Subsanacion: 'S', RechazoPrevio: 'X' },
    acceptedWith: 'no record',
    after: registration(FIRST, CORRECTED_AGAIN),
  },
  {
    operation: 'alta',
    when: { en: 'Correction', es: 'Subsanación' },
    marks: { Subsanacion: 'S' },
    acceptedWith: 'a record',
    after: registration(CORRECTED_AGAIN, CORRECTED_AGAIN),
  },
  {
    operation: 'alta',
    when: {
      en: 'New correction after a rejected correction',
      es: 'Subsanación por rechazo de la anterior',
    },
    marks: { Subsanacion: 'S', RechazoPrevio: 'S' },
    acceptedWith: 'a record',
    after: registration(CORRECTED_AGAIN, CORRECTED_AGAIN),
  },
  {
    operation: 'alta',
    when: {
      en: 'Correction of a record that was never sent',
      es: 'Subsanación de un registro nunca remitido',
    },
    marks: { Subsanacion: 'S', RechazoPrevio: 'X' },
    acceptedWith: 'no record',
    after: registration(FIRST, CORRECTED_AGAIN),
  },
  {
    operation: 'anulacion',
    when: { en: 'Cancellation', es: 'Anulación' },
    marks: {},
    acceptedWith: 'a record',
    after: cancellation(CANCELLED_AGAIN),
  },
  {
    operation: 'anulacion',
    when: {
      en: 'New cancellation after a rejected cancellation',
      es: 'Anulación por rechazo de la anterior',
    },
    marks: { RechazoPrevio: 'S' },
    acceptedWith: 'a record',
    after: cancellation(CANCELLED_AGAIN),
  },
  {
    operation: 'anulacion',
    when: {
      en: 'Cancellation of an invoice that the tax authority has no record of',
      es: 'Anulación sin registro previo en la AEAT',
    },
    marks: { SinRegistroPrevio: 'S' },
    acceptedWith: 'no record',
    after: cancellation(CANCELLED_UNKNOWN),
  },
  {
    operation: 'anulacion',
    when: {
      en: 'New cancellation, after a rejected one, of an invoice that the tax authority has no record of',
      es: 'Anulación sin registro previo, por rechazo de la anterior',
    },
    marks: { SinRegistroPrevio: 'S', RechazoPrevio: 'S' },
    acceptedWith: 'no record',
    after: cancellation(CANCELLED_UNKNOWN),
  },
]

const MARKS = ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio'] as const

/** Marks of the sent record as the response repeats them. An omitted mark may be `N`. */
export type SentMarks = Readonly<Partial<Record<(typeof MARKS)[number], string>>>

/**
 * Returns the row for the marks of a record. An invalid combination of marks is itself the reason for the rejection;
 * such a record is treated as a record without marks.
 */
export function rowOf(operation: ResponseRow['operation'], sent: SentMarks): ResponseRow {
  const rows = RESPONSE_ROWS.filter((row) => row.operation === operation)
  const fits = ({ marks }: ResponseRow): boolean =>
    MARKS.every((mark) => (marks[mark] ?? 'N') === (sent[mark] ?? 'N'))
  return rows.find(fits) ?? required(rows[0])
}

/**
 * Next steps for records accepted with errors: a correction, or another cancellation. The authority has stored these
 * records.
 */
export const STEPS_AFTER_ACCEPTED_WITH_ERRORS: Readonly<Record<ResponseRow['operation'], Step>> = {
  alta: { next: 'correct', options: CORRECTED },
  anulacion: { next: 'correct', options: {} },
}

/** Marks of a registration for each value of the option `correction`. */
export const REGISTRATION_MARKS = {
  none: { Subsanacion: 'S' },
  rejected: { Subsanacion: 'S', RechazoPrevio: 'S' },
  never_registered: { Subsanacion: 'S', RechazoPrevio: 'X' },
} as const

/** Marks of a cancellation, in the order of the schema. */
export const cancellationMarks = ({
  rejected,
  never_registered,
}: Pick<NextOptions, 'rejected' | 'never_registered'>) => ({
  ...(never_registered ? { SinRegistroPrevio: 'S' as const } : {}),
  ...(rejected ? { RechazoPrevio: 'S' as const } : {}),
})

/** Returns the marks that the options give a record. */
export const marksOf = (options: NextOptions): Marks => ({
  ...(options.correction && REGISTRATION_MARKS[options.correction]),
  ...cancellationMarks(options),
})

const AND = { en: ' and ', es: ' y ' } as const

const shownMarks = (options: NextOptions, and: string): string =>
  Object.entries(marksOf(options))
    .map(([mark, value]) => `${mark}=${value}`)
    .join(and)

/** Returns the text of a step. */
export function adviceOf(
  operation: ResponseRow['operation'],
  { next, options }: Step,
  locale: keyof Text,
): string {
  const advice = ADVICE[next]
  const text: Text = 'en' in advice ? advice : advice[operation]
  return fill(text[locale], { marks: shownMarks(options ?? {}, AND[locale]) })
}
