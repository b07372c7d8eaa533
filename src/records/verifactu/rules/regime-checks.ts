/** Rules for regime keys: the keys of each tax, and the operations that each key allows. */
import { required } from '#core/errors/index.ts'
import { timestampOf, toFecha } from '../../fiscal/literals.ts'
import { validations } from '../model/laws.ts'
import type { AltaContext, BreakdownLine } from './check-context.ts'
import { type AuthorityCode, type Effect, offline, refusedAt } from './check-declaration.ts'
import { isRegimeKey, isVatOrIgic, keysOf } from './regime-key-checks.ts'
import { REGIME_PARTY_CODES } from './regime-party-checks.ts'

const IPSI = '02'
const IGIC = '03'
const OTHER = '05'

/** First day on which the authority rejects a record with IPSI but without a regime key. */
const IPSI_KEY_FROM = '2027-01-01'

const ipsiEffect = ({ record, issueDate }: AltaContext): Effect => {
  const timestamp = record.FechaHoraHusoGenRegistro
  const day = timestampOf(timestamp) === undefined ? issueDate : timestamp
  return day !== undefined && day >= IPSI_KEY_FROM ? 'rejects-record' : 'accepted-with-errors'
}

const keyPath = ({ path }: BreakdownLine): string => `${path}/ClaveRegimen`

/** Declares the code for operations that a regime key excludes, for the taxes that have this key. */
const operationCode = (
  code: number,
  section: string,
  key: string,
  isRefused: (line: BreakdownLine) => boolean,
  en: readonly [message: string, fix: string],
  es: readonly [message: string, fix: string],
  isTax: (line: BreakdownLine) => boolean = isVatOrIgic,
): AuthorityCode =>
  offline({
    code,
    field: 'CalificacionOperacion or OperacionExenta',
    law: validations(`3.1.3.15.${section}`),
    en,
    es,
    alta({ lines }, fail) {
      for (const line of lines) {
        if (line.key !== key || line.kind === undefined || !isTax(line) || !isRefused(line)) continue
        const field = line.kind === 'E' ? 'OperacionExenta' : 'CalificacionOperacion'
        fail(`${line.path}/${field}`, { key, received: line.line[field] })
      }
    },
  })

const isExemptAs =
  (...exemptions: readonly string[]) =>
  ({ exemption }: BreakdownLine): boolean =>
    exemptions.some((one) => one === exemption)

const isExportExemption = isExemptAs('E2', 'E3')
const isForeignExemption = isExemptAs('E2', 'E3', 'E4', 'E5')

const KEY_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1245,
    field: 'ClaveRegimen',
    law: validations('3.1.3.15.6'),
    en: [
      'A line with IVA or IGIC requires its regime key.',
      'Send ClaveRegimen; 01 is the key of the general regime.',
    ],
    es: [
      'Una línea de IVA o IGIC exige su clave de régimen.',
      'Envíe ClaveRegimen; 01 es el régimen general.',
    ],
    alta({ lines }, fail) {
      for (const line of lines) if (line.key === undefined && isVatOrIgic(line)) fail(keyPath(line))
    },
  }),
  offline({
    code: 1246,
    field: 'ClaveRegimen',
    law: validations('3.1.3.15.6'),
    en: ['"{received}" is not a regime key of this tax.', 'Send one of {allowed}.'],
    es: ['«{received}» no es una clave de régimen de este impuesto.', 'Envíe una de {allowed}.'],
    structure: refusedAt('/Desglose/DetalleDesglose/ClaveRegimen'),
    alta({ lines }, fail) {
      for (const line of lines.filter(isVatOrIgic)) {
        const allowed = keysOf(line.tax)
        if (isRegimeKey(line.key) && !allowed.includes(required(line.key)))
          fail(keyPath(line), { received: line.key, allowed, tax: line.tax })
      }
    },
  }),
  offline({
    code: 1260,
    field: 'ClaveRegimen',
    law: validations('3.1.3.15.6'),
    en: [
      'Other taxes (Impuesto 05) have no regime keys.',
      'Omit ClaveRegimen, or send the tax that applies.',
    ],
    es: [
      'Los otros impuestos (Impuesto 05) no tienen clave de régimen.',
      'Omítala o envíe el impuesto que corresponda.',
    ],
    alta({ lines }, fail) {
      for (const line of lines)
        if (line.tax === OTHER && isRegimeKey(line.key)) fail(keyPath(line), { received: line.key })
    },
  }),
  offline({
    code: 2009,
    effect: 'accepted-with-errors',
    needs_subsanacion: false,
    field: 'ClaveRegimen',
    law: validations('3.1.3.15.6'),
    en: [
      'A line with IPSI requires its regime key. Records are accepted without it up to 31-12-2026 and rejected from 01-01-2027.',
      'Send ClaveRegimen, one of {allowed}; 01 is the key of the general regime.',
    ],
    es: [
      'Una línea de IPSI exige su clave de régimen. Sin ella, los registros se aceptan hasta el 31-12-2026 y se rechazan desde el 01-01-2027.',
      'Envíe ClaveRegimen, una de {allowed}; 01 es el régimen general.',
    ],
    alta(context, fail) {
      const allowed = keysOf(IPSI)
      for (const line of context.lines)
        if (
          line.tax === IPSI &&
          (line.key === undefined || (isRegimeKey(line.key) && !allowed.includes(line.key)))
        )
          fail(
            keyPath(line),
            { received: line.key ?? '', allowed, rejects_from: toFecha(IPSI_KEY_FROM) },
            ipsiEffect(context),
          )
    },
  }),
]

const OPERATION_CODES: readonly AuthorityCode[] = [
  operationCode(
    1199,
    '5',
    '01',
    isExportExemption,
    [
      'Exemption {received} is not allowed under the general regime (regime key 01).',
      'Send regime key 02 for exports and equivalent operations, or the exemption that applies.',
    ],
    [
      'La exención {received} no se admite en el régimen general (clave de régimen 01).',
      'Envíe la clave de régimen 02 para exportaciones y asimiladas o la exención que corresponda.',
    ],
  ),
  operationCode(
    1286,
    '6.1',
    '02',
    ({ kind }) => kind !== 'E',
    [
      'Exports (regime key 02) are exempt; this line is {received}.',
      'Send OperacionExenta, or the regime key that applies. For a line not subject to tax, send regime key 01.',
    ],
    [
      'Las exportaciones (clave de régimen 02) están exentas; esta línea es {received}.',
      'Envíe OperacionExenta o la clave de régimen que corresponda. Para una línea no sujeta, envíe la clave de régimen 01.',
    ],
  ),
  operationCode(
    1200,
    '6.2',
    '03',
    ({ kind }) => kind !== 'S1' && kind !== 'E',
    [
      'Second-hand goods, art and antiques (regime key 03) are taxed as S1; this line is {received}.',
      'Send S1, or the regime key that applies.',
    ],
    [
      'Los bienes usados, arte y antigüedades (clave de régimen 03) tributan como S1; esta línea es {received}.',
      'Envíe S1 o la clave de régimen que corresponda.',
    ],
  ),
  operationCode(
    1201,
    '6.3',
    '04',
    ({ kind }) => kind !== 'S2' && kind !== 'E',
    [
      'Investment gold (regime key 04) must be S2 or exempt; this line is {received}.',
      'Send S2 or OperacionExenta, or the regime key that applies.',
    ],
    [
      'El oro de inversión (clave de régimen 04) es S2 o está exento; esta línea es {received}.',
      'Envíe S2 u OperacionExenta o la clave de régimen que corresponda.',
    ],
  ),
  operationCode(
    1203,
    '6.5',
    '07',
    (line) => isForeignExemption(line) || (line.kind !== 'S1' && line.kind !== 'E'),
    [
      'The cash basis (regime key 07) does not apply to this line, which is {received}.',
      'Send the regime key of this line; lines of one invoice may have different regime keys.',
    ],
    [
      'El criterio de caja (clave de régimen 07) no se aplica a esta línea, que es {received}.',
      'Envíe la clave de régimen de esta línea; las líneas de una factura pueden tener claves distintas.',
    ],
  ),
  operationCode(
    1252,
    '6.6',
    '08',
    ({ kind }) => kind !== 'N2',
    [
      'Operations subject to another territory’s tax (regime key 08) are not subject to this one (N2); this line is {received}.',
      'Send N2, or the regime key that applies.',
    ],
    [
      'Las operaciones sujetas al impuesto de otro territorio (clave de régimen 08) no están sujetas a este (N2); esta línea es {received}.',
      'Envíe N2 o la clave de régimen que corresponda.',
    ],
  ),
  operationCode(
    1293,
    '6.10',
    '20',
    ({ kind }) => kind !== 'N2',
    [
      'Operations subject to the IPSI (IGIC, regime key 20) are not subject to the IGIC (N2); this line is {received}.',
      'Send N2, or the regime key that applies.',
    ],
    [
      'Las operaciones sujetas al IPSI (IGIC, clave de régimen 20) no están sujetas al IGIC (N2); esta línea es {received}.',
      'Envíe N2 o la clave de régimen que corresponda.',
    ],
    ({ tax }) => tax === IGIC,
  ),
]

export const REGIME_CODES: readonly AuthorityCode[] = [
  ...KEY_CODES,
  ...OPERATION_CODES,
  ...REGIME_PARTY_CODES,
]
