/** Texts of the page. Messages of the server and of the authority come with their responses. */
import { count, type Locale, messages } from '../parts/locale.ts'
import { PAGE } from './generated/texts/page.ts'

const MESSAGES = messages({
  ...PAGE,
  attend: {
    ...PAGE.attend,
    certificate: [
      (name: string, days: number) =>
        days < 0
          ? `Certificate ${name} has expired`
          : `Certificate ${name} expires in ${count(days, 'day', 'days')}`,
      (name: string, days: number) =>
        days < 0
          ? `El certificado ${name} ha caducado`
          : `El certificado ${name} caduca dentro de ${count(days, 'día', 'días')}`,
    ],
  },
  days: [
    (n: number) =>
      n < 0 ? `${count(-n, 'day', 'days')} overdue` : n === 0 ? 'today' : `in ${count(n, 'day', 'days')}`,
    (n: number) =>
      n < 0
        ? `vencido hace ${count(-n, 'día', 'días')}`
        : n === 0
          ? 'hoy'
          : `dentro de ${count(n, 'día', 'días')}`,
  ],
})

export type Messages = (typeof MESSAGES)['en']

export const messagesIn = (locale: Locale): Messages => MESSAGES[locale]
