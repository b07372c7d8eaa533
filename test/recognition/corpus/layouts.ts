/** Layouts and labels of invoices, as different software prints them. */
import {
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
import { Paper, type Sheet } from './sheet.ts'
import { amountOf, type Party, type Truth } from './truth.ts'

const A4 = { width: 595, height: 842 }
const RIGHT = 545

function address(
  paper: Paper,
  x: number,
  y: number,
  { name, street, town, tax_id }: Party,
  label: string,
): void {
  paper.print(x, y, name, 11, true)
  paper.print(x, y + 15, street)
  paper.print(x, y + 28, town)
  paper.print(x, y + 41, `${label} ${tax_id}`)
}

/** Prints rows of label and amount at the end of a document. */
function totals(paper: Paper, from: number, rows: readonly (readonly [string, string])[]): number {
  let y = from
  rows.forEach(([label, amount], at) => {
    const isLast = at === rows.length - 1
    if (isLast) paper.rule(350, y - 13, RIGHT - 350)
    paper.print(350, y, label, isLast ? 12 : 10, isLast)
    paper.printRight(RIGHT, y, amount, isLast ? 12 : 10, isLast)
    y += 17
  })
  return y
}

const TAX = 'IVA'

/** Returns the rows with the bases, the taxes and the amount payable. */
function totalRows(truth: Truth): [string, string][] {
  const rows: [string, string][] = []
  if (truth.taxes.length <= 1) rows.push(['Base imponible', `${euros(truth.base)} €`])
  for (const tax of truth.taxes) {
    if (truth.taxes.length > 1) rows.push([`Base imponible ${percentage(tax.rate)}`, `${euros(tax.base)} €`])
    rows.push([`${TAX} ${percentage(tax.rate)}`, `${euros(tax.amount)} €`])
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
  paper.print(50, y, 'Concepto', 10, true)
  paper.printRight(370, y, 'Cantidad', 10, true)
  paper.printRight(460, y, 'Precio', 10, true)
  paper.printRight(RIGHT, y, 'Importe', 10, true)
  paper.rule(50, y + 6, RIGHT - 50)
  for (const item of truth.items) {
    y += 20
    paper.print(50, y, item.text)
    paper.printRight(370, y, quantity(item.quantity))
    paper.printRight(460, y, `${unitPrice(item.price)} €`)
    paper.printRight(RIGHT, y, `${euros(amountOf(item))} €`)
  }
  y = totals(paper, y + 50, totalRows(truth))
  if (truth.exempt_base !== null)
    paper.print(50, y + 20, 'Operación exenta de IVA, artículo 20.Uno.9.º de la Ley 37/1992.', 9)
  if (truth.iban) paper.print(50, y + 45, `Forma de pago: transferencia a ${grouped(truth.iban)}`)
  return { ...A4, pages: [paper] }
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
  for (const [x, text] of [
    [330, 'Uds.'],
    [400, 'Precio'],
    [450, 'IVA'],
    [RIGHT, 'Total'],
  ] as const)
    paper.printRight(x, y, text, 9, true)
  paper.print(50, y, 'Descripción', 9, true)
  for (const item of truth.items) {
    y += 18
    paper.print(50, y, item.text, 9)
    paper.printRight(330, y, quantity(item.quantity), 9)
    paper.printRight(400, y, euros(item.price), 9)
    paper.printRight(450, y, item.rate === null ? 'Exento' : `${item.rate}%`, 9)
    paper.printRight(RIGHT, y, euros(amountOf(item)), 9)
  }
  y += 40
  const hasSurcharge = truth.taxes.some(({ surcharge }) => surcharge !== null)
  for (const [x, text] of [
    [140, 'Base imponible'],
    [200, '% IVA'],
    [270, 'Cuota IVA'],
    ...(hasSurcharge
      ? ([
          [330, '% R.E.'],
          [400, 'Cuota R.E.'],
        ] as const)
      : []),
  ] as const)
    paper.printRight(x, y, text, 9, true)
  paper.rule(50, y + 5, 360)
  for (const tax of truth.taxes) {
    y += 17
    paper.printRight(140, y, euros(tax.base), 9)
    paper.printRight(200, y, euros(tax.rate), 9)
    paper.printRight(270, y, euros(tax.amount), 9)
    if (tax.surcharge === null) continue
    paper.printRight(330, y, euros(tax.surcharge_rate ?? 0), 9)
    paper.printRight(400, y, euros(tax.surcharge), 9)
  }
  if (truth.exempt_base !== null) {
    y += 17
    paper.printRight(140, y, euros(truth.exempt_base), 9)
    paper.printRight(200, y, 'Exento', 9)
    paper.printRight(270, y, euros(0), 9)
  }
  y += 30
  if (truth.withheld) {
    paper.print(350, y, `I.R.P.F. ${truth.withheld.rate}%`, 9)
    paper.printRight(RIGHT, y, `-${euros(truth.withheld.amount)}`, 9)
    y += 20
  }
  paper.print(350, y, 'TOTAL EUR', 13, true)
  paper.printRight(RIGHT, y, euros(truth.total), 13, true)
  if (truth.iban) {
    paper.print(50, y + 40, 'IBAN', 8, true)
    paper.print(50, y + 54, truth.iban)
  }
  if (hasCode) {
    paper.code(50, y + 80)
    paper.print(50, y + 76, 'QR tributario:', 8)
  }
  return { ...A4, pages: [paper] }
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
  paper.print(50, y, 'Description', 10, true)
  paper.printRight(380, y, 'Qty', 10, true)
  paper.printRight(460, y, 'Unit price', 10, true)
  paper.printRight(RIGHT, y, 'Amount', 10, true)
  for (const item of truth.items) {
    y += 20
    paper.print(50, y, item.text)
    paper.printRight(380, y, String(item.quantity))
    paper.printRight(460, y, englishAmount(item.price))
    paper.printRight(RIGHT, y, englishAmount(amountOf(item)))
  }
  const rows: [string, string][] = [['Subtotal', `€${englishAmount(truth.base)}`]]
  for (const { rate, amount } of truth.taxes) rows.push([`VAT ${rate}%`, `€${englishAmount(amount)}`])
  rows.push(['Total due', `€${englishAmount(truth.total)}`])
  y = totals(paper, y + 50, rows)
  if (truth.iban) paper.print(50, y + 30, `Please pay by bank transfer. IBAN: ${grouped(truth.iban)}`)
  return { ...A4, pages: [paper] }
}

/** A till receipt. */
export function ticket(truth: Truth, hasCode: boolean): Sheet {
  const paper = new Paper()
  const [left, right] = [14, 212]
  paper.print(left, 30, truth.supplier.name, 12, true)
  paper.print(left, 45, truth.supplier.street, 9)
  paper.print(left, 57, truth.supplier.town, 9)
  paper.print(left, 69, `NIF ${truth.supplier.tax_id}`, 9)
  paper.print(left, 92, 'FACTURA SIMPLIFICADA', 11, true)
  paper.print(left, 106, `Nº ${truth.number}`, 9)
  paper.printRight(right, 106, `${dayFirst(truth.issue_date)} 14:52`, 9)
  let y = 118
  paper.rule(left, y, right - left)
  for (const item of truth.items) {
    y += 14
    paper.print(left, y, `${item.quantity} ${item.text}`, 9)
    paper.printRight(right, y, euros(amountOf(item)), 9)
  }
  y += 24
  paper.print(left, y, 'TOTAL', 14, true)
  paper.printRight(right, y, `${euros(truth.total)} €`, 14, true)
  for (const tax of truth.taxes) {
    y += 20
    paper.print(left, y, `Base ${euros(tax.base)}  IVA ${tax.rate}%`, 9)
    paper.printRight(right, y, euros(tax.amount), 9)
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
    paper.print(50, y, String(at + 1).padStart(3, '0'), 9)
    paper.print(80, y, item.text, 9)
    paper.printRight(380, y, String(item.quantity), 9)
    paper.printRight(460, y, euros(item.price), 9)
    paper.printRight(RIGHT, y, euros(amountOf(item)), 9)
    y += 20
  })
  y = totals(paper, y + 40, totalRows(truth))
  if (truth.iban) paper.print(50, y + 30, `Domiciliación bancaria: ${grouped(truth.iban)}`)
  pages.forEach((page, at) => {
    page.printRight(RIGHT, 825, `Página ${at + 1} de ${pages.length}`, 8)
  })
  return { ...A4, pages }
}
