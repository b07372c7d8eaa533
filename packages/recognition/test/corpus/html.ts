/** Documents as web pages, printed to PDF by Chromium as browser applications do. */
import { type Browser, chromium } from 'playwright-core'
import { CHROMIUM } from '#test/needs.ts'
import { squaresOf } from './code.ts'
import { dayFirst, euros, grouped, percentage, quantity, spanishDate, unitPrice } from './print.ts'
import { amountOf, type Truth } from './truth.ts'

export function codeSvg(truth: Truth): string {
  const squares = squaresOf(truth)
  const path = squares
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  const size = squares.length
  return `<svg class="qr" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>`
}

const page = (style: string, body: string) =>
  `<!doctype html><html lang="es"><meta charset="utf-8"><style>
  body { font-size: 10pt; margin: 15mm 17mm; color: #111 } .qr { width: 34mm; height: 34mm }
  table { border-collapse: collapse; width: 100% } td, th { padding: 1.5mm 2mm; text-align: left }
  .n { text-align: right } ${style}</style><body>${body}</body></html>`

/** Cards side by side, grey labels and rounded corners, as in invoices of subscription services. */
export function cards(truth: Truth, hasCode: boolean): string {
  const card = (label: string, value: string) => `<div class="c"><small>${label}</small><b>${value}</b></div>`
  const facts = [
    card('Nº factura', truth.number),
    card('Fecha factura', dayFirst(truth.issue_date)),
    truth.due_date ? card('Vencimiento', dayFirst(truth.due_date)) : '',
  ]
  const rows = truth.items.map(
    (item) =>
      `<tr><td>${item.text}<td class="n">${quantity(item.quantity)}<td class="n">${unitPrice(item.price)}<td class="n">${euros(amountOf(item))} €`,
  )
  const taxes = truth.taxes.map(
    ({ rate, base, amount }) => `<tr><td>IVA ${rate}% s/ ${euros(base)} €<td class="n">${euros(amount)} €`,
  )
  const party = (title: string, { name, street, town, tax_id }: Truth['supplier']) =>
    `<div><small>${title}</small><br><b>${name}</b><br>${street}<br>${town}<br>NIF: ${tax_id}</div>`
  return page(
    `body { font-family: "Liberation Sans" } .r { display: flex; justify-content: space-between; gap: 8mm; margin-bottom: 8mm }
    .c { border: 1px solid #ccc; border-radius: 3mm; padding: 3mm; flex: 1 } small { color: #666; display: block }
    th { background: #eef } .t { width: 80mm; margin-left: auto } .g td { font-size: 13pt; font-weight: bold; border-top: 1px solid }`,
    `<div class="r"><h1>Factura</h1>${hasCode ? codeSvg(truth) : ''}</div>
    <div class="r">${party('Proveedor', truth.supplier)}${truth.customer ? party('Cliente', truth.customer) : ''}</div>
    <div class="r">${facts.join('')}</div>
    <table><tr><th>Concepto<th class="n">Cantidad<th class="n">Precio<th class="n">Importe</tr>${rows.join('')}</table><br>
    <table class="t"><tr><td>Base imponible<td class="n">${euros(truth.base)} €</tr>${taxes.join('')}
    ${truth.withheld ? `<tr><td>Retención ${percentage(truth.withheld.rate)}<td class="n">−${euros(truth.withheld.amount)} €` : ''}
    <tr class="g"><td>Total<td class="n">${euros(truth.total)} €</table>
    ${truth.iban ? `<p>Cuenta bancaria (IBAN): <b>${grouped(truth.iban)}</b></p>` : ''}`,
  )
}

/** Frames, a serif font and a separate tax table, as in older desktop software. */
export function frames(truth: Truth, hasCode: boolean): string {
  const rows = truth.items.map(
    (item) =>
      `<tr><td>${item.text}<td class="n">${quantity(item.quantity)}<td class="n">${euros(item.price)}<td class="n">${item.rate ?? 'Ex.'}<td class="n">${euros(amountOf(item))}`,
  )
  const taxes = truth.taxes.map(
    ({ rate, base, amount, surcharge_rate, surcharge }) =>
      `<tr><td class="n">${euros(base)}<td class="n">${euros(rate)}<td class="n">${euros(amount)}<td class="n">${surcharge_rate === null ? '' : euros(surcharge_rate)}<td class="n">${surcharge === null ? '' : euros(surcharge)}`,
  )
  const exempt =
    truth.exempt_base === null
      ? ''
      : `<tr><td class="n">${euros(truth.exempt_base)}<td class="n">Exento<td class="n">0,00<td><td>`
  return page(
    `body { font-family: "Liberation Serif" } td, th { border: 1px solid #000 } .head { display: flex; justify-content: space-between }
    .box { border: 1px solid #000; padding: 3mm; width: 78mm } .total { font-size: 14pt; text-align: right; font-weight: bold }`,
    `<div class="head"><div><b>${truth.supplier.name}</b><br>${truth.supplier.street}<br>${truth.supplier.town}<br>N.I.F.: ${truth.supplier.tax_id}</div>${hasCode ? codeSvg(truth) : ''}</div><br>
    <div class="head"><div class="box">${truth.corrects ? 'FACTURA RECTIFICATIVA' : 'FACTURA'} Nº: <b>${truth.number}</b><br>FECHA: ${spanishDate(truth.issue_date)}
    ${truth.due_date ? `<br>VENCIMIENTO: ${dayFirst(truth.due_date)}` : ''}${truth.corrects ? `<br>Factura rectificada: ${truth.corrects}` : ''}</div>
    ${truth.customer ? `<div class="box">Sr./Sra.: ${truth.customer.name}<br>${truth.customer.street}<br>${truth.customer.town}<br>N.I.F.: ${truth.customer.tax_id}</div>` : ''}</div><br>
    <table><tr><th>DESCRIPCIÓN<th>UDS.<th>PRECIO<th>% IVA<th>IMPORTE</tr>${rows.join('')}</table><br>
    <table><tr><th>BASE IMPONIBLE<th>% IVA<th>CUOTA IVA<th>% R.E.<th>CUOTA R.E.</tr>${taxes.join('')}${exempt}</table>
    ${truth.withheld ? `<p class="n">Retención I.R.P.F. ${percentage(truth.withheld.rate)}: -${euros(truth.withheld.amount)}</p>` : ''}
    <p class="total">TOTAL A PAGAR: ${euros(truth.total)} €</p>
    ${truth.iban ? `<p>IBAN: ${grouped(truth.iban)}</p>` : ''}`,
  )
}

let browser: Promise<Browser> | undefined

/** Prints the web page as PDF. The browser stays open until `closeBrowser`. */
export async function byChromium(html: string): Promise<Uint8Array> {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const tab = await (await browser).newPage()
  try {
    await tab.setContent(html)
    return await tab.pdf({ format: 'A4', preferCSSPageSize: true })
  } finally {
    await tab.close()
  }
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}
