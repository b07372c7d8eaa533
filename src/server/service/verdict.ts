/** The engine's verdict on a document as a function of values: a thread beside the event loop answers it too. */
import { examine, toItems } from '../../engine.ts'
import { MAX_ITEMS, type Options } from '../../invoice/index.ts'
import { resultOf, type ValidationResult } from '../../validate.ts'

export interface Verdict extends ValidationResult {
  /** `data` as JSON, where a thread has written it. */
  readonly canonical?: string
}

/** A verdict whose document is only handed on: as the bytes of its JSON, which nobody has to read. */
export interface Told extends Omit<Verdict, 'data' | 'canonical'> {
  readonly data: Uint8Array
}

export interface Question {
  readonly document: unknown
  readonly options: Options
  /** Codes of items that are told wherever they stand, because they decide about the whole document. */
  readonly deciding: readonly string[]
  /** At most so many problems are looked for. */
  readonly mostProblems?: number | undefined
}

/** What `validate` answers; where its list is cut, what decides does not hide behind a thousand smaller things. */
export function verdictOn({ document, options, deciding, mostProblems = MAX_ITEMS }: Question): Verdict {
  const examined = examine(document, options, mostProblems)
  const { findings, settings } = examined
  const { locale } = settings
  const listed = toItems(findings, document, locale, mostProblems)
  const told = new Set(listed.map(({ code, path }) => `${code} ${path}`))
  const hidden =
    findings.length > mostProblems
      ? findings.filter(({ code, path }) => deciding.includes(code) && !told.has(`${code} ${path}`))
      : []
  const errors = [...toItems(hidden, document, locale, mostProblems), ...listed]
  return resultOf(examined, options, errors)
}

/** The same, with the document as JSON. */
export function tell(question: Question): Told {
  const { data, ...verdict } = verdictOn(question)
  return { ...verdict, data: Buffer.from(JSON.stringify(data)) }
}
