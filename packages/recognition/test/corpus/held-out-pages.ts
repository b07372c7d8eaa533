/** Web pages of the second held-out set, one for each supplier, and pages of documents that are not invoices. */

import { codeSvg } from './html.ts'
import { dayFirst, euros, grouped, quantity, spanishDate } from './print.ts'
import type { Party, Priced, Whole } from './truth.ts'

const page = (style: string, body: string, lang = 'es') =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><style>@page{size:A4;margin:13mm 15mm} body{margin:0 1mm;-webkit-print-color-adjust:exact}
  table{border-collapse:collapse} th{text-align:left} .n{text-align:right!important;white-space:nowrap} .w{width:100%} .f{display:flex;justify-content:space-between;gap:6mm} .s{font-size:6pt;color:#666} .qr{width:33mm;height:33mm} ${style}</style><body>${body}</body></html>`

const rowsOf = (items: readonly Priced[], row: (item: Priced, at: number) => string) =>
  items.map(row).join('')
const sumOf = (items: readonly Priced[]) => items.reduce((sum, one) => sum + one.amount, 0)
/** `B-12345678` */
const hyphenated = (id = '') => id.replace(/^([A-Z])/, '$1-')
const block = (party: Party, label = 'NIF') =>
  `<b>${party.name}</b><br>${party.street}<br>${party.town}<br>${label} ${party.tax_id}`
/** `1234,56` */
const plain = (amount: number, places = 2) => amount.toFixed(places).replace('.', ',')
const privacy = (name: string) =>
  `De acuerdo con el Reglamento (UE) 2016/679 y la Ley Orgánica 3/2018, le informamos de que sus datos se tratan por ${name} con la finalidad de gestionar la relación comercial y se conservarán 6 años. Puede ejercer sus derechos de acceso, rectificación, supresión, limitación, portabilidad y oposición por escrito en el domicilio arriba indicado.`

/** A rural provider: a band with the slogan, a summary beside the customer, charges in groups, small print. */
export function telecomPage(truth: Whole): string {
  const { supplier, customer, items, vat } = truth
  const group = (title: string, from: number, to: number) =>
    `<tr class="g"><td colspan="3">${title}<td class="n">${euros(sumOf(items.slice(from, to)))} €</tr>${rowsOf(items.slice(from, to), (one) => `<tr><td>${one.text}<td class="n">${one.quantity}<td class="n">${euros(one.price, one.price === 0.0385 ? 4 : 2)} €<td class="n">${euros(one.amount)} €`)}`
  return page(
    `body{font:8.5pt "Liberation Sans"} .band{background:#00687a;color:#fff;padding:4mm 6mm;align-items:center} .band b{font-size:19pt} .sum{border:1.5pt solid #00687a;border-radius:3mm;padding:3mm 4mm;width:74mm} .sum td{padding:.6mm 0} .g td{background:#e0eef0;font-weight:bold} td{padding:1mm 1.5mm}`,
    `<div class="band f"><b>wirenet</b><i>La fibra que no llega, llega por el aire</i></div><br>
    <div class="f"><div class="sum"><table class="w"><tr><td>N.º de factura<td class="n">${truth.number}<tr><td>Fecha de factura<td class="n">01 abr. 2026<tr><td>Periodo<td class="n">01/04/2026 a 30/04/2026<tr><td>Fecha de cargo<td class="n">${dayFirst(truth.due_date)}<tr style="font-size:12pt;font-weight:bold;color:#00687a"><td>Importe<td class="n">${euros(truth.total)} €</table></div>
    <div style="width:80mm;padding-top:8mm">${block(customer, 'CIF:')}<br>Contrato 700.18832 · Tel. 949 010 203</div></div><br>
    <table class="w"><tr><th>Concepto<th class="n">Uds.<th class="n">Precio<th class="n">Importe</tr>${group('Acceso a Internet', 0, 2)}${group('Voz', 2, 4)}${group('Descuentos', 4, 5)}</table><br>
    <table style="margin-left:auto;width:80mm"><tr><td>Base imponible<td class="n">${euros(truth.base)} €<tr><td>IVA (${vat.rate} %)<td class="n">${euros(vat.amount)} €<tr style="font-weight:bold;border-top:1pt solid"><td>TOTAL FACTURA<td class="n">${euros(truth.total)} €</table>
    <p>Domiciliación en su cuenta ES48 2095 **** **** **** 7731. Consumo del mes anterior: 214 minutos. El importe medio de sus tres últimas facturas es de 93,10 €.</p>
    <p>Averías: 900 000 111 (24 h). Para reclamaciones, Oficina de Atención al Usuario de Telecomunicaciones.</p>
    <p class="s">${supplier.name} · ${supplier.street} · ${supplier.town} · NIF ${supplier.tax_id} · Inscrita en el Registro Mercantil de Guadalajara, tomo 611, folio 87, hoja GU-9.204, inscripción 1.ª · Operador autorizado por la CNMC. ${privacy(supplier.name)}</p>`,
  )
}

/** A clinic: the patient and the owner, two rates, the taxes in a small table, a code. */
export function vetPage(truth: Whole): string {
  const { supplier, customer } = truth
  return page(
    `body{font:9.5pt "DejaVu Serif"} h1{font-size:15pt;margin:0;color:#3a6b35} .r td,.r th{border-bottom:.5pt dotted #3a6b35;padding:1.3mm 1mm} .t td,.t th{border:.5pt solid #3a6b35;padding:1mm 2mm;font-size:8.5pt}`,
    `<div class="f"><div><h1>Clínica Veterinaria Los Olmos</h1><i>Cuidamos de quien te cuida</i><br>${supplier.street} - ${supplier.town}<br>Tel. 91 469 00 12 · Urgencias 24 h 600 11 22 33</div>${codeSvg(truth)}</div>
    <div class="f" style="margin:6mm 0"><div>Propietario:<br>${block(customer, 'N.I.F.:')}</div><div>Paciente: <b>TRUENO</b><br>Canino, pastor alemán, macho<br>Microchip 941000024718830<br>Nacimiento 03/09/2021<br>Peso 34,6 kg</div></div>
    <b>FACTURA: ${truth.number}</b> &nbsp;&nbsp; Fecha: ${dayFirst(truth.issue_date, '-')} 11:42 &nbsp;&nbsp; Le atendió: Dra. Pardo
    <table class="w r" style="margin-top:4mm"><tr><th>Descripción<th class="n">Cant.<th class="n">Precio<th class="n">IVA<th class="n">Subtotal</tr>${rowsOf(truth.items, (one) => `<tr><td>${one.text}<td class="n">${one.quantity},00<td class="n">${euros(one.price)}<td class="n">${one.rate}<td class="n">${euros(one.amount)}`)}</table><br>
    <div class="f"><table class="t"><tr><th>% IVA<th>Base<th>Cuota<th>Total</tr>${truth.taxes.map(({ rate, base, amount }) => `<tr><td>${rate},00<td class="n">${euros(base)}<td class="n">${euros(amount)}<td class="n">${euros(base + amount)}`).join('')}</table>
    <table class="t"><tr><td>Total sin impuestos<td class="n">${euros(truth.base)}<tr><td>Total impuestos<td class="n">${euros(truth.total - truth.base)}<tr><td><b>TOTAL (EUR)</b><td class="n"><b>${euros(truth.total)}</b><tr><td>Pagado con tarjeta<td class="n">${euros(truth.total)}<tr><td>Pendiente<td class="n">0,00</table></div>
    <p>Próxima cita: 24/11/2026, vacuna polivalente.</p>
    <p class="s">${supplier.name}, N.I.F. ${supplier.tax_id}. Registro Mercantil de Madrid, tomo 30.218, folio 105, hoja M-543.871. N.º de colegiación del centro 28/1190. ${privacy('la clínica')}</p>`,
  )
}

/** A laboratory: work slips with their own dates, exempt, amounts without thousands. */
export function dentalPage(truth: Whole): string {
  const { supplier, customer } = truth
  const slips = ['08/06/26', '17/06/26', '24/06/26']
  return page(
    `body{font:9pt "Liberation Sans Narrow"} .o{border:1pt solid #444;border-radius:2mm;padding:2.5mm 4mm} .r td,.r th{border:1pt solid #444;padding:1mm 2mm} .r th{background:#eee;font-size:8pt}`,
    `<div class="f"><div class="o" style="width:92mm"><span style="font-size:16pt">ARCADA</span> laboratorio protésico<br>${supplier.name}<br>${supplier.street}, ${supplier.town}<br>NIF: ${hyphenated(supplier.tax_id)}<br>N.º licencia sanitaria 3419-PS</div><div class="o">${customer.name}<br>${customer.street}<br>${customer.town}<br>NIF: ${hyphenated(customer.tax_id)}</div></div><br>
    <table class="r w"><tr><th>FACTURA N.º<th>FECHA<th>CLIENTE<th>FORMA DE PAGO<th>VENCIMIENTO</tr><tr><td>${truth.number}<td>30/06/26<td>00417<td>TRANSFERENCIA<td>30/07/26</table><br>
    <table class="r w"><tr><th>TRABAJO<th>FECHA<th>DESCRIPCIÓN<th class="n">UDS<th class="n">PRECIO<th class="n">IMPORTE</tr>${rowsOf(truth.items, (one, at) => `<tr><td>${26411 + at * 38}<td>${slips[at]}<td>${one.text}<td class="n">${one.quantity}<td class="n">${plain(one.price)}<td class="n">${plain(one.amount)}`)}<tr><td colspan="6" style="height:60mm;border-top:0"></table>
    <table class="r w"><tr><th>BRUTO<th>DTO.<th>BASE EXENTA<th>% IVA<th>IVA<th>LÍQUIDO EUROS</tr><tr><td class="n">${plain(truth.base)}<td class="n">0,00<td class="n">${plain(truth.exempt_base)}<td class="n">EXENTO<td class="n">0,00<td class="n"><b>${plain(truth.total)}</b></table>
    <p>Operación exenta de IVA según el artículo 20.Uno.5.º de la Ley 37/1992.</p><p>Cta. para transferencias: ${truth.iban}</p>
    <p class="s">Inscrita en el R.M. de Madrid, T. 14.772, L. 0, F. 61, S. 8, H. M-244.915. Los productos se han elaborado según prescripción facultativa (Reglamento UE 2017/745).</p>`,
  )
}

/** A letter of an administrator of estates, written with a word processor. */
export function communityPage(truth: Whole): string {
  const { supplier, customer, items, withheld, vat } = truth
  return page(
    `@page{margin:24mm 26mm} body{font:11.5pt "Liberation Serif";line-height:1.3} td{padding:.6mm 0}`,
    `<p style="text-align:center"><b>${supplier.name.replace('Propietarios ', 'Propietarios<br>')}</b><br>${supplier.town}<br>N.I.F.: ${supplier.tax_id}</p><p style="text-align:right">Madrid, a ${spanishDate(truth.issue_date)}</p>
    <p>A la atención de:<br>${customer.name}<br>${customer.street}<br>${customer.town}<br>N.I.F.: ${customer.tax_id}</p><p><u>FACTURA Nº ${truth.number}</u></p><p>Por los conceptos que se detallan a continuación, según contrato de 1 de febrero de 2023:</p>
    <table class="w">${rowsOf(items, (one) => `<tr><td>${one.text}${one.quantity > 1 ? ` (${one.quantity} x ${euros(one.price)} €)` : ''}<td class="n">${euros(one.amount)} €`)}<tr><td>&nbsp;<tr><td>Suma<td class="n">${euros(truth.base)} €<tr><td>${vat.rate}% de I.V.A.<td class="n">${euros(vat.amount)} €<tr><td>A deducir ${withheld.rate}% retención a cuenta del I.R.P.F.<td class="n">- ${euros(withheld.amount)} €<tr><td><b>Total a ingresar</b><td class="n"><b>${euros(truth.total)} €</b></table>
    <p>El importe se abonará por transferencia, dentro de los cinco primeros días del mes, en la cuenta de la Comunidad:<br>${grouped(truth.iban)}</p><p>El Secretario-Administrador,</p><br><br><p>Fdo.: Fincas Ordóñez Gil, colegiado n.º 4.873</p>`,
  )
}

/** A hirer of machines: periods, a deposit that is not taxed and not part of the total, a code. */
export function machineryPage(truth: Whole): string {
  const { supplier, customer, vat } = truth
  const periods = ['18/05 - 28/05', '26/05 - 28/05', '', '']
  return page(
    `body{font:8.5pt "DejaVu Sans Condensed"} .y{background:#ffc400;padding:3mm 5mm} .y.f b{font-size:17pt} .b{border:1pt solid #222;padding:2.5mm 3.5mm} .r th{background:#222;color:#fff;padding:1.5mm 2mm} .r td{border-bottom:.5pt solid #999;padding:1.5mm 2mm}`,
    `<div class="y f"><b>ALQUIMAQ</b><span>Alquiler y venta de maquinaria · Plataformas · Grupos electrógenos<br>www.alquimaq.example · 91 803 00 00</span></div>
    <div class="f" style="margin:5mm 0"><div>${codeSvg(truth)}<br><span class="s">Factura verificable en la sede electrónica de la AEAT</span></div><div class="b" style="width:50mm"><b>FACTURA</b><br>Número: ${truth.number}<br>Fecha: ${dayFirst(truth.issue_date, '.')}<br>Vto.: ${dayFirst(truth.due_date, '.')}<br>Contrato: C-26/1502<br>Obra: Fragua, 14</div><div class="b" style="width:66mm">${block(customer, 'C.I.F.')}</div></div>
    <table class="r w"><tr><th>Artículo<th>Periodo<th class="n">Cant.<th class="n">Tarifa<th class="n">Neto</tr>${rowsOf(truth.items, (one, at) => `<tr><td>${one.text}<td>${periods[at]}<td class="n">${one.quantity}<td class="n">${euros(one.price)} €<td class="n">${euros(one.amount)} €`)}</table><br>
    <div class="f"><div class="b" style="width:80mm"><b>FIANZA</b><br>Depositada el 18/05/2026, recibo 2.217: 600,00 €<br>No sujeta a IVA. Se devolverá al cliente una vez revisada la máquina; no se compensa con esta factura.</div>
    <table style="width:72mm"><tr><td>Base imponible<td class="n">${euros(truth.base)} €<tr><td>I.V.A. ${vat.rate} %<td class="n">${euros(vat.amount)} €<tr class="y"><td style="padding:2mm"><b>TOTAL FACTURA</b><td class="n"><b>${euros(truth.total)} €</b></table></div>
    <p>Transferencia a ${grouped(truth.iban)}. El combustible y las roturas de neumáticos no están incluidos en el seguro.</p>
    <p class="s">${supplier.name} · CIF ${supplier.tax_id} · ${supplier.street} · ${supplier.town} · R.M. de Madrid, tomo 28.114, folio 20, hoja M-506.433. ${privacy(supplier.name)}</p>`,
  )
}

/** A bodega: centred and with air, list prices with a discount in each line. */
export function wineryPage(truth: Whole): string {
  const { supplier, customer, vat } = truth
  const discounts = [10, 15, 10, 0]
  const list = [6.2, 10, 48, 7.4]
  return page(
    `body{font:10pt "Liberation Serif";color:#222} h1{font-weight:400;letter-spacing:5pt;text-align:center;color:#6b1030;margin:0} .c{text-align:center} .r th{border-top:1pt solid #6b1030;border-bottom:1pt solid #6b1030;font-weight:400;font-variant:small-caps;padding:2mm 1mm} .r td{padding:2mm 1mm}`,
    `<h1>PEÑALCÁZAR</h1><p class="c"><i>Viñas viejas, vinos honestos desde 1931</i></p>
    <div class="f" style="margin:8mm 0"><div>Factura <b>${truth.number}</b><br>Gumiel de Izán, ${spanishDate(truth.issue_date)}<br>Pedido web 5521 · Albarán 3390<br>Vencimiento: ${spanishDate(truth.due_date)}</div><div>${block(customer, 'NIF')}</div></div>
    <table class="r w"><tr><th>Botellas<th>Vino<th class="n">Tarifa<th class="n">Dto.<th class="n">Precio neto<th class="n">Importe</tr>${rowsOf(truth.items, (one, at) => `<tr><td>${one.quantity}<td>${one.text}<td class="n">${euros(list[at] ?? 0)}<td class="n">${discounts[at] ? `${discounts[at]} %` : '—'}<td class="n">${euros(one.price)}<td class="n">${euros(one.amount)}`)}</table>
    <table style="margin:8mm auto 0;border:1pt solid #6b1030"><tr><td style="padding:2mm 5mm" class="c"><small>Base imponible</small><br>${euros(truth.base)} €<td style="padding:2mm 5mm" class="c"><small>IVA ${vat.rate} %</small><br>${euros(vat.amount)} €<td style="padding:2mm 5mm;background:#6b1030;color:#fff" class="c"><small>Total</small><br><b>${euros(truth.total)} €</b></table>
    <p class="c">Recibo a su cargo, o ingreso en IBAN ${grouped(truth.iban)}</p>
    <p class="c s" style="margin-top:50mm">${supplier.name} · ${supplier.street} · ${supplier.town} (Burgos) · NIF ${supplier.tax_id} · R.E. 8.112-BU · CAE ES00009V1187D<br>Reg. Merc. de Burgos, tomo 402, folio 133, hoja BU-4.471 · Impuesto especial a tipo 0 (vino tranquilo). ${privacy('la bodega')}</p>`,
  )
}

/** Fees of a lawyer: withheld tax, then disbursements in the client's name, which are not part of the invoice. */
export function attorneyPage(truth: Whole): string {
  const { supplier, customer, withheld, vat } = truth
  const outlays: readonly (readonly [string, number])[] = [
    ['Derechos de procurador (factura adjunta)', 112.53],
    ['Tasa judicial, modelo 696', 150],
  ]
  const payable = truth.total + outlays.reduce((sum, [, amount]) => sum + amount, 0)
  const row = (label: string, amount: number, isStrong = false) =>
    `<tr${isStrong ? ' style="font-weight:bold"' : ''}><td>${label}<td class="n">${euros(amount)} €`
  return page(
    `@page{margin:20mm 24mm} body{font:10.5pt "DejaVu Serif Condensed"} td{padding:1mm 0} hr{border:0;border-top:2pt double #333}`,
    `<div class="f"><div><span style="font-size:14pt">${supplier.name}</span><br>Abogado · ICAM 61.204</div><div class="n">${supplier.street}<br>${supplier.town}<br>N.I.F. ${supplier.tax_id}</div></div><hr>
    <div class="f"><p>Factura núm. <b>${truth.number}</b><br>Fecha: ${spanishDate(truth.issue_date)}<br>S/Ref.: impagados</p><p>${block(customer, 'C.I.F.')}</p></div>
    <p><b>I. Honorarios</b></p><table class="w">${rowsOf(truth.items, (one) => row(one.text, one.amount))}${row('Base imponible', truth.base)}${row('IVA 21 %', vat.amount)}${row('Total factura', truth.invoice_total, true)}${row('Retención IRPF 15 %', -withheld.amount)}${row('Líquido de honorarios', truth.total, true)}</table>
    <p><b>II. Suplidos</b> (pagos en nombre y por cuenta del cliente, art. 78.Tres.3.º LIVA)</p><table class="w">${outlays.map(([label, amount]) => row(label, amount)).join('')}${row('Total suplidos', payable - truth.total)}</table><hr>
    <table class="w">${row('A transferir (I + II)', payable, true)}</table><p>IBAN ${grouped(truth.iban)}</p>
    <p class="s">Secreto profesional: este documento contiene información confidencial. ${privacy('el despacho')}</p>`,
  )
}

/** A corrective invoice by differences: all amounts are negative. */
export function workwearPage(truth: Whole): string {
  const { supplier, customer, vat } = truth
  return page(
    `body{font:9pt "Liberation Sans"} .h{border-bottom:3pt solid #d35400;padding-bottom:3mm} .r th{background:#d35400;color:#fff;padding:1.5mm} .r td{padding:1.5mm;border-bottom:.5pt solid #ddd} .k td{padding:1.2mm 3mm;border:.5pt solid #d35400}`,
    `<div class="f h"><div><b style="font-size:18pt;color:#d35400">ropatex</b><br>Vestuario laboral y EPI</div><div class="n"><b>${supplier.name}</b><br>${supplier.street} · ${supplier.town}<br>CIF ${supplier.tax_id} · pedidos@ropatex.example</div></div>
    <h2>FACTURA RECTIFICATIVA</h2><div class="f"><table class="k"><tr><td>Serie y número<td>${truth.number}<tr><td>Fecha de expedición<td>${dayFirst(truth.issue_date)}<tr><td>Rectifica a la factura<td>${truth.corrects}<tr><td>Fecha factura rectificada<td>18/02/2026<tr><td>Motivo<td>Devolución de género y rappel (art. 80 LIVA)</table><div>Cliente 20418<br>${block(customer, 'CIF')}</div></div><br>
    <table class="r w"><tr><th>Concepto<th class="n">Cantidad<th class="n">Precio<th class="n">Importe</tr>${rowsOf(truth.items, (one) => `<tr><td>${one.text}<td class="n">${one.quantity}<td class="n">${euros(one.price)}<td class="n">${euros(one.amount)}`)}</table><br>
    <table class="k" style="margin-left:auto"><tr><td>Base imponible rectificada<td class="n">${euros(truth.base)} €<tr><td>Cuota IVA ${vat.rate}% rectificada<td class="n">${euros(vat.amount)} €<tr><td><b>TOTAL A ABONAR</b><td class="n"><b>${euros(truth.total)} €</b></table>
    <p>El importe se compensará en su próxima factura.</p><p class="s" style="margin-top:70mm">Reg. Merc. Madrid, tomo 21.877, folio 9, sección 8, hoja M-389.641, inscripción 2.ª. ${privacy(supplier.name)}</p>`,
  )
}

/** A supplier of electricity: two columns, periods, many charges, then where the money goes. */
export function powerPage(truth: Whole): string {
  const { supplier, customer, items, vat } = truth
  const line = (one: Priced, unit: string) =>
    `<tr><td>${one.text}<td class="k">${quantity(one.quantity)} ${unit} × ${euros(one.price, 6)} €<td class="n">${euros(one.amount)} €`
  const whole = (one: Priced | undefined, detail = '') =>
    one ? `<tr><td>${one.text}<td class="k">${detail}<td class="n">${euros(one.amount)} €` : ''
  return page(
    `body{font:8pt "Liberation Sans"} .l{width:58mm;background:#eaf3e4;padding:4mm;box-sizing:border-box} .m{flex:1} h3{margin:3mm 0 1mm;color:#2c7a1f;font-size:10pt} .k{color:#555} td{padding:.7mm 1mm} .big{font-size:18pt;color:#2c7a1f}`,
    `<div class="f"><b style="font-size:22pt;color:#2c7a1f">vatia</b><span>Energía 100 % renovable, garantizada por la CNMC</span></div><br>
    <div class="f"><div class="l"><h3>DATOS DE LA FACTURA</h3>N.º factura:<br><b>${truth.number}</b><br>Fecha emisión: ${spanishDate(truth.issue_date)}<br>Periodo: 31/03/2026 - 30/04/2026 (31 días)<br>Fecha límite de pago: ${spanishDate(truth.due_date)}<h3>IMPORTE</h3><span class="big">${euros(truth.total)} €</span>
    <h3>TITULAR</h3>${customer.name}<br>NIF: ${customer.tax_id}<br>${customer.street}<br>${customer.town}<h3>CONTRATO</h3>CUPS: ES0022000008437716LT1P<br>Peaje: 3.0TD<br>Potencia: P1-P6 28 kW<br>Distribuidora: Redes del Manzanares<br>Contador: 0416718829<br>Fin de contrato: 30/11/2026<h3>CONSUMO</h3>P1 412 kWh · P2 688 kWh · P3 934 kWh<br>Total 2.034 kWh<br>Último año: 21.877 kWh</div>
    <div class="m"><h3>DETALLE</h3><table class="w">${rowsOf(items.slice(0, 3), (one) => line(one, 'kW·día'))}${rowsOf(items.slice(3, 6), (one) => line(one, 'kWh'))}${rowsOf(items.slice(6, 7), (one) => line(one, 'kW'))}${rowsOf(items.slice(7, 8), (one) => line(one, 'kVArh'))}${rowsOf(items.slice(8, 9), (one) => line(one, 'días'))}${whole(items[9], `5,11269632 % s/ ${euros(sumOf(items.slice(0, 9)))} €`)}${rowsOf(items.slice(10, 11), (one) => line(one, 'días'))}${whole(items[11], '1 mes')}
    <tr style="border-top:1pt solid #2c7a1f"><td>Importe total<td><td class="n">${euros(truth.base)} €<tr><td>IVA<td class="k">${vat.rate} % s/ ${euros(vat.base)} €<td class="n">${euros(vat.amount)} €<tr style="font-weight:bold;font-size:10pt"><td>TOTAL IMPORTE FACTURA<td><td class="n">${euros(truth.total)} €</table>
    <h3>DESTINO DEL IMPORTE</h3>Costes regulados 31,6 % · Impuestos 21,2 % · Energía 47,2 %<h3>ORIGEN DE LA ELECTRICIDAD</h3>Eólica 61 % · Solar 27 % · Hidráulica 12 % · Emisiones 0 g CO2/kWh<h3>AVISO</h3>Se cargará en la cuenta ES48 2095 **** **** **** 7731 en la fecha límite de pago. Averías: 900 000 222. Reclamaciones: apartado 40.118, 28037 Madrid.</div></div>
    <p class="s">${supplier.name} ${supplier.street}, ${supplier.town}. NIF ${supplier.tax_id}. R.M. Madrid, tomo 36.044, folio 112, hoja M-647.550. ${privacy(supplier.name)}</p>`,
  )
}

/** Galician, exempt as insurance is; the parties in a table, labels with a colon. */
export function brokerPage(truth: Whole): string {
  const { supplier, customer } = truth
  return page(
    `body{font:10pt "DejaVu Sans Light"} .p td{vertical-align:top;padding:3mm;border:.7pt solid #1b4f8a;width:50%} .r td,.r th{padding:1.5mm 2mm;border-bottom:.7pt solid #1b4f8a}`,
    `<div class="f"><b style="font-size:16pt;color:#1b4f8a">Ribeira Alta Seguros</b><i>Preto de ti, dende 1988</i></div><p style="font-size:14pt">Factura: ${truth.number}</p><p>Data da factura: 2 de setembro de 2026<br>Data de vencemento: 2 de outubro de 2026</p>
    <table class="w p"><tr><td>Emisor<br>${block(supplier, 'NIF:')}<br>Clave DXSFP J-0877-GAL<td>Destinatario<br>${block(customer, 'NIF:')}</table><br>
    <table class="w r"><tr><th>Servizo<th class="n">Unidades<th class="n">Prezo<th class="n">Importe</tr>${rowsOf(truth.items, (one) => `<tr><td>${one.text}<td class="n">${one.quantity}<td class="n">${euros(one.price)} €<td class="n">${euros(one.amount)} €`)}<tr><td colspan="3">Base exenta de IVE (art. 20.Un.16.º da Lei 37/1992)<td class="n">${euros(truth.exempt_base)} €<tr><td colspan="3">IVE<td class="n">0,00 €<tr><td colspan="3"><b>Total a pagar</b><td class="n"><b>${euros(truth.total)} €</b></table>
    <p>Conta bancaria: ${grouped(truth.iban)}</p><p class="s">Rexistro Mercantil de Lugo, tomo 318, folio 14, folla LU-6.120. Seguro de responsabilidade civil e capacidade financeira segundo o Real decreto-lei 3/2020. Os seus datos trátanse conforme ao Regulamento (UE) 2016/679; pode exercer os seus dereitos no enderezo indicado.</p>`,
    'gl',
  )
}

/** Italian: a grid of small labels above their values, as its programs print. */
export function coffeePage(truth: Whole): string {
  const { supplier, customer } = truth
  const box = (label: string, value: string) => `<td><small>${label}</small><br>${value}`
  return page(
    `body{font:9pt "Liberation Sans"} .x{width:100%;margin-top:4mm} .x td,.x th{border:.7pt solid #333;padding:1mm 2mm;vertical-align:top} small{font-size:6.5pt} .x th{font-size:7.5pt;background:#f3efe6}`,
    `<div class="f"><div><b style="font-size:15pt">Officine Caffè Peloritani</b><br><i>Macchine per espresso dal 1962</i><br>${supplier.name}<br>${supplier.street} - ${supplier.town}<br>P.IVA e C.F. ${supplier.tax_id}<br>REA ME-231874 - Cap. soc. € 50.000,00 i.v.</div><div style="width:75mm;border:.7pt solid;padding:3mm"><small>Spett.le</small><br>${customer.name}<br>${customer.street}<br>${customer.town} - SPAGNA<br>P.IVA ES${customer.tax_id}</div></div>
    <table class="x"><tr>${box('Tipo documento', 'FATTURA')}${box('Numero', truth.number)}${box('Data', dayFirst(truth.issue_date))}${box('Cod. cliente', '0811')}${box('Pagina', '1 / 1')}<tr><td colspan="2"><small>Pagamento</small><br>Bonifico 45 gg fine mese<td colspan="3"><small>Coordinate bancarie</small><br>${truth.iban}</table>
    <table class="x"><tr><th>Codice<th>Descrizione<th>UM<th class="n">Q.tà<th class="n">Prezzo unit.<th class="n">Importo<th>IVA</tr>${rowsOf(truth.items, (one, at) => `<tr><td>MC${410 + at * 7}<td>${one.text}<td>NR<td class="n">${one.quantity},00<td class="n">${euros(one.price)}<td class="n">${euros(one.amount)}<td>N3.2`)}</table>
    <table class="x"><tr>${box('Totale merce', euros(sumOf(truth.items.slice(0, 3))))}${box('Spese di spedizione', euros(sumOf(truth.items.slice(3))))}${box('Imponibile', euros(truth.base))}${box('IVA', '0,00')}${box('Totale documento EUR', `<b>${euros(truth.total)}</b>`)}<tr><td colspan="3"><small>Codice IVA</small><br>N3.2 Non imponibile art. 41 D.L. 331/93 - inversione contabile<td colspan="2"><small>Scadenza</small><br>${dayFirst(truth.due_date)} € ${euros(truth.total)}</table>
    <p class="s">Informativa privacy ai sensi del Regolamento UE 2016/679. Contributo CONAI assolto ove dovuto. Foro competente: Messina. Origine della merce: Italia.</p>`,
    'it',
  )
}

/** A web shop: prices with tax, shipping as a line, the tax only below. */
export function shopPage(truth: Whole): string {
  const { supplier, customer, vat } = truth
  const gross = (amount: number) => `${euros(amount * 1.21)}€`
  return page(
    `body{font:9.5pt "DejaVu Sans"} .r th{background:#f0f0f0;padding:2mm} .r td{padding:2mm;border-bottom:.5pt solid #ddd} .c{color:#777;font-size:8pt}`,
    `<div class="f"><b style="font-size:20pt">tu<span style="color:#e4002b">taller</span>.example</b><div class="n"><b style="font-size:14pt">Factura</b><br>#${truth.number}<br>${truth.issue_date}</div></div>
    <p class="c">${supplier.name} · ${supplier.tax_id} · ${supplier.street} · ${supplier.town} · España</p>
    <div class="f"><div><b>Dirección de facturación</b><br>${customer.name}<br>${customer.tax_id}<br>${customer.street}<br>${customer.town}<br>España</div><div><b>Dirección de entrega</b><br>Andrés Quintana<br>${customer.street}, taller<br>${customer.town}<br>España</div></div>
    <p>Referencia de pedido: XKPQWTRZA · Fecha de pedido: 2026-03-21 · Método de pago: Bizum · Transportista: 24 h</p>
    <table class="r w"><tr><th>Producto<th class="n">Precio unitario<br>(impuestos inc.)<th class="n">Cantidad<th class="n">Total<br>(impuestos inc.)</tr>${rowsOf(truth.items, (one, at) => `<tr><td>${one.text}${at < 2 ? `<br><span class="c">Ref. TT-${4410 + at * 29}</span>` : ''}<td class="n">${gross(one.price)}<td class="n">${one.quantity}<td class="n">${gross(one.amount)}`)}</table>
    <table class="r" style="margin:6mm 0 0 auto;width:85mm"><tr><td>Productos<td class="n">${gross(sumOf(truth.items.slice(0, 2)))}<tr><td>Gastos de envío<td class="n">${gross(sumOf(truth.items.slice(2)))}<tr><td><b>Total (impuestos inc.)</b><td class="n"><b>${euros(truth.total)}€</b><tr><td>Total (sin impuestos)<td class="n">${euros(truth.base)}€<tr><td>IVA incluido ${vat.rate}%<td class="n">${euros(vat.amount)}€</table>
    <p class="c">Dispone de 30 días para devolver el producto. Garantía legal de 3 años. Registro Mercantil de Valencia, tomo 10.744, folio 181, hoja V-189.022. ${privacy(supplier.name)}</p>`,
  )
}

/** Movements of a customer's account with invoices, payments and a balance. */
export const accountPage = ({ supplier, customer, number, total, base, vat, iban }: Whole): string =>
  page(
    `body{font:9.5pt "Liberation Serif"} .r td,.r th{border-bottom:.5pt solid #888;padding:1.5mm}`,
    `<div class="f"><div>${block(supplier)}</div><div>${block(customer)}</div></div><h2>EXTRACTO DE CUENTA DE CLIENTE</h2><p>Cuenta 430.00811 · Fecha: 31/12/2026 · Periodo: 01/10/2026 a 31/12/2026</p>
    <table class="r w"><tr><th>Fecha<th>Documento<th>Vencimiento<th class="n">Debe<th class="n">Haber<th class="n">Saldo</tr><tr><td>01/10/2026<td>Saldo anterior<td><td><td><td class="n">418,66<tr><td>06/10/2026<td>Cobro transferencia<td><td><td class="n">418,66<td class="n">0,00<tr><td>10/11/2026<td>Factura ${number}<td>10/12/2026<td class="n">${euros(total)}<td><td class="n">${euros(total)}<tr><td>01/12/2026<td>Factura B-2026/304<td>31/12/2026<td class="n">211,75<td><td class="n">${euros(total + 211.75)}
    <tr><td colspan="5"><b>TOTAL SALDO PENDIENTE</b><td class="n"><b>${euros(total + 211.75)} €</b></table><p>Del total, base imponible ${euros(base + 175)} € e IVA 21 % ${euros(vat.amount + 36.75)} €. Rogamos su conformidad a efectos de auditoría.</p><p>IBAN ${grouped(iban)}</p>`,
  )

/** A firm reminder that looks like the invoice it is about. */
export const duePage = (truth: Whole): string =>
  page(
    `body{font:10pt "Liberation Sans"} .r td{padding:1.5mm 3mm;border:.5pt solid #900}`,
    `<div class="f"><div>${block(truth.supplier)}</div><div>${block(truth.customer)}</div></div><h1 style="color:#900">AVISO DE IMPAGO</h1><p>Fecha: 15 de julio de 2026 · Referencia: ALQ26/00964-A2</p><p>Le comunicamos que la factura que se detalla se encuentra vencida y no consta su pago:</p>
    <table class="r"><tr><td>Factura nº<td>${truth.number}<tr><td>Fecha factura<td>${dayFirst(truth.issue_date)}<tr><td>Vencimiento<td>${dayFirst(truth.due_date)}<tr><td>Base imponible<td class="n">${euros(truth.base)} €<tr><td>IVA 21 %<td class="n">${euros(truth.vat.amount)} €<tr><td><b>Importe total pendiente</b><td class="n"><b>${euros(truth.total)} €</b></table>
    <p>Transcurridos diez días sin haber recibido el abono en la cuenta ${grouped(truth.iban)}, se devengarán los intereses de demora de la Ley 3/2004 y una indemnización de 40 €.</p>`,
  )
