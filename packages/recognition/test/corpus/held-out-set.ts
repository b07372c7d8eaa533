/** The second held-out set, of programs that lay out the page themselves: Typst, pdfmake and React-PDF. */

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
import { cell, lines, string, table } from './typst.ts'

/** An architect: a narrow column of facts beside the fees, small type, the total to the euro sign. */
export function architectSource(truth: Whole): string {
  const { supplier, customer, withheld } = truth
  return `#set page(paper: "a4", margin: (left: 20mm, right: 20mm, top: 16mm, bottom: 14mm), footer: text(size: 6pt, fill: gray)[${string(`Responsable del tratamiento: ${supplier.name}. Finalidad: facturación. Derechos: ${supplier.street}, ${supplier.town}. Seguro de responsabilidad civil ASEMAS 70.118-3.`)}])
#set text(size: 8.5pt, font: "DejaVu Sans", lang: "es")
#text(size: 26pt, weight: "bold", tracking: -1pt)[ab] #h(3mm) #text(size: 11pt)[aurora belmonte sáiz, arquitecta] #h(1fr) #text(size: 8pt)[COAM 17.340]
#v(10mm)
#grid(columns: (48mm, 1fr), column-gutter: 8mm, [
*factura* \\ ${string(truth.number)}
#v(3mm)
*fecha* \\ ${string('18 marzo 2026')}
#v(3mm)
*cliente* \\ ${lines(addressOf(customer, 'NIF'))}
#v(3mm)
*emisor* \\ ${lines(addressOf(supplier, 'NIF'))}
#v(3mm)
*encargo* \\ ITE 26.011 nave taller
], [
${table(
  'columns: (1fr, auto, auto, auto), align: (left, right, right, right), stroke: (x: none, y: 0.4pt), inset: 6pt',
  [
    ['concepto', 'ud.', 'precio', 'importe'],
    ...truth.items.map((one) => [one.text, String(one.quantity), euros(one.price), euros(one.amount)]),
  ],
)}
#v(8mm)
${table('columns: (1fr, auto), align: (left, right), stroke: none', [
  ['base imponible', `${euros(truth.base)} €`],
  [`iva ${truth.vat.rate}%`, `${euros(truth.vat.amount)} €`],
  [`irpf -${withheld.rate}%`, `-${euros(withheld.amount)} €`],
])}
#line(length: 100%, stroke: 1.5pt)
#text(size: 13pt)[*total* #h(1fr) *${string(`${euros(truth.total)} €`)}*]
#v(12mm)
${string(`Pago por transferencia a 30 días, Banco Meseta, ${grouped(truth.iban)}`)}
])
`
}

/** A canteen, a cooperative: a notice of exemption, a box with the amount that is charged. */
export function canteenSource(truth: Whole): string {
  const { supplier, customer } = truth
  return `#set page(paper: "a4", margin: 18mm)
#set text(size: 10pt, font: "Liberation Sans", lang: "es")
#grid(columns: (1fr, 62mm), [#text(size: 18pt, fill: rgb("#c0561b"))[*La Cuchara*] \\ _Comer bien también se aprende_ \\ ${lines(addressOf(supplier, 'N.I.F.:'))}], rect(width: 62mm, inset: 8pt, stroke: 0.6pt)[${lines(addressOf(customer, 'N.I.F.:'))}])
#v(6mm)
#table(columns: (1fr, 1fr, 1fr, 1fr), fill: (_, y) => if y == 0 { rgb("#f7e3d4") }, stroke: 0.5pt, [Nº factura], [Fecha factura], [Fecha de cargo], [Centro], ${[truth.number, spanishDate(truth.issue_date), dayFirst(truth.due_date), 'CEIP Los Almendros'].map(cell).join(', ')})
#v(4mm)
${table('columns: (auto, 1fr, auto, auto), align: (right, left, right, right), stroke: 0.5pt', [
  ['Cantidad', 'Detalle', 'Precio/día', 'Importe'],
  ...truth.items.map((one) => [
    String(one.quantity),
    one.text,
    `${euros(one.price)} €`,
    `${euros(one.amount)} €`,
  ]),
])}
#align(right)[${lines([`Subtotal: ${euros(truth.base)} €`, 'IVA: exento', ''])} #rect(inset: 8pt)[*${string(`TOTAL FACTURA: ${euros(truth.total)} €`)}*]]
#v(6mm)
${string('Servicio exento del Impuesto sobre el Valor Añadido conforme al artículo 20.Uno.9.º de la Ley 37/1992.')}

${string('Recibo domiciliado en la cuenta terminada en 7731.')}
#v(1fr)
#text(size: 6.5pt)[${string(`${supplier.name} Inscrita en el Registro de Cooperativas de la Comunidad de Madrid, hoja 28/CM-2.417. Los datos personales de los menores se tratan según el RGPD y solo para el servicio de comedor. Alérgenos: consulte con la cocina.`)}]
`
}

/** A printer of signs: a coloured head, the facts in a row, a column of totals with fills. */
export function signsContent(truth: Whole): Content {
  const { supplier, customer, vat } = truth
  const total = (label: string, value: string, style: object = {}) => [
    { text: label, ...style },
    right(value, style),
  ]
  return [
    rowsOf(
      [
        [
          { text: 'PENTAGRAMA', fontSize: 22, bold: true, color: '#fff', fillColor: '#1d1d4f' },
          right('rótulos · lonas · vinilos · imprenta', {
            color: '#fff',
            fillColor: '#1d1d4f',
            margin: [0, 10, 4, 0],
          }),
        ],
      ],
      { layout: 'noBorders' },
    ),
    {
      columns: [
        { stack: [{ text: 'De', color: '#888', fontSize: 8 }, ...addressOf(supplier, 'NIF')] },
        { stack: [{ text: 'Para', color: '#888', fontSize: 8 }, ...addressOf(customer, 'NIF')] },
      ],
      margin: [0, 18],
    },
    {
      table: {
        widths: ['*', '*', '*', '*'],
        body: [
          ['Factura', 'Fecha', 'Vence', 'Trabajo'].map((label) => ({ text: label, bold: true, fontSize: 8 })),
          [truth.number, '24/4/2026', '24/5/2026', 'OT 9.114 Fachada'],
        ],
      },
    },
    {
      layout: 'lightHorizontalLines',
      table: {
        headerRows: 1,
        widths: ['*', 'auto', 'auto', 'auto', 'auto'],
        body: [
          ['Descripción', right('Cant.'), right('P. unit.'), right('IVA'), right('Total')],
          ...truth.items.map((one) => [
            one.text,
            right(quantity(one.quantity)),
            right(`${euros(one.price)} €`),
            right(`${one.rate}%`),
            right(`${euros(one.amount)} €`),
          ]),
        ],
      },
      margin: [0, 16],
    },
    {
      columns: [
        { text: `Nuestra cuenta: ${truth.iban}\nIndique el número de factura, por favor.`, fontSize: 8.5 },
        rowsOf(
          [
            total('Total neto', `${euros(truth.base)} €`),
            total(`IVA ${vat.rate}%`, `${euros(vat.amount)} €`),
            total('Total', `${euros(truth.total)} €`, { bold: true, fillColor: '#e6e6f5', fontSize: 12 }),
          ],
          { width: 210 },
        ),
      ],
    },
    {
      text: 'Inscrita en el Registro Mercantil de Madrid, tomo 25.903, folio 171, hoja M-466.902. Papel y tintas con certificado FSC. En cumplimiento del RGPD, sus datos forman parte de un fichero cuya finalidad es la gestión administrativa.',
      fontSize: 6.5,
      color: '#777',
      margin: [0, 120, 0, 0],
    },
  ]
}

/** A translator: everything in sentences and one table, prices with three decimals. */
export function translatorContent(truth: Whole): Content {
  const { supplier, customer, withheld, vat } = truth
  const last = (label: string, value: string, bold = false) => [
    { text: label, colSpan: 3, alignment: 'right', bold },
    '',
    '',
    right(value, { bold }),
  ]
  return [
    { text: supplier.name, fontSize: 16, alignment: 'right' },
    { text: 'Traductora-intérprete jurada de alemán n.º 6.631', alignment: 'right', color: '#666' },
    {
      text: `${supplier.street} · ${supplier.town} · DNI/NIF ${supplier.tax_id}`,
      alignment: 'right',
      fontSize: 8,
      margin: [0, 0, 0, 24],
    },
    { text: `Factura n.º ${truth.number}`, fontSize: 13, bold: true },
    {
      text: `Fecha de emisión: ${dayFirst(truth.issue_date)}. Fecha de vencimiento: ${dayFirst(truth.due_date)}.`,
    },
    {
      text: `Cliente: ${customer.name}, con NIF ${customer.tax_id}, ${customer.street}, ${customer.town}.`,
      margin: [0, 10, 0, 14],
    },
    rowsOf([
      [{ text: 'Servicio', bold: true }, right('Cantidad'), right('Tarifa'), right('Importe')],
      ...truth.items.map((one) => [
        one.text,
        right(euros(one.quantity, Number.isInteger(one.quantity) ? 0 : 1)),
        right(`${euros(one.price, 3)} €`),
        right(`${euros(one.amount)} €`),
      ]),
      last('Base imponible', `${euros(truth.base)} €`),
      last(`IVA (${vat.rate} %)`, `${euros(vat.amount)} €`),
      last(`Retención IRPF (${percentage(withheld.rate)})`, `−${euros(withheld.amount)} €`),
      last('Total a percibir', `${euros(truth.total)} €`, true),
    ]),
    { text: `Forma de pago: transferencia. IBAN: ${grouped(truth.iban)}`, margin: [0, 16, 0, 4] },
    {
      text: 'Retención reducida por inicio de actividad, art. 95.1 RIRPF. Los textos se custodian de forma confidencial durante cinco años.',
      fontSize: 8,
    },
  ]
}

/** Portuguese: the code of the document, a summary of taxes, dates with the year first. */
export function marbleContent(truth: Whole): Content {
  const { supplier, customer } = truth
  const money = (amount: number) => euros(amount).replaceAll('.', ' ')
  return [
    {
      columns: [
        {
          stack: [
            { text: 'Mármores Serra de Borba', fontSize: 15, bold: true },
            ...addressOf(supplier, 'NIF:'),
            'Capital social 5 000,00 €',
          ],
        },
        {
          width: 200,
          stack: [
            { text: `Fatura ${truth.number}`, fontSize: 13, bold: true },
            'Original',
            'ATCUD: JF7R2KMW-418',
            { text: 'Exmo.(s) Sr.(s)', margin: [0, 12, 0, 0], fontSize: 8 },
            customer.name,
            customer.street,
            `${customer.town}, Espanha`,
          ],
        },
      ],
    },
    {
      layout: 'lightHorizontalLines',
      table: {
        widths: ['*', '*', '*', '*'],
        body: [
          ['Data', 'Vencimento', 'V/ Contribuinte', 'Condições'],
          [truth.issue_date, truth.due_date, `ES${customer.tax_id}`, '30 dias'],
        ],
      },
      margin: [0, 20, 0, 12],
    },
    rowsOf([
      ['Descrição', right('Qtd.'), right('Pr. unitário'), right('IVA'), right('Valor')],
      ...truth.items.map((one) => [
        one.text,
        right(euros(one.quantity)),
        right(money(one.price)),
        right('0,00'),
        right(money(one.amount)),
      ]),
    ]),
    {
      columns: [
        {
          width: '*',
          layout: 'lightHorizontalLines',
          table: {
            body: [
              ['Taxa', 'Incidência', 'IVA', 'Motivo de isenção'],
              ['0,00', money(truth.base), '0,00', 'M16 - Isento artigo 14.º do RITI'],
            ],
          },
        },
        rowsOf(
          [
            ['Total ilíquido', right(money(truth.base))],
            ['IVA', right('0,00')],
            [{ text: 'Total a pagar (EUR)', bold: true }, right(money(truth.total), { bold: true })],
          ],
          { width: 180, layout: 'noBorders' },
        ),
      ],
      margin: [0, 24],
      fontSize: 8.5,
    },
    { text: `IBAN ${grouped(truth.iban)}` },
    {
      text: 'Xk9w-Processado por programa certificado n.º 2217/AT. Os bens foram colocados à disposição do adquirente nesta data. Local de carga: Borba. Matriculada na C.R.C. de Borba.',
      fontSize: 7,
      margin: [0, 16, 0, 0],
    },
  ]
}

/** A subscription from the Netherlands: reverse charge, a credit among the lines. */
export function saasBoxes(truth: Whole): Boxes {
  const { supplier, customer } = truth
  const eur = (amount: number) => `${amount < 0 ? '-' : ''}€ ${englishAmount(Math.abs(amount))}`
  const small: Styled = { fontSize: 7.5, color: '#777' }
  const fact = (label: string, value: string) => box({}, text(small, label), text({ fontSize: 10 }, value))
  const row = (cells: readonly string[], style: Styled = {}) =>
    box(
      { flexDirection: 'row', paddingVertical: 5, borderBottom: '0.5pt solid #ddd', ...style },
      ...cells.map((one, at) =>
        text(at === 0 ? { width: '55%' } : { width: '15%', textAlign: 'right' }, one),
      ),
    )
  const sum = (label: string, value: string, style: Styled = {}) =>
    box({ ...BETWEEN, paddingVertical: 2, ...style }, text({}, label), text({}, value))
  return {
    style: { padding: 46, fontSize: 9 },
    children: [
      box(BETWEEN, text({ fontSize: 22, color: '#0b6e4f' }, 'kanbanly'), text({ fontSize: 18 }, 'INVOICE')),
      box(
        { ...BETWEEN, marginVertical: 20 },
        fact('Invoice no.', truth.number),
        fact('Invoice date', '7 Apr 2026'),
        fact('Due date', '21 Apr 2026'),
        fact('Customer ID', 'cus_8842017'),
      ),
      box(
        { ...BETWEEN, marginBottom: 20 },
        box(
          { width: '48%' },
          text(small, 'Billed to'),
          ...[customer.name, customer.street, `${customer.town}, Spain`, `VAT no. ES${customer.tax_id}`].map(
            (one) => text({}, one),
          ),
        ),
        box(
          { width: '48%' },
          text(small, 'From'),
          ...[
            supplier.name,
            supplier.street,
            `${supplier.town}, The Netherlands`,
            `VAT no. ${supplier.tax_id}`,
            'KvK 70418836',
          ].map((one) => text({}, one)),
        ),
      ),
      row(['Description', 'Quantity', 'Unit price', 'Amount'], { borderBottom: '1pt solid #0b6e4f' }),
      ...truth.items.map((one) => row([one.text, String(one.quantity), eur(one.price), eur(one.amount)])),
      box(
        { marginTop: 14, marginLeft: 270 },
        sum('Subtotal', eur(truth.base)),
        sum('VAT 0% (reverse charged)', eur(0)),
        sum('Total due', eur(truth.total), { fontSize: 12, borderTop: '1pt solid #0b6e4f' }),
      ),
      text(
        { marginTop: 24 },
        'VAT reverse charged, article 44 and 196 of Council Directive 2006/112/EC. Btw verlegd.',
      ),
      text(
        { marginTop: 8 },
        `Please transfer to ${grouped(truth.iban)} (RABONL2U), quoting the invoice number.`,
      ),
      text(
        { ...small, marginTop: 30 },
        'Questions? billing@kanbanly.example. We process your data as described in our privacy statement (GDPR).',
      ),
    ],
  }
}
