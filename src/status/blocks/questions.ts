/** What somebody asks: an invoice by its number, and what the authority has of a month. */
import type { AeatRecords, SiiStatus } from '../answers.ts'
import { badge, code, el } from '../dom.ts'
import { amountText, calm, dateText, refused, state, type View } from '../show.ts'
import { recordLine } from './chain.ts'

type Make = (view: View) => HTMLElement

/** A form with one field; what comes of it stays below until the next question. */
function question(
  id: string,
  label: string,
  help: string,
  button: string,
  input: Readonly<Record<string, string | boolean>>,
  ask: (value: string) => Promise<readonly Node[]>,
  waiting: string,
): HTMLElement {
  const field = el('input', { id, 'aria-describedby': `${id}-help`, required: true, ...input })
  const answer = el('div', { class: 'answer', 'aria-live': 'polite' })
  const submit = el('button', { class: 'quiet', type: 'submit' }, button)
  const form = el(
    'form',
    {
      class: 'question',
      onsubmit: async (event) => {
        event.preventDefault()
        answer.replaceChildren(calm(waiting))
        submit.setAttribute('aria-disabled', 'true')
        answer.replaceChildren(...(await ask(field.value.trim())))
        submit.removeAttribute('aria-disabled')
      },
    },
    el('label', { for: id }, label),
    el('div', { class: 'row' }, field, submit),
    el('p', { class: 'help', id: `${id}-help` }, help),
  )
  return el('div', {}, form, answer)
}

async function invoiceAnswer(number: string, view: View): Promise<readonly Node[]> {
  const { words, loader, call, locale } = view
  const found = await loader.find(number)
  if (!found.ok) return [refused(found.refusal, words)]
  if (found.value === null) return [calm(words.notFound(number))]
  const { invoice, records } = found.value
  const sii = await call<readonly SiiStatus[]>(`/invoices/${invoice.id}/sii/status`)
  const qr = records.find(({ qr_url }) => qr_url !== null)?.qr_url ?? null
  return [
    el(
      'p',
      { class: 'line' },
      el('strong', { class: 'number' }, invoice.number ?? ''),
      el('span', {}, dateText(invoice.issue_date, locale)),
      el('span', {}, invoice.customer_name ?? ''),
      el('span', {}, amountText(invoice.total, invoice.currency, locale)),
    ),
    el('p', { class: 'small' }, code(invoice.id)),
    records.length === 0
      ? calm(words.notRegistered)
      : el(
          'ol',
          { class: 'cards' },
          ...records.map((record) => recordLine({ number: invoice.number ?? '', record }, view)),
        ),
    // Only what is an address of the web becomes a link.
    ...(qr?.startsWith('https://')
      ? [el('p', {}, el('a', { href: qr, rel: 'noreferrer', target: '_blank' }, words.qr))]
      : []),
    ...(sii.ok
      ? sii.value.map((one) =>
          el(
            'p',
            { class: 'line' },
            el('strong', {}, `SII, ${words.books[one.book_type] ?? one.book_type}`),
            state(one.status, { ...words.states, ...words.sending }),
            badge('plain', dateText(one.deadline, locale)),
            one.error_code !== null && code(one.error_code),
            one.error_description !== null && el('span', {}, one.error_description),
          ),
        )
      : []),
  ]
}

async function monthAnswer(month: string, { call, words, locale }: View): Promise<readonly Node[]> {
  const called = await call<AeatRecords>(`/verifactu/aeat-records?period=${encodeURIComponent(month)}`)
  if (!called.ok)
    return [
      refused(called.refusal, words),
      ...called.refusal.reasons.map((reason) => el('p', { class: 'advice' }, reason)),
    ]
  const { records, indicador_paginacion } = called.value
  if (records.length === 0) return [calm(words.nothingThere(month))]
  return [
    el('p', {}, words.there(records.length, month)),
    el(
      'ul',
      { class: 'cards' },
      ...records.map((one) =>
        el(
          'li',
          { class: 'line' },
          el('strong', { class: 'number' }, one.num_serie),
          el('span', {}, one.fecha_expedicion),
          one.importe_total !== null && el('span', {}, amountText(one.importe_total, 'EUR', locale)),
          state(one.estado_registro, words.sending),
          one.codigo_error !== null && code(one.codigo_error),
          one.descripcion_error !== null && el('span', { class: 'help' }, one.descripcion_error),
        ),
      ),
    ),
    ...(indicador_paginacion === 'S' ? [el('p', { class: 'help' }, words.morePages)] : []),
  ]
}

export const findForm: Make = (view) => {
  const { words } = view
  return question(
    'find',
    words.findLabel,
    words.findHelp,
    words.search,
    { type: 'text', maxlength: '60', autocomplete: 'off', spellcheck: 'false' },
    (number) => invoiceAnswer(number, view),
    words.checking,
  )
}

export const askForm: Make = (view) => {
  const { words } = view
  const now = new Date()
  const value = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`
  return question(
    'month',
    words.month,
    words.askHelp,
    words.askNow,
    // Where the browser has no field for months, its pattern says what is meant.
    { type: 'month', value, pattern: '\\d{4}-(0[1-9]|1[0-2])', placeholder: 'AAAA-MM' },
    (month) => monthAnswer(month, view),
    words.asking,
  )
}
