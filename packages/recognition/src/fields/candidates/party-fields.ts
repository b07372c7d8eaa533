/** Finds the issuer of the invoice, and whether the invoice is addressed to the company. */
import { checkTaxId } from '#core/identifiers/index.ts'
import { type Cell, cellsAbove, cellsBelow, type DocumentCells, type LabelledValue } from '../cells/cells.ts'
import type { ReasonCode } from '../field-reasons.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { matcher } from '../labels/index.ts'
import { plainOf } from '../labels/plain-text.ts'
import { type FoundId, ID_LABEL, isIdLike, taxIdsIn, type UnprefixedCountry } from './ids.ts'
import {
  hasLegalForm,
  isCustomerLabel,
  isLabelOnly,
  isLegalForm,
  isName,
  isNameLabel,
  labelOf,
  nameWithoutLabel,
  personalNameWords,
  type Role,
  roleIn,
} from './name-fields.ts'
import type { TaxQr } from './qr-fields.ts'

/** The company that received the file, to which its invoices are addressed. */
interface Recipient {
  readonly tax_id: string
  readonly legal_name: string
}

interface Id extends FoundId, Pick<LabelledValue<string>, 'cell'> {}

interface Ids {
  readonly own: readonly Id[]
  readonly others: readonly Id[]
  /** Whether any text after an id label could not be read as an id. */
  readonly isAnyUnread: boolean
}

/** Whether two ids are so similar that one may be a misreading of the other. */
function isNearly(a: string, b: string): boolean {
  if (a.length !== b.length) return a.includes(b) || b.includes(a)
  return [...a].filter((character, at) => character !== b[at]).length <= 2
}

/** Countries whose invoices print tax ids without a country prefix, and words that identify their invoices. */
const UNPREFIXED: readonly (readonly [UnprefixedCountry, RegExp])[] = [
  ['IT', /\bfattura\b|\bpartita iva\b|\bp\.? ?iva\b/],
  ['PT', /\bcontribuinte\b|\bnipc\b|\bportugal\b|\bfatura\b/],
]

const unprefixedIn = ({ plain }: DocumentCells): readonly UnprefixedCountry[] =>
  UNPREFIXED.flatMap(([country, words]) => (words.test(plain) ? [country] : []))

/** Returns the cells that may contain the value of a label at the end of a cell: beside, below, or in the next row. */
function cellsAfter(sheet: DocumentCells, cell: Cell): Cell[] {
  const row = sheet.rows[cell.row] ?? []
  const next = row[cell.column + 1]
  if (next) return [next, ...cellsBelow(sheet, cell, 1)]
  const [first] = sheet.rows[cell.row + 1] ?? []
  const below = cellsBelow(sheet, cell, 1)
  return first && first.page === cell.page && !below.includes(first) ? [...below, first] : below
}

interface Read {
  readonly ids: readonly Id[]
  readonly isUnread: boolean
}

/** Returns the ids of a cell and after its labels, and whether a text after a label could not be read as an id. */
function idsOf(sheet: DocumentCells, cell: Cell, unprefixed: readonly UnprefixedCountry[]): Read {
  const labels = [...cell.plain.matchAll(new RegExp(ID_LABEL, 'g'))]
  const read = (place: Cell, text: string, isAnnounced: boolean): Id[] =>
    taxIdsIn(text, { isAnnounced, isGuessed: place.source === 'ocr', unprefixed }).map((id) => ({
      ...id,
      cell: place,
    }))
  const found: Id[] = read(cell, cell.text, false)
  let isUnread = false
  for (const [at, label] of labels.entries()) {
    const rest = cell.text.slice(label.index + label[0].length, labels[at + 1]?.index)
    if (rest.trim() !== '') {
      const announced = read(cell, rest, true)
      found.push(...announced)
      isUnread ||= announced.length === 0 && found.length === 0 && isIdLike(rest)
    } else if (at === labels.length - 1)
      for (const place of cellsAfter(sheet, cell)) {
        const ids = read(place, place.text, true)
        found.push(...ids)
        if (ids.length > 0) break
        isUnread ||= isIdLike(place.text)
      }
  }
  return { ids: found, isUnread }
}

function idsIn(sheet: DocumentCells, company: Recipient): Ids {
  const unprefixed = unprefixedIn(sheet)
  const found = sheet.cells.map((cell) => idsOf(sheet, cell, unprefixed))
  const ids = found.flatMap((one) => one.ids)
  return {
    own: ids.filter(({ value }) => value === company.tax_id),
    others: ids.filter(
      ({ value, isRepaired }) => value !== company.tax_id && !(isRepaired && isNearly(value, company.tax_id)),
    ),
    isAnyUnread: found.some(({ isUnread }) => isUnread),
  }
}

/** Words beside an id of a third party, such as a printer or a software vendor. */
const THIRD_PARTY = matcher('thirdParty')
const REGISTER = matcher('register')

/** Returns the role of the party whose block contains an id, according to the nearest party label above. */
function roleOf(sheet: DocumentCells, { cell }: Pick<Id, 'cell'>): Role | undefined {
  for (const above of [cell, ...cellsAbove(sheet, cell, 8)]) {
    const role = roleIn(above.plain)
    if (role) return role
  }
  return undefined
}

const isOfCustomer = (sheet: DocumentCells, id: Pick<Id, 'cell'>): boolean => roleOf(sheet, id) === 'customer'

const namedOnce = (ids: readonly Id[]): Map<string, Id> => {
  const found = new Map<string, Id>()
  for (const id of ids) if (!(found.get(id.value)?.isRepaired === false)) found.set(id.value, id)
  return found
}

export interface Parties {
  readonly taxId: ScoredValue<string> | undefined
  readonly name: ScoredValue<string> | undefined
  /** Whether the company's id is on the document, in the customer's block or without another id in that block. */
  readonly isAddressed: boolean
  /** The id in the customer's block, if it is not that of the company. */
  readonly otherCustomer: string | undefined
  /** Reasons to check to whom a document with the company's id is addressed. */
  readonly customerDoubts: readonly ReasonCode[]
  /** Whether the company itself issued the document. */
  readonly isOwn: boolean
}

const lettersOf = (text: string): string => plainOf(text).replaceAll(/[^a-z0-9]/g, '')

const heightOf = ({ top, bottom }: Cell): number => Math.max(1, bottom - top)

/** Whether a text line is directly below another one, with the same letter size, at a common edge or middle. */
function isNextLine(upper: Cell, lower: Cell): boolean {
  const height = heightOf(lower)
  const [left, right] = [upper.left - lower.left, upper.right - lower.right].map(Math.abs) as [number, number]
  // The lines of a block begin or end together, or have a common middle.
  const isAligned = Math.min(left, right) < height / 2 || Math.abs(left - right) < height / 4
  return isAligned && lower.top - upper.bottom < height && Math.abs(heightOf(upper) - height) < 0.15 * height
}

const JOINT = /(?:[,&-]|(?:^|\s)(?:de|del|la|las|los|el|y|e|i|para))$/
/** Whether two texts show that the lower line continues the upper line. */
const continues = (upper: string, lower: Cell): boolean =>
  JOINT.test(plainOf(upper)) || /^\p{Ll}/u.test(lower.text) || isLegalForm(lower.plain)

const isCapitals = (text: string): boolean => text === text.toUpperCase()

/** Whether the first word of a text line would not have fitted into the line above, given the width of the block. */
function didNotFit(upper: Cell, lower: Cell, block: readonly Cell[]): boolean {
  const letter = (lower.right - lower.left) / Math.max(1, lower.text.length)
  const [firstWord = ''] = lower.text.split(' ')
  const word = (firstWord.length + 1) * letter
  const widest = Math.max(...block.map(({ left, right }) => right - left))
  // The comparison tolerates different widths of letters.
  return (
    (upper.right - upper.left + word) * 1.06 > widest && isCapitals(upper.text) === isCapitals(lower.text)
  )
}

/** Whether two text lines have the same letter size and case. */
const isAlike = (upper: Cell, lower: Cell): boolean =>
  Math.abs(heightOf(upper) - heightOf(lower)) < 0.03 * heightOf(lower) &&
  isCapitals(upper.text) === isCapitals(lower.text)

interface Name {
  readonly text: string
  /** Whether only the text width suggests that an upper text line is part of the name. */
  readonly isGuessed: boolean
}

/** Whether a text shares a long word with a name, like a brand printed above the name of its company. */
const isBrandOf = (brand: string, name: string): boolean =>
  brand.split(/\W+/).some((word) => word.length > 4 && name.includes(word))

/** Returns the name that ends in a cell, including text lines above that are part of the name. */
function wholeName(sheet: DocumentCells, cell: Cell): Name {
  let [text, isGuessed, lower] = [cell.text, false, cell]
  const around = [cell, ...cellsAbove(sheet, cell, 3), ...cellsBelow(sheet, cell, 5)]
  if (!hasLegalForm(plainOf(text))) return { text, isGuessed }
  for (const upper of cellsAbove(sheet, cell, 3)) {
    if (!isName(upper.text) || hasLegalForm(upper.plain) || !isNextLine(upper, lower)) break
    const isSure = continues(upper.text, lower)
    if (!isSure && isBrandOf(upper.plain, plainOf(text))) break
    if (!isSure && !didNotFit(upper, lower, around)) {
      // Alike lines may be a brand and a name, or one name.
      isGuessed ||= isAlike(upper, lower)
      break
    }
    text = `${upper.text} ${text}`
    isGuessed ||= !isSure
    lower = upper
  }
  return { text, isGuessed }
}

/** Returns the cells above a cell, up to the label of its block. */
function blockAbove(sheet: DocumentCells, cell: Cell): Cell[] {
  const above = cellsAbove(sheet, cell, 7)
  const other = above.findIndex(({ plain }) => roleIn(plain) === 'customer')
  const block = other < 0 ? above : above.slice(0, other)
  const label = block.findIndex(({ plain }) => isLabelOnly(plain))
  return label < 0 ? block : block.slice(0, label + 1)
}

/** Returns the first result of `make` that is not undefined. */
function firstOf<T>(cells: readonly Cell[], make: (cell: Cell) => T | undefined): T | undefined {
  for (const cell of cells) {
    const made = make(cell)
    if (made !== undefined) return made
  }
  return undefined
}

/** Whether a text contains the name of the company, or is a part of that name. */
function isCompanyName(text: string, { legal_name }: Recipient): boolean {
  const [own, letters] = [lettersOf(legal_name), lettersOf(text)]
  return own.length > 2 && (letters.includes(own) || (own.includes(letters) && letters.length > 5))
}

/** Whether any long word of the company's name is printed. */
function isNamePrinted({ plain }: DocumentCells, { legal_name }: Recipient): boolean {
  const words = plainOf(legal_name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 3)
  return words.length === 0 || words.some((word) => plain.includes(word))
}

/** Finds the name of the holder of an id. */
class NameSearch {
  constructor(
    readonly sheet: DocumentCells,
    readonly company: Recipient,
  ) {}

  #trust(isFormed: boolean): number {
    return this.sheet.source === 'ocr' || !isFormed ? TRUST.found : TRUST.agreed
  }

  /** Returns the name in a text, without label and additions, if it can be the supplier's. */
  #accepted(text: string): string | undefined {
    const label = labelOf(text)
    if (label !== undefined && isCustomerLabel(label)) return undefined
    if (label !== undefined && !isNameLabel(label) && isName(text)) return undefined
    const name = nameWithoutLabel(text)
    return name !== '' && isName(name) && !isCompanyName(name, this.company) ? name : undefined
  }

  /** Returns the name of a cell if it ends in a legal form. A name of guessed extent needs a review. */
  formed(cell: Cell, score: number = this.#trust(true)): ScoredValue<string> | undefined {
    const bare = nameWithoutLabel(cell.text)
    if (!hasLegalForm(plainOf(bare))) return undefined
    const { text, isGuessed } = wholeName(this.sheet, { ...cell, text: bare, plain: plainOf(bare) })
    const name = this.#accepted(cell.text.includes(text) ? cell.text : text)
    if (name === undefined || isLegalForm(plainOf(name))) return undefined
    return isGuessed ? scoredValue(name, TRUST.found, 'supplier_name_broken') : scoredValue(name, score)
  }

  /** Returns the topmost name of a block, with the next text line if it continues the name. */
  #highest(block: readonly Cell[]): ScoredValue<string> | undefined {
    const highest = block.findLastIndex((one) => this.#accepted(one.text))
    const [first, second] = [block[highest], block[highest - 1]]
    if (!first) return undefined
    const isBroken =
      second && isName(second.text) && isNextLine(first, second) && continues(first.text, second)
    // The text directly below a supplier label is the supplier's name, even without a legal form.
    const isLabelled = block[highest + 1] !== undefined && isLabelOnly(block[highest + 1]?.plain ?? '')
    return scoredValue(
      nameWithoutLabel(isBroken ? `${first.text} ${second.text}` : first.text),
      this.#trust(isLabelled),
    )
  }

  /** Returns the topmost name of a person with two surnames in a block, else the topmost name of a person. */
  #personal(block: readonly Cell[]): ScoredValue<string> | undefined {
    const names = block
      .flatMap(({ text }) => this.#accepted(text) ?? [])
      .filter((name) => personalNameWords(name) > 0)
    const whole = names.findLast((one) => personalNameWords(one) > 2)
    const name = whole ?? names.at(-1)
    return name === undefined ? undefined : scoredValue(name, this.#trust(whole !== undefined))
  }

  /** Returns the name printed before, beside, above or below an id. */
  byId({ cell, value }: Id): ScoredValue<string> | undefined {
    const label = cell.plain.search(ID_LABEL)
    const at = label < 0 ? cell.text.indexOf(value) : label
    const before = at > 3 ? this.#accepted(cell.text.slice(0, at)) : undefined
    const isPerson = checkTaxId(value).person_type_code === 'F'
    const isWhole = hasLegalForm(plainOf(before ?? '')) || (isPerson && personalNameWords(before ?? '') > 2)
    if (before) return scoredValue(before, this.#trust(isWhole))
    const isAtStart = /^\W*$/.test(cell.text.slice(0, Math.max(0, at)))
    const beside = isAtStart ? this.sheet.rows[cell.row]?.[cell.column - 1] : undefined
    const block = blockAbove(this.sheet, cell)
    return (
      (beside && this.formed(beside)) ??
      firstOf([...block, ...cellsBelow(this.sheet, cell, 1)], (one) => this.formed(one)) ??
      (isPerson ? this.#personal(block) : undefined) ??
      this.#highest(
        block.filter(({ row, text }) => !/\d/.test(text) && (this.sheet.rows[row]?.length ?? 0) < 3),
      )
    )
  }

  /** Returns a name with a legal form that contains all words of a brand. Such a name is often in the small print. */
  companyOf(brand: string): ScoredValue<string> | undefined {
    const words = plainOf(brand).split(/\W+/)
    if (hasLegalForm(plainOf(brand)) || !words.some((word) => word.length > 4)) return undefined
    return firstOf(this.sheet.cells, (cell) =>
      words.every((word) => cell.plain.includes(word)) ? this.formed(cell) : undefined,
    )
  }

  /** Returns the first name with a legal form outside of the block of the customer. */
  first(): ScoredValue<string> | undefined {
    const score = this.sheet.source === 'ocr' ? TRUST.doubted : TRUST.found
    return firstOf(this.sheet.cells, (cell) =>
      isOfCustomer(this.sheet, { cell }) ? undefined : this.formed(cell, score),
    )
  }
}

/** Returns the best name near any occurrence of the supplier's id, else the first name with a legal form. */
function nameOf(
  sheet: DocumentCells,
  ids: readonly Id[],
  company: Recipient,
): ScoredValue<string> | undefined {
  const search = new NameSearch(sheet, company)
  const names = ids.flatMap((id) => search.byId(id) ?? [])
  const [best] = names.toSorted((a, b) => b.score - a.score)
  return best ? (search.companyOf(best.value) ?? best) : search.first()
}

/** Returns the weight of the evidence that an id is the supplier's. */
const evidenceFor = (sheet: DocumentCells, id: Id): number =>
  (roleOf(sheet, id) === 'supplier' ? 2 : 0) + (REGISTER.test(id.cell.plain) ? 1 : 0)

/** Returns the tax id of the supplier. If there are several candidates, returns the likeliest with a low score. */
function supplierOf(
  ids: Ids,
  candidates: readonly Id[],
  sheet: DocumentCells,
): ScoredValue<string> | undefined {
  const [id, other] = candidates
  if (!id) return undefined
  if (other) {
    const isLikely = evidenceFor(sheet, id) > evidenceFor(sheet, other)
    return scoredValue(id.value, isLikely ? TRUST.found : TRUST.doubted, 'several_suppliers')
  }
  if (id.isUnverified === 'wrong') return scoredValue(id.value, TRUST.doubted, 'supplier_wrong_check')
  if (id.isUnverified === 'unknown') return scoredValue(id.value, TRUST.found, 'supplier_unchecked')
  if (id.isCompleted) return scoredValue(id.value, TRUST.found, 'supplier_repaired')
  if (id.isRepaired) return scoredValue(id.value, TRUST.agreed, 'supplier_repaired')
  if (sheet.source === 'ocr') return scoredValue(id.value, TRUST.agreed)
  if (ids.own.length === 0 || ids.isAnyUnread)
    return scoredValue(id.value, TRUST.agreed, 'supplier_unchecked')
  return scoredValue(id.value, TRUST.checked)
}

/**
 * Whether the company issued the invoice: no other id can be that of the supplier, and the company's id is in the
 * supplier's block, or another id is in the customer's block.
 */
function isOwnIssue(sheet: DocumentCells, { own, others }: Ids, candidates: readonly Id[]): boolean {
  const roles = own.map((id) => roleOf(sheet, id))
  if (roles.length === 0 || roles.includes('customer')) return false
  if (roles.includes('supplier') && candidates.length === 0) return true
  return candidates.length === 0 && others.some((id) => isOfCustomer(sheet, id))
}

export function partiesIn(sheet: DocumentCells, code: TaxQr | undefined, company: Recipient): Parties {
  const ids = idsIn(sheet, company)
  const ofOthers = ids.others.filter((id) => !isOfCustomer(sheet, id))
  const ofParties = ofOthers.filter(({ cell }) => !THIRD_PARTY.test(cell.plain))
  const ofSuppliers = ofParties.length > 0 ? ofParties : ofOthers
  const candidates = [...namedOnce(ofSuppliers).values()].sort(
    (a, b) => evidenceFor(sheet, b) - evidenceFor(sheet, a),
  )
  if (code?.taxId === company.tax_id || (!code && isOwnIssue(sheet, ids, candidates))) {
    const taxId = scoredValue(company.tax_id, TRUST.doubted, 'supplier_is_company')
    return {
      taxId,
      name: undefined,
      isAddressed: false,
      otherCustomer: undefined,
      customerDoubts: [],
      isOwn: true,
    }
  }
  const other = ids.others.find((id) => isOfCustomer(sheet, id))?.value
  const isNamed = ids.own.some((id) => isOfCustomer(sheet, id))
  const isAddressed = ids.own.length > 0 && (isNamed || other === undefined)
  const taxId = code ? supplierOfCode(code, ids, candidates, sheet) : supplierOf(ids, candidates, sheet)
  const same = ids.others.filter(({ value }) => value === taxId?.value)
  return {
    taxId,
    name: nameOf(sheet, same.length > 0 ? same : candidates.slice(0, 1), company),
    isAddressed,
    otherCustomer: isAddressed || other === taxId?.value ? undefined : other,
    customerDoubts: [
      ...(isAddressed && other !== undefined ? (['several_customers'] as const) : []),
      ...(isAddressed && !isNamePrinted(sheet, company) ? (['customer_name_missing'] as const) : []),
    ],
    isOwn: false,
  }
}

/** Returns the tax id of the QR, with a low score if it is invalid or the text contains only other suppliers' ids. */
function supplierOfCode(
  code: TaxQr,
  ids: Ids,
  candidates: readonly Id[],
  sheet: DocumentCells,
): ScoredValue<string> {
  const isPrinted = ids.others.some(({ value }) => value === code.taxId)
  const isDenied = sheet.source === 'text' && !isPrinted && candidates.length > 0
  const isRight = checkTaxId(code.taxId, 'ES').valid
  return isDenied || !isRight
    ? scoredValue(code.taxId, TRUST.found, 'supplier_contradicted')
    : scoredValue(code.taxId, TRUST.certain)
}
