/** Finds the issuer of the invoice, and whether the invoice is addressed to the company. */
import { checkTaxId } from '#core/identifiers/index.ts'
import type { DocumentCells } from '../cells/cells.ts'
import type { ReasonCode } from '../field-reasons.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { matcher } from '../labels/index.ts'
import { plainOf } from '../labels/plain-text.ts'
import { nameOf } from './name-search.ts'
import { type Id, type Ids, idsIn, isOfCustomer, type Recipient, roleOf } from './party-ids.ts'
import type { TaxQr } from './qr-fields.ts'

/** Words beside an id of a third party, such as a printer or a software vendor. */
const THIRD_PARTY = matcher('thirdParty')
const REGISTER = matcher('register')

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

/** Whether any long word of the company's name is printed. */
function isNamePrinted({ plain }: DocumentCells, { legal_name }: Recipient): boolean {
  const words = plainOf(legal_name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 3)
  return words.length === 0 || words.some((word) => plain.includes(word))
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
