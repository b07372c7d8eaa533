/** The second set of held-out invoices: trades, languages and customs that the rest of the corpus lacks. */
import { ibanOf, party } from './parties.ts'
import { company, item, person, sale } from './sale.ts'
import { amountOf, type Truth } from './truth.ts'

/** Power and energy in three periods of tariff 3.0TD. */
const CHARGES = [
  item('Potencia P1', 868, 0.054217),
  item('Potencia P2', 868, 0.028361),
  item('Potencia P3', 868, 0.011874),
  item('Energía P1', 412, 0.176903),
  item('Energía P2', 688, 0.151422),
  item('Energía P3', 934, 0.117268),
  item('Excesos de potencia', 3, 1.406368),
  item('Energía reactiva P1', 74, 0.041554),
  item('Bono social', 31, 0.019121),
]
/** Ley 38/1992 art. 99. */
const ELECTRICITY_TAX = Math.round(CHARGES.reduce((sum, one) => sum + amountOf(one), 0) * 5.11269632) / 100

const SPARES = [
  'Filtro aceite OX-388D',
  'Filtro aire C-30130',
  'Filtro habitáculo CUK-2939',
  'Pastillas freno del. GDB-1330',
  'Disco freno vent. 288 mm',
  'Correa poly-V 6PK-1873',
  'Bujía incand. 11V M8',
  'Rótula dirección izq.',
  'Amortiguador tras. gas',
  'Lámpara H7 12V 55W',
  'Escobilla plana 650 mm',
  'Batería 74Ah 680A',
  'Kit embrague 3 piezas',
  'Termostato 87 ºC c/junta',
  'Bieleta estabilizadora del.',
  'Anticongelante rosa 50 % 5 l',
  'Junta tapa balancines',
]

export const HELD = {
  telecom: sale(
    'WN-2026/0031187',
    '2026-04-01',
    company(
      'B',
      '4437109',
      'Wirenet Alcarria Telecomunicaciones, S.L.',
      'Calle Toledo, 38',
      '19002 Guadalajara',
    ),
    [
      item('Internet radio 100/20 Mb, abril', 1, 39.9),
      item('IP fija', 2, 6.05),
      item('Centralita virtual, 6 extensiones', 6, 7.25),
      item('Llamadas a móviles, minutos', 214, 0.0385),
      item('Promoción 12 meses', 1, -10),
    ],
    { due_date: '2026-04-05' },
  ),
  vet: sale(
    'V26-01422',
    '2026-05-19',
    company(
      'B',
      '3720184',
      'Clínica Veterinaria Los Olmos, S.L.P.',
      'Calle Antonio López, 212',
      '28026 Madrid',
    ),
    [
      item('Consulta general perro guarda', 1, 32.5),
      item('Vacuna rabia + cartilla', 1, 24.79),
      item('Antiparasitario comp. 20-40 kg', 3, 11.4),
      item('Pienso adulto saco 15 kg', 2, 48.55, 10),
    ],
  ),
  dental: sale(
    '2026-00519',
    '2026-06-30',
    company('B', '6205731', 'Laboratorio Protésico Arcada, S.L.', 'Calle Bravo Murillo, 377', '28020 Madrid'),
    [
      item('Férula de descarga Michigan, sup.', 4, 92, null),
      item('Protector bucal a medida', 2, 38.5, null),
      item('Reparación y rebase', 1, 45.75, null),
    ],
    { due_date: '2026-07-30', iban: ibanOf('0081', '0216', '0001774382') },
  ),
  logistics: sale(
    'LG/26-005871',
    '2026-03-31',
    company(
      'A',
      '2901745',
      'Plataforma Logística Henares, S.A.',
      'Avenida Fronteras, 17',
      '28806 Alcalá de Henares',
    ),
    [
      item('Almacenaje palé EUR/día', 1116, 0.27),
      item('Entrada de palés, descarga', 42, 2.85),
      item('Salida de palés, carga', 38, 2.85),
      item('Picking por línea', 317, 0.46),
      item('Retractilado y etiquetado', 38, 1.9),
    ],
    { due_date: '2026-05-30', iban: ibanOf('0128', '0072', '0100043716') },
  ),
  saas: sale(
    'KB-2026-104417',
    '2026-04-07',
    party('NL864120722B01', 'Kanbanly Software B.V.', 'Herengracht 410', '1017 BX Amsterdam'),
    [
      item('Kanbanly Pro seats (7 Apr - 6 May 2026)', 14, 11.5, null),
      item('Automation pack, 10k runs', 2, 19, null),
      item('Unused time on Basic seats (credit)', 1, -23.4, null),
    ],
    { due_date: '2026-04-21', iban: 'NL96RABO0318462907' },
  ),
  restaurant: sale(
    'A-002917',
    '2026-05-08',
    company('B', '7146028', 'Mesón La Encrucijada, S.L.', 'Paseo de Extremadura, 61', '28011 Madrid'),
    [
      item('Menú ejecutivo', 6, 20, 10),
      item('Ración jamón ibér.', 2, 18, 10),
      item('Agua mineral 1 l', 3, 2.5, 10),
      item('Rioja crianza bot.', 2, 17, 10),
      item('Café / infusión', 6, 1.5, 10),
    ],
  ),
  architect: sale(
    '26_07',
    '2026-03-18',
    person('50296174', 'Aurora Belmonte Sáiz', 'Calle Santa Engracia, 90, 4.º A', '28010 Madrid'),
    [
      item('Inspección técnica de la nave e informe', 1, 1350),
      item('Plan de evacuación y planos A1', 1, 480.6),
      item('Dirección facultativa, visitas', 4, 95),
    ],
    { withheld_rate: 15, iban: ibanOf('0239', '0806', '7300418265') },
  ),
  community: sale(
    '14/26',
    '2026-06-01',
    company(
      'H',
      '8027451',
      'Comunidad de Propietarios Calle de la Fragua, 12',
      'Calle de la Fragua, 12',
      '28038 Madrid',
    ),
    [item('Alquiler plazas de garaje 7 y 8, junio', 2, 82.5), item('Alquiler cuarto trastero, junio', 1, 46)],
    { withheld_rate: 19, iban: ibanOf('0049', '3027', '2814005519') },
  ),
  signs: sale(
    'FAC 2026-0388',
    '2026-04-24',
    company('B', '8190347', 'Rótulos e Impresión Pentagrama, S.L.', 'Calle Albasanz, 51', '28037 Madrid'),
    [
      item('Lona microperforada 510 g, m²', 18.6, 12.4),
      item('Vinilo de corte, fachada', 1, 236),
      item('Talonarios autocopiativos 3 hojas', 40, 4.15),
      item('Diseño y arte final, horas', 2.5, 35),
      item('Montaje en altura', 1, 180),
    ],
    { due_date: '2026-05-24', iban: ibanOf('2085', '8011', '0330091724') },
  ),
  machinery: sale(
    'ALQ26/00964',
    '2026-05-29',
    company(
      'B',
      '0938472',
      'Alquimaq Sierra Norte, S.L.',
      'Carretera de Colmenar, km 24',
      '28760 Tres Cantos',
    ),
    [
      item('Plataforma tijera 10 m eléctrica, días', 9, 74),
      item('Carretilla telescópica 7 m, días', 3, 139.5),
      item('Seguro de averías 8 %', 1, 86.76),
      item('Transporte ida y vuelta', 2, 65),
    ],
    { due_date: '2026-06-28', iban: ibanOf('0030', '1027', '0000681273') },
  ),
  fruit: sale(
    '118.402',
    '2026-02-12',
    company(
      'A',
      '2460913',
      'Frutas Hermanos Balaguer, S.A.',
      'Mercamadrid, nave C, puestos 41-43',
      '28053 Madrid',
    ),
    [
      item('NARANJA NAVEL CAT.I', 132.5, 0.98, 4),
      item('MANZANA GOLDEN 75/80', 76, 1.24, 4),
      item('PLATANO CANARIO EXTRA', 57.2, 1.65, 4),
      item('TOMATE RAMA', 48, 1.42, 4),
      item('NUEZ PELADA 1 KG', 6, 9.35, 10),
      item('DATIL MEDJOUL 5 KG', 2, 38.9, 10),
    ],
    { due_date: '2026-02-27' },
  ),
  winery: sale(
    'B-2026/271',
    '2026-11-10',
    company('B', '2617084', 'Bodegas Peñalcázar, S.L.', 'Camino de las Viñas, s/n', '09370 Gumiel de Izán'),
    [
      item('Peñalcázar Roble 2024, 75 cl', 48, 5.58),
      item('Peñalcázar Crianza 2022, 75 cl', 36, 8.5),
      item('Viña Somera Reserva 2019, estuche 3', 10, 43.2),
      item('Cesta de mimbre y lazo', 10, 7.4),
    ],
    { due_date: '2026-12-10', iban: ibanOf('3060', '0012', '1120047398') },
  ),
  canteen: sale(
    'CE-26/0219',
    '2026-10-30',
    company(
      'F',
      '7839015',
      'Comedores La Cuchara, S. Coop. Mad.',
      'Calle Sierra de Alquife, 6',
      '28053 Madrid',
    ),
    [
      item('Menús de comedor, hijos de empleados, octubre', 84, 5.44, null),
      item('Vigilancia y atención educativa', 21, 3.1, null),
      item('Desayuno «primeros del cole»', 38, 2.25, null),
    ],
    { due_date: '2026-11-08' },
  ),
  translator: sale(
    '2026-T-031',
    '2026-09-14',
    person('44718205', 'Noelia Ibarra Quesada', 'Calle San Jacinto, 33, bajo', '41010 Sevilla'),
    [
      item('Traducción técnica DE>ES, palabras', 6842, 0.085),
      item('Revisión, horas', 3.5, 32),
      item('Tarifa mínima, certificado', 1, 40),
    ],
    { withheld_rate: 7, due_date: '2026-10-14', iban: ibanOf('1491', '0001', '2130094871') },
  ),
  attorney: sale(
    'P-88/2026',
    '2026-07-22',
    person('33501827', 'Gonzalo Urrutia del Campo', 'Calle Velázquez, 64, 5.º izq.', '28001 Madrid'),
    [
      item('Demanda de juicio monitorio n.º 644/2026', 1, 390),
      item('Oposición y vista de juicio verbal', 1, 725),
    ],
    { withheld_rate: 15, iban: ibanOf('0019', '0301', '4010227580') },
  ),
  workwear: sale(
    'R-26/0044',
    '2026-03-27',
    company('B', '5371926', 'Vestuario Laboral Ropatex, S.L.', 'Calle Gutenberg, 4', '28906 Getafe'),
    [
      item('Pantalón multibolsillo T-44, devolución', -12, 17.9),
      item('Bota S3 piel n.º 42, devolución', -4, 46.35),
      item('Rappel primer trimestre', -1, 118.25),
    ],
    { corrects: 'F-26/0871' },
  ),
  power: sale(
    'PE2604ES0099183',
    '2026-05-06',
    company('A', '6394017', 'Vatia Energía Comercial, S.A.U.', 'Calle Albarracín, 34', '28037 Madrid'),
    [
      ...CHARGES,
      item('Impuesto sobre electricidad', 1, ELECTRICITY_TAX),
      item('Alquiler de contador', 31, 0.044712),
      item('Servicio de urgencias eléctricas', 1, 6.95),
    ],
    { due_date: '2026-05-18' },
  ),
  lift: sale(
    'IG-0412/26',
    '2026-04-07',
    company('B', '2058397', 'Urola Igogailuak, S.L.', 'Oinartxo kalea, 9', '20730 Azpeitia'),
    [
      item('Igogailuaren mantentze-lana, 2. hiruhilekoa', 1, 318.6),
      item('Kable-ordezkapena (8 mm)', 32, 4.15),
      item('Teknikari-orduak', 5, 44.5),
    ],
    { due_date: '2026-05-07', iban: ibanOf('3035', '0061', '0610093472') },
  ),
  broker: sale(
    'CS/0734-26',
    '2026-09-02',
    company(
      'B',
      '9470613',
      'Corredoría de Seguros Ribeira Alta, S.L.',
      'Rúa da Cruz, 17, 1.º',
      '27400 Monforte de Lemos',
    ),
    [
      item('Póliza RC n.º 88-40217, mediación', 1, 412.3, null),
      item('Póliza flota 6 vehículos, mediación', 6, 57.85, null),
    ],
    { due_date: '2026-10-02', iban: ibanOf('2080', '0127', '3040015829') },
  ),
  pests: sale(
    '26/1093',
    '2026-08-07',
    company('B', '1792836', 'Control de Plagues Garrotxa, S.L.', 'Passeig d’en Blay, 55', '17800 Olot'),
    [
      item('Desratització de la nau, juliol', 1, 145),
      item('Portaesquers de seguretat', 16, 8.75),
      item('Tractament d’insectes, m2', 420, 0.38),
      item('Certificat i pla de control', 1, 60),
    ],
    { due_date: '2026-09-06', iban: ibanOf('0081', '5084', '0001239847') },
  ),
  marble: sale(
    'FT 2026A/418',
    '2026-05-20',
    party(
      'PT514698306',
      'Mármores Serra de Borba, Unipessoal, Lda.',
      'Zona Industrial, lote 22',
      '7150-101 Borba',
    ),
    [
      item('Tampo em mármore branco 20 mm, m2', 14.5, 96.4, null),
      item('Rodapé polido 7 cm, m', 38, 9.85, null),
      item('Transporte até Madrid', 1, 240, null),
    ],
    { due_date: '2026-06-19', iban: 'PT50003300004517209381174' },
  ),
  coffee: sale(
    '317/FE',
    '2026-06-15',
    party(
      'IT03917420832',
      'Officine Caffè Peloritani S.r.l.',
      'Via Consolare Valeria, 88',
      '98125 Messina (ME)',
    ),
    [
      item('Macchina espresso 2 gruppi mod. STRETTO', 1, 2840, null),
      item('Macinadosatore 64 mm', 2, 415.5, null),
      item('Filtro addolcitore 8 lt', 3, 46.2, null),
      item('Imballo e spedizione', 1, 165, null),
    ],
    { due_date: '2026-07-31', iban: 'IT11K0569601600000011482X37' },
  ),
  spares: sale(
    'FV-26 008840',
    '2026-06-30',
    company('A', '0874519', 'Recambios Autopieza Centro, S.A.', 'Calle Resina, 29', '28021 Madrid'),
    Array.from({ length: 84 }, (_, at) => (at * 3) % SPARES.length).map((spare, at) =>
      item(
        SPARES[spare] ?? '',
        [2, 1, 4, 1, 6, 3][at % 6] ?? 1,
        [7.42, 18.95, 33.1, 4.86, 61.27, 112.4, 2.15][spare % 7] ?? 1,
      ),
    ),
    { due_date: '2026-08-25', iban: ibanOf('0182', '1294', '0201837465') },
  ),
  shop: sale(
    'TW26-4518203',
    '2026-03-22',
    company('B', '7501864', 'Tu Taller Online Ecommerce, S.L.', 'Calle Ítaca, 10, nave 4', '46980 Paterna'),
    // The prices with tax are 19,99 euros, 44,90 euros and 4,95 euros.
    [
      item('Juego llaves vaso 1/2" 24 piezas', 2, 16.52),
      item('Linterna frontal LED recargable', 1, 37.11),
      item('Envío 24/48 h', 1, 4.09),
    ],
  ),
} satisfies Record<string, Truth>
