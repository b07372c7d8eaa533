/** The list that items are collected in: it has one limit, and says how many there were. */
import { type Extra, type Locale, MAX_ITEMS, type Severity, type ValidationItem } from '../invoice/index.ts'
import { fill } from './fill.ts'
import { itemOf, say } from './item.ts'
import { type MessageText, messageText, type Pair, speak } from './message-text.ts'

/** What the item after the last one says. */
export const TOO_MANY: { readonly en: Pair; readonly es: Pair } = {
  en: [
    'There are at least {at_least} problems: {shown} are listed, and the search for more has ended.',
    'Mend these and validate again.',
  ],
  es: [
    'Hay al menos {at_least} problemas: se listan {shown} y no se han buscado más.',
    'Corrija estos y valide de nuevo.',
  ],
}

/** The code of the item after the last one. */
export type ListCode = 'too_many_errors'

/** Items up to a limit. Of more, so many and an item that says how many there were. */
export class ItemList<Code extends string = string> {
  readonly items: ValidationItem<Code | ListCode>[] = []
  /** How many there were. */
  found = 0
  #listed = 0
  #severity: Severity = 'warning'

  constructor(
    readonly locale: Locale,
    readonly most = MAX_ITEMS,
    readonly law = '',
  ) {}

  /** True where the search may end: there are more than are listed. */
  get isCut(): boolean {
    return this.found > this.#listed
  }

  add(severity: Severity, make: () => ValidationItem<Code>): void {
    if (this.found < this.most && !this.isCut) this.#listed = this.items.push(make())
    this.count(1, severity)
  }

  /** Counts items that are listed, or not any more. */
  count(more: number, severity: Severity): void {
    this.found += more
    if (severity === 'error') this.#severity = severity
    if (!this.isCut) return
    const extra = { shown: this.#listed, at_least: this.found }
    const item = { source: 'schema', code: 'too_many_errors', path: '', extra } as const
    const { locale } = this
    const parts = speak(messageText(this.law, TOO_MANY.en, TOO_MANY.es), locale, (text) =>
      fill(text, extra, locale),
    )
    this.items[this.#listed] = itemOf({ ...item, severity: this.#severity }, parts)
  }
}

/** Why something was not made, and what should be known of it although it was. */
export interface Refusals<Code extends string> {
  readonly items: readonly ValidationItem<Code | ListCode>[]
  readonly refuse: (code: Code, path: string, extra?: Extra) => void
  readonly warnings: readonly ValidationItem<Code | ListCode>[]
  readonly warn: (code: Code, path: string, extra?: Extra) => void
}

/** Collects items in the words of a table and the language asked for. */
export function refusalsOf<Code extends string>(
  codes: Readonly<Record<Code, MessageText>>,
  locale: Locale,
): Refusals<Code> {
  const listOf = (severity: Severity) => {
    const list = new ItemList<Code>(locale)
    return {
      items: list.items,
      add: (code: Code, path: string, extra: Extra | null = null) =>
        list.add(severity, () => say(codes[code], { code, path, extra, severity }, locale)),
    }
  }
  const refused = listOf('error')
  const warned = listOf('warning')
  return { items: refused.items, refuse: refused.add, warnings: warned.items, warn: warned.add }
}
