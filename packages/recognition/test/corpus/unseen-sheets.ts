/** Independent invoices of programs that place each text, with a separate layout for each supplier. */
import { addressOf, dayFirst, euros, grouped, quantity, spanishDate } from './print.ts'
import { a4, onePage, Paper, type Sheet } from './sheet.ts'
import type { Whole } from './truth.ts'

/** An airline's receipt sent by mail: company data at the foot, flights above the amounts. */
export const airlineSheet = onePage((paper, truth) => {
  const { vat } = truth
  paper.print(40, 60, 'AERO MESETA', 22, true)
  paper.printRight(555, 52, 'Factura', 16)
  paper.printRight(555, 70, `Localizador: K7QM2X`, 9)
  paper.rule(40, 84, 515)
  paper.stack(40, 110, 9.5, ['Datos de facturación', ...addressOf(truth.customer, 'CIF/NIF:')])
  paper.stack(340, 110, 9.5, [
    `Nº de factura: ${truth.number}`,
    `Fecha de emisión: ${dayFirst(truth.issue_date)}`,
    'Pasajeros: QUINTANA/ANDRES MR',
    'BERMEJO/NURIA MS',
    'Pago: tarjeta ****8820',
  ])
  const flight = [40, 130, 210, 300, 400]
  paper.row(200, flight, ['Vuelo', 'Fecha', 'Origen', 'Destino', 'Salida'], 9, 5, true)
  paper.row(216, flight, ['AM 2417', '12 May 2026', 'Madrid (MAD)', 'Bilbao (BIO)', '07:35'], 9, 5)
  const places = [40, 330, 400, 470, 555]
  paper.row(260, places, ['Detalle', 'Cantidad', 'Precio', 'IVA', 'Importe'], 9, 1, true)
  paper.rule(40, 265, 515)
  const items = truth.items.map((one) => [
    one.text,
    String(one.quantity),
    euros(one.price),
    `${one.rate}%`,
    euros(one.amount),
  ])
  paper.rows(282, 16, places, items)
  paper.rule(40, 338, 515)
  paper.row(356, [300, 555], ['Total sin IVA', `${euros(truth.base)} EUR`])
  paper.row(372, [300, 555], [`IVA ${vat.rate}% transporte nacional de viajeros`, `${euros(vat.amount)} EUR`])
  paper.row(392, [300, 555], ['Total factura', `${euros(truth.total)} EUR`], 12, 1, true)
  paper.stack(40, 440, 8, [
    'Importe cobrado en el momento de la reserva. Este documento no es una tarjeta de embarque.',
  ])
  paper.print(40, 800, `${truth.supplier.name} · NIF ${truth.supplier.tax_id}`, 7)
  paper.stack(40, 811, 7, [
    `${truth.supplier.street}, ${truth.supplier.town} · Reg. Merc. de Valladolid, tomo 1.508, folio 44, hoja VA-20.117`,
  ])
})

/** A receipt of a car park machine. */
export function parkingSheet(truth: Whole): Sheet {
  const paper = new Paper()
  const { vat } = truth
  const end = paper.stack(14, 30, 8, [
    'PARKING PLAZA NUEVA',
    truth.supplier.name,
    `CIF: ${truth.supplier.tax_id}`,
    truth.supplier.street,
    truth.supplier.town,
    '',
    'FACTURA SIMPLIFICADA',
    `Num: ${truth.number}`,
    `Fecha: ${dayFirst(truth.issue_date)} 18:22`,
    'Cajero: 03   Ticket: 771920346',
    'Entrada: 22/04/2026 14:35',
    'Salida:  22/04/2026 18:22',
    truth.items[0]?.text ?? '',
  ])
  paper.rule(14, end, 180)
  paper.row(end + 18, [14, 194], ['TOTAL', `${euros(truth.total)} €`], 13)
  paper.row(end + 34, [14, 194], ['Base imponible', euros(vat.base)], 8)
  paper.row(end + 46, [14, 194], [`I.V.A. ${vat.rate},00 %`, euros(vat.amount)], 8)
  paper.row(end + 60, [14, 194], ['Entregado (efectivo)', '20,00'], 8)
  paper.row(end + 72, [14, 194], ['Cambio', euros(20 - truth.total)], 8)
  paper.code(58, end + 86, 92)
  paper.print(40, end + 192, 'Conserve este ticket. Buen viaje', 8)
  return { width: 208, height: end + 210, pages: [paper] }
}

/** A preprinted form that was filled in: framed by rules, little text, years with two digits. */
export const farmerSheet = onePage((paper, truth) => {
  const { supplier, customer, withheld, vat } = truth
  paper.stack(50, 70, 11, [
    supplier.name,
    `N.I.F. ${supplier.tax_id}`,
    supplier.street,
    supplier.town,
    'Cítricos',
  ])
  paper.print(370, 70, 'FACTURA', 18, true)
  paper.print(370, 92, 'Número', 8)
  paper.print(440, 92, truth.number, 12)
  paper.print(370, 112, 'Fecha', 8)
  paper.print(440, 112, dayFirst(truth.issue_date, ' - ').replace('2026', '26'), 12)
  paper.rule(50, 150, 495)
  paper.print(50, 166, 'D.', 8)
  paper.print(90, 166, customer.name, 11)
  paper.print(50, 184, 'Domicilio', 8)
  paper.print(90, 184, `${customer.street}. ${customer.town}`, 11)
  paper.print(50, 202, 'N.I.F.', 8)
  paper.print(90, 202, customer.tax_id, 11)
  paper.rule(50, 212, 495)
  const places = [50, 120, 440, 545]
  paper.row(228, places, ['KILOS', 'CONCEPTO', 'PRECIO', 'IMPORTE'], 8, 2)
  paper.rule(50, 233, 495)
  const items = truth.items.map((one) => {
    const price = euros(one.price, Number(one.price.toFixed(2)) === one.price ? 2 : 3)
    return [euros(one.quantity, 0), one.text, price, euros(one.amount)]
  })
  paper.rows(254, 20, places, items, 11, 2)
  paper.rule(50, 560, 495)
  paper.row(580, [330, 545], ['SUMA', euros(truth.base)], 10)
  paper.row(600, [330, 545], ['4 % I.V.A.', euros(vat.amount)], 10)
  paper.row(620, [330, 545], ['2 % retención I.R.P.F.', euros(withheld.amount)], 10)
  paper.rule(330, 630, 215)
  paper.row(648, [330, 545], ['TOTAL', euros(truth.total)], 13, 1, true)
  paper.print(50, 700, `Caja: ${grouped(truth.iban)}`, 10)
})

/** Older accounting software: references, a tax table of five columns with surcharge, the total in a corner. */
export const surchargeSheet = onePage((paper, truth) => {
  paper.stack(36, 50, 9, addressOf(truth.supplier, 'N.I.F.:'))
  paper.stack(330, 110, 9, addressOf(truth.customer, 'N.I.F.:'))
  const facts = [36, 130, 210, 300, 420]
  paper.row(190, facts, ['FACTURA', 'FECHA', 'CLIENTE', 'AGENTE', 'VENCIMIENTO'], 7, 5)
  paper.row(203, facts, [truth.number, '11-06-26', '004312', '07 RAMOS', '11-07-26'], 9, 5)
  const places = [36, 90, 350, 410, 460, 555]
  paper.row(230, places, ['ARTÍCULO', 'DESCRIPCIÓN', 'UNID.', 'PRECIO', 'IVA', 'IMPORTE'], 7, 2)
  paper.rule(36, 234, 519)
  truth.items.forEach((one, at) => {
    const row = [`0${6120 + at * 47}`, one.text, String(one.quantity), euros(one.price), String(one.rate)]
    paper.row(250 + at * 14, places, [...row, euros(one.amount)], 9, 2)
  })
  paper.rule(36, 660, 519)
  const grid = [90, 130, 200, 250, 320, 420, 555]
  paper.row(672, grid, ['BASE', '% IVA', 'CUOTA', '% R.E.', 'CUOTA R.E.', 'BRUTO', 'TOTAL A PAGAR'], 7, 0)
  const taxes = truth.taxes.map((tax) =>
    [tax.base, tax.rate, tax.amount, tax.surcharge_rate ?? 0, tax.surcharge ?? 0].map((value) =>
      euros(value),
    ),
  )
  paper.rows(686, 13, grid, taxes, 9, 0)
  paper.printRight(420, 686, euros(truth.base), 9)
  paper.printRight(555, 690, `${euros(truth.total)} €`, 13, true)
  paper.print(36, 740, 'FORMA DE PAGO: RECIBO DOMICILIADO 30 DÍAS', 8)
  paper.print(36, 800, 'Recargo de equivalencia repercutido según el artículo 161 de la Ley 37/1992.', 6.5)
})

/** Many lines grouped under delivery notes, with a subtotal carried forward to the second page. */
export function hardwareSheet(truth: Whole): Sheet {
  const { vat } = truth
  const places = [40, 100, 370, 430, 550]
  const head = (number: number) => {
    const paper = new Paper()
    paper.stack(40, 45, 9, ['GAMONAL ferretería industrial', ...addressOf(truth.supplier, 'CIF:')])
    paper.stack(340, 45, 9, ['Cliente 430.00871', ...addressOf(truth.customer, 'CIF:')])
    const dates = [`Fecha: ${dayFirst(truth.issue_date)}`, `Vto.: ${dayFirst(truth.due_date)}`]
    const facts = [`Factura: ${truth.number}`, ...dates, `Hoja ${number} de 2`]
    paper.row(125, [40, 200, 330, 550], facts, 9, 3, true)
    paper.row(148, places, ['Código', 'Artículo', 'Cantidad', 'P. neto', 'Importe'], 8, 2, true)
    paper.rule(40, 152, 510)
    return paper
  }
  const pages = [head(1), head(2)] as const
  let carried = 0
  let y = 152
  truth.items.forEach((one, at) => {
    const paper = at < 40 ? pages[0] : pages[1]
    if (at === 40) {
      pages[0].printRight(430, y + 20, 'Suma y sigue', 9)
      pages[0].printRight(550, y + 20, euros(carried), 9)
      paper.row(166, [370, 550], ['Suma anterior', euros(carried)], 9)
      y = 170
    }
    if (at % 16 === 0) {
      y += 13.5
      paper.print(100, y, `Albarán AL26/0${1873 + at * 3} de ${['03', '11', '19', '27'][at / 16]}/03/2026`, 8)
    }
    y += 13.5
    carried += one.amount
    const row = [`${104 + at * 7}.${(at * 31) % 90}`, one.text, String(one.quantity), euros(one.price)]
    paper.row(y, places, [...row, euros(one.amount)], 8.5, 2)
  })
  const last = pages[1]
  const grid = [110, 200, 270, 360, 550]
  const labels = ['Importe bruto', 'Base imponible', '% IVA', 'Importe IVA', 'TOTAL FACTURA EUROS']
  last.row(700, grid, labels, 8, 0)
  last.row(716, grid, [euros(truth.base), euros(vat.base), euros(vat.rate), euros(vat.amount)], 10, 0)
  last.printRight(550, 718, euros(truth.total), 14, true)
  last.print(40, 750, `Transferencia 60 días. ${grouped(truth.iban)}`, 9)
  return a4(...pages)
}

/** A German letter after DIN 5008: address window, data column on the right, footer in three columns. */
export const germanSheet = onePage((paper, truth) => {
  const { supplier, customer } = truth
  const eur = (amount: number) => `${euros(amount)} EUR`
  paper.print(70, 60, 'Feinmechanik Albtal', 18, true)
  paper.print(70, 130, `${supplier.name} · ${supplier.street} · ${supplier.town}`, 6.5)
  paper.stack(70, 148, 10, [customer.name, customer.street, customer.town, 'Spanien'])
  const facts = [
    ['Rechnungs-Nr.', truth.number],
    ['Kunden-Nr.', '20418'],
    ['Datum', dayFirst(truth.issue_date, '.')],
    ['Lieferdatum', '30.01.2026'],
    ['Ihre USt-IdNr.', `ES${customer.tax_id}`],
  ]
  paper.rows(148, 14, [370, 530], facts)
  paper.print(70, 250, 'Rechnung', 14, true)
  paper.print(70, 275, 'Sehr geehrte Damen und Herren, wir berechnen Ihnen wie folgt:', 10)
  const places = [70, 100, 360, 430, 530]
  paper.row(305, places, ['Pos.', 'Artikel', 'Menge', 'Einzelpreis', 'Gesamt'], 9, 2, true)
  paper.rule(70, 310, 460)
  const items = truth.items.map((one, at) => {
    const amounts = [`${one.quantity} Stk.`, eur(one.price), eur(one.amount)]
    return [`${at + 1}`, one.text, ...amounts]
  })
  paper.rows(328, 18, places, items, 9, 2)
  paper.rule(70, 375, 460)
  paper.row(395, [300, 530], ['Summe netto', eur(truth.base)], 10)
  paper.row(411, [300, 530], ['zzgl. 0 % USt.', eur(0)], 10)
  paper.row(429, [300, 530], ['Rechnungsbetrag', eur(truth.total)], 11, 1, true)
  paper.stack(70, 465, 9.5, [
    'Steuerfreie innergemeinschaftliche Lieferung nach § 4 Nr. 1b UStG.',
    `Zahlbar ohne Abzug bis ${dayFirst(truth.due_date, '.')}.`,
  ])
  paper.stack(70, 780, 7, [supplier.name, supplier.street, supplier.town])
  paper.stack(230, 780, 7, ['Sparkasse Karlsruhe', `IBAN ${grouped(truth.iban)}`, 'BIC KARSDE66XXX'])
  paper.stack(410, 780, 7, [
    `USt-IdNr. ${supplier.tax_id}`,
    'Steuernr. 31190/40517',
    'Amtsgericht Mannheim HRB 361804',
  ])
})

/** Certified Portuguese software: number with document type, four-letter code, tax summary with exemption reason. */
export const portugueseSheet = onePage((paper, truth) => {
  const { supplier, customer } = truth
  paper.stack(45, 55, 9.5, [...addressOf(supplier, 'Contribuinte:')])
  paper.printRight(550, 55, 'Original', 9)
  paper.stack(330, 130, 9.5, ['Exmo.(s) Sr.(s)', customer.name, customer.street, customer.town, 'Espanha'])
  paper.print(45, 225, `Fatura ${truth.number}`, 15, true)
  paper.print(45, 242, 'ATCUD: JF7K3MX2-1187', 8)
  const facts = [45, 160, 260, 380]
  paper.row(268, facts, ['V/N.º Contrib.', 'Data', 'Vencimento', 'Condição de pagamento'], 8, 4)
  paper.row(281, facts, [`ES${customer.tax_id}`, truth.issue_date, truth.due_date, '30 dias'], 9.5, 4)
  const places = [45, 110, 360, 430, 470, 550]
  paper.row(312, places, ['Artigo', 'Descrição', 'Qtd.', 'Pr. unitário', 'IVA', 'Valor'], 8.5, 2, true)
  paper.rule(45, 317, 505)
  truth.items.forEach((one, at) => {
    const row = [`FM0${71 + at * 5}`, one.text, `${euros(one.quantity)} UN`, euros(one.price), '0,00']
    paper.row(334 + at * 16, places, [...row, euros(one.amount)], 9, 2)
  })
  paper.row(420, [45, 180, 230, 300], ['Motivo isenção', 'Taxa', 'Incidência', 'Valor'], 8)
  paper.row(434, [45, 180, 230, 300], ['M16', '0,00', euros(truth.base), '0,00'], 9)
  paper.print(45, 448, 'Isento artigo 14.º do RITI', 8)
  paper.row(420, [380, 550], ['Mercadoria/Serviços', euros(truth.base)])
  paper.row(435, [380, 550], ['IVA', '0,00'])
  paper.row(455, [380, 550], ['Total (EUR)', euros(truth.total)], 13, 1, true)
  paper.print(45, 520, `IBAN: ${grouped(truth.iban)}`, 9)
  paper.print(45, 800, 'k7Qz-Processado por programa certificado n.º 0418/AT', 7)
})

/** Monthly shipments: the amount payable in large type at the top, the calculation below. */
export const courierSheet = onePage((paper, truth) => {
  const { supplier, customer, vat } = truth
  paper.code(45, 36, 92)
  paper.stack(160, 52, 10, [
    'RUTA NORTE',
    supplier.name,
    `${supplier.street}, ${supplier.town}`,
    `NIF: ${supplier.tax_id}`,
  ])
  paper.print(45, 165, 'IMPORTE A PAGAR', 9)
  paper.print(45, 190, `${euros(truth.total)} €`, 22, true)
  paper.print(230, 165, 'VENCE EL', 9)
  paper.print(230, 190, dayFirst(truth.due_date).replace('2026', '26'), 16)
  paper.stack(370, 165, 9, addressOf(customer, 'NIF:'))
  const date = `Emitida: ${dayFirst(truth.issue_date).replace('2026', '26')}`
  paper.row(240, [45, 260, 430], [`Factura ${truth.number}`, date, 'Abonado: 11874'], 10, 3)
  paper.rule(45, 250, 505)
  const places = [45, 350, 440, 550]
  paper.row(270, places, ['Servicios de marzo', 'Envíos', 'Tarifa', 'Total'], 9, 1, true)
  const items = truth.items.map((one) => [
    one.text,
    quantity(one.quantity),
    `${euros(one.price)} €`,
    `${euros(one.amount)} €`,
  ])
  paper.rows(290, 17, places, items, 9.5)
  paper.rule(45, 370, 505)
  paper.row(390, [350, 550], ['Servicios sin IVA', `${euros(truth.base)} €`], 9.5)
  paper.row(406, [350, 550], [`IVA (${vat.rate} %)`, `${euros(vat.amount)} €`], 9.5)
  paper.row(424, [350, 550], ['Total', `${euros(truth.total)} €`], 11, 1, true)
  paper.print(45, 470, `Transferencia a ${grouped(truth.iban)} indicando el número de factura.`, 9)
})

/** A corrective invoice by differences, with its reason. */
export const creditSheet = onePage((paper, truth) => {
  const { supplier, customer, vat } = truth
  paper.print(50, 60, 'BEIRO', 24, true)
  paper.print(50, 76, 'suministros industriales', 9)
  paper.code(455, 36, 92)
  paper.print(50, 120, 'FACTURA RECTIFICATIVA', 14, true)
  paper.stack(50, 142, 9.5, [
    `Número: ${truth.number}`,
    `Fecha: ${dayFirst(truth.issue_date, '.')}`,
    `Rectifica a la factura ${truth.corrects} de 30.06.2026`,
    'Causa: devolución de mercancía (art. 80.Dos LIVA)',
  ])
  paper.stack(330, 170, 9.5, addressOf(customer, 'NIF'))
  const places = [50, 380, 460, 545]
  paper.row(250, places, ['Material', 'Uds.', 'Precio', 'Importe'], 9, 1, true)
  paper.rule(50, 255, 495)
  const items = truth.items.map((one) => [
    one.text,
    String(one.quantity),
    euros(one.price),
    euros(one.amount),
  ])
  paper.rows(272, 16, places, items)
  const grid = [160, 260, 380, 545]
  paper.row(350, grid, ['Base', 'IVA', 'Cuota', 'Total a su favor'], 8.5, 0)
  const sums = [euros(truth.base), `${vat.rate}%`, euros(vat.amount), `${euros(truth.total)} €`]
  paper.row(366, grid, sums, 11, 0, true)
  paper.print(50, 410, 'El importe se compensará en su próxima factura.', 9)
  paper.stack(50, 790, 7.5, [
    `${supplier.name} · ${supplier.street} · ${supplier.town} · NIF ${supplier.tax_id}`,
  ])
})

/** A fleet's fuel cards: each refuelling with its number plate, prices before tax, tax summary in English order. */
export const fuelSheet = onePage((paper, truth) => {
  const { supplier, customer } = truth
  const eur = (amount: number) => `EUR ${euros(amount)}`
  paper.print(40, 55, 'altamar FLOTA', 20, true)
  paper.stack(40, 75, 8, [
    `${supplier.name} - N.I.F. ${supplier.tax_id}`,
    `${supplier.street} - ${supplier.town}`,
  ])
  paper.row(120, [40, 160], ['Titular', customer.name], 9, 2)
  paper.row(133, [40, 160], ['Domicilio', `${customer.street}, ${customer.town}`], 9, 2)
  paper.row(146, [40, 160], ['N.I.F. titular', customer.tax_id], 9, 2)
  paper.row(159, [40, 160], ['Factura número', truth.number], 9, 2)
  paper.row(172, [40, 160], ['Fecha factura', dayFirst(truth.issue_date, '.')], 9, 2)
  paper.row(185, [40, 160], ['Cargo en cuenta', dayFirst(truth.due_date, '.')], 9, 2)
  const places = [40, 110, 200, 380, 440, 470, 555]
  paper.row(215, places, ['Día', 'Matrícula', 'Producto', 'Cantidad', 'Precio', 'IVA', 'Neto'], 8.5, 3, true)
  paper.rule(40, 220, 515)
  truth.items.forEach((one, at) => {
    const row = [`${['04', '11', '18', '29'][at]}.04.`, at === 1 ? '2290 JTW' : '7713 KZR', one.text]
    const price = euros(one.price, Number(one.price.toFixed(2)) === one.price ? 2 : 4)
    const amounts = [quantity(one.quantity), price, `${one.rate}%`, euros(one.amount)]
    paper.row(236 + at * 15, places, [...row, ...amounts], 8.5, 3)
  })
  const grid = [40, 300, 420, 555]
  paper.row(330, grid, ['Resumen', 'Neto', 'IVA', 'Bruto'], 9, 1, true)
  truth.taxes.forEach(({ rate, base, amount }, at) => {
    paper.row(346 + at * 15, grid, [`Al ${rate} %`, eur(base), eur(amount), eur(base + amount)])
  })
  paper.rule(40, 366, 515)
  const sums = [eur(truth.base), eur(truth.invoice_total - truth.base), eur(truth.total)]
  paper.row(382, grid, ['Total factura', ...sums], 10, 1, true)
  paper.print(40, 430, 'Domiciliado en su cuenta ES48 **** **** **** **** 7731', 8.5)
})

/** A gas supplier: dates with month names, totals on the left beside the text about the supply. */
export const gasSheet = onePage((paper, truth) => {
  const { supplier, customer, vat } = truth
  paper.stack(50, 55, 9, [supplier.name, `${supplier.street}, ${supplier.town}`, `CIF ${supplier.tax_id}`])
  paper.stack(330, 55, 9, [customer.name, `NIF ${customer.tax_id}`, customer.street, customer.town])
  const facts = [50, 220, 390]
  paper.row(125, facts, ['Factura de gas número', 'Emitida el', 'Se cargará el'], 7.5, 3)
  const dates = [spanishDate(truth.issue_date), spanishDate(truth.due_date)]
  paper.row(139, facts, [truth.number, ...dates], 11, 3, true)
  paper.rule(50, 150, 495)
  paper.stack(50, 170, 9, [
    'Consumo del 5 de diciembre de 2025 al 2 de febrero de 2026 (59 días), tarifa RL.3: 3.412 kWh',
  ])
  const places = [50, 390, 470, 545]
  const units = ['meses', 'kWh', 'kWh', 'días']
  truth.items.forEach((one, at) => {
    const amounts = [String(one.price).replace('.', ','), euros(one.amount)]
    paper.row(195 + at * 16, places, [one.text, `${euros(one.quantity, 0)} ${units[at]}`, ...amounts])
  })
  paper.rule(50, 256, 495)
  paper.row(280, [50, 250], ['Importe sujeto a IVA', euros(truth.base)], 10)
  paper.row(296, [50, 250], [`IVA ${vat.rate} % de ${euros(vat.base)}`, euros(vat.amount)], 10)
  paper.row(316, [50, 250], ['TOTAL', `${euros(truth.total)} €`], 13, 1, true)
  paper.stack(310, 280, 8.5, [
    'CUPS ES0217010184402913QW',
    'Contador 70118264. Lectura real',
    'Banco del Valle, ES48 2095 **** **** **** 7731',
  ])
})

/** Lines with prices including tax, abbreviated labels, and short dates. */
export const gymSheet = onePage((paper, truth) => {
  const { supplier, customer, vat } = truth
  const short = (date: string) => dayFirst(date, '.').replace('2026', '26')
  paper.print(60, 70, 'CORPORE VITAL', 20)
  paper.stack(60, 88, 8.5, [supplier.name, `${supplier.street} ${supplier.town} NIF ${supplier.tax_id}`])
  const facts = [
    `Factura n.º ............ ${truth.number}`,
    `Fecha .................. ${short(truth.issue_date)}`,
    `Fecha de cobro ......... ${short(truth.due_date)}`,
    `Socio .................. ${customer.name}`,
    `NIF .................... ${customer.tax_id}`,
    `Domicilio .............. ${customer.street}, ${customer.town}`,
  ]
  paper.stack(60, 140, 10, facts, 16)
  const places = [60, 350, 440, 530]
  paper.row(265, places, ['Concepto', 'Unidades', 'PVP', 'Total PVP'], 9)
  paper.rule(60, 270, 470)
  truth.items.forEach((one, at) => {
    const gross = [one.price, one.amount].map((amount) => euros(amount * 1.21))
    paper.row(288 + at * 16, places, [one.text, String(one.quantity), ...gross], 10)
  })
  paper.rule(60, 316, 470)
  paper.row(336, [300, 530], ['TOTAL (IVA incluido)', `${euros(truth.total)} €`], 12)
  paper.row(356, [300, 530], ['Base imponible', `${euros(truth.base)} €`], 9)
  paper.row(370, [300, 530], [`Cuota de IVA al ${vat.rate}%`, `${euros(vat.amount)} €`], 9)
})
