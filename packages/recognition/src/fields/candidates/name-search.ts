/** Finds the name of the holder of a tax id. */
import { checkTaxId } from '#core/identifiers/index.ts'
import { type Cell, cellsAbove, cellsBelow, type DocumentCells } from '../cells/cells.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { plainOf } from '../labels/plain-text.ts'
import { ID_LABEL } from './ids.ts'
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
  roleIn,
} from './name-fields.ts'
import { type Id, isOfCustomer, type Recipient } from './party-ids.ts'

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
export function nameOf(
  sheet: DocumentCells,
  ids: readonly Id[],
  company: Recipient,
): ScoredValue<string> | undefined {
  const search = new NameSearch(sheet, company)
  const names = ids.flatMap((id) => search.byId(id) ?? [])
  const [best] = names.toSorted((a, b) => b.score - a.score)
  return best ? (search.companyOf(best.value) ?? best) : search.first()
}
