/** Web pages of independent invoices, with a separate page for each supplier. */
import { required } from '#core/errors/index.ts'
import { codeSvg } from './html.ts'
import { OURS } from './parties.ts'
import { dayFirst, euros, grouped, quantity, spanishDate } from './print.ts'
import type { Priced, Whole } from './truth.ts'

const page = (style: string, body: string, lang = 'es') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><style>@page{size:A4;margin:12mm 15mm} body{margin:0 1mm;-webkit-print-color-adjust:exact}
  table{border-collapse:collapse} .n{text-align:right!important;white-space:nowrap} .qr{width:32mm;height:32mm} ${style}</style><body>${body}</body></html>`

const rowsOf = (truth: Whole, row: (item: Priced, at: number) => string) => truth.items.map(row).join('')
const itemAt = (truth: Whole, at: number) => required(truth.items[at])
const sumOf = (truth: Whole, from: number, to: number) =>
  truth.items.slice(from, to).reduce((sum, one) => sum + one.amount, 0)

/** An electricity bill: summary panel on the first page; tax, total and calculation on the second page. */
export function electricityPage(truth: Whole): string {
  const { supplier, customer } = truth
  const at = (index: number) => itemAt(truth, index)
  const { vat } = truth
  const detail = (index: number, calculation: string) =>
    `<tr><td>${at(index).text}<td>${calculation}<td class="n">${euros(at(index).amount)} €`
  const power = (index: number) =>
    detail(index, `${at(index).quantity} kW·día × ${euros(at(index).price, 6)} €/kW·día`)
  const energy = (index: number) =>
    detail(index, `${quantity(at(index).quantity)} kWh × ${euros(at(index).price, 6)} €/kWh`)
  return page(
    `body{font:9pt "Liberation Sans";color:#222} h1{font-size:17pt;color:#b3261e;margin:0} .top{display:flex;justify-content:space-between}
    .sum{background:#fdf1e3;border-radius:4mm;padding:5mm;margin:6mm 0} .sum table{width:100%} .sum td{padding:1mm 0} .sum tr:last-child td{font-size:15pt;font-weight:bold;border-top:2px solid #b3261e;padding-top:2mm}
    .g{display:grid;grid-template-columns:82mm 1fr;gap:8mm} .k td{white-space:nowrap;padding:.7mm 3mm .7mm 0;vertical-align:top} .k td:first-child{color:#777}
    .d{width:100%} .d td{border-bottom:1px dotted #999;padding:1.2mm 0} .d th{text-align:left;background:#b3261e;color:#fff;padding:1mm} .f{font-size:6.3pt;color:#666;text-align:justify} .next{break-before:page}`,
    `<div class="top"><div><h1>luz del cantábrico</h1>Factura de electricidad</div>${codeSvg(truth)}</div>
    <div class="g"><div><table class="k"><tr><td>Nº factura<td><b>${truth.number}</b><tr><td>Fecha emisión<td>${dayFirst(truth.issue_date)}<tr><td>Periodo<td>04/02/2026 a 06/03/2026 (30 días)<tr><td>Fecha de cargo<td>${dayFirst(truth.due_date)}<tr><td>Nº contrato<td>450019827733<tr><td>CUPS<td>ES0031408217745001KR0F</table></div>
    <div style="padding:6mm 0 0 10mm">${customer.name}<br>${customer.street}<br>${customer.town}<br>NIF ${customer.tax_id}</div></div>
    <div class="sum"><b>Resumen de su factura</b><table><tr><td>Por potencia contratada<td class="n">${euros(sumOf(truth, 0, 2))} €<tr><td>Por energía consumida (1.375 kWh)<td class="n">${euros(sumOf(truth, 2, 5))} €
    <tr><td>Bono social, impuesto eléctrico y alquiler<td class="n">${euros(sumOf(truth, 5, 8))} €<tr><td>IVA 21%<td class="n">${euros(vat.amount)} €<tr><td>TOTAL IMPORTE FACTURA<td class="n">${euros(truth.total)} €</table></div>
    <p>Forma de pago: domiciliación bancaria. Entidad: BANCO DEL VALLE. IBAN: ES48 2095 **** **** **** 7731</p>
    <p>Su consumo medio diario en el periodo facturado ha sido de 9,20 €. Averías (24 h): 900 104 771. Atención al cliente: 900 226 018.</p>
    <p class="f">${supplier.name}, con domicilio social en ${supplier.street}, ${supplier.town}. NIF ${supplier.tax_id}. Inscrita en el Registro Mercantil de Cantabria, tomo 1.094, folio 112, hoja S-24.871.</p>
    <div class="next"><h1>Detalle de la factura</h1><p>Factura ${truth.number}. Peaje de acceso 2.0TD. Lecturas reales: punta 10.418 - 10.736, llano 14.007 - 14.409, valle 22.310 - 22.965 kWh.</p>
    <table class="d"><tr><th>Concepto<th>Cálculo<th class="n">Importe</tr>${power(0)}${power(1)}${energy(2)}${energy(3)}${energy(4)}${detail(5, `30 días × ${euros(at(5).price, 6)} €/día`)}
    ${detail(6, `5,11269632 % s/ ${euros(sumOf(truth, 0, 6))} €`)}${detail(7, `30 días × ${euros(at(7).price, 5)} €/día`)}
    <tr><td><b>Base imponible</b><td><td class="n"><b>${euros(truth.base)} €</b><tr><td>IVA (21%)<td>21% s/ ${euros(vat.base)} €<td class="n">${euros(vat.amount)} €<tr><td><b>TOTAL IMPORTE FACTURA</b><td><td class="n"><b>${euros(truth.total)} €</b></table>
    <p class="f">${'Información sobre el origen de la electricidad: renovable 61,3 %, cogeneración 5,2 %, nuclear 20,1 %, otras 13,4 %. Emisiones de CO2: 0,11 kg/kWh. Las reclamaciones pueden presentarse ante la junta arbitral de consumo. '.repeat(5)}</p></div>`,
  )
}

/** A marketplace invoice: prices with and without tax in a row, tax summary on the left, amount already paid. */
export function marketplacePage(truth: Whole): string {
  const { supplier, customer, vat } = truth
  const gross = (amount: number) => euros(amount * 1.21)
  return page(
    `body{font:8.5pt "Liberation Sans"} .top{display:flex;justify-content:space-between} .box{background:#f3f3f3;padding:3mm;width:70mm} .box b{font-size:12pt}
    .w{width:100%;margin:5mm 0} .w th{border-bottom:1px solid;text-align:left;vertical-align:bottom;padding:1mm} .w td{padding:1.5mm 1mm;vertical-align:top} .a{display:grid;grid-template-columns:1fr 1fr 1fr;gap:6mm;margin:5mm 0} .l{width:95mm}`,
    `<div class="top"><h1 style="font-size:22pt;margin:0">cesta<span style="color:#d60">mundo</span></h1><div class="box"><b>Factura</b><br>Pagado<br>Número de referencia del pago 5qT8ZkW1mRb3<br>Vendido por ${supplier.name}<br>NIF ${supplier.tax_id}<br><br>Fecha de la factura/Fecha de la entrega ${spanishDate(truth.issue_date).replaceAll(' de ', ' ')}<br>Número de la factura ${truth.number}<br><b>Total pagado</b> <b>${euros(truth.total)} €</b></div></div>
    <p>${customer.name}<br>${customer.street}<br>${customer.town}<br>ES</p>
    <div class="a"><div><b>Dirección de facturación</b><br>${customer.name}<br>${customer.street}<br>${customer.town}<br>NIF ${customer.tax_id}</div><div><b>Dirección de envío</b><br>Recepción - Quintana<br>${customer.street}<br>${customer.town}</div><div><b>Vendido por</b><br>${supplier.name}<br>${supplier.street}<br>${supplier.town}<br>ES</div></div>
    <b>Información del pedido</b><br>Fecha del pedido 31 enero 2026<br>Número del pedido 407-5518290-1174603
    <table class="w"><tr><th>Descripción<th class="n">Cant.<th class="n">P. Unitario<br>(IVA excluido)<th class="n">IVA %<th class="n">P. Unitario<br>(IVA incluido)<th class="n">Precio total<br>(IVA incluido)</tr>
    ${rowsOf(truth, (one) => `<tr><td>${one.text}<td class="n">${one.quantity}<td class="n">${euros(one.price)} €<td class="n">${one.rate}%<td class="n">${gross(one.price)} €<td class="n">${gross(one.amount)} €`)}</table>
    <table class="l w"><tr><th>Tipo de IVA<th class="n">P. Total<br>(IVA excluido)<th class="n">IVA</tr><tr><td>${vat.rate}%<td class="n">${euros(vat.base)} €<td class="n">${euros(vat.amount)} €<tr><td><b>Total</b><td class="n"><b>${euros(truth.base)} €</b><td class="n"><b>${euros(vat.amount)} €</b></table>
    <p style="font-size:14pt" class="n">Total factura <b>${euros(truth.total)} €</b></p><p><small>Página 1 de 1 · cestamundo.example/ayuda</small></p>`,
  )
}

/** A hotel bill: charges and payments by day in two columns, a balance of zero, taxes below. */
export function hotelPage(truth: Whole): string {
  const { supplier, customer } = truth
  const gross = (one: Priced) => euros(one.amount * (1 + (one.rate ?? 0) / 100))
  return page(
    `body{font:9.5pt "Liberation Serif"} h1{font:italic 26pt "Liberation Serif";text-align:center;margin:0;letter-spacing:1px} .c{text-align:center;color:#555} .w{width:100%;margin-top:6mm} .w th{border-top:1px solid;border-bottom:1px solid;text-align:left} .w td{padding:.6mm 0} .g{display:flex;justify-content:space-between;margin-top:8mm}`,
    `<h1>Puerta del Alcázar</h1><div class="c">★★★★ · ${supplier.street} · ${supplier.town}<br>Tel. 987 202 114 · reservas@puertaalcazar.example</div>
    <div class="g"><div>Sr. D. Andrés Quintana<br><b>${customer.name}</b><br>${customer.street}<br>${customer.town}<br>C.I.F. ${customer.tax_id}</div>
    <table><tr><td>Factura / Invoice&nbsp;<td>${truth.number}<tr><td>Fecha / Date<td>${dayFirst(truth.issue_date, '.')}<tr><td>Habitación / N.º&nbsp;<td>214<tr><td>Entrada / Check-in<td>03.03.2026<tr><td>Salida / Check-out<td>06.03.2026<tr><td>Reserva<td>BK-70051834</table></div>
    <table class="w"><tr><th>Fecha y concepto<th class="n">Uds.<th class="n">Cargos EUR<th class="n">Abonos EUR</tr>${rowsOf(truth, (one) => `<tr><td>${one.text}<td class="n">${one.quantity}<td class="n">${gross(one)}<td>`)}
    <tr><td>06/03 Tarjeta VISA **** 8820<td><td><td class="n">${euros(truth.total)}<tr style="border-top:1px solid"><td><b>Total</b><td><td class="n"><b>${euros(truth.total)}</b><td class="n"><b>${euros(truth.total)}</b><tr><td>Saldo / Balance<td><td><td class="n">0,00</table>
    <div class="g"><table style="width:95mm"><tr><td>IVA / VAT<td class="n">Neto / Net<td class="n">Cuota / Tax<td class="n">Bruto / Gross</tr>${[
      ...truth.taxes,
    ]
      .reverse()
      .map(
        ({ rate, base, amount }) =>
          `<tr><td>${euros(rate)} %<td class="n">${euros(base)}<td class="n">${euros(amount)}<td class="n">${euros(base + amount)}`,
      )
      .join(
        '',
      )}<tr style="border-top:1px solid"><td>Total<td class="n">${euros(truth.base)}<td class="n">${euros(truth.invoice_total - truth.base)}<td class="n">${euros(truth.total)}</table></div>
    <p class="c" style="margin-top:20mm;font-size:8pt">${supplier.name} · NIF ${supplier.tax_id} · Precios con IVA incluido · Gracias por su visita</p>`,
  )
}

/** A receipt printed by a taximeter. */
export function taxiPage(truth: Whole): string {
  const { vat } = truth
  const short = `${dayFirst(truth.issue_date, '-').slice(0, 6)}26`
  return `<!doctype html><meta charset="utf-8"><style>@page{size:62mm 130mm;margin:3mm} body{margin:0;font:8pt "DejaVu Sans Mono"} td:last-child{text-align:right} table{width:100%} center{margin:2mm 0}</style>
    <center>* * * TAXI * * *<br>LICENCIA 09417<br>MATRICULA 4471 LMB</center>${truth.supplier.name}<br>NIF ${truth.supplier.tax_id}<br>${truth.supplier.street}<br>${truth.supplier.town}
    <center>FACTURA SIMPLIFICADA<br>N. ${truth.number}</center>${itemAt(truth, 0).text}<table><tr><td>FECHA<td>${short}<tr><td>INICIO<td>09:14<tr><td>FIN<td>09:52<tr><td>KM<td>14,2<tr><td>TARIFA<td>1<tr><td>IMPORTE<td>21,15<tr><td>SUPLEMENTO<td>2,50</table>
    <center style="font-size:12pt"><b>TOTAL EUR ${euros(truth.total)}</b></center><table><tr><td>IVA ${vat.rate}% INCLUIDO<td><tr><td>BASE<td>${euros(vat.base)}<tr><td>CUOTA<td>${euros(vat.amount)}</table><center>PAGO: TARJETA<br>GRACIAS</center>`
}

/** A letter of a word processor, with the amounts in a table without rules. */
export function landlordPage(truth: Whole): string {
  const { supplier, customer, withheld, vat } = truth
  return page(
    `@page{margin:25mm 30mm} body{font:11.5pt "Liberation Serif";line-height:1.35} .t td{padding:0 6mm 0 0}`,
    `<p>${supplier.name}<br>D.N.I. ${supplier.tax_id}<br>${supplier.street}<br>${supplier.town}</p>
    <p style="margin-left:75mm">${customer.name}<br>${customer.street}<br>${customer.town}<br>C.I.F.: ${customer.tax_id}</p>
    <p style="text-align:right">Madrid, a ${spanishDate(truth.issue_date)}</p><p style="text-decoration:underline"><b>FACTURA N.º ${truth.number}</b></p>
    <p>Por el alquiler del local de negocio sito en la calle de la Fragua, número 14, de Madrid, correspondiente al mes de marzo de 2026:</p>
    <table class="t">${rowsOf(truth, (one) => `<tr><td>${one.text}<td class="n">${euros(one.amount)} €`)}<tr><td>Suma<td class="n">${euros(truth.base)} €<tr><td>21% de I.V.A.<td class="n">${euros(vat.amount)} €<tr><td>Menos 19% de retención a cuenta del I.R.P.F.<td class="n">- ${euros(withheld.amount)} €<tr><td><b>Líquido</b><td class="n"><b>${euros(truth.total)} €</b></table>
    <p>Rogamos ingresen el importe en la cuenta ${grouped(truth.iban)} antes del día siete del mes en curso.</p><p style="margin-top:18mm">Fdo.: ${supplier.name}</p>`,
  )
}

/** An invoice in Galician: labels above values, totals on the left. */
export function galicianPage(truth: Whole): string {
  const { supplier, customer, vat } = truth
  const month = 'febreiro'
  const day = Number(truth.issue_date.slice(8))
  return page(
    `body{font:10pt "DejaVu Sans Condensed"} .h{background:#234;color:#fff;padding:6mm;display:flex;justify-content:space-between} .h b{font-size:14pt} .f{display:grid;grid-template-columns:repeat(4,1fr);margin:6mm 0;border:1px solid #234} .f div{padding:2mm;border-right:1px solid #234} small{display:block;color:#567} .w{width:100%} .w th{border-bottom:2px solid #234;text-align:left} .w td{padding:2mm 0;border-bottom:1px solid #cde} .t{margin-top:8mm;width:75mm} .t td{padding:1mm 0}`,
    `<div class="h"><div><b>O SALNÉS</b><br>carpintería metálica</div><div style="font-size:8pt">${supplier.name}<br>${supplier.street}<br>${supplier.town}<br>NIF: ${supplier.tax_id}</div></div>
    <div class="f"><div><small>Factura</small>${truth.number}</div><div><small>Data</small>${day} de ${month} de 2026</div><div><small>Vencemento</small>${dayFirst(truth.due_date)}</div><div style="border:0"><small>Forma de pagamento</small>Transferencia</div></div>
    <p><small>Facturar a</small><b>${customer.name}</b><br>${customer.street}, ${customer.town}<br>NIF: ${customer.tax_id}</p>
    <table class="w"><tr><th>Descrición<th class="n">Uds.<th class="n">Prezo<th class="n">Importe</tr>${rowsOf(truth, (one) => `<tr><td>${one.text}<td class="n">${one.quantity}<td class="n">${euros(one.price)}<td class="n">${euros(one.amount)}`)}</table>
    <table class="t"><tr><td>Base impoñible<td class="n">${euros(truth.base)}<tr><td>IVE ao 21 %<td class="n">${euros(vat.amount)}<tr style="font-weight:bold;border-top:2px solid #234"><td>Total euros<td class="n">${euros(truth.total)}</table>
    <p style="margin-top:10mm">Número de conta para o ingreso: ${grouped(truth.iban)}</p>`,
    'gl',
  )
}

/** A repair order: vehicle data, separate labour and parts with a discount, totals in a band at the foot. */
export function repairPage(truth: Whole): string {
  const { supplier, customer, vat } = truth
  const row = (one: Priced, at: number) =>
    `<tr><td>${at === 5 ? '' : `${at < 2 ? 'MO' : 'RC'}-${1204 + at * 37}`}<td>${one.text}<td class="n">${quantity(one.quantity)}<td class="n">${euros(one.price)}<td class="n">${euros(one.amount)}`
  return page(
    `body{font:9pt "Liberation Sans Narrow"} .b{border:1.5px solid #000;padding:2mm 3mm} .g{display:grid;grid-template-columns:1fr 1fr;gap:4mm;margin-bottom:4mm} .w{width:100%} .w th{background:#ddd;border:1px solid #000;padding:1mm} .w td{border-left:1px solid #000;border-right:1px solid #000;padding:.8mm 1.5mm} .w{border-bottom:1px solid #000} .band{width:100%;margin-top:5mm} .band td,.band th{border:1px solid #000;padding:1.5mm;text-align:center}`,
    `<div class="g"><div><b style="font-size:15pt">AUTO CHAPA DELICIAS</b><br>Mecánica · Chapa · Pintura<br>${supplier.name} · NIF ${supplier.tax_id}<br>${supplier.street} - ${supplier.town}<br>Tel. 91 530 44 17</div><div class="n">${codeSvg(truth)}<br>QR tributario</div></div>
    <div class="g"><div class="b"><b>FACTURA</b> ${truth.number}<br><b>FECHA</b> ${dayFirst(truth.issue_date)}<br><b>O.R.</b> 26/01877 &nbsp; <b>ENTRADA</b> 25/05/2026</div><div class="b">${customer.name}<br>${customer.street}<br>${customer.town}<br>NIF ${customer.tax_id}</div></div>
    <div class="b" style="margin-bottom:4mm">MATRÍCULA 7713 KZR · PEUGEOT PARTNER 1.5 BLUEHDI · BASTIDOR VR3EFYHYCKJ812045 · KM 148.230</div>
    <table class="w"><tr><th>REF.<th>DESCRIPCIÓN<th>CANT.<th>PRECIO<th>IMPORTE</tr>${rowsOf(truth, row)}</table>
    <table class="band"><tr><th>MANO DE OBRA<th>RECAMBIOS Y OTROS<th>BASE IMPONIBLE<th>% IVA<th>CUOTA IVA<th>TOTAL FACTURA</tr><tr><td>${euros(sumOf(truth, 0, 2))}<td>${euros(sumOf(truth, 2, 7))}<td>${euros(truth.base)}<td>${vat.rate}<td>${euros(vat.amount)}<td><b>${euros(truth.total)} €</b></table>
    <p>Forma de pago: tarjeta. Reparación garantizada 3 meses o 2.000 km. El cliente renuncia a las piezas sustituidas.</p>`,
  )
}

/** A template of a design site: coloured column, wide margins, letter-spaced capitals. */
export function freelancerPage(truth: Whole): string {
  const { supplier, customer, withheld, vat } = truth
  return page(
    `@page{margin:0} body{margin:0;font:300 10pt "DejaVu Sans";display:grid;grid-template-columns:62mm 1fr;min-height:290mm} .s{background:#e9d8cf;padding:16mm 8mm;font-size:8.5pt} .m{padding:16mm 14mm} h1{font-weight:300;letter-spacing:6px;font-size:24pt;margin:0 0 12mm} h4{letter-spacing:2px;font-size:7.5pt;margin:8mm 0 1mm} .w{width:100%;margin-top:10mm} .w td{padding:3mm 0;border-bottom:.5px solid #a98} .t{width:100%;margin-top:10mm} .t td{padding:1.2mm 0} .t tr:last-child td{font-size:13pt;padding-top:4mm}`,
    `<div class="s"><h4>DE</h4>${supplier.name}<br>Fotografía<br>${supplier.tax_id}<br>${supplier.street}<br>${supplier.town}<br>irene@caballerofoto.example<h4>PARA</h4>${customer.name}<br>${customer.tax_id}<br>${customer.street}<br>${customer.town}<h4>FECHA</h4>${dayFirst(truth.issue_date, '.').replace('2026', '26')}<h4>DATOS DE PAGO</h4>Transferencia a<br>${grouped(truth.iban)}</div>
    <div class="m"><h1>FACTURA</h1>Nº ${truth.number}<table class="w">${rowsOf(truth, (one) => `<tr><td>${one.text}<br><small>${one.quantity} × ${euros(one.price)}€</small><td class="n">${euros(one.amount)}€`)}</table>
    <table class="t"><tr><td>Subtotal<td class="n">${euros(truth.base)}€<tr><td>+ IVA 21%<td class="n">${euros(vat.amount)}€<tr><td>− IRPF 7%<td class="n">${euros(withheld.amount)}€<tr><td>TOTAL<td class="n">${euros(truth.total)}€</table><p style="margin-top:20mm">¡Gracias!</p></div>`,
  )
}

const statementRow = (date: string, text: string, amount: number, balance: number) =>
  `<tr><td>${date}<td>${date}<td>${text}<td class="n">${euros(amount)}<td class="n">${euros(balance)}`

/** A bank statement: it names invoices, and has amounts and a balance. */
export const statementPage = (): string =>
  page(
    `body{font:9pt "Liberation Sans"} table{width:100%} td,th{padding:1mm 2mm;text-align:left;border-bottom:1px solid #ddd}`,
    `<h2>Banco del Valle, S.A.</h2>NIF A48012733 · Gran Vía, 1, 48001 Bilbao<h3>Movimientos de cuenta</h3>Titular: ${OURS.name} · NIF ${OURS.tax_id}<br>IBAN ES48 2095 0112 4091 0773 7731 · Fecha 31/03/2026 · Hoja nº 12
    <table><tr><th>F. oper.<th>F. valor<th>Concepto<th class="n">Importe<th class="n">Saldo</tr>
    ${statementRow('02/03/2026', 'RECIBO CONECTA MOVIL FACTURA CI0987-26-114203', -96, 8104)}${statementRow('10/03/2026', 'TRANSF. MARQUES Y LLORENTE FRA 1126', -297.06, 7806.94)}${statementRow('20/03/2026', 'RECIBO LUZ DEL CANTABRICO', -276.1, 7530.84)}${statementRow('27/03/2026', 'ABONO TPV', 1240, 8770.84)}
    <tr><td><td><td><b>Saldo final</b><td><td class="n"><b>${euros(8770.84)}</b></table>`,
  )

/** A payslip with bases and percentages. */
export const payslipPage = (): string =>
  page(
    `body{font:8.5pt "Liberation Sans"} table{width:100%;margin:3mm 0} td{border:1px solid #555;padding:1mm 2mm}`,
    `<h3>RECIBO INDIVIDUAL JUSTIFICATIVO DEL PAGO DE SALARIOS</h3><table><tr><td>Empresa: ${OURS.name}<br>${OURS.street}<br>CIF: ${OURS.tax_id}<br>CCC: 28/1140927/63<td>Trabajador: Nuria Bermejo Casas<br>NIF: 47215830X<br>Núm. afiliación: 281094471822<br>Categoría: Oficial 2.ª</table>
    <p>Periodo de liquidación: del 1 al 31 de marzo de 2026. Total días: 30</p><table><tr><td>I. DEVENGOS<td class="n">TOTALES<tr><td>Salario base<td class="n">1.412,50<tr><td>Plus convenio<td class="n">186,20<tr><td>Prorrata pagas extras<td class="n">235,42<tr><td>A. TOTAL DEVENGADO<td class="n">1.834,12
    <tr><td>II. DEDUCCIONES<td><tr><td>Contingencias comunes 4,70 %<td class="n">86,20<tr><td>Desempleo 1,55 %<td class="n">28,43<tr><td>Formación profesional 0,10 %<td class="n">1,83<tr><td>M.E.I. 0,15 %<td class="n">2,75<tr><td>Impuesto sobre la renta (IRPF) 11,40 %<td class="n">209,09<tr><td>B. TOTAL A DEDUCIR<td class="n">328,30<tr><td><b>LÍQUIDO TOTAL A PERCIBIR (A-B)</b><td class="n"><b>1.505,82</b></table>
    <p>Madrid, 31 de marzo de 2026. Base sujeta a retención del IRPF 1.834,12</p>`,
  )

/** A payment reminder that repeats the amounts of an invoice. */
export const reminderPage = (truth: Whole): string =>
  page(
    `@page{margin:25mm} body{font:11pt "Liberation Sans";line-height:1.4} td{padding:1mm 6mm 1mm 0}`,
    `<p><b>${truth.supplier.name}</b><br>${truth.supplier.street}<br>${truth.supplier.town}<br>NIF ${truth.supplier.tax_id}</p><p>${truth.customer.name}<br>${truth.customer.street}<br>${truth.customer.town}<br>NIF ${truth.customer.tax_id}</p><p>Madrid, 12 de mayo de 2026</p><h3>Segundo aviso de pago</h3>
    <p>Estimados señores: a fecha de hoy no hemos recibido el importe de la siguiente factura vencida:</p><table><tr><td>Factura<td>${truth.number}<tr><td>Fecha de factura<td>${dayFirst(truth.issue_date)}<tr><td>Vencimiento<td>${dayFirst(truth.due_date)}<tr><td>Base imponible<td class="n">${euros(truth.base)} €<tr><td>IVA 21 %<td class="n">${euros(truth.vat.amount)} €<tr><td>Total<td class="n">${euros(truth.total)} €</table>
    <p>Les rogamos lo abonen en la cuenta ${grouped(truth.iban)}. Si ya lo han hecho, no tengan en cuenta este aviso.</p><p>Departamento de cobros</p>`,
  )
