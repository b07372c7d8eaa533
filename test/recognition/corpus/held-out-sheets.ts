/** The second held-out set, of programs that place each text: a warehouse, pest control and a market. */
import { dayFirst, euros, grouped, quantity } from './print.ts'
import { Paper, type Sheet } from './sheet.ts'
import { amountOf, type Item, type Truth, taxAt } from './truth.ts'

export const sheet = (...pages: readonly Paper[]): Sheet => ({ width: 595, height: 842, pages })

/** Prints texts below each other, and returns the position after them. */
export function stack(
  paper: Paper,
  x: number,
  y: number,
  texts: readonly string[],
  size = 9,
  step = size + 3,
) {
  texts.forEach((text, at) => {
    paper.print(x, y + at * step, text, size)
  })
  return y + texts.length * step
}

export type Cell = readonly [x: number, text: string, align?: 'left']

/** Prints a row: each text ends at its place, or begins there. */
export function row(paper: Paper, y: number, cells: readonly Cell[], size = 9, bold = false) {
  for (const [x, text, align] of cells) {
    if (align === 'left') paper.print(x, y, text, size, bold)
    else paper.printRight(x, y, text, size, bold)
  }
}

/** A warehouse for hire: a summary of services by month, totals in a row at the foot of the page. */
export function logisticsSheet(truth: Truth): Sheet {
  const paper = new Paper()
  const { supplier, customer } = truth
  const vat = taxAt(truth, 0)
  paper.print(36, 48, 'PLH', 30, true)
  paper.print(104, 38, 'Plataforma Logística', 9)
  paper.print(104, 50, 'Su almacén, sin almacén', 8)
  paper.printRight(559, 40, `${supplier.name} - CIF ${supplier.tax_id}`, 8)
  paper.printRight(559, 51, `${supplier.street}, ${supplier.town}`, 8)
  paper.printRight(559, 62, 'Tel. 91 880 20 20 - administracion@plh.example', 8)
  paper.rule(36, 72, 523)
  stack(paper, 36, 96, ['FACTURA A:', customer?.name ?? '', customer?.street ?? '', customer?.town ?? ''], 10)
  paper.print(36, 150, `CIF ${customer?.tax_id}`, 10)
  row(
    paper,
    96,
    [
      [400, 'FACTURA NUM.', 'left'],
      [559, truth.number],
    ],
    9.5,
    true,
  )
  row(paper, 111, [
    [400, 'FECHA FACTURA', 'left'],
    [559, '31-MAR-2026'],
  ])
  row(paper, 126, [
    [400, 'VENCIMIENTO', 'left'],
    [559, '30-MAY-2026'],
  ])
  row(paper, 141, [
    [400, 'COD. DEPOSITANTE', 'left'],
    [559, '00318'],
  ])
  row(paper, 156, [
    [400, 'PERIODO', 'left'],
    [559, '01-MAR a 31-MAR'],
  ])
  paper.print(
    36,
    190,
    'Saldo medio de palés en marzo: 36. Temperatura ambiente. Nave 4, pasillos 11 a 13.',
    8,
  )
  const head: Cell[] = [
    [36, 'SERVICIO', 'left'],
    [350, 'UNIDADES'],
    [450, 'TARIFA EUR'],
    [559, 'TOTAL EUR'],
  ]
  paper.rule(36, 202, 523)
  row(paper, 214, head, 8.5, true)
  paper.rule(36, 219, 523)
  truth.items.forEach((one, at) => {
    row(paper, 236 + at * 17, [
      [36, one.text, 'left'],
      [350, euros(one.quantity, 0)],
      [450, euros(one.price, 3)],
      [559, euros(amountOf(one))],
    ])
  })
  paper.rule(36, 690, 523)
  const places = [140, 240, 340, 440, 559]
  const labels = ['SUMA', 'BASE IMPONIBLE', '% IVA', 'CUOTA IVA', 'TOTAL A PAGAR']
  row(
    paper,
    703,
    labels.map((text, at): Cell => [places[at] ?? 0, text]),
    8,
    true,
  )
  const values = [
    euros(truth.base),
    euros(truth.base),
    `${vat.rate},00`,
    euros(vat.amount),
    euros(truth.total),
  ]
  row(
    paper,
    720,
    values.map((text, at): Cell => [places[at] ?? 0, text]),
    10.5,
  )
  paper.rule(36, 728, 523)
  paper.print(36, 746, `Transferencia bancaria a 60 días: ${grouped(truth.iban ?? '')}`, 9)
  stack(
    paper,
    36,
    772,
    [
      'Mercancía asegurada hasta 300 EUR por palé. Toda reclamación debe hacerse en siete días (Ley 15/2009). Juzgados de Alcalá de Henares.',
      'Registro Mercantil de Madrid, tomo 19.205, folio 77, hoja M-336.610. Sus datos se tratan según el RGPD; derechos: dpd@plh.example.',
    ],
    6.5,
  )
  return sheet(paper)
}

/** Catalan, from a program in the browser: two columns of facts, a code below, the total left. */
export function pestsSheet(truth: Truth): Sheet {
  const paper = new Paper()
  const { supplier, customer } = truth
  const vat = taxAt(truth, 0)
  paper.print(50, 60, 'Control de Plagues Garrotxa', 17, true)
  paper.print(50, 76, 'Sense rates, sense ratllades', 9)
  stack(paper, 50, 106, [
    supplier.name,
    `NIF ${supplier.tax_id}`,
    supplier.street,
    supplier.town,
    'ROESB 0714-CAT',
  ])
  stack(paper, 330, 106, [
    'Client',
    customer?.name ?? '',
    `NIF ${customer?.tax_id}`,
    customer?.street ?? '',
    customer?.town ?? '',
  ])
  paper.print(50, 190, `Factura ${truth.number}`, 13, true)
  paper.print(50, 206, 'Data: 7 d’agost de 2026', 9.5)
  paper.print(330, 206, 'Venciment: 6 de setembre de 2026', 9.5)
  paper.rule(50, 218, 495)
  row(
    paper,
    232,
    [
      [50, 'Descripció', 'left'],
      [380, 'Quantitat'],
      [460, 'Preu'],
      [545, 'Import'],
    ],
    9,
    true,
  )
  paper.rule(50, 238, 495)
  truth.items.forEach((one, at) => {
    const y = 256 + at * 18
    row(paper, y, [
      [50, one.text, 'left'],
      [380, quantity(one.quantity)],
      [460, `${euros(one.price)} €`],
      [545, `${euros(amountOf(one))} €`],
    ])
    paper.rule(50, y + 6, 495)
  })
  row(
    paper,
    360,
    [
      [50, 'Base imposable', 'left'],
      [240, `${euros(truth.base)} €`],
    ],
    10,
  )
  row(
    paper,
    376,
    [
      [50, `IVA (${vat.rate}%)`, 'left'],
      [240, `${euros(vat.amount)} €`],
    ],
    10,
  )
  row(
    paper,
    396,
    [
      [50, 'TOTAL FACTURA', 'left'],
      [240, `${euros(truth.total)} €`],
    ],
    12,
    true,
  )
  stack(paper, 50, 430, ['Pagament per transferència bancària al compte', grouped(truth.iban ?? '')])
  paper.code(440, 350, 95)
  paper.print(440, 456, 'QR tributari', 7)
  stack(
    paper,
    50,
    790,
    [
      'Inscrita al Registre Mercantil de Girona, tom 2.801, foli 55, full GI-48.117.',
      'Les vostres dades es tracten d’acord amb el Reglament (UE) 2016/679. Podeu exercir els vostres drets a l’adreça indicada.',
    ],
    6.5,
  )
  return sheet(paper)
}

/** A stall of the wholesale market: packages, gross and net kilos, many columns, two rates in a table. */
export function fruitSheet(truth: Truth): Sheet {
  const paper = new Paper()
  const { supplier, customer } = truth
  paper.print(30, 45, 'FRUTAS HERMANOS BALAGUER', 15, true)
  paper.print(30, 58, 'MAYORISTAS DE FRUTAS Y HORTALIZAS - DESDE 1954', 7.5)
  stack(
    paper,
    30,
    74,
    [supplier.name, supplier.street, supplier.town, `C.I.F.: ${supplier.tax_id}`, 'R.G.S.E.A.A. 21.14402/M'],
    8,
  )
  stack(
    paper,
    330,
    74,
    [
      'CLIENTE 7.118',
      customer?.name ?? '',
      customer?.street ?? '',
      customer?.town ?? '',
      `C.I.F.: ${customer?.tax_id}`,
    ],
    9,
  )
  paper.rule(30, 140, 535)
  row(
    paper,
    153,
    [
      [30, 'FACTURA', 'left'],
      [150, 'FECHA', 'left'],
      [260, 'VTO.', 'left'],
      [370, 'REPARTO', 'left'],
      [470, 'HOJA', 'left'],
    ],
    7.5,
  )
  row(
    paper,
    167,
    [
      [30, truth.number, 'left'],
      [150, '12/02/26', 'left'],
      [260, '27/02/26', 'left'],
      [370, 'RUTA 6', 'left'],
      [470, '1 de 1', 'left'],
    ],
    10,
    true,
  )
  paper.rule(30, 174, 535)
  row(
    paper,
    190,
    [
      [30, 'BULTOS', 'left'],
      [80, 'ARTICULO', 'left'],
      [300, 'BRUTO'],
      [350, 'TARA'],
      [410, 'NETO'],
      [460, 'PRECIO'],
      [500, 'IVA'],
      [565, 'IMPORTE'],
    ],
    7.5,
  )
  paper.rule(30, 195, 535)
  const packages = [11, 6, 4, 8, 6, 2]
  truth.items.forEach((one, at) => {
    const tare = one.rate === 4 ? (packages[at] ?? 0) * 0.7 : 0
    row(
      paper,
      210 + at * 13,
      [
        [60, String(packages[at])],
        [80, one.text, 'left'],
        [300, tare ? euros(one.quantity + tare, 1) : ''],
        [350, tare ? euros(tare, 1) : ''],
        [410, quantity(one.quantity)],
        [460, euros(one.price, 3)],
        [500, String(one.rate)],
        [565, euros(amountOf(one))],
      ],
      8.5,
    )
  })
  paper.print(80, 300, 'ENVASES RETORNABLES: 29 CAJAS IFCO, SIN CARGO', 8)
  paper.rule(30, 640, 535)
  row(
    paper,
    653,
    [
      [110, 'BASE IMP.'],
      [170, '% IVA'],
      [240, 'IMPORTE IVA'],
      [310, '% R.E.'],
      [380, 'IMPORTE R.E.'],
    ],
    7.5,
  )
  const taxes = [...truth.taxes].reverse()
  taxes.forEach(({ rate, base, amount }, at) => {
    row(paper, 668 + at * 14, [
      [110, euros(base)],
      [170, `${rate},00`],
      [240, euros(amount)],
    ])
  })
  paper.rule(30, 690, 535)
  row(paper, 710, [
    [30, 'SUMA BASES', 'left'],
    [170, euros(truth.base)],
    [330, 'SUMA IVA'],
    [400, euros(truth.total - truth.base)],
  ])
  row(
    paper,
    710,
    [
      [470, 'TOTAL', 'left'],
      [565, euros(truth.total)],
    ],
    13,
    true,
  )
  paper.print(
    30,
    735,
    'GIRO DOMICILIADO 15 DIAS. NO SE ADMITEN RECLAMACIONES PASADAS 24 HORAS DE LA ENTREGA.',
    7.5,
  )
  paper.print(
    30,
    800,
    'Reg. Mercantil de Madrid, tomo 4.018, gral. 3.220, sección 3.ª, folio 12, hoja 29.771. Datos tratados conforme al RGPD (UE) 2016/679.',
    6.5,
  )
  return sheet(paper)
}
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
