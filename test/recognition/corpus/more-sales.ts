/** Invoices of many trades and languages, as suppliers in Spain and its neighbouring countries write them. */
import { companyId, ibanOf, OURS, party, personId } from './parties.ts'
import { sale } from './sale.ts'
import type { Item, Party, Truth } from './truth.ts'

const item = (text: string, quantity: number, price: number, rate: number | null = 21): Item => ({
  text,
  quantity,
  price: Number(price.toFixed(4)),
  rate,
})

const from = (id: string, name: string, street: string, town: string): Party => party(id, name, street, town)

const water = from(
  companyId('A', '2807291'),
  'Empresa Municipal de Aguas de la Vega, S.A.',
  'Plaza del Agua, 1',
  '18001 Granada',
)
const phone = from(
  companyId('A', '8190742'),
  'Telefonía Meseta, S.A.U.',
  'Ronda de la Luz, 45',
  '28050 Madrid',
)
const hotel = from(
  companyId('B', '0761384'),
  'Hotel Mirador de Sóller, S.L.',
  'Camí del Far, 9',
  '07108 Port de Sóller',
)
const architect = from(personId('44718290'), 'Beatriz Lozano Cid', 'Calle Larios, 5, 3.º A', '29005 Málaga')
const farmer = from(
  personId('30651178'),
  'Antonio Cabrera Molina',
  'Cortijo La Noria',
  '14800 Priego de Córdoba',
)
const notary = from(personId('16284930'), 'Elena Sáez de Buruaga', 'Calle Dato, 30', '01005 Vitoria-Gasteiz')
const gestoria = from(
  companyId('B', '1539046'),
  'Gestoría Pazos y Asociados, S.L.P.',
  'Rúa Real, 70',
  '15003 A Coruña',
)
const printer = from(
  companyId('B', '5820167'),
  'Impremta Vallès, S.L.',
  'Carrer del Sol, 88',
  '08201 Sabadell',
)
const transport = from(
  companyId('B', '9904316'),
  'Transportes Ebro Exprés, S.L.',
  'Mercazaragoza, nave 7',
  '50014 Zaragoza',
)
const foundry = from(
  companyId('F', '2019483'),
  'Goizueta Galdategia, S. Coop.',
  'Industrialdea, 12',
  '20570 Bergara',
)
const cannery = from(
  companyId('B', '3672058'),
  'Conservas Ría de Arousa, S.L.',
  'Peirao, 3',
  '36600 Vilagarcía de Arousa',
)
const cleaner = from(
  companyId('B', '4410925'),
  'Limpiezas Brillo 24, S.L.',
  'Calle del Pez, 16',
  '28004 Madrid',
)
const landlord = from(personId('05127864'), 'Ramón Iglesias Prado', 'Calle Alcalá, 200', '28028 Madrid')
const petrol = from(
  companyId('B', '1287635'),
  'Estación de Servicio Las Lomas, S.L.',
  'Autovía A-4, km 33',
  '28300 Aranjuez',
)
const consulting = from(
  companyId('B', '6643901'),
  'Northgate Advisory Spain, S.L.',
  'Paseo de la Castellana, 81',
  '28046 Madrid',
)
const wholesale = from(
  companyId('A', '7730254'),
  'Mayoristas del Sur, S.A.',
  'Mercasevilla, módulo 4',
  '41020 Sevilla',
)
const builder = from(
  companyId('B', '2950713'),
  'Reformas y Obras Cuenca & Hijos, S.L.',
  'Calle Carretería, 40',
  '16002 Cuenca',
)
const french = from('FR40303265045', 'Outillage Garonne SARL', '14 rue des Forges', '31000 Toulouse')
const german = from('DE136695976', 'Werkzeugbau Neckar GmbH', 'Hafenstraße 21', '70327 Stuttgart')
const portuguese = from('PT502757191', 'Cortiças do Alentejo, Lda.', 'Rua da Estação, 8', '7000-503 Évora')
const italian = from('IT00743110157', 'Meccanica Brenta S.r.l.', 'Via Roma, 17', '35129 Padova')
const academy = from(
  companyId('G', '8051276'),
  'Asociación Formativa Horizonte',
  'Calle Mayor, 12',
  '30001 Murcia',
)

const MONTHLY = 'enero febrero marzo abril mayo junio julio agosto septiembre'.split(' ')

export const MORE = {
  water: sale(
    '2026AG00418823',
    '2026-04-14',
    water,
    [
      item('Cuota de servicio, bimestre 2', 1, 11.84, 10),
      item('Consumo de agua, bloque 1, m3', 24, 0.612, 10),
      item('Consumo de agua, bloque 2, m3', 37, 1.1045, 10),
      item('Alquiler de contador', 1, 3.2, 21),
    ],
    { due_date: '2026-05-05', iban: ibanOf('2103', '0700', '3012345678') },
  ),
  phone: sale(
    'TA6C-0192837',
    '2026-05-01',
    phone,
    [
      item('Fibra 1 Gb y fijo', 1, 38.5),
      item('Líneas móviles', 6, 12.4),
      item('Llamadas internacionales', 1, 7.63),
    ],
    { due_date: '2026-05-15', iban: ibanOf('0049', '0001', '5012345670') },
  ),
  hotel: sale('HM/2026/3381', '2026-07-19', hotel, [
    item('Alojamiento y desayuno, 3 noches', 3, 118.18, 10),
    item('Aparcamiento', 3, 16.53, 21),
    item('Impuesto de turismo sostenible, Illes Balears', 6, 2.2, 0),
  ]),
  architect: sale(
    '14/2026',
    '2026-03-30',
    architect,
    [item('Proyecto básico de ampliación de nave', 1, 4200), item('Visita de obra', 3, 95)],
    { withheld_rate: 15, iban: ibanOf('2038', '3500', '6000123456') },
  ),
  beginner: sale('7', '2026-02-02', architect, [item('Certificado energético', 2, 160)], {
    withheld_rate: 7,
  }),
  farmer: sale('R-2026-3', '2026-01-20', farmer, [item('Aceituna de molino, kg', 3120, 0.84, 12)], {
    withheld_rate: 2,
  }),
  notary: sale(
    '1.284/26',
    '2026-06-09',
    notary,
    [item('Escritura de poder general', 1, 96.16), item('Copias autorizadas', 4, 12.02)],
    { withheld_rate: 15 },
  ),
  suplidos: sale(
    'G26/0551',
    '2026-09-07',
    gestoria,
    [item('Tramitación de transferencia de vehículo', 1, 74.5)],
    { iban: ibanOf('2080', '0100', '3040002211') },
  ),
  printer: sale(
    'FV26-1187',
    '2026-04-22',
    printer,
    [
      item('Catàleg 48 pàgines, grapat', 1500, 1.147),
      item('Targetes de visita', 500, 0.089),
      item('Transport', 1, 35),
    ],
    { due_date: '2026-06-21', iban: ibanOf('2100', '0012', '0200998877') },
  ),
  transport: sale(
    'T/26-09934',
    '2026-08-14',
    transport,
    [item('Porte Zaragoza - Madrid, 4 palés', 1, 312.4), item('Suplemento de combustible', 1, 28.12)],
    { due_date: '2026-10-13' },
  ),
  foundry: sale(
    '2026/0417',
    '2026-05-12',
    foundry,
    [item('Burdinurtuzko pieza GJL-250', 84, 37.8), item('Mekanizazioa, orduak', 12.5, 46)],
    { due_date: '2026-07-11', iban: ibanOf('3035', '0012', '0120098765') },
  ),
  cannery: sale(
    'CR-260229',
    '2026-03-05',
    cannery,
    [
      item('Mexillón en escabeche, caixa 24', 30, 41.25, 10),
      item('Sardiñas en aceite, caixa 48', 12, 52.6, 10),
    ],
    { due_date: '2026-04-04' },
  ),
  cleaner: sale(
    'L-2026-000074',
    '2026-06-30',
    cleaner,
    [item('Limpieza de oficinas, junio', 1, 890), item('Cristales', 2, 75.5)],
    { iban: ibanOf('0128', '0010', '0100044556') },
  ),
  landlord: sale('ALQ-06/2026', '2026-06-01', landlord, [item('Arrendamiento de local, junio', 1, 1450)], {
    withheld_rate: 19,
    iban: ibanOf('0073', '0100', '5804561237'),
  }),
  petrol: sale('FS26A004512', '2026-09-16', petrol, [item('Gasóleo A, litros', 61.4, 1.2165)], {
    customer: OURS,
  }),
  consulting: sale(
    'NG-26-0088',
    '2026-07-31',
    consulting,
    [item('Supply chain review, phase 2', 1, 12500), item('Travel expenses', 1, 845.3)],
    { due_date: '2026-08-30', iban: ibanOf('0081', '5100', '2600071829') },
  ),
  wholesale: sale(
    'V2604417',
    '2026-10-08',
    wholesale,
    [
      item('Detergente industrial 20 l', 8, 31.4, 21),
      item('Aceite de girasol 5 l', 20, 8.95, 10),
      item('Leche entera 1 l', 144, 0.79, 4),
      item('Servilletas', 60, 1.1, 21),
    ],
    { has_surcharge: true, due_date: '2026-11-07' },
  ),
  shop: sale('V2604902', '2026-10-21', wholesale, [item('Café torrefacto 1 kg', 36, 9.4, 10)], {
    has_surcharge: true,
  }),
  builder: sale(
    'C-26/031',
    '2026-02-17',
    builder,
    [
      item('Demolición de tabiquería, m2', 46, 18.5),
      item('Solado de gres, m2', 82.4, 37.25),
      item('Pintura plástica, m2', 210, 6.1),
    ],
    { due_date: '2026-03-19', iban: ibanOf('2105', '0040', '1230045678') },
  ),
  advance: sale(
    'C-26/044',
    '2026-04-27',
    builder,
    [item('Cubierta de panel sándwich, m2', 320, 41.8), item('Canalón de aluminio, m', 44, 22)],
    { iban: ibanOf('2105', '0040', '1230045678') },
  ),
  credit: sale('AB-26/0019', '2026-05-20', printer, [item('Abono catàleg defectuós', -200, 1.147)], {
    corrects: 'FV26-1187',
  }),
  returned: sale(
    'R-V26-0071',
    '2026-10-29',
    wholesale,
    [
      item('Devolución detergente industrial 20 l', -2, 31.4, 21),
      item('Devolución aceite de girasol 5 l', -4, 8.95, 10),
    ],
    { corrects: 'V2604417' },
  ),
  french: sale(
    'FA26-02231',
    '2026-03-18',
    french,
    [item('Jeu de forets HSS', 40, 23.9, null), item('Mandrin 13 mm', 6, 61, null)],
    { due_date: '2026-05-17', iban: 'FR1420041010050500013M02606' },
  ),
  german: sale(
    'RE-2026-10077',
    '2026-06-23',
    german,
    [item('Spannzange ER32', 24, 18.75, null), item('Fräskopf 63 mm', 2, 214.6, null)],
    { iban: 'DE89370400440532013000' },
  ),
  portuguese: sale(
    'FT 2026/1193',
    '2026-09-02',
    portuguese,
    [item('Placa de cortiça 10 mm, m2', 150, 7.42, null)],
    { iban: 'PT50000201231234567890154' },
  ),
  italian: sale(
    '412/E',
    '2026-07-08',
    italian,
    [item('Riduttore a vite senza fine', 5, 187.3, null), item('Giunto elastico', 10, 24.15, null)],
    { iban: 'IT60X0542811101000000123456' },
  ),
  academy: sale('2026-C-118', '2026-10-15', academy, [
    item('Curso de prevención de riesgos, 30 h', 8, 145, null),
  ]),
  parking: sale(
    'TK 0048812',
    '2026-08-20',
    petrol,
    [item('Lavado túnel', 1, 9.09, 21), item('Agua 1,5 l', 2, 0.91, 10)],
    { customer: null },
  ),
  large: sale(
    'C-26/102',
    '2026-09-30',
    builder,
    [item('Certificación n.º 4, nave industrial', 1, 1184350.75), item('Revisión de precios', 1, 20417.3)],
    { due_date: '2026-11-29', iban: ibanOf('2105', '0040', '1230045678') },
  ),
  yearly: sale(
    'L-2026-000119',
    '2026-09-30',
    cleaner,
    MONTHLY.flatMap((month, at) =>
      ['oficina', 'almacén', 'tienda', 'taller', 'garaje'].map((place, n) =>
        item(`Limpieza de ${place}, ${month}`, 1, 110.25 + at * 3.1 + n * 17.4),
      ),
    ),
    { due_date: '2026-10-30', iban: ibanOf('0128', '0010', '0100044556') },
  ),
  pages: sale(
    'V2605110',
    '2026-11-03',
    wholesale,
    Array.from({ length: 96 }, (_, at) =>
      item(
        `Artículo ${3000 + at * 13} surtido ${at % 7}`,
        1 + (at % 9),
        2.35 + ((at * 71) % 400) / 20,
        at % 3 === 0 ? 10 : 21,
      ),
    ),
    { due_date: '2026-12-03' },
  ),
} satisfies Record<string, Truth>
