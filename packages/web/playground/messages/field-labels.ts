/** Labels of the fields of an invoice, for the form, the explanations and the help of the editor. */
import type { Locale } from '#engine/index.ts'
import { LABELS as LABELS_TEXTS } from '../generated/texts/labels.ts'

const LABELS: Readonly<Record<string, readonly [en: string, es: string]>> = LABELS_TEXTS

/** Returns the label of a field, or its name in the document. */
export function labelOf(name: string, locale: Locale): string {
  const pair = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined
  return pair?.[locale === 'es' ? 1 : 0] ?? name
}

export const hasLabel = (name: string): boolean => Object.hasOwn(LABELS, name)
