/**
 * Tasks that both cuadra and npm libraries can do, each with its row on the public page. `tasks` receives the installed
 * libraries, checks that all return the expected result, and returns functions without arguments: first cuadra's.
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { writeInvoice } from '../../dist/formats/index.js'
import { validate } from '../../dist/index.js'
import { invoiceOf } from '../documents.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Bundles the checks of tax ids, because the package has no separate entry point for them. */
const identifiers = async () => {
  const outfile = `${root}dist/bench-identifiers.js`
  await build({
    entryPoints: [`${root}src/core/identifiers/index.ts`],
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'silent',
  })
  return import(pathToFileURL(outfile).href)
}

const agree = (ours, theirs, what) => {
  if (JSON.stringify(ours) !== JSON.stringify(theirs))
    throw new Error(`${what}: ${JSON.stringify(ours)} here and ${JSON.stringify(theirs)} there`)
}

const TAX_IDS = [
  'A58818501',
  'B12345674',
  '12345678Z',
  'X1234567L',
  'B12345678',
  '12345678A',
  'Q2826000H',
  'K1234567L',
]
const TAX_IDS_VALID = [true, true, true, true, false, false, true, true]
/** Returns a ten-line invoice with number, dates and payment, calculated by the engine. */
const calculated = () => {
  const document = invoiceOf(10)
  document.invoice.header.invoice_number = 'F-1'
  document.invoice.issue_data.issue_date = '2026-11-21'
  const { data, errors } = validate(document, { operation: 'import' })
  if (data === null) throw new Error(JSON.stringify(errors[0]))
  return data
}

const cent = (value) => value.toFixed(2)
const netOf = (line) => line.gross_amount_without_tax
/** Returns the sums by rate, which both libraries require as input. */
const rates = ({ lines }) => {
  const sums = new Map()
  for (const line of lines) {
    const rate = line.tax_output_rate
    sums.set(rate, (sums.get(rate) ?? 0) + netOf(line))
  }
  return [...sums].map(([rate, base]) => ({ rate, base, tax: Number(cent((base * rate) / 100)) }))
}

const stackforgeOf = ({ invoice }) => {
  const byRate = rates(invoice)
  const base = byRate.reduce((sum, one) => sum + one.base, 0)
  const tax = byRate.reduce((sum, one) => sum + one.tax, 0)
  const party = ({ name, tax_id, company: { address } }) => ({
    name,
    address: { line1: address.address, city: address.town, postalCode: address.post_code, country: 'ES' },
    taxRegistrations: [{ id: `ES${tax_id}`, schemeId: 'VA' }],
  })
  return {
    document: { id: 'F-1', issueDate: '2026-11-21', typeCode: '380' },
    seller: party(invoice.supplier),
    buyer: party(invoice.customer),
    lines: invoice.lines.map((line, at) => ({
      id: String(at + 1),
      name: line.item_description,
      quantity: line.quantity,
      unitCode: 'C62',
      unitPrice: Number(cent(netOf(line) / line.quantity)),
      lineTotal: netOf(line),
      vatCategoryCode: 'S',
      vatRatePercent: line.tax_output_rate,
    })),
    vatBreakdown: byRate.map(({ rate, base: taxableAmount, tax: taxAmount }) => ({
      categoryCode: 'S',
      ratePercent: rate,
      taxableAmount: Number(cent(taxableAmount)),
      taxAmount,
    })),
    totals: {
      lineTotal: Number(cent(base)),
      taxBasisTotal: Number(cent(base)),
      taxTotal: Number(cent(tax)),
      grandTotal: Number(cent(base + tax)),
      duePayableAmount: Number(cent(base + tax)),
      currency: 'EUR',
    },
    delivery: { date: '2026-11-20' },
    payment: { meansCode: '30', dueDate: '2026-12-21' },
  }
}

const VAT = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }
const money = (name, value) => ({ [`cbc:${name}`]: cent(value), [`cbc:${name}@currencyID`]: 'EUR' })
const category = (rate) => ({ 'cbc:ID': 'S', 'cbc:Percent': String(rate), ...VAT })
const eInvoiceOf = ({ invoice }) => {
  const byRate = rates(invoice)
  const base = byRate.reduce((sum, one) => sum + one.base, 0)
  const tax = byRate.reduce((sum, one) => sum + one.tax, 0)
  const party = ({ name, tax_id, company: { address } }) => ({
    'cbc:EndpointID': `ES${tax_id}`,
    'cbc:EndpointID@schemeID': '9920',
    'cac:PostalAddress': {
      'cbc:StreetName': address.address,
      'cbc:CityName': address.town,
      'cbc:PostalZone': address.post_code,
      'cac:Country': { 'cbc:IdentificationCode': 'ES' },
    },
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
  })
  const scheme = ({ tax_id }) => ({ 'cbc:CompanyID': `ES${tax_id}`, ...VAT })
  return {
    'ubl:Invoice': {
      'cbc:CustomizationID': 'urn:cen.eu:en16931:2017',
      'cbc:ID': 'F-1',
      'cbc:IssueDate': '2026-11-21',
      'cbc:DueDate': '2026-12-21',
      'cbc:InvoiceTypeCode': '380',
      'cbc:DocumentCurrencyCode': 'EUR',
      'cbc:BuyerReference': 'PED-2026-0042',
      'cac:AccountingSupplierParty': {
        'cac:Party': { ...party(invoice.supplier), 'cac:PartyTaxScheme': [scheme(invoice.supplier)] },
      },
      'cac:AccountingCustomerParty': {
        'cac:Party': { ...party(invoice.customer), 'cac:PartyTaxScheme': scheme(invoice.customer) },
      },
      'cac:TaxTotal': [
        {
          ...money('TaxAmount', tax),
          'cac:TaxSubtotal': byRate.map((one) => ({
            ...money('TaxableAmount', one.base),
            ...money('TaxAmount', one.tax),
            'cac:TaxCategory': category(one.rate),
          })),
        },
      ],
      'cac:LegalMonetaryTotal': {
        ...money('LineExtensionAmount', base),
        ...money('TaxExclusiveAmount', base),
        ...money('TaxInclusiveAmount', base + tax),
        ...money('PayableAmount', base + tax),
      },
      'cac:InvoiceLine': invoice.lines.map((line, at) => ({
        'cbc:ID': String(at + 1),
        'cbc:InvoicedQuantity': String(line.quantity),
        'cbc:InvoicedQuantity@unitCode': 'C62',
        ...money('LineExtensionAmount', netOf(line)),
        'cac:Item': {
          'cbc:Name': line.item_description,
          'cac:ClassifiedTaxCategory': category(line.tax_output_rate),
        },
        'cac:Price': money('PriceAmount', netOf(line) / line.quantity),
      })),
    },
  }
}

const QUIET = { log() {}, warn() {}, error() {}, info() {}, debug() {} }
/** Returns an invoice, and cuadra's function that writes the invoice. */
const written = (format) => {
  const data = calculated()
  const own = () => writeInvoice(data, format)
  const { xml, errors } = own()
  if (xml === null) throw new Error(JSON.stringify(errors[0]))
  return { data, own }
}

/** The tasks, with the names of the libraries in the order of their functions, and the number of calls per round. */
export const TASKS = [
  {
    row: 6,
    work: 'eight tax ids',
    count: 20_000,
    peers: [
      { name: 'jsvat', count: 20_000 },
      { name: 'stdnum', count: 10_000 },
    ],
    differs:
      'All return whether an id is valid. cuadra also returns the type of the id, and the reason if it is not valid.',
    tasks: async ({ checkVAT, spain }, { stdnum }) => {
      const { spanishTaxId } = await identifiers()
      const ours = () => TAX_IDS.map((id) => spanishTaxId(id).valid)
      const jsvat = () => TAX_IDS.map((id) => checkVAT(`ES${id}`, [spain]).isValid)
      const standard = () => TAX_IDS.map((id) => stdnum.ES.nif.validate(id).isValid)
      agree(ours(), TAX_IDS_VALID, 'tax ids')
      agree(standard(), TAX_IDS_VALID, 'tax ids')
      return [ours, jsvat, standard]
    },
  },
  {
    row: 7,
    work: 'UBL',
    count: 200,
    peers: [{ name: '@e-invoice-eu/core', count: 15 }],
    differs:
      'UBL: both check their input (the library against a JSON Schema) and write in the order of the schema; the library returns a promise.',
    tasks: async ({ InvoiceService }) => {
      const { data, own } = written('ubl_2_1')
      const input = eInvoiceOf(data)
      const service = new InvoiceService(QUIET)
      const theirs = () => service.generate(input, { format: 'UBL', lang: 'es', noWarnings: true })
      if (((await theirs()).match(/<cac:InvoiceLine>/g) ?? []).length !== 10)
        throw new Error('the library did not write ten lines')
      return [own, theirs]
    },
  },
  {
    row: 7,
    work: 'CII',
    count: 200,
    peers: [
      { name: '@stackforge-eu/factur-x', adds: ' and `libxml2`', count: 60 },
      { name: '@stackforge-eu/factur-x', adds: ', without a schema', count: 1000 },
    ],
    differs:
      'CII: the library checks its input and joins the text, which `libxml2` can then validate against the schema of Factur-X. cuadra validates the document against the official schema of CII while it writes, and refuses data that the format cannot represent.',
    tasks: async ({ buildXml, validateInput, validateXsd, Profile }) => {
      const { data, own } = written('cii_d16b')
      const input = stackforgeOf(data)
      const built = () => {
        const { valid, errors } = validateInput(input, Profile.EN16931)
        if (!valid) throw new Error(JSON.stringify(errors[0]))
        return buildXml(input, Profile.EN16931)
      }
      const validated = async () => {
        const { valid, errors } = await validateXsd(built(), Profile.EN16931)
        if (!valid) throw new Error(JSON.stringify(errors[0]))
      }
      if ((built().match(/IncludedSupplyChainTradeLineItem>/g) ?? []).length !== 20)
        throw new Error('the library did not write ten lines')
      await validated()
      return [own, validated, built]
    },
  },
]
