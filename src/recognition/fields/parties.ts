/** Who issued the invoice, and whether it is addressed to the company. */
import { checkTaxId } from '../../identifiers/index.ts'
import { type Cell, cellsAbove, cellsBelow, type Hit, plainOf, type Sheet } from './cells.ts'
import type { TaxCode } from './codes.ts'
import { type Found, found, TRUST } from './found.ts'
import { ID_LABEL, isIdLike, taxIdsIn } from './ids.ts'

/** The company that asks: it is who the invoices it receives are addressed to. */
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
  /** Something that was announced as an id could not be read as one. */
  readonly isAnyUnread: boolean
}

/** Whether two ids differ in so little that one is a misreading of the other. */
function isNearly(a: string, b: string): boolean {
  if (a.length !== b.length) return a.includes(b) || b.includes(a)
  return [...a].filter((character, at) => character !== b[at]).length <= 2
}

function idsIn(sheet: Sheet, company: Recipient): Ids {
  const others: Id[] = []
  let isCompanyNamed = false
  let isAnyUnread = false
  for (const cell of sheet.cells) {
    const label = [...cell.plain.matchAll(new RegExp(ID_LABEL, 'g'))].at(-1)
    const end = label ? label.index + label[0].length : 0
    const rest = cell.text.slice(end)
    const isBare = label !== undefined && rest.trim() === ''
    const next = isBare ? sheet.rows[cell.row]?.[cell.column + 1] : undefined
    const places = isBare ? [...(next ? [next] : []), ...cellsBelow(sheet, cell, 1)] : [cell]
    for (const place of places) {
      const ids = taxIdsIn(place === cell && label ? rest : place.text, label !== undefined)
      const all = ids.length === 0 && place === cell && label ? taxIdsIn(cell.text, false) : ids
      if (all.length === 0 && label && isIdLike(place === cell ? rest : place.text)) isAnyUnread = true
      for (const { value, isRepaired } of all) {
        if (value === company.tax_id) isCompanyNamed ||= true
        else if (!(isRepaired && isNearly(value, company.tax_id)))
          others.push({ value, isRepaired, cell: place })
      }
      if (all.length > 0) break
    }
  }
  return { others, isCompanyNamed, isAnyUnread }
}

const SUPPLIER_LABEL =
  /\b(?:emisor|proveedor|expedidor|vendedor|supplier|seller|issuer|from|datos fiscales)\b/
const CUSTOMER_LABEL =
  /\b(?:cliente|client|destinatario|facturar a|facturado a|bill(?:ed)? to|customer|buyer|receptor|comprador|sold to|adquirente|datos del cliente)\b/
/** Stands beside an id of somebody who has to do with the paper, not with the invoice. */
const BYSTANDER =
  /\b(?:software|programa|generad[oa]|powered|impres[oa]|imprenta|gestoria|asesoria de|plataforma|pasarela|transportista|agente)\b/

/** Whether an id stands in the block of the customer: under that heading, nearer than any other. */
function isOfCustomer(sheet: Sheet, { cell }: Id): boolean {
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
  /** Whether the company's own id stands on the document. */
  readonly isAddressed: boolean
}

const FORM =
  /(?:^|[\s,])(?:s\.?\s?l\.?\s?(?:u\.?|p\.?|l\.?|n\.?e\.?)?|s\.?\s?a\.?\s?(?:u\.?|l\.?)?|s\.?\s?coop\.?(?:\s?[a-z]*)?|c\.?\s?b\.?|s\.?\s?c\.?\s?(?:p\.?)?|a\.?i\.?e\.?|u\.?t\.?e\.?|sociedad (?:limitada|anonima)(?: unipersonal)?|gmbh|ltd\.?|limited|llc|inc\.?|sarl|s\.?r\.?l\.?|b\.?v\.?|lda\.?|ag|sas)$/
const NO_NAME =
  /^\W*$|@|www\.|https?:|\b(?:tel|telefono|fax|email|e-mail|c\/|calle|avda|avenida|plaza|paseo|ctra|carrer|poligono|iban|pagina|page|total|base|fecha|vencimiento|numero|factura|invoice|iva|importe|cantidad|descripcion|concepto|forma de pago)\b|^\d|\b\d{5}\b/

const isName = (cell: Cell): boolean =>
  /\p{L}{2}/u.test(cell.text) && cell.text.length <= 120 && !NO_NAME.test(cell.plain) && !isLabelOnly(cell)
const isLabelOnly = ({ plain }: Cell): boolean =>
  new RegExp(`^(?:datos (?:del? )?)?(?:${SUPPLIER_LABEL.source}|${CUSTOMER_LABEL.source})\\s*:?$`).test(plain)

const hasForm = ({ plain }: Pick<Cell, 'plain'>): boolean => FORM.test(plain.replace(/[\s,;]+$/, ''))

const words = (text: string): string => plainOf(text).replaceAll(/[^a-z0-9]/g, '')

/** A name without what announces it. "Empresa" begins names too: it is a label only with its colon. */
const bare = (text: string): string =>
  text
    .replace(
      /^(?:(?:emisor|proveedor|expedidor|vendedor|supplier|seller|issuer|from|raz[oó]n social|nombre(?: fiscal)?)\s*:?\s+|empresa\s*:\s*)/i,
      '',
    )
    .replace(/[\s,;:–-]+$/, '')
    .trim()

const heightOf = ({ top, bottom }: Cell): number => Math.max(1, bottom - top)

/** Whether a line stands right under another one, in the same letters and with the same edge. */
function isNextLine(upper: Cell, lower: Cell): boolean {
  const height = heightOf(lower)
  const isAligned =
    Math.abs(upper.left - lower.left) < height / 2 || Math.abs(upper.right - lower.right) < height / 2
  return isAligned && lower.top - upper.bottom < height && Math.abs(heightOf(upper) - height) < 0.15 * height
}

const JOINT = /(?:[,&-]|(?:^|\s)(?:de|del|la|las|los|el|y|e|i|para))$/
/** A registered form and nothing before it. */
const isForm = (plain: string): boolean => plain.replace(FORM, '').trim() === ''

/** True where the text of two lines says that the second goes on with the first. */
const goesOn = (upper: string, lower: Cell): boolean =>
  JOINT.test(plainOf(upper)) || /^\p{Ll}/u.test(lower.text) || isForm(lower.plain)

const isCapitals = (text: string): boolean => text === text.toUpperCase()

/** Whether the first word of a line had no room in the line above, as wide as the widest of the block is. */
function hadNoRoom(upper: Cell, lower: Cell, block: readonly Cell[]): boolean {
  const letter = (lower.right - lower.left) / Math.max(1, lower.text.length)
  const [firstWord = ''] = lower.text.split(' ')
  const word = (firstWord.length + 1) * letter
  const widest = Math.max(...block.map(({ left, right }) => right - left))
  // Letters are of different widths.
  return (
    (upper.right - upper.left + word) * 1.06 > widest && isCapitals(upper.text) === isCapitals(lower.text)
  )
}

interface Name {
  readonly text: string
  /** Nothing but the room of the line says that its first line is part of it. */
  readonly isGuessed: boolean
}

/** The name that ends with a line: with the lines above that it was broken from. */
function wholeName(sheet: Sheet, cell: Cell): Name {
  let [text, isGuessed, lower] = [cell.text, false, cell]
  const around = [cell, ...cellsAbove(sheet, cell, 3), ...cellsBelow(sheet, cell, 5)]
  if (!hasForm({ plain: plainOf(text) })) return { text, isGuessed }
  for (const upper of cellsAbove(sheet, cell, 3)) {
    if (!isName(upper) || hasForm(upper) || bare(upper.text) === '' || !isNextLine(upper, lower)) break
    const isSure = goesOn(upper.text, lower)
    if (!isSure && !hadNoRoom(upper, lower, around)) break
    text = `${upper.text} ${text}`
    isGuessed ||= !isSure
    lower = upper
  }
  return { text, isGuessed }
}

/** The name of whoever has an id: in front of it, or above it; else the first registered form of a page. */
function nameOf(sheet: Sheet, id: Id | undefined, company: Recipient): Found<string> | undefined {
  const isCompany = (text: string) => {
    const own = words(company.legal_name)
    return (
      own.length > 2 && (words(text).includes(own) || (own.includes(words(text)) && words(text).length > 5))
    )
  }
  const trust = (hasForm: boolean) => (sheet.source === 'ocr' || !hasForm ? TRUST.found : TRUST.agreed)
  const accept = (text: string, cell: Cell) => {
    const name = bare(text)
    return name !== '' && isName({ ...cell, text: name, plain: plainOf(name) }) && !isCompany(name)
      ? name
      : undefined
  }
  /** The name of a line that ends in a registered form; one that is put together by guess is for a person to see. */
  const formed = (cell: Cell, score: number = trust(true)): Found<string> | undefined => {
    if (!hasForm({ plain: plainOf(bare(cell.text)) })) return undefined
    const { text, isGuessed } = wholeName(sheet, cell)
    const name = accept(text, cell)
    if (name === undefined || isForm(plainOf(name))) return undefined
    return isGuessed ? found(name, TRUST.found, 'supplier_name_broken') : found(name, score)
  }
  if (id) {
    const { cell } = id
    const at = cell.plain.search(ID_LABEL)
    const before = at > 3 ? accept(cell.text.slice(0, at), cell) : undefined
    if (before) return found(before, trust(hasForm({ plain: plainOf(before) })))
    const start = /^\W*$/.test(cell.text.slice(0, Math.max(0, at)))
      ? sheet.rows[cell.row]?.[cell.column - 1]
      : undefined
    if (start && hasForm(start)) {
      const beside = formed(start)
      if (beside) return beside
    }
    const block: Cell[] = []
    for (const above of cellsAbove(sheet, cell, 7)) {
      if (CUSTOMER_LABEL.test(above.plain) && !SUPPLIER_LABEL.test(above.plain)) break
      block.push(above)
      if (isLabelOnly(above)) break
    }
    for (const one of block) {
      const whole = formed(one)
      if (whole) return whole
    }
    const highest = block.findLastIndex((one) => accept(one.text, one))
    const [first, second] = [block[highest], block[highest - 1]]
    if (first) {
      const isBroken = second && isName(second) && isNextLine(first, second) && goesOn(first.text, second)
      return found(bare(isBroken ? `${first.text} ${second.text}` : first.text), trust(false))
    }
    for (const below of cellsBelow(sheet, cell, 1)) {
      const whole = formed(below)
      if (whole) return whole
    }
  }
  const first = sheet.cells.find(
    (cell) =>
      hasForm({ plain: plainOf(bare(cell.text)) }) &&
      formed(cell) &&
      !isOfCustomer(sheet, { value: '', isRepaired: false, cell }),
  )
  return first && formed(first, sheet.source === 'ocr' ? TRUST.doubted : TRUST.found)
}

/** The tax id of the supplier: of those that are not the company's, the one that most speaks for. */
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
  const ofSuppliers = ids.others.filter((id) => !BYSTANDER.test(id.cell.plain) && !isOfCustomer(sheet, id))
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
