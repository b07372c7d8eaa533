/** Writes the formulas of explanations in plain English or Spanish. */
import type { Locale } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import { hasLabel, labelOf } from './labels.ts'

type Pattern = readonly [RegExp, (...groups: string[]) => string]

const lines = (n: string, one = 'línea', many = 'líneas') => `${n} ${n === '1' ? one : many}`

/** Translations of the sentences of `src/api/explanation`. Other sentences stay in English. */
const SPANISH: readonly Pattern[] = [
  [/sum of (\d+) lines? with tax/, (n) => `suma de ${lines(required(n))} con impuesto`],
  [/sum of (\d+) line bases?/, (n) => `suma de ${lines(required(n), 'base de línea', 'bases de línea')}`],
  [/sum of margins, each/, () => 'suma de márgenes, cada uno'],
  [/ with its part of /, () => ' con su parte de '],
  [/ and at least 0$/, () => ' y como mínimo 0'],
  [/ x sum of their gross_amount_without_tax/, () => ' x suma de sus gross_amount_without_tax'],
  [
    / x size of the group \/ sum of the sizes of the groups/,
    () => ' x tamaño del grupo / suma de los tamaños de los grupos',
  ],
  [/ \+ its proportional part of /, () => ' + su parte proporcional de '],
  [/, each as sent or its rate x /, () => ', cada uno tal como se envió o su porcentaje x '],
  [
    /sum of tax_withheld_base of the lines of each tax_withheld_rate x that rate/,
    () => 'suma de tax_withheld_base de las líneas de cada tax_withheld_rate x ese porcentaje',
  ],
  [/^amount sent$/, () => 'importe enviado'],
  [/(\w+) sent x exchange_rate/, (name) => `${name} (importe enviado) x exchange_rate`],
  [/sum of (\w+) of (\d+) lines?/, (name, n) => `suma de ${name} de ${lines(required(n))}`],
  [
    /sum of (\d+) amounts? of (\w+)/,
    (n, name) => `suma de ${lines(required(n), 'importe', 'importes')} de ${name}`,
  ],
  [
    /sum of tax_amount and equivalence_surcharge_amount of taxes_outputs/,
    () => 'suma de cuotas y recargos del desglose',
  ],
  [/sum of taxable_base of the NON_TAXABLE entries/, () => 'suma de las bases no sujetas'],
  [/sum of (\w+) of (\w+)/, (name, list) => `suma de ${name} de ${list}`],
  [/(\w+) sent, or 0/, (name) => `${name} tal como se envió, o 0`],
  [/ exceeds the price/, () => ' supera el precio'],
  [/no Spanish tax/, () => 'sin impuesto español'],
  [/ \+ the tax on it alone/, () => ' + el impuesto que le corresponde'],
  [/taxable_base sent for this part of the group/, () => 'taxable_base enviada para esta parte del grupo'],
  [/tax sent for this part of the group/, () => 'cuota enviada para esta parte del grupo'],
  [/ ([-+]) tax$/, (sign) => ` ${sign} impuesto`],
  [/\bprice - /, () => 'precio - '],
]

const RULES_ES: Readonly<Record<string, string>> = {
  'line: quantity x price, rounded once': 'línea: cantidad por precio, redondeado una vez',
  'line discount or charge: the amount sent, or the rate applied to the cost of the line':
    'descuento o recargo de línea: el importe enviado o, si no, el porcentaje sobre el coste',
  'sum of amounts already rounded to cents': 'suma de importes ya redondeados a céntimos',
  'line tax: informative, rounded on its own; the breakdown prevails':
    'cuota de la línea: informativa, redondeada por separado; prevalece el desglose',
  'group: calculated once per tax group, never line by line':
    'grupo: una vez por grupo de impuesto, nunca línea a línea',
  'price with tax: base of the whole group, so that the price charged is kept to the cent':
    'precio con impuesto: base de todo el grupo, para respetar al céntimo lo cobrado',
  'largest remainder: the parts add up to the group': 'método del mayor resto: las partes suman el grupo',
  'margin scheme: only the margin is taxed, and never below zero':
    'régimen de margen: solo tributa el margen, y nunca menos de cero',
  'document discount or surcharge: the amount sent, or the rate applied to the sum of the lines':
    'descuento o cargo general: el importe enviado o, si no, el porcentaje sobre la suma de líneas',
  'entry sent by the client, within the tolerance': 'importe enviado, dentro de la tolerancia',
  'total sent without the list of its amounts': 'total enviado sin la lista de sus importes',
  'single instalment: the whole amount to pay': 'vencimiento único: todo el importe a pagar',
  'imported and received invoices keep the amounts sent':
    'las facturas importadas y recibidas conservan los importes enviados',
  'foreign currency: original amount x exchange_rate (euros per unit)':
    'moneda extranjera: importe original por tipo de cambio (euros por unidad)',
}

export function localFormula(formula: string, locale: Locale): string {
  let translated = formula
  if (locale === 'es')
    for (const [pattern, put] of SPANISH)
      translated = translated.replace(pattern, (_, ...groups) => put(...(groups as string[])))
  const named = translated
    .replace(
      /invoice_currency\.(\w+)/g,
      (_, name: string) => `${name} (${labelOf('invoice_currency', locale)})`,
    )
    .replace(/[a-z]+(?:_[a-z]+)+|\bquantity\b/g, (name) => (hasLabel(name) ? labelOf(name, locale) : name))
    .replace(/ x /g, ' × ')
    .replace(/ - /g, ' − ')
    .replace(/(\d) %/g, '$1 %')
  return locale === 'es' ? named.replace(/(\d)\.(\d)/g, '$1,$2') : named
}

export const localRule = (rule: string, locale: Locale): string =>
  locale === 'es' ? (RULES_ES[rule] ?? rule) : rule
