/** The independent invoices. Most of their trades do not occur in the rest of the corpus. */
import { companyId, ibanOf, OURS, party, personId } from './parties.ts'
import { type Item, type Sale, type Truth, truthOf } from './truth.ts'

const item = (text: string, quantity: number, price: number, rate: number | null = 21): Item => ({
  text,
  quantity,
  price,
  rate,
})

type Rest = Partial<Omit<Sale, 'number' | 'issue_date' | 'supplier' | 'items'>>

const sale = (
  number: string,
  issue_date: string,
  supplier: Sale['supplier'],
  items: readonly Item[],
  rest: Rest = {},
): Truth => truthOf({ number, issue_date, supplier, customer: OURS, items, ...rest })

const company = (letter: string, digits: string, name: string, street: string, town: string) =>
  party(companyId(letter, digits), name, street, town)
const person = (digits: string, name: string, street: string, town: string) =>
  party(personId(digits), name, street, town)

const FOLIO = ['03/03', '04/03', '05/03'].flatMap((night) => [
  item(`${night} Alojamiento hab. 214`, 1, 100, 10),
  item(`${night} Desayuno buffet`, 2, 10, 10),
  item(`${night} Parking cubierto`, 1, 15, 21),
])

const HARDWARE = [
  'Tornillo DIN 933 8.8 M8x40',
  'Tuerca autoblocante M8',
  'Arandela plana M8 cinc.',
  'Broca cobalto 6,5 mm',
  'Disco corte inox 125x1',
  'Cinta aislante negra 20 m',
  'Taco nylon Ø8',
  'Silicona neutra transp. 300 ml',
  'Guante nitrilo T-9',
  'Brida negra 4,8x200',
  'Varilla roscada M10 1 m',
  'Lija grano 120, pliego',
  'Candado latón 40 mm',
]

export const UNSEEN = {
  electricity: sale(
    'FE26-10448213',
    '2026-03-09',
    company(
      'A',
      '3965210',
      'Luz del Cantábrico Comercializadora, S.A.',
      'Calle Castelar, 29',
      '39004 Santander',
    ),
    [
      item('Potencia punta', 276, 0.083445),
      item('Potencia valle', 276, 0.003967),
      item('Energía punta', 318, 0.198412),
      item('Energía llano', 402, 0.142077),
      item('Energía valle', 655, 0.10933),
      item('Financiación del bono social', 30, 0.012742),
      // 5,11269632 % of the sum of the items above, Ley 38/1992 art. 99.
      item('Impuesto sobre la electricidad', 1, 11.06),
      item('Alquiler de equipos de medida', 30, 0.02663),
    ],
    { due_date: '2026-03-20' },
  ),
  gas: sale(
    'GC 2026-0071849',
    '2026-02-03',
    company('A', '5081947', 'Gas del Carrión Energía, S.A.', 'Avenida de Castilla, 77', '34005 Palencia'),
    [
      item('Término fijo', 2, 14.23),
      item('Término variable', 3412, 0.048713),
      // 0,65 euros per gigajoule, Ley 38/1992 art. 50.
      item('Impuesto especial sobre hidrocarburos', 3412, 0.00234),
      item('Alquiler de contador', 59, 0.0369),
    ],
    { due_date: '2026-02-12' },
  ),
  mobile: sale(
    'CI0987-26-114203',
    '2026-02-18',
    company('A', '8461093', 'Conecta Móvil Ibérica, S.A.U.', 'Avenida de la Vega, 15', '28108 Alcobendas'),
    [
      item('Tarifa Empresa 50 GB', 4, 14.9),
      item('Línea adicional de datos', 2, 4.5),
      item('Llamadas a países de la UE', 1, 18.74),
      item('Descuento por permanencia', 1, -8),
    ],
    { due_date: '2026-03-02' },
  ),
  marketplace: sale(
    'INV-ES-2026-88120457',
    '2026-02-03',
    company(
      'B',
      '0571936',
      'Electroideal Store, S.L.',
      'Calle Industria, 61, bajos',
      '08820 El Prat de Llobregat',
    ),
    [
      item('Lámpara LED de escritorio con base de carga, negra', 2, 20),
      item('Regleta de 6 tomas con protección, 3 m', 1, 50),
      item('Gastos de envío', 1, 5),
      item('Descuento promocional', 1, -5),
    ],
  ),
  airline: sale(
    'AM/26/0559127',
    '2026-05-04',
    company(
      'A',
      '5720843',
      'Aero Meseta Líneas Aéreas, S.A.',
      'Aeropuerto de Villanubla, s/n',
      '47620 Villanubla',
    ),
    [
      item('Tarifa MAD-BIO 12/05/2026', 2, 48.2, 10),
      item('Tasas aeroportuarias y de seguridad', 2, 14.17, 10),
      item('Equipaje facturado 20 kg', 1, 25, 10),
    ],
  ),
  hotel: sale(
    '26/H01934',
    '2026-03-06',
    company('B', '1840627', 'Hostelera Puerta del Alcázar, S.L.', 'Calle Ancha, 18', '24003 León'),
    FOLIO,
  ),
  taxi: sale(
    '004518',
    '2026-05-14',
    person('50817263', 'Francisco Javier Molina Herranz', 'Calle Oca, 94', '28025 Madrid'),
    [item('Servicio de taxi', 1, 21.5, 10)],
    { customer: null },
  ),
  parking: sale(
    '0207/118834',
    '2026-04-22',
    company('A', '4807315', 'Aparcamientos Plaza Nueva, S.A.', 'Plaza Nueva, 2', '48005 Bilbao'),
    [item('Estancia 3 h 47 min', 1, 12)],
    { customer: null },
  ),
  lawyer: sale(
    '2026/037',
    '2026-02-03',
    person('07945182', 'Marta Solís Requena', 'Paseo de Zorrilla, 46, 1.º C', '47006 Valladolid'),
    [
      item('Redacción de contestación a la demanda, P.O. 412/2025', 1, 1850),
      item('Asistencia a audiencia previa', 1, 420),
    ],
    { withheld_rate: 15, iban: ibanOf('2048', '0410', '3400072618') },
  ),
  notary: sale(
    '617/2026',
    '2026-04-16',
    person('11426083', 'Joaquín Alberdi Mena', 'Calle Uría, 12, entlo.', '33003 Oviedo'),
    [
      item('Núm. 2. Documento de cuantía', 1, 240.4),
      item('Núm. 4. Copia autorizada', 1, 48.08),
      item('Núm. 4. Copia simple', 1, 9.01),
      item('Núm. 7. Folios de matriz', 12, 3.01),
    ],
    { withheld_rate: 15 },
  ),
  landlord: sale(
    '3/2026',
    '2026-03-01',
    person('02618457', 'Herminia Vázquez Soto', 'Calle Embajadores, 131, 3.º izq.', '28045 Madrid'),
    [item('Renta mensual local Calle de la Fragua, 14', 1, 1125.5), item('Repercusión IBI 2026', 1, 86.2)],
    { withheld_rate: 19, iban: ibanOf('0182', '2370', '0201554873') },
  ),
  farmer: sale(
    'A-14',
    '2026-02-03',
    person('20473918', 'Vicente Monzó Alberola', 'Partida la Foia, 8', '46780 Oliva'),
    [item('Naranja Navelina', 1840, 0.62, 4), item('Limón Verna', 350, 0.915, 4)],
    { withheld_rate: 2, iban: ibanOf('3058', '2140', '2720013846') },
  ),
  surcharge: sale(
    '26/A/02871',
    '2026-06-11',
    company(
      'B',
      '4629051',
      'Almacenes Torrecilla e Hijos, S.L.',
      'Polígono La Portalada, 33',
      '26006 Logroño',
    ),
    [
      item('Bolsa basura 85x105 G-120', 40, 1.85),
      item('Papel secamanos laminado', 24, 3.42),
      item('Azúcar blanco 1 kg', 50, 1.06, 10),
      item('Café molido natural 250 g', 36, 2.74, 10),
      item('Leche semidesnatada 1 l', 96, 0.81, 4),
    ],
    { has_surcharge: true, due_date: '2026-07-11' },
  ),
  hardware: sale(
    'FV/2603/0148',
    '2026-03-31',
    company('B', '5038617', 'Ferretería Industrial Gamonal, S.L.', 'Calle Vitoria, 255', '09007 Burgos'),
    Array.from({ length: 52 }, (_, at) =>
      item(
        HARDWARE[at % HARDWARE.length] ?? '',
        [10, 25, 4, 2, 100, 6, 50][at % 7] ?? 1,
        [0.42, 1.15, 3.6, 7.95, 0.18, 12.4, 2.05, 0.09, 5.3][(at * 5) % 9] ?? 1,
      ),
    ),
    { due_date: '2026-05-30', iban: ibanOf('2100', '9166', '0200341975') },
  ),
  reverse: sale(
    'CH-7F3A2-0009',
    '2026-02-03',
    party(
      'IE3648127SH',
      'Cloudharbor Technologies Ireland Limited',
      '12 Custom House Square',
      'Dublin D01 X2P7',
    ),
    [
      item('Team plan, annual (Feb 3, 2026 - Feb 2, 2027)', 12, 144, null),
      item('Additional storage 1 TB', 1, 24, null),
    ],
  ),
  software: sale(
    'PW-000482',
    '2026-07-01',
    company('B', '6718203', 'Pixelwind Software, S.L.', 'Carrer de Colón, 41', '46004 Valencia'),
    [
      item('Business subscription, July 2026', 5, 29),
      item('API add-on', 1, 49),
      item('Onboarding session', 2, 75),
    ],
    { due_date: '2026-07-15' },
  ),
  german: sale(
    'RE-26-00419',
    '2026-02-03',
    party('DE294710366', 'Feinmechanik Albtal GmbH', 'Gewerbestraße 17', '76275 Ettlingen'),
    [
      item('Führungswagen Größe 25', 8, 64.3, null),
      item('Profilschiene 1.200 mm', 4, 118.75, null),
      item('Verpackung und Versand', 1, 42, null),
    ],
    { due_date: '2026-03-05', iban: 'DE36660501010074921836' },
  ),
  french: sale(
    'F2026-0318',
    '2026-02-18',
    party('FR48812409738', 'Emballages de l’Adour SAS', '6 chemin de Lahitte', '40220 Tarnos'),
    [
      item('Caisse carton double cannelure 600x400', 500, 2.148, null),
      item('Film étirable 23 µ', 24, 7.35, null),
    ],
    { due_date: '2026-03-20', iban: 'FR4220041010050731902M02274' },
  ),
  portuguese: sale(
    'FT A/1187',
    '2026-03-11',
    party('PT510382746', 'Ferragens do Minho, Lda.', 'Rua do Souto, 120', '4710-057 Braga'),
    [item('Dobradiça inox 100 mm', 120, 3.45, null), item('Fechadura de embutir', 15, 18.9, null)],
    { due_date: '2026-04-10', iban: 'PT50003501270008426310233' },
  ),
  catalan: sale(
    '26-0093',
    '2026-03-03',
    company('J', '1759264', 'Fusteria Puigdomènech, S.C.P.', 'Carrer de la Indústria, 22', '17800 Olot'),
    [item('Taulell de roure massís a mida', 2, 685), item('Muntatge i col·locació, hores', 9.5, 38)],
    { due_date: '2026-04-02', iban: ibanOf('2100', '8104', '0200127765') },
  ),
  galician: sale(
    'C26/118',
    '2026-02-09',
    company(
      'B',
      '3294805',
      'Carpintería Metálica O Salnés, S.L.',
      'Lugar de Baión, 40',
      '36614 Vilanova de Arousa',
    ),
    [item('Porta corredía de aceiro galvanizado', 1, 1960), item('Desprazamento e montaxe', 2, 145.5)],
    { due_date: '2026-03-11', iban: ibanOf('2080', '5034', '3000216487') },
  ),
  courier: sale(
    'MX-2026-03-00871',
    '2026-03-31',
    company('B', '2587149', 'Mensajería Exprés Ruta Norte, S.L.', 'Calle Laguna Dalga, 10', '28021 Madrid'),
    [
      item('Envíos península 24 h, hasta 5 kg', 63, 4.82),
      item('Envíos Baleares', 7, 11.36),
      item('Recogidas en origen', 21, 1.1),
      item('Recargo por combustible marzo', 1, 18.43),
    ],
    { due_date: '2026-04-30', iban: ibanOf('0049', '1500', '2910082734') },
  ),
  gestoria: sale(
    '1126',
    '2026-03-02',
    company(
      'B',
      '4917360',
      'Asesoría Marqués y Llorente, S.L.P.',
      'Calle Génova, 8, 2.ª planta',
      '28004 Madrid',
    ),
    [
      item('Iguala fiscal y contable, marzo 2026', 1, 165),
      item('Confección de 7 nóminas y seguros sociales', 1, 80.5),
    ],
    { due_date: '2026-03-10' },
  ),
  repair: sale(
    'TA-26/00312',
    '2026-05-27',
    company('B', '5304178', 'Auto Chapa Delicias, S.L.', 'Calle Embarcaderos, 5', '28045 Madrid'),
    [
      item('M.O. Sustitución kit distribución', 3.5, 48),
      item('M.O. Diagnosis electrónica', 0.5, 48),
      item('Kit distribución con bomba de agua', 1, 212.6),
      item('Aceite 5W30 C3, litros', 5, 9.85),
      item('Filtro de aceite', 1, 11.2),
      item('Dto. 10 % en recambios', 1, -27.31),
      item('Gestión de residuos', 1, 3),
    ],
  ),
  prevention: sale(
    'SP26-004471',
    '2026-04-01',
    company(
      'B',
      '8836042',
      'Prevenlab Servicio de Prevención, S.L.',
      'Calle Méndez Álvaro, 20',
      '28045 Madrid',
    ),
    [item('Especialidades técnicas, 2.º trimestre', 1, 415), item('Reconocimientos médicos', 7, 38, null)],
    { due_date: '2026-05-01', iban: ibanOf('0075', '0346', '0600147823') },
  ),
  credit: sale(
    'R26-0012',
    '2026-07-13',
    company('A', '3601948', 'Suministros Industriales Beiro, S.A.', 'Calle Progreso, 74', '32003 Ourense'),
    [item('Electroválvula 3/2 G1/4', -3, 58.4), item('Racor recto 8 mm', -25, 1.36)],
    { corrects: 'F26-0907' },
  ),
  advance: sale(
    'F26-058',
    '2026-04-20',
    company(
      'B',
      '0519382',
      'Instalaciones Térmicas Gredos, S.L.',
      'Calle Jorge Ruiz de Santayana, 3',
      '05003 Ávila',
    ),
    [
      item('Equipo de climatización por conductos 14 kW', 1, 6840),
      item('Mano de obra de instalación, horas', 18, 42.5),
      item('A deducir: anticipo, factura A26-004 de 12/01/2026', 1, -2500),
    ],
    { due_date: '2026-05-20', iban: ibanOf('2108', '2104', '0030058192') },
  ),
  fuel: sale(
    'TF2604-33018',
    '2026-04-30',
    company('A', '7912065', 'Red de Carburantes Altamar, S.A.', 'Avenida de Burgos, 89', '28050 Madrid'),
    [
      item('Gasóleo A', 182.35, 1.1983),
      item('Gasolina 95 E5', 74.1, 1.2471),
      item('AdBlue garrafa 10 l', 2, 12.4),
      item('Agua mineral y bocadillos', 1, 16.36, 10),
    ],
    { due_date: '2026-05-10' },
  ),
  gym: sale(
    '2602-0417',
    '2026-02-03',
    company('B', '4172906', 'Gimnasio Corpore Vital, S.L.', 'Calle Ferrocarril, 23', '28045 Madrid'),
    [item('Cuota mensual plan empresa', 5, 30), item('Matrícula', 1, 20)],
    { due_date: '2026-02-05' },
  ),
  freelancer: sale(
    'IC-012',
    '2026-10-05',
    person('53207694', 'Irene Caballero Duarte', 'Calle Betis, 60', '41010 Sevilla'),
    [item('Sesión de fotos de producto', 1, 380), item('Retoque por imagen', 24, 6.5)],
    { withheld_rate: 7, iban: ibanOf('1465', '0100', '9817263540') },
  ),
} satisfies Record<string, Truth>
