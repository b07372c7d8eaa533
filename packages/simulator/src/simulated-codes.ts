/** Error codes of both systems, with their descriptions. */
import type { ValidationItem } from '#core/invoice/index.ts'
import { SII_ERROR_CODES } from '#records/sii/index.ts'
import { authorityCode } from '#records/verifactu/index.ts'
import type { Decision, LineState, Service } from './simulator-types.ts'

/** Maximum length of a description that the schemas of all responses accept. */
const MAX_DESCRIPTION = 500

export const truncate = (text: string): string => [...text].slice(0, MAX_DESCRIPTION).join('')

/** Returns the general description of a code, without values of a record. */
export function descriptionOf(service: Service, code: number): string {
  if (service === 'sii')
    return SII_ERROR_CODES.find((known) => known.code === code)?.text.es ?? `Error ${code}.`
  const known = authorityCode(code)
  if (!known) return `Error ${code}.`
  const { message, fix, field } = known
  const what = message.es.includes('{') ? `Se refiere a ${field}.` : message.es
  return truncate(`${what} ${fix.es.includes('{') ? '' : fix.es}`.trim())
}

export const decision = (state: LineState, code: number, description: string): Decision => ({
  state,
  code,
  description: truncate(description),
})

/** Returns the authority's code for a validation item; 0 if it has none. */
export const codeOf = ({ extra }: ValidationItem): number => Number(extra?.authority_code ?? 0)
