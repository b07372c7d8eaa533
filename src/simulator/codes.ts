/** Codes of both systems in words, as the simulator answers with them. */
import type { ValidationItem } from '../invoice/index.ts'
import { SII_ERROR_CODES } from '../sii/index.ts'
import { authorityCode } from '../verifactu/index.ts'
import type { LineState, Service, Verdict } from './types.ts'

/** Longest description that every schema of an answer takes. */
const LONGEST = 500

export const cut = (text: string): string => [...text].slice(0, LONGEST).join('')

/** What a code means, of a record that is not quoted. */
export function descriptionOf(service: Service, code: number): string {
  if (service === 'sii')
    return SII_ERROR_CODES.find((known) => known.code === code)?.text.es ?? `Error ${code}.`
  const known = authorityCode(code)
  if (!known) return `Error ${code}.`
  const { message, fix, field } = known
  const what = message.es.includes('{') ? `Se refiere a ${field}.` : message.es
  return cut(`${what} ${fix.es.includes('{') ? '' : fix.es}`.trim())
}

export const verdict = (state: LineState, code: number, description: string): Verdict => ({
  state,
  code,
  description: cut(description),
})

/** The authority's code of what a check found; 0 where it has none. */
export const codeOf = ({ extra }: ValidationItem): number => Number(extra?.authority_code ?? 0)
