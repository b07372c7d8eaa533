/** The list of examples. The text of the first example is included; the others are loaded on demand. */
import first from '../../../examples/01-services-irpf.json?raw'
import type { Text } from '../../api/index.ts'
import { required } from '../../errors/index.ts'

export const FIRST_EXAMPLE = '01-services-irpf'
export const firstText = first

interface Example extends Text {
  readonly id: string
}
interface Group {
  readonly title: Text
  readonly examples: readonly Example[]
}

const example = (id: string, en: string, es: string): Example => ({ id, en, es })

export const EXAMPLES: readonly Group[] = [
  {
    title: { en: 'Everyday', es: 'Habituales' },
    examples: [
      example(
        '01-services-irpf',
        'Professional services with withholding',
        'Servicios profesionales con retención',
      ),
      example('02-shop-prices-with-tax', 'Online shop, prices with tax', 'Tienda en línea, precios con IVA'),
      example('13-simplified-ticket', 'Till receipt, three rates', 'Factura simplificada, tres tipos'),
      example(
        '14-document-discounts',
        'Discounts, advances and instalments',
        'Descuentos, anticipos y vencimientos',
      ),
      example('03-equivalence-surcharge', 'Equivalence surcharge', 'Recargo de equivalencia'),
      example('blank', 'An empty invoice', 'Una factura en blanco'),
    ],
  },
  {
    title: { en: 'Exempt, abroad, reverse charge', es: 'Exentas, exterior, inversión del sujeto pasivo' },
    examples: [
      example('04-export', 'Export to the United States', 'Exportación a Estados Unidos'),
      example(
        '05-intra-community',
        'Supply to a German company',
        'Entrega intracomunitaria a una empresa alemana',
      ),
      example('06-reverse-charge', 'Building works, reverse charge', 'Obras con inversión del sujeto pasivo'),
      example('07-exempt-training', 'Exempt training and taxed rent', 'Formación exenta y alquiler gravado'),
      example(
        '08-one-stop-shop-france',
        'One-stop shop: a customer in France',
        'Ventanilla única: cliente en Francia',
      ),
    ],
  },
  {
    title: { en: 'Special schemes', es: 'Regímenes especiales' },
    examples: [
      example('09-cash-basis', 'Cash basis, to a town council', 'Criterio de caja, a un ayuntamiento'),
      example('10-margin-used-goods', 'Used goods, margin scheme', 'Bienes usados (REBU)'),
      example('17-travel-agency', 'Travel agency, package trip', 'Agencia de viajes, viaje combinado'),
      example('18-self-invoice', 'Self-billing for a commission agent', 'Autofactura a un comisionista'),
    ],
  },
  {
    title: { en: 'Corrections', es: 'Rectificativas' },
    examples: [
      example(
        '11-corrective-substitution',
        'Corrective invoice by substitution',
        'Rectificativa por sustitución',
      ),
      example(
        '12-corrective-differences',
        'Corrective invoice by differences',
        'Rectificativa por diferencias',
      ),
    ],
  },
  {
    title: { en: 'Received', es: 'Recibidas' },
    examples: [
      example('15-received-electricity', 'Electricity bill', 'Factura de la luz'),
      example(
        '16-received-usd',
        'Software in dollars, self-assessed VAT',
        'Software en dólares, IVA autorrepercutido',
      ),
    ],
  },
  {
    title: { en: 'Errors', es: 'Errores' },
    examples: [example('everything-wrong', 'Everything wrong', 'Con todos los errores')],
  },
]

export const exampleName = (id: string): Text | undefined =>
  EXAMPLES.flatMap(({ examples }) => examples).find((one) => one.id === id)

export async function exampleText(id: string): Promise<string> {
  if (id === FIRST_EXAMPLE) return firstText
  const { TEXTS } = await import('./texts.ts')
  return required(TEXTS[id])
}
