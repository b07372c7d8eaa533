/** Interprets printed text: dates, amounts, tax ids, and documents with contradictions. */
import { describe, expect, it } from 'vitest'
import { ibansIn, taxIdsIn } from '../src/fields/candidates/ids.ts'
import { amountsIn } from '../src/fields/cells/figures.ts'
import { printedDate } from '../src/fields/cells/printed-date.ts'
import { proposeInvoice, proposeXml, REASONS, scoreOf, statusOf } from '../src/fields/index.ts'
import { xmlOf } from './corpus/canonical.ts'
import { urlOf } from './corpus/code.ts'
import { english, letter } from './corpus/layouts.ts'
import { OURS, SUPPLIERS } from './corpus/parties.ts'
import { SALES } from './corpus/sales.ts'
import { materialOf, printed } from './print.ts'

const CONTEXT = {
  company: { tax_id: OURS.tax_id, legal_name: OURS.name, person_type_code: 'J', default_tax_group: 'IVA' },
  today: '2026-11-22',
} as const

describe('dates', () => {
  it.each([
    ['03/11/2026', '2026-11-03'],
    ['3-11-26', '2026-11-03'],
    ['2026-11-03', '2026-11-03'],
    ['3 de noviembre de 2026', '2026-11-03'],
    ['3 de març del 2026', '2026-03-03'],
    ["12 d'abril de 2026", '2026-04-12'],
    ['November 3rd, 2026', '2026-11-03'],
    ['3 Nov 2026', '2026-11-03'],
    ['11/25/2026', '2026-11-25'],
    ['31/02/2026', undefined],
    ['1.234,56', undefined],
  ])('%s is %s', (text, day) => {
    expect(printedDate(text)?.value).toBe(day)
  })
})

describe('amounts', () => {
  it.each([
    ['1.234,56 €', [123_456]],
    ['1,234.56', [123_456]],
    ['1234.56', [123_456]],
    ['-368,85', [-36_885]],
    ['(12,00)', [-1200]],
    ['12,00-', [-1200]],
    ['21,00 %', []],
    ['325,601', []],
    ['03.04.2026', []],
    ['Base 45,14 IVA 4,51', [4514, 451]],
  ])('%s', (text, amounts) => {
    expect(amountsIn(text).map(({ value }) => value)).toEqual(amounts)
  })
})

describe('tax ids', () => {
  it.each([
    ['B87345120', 'B87345120', false],
    ['ES-B-87345120', 'B87345120', false],
    ['51.482.937-J', '51482937J', false],
    ['887345120', 'B87345120', true],
    ['B8734512O', 'B87345120', true],
    ['123456787', '12345678Z', true],
    ['514829937J', '51482937J', false],
  ])('%s is read as %s', (text, id, isRepaired) => {
    const [found] = taxIdsIn(text, { isAnnounced: true, isGuessed: true })
    if (text.length === 10) expect(found?.isRepaired).toBe(true)
    else expect(found).toEqual({ value: id, isRepaired })
  })

  it('nine digits are a tax id only after a label', () => {
    expect(taxIdsIn('912345678', { isAnnounced: false, isGuessed: true })).toEqual([])
  })

  it('an account number is read only if its check digits are valid', () => {
    expect(ibansIn('IBAN ES91 2100 0418 4502 0005 1332').map(({ value }) => value)).toEqual([
      'ES9121000418450200051332',
    ])
    expect(ibansIn('IBAN ES91 2100 0418 4502 0005 1333')).toEqual([])
  })
})

describe('an invoice number', () => {
  it('of 60 characters is read, and a longer one is not', () => {
    const numberOf = (number: string) => {
      const rows = ['#Factura', `N.º de factura: ${number}`, 'Fecha: 03/11/2026', 'Total||121,00 €']
      return proposeInvoice(printed(rows), CONTEXT).document.invoice.header.invoice_number
    }
    const longest = `F-${'7'.repeat(58)}`
    expect(numberOf(longest)).toBe(longest)
    expect(numberOf(`${longest}7`)).not.toBe(`${longest}7`)
  })
})

describe('a document with contradictions', () => {
  const { plain } = SALES

  it('needs a review if its QR has a different total', () => {
    const codes = [urlOf({ ...plain, invoice_total: plain.invoice_total + 1 })]
    const proposal = proposeInvoice(materialOf(letter(plain, true), 'text', codes), CONTEXT)
    expect(proposal.reasons).toContain('total_contradicted')
    expect(statusOf(proposal, true)).toBe('recognized_pending_review')
  })

  it('has low scores if its QR belongs to another invoice', () => {
    const codes = [urlOf(SALES.rates)]
    const proposal = proposeInvoice(materialOf(letter(plain, true), 'text', codes), CONTEXT)
    expect(proposal.reasons).toContain('code_unconfirmed')
    for (const field of ['header/invoice_number', 'issue_data/issue_date', 'supplier/tax_id'])
      expect(proposal.scores[`/invoice/${field}`]).toBeLessThanOrEqual(0.5)
    expect(statusOf(proposal, true)).not.toBe('recognized_ready')
  })

  it('is not ready if its QR names the company as issuer', () => {
    const own = { ...plain, supplier: OURS, customer: SUPPLIERS.paper }
    const proposal = proposeInvoice(materialOf(letter(own, true), 'text', [urlOf(own)]), CONTEXT)
    expect(proposal.reasons).toContain('supplier_is_company')
    expect(statusOf(proposal, true)).not.toBe('recognized_ready')
  })

  it('is not ready if its customer is another company', () => {
    const other = { ...plain, customer: SUPPLIERS.food }
    const proposal = proposeInvoice(materialOf(letter(other, false), 'text'), CONTEXT)
    expect(proposal.document.invoice.customer?.tax_id).toBe(SUPPLIERS.food.tax_id)
    expect(proposal.reasons).toContain('customer_is_other')
    expect(statusOf(proposal, true)).toBe('recognized_pending_review')
  })

  it('is not ready if day and month of its date could be swapped', () => {
    const sheet = english({ ...SALES.english, issue_date: '2026-08-07' }, false)
    const texts = sheet.pages.map((page) => ({
      ...page,
      texts: page.texts.map((one) => (/^7 August/.test(one.text) ? { ...one, text: '07/08/2026' } : one)),
    }))
    const proposal = proposeInvoice(materialOf({ ...sheet, pages: texts }, 'text'), CONTEXT)
    expect(proposal.reasons).toContain('date_ambiguous')
    expect(scoreOf(proposal, true)).toBeLessThanOrEqual(0.5)
  })
})

describe('the name of a supplier', () => {
  const { plain } = SALES

  /** Returns the proposal for an invoice whose supplier name is printed on these lines. */
  const named = (...lines: readonly string[]) => {
    const name = lines.join(' ')
    const sale = { ...plain, supplier: { ...plain.supplier, name } }
    const sheet = letter(sale, true)
    const pages = sheet.pages.map((page) => {
      const mark = page.texts.find(({ text }) => text.includes(name))
      if (!mark || lines.length === 1) return page
      const [more, step] = [lines.length - 1, mark.size * 1.25]
      const own = lines.map((text, index) => ({ ...mark, text, y: mark.y + index * step }))
      const rest = page.texts.filter((one) => one !== mark && !one.text.includes(name))
      return {
        ...page,
        texts: [...own, ...rest.map((one) => (one.y > mark.y ? { ...one, y: one.y + more * step } : one))],
      }
    })
    const proposal = proposeInvoice(materialOf({ ...sheet, pages }, 'text', [urlOf(sale)]), CONTEXT)
    return {
      name: proposal.document.invoice.supplier.name,
      status: statusOf(proposal, true),
      reasons: proposal.reasons,
    }
  }

  it.each(['Empresa Municipal de Aguas, S.A.', 'Empresa Demo SL', 'Comercial Demostración, S.L.'])(
    '%s is read completely, and the proposal is ready',
    (name) => {
      expect(named(name)).toMatchObject({ name, status: 'recognized_ready' })
    },
  )

  it.each([
    [['Comercial Demostración,', 'S.L.']],
    [['Comercial Demostración', 'S.L.']],
    [['Empresa Municipal', 'de Aguas, S.A.']],
    [['Hijos de', 'Pedro Imaginario, S.L.']],
    [['Empresa Municipal de la', 'Vivienda y de los', 'Transportes, S.A.']],
  ])('%s is joined, and ready', (lines) => {
    const { name, status } = named(...lines)
    expect([name, status]).toEqual([lines.join(' '), 'recognized_ready'])
  })

  it('a name split before a capital is joined, and needs a review', () => {
    const lines = ['Empresa Municipal Imaginaria de Abastecimientos y Aguas', 'Residuales, S.A.']
    expect(named(...lines)).toMatchObject({
      name: lines.join(' '),
      status: 'recognized_pending_review',
      reasons: expect.arrayContaining(['supplier_name_broken']),
    })
  })

  it('a short line above the name is not joined to it, because the line had space for more text', () => {
    expect(named('Talleres', 'Imaginario Pérez, S.L.').name).toBe('Imaginario Pérez, S.L.')
  })
})

it('every reason is a complete sentence in both languages', () => {
  for (const { en, es } of Object.values(REASONS))
    for (const text of [en, es]) {
      expect(text).toMatch(/^[A-ZÉ].+[.]$/)
      expect(text).not.toMatch(/\bTODO\b/)
    }
})

describe('an embedded XML without lines', () => {
  const { plain } = SALES
  const whole = new TextDecoder().decode(xmlOf(plain, 'cii_d16b'))
  const withoutLines = whole.replace(
    /<(\w+:)?IncludedSupplyChainTradeLineItem>.*<\/(\w+:)?IncludedSupplyChainTradeLineItem>/s,
    '',
  )
  const minimum = withoutLines.replace(/<(\w+:)?ApplicableTradeTax>.*<\/(\w+:)?ApplicableTradeTax>/s, '')
  const material = (xml: string, sale = plain) => ({
    ...materialOf(letter(sale, false), 'text'),
    xml: { name: 'factur-x.xml', bytes: new TextEncoder().encode(xml) },
  })

  it.each([
    ['BASIC WL', withoutLines],
    ['MINIMUM', minimum],
  ])('of profile %s gives header and totals', (_, xml) => {
    const { scores, document } = proposeInvoice(material(xml), CONTEXT)
    const { header, issue_data, supplier, totals, taxes_outputs } = document.invoice
    expect([header.invoice_number, issue_data.issue_date]).toEqual([plain.number, plain.issue_date])
    expect(supplier).toMatchObject({ tax_id: plain.supplier.tax_id, name: plain.supplier.name })
    expect(totals).toMatchObject({
      total_gross_amount_before_taxes: plain.base,
      invoice_total: plain.invoice_total,
    })
    expect(taxes_outputs).toMatchObject(
      plain.taxes.map(({ rate, base }) => ({ tax_rate: rate, taxable_base: base })),
    )
    for (const field of [
      'header/invoice_number',
      'issue_data/issue_date',
      'supplier/tax_id',
      'totals/invoice_total',
    ])
      expect(scores[`/invoice/${field}`]).toBe(1)
  })

  it('needs a review if the printed total differs from its total', () => {
    const other = withoutLines.replace(/GrandTotalAmount>[\d.]+</g, 'GrandTotalAmount>9999.99<')
    const proposal = proposeInvoice(material(other), CONTEXT)
    expect(proposal.reasons).toContain('xml_contradicted')
    expect(statusOf(proposal, true)).toBe('recognized_pending_review')
  })

  it('is ignored if it cannot be read', () => {
    for (const xml of [
      '',
      '<a>',
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>${whole.slice(0, 400)}`,
    ])
      expect(proposeInvoice(material(xml), CONTEXT).scores['/invoice/supplier/tax_id']).toBe(0.9)
  })
})

describe('the reasons beside a ready proposal', () => {
  const ready = proposeInvoice(materialOf(letter(SALES.plain, false), 'text'), CONTEXT)
  const HARMLESS = ['xml_partial', 'lines_grouped']

  it('are only the harmless ones', () => {
    expect(statusOf({ ...ready, reasons: [] }, true)).toBe('recognized_ready')
    const codes = Object.keys(REASONS).filter((code) => code !== '//') as (keyof typeof REASONS)[]
    expect(
      codes.filter((code) => statusOf({ ...ready, reasons: [code] }, true) === 'recognized_ready'),
    ).toEqual(HARMLESS)
  })
})

describe('an invoice in XML', () => {
  const document = proposeInvoice(materialOf(letter(SALES.plain, false), 'text'), CONTEXT).document
  const page = (...texts: readonly string[]) => printed(['Factura', 'Total|121,00', ...texts])
  const total = { ...document.invoice.totals, invoice_total: 121 }
  const with_ = (changes: object) => ({
    ...document,
    invoice: { ...document.invoice, totals: total, ...changes },
  })

  it.each([
    ['of the company', {}, [], []],
    ['addressed to another company', { customer: SUPPLIERS.food }, [], ['customer_is_other']],
    ['without a customer', { customer: undefined }, [], ['customer_not_found']],
    ['issued by the company', { supplier: OURS }, [], ['supplier_is_company']],
    ['cancelled on its page', {}, ['ANULADA'], ['not_in_force']],
  ])('%s has the reasons of a printed one', (_, changes, texts, reasons) => {
    const proposal = proposeXml(with_(changes) as typeof document, page(...texts), CONTEXT)
    expect(proposal.reasons).toEqual(reasons)
    expect(statusOf(proposal, true) === 'recognized_ready').toBe(reasons.length === 0)
  })
})
