/** Handwritten views: typical invoices and extreme cases. */
import { required } from '#core/errors/index.ts'
import type {
  ColumnView,
  Fact,
  InvoiceView,
  Label,
  LineColumn,
  LineView,
  ViewLanguage,
} from '#view/view-model.ts'

const TRANSLATIONS: Readonly<Record<string, string>> = {
  Factura: 'Invoice',
  'Factura simplificada': 'Simplified invoice',
  'Factura rectificativa': 'Corrective invoice',
  'Factura recibida': 'Received invoice',
  Emisor: 'Issuer',
  Cliente: 'Customer',
  Proveedor: 'Supplier',
  Serie: 'Series',
  'Fecha de expedición': 'Issue date',
  'Fecha de operación': 'Operation date',
  Vencimiento: 'Due date',
  Pedido: 'Order',
  Referencia: 'Reference',
  Concepto: 'Description',
  Cantidad: 'Quantity',
  Precio: 'Price',
  Descuento: 'Discount',
  IVA: 'VAT',
  Importe: 'Amount',
  'Suma y sigue': 'Carried forward',
  'Suma anterior': 'Brought forward',
  'Desglose de impuestos': 'Tax breakdown',
  Impuesto: 'Tax',
  Base: 'Base',
  Tipo: 'Rate',
  Cuota: 'Tax amount',
  'Base imponible': 'Taxable base',
  'Cuota de IVA': 'VAT amount',
  'Recargo de equivalencia': 'Equivalence surcharge',
  'Retención IRPF 15 %': 'Income tax withheld 15 %',
  Suplidos: 'Disbursements',
  'Total factura': 'Invoice total',
  'Anticipo recibido': 'Advance received',
  'Total a pagar': 'Amount to pay',
  'Forma de pago': 'Payment',
  Medio: 'Method',
  Cuenta: 'Account',
  Menciones: 'Mentions',
  Observaciones: 'Notes',
  'Página {page} de {pages}': 'Page {page} of {pages}',
  'Rectifica a': 'Corrects',
  Número: 'Number',
  Fecha: 'Date',
  Motivo: 'Reason',
}

export const labelIn =
  (language: ViewLanguage) =>
  (text: string): Label => {
    const english = TRANSLATIONS[text] ?? text
    if (language === 'en') return { text: english }
    return language === 'es' ? { text } : { text, second: english }
  }

const LINE_LABELS: readonly [LineColumn, string, 'start' | 'end'][] = [
  ['reference', 'Referencia', 'start'],
  ['description', 'Concepto', 'start'],
  ['quantity', 'Cantidad', 'end'],
  ['price', 'Precio', 'end'],
  ['discount', 'Descuento', 'end'],
  ['tax', 'IVA', 'end'],
  ['amount', 'Importe', 'end'],
]

/** Formats an amount in cents. */
export function money(cents: number, language: ViewLanguage = 'es'): string {
  const [comma, dot] = language === 'en' ? ['.', ','] : [',', '.']
  const whole = String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, dot)
  return `${cents < 0 ? '-' : ''}${whole}${comma}${String(Math.abs(cents) % 100).padStart(2, '0')}\u00A0€`
}

const GOODS = [
  'Aceite de oliva virgen extra, garrafa de 5 l',
  'Vino tinto Ribera del Duero, crianza 2021, caja de seis botellas',
  'Queso manchego curado',
  'Servicio de consultoría: revisión del cierre contable del primer trimestre y de los modelos 303 y 111',
  'Transporte refrigerado a Sevilla',
  'Jamón ibérico de bellota 50 %, pieza',
]

/** Returns a line with an amount in cents. */
const lineOf = (
  index: number,
  keys: readonly LineColumn[],
  language: ViewLanguage,
): LineView & { cents: number } => {
  const quantity = (index % 7) + 1
  const price = 1250 + ((index * 7919) % 90_000)
  const cents = quantity * price
  const cells: Record<LineColumn, string> = {
    reference: `ART-${String(1000 + index)}`,
    description: required(GOODS[index % GOODS.length]),
    quantity: index % 5 === 3 ? `${quantity}${language === 'en' ? '.' : ','}5` : String(quantity),
    price: money(price, language),
    discount: index % 4 === 1 ? '10 %' : '',
    tax: index % 3 === 2 ? '10 %' : '21 %',
    amount: money(cents, language),
  }
  return {
    cells: Object.fromEntries(keys.map((key) => [key, cells[key]])),
    notes: index % 4 === 1 ? ['Descuento por volumen según contrato marco de 2026'] : [],
    running: '',
    cents,
  }
}

export interface Sample {
  readonly language?: ViewLanguage
  readonly lines?: number
  readonly columns?: readonly LineColumn[]
}

export const QR_URL =
  'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B23456783&numserie=F-2026-000123&fecha=05-03-2026&importe=1834.36'

export const EPC = [
  'BCD',
  '002',
  '1',
  'SCT',
  '',
  'Olivares del Sur, S.L.',
  'ES9121000418450200051332',
  'EUR1645.36',
  '',
  '',
  'Factura F-2026-000123',
].join('\n')

/** Returns an ordinary invoice with the given number of lines. */
export function ordinary({ language = 'es', lines = 3, columns }: Sample = {}): InvoiceView {
  const label = labelIn(language)
  const keys = columns ?? ['reference', 'description', 'quantity', 'price', 'discount', 'tax', 'amount']
  let running = 0
  const rows = Array.from({ length: lines }, (_, index) => {
    const { cents, ...line } = lineOf(index, keys, language)
    running += cents
    return { ...line, running: money(running, language) }
  })
  const base = running
  const tax = Math.round(base * 0.21)
  const withheld = Math.round(base * 0.15)
  const euros = (cents: number): string => money(cents, language)
  const column = <Key extends string>(key: Key, text: string, align: 'start' | 'end'): ColumnView<Key> => ({
    key,
    label: label(text),
    align,
  })
  const facts: Fact[] = [
    { label: label('Serie'), value: 'F' },
    { label: label('Fecha de expedición'), value: language === 'en' ? '5 March 2026' : '5 de marzo de 2026' },
    {
      label: label('Fecha de operación'),
      value: language === 'en' ? '28 February 2026' : '28 de febrero de 2026',
    },
    { label: label('Pedido'), value: 'PC-2026/00871' },
  ]
  return {
    language,
    direction: 'issued',
    title: label('Factura'),
    numberLabel: 'N.º',
    number: 'F-2026-000123',
    watermark: null,
    facts,
    supplier: {
      role: label('Emisor'),
      name: 'Olivares del Sur, S.L.',
      lines: [
        'NIF B23456783',
        'Calle de la Almazara, 14',
        '23001 Jaén (Jaén)',
        'administracion@olivaresdelsur.example',
        '+34 953 000 000',
      ],
    },
    customer: {
      role: label('Cliente'),
      name: 'Distribuciones Hernández e Hijos, S.A.',
      lines: [
        'NIF A58818501',
        'Avenida de la Constitución, 128, 3.º izquierda',
        '41001 Sevilla (Sevilla)',
        'España',
      ],
    },
    corrected: null,
    about: '',
    lines: {
      columns: LINE_LABELS.filter(([key]) => keys.includes(key)).map(([key, text, align]) =>
        column(key, text, align),
      ),
      rows,
      carriedForward: label('Suma y sigue'),
      broughtForward: label('Suma anterior'),
    },
    breakdown: {
      label: label('Desglose de impuestos'),
      columns: [
        column('tax', 'Impuesto', 'start'),
        column('base', 'Base', 'end'),
        column('rate', 'Tipo', 'end'),
        column('amount', 'Cuota', 'end'),
      ],
      rows: [['IVA', euros(base), '21 %', euros(tax)]],
    },
    sums: [
      { label: label('Base imponible'), value: euros(base), weight: 'normal' },
      { label: label('Cuota de IVA'), value: euros(tax), weight: 'normal' },
      { label: label('Total factura'), value: euros(base + tax), weight: 'total' },
      { label: label('Retención IRPF 15 %'), value: euros(-withheld), weight: 'normal' },
      { label: label('Total a pagar'), value: euros(base + tax - withheld), weight: 'pay' },
    ],
    details: [],
    payment: {
      label: label('Forma de pago'),
      terms: 'Transferencia a 30 días desde la fecha de la factura.',
      columns: [
        column('due', 'Vencimiento', 'start'),
        column('method', 'Medio', 'start'),
        column('account', 'Cuenta', 'start'),
        column('amount', 'Importe', 'end'),
      ],
      instalments: [
        {
          due: '4 de abril de 2026',
          method: 'Transferencia',
          account: 'ES91 2100 0418 4502 0005 1332',
          amount: euros(base + tax - withheld),
        },
      ],
      link: null,
      transfers: [{ content: EPC, above: 'Pago por transferencia', below: '' }],
    },
    mentions: null,
    notes: {
      label: label('Observaciones'),
      texts: ['Gracias por su confianza. Para cualquier consulta sobre esta factura, indíquenos su número.'],
    },
    qr: {
      content: QR_URL,
      above: 'QR tributario:',
      below: 'Factura verificable en la sede electrónica de la AEAT',
    },
    foot: [
      'Olivares del Sur, S.L. Inscrita en el Registro Mercantil de Jaén, tomo 512, folio 34, hoja J-12345.',
    ],
    pageOf: label('Página {page} de {pages}'),
  }
}

/** Returns an invoice with many lines and rates, a surcharge, disbursements, a payment on account and instalments. */
export function full({ language = 'es', lines = 14 }: Sample = {}): InvoiceView {
  const view = ordinary({ language, lines })
  const label = labelIn(language)
  const euros = (cents: number): string => money(cents, language)
  const column = (key: string, text: string, align: 'start' | 'end'): ColumnView => ({
    key,
    label: label(text),
    align,
  })
  return {
    ...view,
    about:
      'Suministro de productos y servicios de logística para la campaña de primavera, según contrato marco CM-2026-04.',
    breakdown: {
      label: label('Desglose de impuestos'),
      columns: [
        column('tax', 'Impuesto', 'start'),
        column('base', 'Base', 'end'),
        column('rate', 'Tipo', 'end'),
        column('amount', 'Cuota', 'end'),
        column('surcharge', 'Recargo de equivalencia', 'end'),
      ],
      rows: [
        ['IVA', euros(1_234_567), '21 %', euros(259_259), euros(64_197)],
        ['IVA', euros(98_765), '10 %', euros(9_877), euros(1_383)],
        ['IVA', euros(10_000), '4 %', euros(400), euros(50)],
        ['Exenta (art. 20 LIVA)', euros(45_000), '', '', ''],
        ['No sujeta por reglas de localización', euros(12_000), '', '', ''],
      ],
    },
    sums: [
      { label: label('Base imponible'), value: euros(1_400_332), weight: 'normal' },
      { label: label('Cuota de IVA'), value: euros(269_536), weight: 'normal' },
      { label: label('Recargo de equivalencia'), value: euros(65_630), weight: 'normal' },
      { label: label('Total factura'), value: euros(1_735_498), weight: 'total' },
      { label: label('Retención IRPF 15 %'), value: euros(-210_050), weight: 'normal' },
      { label: label('Suplidos'), value: euros(18_000), weight: 'normal' },
      { label: label('Anticipo recibido'), value: euros(-500_000), weight: 'normal' },
      { label: label('Total a pagar'), value: euros(1_043_448), weight: 'pay' },
    ],
    payment: {
      ...required(view.payment),
      terms: 'Tres plazos; el primero, por transferencia.',
      instalments: ['4 de abril de 2026', '4 de mayo de 2026', '3 de junio de 2026'].map((due, index) => ({
        due,
        method: index === 0 ? 'Transferencia' : 'Recibo domiciliado',
        account: index === 0 ? 'ES91 2100 0418 4502 0005 1332' : 'ES79 2100 0813 6101 2345 6789',
        amount: euros(347_816),
      })),
    },
    mentions: {
      label: label('Menciones'),
      texts: [
        'Operación exenta de IVA en virtud del artículo 20.Uno.18.º de la Ley 37/1992, de 28 de diciembre, del Impuesto sobre el Valor Añadido.',
        'Régimen especial del criterio de caja.',
      ],
    },
  }
}

export function simplified(): InvoiceView {
  const view = ordinary({ lines: 2, columns: ['description', 'quantity', 'price', 'amount'] })
  return {
    ...view,
    title: { text: 'Factura simplificada' },
    number: 'TPV-000871',
    customer: null,
    sums: view.sums.slice(0, 3),
    payment: null,
    notes: null,
    facts: view.facts.slice(1, 2),
    qr: { ...required(view.qr), below: 'VERI*FACTU' },
  }
}

export function corrective(): InvoiceView {
  const label = labelIn('es')
  return {
    ...ordinary({ lines: 1 }),
    title: label('Factura rectificativa'),
    number: 'R-2026-000007',
    corrected: {
      label: label('Rectifica a'),
      facts: [
        { label: label('Número'), value: 'F-2026-000098' },
        { label: label('Fecha'), value: '12 de enero de 2026' },
        {
          label: label('Motivo'),
          value: '80.2: devolución de mercancías y descuentos posteriores a la operación',
        },
        { label: label('Base imponible'), value: money(123_456) },
      ],
    },
    sums: [
      { label: label('Base imponible'), value: money(-70_852), weight: 'normal' },
      { label: label('Cuota de IVA'), value: money(-14_879), weight: 'normal' },
      { label: label('Total factura'), value: money(-85_731), weight: 'total' },
    ],
    payment: null,
  }
}

export const draft = (): InvoiceView => ({
  ...full({ lines: 6 }),
  number: '',
  numberLabel: '',
  watermark: 'BORRADOR',
  qr: null,
})

export const cancelled = (): InvoiceView => ({ ...ordinary(), watermark: 'ANULADA' })

export function received(): InvoiceView {
  const view = full({ lines: 5 })
  return {
    ...view,
    direction: 'received',
    title: { text: 'Factura recibida' },
    number: '2026/A-00981',
    supplier: { ...required(view.customer), role: { text: 'Proveedor' } },
    customer: { ...view.supplier, role: { text: 'Cliente' } },
    qr: null,
    payment: { ...required(view.payment), transfers: [] },
    foot: ['Copia generada a partir de los datos registrados; no es el documento original del proveedor.'],
  }
}

export const bilingual = (): InvoiceView => full({ language: 'es-en', lines: 8 })

export const english = (): InvoiceView => ordinary({ language: 'en', lines: 4 })

/** Returns an invoice with names in other alphabets and characters that no font has. */
export function foreign(): InvoiceView {
  const view = ordinary()
  return {
    ...view,
    supplier: { ...view.supplier, name: 'Żółć i Wspólnicy sp. z o.o. Łódź' },
    customer: {
      ...required(view.customer),
      name: 'Ελληνική Εταιρεία Τροφίμων Α.Ε.',
      lines: ['ΑΦΜ EL094259216', 'Οδός Πανεπιστημίου 39', 'Αθήνα', 'ООО «Ромашка», Москва', '東京 株式会社'],
    },
  }
}

/** Returns an invoice with a customer name of 120 characters, and a word of 300 characters without a break opportunity. */
export function long(): InvoiceView {
  const view = ordinary({ lines: 2 })
  return {
    ...view,
    customer: {
      ...required(view.customer),
      name: 'Sociedad Cooperativa Andaluza de Productores y Comercializadores de Aceite de Oliva Virgen Extra de la Sierra de Segura y Cazorla'.slice(
        0,
        120,
      ),
    },
    lines: {
      ...view.lines,
      rows: view.lines.rows.map((row, index) =>
        index === 0
          ? { ...row, cells: { ...row.cells, description: 'x'.repeat(150) + 'W'.repeat(150) } }
          : row,
      ),
    },
  }
}
