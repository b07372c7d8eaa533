/** Independent invoices of programs that lay out the page themselves: Typst, pdfmake and React-PDF. */

import { type Content, right, table as rowsOf } from './pdfmake.ts'
import {
  addressOf,
  dayFirst,
  englishAmount,
  euros,
  grouped,
  percentage,
  quantity,
  spanishDate,
} from './print.ts'
import { BETWEEN, type Boxes, box, type Styled, text } from './react-pdf.ts'
import type { Whole } from './truth.ts'
import { codeIn, lines, string, table } from './typst.ts'

const TWO = 'columns: (1fr, auto), align: (left, right), stroke: none, inset: (x: 0pt, y: 3pt)'

/** A lawyer's bill: centred letterhead, full sentences, and the amounts in a column of the letter. */
export function lawyerSource(truth: Whole): string {
  const { supplier, customer, withheld } = truth
  return `#set page(paper: "a4", margin: (x: 28mm, y: 24mm))
#set text(size: 11pt, font: "New Computer Modern", lang: "es")
#align(center)[#text(size: 15pt, tracking: 1pt)[#smallcaps[${string(supplier.name)}]] \\ Abogada · Col. 3.118 ICAVA \\ ${lines([supplier.street, supplier.town, `N.I.F. ${supplier.tax_id}`])}]
#line(length: 100%, stroke: 0.5pt)
#v(4mm)
${string('MINUTA DE HONORARIOS - FACTURA')} #h(1fr) ${string(`núm. ${truth.number}`)}

En Valladolid, a ${string(spanishDate(truth.issue_date))}

${lines(['Cliente:', customer.name, `${customer.street}, ${customer.town}`, `C.I.F. ${customer.tax_id}`])}
#v(4mm)
Honorarios devengados por las siguientes actuaciones profesionales:
${table(TWO, [
  ...truth.items.map((one) => [one.text, `${euros(one.amount)} €`]),
  ['Total honorarios', `${euros(truth.base)} €`],
  ['I.V.A. (21 %)', `${euros(truth.vat.amount)} €`],
  ['Retención I.R.P.F. (15 %)', `-${euros(withheld.amount)} €`],
  ['TOTAL', `${euros(truth.total)} €`],
])}
#v(6mm)
${string(`Pago mediante transferencia: ${grouped(truth.iban)}`)}
`
}

/** A notary's bill: items of the official tariff, and disbursements after the taxes. */
export function notarySource(truth: Whole): string {
  const { supplier, customer, withheld } = truth
  const outlays: readonly (readonly [string, number])[] = [
    ['Suplido: timbre, papel notarial', 5.1],
    ['Suplido: provisión Registro Mercantil', 60],
  ]
  const payable = outlays.reduce((sum, [, amount]) => sum + amount, truth.total)
  return `#set page(paper: "a4", margin: 20mm)
#set text(size: 10pt, font: "Libertinus Serif", lang: "es")
#text(size: 13pt)[NOTARÍA DE OVIEDO] \\ ${lines(addressOf(supplier, 'N.I.F.'))}
#v(6mm)
#grid(columns: (1fr, 1fr), [*Factura* ${string(truth.number)} \\ *Fecha* ${string(dayFirst(truth.issue_date, '-'))} \\ *Protocolo* 1.042 de 16-04-2026 \\ *Acto* Póliza de préstamo], [${lines(addressOf(customer, 'N.I.F.'))}])
#v(6mm)
${table('columns: (1fr, auto, auto, auto), align: (left, right, right, right), stroke: (x: none, y: 0.3pt)', [
  ['Arancel (R.D. 1426/1989)', 'Uds.', 'Derechos', 'Importe'],
  ...truth.items.map((one) => [one.text, String(one.quantity), euros(one.price), euros(one.amount)]),
])}
#v(4mm)
#pad(left: 60mm)[
${table(TWO, [
  ['Base imponible', euros(truth.base)],
  ['IVA 21,00 %', euros(truth.vat.amount)],
  ['Total factura', euros(truth.invoice_total)],
  ['Retención IRPF 15,00 %', `-${euros(withheld.amount)}`],
  ...outlays.map(([label, amount]) => [label, euros(amount)]),
  ['Importe a satisfacer', `${euros(payable)} €`],
])}]
#v(8mm)
#text(size: 7pt)[Bases declaradas: 18.000,00 €. La presente factura puede impugnarse ante la Junta Directiva del Colegio Notarial en el plazo de quince días hábiles.]
`
}

/** An invoice in Catalan: facts in a row with labels above, and the total in a box. */
export function catalanSource(truth: Whole): string {
  const { supplier, customer } = truth
  const date = `${Number(truth.issue_date.slice(8))} de març de 2026`
  return `#set page(paper: "a4", margin: 18mm)
#set text(size: 10pt, font: "DejaVu Sans", lang: "ca")
${codeIn(truth)}
#text(size: 20pt, weight: "bold")[Puigdomènech] \\ ${lines(addressOf(supplier, 'NIF'))}
#v(14mm)
${table('columns: (1fr, 1fr, 1fr), stroke: 0.4pt', [
  ['Factura núm.', 'Data', 'Data de venciment'],
  [truth.number, date, dayFirst(truth.due_date)],
])}
#v(3mm)
${lines(['Client', ...addressOf(customer, 'NIF')])}
#v(5mm)
${table('columns: (auto, 1fr, auto, auto), align: (right, left, right, right), stroke: (x: none, y: 0.3pt)', [
  ['Quant.', 'Concepte', 'Preu unitari', 'Import'],
  ...truth.items.map((one) => [
    quantity(one.quantity),
    one.text,
    `${euros(one.price)} €`,
    `${euros(one.amount)} €`,
  ]),
])}
#v(5mm)
#align(right, rect(inset: 8pt)[
${table('columns: 2, align: (left, right), stroke: none', [
  ['Base imposable', `${euros(truth.base)} €`],
  ['Quota IVA 21 %', `${euros(truth.vat.amount)} €`],
  ['Import total', `${euros(truth.total)} €`],
])}])
${string(`Forma de pagament: transferència al compte ${grouped(truth.iban)}`)}
`
}

/** A final invoice with the deduction of an invoiced advance as one of its lines. */
export function advanceSource(truth: Whole): string {
  const { supplier, customer } = truth
  return `#set page(paper: "a4", margin: (x: 16mm, y: 20mm), footer: align(center, text(size: 7pt)[${string(`${supplier.name} - Inscrita en el R.M. de Ávila, tomo 288, folio 61, hoja AV-5.902`)}]))
#set text(size: 9.5pt, font: "Liberation Sans", lang: "es")
#grid(columns: (1fr, 1fr), [#text(size: 16pt, fill: rgb("#0a5c8a"))[*térmicas gredos*] \\ ${lines(addressOf(supplier, 'CIF:').slice(1))}], align(right)[#text(size: 22pt)[FACTURA] \\ ${lines([`Nº ${truth.number}`, `Fecha: ${dayFirst(truth.issue_date)}`, `Vencimiento: ${dayFirst(truth.due_date)}`])}])
#v(8mm)
#rect(width: 85mm, fill: luma(240), stroke: none)[${lines(addressOf(customer, 'CIF:'))}]
#v(4mm)
*Obra:* climatización de oficinas, Calle de la Fragua, 14. Presupuesto 26/0117.
${table(
  'columns: (1fr, auto, auto, auto), align: (left, right, right, right), stroke: none, fill: (_, y) => if y == 0 { rgb("#d9e8f0") }',
  [
    ['Descripción', 'Cantidad', 'Precio', 'Importe'],
    ...truth.items.map((one) => [one.text, quantity(one.quantity), euros(one.price), euros(one.amount)]),
  ],
)}
#line(length: 100%)
#align(right)[${lines([
    `Base imponible: ${euros(truth.base)} €`,
    `I.V.A. 21 %: ${euros(truth.vat.amount)} €`,
  ])} \\ #text(size: 13pt)[*${string(`Total factura: ${euros(truth.total)} €`)}*]]
#v(6mm)
${string(`Domiciliación o transferencia: ${grouped(truth.iban)}`)}
`
}

/** A telephone bill: the amount payable in a coloured box, then consumption, taxes at the end. */
export function mobileContent(truth: Whole): Content {
  const { supplier, customer, vat } = truth
  const facts = [
    ['Número de factura:', truth.number],
    ['Fecha de emisión:', dayFirst(truth.issue_date)],
    ['Periodo facturado:', '18/01/2026 - 17/02/2026'],
    ['Cuenta de cliente:', '1.0938.447'],
  ]
  return [
    { text: 'conecta', fontSize: 24, bold: true, color: '#5a1fb3' },
    {
      text: `${supplier.name} · NIF ${supplier.tax_id} · ${supplier.street}, ${supplier.town}`,
      fontSize: 6.5,
    },
    {
      columns: [{ layout: 'noBorders', table: { body: facts } }, { stack: addressOf(customer, 'NIF/CIF:') }],
      margin: [0, 16],
    },
    rowsOf(
      [
        [
          { text: `A pagar el ${dayFirst(truth.due_date)}`, fillColor: '#ece3fa' },
          right(`${euros(truth.total)} €`, { fillColor: '#ece3fa', fontSize: 18, bold: true }),
        ],
      ],
      { layout: 'noBorders' },
    ),
    rowsOf(
      [
        ['Servicios', right('Uds.'), right('Cuota'), right('Importe')],
        ...truth.items.map((one) => [
          one.text,
          right(String(one.quantity)),
          right(`${euros(one.price)} €`),
          right(`${euros(one.amount)} €`),
        ]),
      ],
      { layout: 'lightHorizontalLines', margin: [0, 14] },
    ),
    {
      columns: [
        { text: 'Adeudo en cuenta ES48 2095 **** **** **** 7731', fontSize: 8 },
        rowsOf(
          [
            ['Importe total (sin IVA)', right(`${euros(truth.base)} €`)],
            [`IVA (${vat.rate}%) sobre ${euros(vat.base)} €`, right(`${euros(vat.amount)} €`)],
            [{ text: 'Total a pagar', bold: true }, right(`${euros(truth.total)} €`, { bold: true })],
          ],
          { width: 230, layout: 'noBorders' },
        ),
      ],
    },
  ]
}

/** An invoice in French: spaces BETWEEN thousands, supplier and trade register at the foot. */
export function frenchContent(truth: Whole): Content {
  const { supplier, customer } = truth
  const money = (amount: number, places = 2) => `${euros(amount, places).replaceAll('.', '\u00a0')}\u00a0€`
  const row = (label: string, value: string, bold = false) => [{ text: label, bold }, right(value, { bold })]
  return [
    {
      columns: [
        { text: 'Emballages de l’Adour', fontSize: 18, bold: true },
        { text: `FACTURE N° ${truth.number}`, fontSize: 13, alignment: 'right' },
      ],
    },
    right(`Tarnos, le ${dayFirst(truth.issue_date)}`, { margin: [0, 4, 0, 20] }),
    {
      columns: [
        {
          stack: [
            'Votre commande : QR-0144',
            `Date d’échéance : ${dayFirst(truth.due_date)}`,
            'Mode de règlement : virement',
          ],
        },
        {
          stack: [
            { text: 'Adressée à', bold: true },
            customer.name,
            customer.street,
            `${customer.town}, Espagne`,
            `N° TVA intracommunautaire : ES${customer.tax_id}`,
          ],
        },
      ],
    },
    rowsOf(
      [
        ['Désignation', 'Quantité', 'P.U. HT', 'TVA', 'Montant HT'],
        ...truth.items.map((one) => [
          one.text,
          right(String(one.quantity)),
          right(money(one.price, Number(one.price.toFixed(2)) === one.price ? 2 : 3)),
          right('0 %'),
          right(money(one.amount)),
        ]),
      ],
      { margin: [0, 20] },
    ),
    {
      columns: [
        {
          text: 'Exonération de TVA, article 262 ter I du code général des impôts. Autoliquidation par le preneur.',
          fontSize: 8,
        },
        rowsOf(
          [
            row('Total HT', money(truth.base)),
            row('TVA 0 %', money(0)),
            row('Total TTC', money(truth.total)),
            row('Net à payer', money(truth.total), true),
          ],
          { width: 200 },
        ),
      ],
    },
    { text: `IBAN : ${grouped(truth.iban)}`, margin: [0, 24, 0, 0] },
    {
      text: `${supplier.name}, ${supplier.street}, ${supplier.town} - SIREN 812 409 738 RCS Dax - N° TVA ${supplier.tax_id}. Pénalités de retard : trois fois le taux d’intérêt légal ; indemnité forfaitaire de recouvrement : 40 €.`,
      fontSize: 7,
      margin: [0, 200, 0, 0],
    },
  ]
}

/** A monthly fee: each label and its value in one text. */
export function gestoriaContent(truth: Whole): Content {
  const { supplier, customer } = truth
  return [
    { text: 'MARQUÉS Y LLORENTE · ASESORES', fontSize: 14, alignment: 'center' },
    {
      text: `${supplier.name} · C.I.F. ${supplier.tax_id} · ${supplier.street} · ${supplier.town}`,
      fontSize: 8,
      alignment: 'center',
      margin: [0, 2, 0, 30],
    },
    { stack: addressOf(customer, 'C.I.F.'), margin: [270, 0, 0, 20] },
    { text: `Factura ${truth.number} de fecha ${spanishDate(truth.issue_date)}`, bold: true, fontSize: 11 },
    { text: 'Por los servicios prestados durante el mes de marzo:', margin: [0, 14, 0, 6] },
    rowsOf(
      truth.items.map((one) => [one.text, right(euros(one.amount))]),
      { layout: 'noBorders' },
    ),
    right(`Base imponible ${euros(truth.base)}`, { margin: [0, 20, 0, 0] }),
    right(`21% IVA ${euros(truth.vat.amount)}`),
    right(`TOTAL RECIBO EUR ${euros(truth.total)}`, { bold: true, fontSize: 11 }),
    {
      text: `Se cargará en su cuenta el ${spanishDate(truth.due_date)}.`,
      margin: [0, 24, 0, 0],
    },
  ]
}

const column = (texts: readonly string[], style: Styled = {}) =>
  box(style, ...texts.map((one) => text({ marginBottom: 2 }, one)))
const rows = (style: Styled, pairs: readonly (readonly string[])[]) =>
  box(
    style,
    ...pairs.map((pair) => box({ ...BETWEEN, paddingVertical: 3 }, ...pair.map((one) => text({}, one)))),
  )
const grid = (widths: readonly string[], texts: readonly (readonly string[])[]) =>
  box(
    { marginVertical: 14 },
    ...texts.map((row) =>
      box(
        { flexDirection: 'row', borderBottom: '0.5pt solid #bbb', paddingVertical: 4 },
        ...row.map((one, n) =>
          text({ width: widths[n] ?? '15%', textAlign: n === 0 ? 'left' : 'right' }, one),
        ),
      ),
    ),
  )

/** A subscription invoice of a payment processor: the amount due as a heading, month names in English. */
export function reverseBoxes(truth: Whole): Boxes {
  const { supplier, customer } = truth
  const eur = (amount: number) => `€${englishAmount(amount)}`
  return {
    style: { padding: 44, fontSize: 9 },
    children: [
      box(BETWEEN, text({ fontSize: 20 }, 'Invoice'), text({ fontSize: 14, color: '#888' }, 'Cloudharbor')),
      rows({ width: 220, marginVertical: 10 }, [
        ['Invoice number', truth.number],
        ['Date of issue', 'February 3, 2026'],
        ['Date due', 'February 3, 2026'],
      ]),
      box(
        BETWEEN,
        column([supplier.name, supplier.street, supplier.town, 'Ireland', `EU VAT ${supplier.tax_id}`], {
          width: '48%',
        }),
        column(
          ['Bill to', customer.name, customer.street, customer.town, 'Spain', `ES VAT ES${customer.tax_id}`],
          { width: '48%' },
        ),
      ),
      text({ fontSize: 15, marginTop: 18 }, `${eur(truth.total)} EUR due February 3, 2026`),
      grid(
        ['52%', '12%', '18%', '18%'],
        [
          ['Description', 'Qty', 'Unit price', 'Amount'],
          ...truth.items.map((one) => [one.text, String(one.quantity), eur(one.price), eur(one.amount)]),
        ],
      ),
      rows({ marginLeft: 260 }, [
        ['Subtotal', eur(truth.base)],
        ['Total excluding tax', eur(truth.base)],
        ['VAT - Spain (0% on reverse charge)', eur(0)],
        ['Total', eur(truth.total)],
        ['Amount due', `${eur(truth.total)} EUR`],
      ]),
      text(
        { marginTop: 30, fontSize: 7.5 },
        'Tax to be paid on reverse charge basis (art. 196 Directive 2006/112/EC).',
      ),
      text({ marginTop: 20, fontSize: 7.5 }, 'Page 1 of 1'),
    ],
  }
}

/** An invoice in English by a supplier in Spain, with the currency code before each amount. */
export function softwareBoxes(truth: Whole): Boxes {
  const { supplier, customer, vat } = truth
  const eur = (amount: number) => `EUR ${englishAmount(amount)}`
  return {
    style: { padding: 40, fontSize: 9.5, fontFamily: 'Times-Roman' },
    children: [
      box(
        { ...BETWEEN, backgroundColor: '#12243a', color: '#fff', padding: 12 },
        text({ fontSize: 16 }, 'pixelwind'),
        text({ fontSize: 16 }, 'TAX INVOICE'),
      ),
      box(
        { ...BETWEEN, marginVertical: 18 },
        column([supplier.name, supplier.street, supplier.town, `VAT ID: ES${supplier.tax_id}`], {
          width: '34%',
        }),
        column(['Customer', customer.name, customer.street, customer.town, `VAT ID: ES${customer.tax_id}`], {
          width: '34%',
        }),
        column(
          [
            `Invoice #: ${truth.number}`,
            'Issued: 1 July 2026',
            'Payment due: 15 July 2026',
            'Terms: card on file',
          ],
          { width: '30%' },
        ),
      ),
      grid(
        ['46%', '10%', '22%', '22%'],
        [
          ['Item', 'Units', 'Rate', 'Net'],
          ...truth.items.map((one) => [one.text, String(one.quantity), eur(one.price), eur(one.amount)]),
        ],
      ),
      rows({ width: 230 }, [
        ['Net total', eur(truth.base)],
        [`VAT @ ${vat.rate}%`, eur(vat.amount)],
        ['TOTAL', eur(truth.total)],
      ]),
    ],
  }
}

/** Taxed and exempt services, each with its regime, and totals in a table. */
export function preventionBoxes(truth: Whole): Boxes {
  const { supplier, customer, vat } = truth
  const eur = (amount: number) => `${euros(amount)} €`
  return {
    style: { padding: 42, fontSize: 9 },
    children: [
      box(
        BETWEEN,
        column(['PREVENLAB', ...addressOf(supplier, 'NIF:')]),
        column(
          [
            'FACTURA',
            `Nº: ${truth.number}`,
            `Fecha: ${dayFirst(truth.issue_date, '-')}`,
            `Vto: ${dayFirst(truth.due_date, '-')}`,
          ],
          { alignItems: 'flex-end' },
        ),
      ),
      column(['Datos del cliente', ...addressOf(customer, 'NIF:')], {
        marginTop: 20,
        border: '1pt solid #069',
        padding: 8,
        width: 240,
      }),
      grid(
        ['46%', '10%', '15%', '14%', '15%'],
        [
          ['Concepto', 'Ud.', 'Precio', 'IVA', 'Importe'],
          ...truth.items.map((one) => [
            one.text,
            String(one.quantity),
            eur(one.price),
            one.rate === null ? 'Exento' : percentage(one.rate),
            eur(one.amount),
          ]),
        ],
      ),
      grid(
        ['40%', '20%', '20%', '20%'],
        [
          ['Régimen', 'Base', 'Tipo', 'Cuota'],
          ['Sujeto y no exento', eur(vat.base), percentage(vat.rate), eur(vat.amount)],
          ['Exento art. 20.Uno.3.º LIVA', eur(truth.exempt_base), '-', '-'],
        ],
      ),
      rows({ marginLeft: 300, fontSize: 11 }, [
        ['Suma de bases', eur(truth.base)],
        ['Total factura', eur(truth.total)],
      ]),
      text({ marginTop: 24 }, `Ingreso en cuenta ${grouped(truth.iban)}`),
    ],
  }
}
