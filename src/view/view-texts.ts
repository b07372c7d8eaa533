/** Texts of the invoice: legal mentions, and notes of the issuer. */

import type { Pair } from './page-language.ts'
import type { Subject } from './subject.ts'
import { TEXTS } from './view-labels.ts'
import type { TextsView } from './view-model.ts'

function textsOf({ lang }: Subject, label: Pair, texts: readonly (string | undefined)[]): TextsView | null {
  const distinct = [...new Set(texts)].filter((text): text is string => Boolean(text))
  return distinct.length > 0 ? { label: lang.label(label), texts: distinct } : null
}

/** Returns the legal literals of the document and its lines, and the issuer's texts for exemptions and regimes. */
export function mentionsOf(subject: Subject): TextsView | null {
  const { legal_literals: literals = [], lines, taxes_outputs: taxes = [] } = subject.invoice
  const all = [...literals, ...lines.flatMap((line) => line.legal_literals ?? [])]
  const reasons = [...lines, ...taxes].flatMap((one) => [
    one.exemption_reason_text,
    one.tax_regime_description,
  ])
  return textsOf(subject, TEXTS.mentions, [...all.map((literal) => literal.legal_reference), ...reasons])
}

export const notesOf = (subject: Subject): TextsView | null =>
  textsOf(subject, TEXTS.notes, [subject.invoice.additional_data?.invoice_additional_information])
