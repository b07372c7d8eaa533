/** The second held-out set, of programs that place each text: a warehouse, pest control and a market. */
import { addressOf, dayFirst, euros, grouped, quantity } from './print.ts'
import { a4, onePage, Paper, type Sheet } from './sheet.ts'
import type { Priced, Whole } from './truth.ts'

/** A warehouse for hire: a summary of services by month, totals in a row at the foot of the page. */
export const logisticsSheet = onePage((paper, truth) => {
  const { supplier, customer, vat } = truth
  paper.print(36, 48, 'PLH', 30, true)
  paper.print(104, 38, 'Plataforma Logística', 9)
  paper.print(104, 50, 'Su almacén, sin almacén', 8)
  paper.printRight(559, 40, `${supplier.name} - CIF ${supplier.tax_id}`, 8)
  paper.printRight(559, 51, `${supplier.street}, ${supplier.town}`, 8)
  paper.printRight(559, 62, 'Tel. 91 880 20 20 - administracion@plh.example', 8)
  paper.rule(36, 72, 523)
  paper.stack(36, 96, 10, ['FACTURA A:', customer.name, customer.street, customer.town])
  paper.print(36, 150, `CIF ${customer.tax_id}`, 10)
  paper.row(96, [400, 559], ['FACTURA NUM.', truth.number], 9.5, 1, true)
  paper.row(111, [400, 559], ['FECHA FACTURA', '31-MAR-2026'])
  paper.row(126, [400, 559], ['VENCIMIENTO', '30-MAY-2026'])
  paper.row(141, [400, 559], ['COD. DEPOSITANTE', '00318'])
  paper.row(156, [400, 559], ['PERIODO', '01-MAR a 31-MAR'])
  paper.stack(36, 190, 8, [
    'Saldo medio de palés en marzo: 36. Temperatura ambiente. Nave 4, pasillos 11 a 13.',
  ])
  paper.rule(36, 202, 523)
  paper.row(214, [36, 350, 450, 559], ['SERVICIO', 'UNIDADES', 'TARIFA EUR', 'TOTAL EUR'], 8.5, 1, true)
  paper.rule(36, 219, 523)
  const items = truth.items.map((one) => [
    one.text,
    euros(one.quantity, 0),
    euros(one.price, 3),
    euros(one.amount),
  ])
  paper.rows(236, 17, [36, 350, 450, 559], items)
  paper.rule(36, 690, 523)
  const grid = [140, 240, 340, 440, 559]
  paper.row(703, grid, ['SUMA', 'BASE IMPONIBLE', '% IVA', 'CUOTA IVA', 'TOTAL A PAGAR'], 8, 0, true)
  const values = [euros(truth.base), euros(truth.base), `${vat.rate},00`, euros(vat.amount)]
  paper.row(720, grid, [...values, euros(truth.total)], 10.5, 0)
  paper.rule(36, 728, 523)
  paper.print(36, 746, `Transferencia bancaria a 60 días: ${grouped(truth.iban)}`, 9)
  paper.stack(36, 772, 6.5, [
    'Mercancía asegurada hasta 300 EUR por palé. Toda reclamación debe hacerse en siete días (Ley 15/2009). Juzgados de Alcalá de Henares.',
    'Registro Mercantil de Madrid, tomo 19.205, folio 77, hoja M-336.610. Sus datos se tratan según el RGPD; derechos: dpd@plh.example.',
  ])
})

/** Catalan, from a program in the browser: two columns of facts, a code below, the total left. */
export const pestsSheet = onePage((paper, truth) => {
  const { supplier, customer, vat } = truth
  paper.print(50, 60, 'Control de Plagues Garrotxa', 17, true)
  paper.print(50, 76, 'Sense rates, sense ratllades', 9)
  paper.stack(50, 106, 9, [
    supplier.name,
    `NIF ${supplier.tax_id}`,
    supplier.street,
    supplier.town,
    'ROESB 0714-CAT',
  ])
  paper.stack(330, 106, 9, [
    'Client',
    customer.name,
    `NIF ${customer.tax_id}`,
    customer.street,
    customer.town,
  ])
  paper.print(50, 190, `Factura ${truth.number}`, 13, true)
  paper.print(50, 206, 'Data: 7 d’agost de 2026', 9.5)
  paper.print(330, 206, 'Venciment: 6 de setembre de 2026', 9.5)
  paper.rule(50, 218, 495)
  paper.row(232, [50, 380, 460, 545], ['Descripció', 'Quantitat', 'Preu', 'Import'], 9, 1, true)
  paper.rule(50, 238, 495)
  truth.items.forEach((one, at) => {
    const y = 256 + at * 18
    const amounts = [`${euros(one.price)} €`, `${euros(one.amount)} €`]
    paper.row(y, [50, 380, 460, 545], [one.text, quantity(one.quantity), ...amounts])
    paper.rule(50, y + 6, 495)
  })
  paper.row(360, [50, 240], ['Base imposable', `${euros(truth.base)} €`], 10)
  paper.row(376, [50, 240], [`IVA (${vat.rate}%)`, `${euros(vat.amount)} €`], 10)
  paper.row(396, [50, 240], ['TOTAL FACTURA', `${euros(truth.total)} €`], 12, 1, true)
  paper.stack(50, 430, 9, ['Pagament per transferència bancària al compte', grouped(truth.iban)])
  paper.code(440, 350, 95)
  paper.print(440, 456, 'QR tributari', 7)
  paper.stack(50, 790, 6.5, [
    'Inscrita al Registre Mercantil de Girona, tom 2.801, foli 55, full GI-48.117.',
    'Les vostres dades es tracten d’acord amb el Reglament (UE) 2016/679. Podeu exercir els vostres drets a l’adreça indicada.',
  ])
})

/** A stall of the wholesale market: packages, gross and net kilos, many columns, two rates in a table. */
export const fruitSheet = onePage((paper, truth) => {
  const { supplier, customer } = truth
  paper.print(30, 45, 'FRUTAS HERMANOS BALAGUER', 15, true)
  paper.print(30, 58, 'MAYORISTAS DE FRUTAS Y HORTALIZAS - DESDE 1954', 7.5)
  paper.stack(30, 74, 8, [...addressOf(supplier, 'C.I.F.:'), 'R.G.S.E.A.A. 21.14402/M'])
  paper.stack(330, 74, 9, ['CLIENTE 7.118', ...addressOf(customer, 'C.I.F.:')])
  paper.rule(30, 140, 535)
  const facts = [30, 150, 260, 370, 470]
  paper.row(153, facts, ['FACTURA', 'FECHA', 'VTO.', 'REPARTO', 'HOJA'], 7.5, 5)
  paper.row(167, facts, [truth.number, '12/02/26', '27/02/26', 'RUTA 6', '1 de 1'], 10, 5, true)
  paper.rule(30, 174, 535)
  const places = [300, 350, 410, 460, 500, 565]
  const head = ['BULTOS', 'ARTICULO', 'BRUTO', 'TARA', 'NETO', 'PRECIO', 'IVA', 'IMPORTE']
  paper.row(190, [30, 80, ...places], head, 7.5, 2)
  paper.rule(30, 195, 535)
  const packages = [11, 6, 4, 8, 6, 2]
  truth.items.forEach((one, at) => {
    const tare = one.rate === 4 ? (packages[at] ?? 0) * 0.7 : 0
    const y = 210 + at * 13
    paper.printRight(60, y, String(packages[at]), 8.5)
    paper.print(80, y, one.text, 8.5)
    const weights = tare ? [euros(one.quantity + tare, 1), euros(tare, 1)] : ['', '']
    const values = [quantity(one.quantity), euros(one.price, 3), String(one.rate), euros(one.amount)]
    paper.row(y, places, [...weights, ...values], 8.5, 0)
  })
  paper.print(80, 300, 'ENVASES RETORNABLES: 29 CAJAS IFCO, SIN CARGO', 8)
  paper.rule(30, 640, 535)
  const grid = [110, 170, 240, 310, 380]
  paper.row(653, grid, ['BASE IMP.', '% IVA', 'IMPORTE IVA', '% R.E.', 'IMPORTE R.E.'], 7.5, 0)
  const taxes = truth.taxes.map(({ rate, base, amount }) => [euros(base), `${rate},00`, euros(amount)])
  paper.rows(668, 14, grid, taxes.reverse(), 9, 0)
  paper.rule(30, 690, 535)
  const sums = ['SUMA BASES', euros(truth.base), 'SUMA IVA', euros(truth.total - truth.base)]
  paper.row(710, [30, 170, 330, 400], sums)
  paper.row(710, [470, 565], ['TOTAL', euros(truth.total)], 13, 1, true)
  paper.stack(30, 735, 7.5, [
    'GIRO DOMICILIADO 15 DIAS. NO SE ADMITEN RECLAMACIONES PASADAS 24 HORAS DE LA ENTREGA.',
  ])
  paper.stack(30, 800, 6.5, [
    'Reg. Mercantil de Madrid, tomo 4.018, gral. 3.220, sección 3.ª, folio 12, hoja 29.771. Datos tratados conforme al RGPD (UE) 2016/679.',
  ])
})
/** A till with a full invoice on its roll: the customer below the charges, whose prices include the tax. */
export function restaurantSheet(truth: Whole): Sheet {
  const paper = new Paper()
  const { supplier, customer, vat } = truth
  const gross = (amount: number) => euros((amount * (100 + vat.rate)) / 100)
  paper.print(40, 28, 'MESON LA ENCRUCIJADA', 12)
  paper.print(52, 40, 'Asador - Cocina de mercado', 8)
  let y = paper.stack(12, 60, 8, [
    supplier.name,
    `NIF ${supplier.tax_id}`,
    supplier.street,
    supplier.town,
    'Tlf. 91 464 00 55',
    '',
    `FACTURA: ${truth.number}`,
    `Fecha: ${dayFirst(truth.issue_date)}  Hora: 16:07`,
    'Mesa: 14  Comensales: 6  Camarero: LUIS',
  ])
  paper.rule(12, y - 4, 202)
  paper.row(y + 8, [12, 30, 170, 214], ['Ud', 'Artículo', 'Precio', 'Importe'], 7.5, 2)
  truth.items.forEach((one, at) => {
    paper.printRight(22, y + 22 + at * 12, String(one.quantity), 8)
    paper.row(y + 22 + at * 12, [30, 170, 214], [one.text, gross(one.price), gross(one.amount)], 8)
  })
  y += 22 + truth.items.length * 12
  paper.rule(12, y - 4, 202)
  paper.row(y + 8, [12, 214], ['Base imponible', euros(vat.base)], 8)
  paper.row(y + 20, [12, 214], [`IVA ${vat.rate}%`, euros(vat.amount)], 8)
  paper.row(y + 38, [12, 214], ['TOTAL EUROS', euros(truth.total)], 13)
  paper.row(y + 54, [12, 214], ['TARJETA', euros(truth.total)], 8)
  paper.rule(12, y + 60, 202)
  y = paper.stack(12, y + 74, 8, [
    'DATOS DEL CLIENTE',
    customer.name,
    `NIF ${customer.tax_id}`,
    customer.street,
    customer.town,
  ])
  paper.code(64, y + 4, 96)
  paper.print(66, y + 112, 'VERI*FACTU', 8)
  paper.print(30, y + 128, 'Gracias por su visita. ¡Hasta pronto!', 8)
  return { width: 226, height: y + 146, pages: [paper] }
}

/** Basque: the labels in two languages, the year first. */
export const liftSheet = onePage((paper, truth) => {
  const { supplier, customer, vat } = truth
  const date = (iso = '') => iso.replaceAll('-', '/')
  paper.print(45, 62, 'UROLA', 26, true)
  paper.print(140, 62, 'igogailuak · ascensores', 13)
  paper.rule(45, 72, 505)
  paper.stack(45, 92, 9, [...addressOf(supplier, 'IFZ / NIF:'), '943 81 00 77'])
  paper.stack(320, 92, 9, ['Bezeroa / Cliente', ...addressOf(customer, 'IFZ / NIF:')])
  const facts = [45, 210, 340]
  paper.row(184, facts, ['Faktura zk. / N.º factura', 'Data / Fecha', 'Muga-eguna / Vencimiento'], 8, 3)
  paper.row(199, facts, [truth.number, date(truth.issue_date), date(truth.due_date)], 11, 3, true)
  paper.rule(45, 212, 505)
  paper.row(228, [45, 370, 450, 550], ['Kontzeptua / Concepto', 'Kop.', 'Prezioa', 'Guztira'], 8.5, 1, true)
  const items = truth.items.map((one) => [
    one.text,
    quantity(one.quantity),
    euros(one.price),
    euros(one.amount),
  ])
  paper.rows(250, 19, [45, 370, 450, 550], items)
  paper.rule(45, 318, 505)
  paper.row(338, [300, 550], ['Zerga-oinarria / Base imponible', euros(truth.base)])
  paper.row(354, [300, 550], [`BEZ / IVA % ${vat.rate}`, euros(vat.amount)])
  paper.row(376, [300, 550], ['GUZTIRA / TOTAL €', euros(truth.total)], 12, 1, true)
  paper.print(45, 420, `Ordainketa: banku-transferentzia. Kontua / Cuenta: ${truth.iban}`, 9)
  paper.print(45, 436, 'Instalazioa: RAE 20/11.874. Hurrengo ikuskapena: 2027/02.', 9)
  paper.stack(45, 780, 7, [
    'Gipuzkoako Merkataritza Erregistroa, 1.922 liburukia, 140 folioa, SS-15.530 orria. TicketBAI fakturazio-sistema.',
    'Zure datuak 2016/679 (EB) Erregelamenduaren arabera tratatzen dira. Eskubideak baliatzeko: datuak@urola.example.',
  ])
})

const SPARES_A_PAGE = 30

/** A wholesaler of three pages: each ends with a sum that the next one begins with. */
export function sparesSheet(truth: Whole): Sheet {
  const { supplier, customer, items, vat } = truth
  const count = Math.ceil(items.length / SPARES_A_PAGE)
  const sum = (some: readonly Priced[]) => some.reduce((all, one) => all + one.amount, 0)
  const pages = Array.from({ length: count }, (_, index) => {
    const paper = new Paper()
    const from = index * SPARES_A_PAGE
    const isLast = index === count - 1
    paper.print(40, 50, 'AUTOPIEZA', 20, true)
    paper.print(40, 64, 'Recambios multimarca · Reparto cada 2 horas', 8)
    paper.stack(330, 42, 9, [...addressOf(customer, 'NIF:')])
    paper.stack(40, 82, 8, [
      supplier.name,
      `${supplier.street} - ${supplier.town}`,
      `NIF: ${supplier.tax_id} - Tel. 91 797 30 30`,
    ])
    paper.rule(40, 120, 515)
    const facts = [`FACTURA N.º: ${truth.number}`, `FECHA: ${dayFirst(truth.issue_date)}`, 'CLIENTE: 011740']
    paper.row(134, [40, 230, 370, 555], [...facts, `Página ${index + 1} de ${count}`], 9, 3)
    paper.rule(40, 141, 515)
    const places = [40, 120, 390, 470, 555]
    paper.row(156, places, ['REFERENCIA', 'DESCRIPCIÓN', 'CANT.', 'PRECIO', 'IMPORTE'], 8, 2, true)
    let y = 172
    if (index > 0) {
      paper.row(y, [120, 555], ['SUMA ANTERIOR', euros(sum(items.slice(0, from)))], 8.5, 1, true)
      y += 17
    }
    const rows = items.slice(from, from + SPARES_A_PAGE).map((one) => {
      const reference = 40_211 + items.findIndex(({ text }) => text === one.text) * 137
      return [`${reference}`, one.text, String(one.quantity), euros(one.price), euros(one.amount)]
    })
    paper.rows(y, 17, places, rows, 8.5, 2)
    paper.rule(40, 716, 515)
    if (isLast) {
      const grid = [130, 210, 290, 390, 555]
      paper.row(730, grid, ['IMPORTE BRUTO', 'BASE IMP.', 'TIPO IVA', 'CUOTA IVA', 'TOTAL FACTURA'], 8, 0)
      const values = [euros(truth.base), euros(vat.base), `${vat.rate} %`, euros(vat.amount)]
      paper.row(746, grid, [...values, `${euros(truth.total)} €`], 10, 0, true)
      paper.stack(40, 768, 8.5, [
        `Vencimiento: ${dayFirst(truth.due_date)}   Ingreso en: ${grouped(truth.iban)}`,
      ])
    } else {
      const carried = euros(sum(items.slice(0, from + SPARES_A_PAGE)))
      paper.row(732, [390, 555], ['SUMA Y SIGUE', carried], 9, 1, true)
    }
    paper.stack(40, 800, 6.5, [
      'Reg. Merc. de Madrid, tomo 7.714, folio 180, hoja M-124.785. Devoluciones en 15 días con embalaje original; material eléctrico no retornable.',
    ])
    paper.stack(40, 809, 6.5, [
      'Protección de datos: el responsable es Recambios Autopieza Centro, S.A. Derechos: rgpd@autopieza.example.',
    ])
    return paper
  })
  return a4(...pages)
}
