/**
 * Measures reading a UBL invoice with validation against its schema, compared with the XML parser alone on the same
 * bytes.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { SaxesParser } from 'saxes'
import { measure } from './measure.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SIZES = [10, 1000, 10_000]
const ROUNDS = 9
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:'

const amount = (name, value) => `<cbc:${name} currencyID="EUR">${value}</cbc:${name}>`
const party = (role, name, id) =>
  `<cac:${role}><cac:Party><cac:PostalAddress><cbc:StreetName>Calle Mayor 1</cbc:StreetName><cbc:CityName>Madrid</cbc:CityName><cbc:PostalZone>28013</cbc:PostalZone><cac:Country><cbc:IdentificationCode>ES</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${id}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${role}>`
const category = (name) =>
  `<cac:${name}><cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`

/** Returns a valid UBL invoice with `lines` lines of 10 EUR each. */
export function ublOf(lines) {
  const net = `${lines * 10}.00`
  const tax = (lines * 2.1).toFixed(2)
  const total = (lines * 12.1).toFixed(2)
  const line = (i) =>
    `  <cac:InvoiceLine>
    <cbc:ID>${i + 1}</cbc:ID>
    <cbc:InvoicedQuantity unitCode="C62">2</cbc:InvoicedQuantity>
    ${amount('LineExtensionAmount', '10.00')}
    <cac:Item><cbc:Description>Tornillo de acero, caja ${i + 1}</cbc:Description><cbc:Name>Tornillo</cbc:Name>${category('ClassifiedTaxCategory')}</cac:Item>
    <cac:Price>${amount('PriceAmount', '5.00')}</cac:Price>
  </cac:InvoiceLine>
`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${UBL}Invoice-2" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>
  <cbc:ID>2027-1</cbc:ID>
  <cbc:IssueDate>2027-01-15</cbc:IssueDate>
  <cbc:DueDate>2027-02-15</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  ${party('AccountingSupplierParty', 'Suministros Ficticios, S.L.', 'ESB12345674')}
  ${party('AccountingCustomerParty', 'Calderas Ficticias, S.L.', 'ESB98765431')}
  <cac:TaxTotal>${amount('TaxAmount', tax)}<cac:TaxSubtotal>${amount('TaxableAmount', net)}${amount('TaxAmount', tax)}${category('TaxCategory')}</cac:TaxSubtotal></cac:TaxTotal>
  <cac:LegalMonetaryTotal>${amount('LineExtensionAmount', net)}${amount('TaxExclusiveAmount', net)}${amount('TaxInclusiveAmount', total)}${amount('PayableAmount', total)}</cac:LegalMonetaryTotal>
${Array.from({ length: lines }, (_, i) => line(i)).join('')}</Invoice>
`
}

/** Bundles the XML module for this measurement, because the package does not export it. */
const xmlRoom = async () => {
  const outfile = `${root}dist/bench-xml.js`
  await build({
    entryPoints: [`${root}src/xml/index.ts`],
    bundle: true,
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'silent',
  })
  return import(pathToFileURL(outfile).href)
}

/** Parses all elements, attributes and texts without using them. */
const parse = (bytes) => {
  const parser = new SaxesParser({ xmlns: true })
  for (const event of ['opentag', 'closetag', 'text']) parser.on(event, () => {})
  parser.write(new TextDecoder().decode(bytes)).close()
}

const ms = (value) => `${(value / 1000).toFixed(value < 10_000 ? 2 : 0)} ms`

/** Returns the Markdown lines of the results page. */
export async function xmlSection() {
  const { decodeXml, readStrict, vocabularyOf, writeXml } = await xmlRoom()
  const vocabulary = vocabularyOf(JSON.parse(readFileSync(`${root}schemas/xml/ubl_2_1.json`, 'utf8')))
  const rows = SIZES.map((lines) => {
    const bytes = new TextEncoder().encode(ublOf(lines))
    const read = () => readStrict(vocabulary, decodeXml(bytes).text)
    const { name, value, problems } = read()
    if (problems.length > 0) throw new Error(JSON.stringify(problems[0]))
    const [bare, strict, written] = measure(
      [() => parse(bytes), read, () => writeXml(vocabulary, name, value)],
      Math.max(1, Math.floor(2000 / lines)),
      ROUNDS,
    )
    return { lines, size: bytes.length, bare, strict, written }
  })
  const perLine = rows.map(({ lines, strict }) => strict / lines)
  return [
    '## XML of invoices',
    '',
    'UBL from bytes is decoded, read into a tree and validated against the official schema. The tree is then checked and written again. The baseline in the same run is only the XML parser (`saxes`, with namespaces) on the same bytes.',
    '',
    '| lines | document | XML parser | strict reading | ratio | per line | writing |',
    '|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map(
      ({ lines, size, bare, strict, written }) =>
        `| ${lines.toLocaleString('en')} | ${(size / 1024).toFixed(0)} KB | ${ms(bare)} | ${ms(strict)} | ${(strict / bare).toFixed(2)}x | ${(strict / lines).toFixed(0)} us | ${ms(written)} |`,
    ),
    '',
    `- Per line, 10,000 against 1,000 lines: ${(perLine[2] / perLine[1]).toFixed(2)}x. Goal: at most 4x the parser.`,
    '',
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log((await xmlSection()).join('\n'))
