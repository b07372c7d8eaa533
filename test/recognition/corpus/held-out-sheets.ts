/** The second held-out set, of programs that place each text: a warehouse, pest control and a market. */
import { euros, grouped, quantity } from './print.ts'
import { Paper, type Sheet } from './sheet.ts'
import { amountOf, type Truth, taxAt } from './truth.ts'

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
