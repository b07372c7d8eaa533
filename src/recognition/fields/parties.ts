/** Finds the issuer of the invoice, and whether it is addressed to the company. */
import { checkTaxId } from '../../identifiers/index.ts'
import { type Cell, cellsAbove, cellsBelow, type Hit, plainOf, type Sheet } from './cells.ts'
import type { TaxCode } from './codes.ts'
import { type Found, found, TRUST } from './found.ts'
import { ID_LABEL, isIdLike, taxIdsIn } from './ids.ts'

/** The company that received the file, to which its invoices are addressed. */
export interface Recipient {
  readonly tax_id: string
  readonly legal_name: string
}

interface Id extends Hit<string> {
  readonly isRepaired: boolean
}

interface Ids {
  readonly others: readonly Id[]
  readonly isCompanyNamed: boolean
  /** Whether a text after an id label could not be read as an id. */
  readonly isAnyUnread: boolean
}

/** Whether two ids differ so little that one may be a misreading of the other. */
function isNearly(a: string, b: string): boolean {
  if (a.length !== b.length) return a.includes(b) || b.includes(a)
  return [...a].filter((character, at) => character !== b[at]).length <= 2
}

/** Returns the ids in a cell or after its label, and whether a labelled text could not be read as one. */
function idsOf(sheet: Sheet, cell: Cell): { readonly ids: readonly Id[]; readonly isUnread: boolean } {
  const label = [...cell.plain.matchAll(new RegExp(ID_LABEL, 'g'))].at(-1)
  const read = (place: Cell, text: string, isAnnounced: boolean): Id[] =>
    taxIdsIn(text, isAnnounced).map((id) => ({ ...id, cell: place }))
  if (!label) return { ids: read(cell, cell.text, false), isUnread: false }
  const rest = cell.text.slice(label.index + label[0].length)
  if (rest.trim() !== '') {
    const announced = read(cell, rest, true)
    const ids = announced.length > 0 ? announced : read(cell, cell.text, false)
    return { ids, isUnread: ids.length === 0 && isIdLike(rest) }
  }
  const next = sheet.rows[cell.row]?.[cell.column + 1]
  let isUnread = false
  for (const place of [...(next ? [next] : []), ...cellsBelow(sheet, cell, 1)]) {
    const ids = read(place, place.text, true)
    if (ids.length > 0) return { ids, isUnread }
    isUnread ||= isIdLike(place.text)
  }
  return { ids: [], isUnread }
}

function idsIn(sheet: Sheet, company: Recipient): Ids {
  const found = sheet.cells.map((cell) => idsOf(sheet, cell))
  const ids = found.flatMap((one) => one.ids)
  return {
    others: ids.filter(
      ({ value, isRepaired }) => value !== company.tax_id && !(isRepaired && isNearly(value, company.tax_id)),
    ),
    isCompanyNamed: ids.some(({ value }) => value === company.tax_id),
    isAnyUnread: found.some(({ isUnread }) => isUnread),
  }
}

const SUPPLIER_LABEL =
  /\b(?:emisor|proveedor|expedidor|vendedor|supplier|seller|issuer|from|datos fiscales)\b/
const CUSTOMER_LABEL =
  /\b(?:cliente|client|destinatario|facturar a|facturado a|bill(?:ed)? to|customer|buyer|receptor|comprador|sold to|adquirente|datos del cliente)\b/
/** Words beside an id of a third party, such as a printer or a software vendor. */
const THIRD_PARTY =
  /\b(?:software|programa|generad[oa]|powered|impres[oa]|imprenta|gestoria|asesoria de|plataforma|pasarela|transportista|agente)\b/

/** Whether an id is in the block of the customer: the nearest heading above decides. */
function isOfCustomer(sheet: Sheet, { cell }: Pick<Id, 'cell'>): boolean {
  for (const above of [cell, ...cellsAbove(sheet, cell, 8)]) {
    if (SUPPLIER_LABEL.test(above.plain) && !/cliente/.test(above.plain)) return false
    if (CUSTOMER_LABEL.test(above.plain)) return true
  }
  return false
}

const namedOnce = (ids: readonly Id[]): Map<string, Id> => {
  const found = new Map<string, Id>()
  for (const id of ids) if (!(found.get(id.value)?.isRepaired === false)) found.set(id.value, id)
  return found
}

export interface Parties {
  readonly taxId: Found<string> | undefined
  readonly name: Found<string> | undefined
  /** Whether the company's own id is on the document. */
  readonly isAddressed: boolean
}

const FORM =
  /(?:^|[\s,])(?:s\.?\s?l\.?\s?(?:u\.?|p\.?|l\.?|n\.?e\.?)?|s\.?\s?a\.?\s?(?:u\.?|l\.?)?|s\.?\s?coop\.?(?:\s?[a-z]*)?|c\.?\s?b\.?|s\.?\s?c\.?\s?(?:p\.?)?|a\.?i\.?e\.?|u\.?t\.?e\.?|sociedad (?:limitada|anonima)(?: unipersonal)?|gmbh|ltd\.?|limited|llc|inc\.?|sarl|s\.?r\.?l\.?|b\.?v\.?|lda\.?|ag|sas)$/
const NOT_A_NAME =
  /^\W*$|@|www\.|https?:|\b(?:tel|telefono|fax|email|e-mail|c\/|calle|avda|avenida|plaza|paseo|ctra|carrer|poligono|iban|pagina|page|total|base|fecha|vencimiento|numero|factura|invoice|iva|importe|cantidad|descripcion|concepto|forma de pago)\b|^\d|\b\d{5}\b/

const isName = (cell: Cell): boolean =>
  /\p{L}{2}/u.test(cell.text) && cell.text.length <= 120 && !NOT_A_NAME.test(cell.plain) && !isLabelOnly(cell)
const isLabelOnly = ({ plain }: Cell): boolean =>
  new RegExp(`^(?:datos (?:del? )?)?(?:${SUPPLIER_LABEL.source}|${CUSTOMER_LABEL.source})\\s*:?$`).test(plain)

const hasForm = ({ plain }: Pick<Cell, 'plain'>): boolean => FORM.test(plain.replace(/[\s,;]+$/, ''))

const lettersOf = (text: string): string => plainOf(text).replaceAll(/[^a-z0-9]/g, '')

/** Removes the label of a name. "Empresa" also begins names, so it counts as a label only with a colon. */
const bare = (text: string): string =>
  text
    .replace(
      /^(?:(?:emisor|proveedor|expedidor|vendedor|supplier|seller|issuer|from|raz[oó]n social|nombre(?: fiscal)?)\s*:?\s+|empresa\s*:\s*)/i,
      '',
    )
    .replace(/[\s,;:–-]+$/, '')
    .trim()

const heightOf = ({ top, bottom }: Cell): number => Math.max(1, bottom - top)

/** Whether a line is right below another one, with the same letter size and one common edge. */
function isNextLine(upper: Cell, lower: Cell): boolean {
  const height = heightOf(lower)
  const isAligned =
    Math.abs(upper.left - lower.left) < height / 2 || Math.abs(upper.right - lower.right) < height / 2
  return isAligned && lower.top - upper.bottom < height && Math.abs(heightOf(upper) - height) < 0.15 * height
}

const JOINT = /(?:[,&-]|(?:^|\s)(?:de|del|la|las|los|el|y|e|i|para))$/
/** Whether a text is only a legal form. */
const isForm = (plain: string): boolean => plain.replace(FORM, '').trim() === ''

/** Whether the texts of two lines show that the second continues the first. */
const continues = (upper: string, lower: Cell): boolean =>
  JOINT.test(plainOf(upper)) || /^\p{Ll}/u.test(lower.text) || isForm(lower.plain)

const isCapitals = (text: string): boolean => text === text.toUpperCase()

/** Whether the first word of a line did not fit in the line above, given the widest line of the block. */
function didNotFit(upper: Cell, lower: Cell, block: readonly Cell[]): boolean {
  const letter = (lower.right - lower.left) / Math.max(1, lower.text.length)
  const [firstWord = ''] = lower.text.split(' ')
  const word = (firstWord.length + 1) * letter
  const widest = Math.max(...block.map(({ left, right }) => right - left))
  // Tolerates different widths of letters.
  return (
    (upper.right - upper.left + word) * 1.06 > widest && isCapitals(upper.text) === isCapitals(lower.text)
  )
}

interface Name {
  readonly text: string
  /** Whether only the line width suggests that its first line is part of the name. */
  readonly isGuessed: boolean
}

/** Returns the name that ends in a line, including the lines above that it continues. */
function wholeName(sheet: Sheet, cell: Cell): Name {
  let [text, isGuessed, lower] = [cell.text, false, cell]
  const around = [cell, ...cellsAbove(sheet, cell, 3), ...cellsBelow(sheet, cell, 5)]
  if (!hasForm({ plain: plainOf(text) })) return { text, isGuessed }
  for (const upper of cellsAbove(sheet, cell, 3)) {
    if (!isName(upper) || hasForm(upper) || bare(upper.text) === '' || !isNextLine(upper, lower)) break
    const isSure = continues(upper.text, lower)
    if (!isSure && !didNotFit(upper, lower, around)) break
    text = `${upper.text} ${text}`
    isGuessed ||= !isSure
    lower = upper
  }
  return { text, isGuessed }
}

/** Returns the cells above a cell, up to the label of its block. */
function blockAbove(sheet: Sheet, cell: Cell): Cell[] {
  const above = cellsAbove(sheet, cell, 7)
  const other = above.findIndex(({ plain }) => CUSTOMER_LABEL.test(plain) && !SUPPLIER_LABEL.test(plain))
  const block = other < 0 ? above : above.slice(0, other)
  const label = block.findIndex(isLabelOnly)
  return label < 0 ? block : block.slice(0, label + 1)
}

/** Returns the first defined result of `make`. */
function firstOf<T>(cells: readonly Cell[], make: (cell: Cell) => T | undefined): T | undefined {
  for (const cell of cells) {
    const made = make(cell)
    if (made !== undefined) return made
  }
  return undefined
}

/** Returns the name of the holder of an id: before it, or above it; else the first name with a legal form on a page. */
function nameOf(sheet: Sheet, id: Id | undefined, company: Recipient): Found<string> | undefined {
  const isCompany = (text: string) => {
    const own = lettersOf(company.legal_name)
    return (
      own.length > 2 &&
      (lettersOf(text).includes(own) || (own.includes(lettersOf(text)) && lettersOf(text).length > 5))
    )
  }
  const trust = (hasForm: boolean) => (sheet.source === 'ocr' || !hasForm ? TRUST.found : TRUST.agreed)
  const accept = (text: string, cell: Cell) => {
    const name = bare(text)
    return name !== '' && isName({ ...cell, text: name, plain: plainOf(name) }) && !isCompany(name)
      ? name
      : undefined
  }
  /** Returns the name in a line that ends in a legal form. A name joined by guess needs a review. */
  const formed = (cell: Cell, score: number = trust(true)): Found<string> | undefined => {
    if (!hasForm({ plain: plainOf(bare(cell.text)) })) return undefined
    const { text, isGuessed } = wholeName(sheet, cell)
    const name = accept(text, cell)
    if (name === undefined || isForm(plainOf(name))) return undefined
    return isGuessed ? found(name, TRUST.found, 'supplier_name_broken') : found(name, score)
  }
  const byId = (cell: Cell): Found<string> | undefined => {
    const at = cell.plain.search(ID_LABEL)
    const before = at > 3 ? accept(cell.text.slice(0, at), cell) : undefined
    if (before) return found(before, trust(hasForm({ plain: plainOf(before) })))
    const isAtStart = /^\W*$/.test(cell.text.slice(0, Math.max(0, at)))
    const beside = isAtStart ? sheet.rows[cell.row]?.[cell.column - 1] : undefined
    const block = blockAbove(sheet, cell)
    return (
      (beside && hasForm(beside) ? formed(beside) : undefined) ??
      firstOf(block, formed) ??
      highestIn(block) ??
      firstOf(cellsBelow(sheet, cell, 1), formed)
    )
  }
  /** Returns the topmost name of a block, with the line that continues it. */
  const highestIn = (block: readonly Cell[]): Found<string> | undefined => {
    const highest = block.findLastIndex((one) => accept(one.text, one))
    const [first, second] = [block[highest], block[highest - 1]]
    if (!first) return undefined
    const isBroken = second && isName(second) && isNextLine(first, second) && continues(first.text, second)
    return found(bare(isBroken ? `${first.text} ${second.text}` : first.text), trust(false))
  }
  const name = id && byId(id.cell)
  if (name) return name
  const first = sheet.cells.find((cell) => formed(cell) && !isOfCustomer(sheet, { cell }))
  return first && formed(first, sheet.source === 'ocr' ? TRUST.doubted : TRUST.found)
}

/** Returns the tax id of the supplier: the only one that is not the company's, else the first one, doubted. */
function supplierOf(ids: Ids, candidates: ReadonlyMap<string, Id>, sheet: Sheet): Found<string> | undefined {
  const [id] = candidates.values()
  if (!id) return undefined
  if (candidates.size > 1) return found(id.value, TRUST.doubted, 'several_suppliers')
  if (id.isRepaired) return found(id.value, TRUST.agreed, 'supplier_repaired')
  if (sheet.source === 'ocr') return found(id.value, TRUST.agreed)
  if (!ids.isCompanyNamed || ids.isAnyUnread) return found(id.value, TRUST.agreed, 'supplier_unchecked')
  return found(id.value, TRUST.checked)
}

export function partiesIn(sheet: Sheet, code: TaxCode | undefined, company: Recipient): Parties {
  const ids = idsIn(sheet, company)
  const ofSuppliers = ids.others.filter((id) => !THIRD_PARTY.test(id.cell.plain) && !isOfCustomer(sheet, id))
  const candidates = namedOnce(ofSuppliers)
  const isAddressed = ids.isCompanyNamed
  if (!code) {
    const [id] = candidates.values()
    return { taxId: supplierOf(ids, candidates, sheet), name: nameOf(sheet, id, company), isAddressed }
  }
  if (code.taxId === company.tax_id)
    return { taxId: found(code.taxId, TRUST.doubted, 'supplier_is_company'), name: undefined, isAddressed }
  const same = ids.others.find(({ value }) => value === code.taxId)
  const isRight = checkTaxId(code.taxId, 'ES').valid
  const isDenied = sheet.source === 'text' && !same && candidates.size > 0
  const taxId =
    isDenied || !isRight
      ? found(code.taxId, TRUST.found, 'supplier_contradicted')
      : found(code.taxId, TRUST.certain)
  return { taxId, name: nameOf(sheet, same ?? [...candidates.values()][0], company), isAddressed }
}
