/** Recognises names of companies and persons among other texts. */
import { matcher, patternSourceOf } from '../labels/index.ts'
import { plainOf } from '../labels/plain-text.ts'

/** Legal forms, in plain text. */
const FORMS = [
  's\\.?\\s?l\\.?\\s?(?:u\\.?|p\\.?|l\\.?|n\\.?e\\.?)?',
  's\\.?\\s?a\\.?\\s?(?:u\\.?|l\\.?|t\\.?|s\\.?)?',
  's\\.?\\s?coop\\.?(?:\\s?[a-z]{1,6}\\.?)?',
  's\\.?\\s?c\\.?\\s?c\\.?\\s?l\\.?',
  'koop\\.?\\s?e\\.?',
  'c\\.?\\s?b\\.?',
  's\\.?\\s?c\\.?\\s?(?:p\\.?|a\\.?)?',
  'a\\.?i\\.?e\\.?',
  'u\\.?t\\.?e\\.?',
  'sociedad (?:limitada|anonima)(?: unipersonal| laboral| profesional)?',
  'societat limitada|sociedade limitada|sociedad cooperativa|comunidad de bienes|sociedad civil',
  '(?:gmbh|ug|ag)(?: & co\\.? kg(?:aa)?)?|ohg|kg|e\\.?\\s?k\\.?|e\\.?\\s?v\\.?',
  'ltd\\.?|limited|plc|llp|llc|inc\\.?|corp\\.?',
  'sarl|s\\.a\\.r\\.l\\.?|sasu?|s\\.a\\.s\\.?|eurl|snc|sci|scop',
  's\\.?\\s?a\\.?\\s?r\\.?\\s?l\\.?',
  's\\.?\\s?r\\.?\\s?l\\.?\\s?s?\\.?|s\\.?\\s?p\\.?\\s?a\\.?|s\\.?\\s?n\\.?\\s?c\\.?',
  'b\\.?v\\.?|n\\.?v\\.?',
  '(?:unipessoal,? )?lda\\.?',
].join('|')
const FORM = new RegExp(`(?:^|[\\s,])(?:${FORMS})$`)
/** Matches the shortest beginning of a text that ends in a legal form, if other text follows. */
const FORM_INSIDE = new RegExp(
  `^(.{3,}?[\\s,](?:${FORMS}))(?=\\s*[,;·•|–—-]\\s|\\s*\\.\\s|\\s+[(/]|\\s+(?:${patternSourceOf('register', 'taxId')}))`,
)
const REGISTER = new RegExp(`(?<![\\s,;.·|(–—-])[\\s,;.·|(–—-]*(?:${patternSourceOf('register')})`)
const ID = new RegExp(`(?<![\\s,;.·|(–—-])[\\s,;.·|(–—-]+(?:${patternSourceOf('taxId')})\\s*[:.\\s]`)

const SUPPLIER_LABEL = matcher('supplier')
const CUSTOMER_LABEL = matcher('customer')
/** Matches labels that end in a preposition, such as `Vendido por`, after which a name follows without a colon. */
const PREPOSITION = new RegExp(`(?:${patternSourceOf('by')}|razon social|nombre(?: fiscal)?)$`)

export type Role = 'supplier' | 'customer'

/** Returns the role that a text announces. A name with a legal form is not a label, even if it begins like one. */
export function roleIn(plain: string): Role | undefined {
  const isCustomer = CUSTOMER_LABEL.exec(plain)
  const label = isCustomer ?? SUPPLIER_LABEL.exec(plain)
  if (!label) return undefined
  const end = label.index + label[0].length
  const isName = hasLegalForm(plain) && !plain.includes(':') && !PREPOSITION.test(plain.slice(0, end))
  return isName ? undefined : isCustomer ? 'customer' : 'supplier'
}
const NAME_LABEL =
  /\b(?:razon social|nombre(?: fiscal)?|titular|denominacion(?: social)?|empresa|name|company|nom|izena|nome|firma)\b/
/** Matches a label before a name. Words such as "Empresa" also begin names, so the label must end in a colon. */
const LABEL = /^([^:]{2,45}):\s*(?=\S)/
const SUPPLIER_PREFIX = new RegExp(
  `^(?:${patternSourceOf('supplier')}|razon social|nombre(?: fiscal)?)\\s+(?=\\S)`,
)
const LABEL_ONLY = new RegExp(
  `^(?:datos (?:del? )?)?(?:${patternSourceOf('supplier', 'customer')})(?:\\s*[/·|]\\s*(?:${patternSourceOf('supplier', 'customer')}))?\\s*:?$`,
)
const NOT_A_NAME = matcher('notName')
const ID_LINE = new RegExp(`^(?:${patternSourceOf('taxId')})\\W`)
const NEVER_A_NAME = /^\W*$|@|www\.|https?:|^\d|\b\d{5}\b|\bc\/|\biban\b/

export const hasLegalForm = (plain: string): boolean => FORM.test(plain.replace(/(?<![\s,;])[\s,;]+$/, ''))

/** Whether a text is only a legal form. */
export const isLegalForm = (plain: string): boolean => plain.replace(FORM, '').trim() === ''

/** Whether a text is only the label of a party. */
export const isLabelOnly = (plain: string): boolean => LABEL_ONLY.test(plain.trim())

/** Maximum number of words in a name without a legal form. Longer texts are sentences. */
const MAX_WORDS = 8

/** Whether a text can be a name. A text with a legal form can be a name even if it has words that are rare in names. */
export function isName(text: string): boolean {
  const plain = plainOf(text)
  if (!/\p{L}{2}/u.test(text) || text.length > 120) return false
  if (plain.split(' ').length > MAX_WORDS && !hasLegalForm(plain)) return false
  if (NEVER_A_NAME.test(plain) || ID_LINE.test(plain) || isLabelOnly(plain)) return false
  return !NOT_A_NAME.test(plain) || hasLegalForm(plain)
}

/** Returns the label before a text, if it ends in a colon. */
export const labelOf = (text: string): string | undefined => LABEL.exec(plainOf(text))?.[1]

/** Removes the label before a name, and the register entry, tax id and address after the name. */
export function nameWithoutLabel(text: string): string {
  const label = LABEL.exec(text)
  const behind = label && !/\d/.test(label[1] ?? '') ? text.slice(label[0].length) : text
  const prefix = SUPPLIER_PREFIX.exec(plainOf(behind))?.[0].length ?? 0
  const isLabel = PREPOSITION.test(plainOf(behind.slice(0, prefix)).trim())
  const bare = isLabel && prefix < behind.length ? behind.slice(prefix) : behind
  const plain = plainOf(bare)
  const ends = [REGISTER, ID, CIRCUMSTANCES].map((pattern) => pattern.exec(plain)?.index ?? plain.length)
  const title = TITLE.exec(plain)?.[0].length ?? 0
  const end = Math.min(FORM_INSIDE.exec(plain)?.[1]?.length ?? plain.length, ...ends)
  // The period of an abbreviated legal form is part of the name.
  const isAbbreviated = plain[end] === '.' && /\.\s?[a-z]$/.test(plain.slice(0, end))
  return bare
    .slice(title, isAbbreviated ? end + 1 : end)
    .replace(/(?<![\s,;:·•|–—-])[\s,;:·•|–—-]+$/, '')
    .replace(/^[\s,;:·•|–—-]+/, '')
    .trim()
}

/** Matches the title before the name of a person, and what contracts say after the name. */
const TITLE = /^(?:d|don|dna|dona|sr|sra)\.?\s+(?=\p{L}+\s)/u
const CIRCUMSTANCES = /,\s*(?:con|mayor|vecin[oa]|domiciliad[oa]|provist[oa])\b/

/** Whether a label announces the name of the supplier, or a name in general. */
export const isNameLabel = (label: string): boolean =>
  (SUPPLIER_LABEL.test(label) || NAME_LABEL.test(label)) && !CUSTOMER_LABEL.test(label)

/** Whether a text before a colon is the label of the customer. */
export const isCustomerLabel = (label: string): boolean => CUSTOMER_LABEL.test(label)

/** Particles in names of persons. */
const PARTICLE = /^(?:de|del|la|las|los|y|i|e|da|do|dos|das|van|von|den|der|du)$/

/** Returns the number of capitalised words if a text can be the name of a person, else 0. */
export function personalNameWords(text: string): number {
  const words = text.split(/\s+/).filter((word) => !PARTICLE.test(word))
  return words.length > 1 && words.every((word) => /^\p{Lu}[\p{L}.'’-]*$/u.test(word)) ? words.length : 0
}
