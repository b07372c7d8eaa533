/** The list that collects items up to a limit and counts further items. */
import { type Extra, type Locale, MAX_ITEMS, type Severity, type ValidationItem } from '../invoice/index.ts'
import { fill } from './fill.ts'
import { createItem, itemOf } from './message-item.ts'
import { localise, type MessageText, messageText, type Pair } from './message-text.ts'

/** Message of the last item if there are more items than are listed. */
export const TOO_MANY: { readonly en: Pair; readonly es: Pair } = {
  en: ['There are at least {at_least} problems; {shown} are listed.', 'Fix these and validate again.'],
  es: ['Hay al menos {at_least} problemas; se muestran {shown}.', 'Corrija estos y valide de nuevo.'],
}

/** Code of the last item if there are more items than are listed. */
export type ListCode = 'too_many_errors'

/** Collects items up to a limit. If there are more, a last item states how many were found. */
export class ItemList<Code extends string = string> {
  readonly items: ValidationItem<Code | ListCode>[] = []
  /** Number of items, listed or not. */
  found = 0
  #listed = 0
  #severity: Severity = 'warning'

  constructor(
    readonly locale: Locale,
    readonly limit = MAX_ITEMS,
    readonly law = '',
  ) {}

  /** Whether more items were found than are listed. The search can then stop. */
  get isCut(): boolean {
    return this.found > this.#listed
  }

  add(severity: Severity, make: () => ValidationItem<Code>): void {
    if (this.found < this.limit && !this.isCut) this.#listed = this.items.push(make())
    this.count(1, severity)
  }

  /** Counts items, whether they are listed or not. */
  count(more: number, severity: Severity): void {
    this.found += more
    if (severity === 'error') this.#severity = severity
    if (!this.isCut) return
    const extra = { shown: this.#listed, at_least: this.found }
    const item = { source: 'schema', code: 'too_many_errors', path: '', extra } as const
    const { locale } = this
    const parts = localise(messageText(this.law, TOO_MANY.en, TOO_MANY.es), locale, (text) =>
      fill(text, extra, locale),
    )
    this.items[this.#listed] = itemOf({ ...item, severity: this.#severity }, parts)
  }
}

/** Collects errors, which prevent a document from being built, and warnings, which do not. */
export interface ItemCollector<Code extends string> {
  readonly items: readonly ValidationItem<Code | ListCode>[]
  readonly refuse: (code: Code, path: string, extra?: Extra) => void
  readonly warnings: readonly ValidationItem<Code | ListCode>[]
  readonly warn: (code: Code, path: string, extra?: Extra) => void
}

/** Creates a collector of items with the messages of a table, in the given language. */
export function itemCollectorOf<Code extends string>(
  codes: Readonly<Record<Code, MessageText>>,
  locale: Locale,
): ItemCollector<Code> {
  const listOf = (severity: Severity) => {
    const list = new ItemList<Code>(locale)
    return {
      items: list.items,
      add: (code: Code, path: string, extra: Extra | null = null) =>
        list.add(severity, () => createItem(codes[code], { code, path, extra, severity }, locale)),
    }
  }
  const refused = listOf('error')
  const warned = listOf('warning')
  return { items: refused.items, refuse: refused.add, warnings: warned.items, warn: warned.add }
}
