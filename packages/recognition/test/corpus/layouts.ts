/** Layouts and labels of invoices, as different software prints them. */
import {
  addressOf,
  dayFirst,
  englishAmount,
  englishDate,
  euros,
  grouped,
  percentage,
  quantity,
  spanishDate,
  unitPrice,
} from './print.ts'
import { a4, Paper, type Sheet } from './sheet.ts'
import { amountOf, type Party, type Truth } from './truth.ts'

const RIGHT = 545

function address(
  paper: Paper,
  x: number,
  y: number,
  { name, street, town, tax_id }: Party,
  label: string,
): void {
  paper.print(x, y, name, 11, true)
  paper.stack(x, y + 15, 10, [street, town, `${label} ${tax_id}`])
}

/** Prints rows of label and amount at the end of a document. */
function totals(paper: Paper, from: number, rows: readonly (readonly [string, string])[]): number {
  let y = from
  rows.forEach(([label, amount], at) => {
    const isLast = at === rows.length - 1
    if (isLast) paper.rule(350, y - 13, RIGHT - 350)
    paper.row(y, [350, RIGHT], [label, amount], isLast ? 12 : 10, 1, isLast)
    y += 17
  })
  return y
}

/** Returns the rows with the bases, the taxes and the amount payable. */
function totalRows(truth: Truth): [string, string][] {
  const rows: [string, string][] = []
  if (truth.taxes.length <= 1) rows.push(['Base imponible', `${euros(truth.base)} €`])
  for (const tax of truth.taxes) {
    if (truth.taxes.length > 1) rows.push([`Base imponible ${percentage(tax.rate)}`, `${euros(tax.base)} €`])
    rows.push([`IVA ${percentage(tax.rate)}`, `${euros(tax.amount)} €`])
    if (tax.surcharge !== null)
      rows.push([
        `Recargo de equivalencia ${percentage(tax.surcharge_rate ?? 0)}`,
        `${euros(tax.surcharge)} €`,
      ])
  }
  if (truth.withheld)
    rows.push([`Retención IRPF ${percentage(truth.withheld.rate)}`, `-${euros(truth.withheld.amount)} €`])
  rows.push([truth.withheld ? 'Total a pagar' : 'Total factura', `${euros(truth.total)} €`])
  return rows
}

/** A letter: sender at the top, recipient on the right, number and date in lines of text. */
export function letter(truth: Truth, hasCode: boolean): Sheet {
  const paper = new Paper()
  address(paper, 50, 62, truth.supplier, 'NIF:')
  paper.print(330, 150, 'Cliente:', 9)
  if (truth.customer) address(paper, 330, 165, truth.customer, 'NIF:')
  if (hasCode) paper.code(440, 30)
  paper.print(50, 165, truth.corrects ? 'FACTURA RECTIFICATIVA' : 'FACTURA', 18, true)
  paper.print(50, 190, `N.º de factura: ${truth.number}`)
  paper.print(50, 205, `Fecha de expedición: ${dayFirst(truth.issue_date)}`)
  if (truth.due_date) paper.print(50, 220, `Vencimiento: ${dayFirst(truth.due_date)}`)
  if (truth.corrects) paper.print(50, 235, `Rectifica la factura n.º ${truth.corrects}`)
  let y = 275
  const places = [50, 370, 460, RIGHT]
  paper.row(y, places, ['Concepto', 'Cantidad', 'Precio', 'Importe'], 10, 1, true)
  paper.rule(50, y + 6, RIGHT - 50)
  for (const item of truth.items) {
    y += 20
    const amounts = [`${unitPrice(item.price)} €`, `${euros(amountOf(item))} €`]
    paper.row(y, places, [item.text, quantity(item.quantity), ...amounts], 10)
  }
  y = totals(paper, y + 50, totalRows(truth))
  if (truth.exempt_base !== null)
    paper.print(50, y + 20, 'Operación exenta de IVA, artículo 20.Uno.9.º de la Ley 37/1992.', 9)
  if (truth.iban) paper.print(50, y + 45, `Forma de pago: transferencia a ${grouped(truth.iban)}`)
  return a4(paper)
}

/** Labels above their values in a band, a table of taxes, payment details at the bottom. */
export function columns(truth: Truth, hasCode: boolean): Sheet {
  const paper = new Paper()
  paper.print(50, 70, truth.corrects ? 'Factura rectificativa' : 'Factura', 22, true)
  paper.print(50, 110, 'EMISOR', 8, true)
  address(paper, 50, 125, truth.supplier, 'CIF')
  paper.print(300, 110, 'DESTINATARIO', 8, true)
  if (truth.customer) address(paper, 300, 125, truth.customer, 'CIF')
  const band: [string, string][] = [
    ['Número', truth.number],
    ['Fecha', dayFirst(truth.issue_date, '-')],
  ]
  if (truth.due_date) band.push(['Fecha de vencimiento', dayFirst(truth.due_date, '-')])
  if (truth.corrects) band.push(['Factura rectificada', truth.corrects])
  paper.rule(50, 190, RIGHT - 50)
  band.forEach(([label, value], at) => {
    paper.print(50 + at * 130, 206, label, 8)
    paper.print(50 + at * 130, 221, value, 11, true)
  })
  paper.rule(50, 232, RIGHT - 50)
  let y = 260
  paper.row(y, [330, 400, 450, RIGHT], ['Uds.', 'Precio', 'IVA', 'Total'], 9, 0, true)
  paper.print(50, y, 'Descripción', 9, true)
  for (const item of truth.items) {
    y += 18
    const rate = item.rate === null ? 'Exento' : `${item.rate}%`
    const values = [quantity(item.quantity), euros(item.price), rate, euros(amountOf(item))]
    paper.row(y, [50, 330, 400, 450, RIGHT], [item.text, ...values])
  }
  y += 40
  const hasSurcharge = truth.taxes.some(({ surcharge }) => surcharge !== null)
  const places = [140, 200, 270, 330, 400]
  const labels = ['Base imponible', '% IVA', 'Cuota IVA', '% R.E.', 'Cuota R.E.']
  paper.row(y, places, hasSurcharge ? labels : labels.slice(0, 3), 9, 0, true)
  paper.rule(50, y + 5, 360)
  for (const tax of truth.taxes) {
    y += 17
    const surcharge = tax.surcharge === null ? [] : [tax.surcharge_rate ?? 0, tax.surcharge]
    const amounts = [tax.base, tax.rate, tax.amount, ...surcharge].map((amount) => euros(amount))
    paper.row(y, places, amounts, 9, 0)
  }
  if (truth.exempt_base !== null) {
    y += 17
    paper.row(y, places, [euros(truth.exempt_base), 'Exento', euros(0)], 9, 0)
  }
  y += 30
  if (truth.withheld) {
    const row = [`I.R.P.F. ${truth.withheld.rate}%`, `-${euros(truth.withheld.amount)}`]
    paper.row(y, [350, RIGHT], row)
    y += 20
  }
  paper.row(y, [350, RIGHT], ['TOTAL EUR', euros(truth.total)], 13, 1, true)
  if (truth.iban) {
    paper.print(50, y + 40, 'IBAN', 8, true)
    paper.print(50, y + 54, truth.iban)
  }
  if (hasCode) {
    paper.code(50, y + 80)
    paper.print(50, y + 76, 'QR tributario:', 8)
  }
  return a4(paper)
}

/** An invoice in English, with English amounts and dates. */
export function english(truth: Truth, hasCode: boolean): Sheet {
  const paper = new Paper()
  paper.printRight(RIGHT, 70, 'INVOICE', 24, true)
  address(paper, 50, 62, truth.supplier, 'VAT No: ES')
  if (hasCode) paper.code(240, 40)
  paper.print(50, 165, 'Bill to', 9, true)
  if (truth.customer) address(paper, 50, 182, truth.customer, 'VAT No: ES')
  const facts: [string, string][] = [
    ['Invoice number', truth.number],
    ['Invoice date', englishDate(truth.issue_date)],
  ]
  if (truth.due_date) facts.push(['Due date', englishDate(truth.due_date)])
  facts.forEach(([label, value], at) => {
    paper.print(350, 165 + at * 17, label)
    paper.printRight(RIGHT, 165 + at * 17, value, 10, true)
  })
  let y = 280
  const places = [50, 380, 460, RIGHT]
  paper.row(y, places, ['Description', 'Qty', 'Unit price', 'Amount'], 10, 1, true)
  for (const item of truth.items) {
    y += 20
    const amounts = [englishAmount(item.price), englishAmount(amountOf(item))]
    paper.row(y, places, [item.text, String(item.quantity), ...amounts], 10)
  }
  const rows: [string, string][] = [['Subtotal', `€${englishAmount(truth.base)}`]]
  for (const { rate, amount } of truth.taxes) rows.push([`VAT ${rate}%`, `€${englishAmount(amount)}`])
  rows.push(['Total due', `€${englishAmount(truth.total)}`])
  y = totals(paper, y + 50, rows)
  if (truth.iban) paper.print(50, y + 30, `Please pay by bank transfer. IBAN: ${grouped(truth.iban)}`)
  return a4(paper)
}

/** A till receipt. */
export function ticket(truth: Truth, hasCode: boolean): Sheet {
  const paper = new Paper()
  const [left, right] = [14, 212]
  paper.print(left, 30, truth.supplier.name, 12, true)
  paper.stack(left, 45, 9, addressOf(truth.supplier).slice(1))
  paper.print(left, 92, 'FACTURA SIMPLIFICADA', 11, true)
  paper.row(106, [left, right], [`Nº ${truth.number}`, `${dayFirst(truth.issue_date)} 14:52`])
  let y = 118
  paper.rule(left, y, right - left)
  for (const item of truth.items) {
    y += 14
    paper.row(y, [left, right], [`${item.quantity} ${item.text}`, euros(amountOf(item))])
  }
  y += 24
  paper.row(y, [left, right], ['TOTAL', `${euros(truth.total)} €`], 14, 1, true)
  for (const tax of truth.taxes) {
    y += 20
    paper.row(y, [left, right], [`Base ${euros(tax.base)}  IVA ${tax.rate}%`, euros(tax.amount)])
  }
  y += 16
  paper.print(left, y, 'Gracias por su visita', 9)
  if (hasCode) paper.code(64, y + 14, 100)
  return { width: 226, height: y + (hasCode ? 130 : 30), pages: [paper] }
}

/** An invoice with many lines: the table continues on further pages, and the totals are on the last page. */
export function long(truth: Truth, hasCode: boolean): Sheet {
  const first = new Paper()
  address(first, 50, 62, truth.supplier, 'C.I.F.')
  if (truth.customer) address(first, 320, 150, truth.customer, 'N.I.F.')
  if (hasCode) first.code(440, 30)
  first.print(50, 150, `FACTURA ${truth.number}`, 14, true)
  first.print(50, 168, `Fecha: ${spanishDate(truth.issue_date)}`)
  if (truth.due_date) first.print(50, 183, `Vencimiento: ${dayFirst(truth.due_date)}`)
  const pages = [first]
  let paper = first
  let y = 240
  truth.items.forEach((item, at) => {
    if (y > 780) {
      paper.print(50, 810, 'Suma y sigue', 8)
      paper = new Paper()
      pages.push(paper)
      paper.print(50, 50, `${truth.supplier.name} - Factura ${truth.number}`, 8)
      y = 80
    }
    const amounts = [String(item.quantity), euros(item.price), euros(amountOf(item))]
    paper.row(y, [50, 80, 380, 460, RIGHT], [String(at + 1).padStart(3, '0'), item.text, ...amounts], 9, 2)
    y += 20
  })
  y = totals(paper, y + 40, totalRows(truth))
  if (truth.iban) paper.print(50, y + 30, `Domiciliación bancaria: ${grouped(truth.iban)}`)
  pages.forEach((page, at) => {
    page.printRight(RIGHT, 825, `Página ${at + 1} de ${pages.length}`, 8)
  })
  return a4(...pages)
}
