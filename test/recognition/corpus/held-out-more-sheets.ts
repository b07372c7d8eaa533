/** The second held-out set, of programs that place each text: a till, a company of lifts and a wholesaler. */
import { type Cell, row, sheet, stack } from './held-out-sheets.ts'
import { dayFirst, euros, grouped, quantity } from './print.ts'
import { Paper, type Sheet } from './sheet.ts'
import { amountOf, type Item, type Truth, taxAt } from './truth.ts'

/** A till with a full invoice on its roll: the customer below the charges, whose prices include the tax. */
export function restaurantSheet(truth: Truth): Sheet {
  const paper = new Paper()
  const { supplier, customer } = truth
  const vat = taxAt(truth, 0)
  const gross = (amount: number) => euros((amount * (100 + vat.rate)) / 100)
  paper.print(40, 28, 'MESON LA ENCRUCIJADA', 12)
  paper.print(52, 40, 'Asador - Cocina de mercado', 8)
  let y = stack(
    paper,
    12,
    60,
    [
      supplier.name,
      `NIF ${supplier.tax_id}`,
      supplier.street,
      supplier.town,
      'Tlf. 91 464 00 55',
      '',
      `FACTURA: ${truth.number}`,
      `Fecha: ${dayFirst(truth.issue_date)}  Hora: 16:07`,
      'Mesa: 14  Comensales: 6  Camarero: LUIS',
    ],
    8,
  )
  paper.rule(12, y - 4, 202)
  row(
    paper,
    y + 8,
    [
      [12, 'Ud', 'left'],
      [30, 'Artículo', 'left'],
      [170, 'Precio'],
      [214, 'Importe'],
    ],
    7.5,
  )
  truth.items.forEach((one, at) => {
    row(
      paper,
      y + 22 + at * 12,
      [
        [22, String(one.quantity)],
        [30, one.text, 'left'],
        [170, gross(one.price)],
        [214, gross(amountOf(one))],
      ],
      8,
    )
  })
  y += 22 + truth.items.length * 12
  paper.rule(12, y - 4, 202)
  row(
    paper,
    y + 8,
    [
      [12, 'Base imponible', 'left'],
      [214, euros(vat.base)],
    ],
    8,
  )
  row(
    paper,
    y + 20,
    [
      [12, `IVA ${vat.rate}%`, 'left'],
      [214, euros(vat.amount)],
    ],
    8,
  )
  row(
    paper,
    y + 38,
    [
      [12, 'TOTAL EUROS', 'left'],
      [214, euros(truth.total)],
    ],
    13,
  )
  row(
    paper,
    y + 54,
    [
      [12, 'TARJETA', 'left'],
      [214, euros(truth.total)],
    ],
    8,
  )
  paper.rule(12, y + 60, 202)
  y = stack(
    paper,
    12,
    y + 74,
    [
      'DATOS DEL CLIENTE',
      customer?.name ?? '',
      `NIF ${customer?.tax_id}`,
      customer?.street ?? '',
      customer?.town ?? '',
    ],
    8,
  )
  paper.code(64, y + 4, 96)
  paper.print(66, y + 112, 'VERI*FACTU', 8)
  paper.print(30, y + 128, 'Gracias por su visita. ¡Hasta pronto!', 8)
  return { width: 226, height: y + 146, pages: [paper] }
}

/** Basque: the labels in two languages, the year first. */
export function liftSheet(truth: Truth): Sheet {
  const paper = new Paper()
  const { supplier, customer } = truth
  const vat = taxAt(truth, 0)
  const date = (iso = '') => iso.replaceAll('-', '/')
  paper.print(45, 62, 'UROLA', 26, true)
  paper.print(140, 62, 'igogailuak · ascensores', 13)
  paper.rule(45, 72, 505)
  stack(paper, 45, 92, [
    supplier.name,
    supplier.street,
    supplier.town,
    `IFZ / NIF: ${supplier.tax_id}`,
    '943 81 00 77',
  ])
  stack(paper, 320, 92, [
    'Bezeroa / Cliente',
    customer?.name ?? '',
    customer?.street ?? '',
    customer?.town ?? '',
    `IFZ / NIF: ${customer?.tax_id}`,
  ])
  row(
    paper,
    184,
    [
      [45, 'Faktura zk. / N.º factura', 'left'],
      [210, 'Data / Fecha', 'left'],
      [340, 'Muga-eguna / Vencimiento', 'left'],
    ],
    8,
  )
  row(
    paper,
    199,
    [
      [45, truth.number, 'left'],
      [210, date(truth.issue_date), 'left'],
      [340, date(truth.due_date), 'left'],
    ],
    11,
    true,
  )
  paper.rule(45, 212, 505)
  row(
    paper,
    228,
    [
      [45, 'Kontzeptua / Concepto', 'left'],
      [370, 'Kop.'],
      [450, 'Prezioa'],
      [550, 'Guztira'],
    ],
    8.5,
    true,
  )
  truth.items.forEach((one, at) => {
    row(paper, 250 + at * 19, [
      [45, one.text, 'left'],
      [370, quantity(one.quantity)],
      [450, euros(one.price)],
      [550, euros(amountOf(one))],
    ])
  })
  paper.rule(45, 318, 505)
  row(paper, 338, [
    [300, 'Zerga-oinarria / Base imponible', 'left'],
    [550, euros(truth.base)],
  ])
  row(paper, 354, [
    [300, `BEZ / IVA % ${vat.rate}`, 'left'],
    [550, euros(vat.amount)],
  ])
  row(
    paper,
    376,
    [
      [300, 'GUZTIRA / TOTAL €', 'left'],
      [550, euros(truth.total)],
    ],
    12,
    true,
  )
  paper.print(45, 420, `Ordainketa: banku-transferentzia. Kontua / Cuenta: ${truth.iban}`, 9)
  paper.print(45, 436, 'Instalazioa: RAE 20/11.874. Hurrengo ikuskapena: 2027/02.', 9)
  stack(
    paper,
    45,
    780,
    [
      'Gipuzkoako Merkataritza Erregistroa, 1.922 liburukia, 140 folioa, SS-15.530 orria. TicketBAI fakturazio-sistema.',
      'Zure datuak 2016/679 (EB) Erregelamenduaren arabera tratatzen dira. Eskubideak baliatzeko: datuak@urola.example.',
    ],
    7,
  )
  return sheet(paper)
}

const SPARES_A_PAGE = 30

/** A wholesaler of three pages: each ends with a sum that the next one begins with. */
export function sparesSheet(truth: Truth): Sheet {
  const { supplier, customer, items } = truth
  const vat = taxAt(truth, 0)
  const count = Math.ceil(items.length / SPARES_A_PAGE)
  const sum = (some: readonly Item[]) => some.reduce((all, one) => all + amountOf(one), 0)
  const pages = Array.from({ length: count }, (_, index) => {
    const paper = new Paper()
    const from = index * SPARES_A_PAGE
    const isLast = index === count - 1
    paper.print(40, 50, 'AUTOPIEZA', 20, true)
    paper.print(40, 64, 'Recambios multimarca · Reparto cada 2 horas', 8)
    stack(paper, 330, 42, [
      customer?.name ?? '',
      customer?.street ?? '',
      customer?.town ?? '',
      `NIF: ${customer?.tax_id}`,
    ])
    stack(
      paper,
      40,
      82,
      [supplier.name, `${supplier.street} - ${supplier.town}`, `NIF: ${supplier.tax_id} - Tel. 91 797 30 30`],
      8,
    )
    paper.rule(40, 120, 515)
    row(paper, 134, [
      [40, `FACTURA N.º: ${truth.number}`, 'left'],
      [230, `FECHA: ${dayFirst(truth.issue_date)}`, 'left'],
      [370, 'CLIENTE: 011740', 'left'],
      [555, `Página ${index + 1} de ${count}`],
    ])
    paper.rule(40, 141, 515)
    row(
      paper,
      156,
      [
        [40, 'REFERENCIA', 'left'],
        [120, 'DESCRIPCIÓN', 'left'],
        [390, 'CANT.'],
        [470, 'PRECIO'],
        [555, 'IMPORTE'],
      ],
      8,
      true,
    )
    let y = 172
    if (index > 0) {
      row(
        paper,
        y,
        [
          [120, 'SUMA ANTERIOR', 'left'],
          [555, euros(sum(items.slice(0, from)))],
        ],
        8.5,
        true,
      )
      y += 17
    }
    items.slice(from, from + SPARES_A_PAGE).forEach((one) => {
      row(
        paper,
        y,
        [
          [40, `${40_211 + items.findIndex(({ text }) => text === one.text) * 137}`, 'left'],
          [120, one.text, 'left'],
          [390, String(one.quantity)],
          [470, euros(one.price)],
          [555, euros(amountOf(one))],
        ],
        8.5,
      )
      y += 17
    })
    paper.rule(40, 716, 515)
    if (isLast) {
      const places = [130, 210, 290, 390, 555]
      const labels = ['IMPORTE BRUTO', 'BASE IMP.', 'TIPO IVA', 'CUOTA IVA', 'TOTAL FACTURA']
      row(
        paper,
        730,
        labels.map((text, at): Cell => [places[at] ?? 0, text]),
        8,
      )
      const values = [
        euros(truth.base),
        euros(vat.base),
        `${vat.rate} %`,
        euros(vat.amount),
        `${euros(truth.total)} €`,
      ]
      row(
        paper,
        746,
        values.map((text, at): Cell => [places[at] ?? 0, text]),
        10,
        true,
      )
      paper.print(
        40,
        768,
        `Vencimiento: ${dayFirst(truth.due_date ?? '')}   Ingreso en: ${grouped(truth.iban ?? '')}`,
        8.5,
      )
    } else {
      row(
        paper,
        732,
        [
          [390, 'SUMA Y SIGUE', 'left'],
          [555, euros(sum(items.slice(0, from + SPARES_A_PAGE)))],
        ],
        9,
        true,
      )
    }
    paper.print(
      40,
      800,
      'Reg. Merc. de Madrid, tomo 7.714, folio 180, hoja M-124.785. Devoluciones en 15 días con embalaje original; material eléctrico no retornable.',
      6.5,
    )
    paper.print(
      40,
      809,
      'Protección de datos: el responsable es Recambios Autopieza Centro, S.A. Derechos: rgpd@autopieza.example.',
      6.5,
    )
    return paper
  })
  return sheet(...pages)
}
