/** The invoices shown on the documents of the corpus. */
import { ibanOf, OURS, SUPPLIERS } from './parties.ts'
import { item } from './sale.ts'
import { type Truth, truthOf } from './truth.ts'

const PARTS = ['Bisagra', 'Tirador', 'Guía', 'Tablero', 'Listón', 'Canto', 'Herraje', 'Cerradura']

export const SALES = {
  plain: truthOf({
    number: 'F2026/0148',
    issue_date: '2026-03-12',
    due_date: '2026-04-11',
    supplier: SUPPLIERS.paper,
    customer: OURS,
    items: [
      item('Papel A4 80 g, caja de 5 paquetes', 12, 21.45),
      item('Archivador de palanca, lomo ancho', 30, 2.18),
      item('Tóner negro compatible HP 26X', 4, 47.9),
    ],
    iban: ibanOf('2100', '0418', '0200051332'),
  }),
  rates: truthOf({
    number: 'A-26-00731',
    issue_date: '2026-05-29',
    supplier: SUPPLIERS.food,
    customer: OURS,
    items: [
      item('Café molido natural, 1 kg', 24, 11.35, 10),
      item('Agua mineral 50 cl, caja de 24', 18, 6.2, 10),
      item('Pan de molde integral', 40, 1.89, 4),
      item('Vasos de cartón, 1.000 unidades', 3, 38.75, 21),
    ],
    iban: ibanOf('0049', '1500', '2810345678'),
  }),
  withheld: truthOf({
    number: '2026-017',
    issue_date: '2026-02-28',
    supplier: SUPPLIERS.design,
    customer: OURS,
    items: [item('Diseño de catálogo de producto', 1, 1850), item('Retoque fotográfico, por hora', 14.5, 42)],
    withheld_rate: 15,
    iban: ibanOf('0182', '5566', '0201539674'),
  }),
  fees: truthOf({
    number: 'H/88',
    issue_date: '2026-07-03',
    supplier: SUPPLIERS.lawyer,
    customer: OURS,
    items: [item('Asesoramiento jurídico, segundo trimestre', 1, 1240.5)],
    withheld_rate: 15,
  }),
  surcharge: truthOf({
    number: 'R26-4410',
    issue_date: '2026-06-18',
    due_date: '2026-07-18',
    supplier: SUPPLIERS.food,
    customer: OURS,
    items: [item('Servilletas, paquete de 100', 120, 0.92, 21), item('Zumo de naranja, 1 l', 96, 1.45, 10)],
    has_surcharge: true,
  }),
  exempt: truthOf({
    number: 'FORM-2026-9',
    issue_date: '2026-10-01',
    supplier: SUPPLIERS.school,
    customer: OURS,
    items: [item('Curso de soldadura TIG, 60 horas, 2 alumnos', 2, 780, null)],
    iban: ibanOf('2080', '5000', '6130401234'),
  }),
  english: truthOf({
    number: 'NH-2026-10482',
    issue_date: '2026-08-31',
    due_date: '2026-09-15',
    supplier: SUPPLIERS.hosting,
    customer: OURS,
    items: [
      item('Dedicated server, August 2026', 1, 189),
      item('Backup storage, per TB', 3, 14.5),
      item('SSL certificate, 1 year', 2, 64.95),
    ],
    iban: ibanOf('0081', '0200', '1100012345'),
  }),
  corrective: truthOf({
    number: 'REC-0005',
    issue_date: '2026-04-02',
    supplier: SUPPLIERS.paper,
    customer: OURS,
    items: [item('Tóner negro compatible HP 26X, unidad entregada de menos', 2, 47.9)],
    corrects: 'F2026/0148',
  }),
  ticket: truthOf({
    number: 'T-019482',
    issue_date: '2026-09-22',
    supplier: SUPPLIERS.bar,
    customer: null,
    items: [
      item('Menú del día', 3, 12.73, 10),
      item('Café con leche', 3, 1.41, 10),
      item('Agua 50 cl', 2, 1.36, 10),
    ],
  }),
  electricity: truthOf({
    number: '26030099187',
    issue_date: '2026-03-31',
    due_date: '2026-04-20',
    supplier: SUPPLIERS.power,
    customer: OURS,
    items: [
      item('Potencia facturada, marzo', 31, 2.4183),
      item('Energía activa, kWh', 4218, 0.1437),
      item('Alquiler de equipos de medida', 1, 8.1),
    ],
    iban: ibanOf('2095', '0611', '1091234567'),
  }),
  timber: truthOf({
    number: '26/003915',
    issue_date: '2026-11-10',
    due_date: '2027-01-09',
    supplier: SUPPLIERS.timber,
    customer: OURS,
    items: Array.from({ length: 38 }, (_, n) =>
      item(
        `${PARTS[n % PARTS.length]} ref. ${4100 + n * 7}`,
        2 + ((n * 5) % 11),
        3.4 + ((n * 137) % 997) / 20,
      ),
    ),
    iban: ibanOf('2048', '2000', '7234001928'),
  }),
} satisfies Record<string, Truth>

export type SaleName = keyof typeof SALES
