/** Replaces codes in messages with readable text. The response also contains the code itself, for programs. */
import { ruleOf } from '../../../rules/index.ts'
import { partsFor } from '../../engine/message-parts.ts'
import type { Extra, Locale, Text } from '../../invoice/index.ts'
import { fill } from '../../messages/index.ts'
import { CODES, type Code } from './codes.ts'

/** Texts of statuses that follow "the invoice is" and "la factura está" in messages. */
const STATES: Readonly<Record<string, Text>> = {
  draft: { en: 'a draft', es: 'en borrador' },
  queued: { en: 'reserved by a bulk issue', es: 'reservada por una emisión masiva' },
  issued: { en: 'issued', es: 'emitida' },
  sent: { en: 'sent', es: 'enviada' },
  cancelled: { en: 'cancelled', es: 'anulada' },
  received: { en: 'received', es: 'recibida' },
  exported: { en: 'exported', es: 'exportada' },
}

const ISSUE_FIRST: Text = {
  en: 'Issue it first, with POST /issued-invoices/{id}/issue.',
  es: 'Emítala antes, con POST /issued-invoices/{id}/issue.',
}
const MAKE_ANOTHER: Text = {
  en: 'A cancelled invoice stays cancelled. Create a new one with PUT /drafts.',
  es: 'Una factura anulada sigue anulada. Cree otra con PUT /drafts.',
}
const HAS_NUMBER: Text = {
  en: 'It already has its number. Correct it with POST /issued-invoices/{id}/corrective, or cancel it with POST /issued-invoices/{id}/cancel.',
  es: 'Ya tiene su número. Rectifíquela con POST /issued-invoices/{id}/corrective o anúlela con POST /issued-invoices/{id}/cancel.',
}
const DELETE_IT: Text = {
  en: 'Delete the draft with DELETE /drafts/{id}.',
  es: 'Elimine el borrador con DELETE /drafts/{id}.',
}
const NOTHING_TO_DO: Text = { en: 'There is nothing left to do.', es: 'No hay que hacer nada más.' }

/** Returns what to do instead of an impossible change of state. */
export function alternativeTo(from: string, to: string): Text | undefined {
  if (from === 'draft') return to === 'cancelled' ? DELETE_IT : ISSUE_FIRST
  if (from === 'cancelled') return to === 'cancelled' ? NOTHING_TO_DO : MAKE_ANOTHER
  if (from === 'issued' || from === 'sent') return to === 'issued' ? HAS_NUMBER : undefined
  return undefined
}

/** Returns a status as text that follows "it is" or "está". An unknown status is returned as it is. */
export const stateMessages = (status: string): Text => STATES[status] ?? { en: status, es: `en ${status}` }

/** Reasons why an invoice cannot be deleted. */
const REASONS: Readonly<Record<string, Text>> = {
  draft: {
    en: 'it is a draft (DELETE /drafts/{id} deletes it)',
    es: 'es un borrador (lo elimina DELETE /drafts/{id})',
  },
  not_a_draft: { en: 'it is no longer a draft', es: 'ya no es un borrador' },
  queued: { en: 'it is reserved by a bulk issue', es: 'está reservada por una emisión masiva' },
  accepted_by_sii: {
    en: 'the tax authority accepted it in the SII',
    es: 'la Agencia Tributaria la aceptó en el SII',
  },
  not_imported: {
    en: 'it was issued here; cancel it instead',
    es: 'se emitió aquí; anúlela en vez de eliminarla',
  },
}

/** Text after "Send" in a message. It replaces the name of the content coding `identity` (RFC 9110, section 8.4.1). */
const UNCOMPRESSED: Text = { en: 'it uncompressed', es: 'un cuerpo sin comprimir' }

const FILED = /^filed_return:(.+)$/

const reasonMessages = (reason: string, locale: Locale): string => {
  const period = FILED.exec(reason)?.[1]
  if (period !== undefined)
    return locale === 'es' ? `está en la declaración de ${period}` : `it is in the return of ${period}`
  return REASONS[reason]?.[locale] ?? reason
}

/** Returns a sentence in lower case and without its full stop, so that it can end another sentence. */
const asEnd = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')

const isCode = (word: unknown): word is Code => typeof word === 'string' && Object.hasOwn(CODES, word)

/** Returns the message of a code: that of its rule if the engine has one, otherwise that of the table. */
export function sentenceOf(code: Code, extra: Extra, locale: Locale): string {
  const rule = ruleOf(code)
  if (!rule) return fill(CODES[code][locale], extra, locale)
  const [field = ''] = Array.isArray(extra.fields) ? extra.fields : []
  const { message, fix } = partsFor(rule, { path: String(extra.path ?? field), extra }, locale)
  return `${message} ${fix}`
}

/** Returns the members of `detail` with readable text instead of codes for statuses and reasons. */
export function withReadableValues(extra: Readonly<Record<string, unknown>>, locale: Locale): Extra {
  const { from, to, reason, reasons, hint, expected } = extra
  const shown: Record<string, unknown> = { ...extra }
  if (typeof from === 'string') shown.from = STATES[from]?.[locale] ?? from
  if (typeof to === 'string') shown.to = STATES[to]?.[locale] ?? to
  if (expected === 'identity') shown.expected = UNCOMPRESSED[locale]
  if (Array.isArray(reasons))
    shown.reasons = reasons.map((one) => reasonMessages(String(one), locale)).join('; ')
  if (typeof hint === 'string') shown.reason = asEnd(hint)
  else if (isCode(reason)) shown.reason = asEnd(sentenceOf(reason, extra, locale))
  return shown as Extra
}
