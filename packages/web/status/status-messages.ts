/** Texts of the page. Messages of the server and of the authority come with their responses. */
import { countText, type Locale, messagesByLocale } from '../parts/locale.ts'
import { PAGE } from './generated/texts/page.ts'

const MESSAGES = messagesByLocale({
  ...PAGE,
  attend: {
    ...PAGE.attend,
    certificate: [
      (name: string, days: number) =>
        days < 0
          ? `Certificate ${name} has expired`
          : `Certificate ${name} expires in ${countText(days, 'day', 'days')}`,
      (name: string, days: number) =>
        days < 0
          ? `El certificado ${name} ha caducado`
          : `El certificado ${name} caduca dentro de ${countText(days, 'día', 'días')}`,
    ],
  },
  days: [
    (n: number) =>
      n < 0
        ? `${countText(-n, 'day', 'days')} overdue`
        : n === 0
          ? 'today'
          : `in ${countText(n, 'day', 'days')}`,
    (n: number) =>
      n < 0
        ? `vencido hace ${countText(-n, 'día', 'días')}`
        : n === 0
          ? 'hoy'
          : `dentro de ${countText(n, 'día', 'días')}`,
  ],
})

export type Messages = (typeof MESSAGES)['en']

export const messagesIn = (locale: Locale): Messages => MESSAGES[locale]
