/** Reads the printed rows of suppliers: languages, notations, deductions, and documents that are never ready. */
import { describe, expect, it } from 'vitest'
import { valueAt } from '#core/invoice/index.ts'
import { proposeInvoice, reviewReasons, statusOf } from '../src/fields/index.ts'
import { OURS } from './corpus/parties.ts'
import { printed } from './print.ts'

const CONTEXT = {
  company: { tax_id: OURS.tax_id, legal_name: OURS.name, person_type_code: 'J', default_tax_group: 'IVA' },
  today: '2026-11-22',
} as const

const HEAD = [
  'Talleres Imaginarios, S.L.||Cliente',
  `CIF: B87345120||${OURS.name}`,
  `C/ Inventada 3, 28001 Madrid||NIF: ${OURS.tax_id}`,
]
const NUMBERED = [...HEAD, 'Factura n.º: F-2026/14', 'Fecha de emisión: 03/03/2026']

function read(...lines: readonly string[]) {
  const proposal = proposeInvoice(printed(lines), CONTEXT)
  const at = (pointer: string) => valueAt(proposal.document, `/invoice/${pointer}`)
  return {
    proposal,
    status: statusOf(proposal, true).replace('recognized_', ''),
    reasons: reviewReasons(proposal, true),
    number: at('header/invoice_number'),
    date: at('issue_data/issue_date'),
    due: at('payment_details/0/installment_due_date'),
    taxId: at('supplier/tax_id'),
    name: at('supplier/name'),
    base: at('totals/total_gross_amount_before_taxes'),
    tax: at('totals/total_tax_outputs'),
    total: at('totals/invoice_total'),
    withheld: at('totals/total_taxes_withheld'),
    disbursements: at('totals/total_reimbursable_expenses'),
    advances: at('totals/total_payments_on_account'),
  }
}

describe('labels are read', () => {
  it.each([
    [
      'Catalan',
      'NIF: B87345120',
      'Factura núm. 2026/33',
      "Data d'emissió: 3 de març de 2026",
      "Venciment: 2 d'abril de 2026",
      'Base imposable|500,00',
      'IVA 21 %|105,00',
      'Total factura|605,00',
    ],
    [
      'Galician',
      'NIF: B87345120',
      'Número de factura: 2026/33',
      'Data de expedición: 3 de marzo de 2026',
      'Vencemento: 2 de abril de 2026',
      'Base impoñible|500,00',
      'IVE 21 %|105,00',
      'Total a pagar|605,00',
    ],
    [
      'Basque',
      'IFZ: B87345120',
      'Faktura-zenbakia: 2026/33',
      'Faktura-data: 2026ko martxoaren 3a',
      'Mugaeguna: 2026ko apirilaren 2a',
      'Zerga-oinarria|500,00',
      'BEZ %21|105,00',
      'Guztira|605,00',
    ],
    [
      'English',
      'VAT no.: ESB87345120',
      'Invoice no.: 2026/33',
      'Invoice date: 3 March 2026',
      'Due date: April 2nd, 2026',
      'Subtotal|500.00',
      'VAT 21%|105.00',
      'Total due|605.00',
    ],
    [
      'French',
      'N° TVA : ESB87345120',
      'Facture N° : 2026/33',
      'Date de facture : 3 mars 2026',
      "Date d'échéance : 2 avril 2026",
      'Total HT|500,00',
      'TVA 21 %|105,00',
      'Net à payer|605,00',
    ],
    [
      'German',
      'USt-IdNr.: ESB87345120',
      'Rechnungsnummer: 2026/33',
      'Rechnungsdatum: 3. März 2026',
      'Fällig am: 2. April 2026',
      'Nettobetrag|500,00',
      'MwSt. 21 %|105,00',
      'Gesamtbetrag|605,00',
    ],
    [
      'Portuguese',
      'Contribuinte n.º: ESB87345120',
      'Fatura n.º 2026/33',
      'Data de emissão: 3 de março de 2026',
      'Data de vencimento: 2 de abril de 2026',
      'Incidência|500,00',
      'IVA 21 %|105,00',
      'Total a pagar|605,00',
    ],
    [
      'Italian',
      'P.IVA: ESB87345120',
      'Fattura n. 2026/33',
      'Data fattura: 3 marzo 2026',
      'Scadenza: 2 aprile 2026',
      'Imponibile|500,00',
      'IVA 21 %|105,00',
      'Totale documento|605,00',
    ],
  ])('in %s', (_, id, ...lines) => {
    const head = ['Talleres Imaginarios, S.L.', id, '', `NIF: ${OURS.tax_id}`]
    expect(read(...head, ...lines)).toMatchObject({
      status: 'ready',
      number: '2026/33',
      date: '2026-03-03',
      due: '2026-04-02',
      taxId: 'B87345120',
      base: 500,
      tax: 105,
      total: 605,
    })
  })

  it.each([
    [
      'above the value',
      ['Factura n.º|Fecha', 'F-2026/14|03/03/2026'],
      { number: 'F-2026/14', date: '2026-03-03' },
    ],
    ['in two languages', ['Factura / Invoice: F-88'], { number: 'F-88' }],
    ['"Emisión" alone', ['Emisión: 3 mar. 2026'], { date: '2026-03-03' }],
    ['of a credit note', ['Fecha abono: 03/03/2026'], { date: '2026-03-03' }],
  ])('%s', (_, lines, expected) => {
    expect(read(...HEAD, ...lines, 'Base imponible|100,00', 'IVA 21%|21,00', 'TOTAL|121,00')).toMatchObject(
      expected,
    )
  })
})

it('on pixels, N.º may be misread as N.e, and in text it is not', () => {
  const text = printed([...HEAD, `Factura N.e F-2026/14`, 'Total|121,00'])
  const pixels = { ...text, pages: text.pages.map((page) => ({ ...page, source: 'ocr' as const })) }
  const numberOf = (material: typeof text) =>
    valueAt(proposeInvoice(material, CONTEXT).document, '/invoice/header/invoice_number')
  expect(numberOf(pixels)).toBe('F-2026/14')
  expect(numberOf(text)).toBeUndefined()
})

/** A case: its name, the printed lines, and the expected amounts. */
type Case = readonly [
  name: string,
  lines: readonly string[],
  expected: Readonly<Record<string, number | string>>,
]

describe('amounts are read', () => {
  it.each<Case>([
    [
      'with spaces between thousands',
      ['Base imponible|3 175,00', 'IVA 21%|666,75', 'TOTAL|3 841,75'],
      { base: 3175, total: 3841.75 },
    ],
    [
      'with the minus sign behind',
      ['Base imponible|100,00-', 'IVA 21%|21,00-', 'TOTAL|121,00-'],
      { base: -100, total: -121 },
    ],
    [
      'with a row of 0 %, whose reason is not printed',
      ['Base|%|Cuota', '330,00|10 %|33,00', '34,10|0 %|0,00', 'TOTAL FACTURA|397,10'],
      { base: 364.1, total: 397.1, status: 'pending_review' },
    ],
    [
      'with surcharge',
      ['Base imponible|900,00', 'IVA 21%|189,00', 'R.E. 5,2 %|46,80', 'TOTAL|1.135,80'],
      { tax: 235.8, total: 1135.8 },
    ],
    [
      'with suplidos and an advance',
      [
        'Honorarios|1.000,00',
        'IVA 21 %|210,00',
        'I.R.P.F. 15 %|-150,00',
        'Suplidos|80,00',
        'Provisión de fondos|-300,00',
        'Total a percibir|840,00',
      ],
      { total: 1210, withheld: 150, disbursements: 80, advances: 300 },
    ],
    ...[
      'RET -15%',
      'Retención 15 %',
      'RTE. 15%',
      'I.R.P.F. (15%)',
      'Retenc. IRPF 15 %',
      'A deducir IRPF 15 %',
    ].map(
      (label): Case =>
        [
          `with the withholding as ${label}`,
          ['BASE IMPONIBLE|1.966,00', 'IVA 21%|412,86', `${label}|-294,90`, 'TOTAL|2.083,96'],
          { total: 2378.86, withheld: 294.9 },
        ] as const,
    ),
  ])('%s', (_, lines, expected) => {
    const result = read(...NUMBERED, ...lines)
    expect(result).toMatchObject({ status: 'ready', ...expected })
  })

  it('with a reduced withholding of Ceuta and Melilla, if the company is under IPSI', () => {
    const company = { ...CONTEXT.company, default_tax_group: 'IPSI' as const }
    const lines = ['Base imponible|1.000,00', 'IPSI 4 %|40,00', 'Retención|-60,00', 'TOTAL|980,00']
    const { document } = proposeInvoice(printed([...NUMBERED, ...lines]), { ...CONTEXT, company })
    expect(valueAt(document, '/invoice/taxes_withheld/0')).toMatchObject({ tax_rate: 6, tax_amount: 60 })
  })

  it('with the tax included: a calculated amount scores at most 0.5', () => {
    const { proposal, ...rest } = read(...NUMBERED, 'TOTAL|24,20', 'IVA 10% INCLUIDO (2,20)')
    expect(rest).toMatchObject({ base: 22, tax: 2.2, total: 24.2, status: 'pending_review' })
    expect(proposal.scores['/invoice/totals/total_gross_amount_before_taxes']).toBeLessThanOrEqual(0.5)
  })
})

describe('the supplier is read', () => {
  const amounts = ['Base imponible|100,00', 'IVA 10%|10,00', 'Total a pagar|110,00']

  it('from the small print, without the entry in the trade register', () => {
    const small =
      'Empresa Municipal de Aguas, S.A. Inscrita en el Registro Mercantil de Madrid, tomo 23, folio 4. C.I.F.: A-82018441'
    expect(read('#Aguas', `NIF: ${OURS.tax_id}`, 'Factura n.º 2026-14', ...amounts, small)).toMatchObject({
      taxId: 'A82018441',
      name: 'Empresa Municipal de Aguas, S.A.',
    })
  })

  it.each([
    ['PAGADO', 'Ana López García', 'Traductora jurada'],
    ['Titular de la explotación: Ana López García'],
  ])('of %s, with the letter that follows from the figures', (...lines) => {
    const { proposal, ...rest } = read(...lines, 'NIF: 71234509', '', `NIF: ${OURS.tax_id}`, ...amounts)
    expect(rest).toMatchObject({ taxId: '71234509J', name: 'Ana López García' })
    expect(proposal.scores['/invoice/supplier/tax_id']).toBeLessThanOrEqual(0.5)
  })
})

describe('the number is read', () => {
  const sums = ['Fecha: 03/03/2026', 'Base imponible|100,00', 'IVA 21%|21,00', 'Total factura|121,00']
  const UNSURE = { status: 'pending_review' }

  it.each([
    ['with a prefix that is also a label', ['FACTURA Nº: FRA-25-042'], { number: 'FRA-25-042' }],
    ['with blanks', ['Factura nº: A 26 00031'], { number: 'A 26 00031' }],
    [
      'with blanks around a dash, below its heading',
      ['Código|Nº Albarán|Nº Factura|Fecha', '43/7||25 - 11.474|03/03/2026'],
      { number: '25 - 11.474' },
    ],
    ['with blanks around a slash', ['Factura Serie/Número: A / 000123'], { number: 'A / 000123' }],
    ['with its series before it', ['Serie: A Factura: 26/31'], { number: '26/31' }],
    ['beside the title', ['Factura 26/118'], { number: '26/118' }],
    ['below the title, in a box', ['#FACTURA||', '260992A0687'], { number: '260992A0687' }],
    [
      'of a till',
      ['Datos FACTURA: 142312402C0628', '03/03/2026 14:03 Caja: 2 TICKET: 209'],
      { number: '142312402C0628' },
    ],
    ['with its rest in the next cell', ['Número|25|- 5469|Fecha'], { number: '25 - 5469' }],
    [
      'in a table whose rules are letters',
      ['| SERIE|| NUMERO|| FECHA', '| FV|| 001204|| 03/03/26', 'FACTURA'].map((row) =>
        row.replaceAll('||', ' | '),
      ),
      { number: '001204' },
    ],
    [
      'in two cells below one heading, unsure',
      ['DOCUMENTO|NÚMERO||FECHA', 'Factura|1|250231|03/03/2026'],
      { ...UNSURE, number: '1 250231' },
    ],
    [
      'and not a postcode beside the title',
      ['FACTURA', '29491 BENALAURIA', 'Número 2500377'],
      { number: '2500377' },
    ],
    [
      'and not a postcode below "s/n"',
      ['Camino de las Viñas, s/n', '09370 Gumiel de Izán', 'Factura nº 14/26'],
      { number: '14/26' },
    ],
    [
      'unsure if another label has another number',
      ['Factura nº 14/26', 'Número: 88123'],
      { ...UNSURE, number: '14/26' },
    ],
    [
      'unsure in a sentence',
      ['Les enviamos la factura n.º 26/0031 que se pagará en su fecha'],
      { ...UNSURE, number: '26/0031' },
    ],
  ])('%s', (_, lines, expected) => {
    expect(read(...HEAD, ...lines, ...sums)).toMatchObject(expected)
  })
})

describe('the date is read', () => {
  const sums = ['Factura nº: F-1', 'Base imponible|100,00', 'IVA 21%|21,00', 'Total factura|121,00']

  it.each([
    ['behind a label with two meanings', ['Fecha de la factura/Fecha de la entrega|3 marzo 2026']],
    ['that goes on in the next line', ['Fecha de la factura 3 marzo', '2026']],
    ['of a till, with the time', ['03/03/26 14:03 Caja: 2', 'Acumulado a 24/02/2026']],
    ['and not that of a delivery note', ['ALBARÁN: 02 / 23471 FECHA: 17/01/2026', 'Fecha: 03/03/2026']],
    ['and not that of an order in the row', ['Pedido 8812|Fecha: 17/01/2026', 'Fecha: 03/03/2026']],
  ])('%s', (_, lines) => {
    expect(read(...HEAD, ...lines, ...sums).date).toBe('2026-03-03')
  })
})

describe('receipts that are invoices are read', () => {
  const to = [`Cliente: ${OURS.name}`, `NIF: ${OURS.tax_id}`]

  it.each([
    [
      'of a farmer',
      ['Amparo Huerta Inventada', 'NIF: 12345678Z', ...to, 'Recibo n.º REAGP 26/09', 'Fecha: 03/03/2026'],
      [
        'Importe de los productos|3.120,40',
        'Compensación 12 %|374,45',
        'Total|3.494,85',
        'Retención IRPF 2 %|-62,41',
        'Líquido a percibir|3.432,44',
      ],
      { number: 'REAGP 26/09', total: 3494.85, withheld: 62.41 },
    ],
    [
      'of an insurer',
      [
        'Seguros Inventados, S.A.',
        'CIF: A82018441',
        ...to,
        'Nº de recibo / factura: 0088-12345',
        'Fecha de emisión: 03/03/2026',
      ],
      ['Prima neta|200,00', 'Impuestos y recargos|16,00', 'TOTAL RECIBO|216,00'],
      { number: '0088-12345', total: 216, status: 'pending_review' },
    ],
    [
      'of a taxi',
      [
        'RECIBO DE TAXI',
        'Explotada por Ana López García',
        'NIF: 71234509J',
        ...to,
        'FRA. SIMPLIFICADA Nº B-2026-7741',
        '03/03/2026 14:03',
      ],
      ['Base|20,00', 'IVA 10%|2,00', 'TOTAL|22,00'],
      { number: 'B-2026-7741', date: '2026-03-03', name: 'Ana López García', total: 22 },
    ],
  ])('%s', (_, head, sums, expected) => {
    expect(read(...head, ...sums)).toMatchObject(expected)
  })

  it.each([
    ['Número de IVA: IE6388047V', 'IE6388047V'],
    ['CIF.: B-79/992079', 'B79992079'],
    ['N.º de reg. IVA ESB78603495', 'B78603495'],
  ])('with the id %s', (line, taxId) => {
    const lines = [
      line,
      ...to,
      'Factura n.º 14/26 del 03/03/2026',
      'Base|20,00',
      'IVA 10%|2,00',
      'TOTAL|22,00',
    ]
    expect(read('Talleres Imaginarios, S.L.', ...lines)).toMatchObject({ taxId, date: '2026-03-03' })
  })
})

/** Names that begin with the word of a label are names. */
describe('the name of the supplier is read whole', () => {
  it.each([
    'Proveedor Integral, S.L.',
    'Emisora Local, S.L.',
    'Supplier Solutions, S.L.',
    'Cliente Feliz, S.L.',
    'Destinatario Norte, S.L.',
    'Receptor Digital, S.A.',
    'Comprador Feliz, S.L.',
    'Vendedor y Prestador, S.L.',
    'Arrendador Urbano, S.A.',
  ])('%s', (name) => {
    const sums = ['Base imponible|100,00', 'IVA 21%|21,00', 'Total factura|121,00']
    const customer = ['', `Cliente: ${OURS.name}`, `NIF: ${OURS.tax_id}`]
    const result = read(name, 'NIF: B87345120', 'Factura nº: F-1', 'Fecha: 03/03/2026', ...customer, ...sums)
    expect(result).toMatchObject({ name, taxId: 'B87345120', status: 'ready' })
  })

  it('a name over two lines needs a review', () => {
    const sums = ['Base imponible|100,00', 'IVA 21%|21,00', 'Total factura|121,00']
    const rest = [
      'NIF: B87345120',
      'Factura nº: F-1',
      'Fecha: 03/03/2026',
      '',
      `Cliente: ${OURS.name}`,
      `NIF: ${OURS.tax_id}`,
    ]
    expect(read('GRUPO TERRITORIO', 'CAMPERO S.L.', ...rest, ...sums).status).toBe('pending_review')
  })
})

describe('a printed id is never changed', () => {
  it.each([
    ['with a wrong check character', 'CIF: B87345121', 'B87345121'],
    ['with more digits than a Spanish one', 'VAT/TIN: 29670869006', '29670869006'],
  ])('%s', (_, printedId, taxId) => {
    const lines = NUMBERED.map((line) => line.replace('CIF: B87345120', printedId))
    const { proposal, ...rest } = read(...lines, 'Base imponible|100,00', 'IVA 21%|21,00', 'Total|121,00')
    expect(rest).toMatchObject({ taxId, status: 'pending_review' })
    expect(rest.reasons).toContain('supplier_wrong_check')
    expect(proposal.scores['/invoice/supplier/tax_id']).toBeLessThan(0.5)
  })
})

describe('a breakdown that is not understood', () => {
  it.each([
    ['of IGIC', 'tax_not_available', ['Base imponible|100,00', 'IGIC 7 %|7,00', 'Total|107,00']],
    ['that does not add up', 'amounts_disagree', ['Base imponible|100,00', 'IVA 21%|20,00', 'Total|121,10']],
  ])('%s stays empty beside the printed total', (_, reason, sums) => {
    const { proposal, ...rest } = read(...NUMBERED, ...sums)
    expect(rest.reasons).toContain(reason)
    expect(rest.total).toBe(Number(sums.at(-1)?.split('|')[1]?.replace(',', '.')))
    expect(proposal.document.invoice).not.toHaveProperty('lines')
    expect(proposal.document.invoice).not.toHaveProperty('taxes_outputs')
    expect(rest).toMatchObject({ base: undefined, tax: undefined })
  })
})

describe('is not ready, with a reason', () => {
  const sums = ['Base imponible|1.000,00', 'IVA 21%|210,00', 'Total|1.210,00']
  const dated = [...HEAD, 'Fecha: 03/03/2026']
  const own = ['Empresa||Cliente', `NIF: ${OURS.tax_id}||Talleres Imaginarios, S.L.`, '||NIF: B87345120']

  it.each([
    [
      'a pro forma set in two lines',
      'not_final',
      [...dated, '#FACTURA', '#PROFORMA', 'Factura n.º: F-1', ...sums],
    ],
    ['a number PF-…', 'not_final', [...dated, 'Factura n.º: PF-2026/14', ...sums]],
    ['a quotation', 'not_final', [...dated, '#PRESUPUESTO N.º 14', ...sums]],
    ['a delivery note', 'not_final', [...dated, '#ALBARÁN N.º 2231', 'Facturar a fin de mes', ...sums]],
    ['a draft', 'not_final', [...NUMBERED, ...sums, 'BORRADOR para su revisión']],
    ['an order', 'not_final', [...dated, 'Pedido n.º 2231', ...sums]],
    [
      'a document without fiscal validity',
      'not_final',
      [...NUMBERED, ...sums, 'Documento sin validez fiscal'],
    ],
    ['a cancelled invoice', 'not_in_force', [...NUMBERED, '#ANULADA', ...sums]],
    [
      'a cancelled invoice',
      'not_in_force',
      [...NUMBERED, ...sums, 'Esta factura ha sido anulada el 4 de marzo.'],
    ],
    ['a sample', 'not_in_force', [...NUMBERED, '#FACTURA - MUESTRA', ...sums]],
    ['a duplicate', 'duplicate', [...NUMBERED, 'DUPLICADO', ...sums]],
    ['a reminder', 'payment_demand', [...NUMBERED, 'Asunto: segundo aviso de factura impagada', ...sums]],
    ['a demand', 'payment_demand', [...HEAD, '#REQUERIMIENTO DE PAGO', 'Factura n.º F-1', ...sums]],
    [
      'a claim in a letter',
      'payment_demand',
      [...NUMBERED, 'Seguimos sin recibir el abono de la siguiente factura:', ...sums],
    ],
    [
      'the confirmation of an order',
      'not_final',
      [...dated, 'CONFIRMACIÓN DE PEDIDO', 'Número 26/31', ...sums],
    ],
    ['a document that is not called an invoice', 'invoice_unnamed', [...dated, 'Número: 26/31', ...sums]],
    [
      'an invoice of another company',
      'customer_is_other',
      [
        'Talleres Imaginarios, S.L.||Cliente',
        'CIF: B87345120||Otra, S.A.',
        '||NIF: A12345674',
        'Factura n.º: F-1',
        'Fecha: 03/03/2026',
        ...sums,
      ],
    ],
    [
      'an invoice without the id of the company',
      'customer_not_found',
      [
        'Talleres Imaginarios, S.L.||Cliente',
        'CIF: B87345120||Otra, S.A.',
        'Factura n.º: F-1',
        'Fecha: 03/03/2026',
        ...sums,
      ],
    ],
    ['two printed totals', 'total_unexplained', [...NUMBERED, 'TOTAL FACTURA|1.741,15', ...sums]],
    [
      'a total that nothing explains',
      'amounts_disagree',
      [...NUMBERED, 'Base imponible|1.000,00', 'IVA 21%|210,00', 'TOTAL|1.333,00'],
    ],
    [
      'a withholding that cannot be read',
      'withholding_unread',
      [...NUMBERED, ...sums, 'Retención IRPF|77,77'],
    ],
    [
      'a withholding under an unknown label',
      'withholding_unnamed',
      [...NUMBERED, 'Base imponible|1.000,00', 'IVA 21%|210,00', 'Zzz|-150,00', 'TOTAL|1.060,00'],
    ],
    [
      "the company's own invoice",
      'supplier_is_company',
      [...own, 'Factura n.º: F-1', 'Fecha: 03/03/2026', ...sums],
    ],
  ])('%s', (_, reason, lines) => {
    const { status, reasons, proposal } = read(...lines)
    expect(status).toBe('pending_review')
    expect(reasons).toContain(reason)
    if (reason === 'supplier_is_company')
      expect(proposal.scores['/invoice/customer/tax_id']).toBeLessThan(0.9)
  })

  it('an invoice with a missing field needs a review with the reason, and is not rejected', () => {
    for (const [missing, reason] of [
      ['Factura n.º: F-2026/14', 'number_missing'],
      ['Fecha de emisión: 03/03/2026', 'date_missing'],
      ['CIF: B87345120', 'supplier_missing'],
    ] as const) {
      const lines = [...NUMBERED, ...sums].map((line) => line.replace(missing, ''))
      const { status, reasons } = read(...lines)
      expect([status, reasons.includes(reason)]).toEqual(['pending_review', true])
    }
  })

  it('a document that is not an invoice is rejected', () => {
    expect(read('Estimado cliente:', 'Le deseamos felices fiestas.').status).toBe('rejected')
    expect(read('Su factura se enviará por correo.').status).toBe('rejected')
    expect(read('').status).toBe('rejected')
  })
})
