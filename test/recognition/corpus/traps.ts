/** Documents that must never be ready: they are not invoices, or their content is contradictory. */
import type { Document } from './document.ts'
import { MORE } from './more-sales.ts'
import { OURS } from './parties.ts'
import type { Sketch } from './sketch.ts'
import type { Truth } from './truth.ts'
import { printed } from './wide.ts'

type Change = (sketch: Sketch) => Sketch
type Trap = readonly [name: string, generator: Parameters<typeof printed>[0][1], truth: Truth, change: Change]

/** Changes the title, and the labels of the number and the date to match. */
const titled =
  (title: string, number = title): Change =>
  (sketch) => ({
    ...sketch,
    title,
    facts: sketch.facts.map(([label, value], at) => [
      at === 0 ? `${number} nº` : at === 1 ? 'Fecha' : label,
      value,
    ]),
  })
const noted =
  (...texts: readonly string[]): Change =>
  (sketch) => ({ ...sketch, notes: [...sketch.notes, ...texts] })
/** Changes the amount in the last row of totals. */
const lastTotal =
  (value: string): Change =>
  (sketch) => ({
    ...sketch,
    totals: sketch.totals.map(([label, printed], at) => [
      label,
      at === sketch.totals.length - 1 ? value : printed,
    ]),
  })
const withoutTotals =
  (title: string, ...texts: readonly string[]): Change =>
  (sketch) => ({ ...titled(title)(sketch), totals: [], notes: texts })

const { cleaner, builder, printer, transport, architect, wholesale, consulting, phone, large, rent } = {
  ...MORE,
  rent: MORE.landlord,
}

const own: Truth = { ...cleaner, supplier: OURS, customer: printer.supplier }
const others: Truth = { ...cleaner, customer: builder.supplier }

const TRAPS_SHOWN: readonly Trap[] = [
  ['proforma', 'jsPDF', builder, titled('FACTURA PROFORMA', 'Factura proforma')],
  [
    'proforma in two lines',
    'PDF by hand',
    cleaner,
    (sketch) => ({ ...sketch, title: 'FACTURA', facts: [['PROFORMA', ''], ...sketch.facts] }),
  ],
  [
    'proforma, small',
    'Chromium, airy',
    printer,
    noted('Este documento es una factura pro-forma y no tiene valor contable.'),
  ],
  ['proforma in English', 'React-PDF', consulting, titled('Pro forma invoice', 'Pro forma invoice')],
  ['presupuesto', 'Typst', builder, titled('PRESUPUESTO', 'Presupuesto')],
  [
    'presupuesto that will be invoiced',
    'pdfmake',
    cleaner,
    (sketch) =>
      noted('La factura se emitirá tras la aceptación de este presupuesto.')(titled('Presupuesto')(sketch)),
  ],
  ['delivery note', 'text printer', wholesale, titled('ALBARÁN VALORADO', 'Albarán')],
  ['delivery note in Catalan', 'pdf-lib', printer, titled('Albarà de lliurament', 'Albarà')],
  ['order', 'Chromium, spreadsheet', wholesale, titled('Pedido', 'Pedido')],
  ['order confirmation', 'pdfkit', transport, titled('Confirmación de pedido', 'Pedido')],
  ['no fiscal validity', 'pdf-lib', cleaner, noted('DOCUMENTO SIN VALIDEZ FISCAL')],
  [
    'no fiscal validity, first of all',
    'Typst',
    phone,
    (sketch) => ({ ...sketch, supplier: ['Documento sin validez fiscal', ...sketch.supplier] }),
  ],
  [
    'two totals',
    'jsPDF',
    cleaner,
    (sketch) => ({ ...sketch, notes: ['Importe total de la factura: 1.359,61 €', ...sketch.notes] }),
  ],
  [
    'two totals, in a row each',
    'Chromium, spreadsheet',
    builder,
    (sketch) => ({ ...sketch, totals: [...sketch.totals, ['TOTAL FACTURA', '5.961,20 €']] }),
  ],
  ['a total that nothing explains', 'PDF by hand', printer, lastTotal('2.300,00 €')],
  ['a total that nothing explains', 'pdfmake', transport, lastTotal('441,99 €')],
  [
    'a tax that its rate does not give',
    'React-PDF',
    cleaner,
    (sketch) => ({
      ...sketch,
      totals: [
        ['Base imponible', '1.041,00 €'],
        ['IVA 21%', '281,61 €'],
        ['Total factura', '1.322,61 €'],
      ],
    }),
  ],
  [
    'code of another amount',
    'pdf-lib',
    cleaner,
    (sketch) => ({ ...sketch, code: { ...cleaner, invoice_total: cleaner.invoice_total + 100 } }),
  ],
  [
    'code of another amount',
    'Chromium, airy',
    architect,
    (sketch) => ({ ...sketch, code: { ...architect, invoice_total: 3120.4 } }),
  ],
  ['own invoice', 'pdfkit', own, (sketch) => sketch],
  ['own invoice', 'Chromium, utility', { ...own, number: 'E-26/7' }, (sketch) => sketch],
  ['invoice to another company', 'Typst', others, (sketch) => sketch],
  [
    'statement of account',
    'text printer',
    wholesale,
    (sketch) => ({
      ...withoutTotals('Extracto de cuenta')(sketch),
      head: ['Factura', 'Fecha', 'Vencimiento', 'Pendiente'],
      rows: [
        ['V2604417', '08/10/26', '07/11/26', '604,18'],
        ['V2604902', '21/10/26', '20/11/26', '376,99'],
      ],
      totals: [['Saldo pendiente', '981,17']],
    }),
  ],
  [
    'receipt of payment',
    'jsPDF',
    rent,
    (sketch) => ({
      ...titled('RECIBO DE PAGO', 'Recibo')(sketch),
      rows: [['Pago de la factura ALQ-06/2026', '1', '1.479,00 €', '1.479,00 €']],
      totals: [['Total pagado', '1.479,00 €']],
    }),
  ],
  [
    'letter',
    'Typst',
    phone,
    (sketch) => ({
      ...withoutTotals(
        'Cambio de tarifas',
        'Le informamos de que a partir de su próxima factura la cuota pasará de 38,50 € a 41,00 €.',
        'Atentamente, el departamento de clientes.',
      )(sketch),
      head: ['Asunto', '', '', ''],
      rows: [],
    }),
  ],
  ['offer', 'Chromium, airy', consulting, titled('Oferta', 'Oferta')],
  [
    'reminder',
    'React-PDF',
    large,
    (sketch) =>
      noted('La factura C-26/102 sigue pendiente de pago.')(
        titled('Recordatorio de pago', 'Expediente')(sketch),
      ),
  ],
  ['draft', 'pdfmake', architect, (sketch) => ({ ...sketch, title: 'BORRADOR DE FACTURA' })],
]

/** The `truth` of a trap is the printed content. Recognition is not expected to find it. */
export const TRAPS: readonly Document[] = TRAPS_SHOWN.map(([name, generator, truth, change]) => {
  const document = printed([name, generator, truth], change)
  return { ...document, name: `trap: ${document.name}` }
})
