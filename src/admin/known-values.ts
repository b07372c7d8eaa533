/** Parsers of option values that the server defines: scopes, catalog codes, templates and periods. */
import { catalog } from '../catalogs/index.ts'
import { TEMPLATES } from '../pdf/designs.ts'
import { SCOPES } from '../server/service/access/call.ts'
import { periodOf } from '../server/service/invoice/filed-returns.ts'
import { templateProblem } from '../server/service/invoice/numbering.ts'
import { VIEW_LANGUAGES, type ViewLanguage } from '../view/index.ts'
import { invalid, listOf } from './arguments.ts'

export function scopes(text: string): string[] {
  const wanted = listOf(text)
  const unknown = wanted.filter((one) => !(SCOPES as readonly string[]).includes(one))
  if (unknown.length > 0 || wanted.length === 0)
    invalid(
      `${unknown.length > 0 ? `Unknown scope: ${unknown.join(', ')}. ` : ''}Use one or more of ${SCOPES.join(', ')}.`,
    )
  return [...new Set(wanted)]
}

export function paymentMethod(text: string): string {
  const known = catalog('payment-methods')
  return known.some(({ code }) => code === text)
    ? text
    : invalid(`Use one of ${known.map(({ code, name }) => `${code} ${name}`).join(', ')}.`)
}

export function period(text: string): string {
  try {
    return periodOf(text).period
  } catch (error) {
    return invalid(`${(error as Error).message}.`)
  }
}

export function numberTemplate(sent: string): string {
  const text = sent.trim()
  const problem = templateProblem(text)
  return problem === null ? text : invalid(problem)
}

export const pdfTemplate = (text: string): string =>
  TEMPLATES.includes(text) ? text : invalid(`Unknown template: ${text}. Use one of ${TEMPLATES.join(', ')}.`)

export const viewLanguage = (text: string): ViewLanguage =>
  VIEW_LANGUAGES.find((one) => one === text) ?? invalid(`Use one of ${VIEW_LANGUAGES.join(', ')}.`)
