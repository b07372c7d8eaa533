/**
 * Tests that no element of the official schemas is lost silently: each one that a document may add is read, kept as a
 * text, reported as omitted, or refused. What is ignored on purpose is named here.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { readStrict, type Type } from '#core/xml/index.ts'
import { formatOf } from '#formats/registry.ts'
import { missingReference, REFERENCE } from './official.ts'

const TEXT = 'a text of this test'

/** Elements whose text is not kept. */
const IGNORED: readonly RegExp[] = [
  // They repeat or break down amounts that are read, or describe the tax, which is always VAT.
  /\/(TaxTotal|LegalMonetaryTotal|SpecifiedTradeSettlement(Line|Header)MonetarySummation)\//,
  /\/GrossPriceProductTradePrice\//,
  /\/SpecifiedLineTradeSettlement\/ApplicableTradeTax\//,
  /\/TaxScheme\/(Name|TaxTypeCode|CurrencyCode)$/,
  // They describe the file, not the invoice.
  /^\/(UBLVersionID|ProfileID|LineCountNumeric)$/,
  /^\/ExchangedDocumentContext\//,
  /^\/ExchangedDocument\/(Name|LanguageID)$/,
  /\/Country\/Name$/,
  /\/AssociatedDocumentLineDocument\/IncludedNote\/SubjectCode$/,
  // They are read, and serve only as a date, an indicator, a reason or a tax id, unless another element states it.
  /\/(TaxPointDate|PaymentDueDate|IssueDate|DateTime|IndicatorString)$/,
  /\/(ExemptionReason|ExemptionReasonCode|AllowanceChargeReasonCode|ReasonCode)$/,
  /\/(PartyLegalEntity\/CompanyID|BuyerTradeParty\/GlobalID|ProprietaryID)$/,
]

type Block = Record<string, unknown>

/** Adds each text element that the schema allows and the document lacks; returns the paths of those that are lost. */
function lostElements(
  code: 'ubl_2_1' | 'cii_d16b',
  file: string,
): { readonly lost: string[]; tried: number } {
  const format = required(formatOf(code))
  const { name, value } = readStrict(format.vocabulary(), readFileSync(`${REFERENCE}samples/${file}`, 'utf8'))
  const root = required(name)
  const lost: string[] = []
  let tried = 0
  const isLost = (element: string): boolean => {
    const reported: string[] = []
    const report = {
      refuse: () => {},
      warn: (problem: string, path: string) => reported.push(problem + path),
    }
    const statement = format.read(root, value as Block, report, { direction: 'received' })
    if (statement === null || JSON.stringify(statement).includes(TEXT)) return false
    return !reported.some((one) => one.startsWith('format.omitted') && one.includes(`/${element}`))
  }
  const visit = (block: Block, type: Type, path: string): void => {
    for (const { name: element, type: inner, repeated } of type.byName.values()) {
      const own = block[element]
      const at = `${path}/${element}`
      if (inner.members !== null) {
        const [first] = Array.isArray(own) ? own : [own]
        if (first) visit(first, inner, at)
      } else if (own === undefined && !inner.foreign) {
        const text = inner.attributes ? { '#': TEXT } : TEXT
        block[element] = repeated ? [text] : text
        tried++
        if (isLost(element) && !IGNORED.some((pattern) => pattern.test(at))) lost.push(at)
        delete block[element]
      }
    }
  }
  visit(value as Block, required(format.vocabulary().roots.get(root)).type, '')
  return { lost, tried }
}

describe(`elements that a document may add${missingReference ? ` (skipped: ${missingReference} is not here)` : ''}`, () => {
  it.skipIf(missingReference).each([
    ['ubl_2_1', 'ubl/cen_tc434_example9.xml'],
    ['ubl_2_1', 'ubl/peppol_creditnote.xml'],
    ['cii_d16b', 'cii/cen_cii_example8.xml'],
    ['cii_d16b', 'cii/zugferd_rabatte.xml'],
  ] as const)('%s: none of %s is lost silently', (format, file) => {
    const { lost, tried } = lostElements(format, file)
    expect(lost).toEqual([])
    expect(tried).toBeGreaterThan(150)
  })
})
