/** Parsers of option values that the server defines: scopes, catalog codes, templates and periods. */

import { TEMPLATES } from 'cuadra-pdf/designs.ts'
import { catalog } from '#core/catalogs/index.ts'
import { VIEW_LANGUAGES, type ViewLanguage } from '#view/index.ts'
import { SCOPES } from '../src/service/access/call.ts'
import { parseFilingPeriod } from '../src/service/invoice/filed-returns.ts'
import { templateProblem } from '../src/service/invoice/numbering.ts'
import { parseList, rejectArgument } from './arguments.ts'

export function parseScopes(text: string): string[] {
  const wanted = parseList(text)
  const unknown = wanted.filter((one) => !(SCOPES as readonly string[]).includes(one))
  if (unknown.length > 0 || wanted.length === 0)
    rejectArgument(
      `${unknown.length > 0 ? `Unknown scope: ${unknown.join(', ')}. ` : ''}Use one or more of ${SCOPES.join(', ')}.`,
    )
  return [...new Set(wanted)]
}

export function parsePaymentMethod(text: string): string {
  const known = catalog('payment-methods')
  return known.some(({ code }) => code === text)
    ? text
    : rejectArgument(`Use one of ${known.map(({ code, name }) => `${code} ${name}`).join(', ')}.`)
}

export function parsePeriod(text: string): string {
  try {
    return parseFilingPeriod(text).period
  } catch (error) {
    return rejectArgument(`${(error as Error).message}.`)
  }
}

export function parseNumberTemplate(sent: string): string {
  const text = sent.trim()
  const problem = templateProblem(text)
  return problem === null ? text : rejectArgument(problem)
}

export const parsePdfTemplate = (text: string): string =>
  TEMPLATES.includes(text)
    ? text
    : rejectArgument(`Unknown template: ${text}. Use one of ${TEMPLATES.join(', ')}.`)

export const parseViewLanguage = (text: string): ViewLanguage =>
  VIEW_LANGUAGES.find((one) => one === text) ?? rejectArgument(`Use one of ${VIEW_LANGUAGES.join(', ')}.`)
