/** Texts of the page. The messages of problems come from the engine. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Locale } from '#engine/index.ts'
import { countText, messagesByLocale } from '../../parts/locale.ts'
import { PAGE } from '../generated/texts/page.ts'

const MESSAGES = messagesByLocale({
  ...PAGE,
  cents: [
    (n: number) => `${countText(Math.abs(n), 'cent', 'cents')} ${n < 0 ? 'less' : 'more'}`,
    (n: number) => `${countText(Math.abs(n), 'céntimo', 'céntimos')} ${n < 0 ? 'menos' : 'más'}`,
  ],
})

export type UiMessages = (typeof MESSAGES)['en']

export const messagesOf = (locale: Locale): UiMessages => MESSAGES[locale]

export const LocaleContext = createContext<Locale>('es')

/** Returns the language and the texts of the page. Call it in a component. */
export function useMessages(): { readonly locale: Locale; readonly messages: UiMessages } {
  const locale = useContext(LocaleContext)
  return { locale, messages: MESSAGES[locale] }
}
