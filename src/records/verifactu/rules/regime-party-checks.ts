/** Rules for regimes and exemptions that require certain types of invoices and recipients. */
import { required } from '#core/errors/index.ts'
import { validations } from '../model/laws.ts'
import type { AltaContext, BreakdownLine } from './check-context.ts'
import { type AuthorityCode, type Fail, offline } from './check-declaration.ts'
import { isKnownTypeOutside } from './invoice-type-checks.ts'
import { isVatOrIgic, PUBLIC_WORKS_KEY } from './regime-key-checks.ts'

const GROUP = '06'
const COLLECTIONS = '10'

const withKey = ({ lines }: AltaContext, key: string): BreakdownLine[] =>
  lines.filter((line) => line.key === key && isVatOrIgic(line))

/** Types allowed under regime keys 06 and 14: full invoices and their corrections. */
const GROUP_TYPES = ['F1', 'R1', 'R2', 'R3', 'R4']

const failType = ({ type }: AltaContext, allowed: readonly string[], fail: Fail): void => {
  if (isKnownTypeOutside(type, allowed)) fail('/TipoFactura', { received: type, allowed })
}

/**
 * Whether a NIF belongs to a local authority (P), a public body (Q), the State or a region (S), or another entity (V).
 */
const isBodyOfWorks = (nif: string): boolean => /^[PQSV]/.test(nif)

export const REGIME_PARTY_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1202,
    field: 'ClaveRegimen 06',
    law: validations('3.1.3.15.6.4'),
    en: [
      'In a VAT group at the advanced level (regime key 06), invoices must be of type F1 or R1 to R4, and every line must state its taxable amount at cost (BaseImponibleACoste).',
      'Correct {field}, or send the regime key that applies.',
    ],
    es: [
      'En un grupo de entidades de nivel avanzado (clave de régimen 06) las facturas son de tipo F1 o R1 a R4 y cada línea lleva su base a coste (BaseImponibleACoste).',
      'Corrija {field} o envíe la clave de régimen que corresponda.',
    ],
    alta(context, fail) {
      const lines = withKey(context, GROUP)
      if (lines.length > 0) failType(context, GROUP_TYPES, fail)
      for (const { line, path } of lines)
        if (line.BaseImponibleACoste === undefined) fail(`${path}/BaseImponibleACoste`)
    },
  }),
  offline({
    code: 1205,
    field: 'ClaveRegimen 10',
    law: validations('3.1.3.15.6.7'),
    en: [
      'Collections for third parties (regime key 10) must be not subject to tax (N1), and the invoices must be of type F1, with recipients that have a NIF.',
      'Correct {field}, or send the regime key that applies.',
    ],
    es: [
      'Los cobros por cuenta de terceros (clave de régimen 10) no están sujetos (N1), en facturas de tipo F1 a destinatarios con NIF.',
      'Corrija {field} o envíe la clave de régimen que corresponda.',
    ],
    alta(context, fail) {
      const lines = withKey(context, COLLECTIONS)
      if (lines.length === 0) return
      failType(context, ['F1'], fail)
      for (const { path, person } of context.recipients) if (person.NIF === undefined) fail(`${path}/IDOtro`)
      for (const { kind, line, path } of lines) {
        if (kind === undefined || kind === 'N1') continue
        const field = kind === 'E' ? 'OperacionExenta' : 'CalificacionOperacion'
        fail(`${path}/${field}`, { received: line[field] })
      }
    },
  }),
  offline({
    code: 1148,
    field: 'TipoFactura',
    law: validations('3.1.3.15.6.9'),
    en: [
      'Works certificates for public bodies (regime key 14) must be invoices of type F1 or R1 to R4, not {received}.',
      'Send one of these types, or the regime key that applies.',
    ],
    es: [
      'Las certificaciones de obra para Administraciones públicas (clave de régimen 14) son facturas de tipo F1 o R1 a R4, no {received}.',
      'Envíe uno de esos tipos o la clave de régimen que corresponda.',
    ],
    alta(context, fail) {
      if (withKey(context, PUBLIC_WORKS_KEY).length > 0) failType(context, GROUP_TYPES, fail)
    },
  }),
  offline({
    code: 1149,
    field: 'Destinatarios/IDDestinatario/NIF',
    law: validations('3.1.3.15.6.9'),
    en: [
      'The recipient of works certificates (regime key 14) must be a public body: its NIF starts with P, Q, S or V, unlike {received}.',
      'Send the body’s NIF, or the regime key that applies.',
    ],
    es: [
      'El destinatario de certificaciones de obra (clave de régimen 14) es una Administración pública: su NIF empieza por P, Q, S o V, a diferencia de {received}.',
      'Envíe el NIF de la Administración o la clave de régimen que corresponda.',
    ],
    partly: {
      en: 'Whether the NIF is in the census, which only the tax authority knows.',
      es: 'Si el NIF está en el censo, lo que solo sabe la AEAT.',
    },
    alta(context, fail) {
      if (withKey(context, PUBLIC_WORKS_KEY).length === 0) return
      for (const { path, person } of context.recipients) {
        if (person.NIF === undefined) fail(`${path}/IDOtro`, { received: required(person.IDOtro).ID })
        else if (!isBodyOfWorks(person.NIF)) fail(`${path}/NIF`, { received: person.NIF })
      }
    },
  }),
  offline({
    code: 1289,
    field: 'OperacionExenta E5',
    law: `${validations('3.1.3.15.5.1')}; art. 25 Ley 37/1992`,
    en: [
      'The customer of an intra-Community supply (E5) must be identified in another member state, not by the Spanish NIF {received}.',
      'Send IDOtro with IDType 02 and its VAT number, or the exemption that applies.',
    ],
    es: [
      'El cliente de una entrega intracomunitaria (E5) debe estar identificado en otro Estado miembro, no con el NIF español {received}.',
      'Envíe IDOtro con IDType 02 y su NIF-IVA o la exención que corresponda.',
    ],
    alta({ lines, recipients }, fail) {
      if (!lines.some(({ tax, kind, exemption }) => tax === '01' && kind === 'E' && exemption === 'E5'))
        return
      for (const { path, person } of recipients)
        if (person.NIF !== undefined) fail(`${path}/NIF`, { received: person.NIF })
    },
  }),
]
