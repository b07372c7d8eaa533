/** Rules for the lines of the tax breakdown: the classification of the operation, and the fields that it requires. */
import { design, ERROR_LIST, validations } from '../model/laws.ts'
import { AMOUNT_CODES } from './amount-checks.ts'
import type { AltaContext, BreakdownLine } from './check-context.ts'
import { type AuthorityCode, type Fail, offline, refusedAt } from './check-declaration.ts'
import { isRegimeKey, isVatOrIgic } from './regime-key-checks.ts'

const LINE = '/Desglose/DetalleDesglose'

const RATE = ['TipoImpositivo', 'CuotaRepercutida'] as const
const SURCHARGE = ['TipoRecargoEquivalencia', 'CuotaRecargoEquivalencia'] as const
const TAX_FIELDS = [...RATE, ...SURCHARGE]
type TaxField = (typeof TAX_FIELDS)[number]

type FieldsCode = 1198 | 1207 | 1208 | 1209 | 1237 | 1238 | 1281 | 1284
interface FieldsFault {
  readonly code: FieldsCode
  /** The first field that is missing or not allowed. */
  readonly field: TaxField
  /** All fields that are missing or not allowed. */
  readonly fields: readonly string[]
}

const fault = (code: FieldsCode, fields: readonly TaxField[]): FieldsFault | undefined => {
  const [field] = fields
  return field && { code, field, fields }
}

const present = ({ line }: BreakdownLine, names: readonly TaxField[]): TaxField[] =>
  names.filter((name) => line[name] !== undefined)

const absent = ({ line }: BreakdownLine, names: readonly TaxField[]): TaxField[] =>
  names.filter((name) => line[name] === undefined)

/**
 * Returns the required rate or tax that a taxed line does not state. With a base at cost outside regime key 06, neither
 * is required.
 */
function missingOfTaxed(line: BreakdownLine): FieldsFault | undefined {
  if (line.key === '06') return fault(1209, absent(line, RATE))
  return line.line.BaseImponibleACoste === undefined ? fault(1208, absent(line, RATE)) : undefined
}

/** Returns the fault of a reverse charge, which must state a rate of 0 and a tax of 0. */
function notZero(line: BreakdownLine): FieldsFault | undefined {
  const missing = absent(line, RATE)
  if (missing.length > 0) return fault(1198, missing)
  const charged = RATE.filter((name) => (name === 'TipoImpositivo' ? line.rate : line.amount))
  return fault(1198, charged)
}

const oneOfTwo = (line: BreakdownLine): FieldsFault | undefined =>
  present(line, SURCHARGE).length === 1 ? fault(1284, absent(line, SURCHARGE)) : undefined

/** Returns the missing or disallowed fields of a line under the first code that applies. */
function fieldsFault(line: BreakdownLine): FieldsFault | undefined {
  switch (line.kind) {
    case 'S1':
      return missingOfTaxed(line) ?? oneOfTwo(line)
    case 'S2':
      return notZero(line) ?? fault(1281, present(line, SURCHARGE))
    case 'E':
      return fault(1238, present(line, TAX_FIELDS))
    case undefined:
      return undefined
    default:
      if (line.tax === '01') return fault(1237, present(line, TAX_FIELDS))
      return line.amount ? fault(1207, ['CuotaRepercutida']) : fault(1281, present(line, SURCHARGE))
  }
}

/** Whether the classification or the fields of a line are wrong, which makes its sums meaningless. */
export const hasFieldsFault = (line: BreakdownLine): boolean =>
  line.kind === undefined || fieldsFault(line) !== undefined

const fields =
  (code: FieldsCode) =>
  ({ lines }: AltaContext, fail: Fail): void => {
    for (const line of lines) {
      const found = fieldsFault(line)
      if (found?.code === code)
        fail(`${line.path}/${found.field}`, { fields: found.fields, kind: line.operation ?? line.exemption })
    }
  }

export const BREAKDOWN_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1195,
    field: 'CalificacionOperacion or OperacionExenta',
    law: design('2'),
    en: [
      'The line states neither how its operation is taxed nor why it is exempt.',
      'Send CalificacionOperacion (S1, S2, N1, N2) or OperacionExenta (E1 to E8).',
    ],
    es: [
      'La línea no indica cómo tributa su operación ni por qué está exenta.',
      'Envíe CalificacionOperacion (S1, S2, N1, N2) u OperacionExenta (E1 a E8).',
    ],
    structure: ({ location, field }) => location === LINE && field.includes('CalificacionOperacion'),
  }),
  offline({
    code: 1196,
    field: 'CalificacionOperacion or OperacionExenta',
    law: design('2'),
    en: [
      'The line states how its operation is taxed and also that it is exempt.',
      'Send either CalificacionOperacion or OperacionExenta, not both; split a line that mixes taxed and exempt operations.',
    ],
    es: [
      'La línea indica cómo tributa su operación y también que está exenta.',
      'Envíe CalificacionOperacion u OperacionExenta, no ambas; divida la línea si mezcla operaciones gravadas y exentas.',
    ],
    structure: ({ location, kind }) => kind === 'exclusive' && location.startsWith(`${LINE}/`),
  }),
  offline({
    code: 1181,
    field: 'CalificacionOperacion',
    law: design('6, L9'),
    en: [
      '"{received}" is not a valid CalificacionOperacion.',
      'Send S1 taxed, S2 reverse charge, N1 not subject, or N2 not subject by place of supply.',
    ],
    es: [
      '«{received}» no es un valor válido de CalificacionOperacion.',
      'Envíe S1 sujeta, S2 con inversión del sujeto pasivo, N1 no sujeta o N2 no sujeta por localización.',
    ],
    structure: refusedAt(`${LINE}/CalificacionOperacion`),
  }),
  offline({
    code: 1182,
    field: 'OperacionExenta',
    law: validations('3.1.3.15.5'),
    en: [
      '"{received}" is not an exemption code of this tax.',
      'Send E1 to E6; E7 and E8 exist for the IGIC alone (Impuesto 03).',
    ],
    es: [
      '«{received}» no es una causa de exención de este impuesto.',
      'Envíe E1 a E6; E7 y E8 solo existen en el IGIC (Impuesto 03).',
    ],
    structure: refusedAt(`${LINE}/OperacionExenta`),
    alta({ lines }, fail) {
      for (const { path, kind, exemption, tax } of lines)
        if (kind === 'E' && (exemption === 'E7' || exemption === 'E8') && ['01', '02', '05'].includes(tax))
          fail(`${path}/OperacionExenta`, { received: exemption, tax })
    },
  }),
  offline({
    code: 1218,
    field: 'Impuesto',
    law: design('6, L1'),
    en: ['"{received}" is not a tax code.', 'Send 01 IVA (the default), 02 IPSI, 03 IGIC or 05 other.'],
    es: [
      '«{received}» no es un código de impuesto.',
      'Envíe 01 IVA (valor por defecto), 02 IPSI, 03 IGIC o 05 otros.',
    ],
    structure: refusedAt(`${LINE}/Impuesto`),
  }),
  offline({
    code: 1198,
    field: 'TipoImpositivo and CuotaRepercutida',
    law: validations('3.1.3.15.4'),
    en: [
      'Under the reverse charge (S2) no tax is charged: {fields} must be 0.',
      'Send TipoImpositivo 0 and CuotaRepercutida 0; if tax is charged, send S1.',
    ],
    es: [
      'Con inversión del sujeto pasivo (S2) no se repercute cuota: {fields} debe ser 0.',
      'Envíe TipoImpositivo 0 y CuotaRepercutida 0; si se repercute cuota, envíe S1.',
    ],
    alta: fields(1198),
  }),
  offline({
    code: 1207,
    field: 'CuotaRepercutida',
    law: validations('3.1.3.15.7'),
    en: [
      'Tax is charged on an operation that is not subject to tax ({kind}).',
      'Omit CuotaRepercutida, or send S1 if the operation is taxed.',
    ],
    es: [
      'Se repercute cuota en una operación no sujeta ({kind}).',
      'Omita CuotaRepercutida o envíe S1 si la operación está sujeta.',
    ],
    alta: fields(1207),
  }),
  offline({
    code: 1208,
    field: 'TipoImpositivo and CuotaRepercutida',
    law: validations('3.1.3.15.7'),
    en: [
      'A taxed line (S1) must state the tax rate and the tax amount; this one lacks {fields}.',
      'Send both, even if 0.',
    ],
    es: [
      'Una línea sujeta (S1) debe indicar tipo y cuota; en esta falta {fields}.',
      'Envíe los dos, aunque sean 0.',
    ],
    alta: fields(1208),
  }),
  offline({
    code: 1209,
    field: 'TipoImpositivo and CuotaRepercutida',
    law: validations('3.1.3.15.7'),
    en: [
      'A taxed line (S1) of a VAT group (regime key 06) must state the tax rate and the tax amount; this one lacks {fields}.',
      'Send both, even if 0.',
    ],
    es: [
      'Una línea sujeta (S1) de un grupo de entidades (clave de régimen 06) debe indicar tipo y cuota; en esta falta {fields}.',
      'Envíe los dos, aunque sean 0.',
    ],
    alta: fields(1209),
  }),
  offline({
    code: 1237,
    field: 'CalificacionOperacion N1/N2',
    law: validations('3.1.3.15.4'),
    en: [
      'An operation not subject to IVA ({kind}) must have no tax rate, tax amount or equivalence surcharge; the line has {fields}.',
      'Omit these fields, even if 0.',
    ],
    es: [
      'Una operación no sujeta al IVA ({kind}) no lleva tipo, cuota ni recargo; la línea lleva {fields}.',
      'Omita esos campos, aunque valgan 0.',
    ],
    alta: fields(1237),
  }),
  offline({
    code: 1238,
    field: 'OperacionExenta',
    law: validations('3.1.3.15.5'),
    en: [
      'An exempt operation ({kind}) must have no tax rate, tax amount or equivalence surcharge; the line has {fields}.',
      'Omit these fields, even if 0.',
    ],
    es: [
      'Una operación exenta ({kind}) no lleva tipo, cuota ni recargo; la línea lleva {fields}.',
      'Omita esos campos, aunque valgan 0.',
    ],
    alta: fields(1238),
  }),
  offline({
    code: 1257,
    field: 'BaseImponibleACoste',
    law: validations('3.1.3.15.2'),
    en: [
      'A taxable amount at cost (BaseImponibleACoste) is only for VAT groups (regime key 06), the IPSI (Impuesto 02) and other taxes (05).',
      'Omit BaseImponibleACoste, or send the regime key or the tax that applies.',
    ],
    es: [
      'La base a coste (BaseImponibleACoste) es solo para los grupos de entidades (clave de régimen 06), el IPSI (Impuesto 02) y otros impuestos (05).',
      'Omita BaseImponibleACoste o envíe la clave de régimen o el impuesto que corresponda.',
    ],
    alta({ lines }, fail) {
      for (const line of lines)
        if (line.line.BaseImponibleACoste !== undefined && isVatOrIgic(line))
          if (isRegimeKey(line.key) && line.key !== '06')
            fail(`${line.path}/BaseImponibleACoste`, { key: line.key, tax: line.tax })
    },
  }),
  offline({
    code: 1281,
    field: 'TipoRecargoEquivalencia and CuotaRecargoEquivalencia',
    law: ERROR_LIST,
    en: [
      'Only taxed operations (S1) may have an equivalence surcharge; this one is {kind} and has {fields}.',
      'Omit these fields.',
    ],
    es: [
      'El recargo de equivalencia solo acompaña a operaciones sujetas (S1); esta es {kind} y lleva {fields}.',
      'Omita esos campos.',
    ],
    alta: fields(1281),
  }),
  offline({
    code: 1284,
    field: 'TipoRecargoEquivalencia and CuotaRecargoEquivalencia',
    law: ERROR_LIST,
    en: [
      'An equivalence surcharge must have a rate and an amount; this one lacks {fields}.',
      'Send both, or neither if there is no equivalence surcharge.',
    ],
    es: [
      'El recargo de equivalencia debe llevar tipo y cuota; en este falta {fields}.',
      'Envíe los dos, o ninguno si no hay recargo.',
    ],
    alta: fields(1284),
  }),
  ...AMOUNT_CODES,
]
