/** Rules for the type of invoice and the blocks that it requires. */
import { design, validations } from '../model/laws.ts'
import { type AuthorityCode, offline, refusedAt } from './check-declaration.ts'
import { FLAG_CODES } from './flag-checks.ts'
import { CORRECTIVE, isKnownTypeOutside, WITH_RECIPIENT } from './invoice-type-checks.ts'
import { RECIPIENT_CODES } from './recipient-checks.ts'

const isRefusedType = refusedAt('/TipoFactura')

const TYPE_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1265,
    field: 'TipoFactura',
    law: design('2'),
    en: [
      'Invoice types have two characters; "{received}" does not.',
      'Send one of {allowed}, without spaces.',
    ],
    es: [
      'Los tipos de factura tienen dos caracteres; «{received}» no.',
      'Envíe uno de {allowed}, sin espacios.',
    ],
    structure: (violation) => isRefusedType(violation) && String(violation.received).length !== 2,
  }),
  offline({
    code: 1106,
    field: 'TipoFactura',
    law: design('6, L2'),
    en: [
      '"{received}" is not a type of invoice.',
      'Send one of {allowed}: F1 full, F2 simplified, F3 replacing simplified invoices, R1 to R5 corrective.',
    ],
    es: [
      '«{received}» no es un tipo de factura.',
      'Envíe uno de {allowed}: F1 completa, F2 simplificada, F3 en sustitución de simplificadas, R1 a R5 rectificativas.',
    ],
    structure: isRefusedType,
  }),
  offline({
    code: 1107,
    field: 'TipoRectificativa',
    law: design('6, L3'),
    en: [
      '"{received}" is not a type of correction.',
      'Send S if the correction restates the whole invoice, I if it states only the differences.',
    ],
    es: [
      '«{received}» no es un tipo de rectificación.',
      'Envíe S si la rectificación repite la factura entera, I si solo indica las diferencias.',
    ],
    structure: refusedAt('/TipoRectificativa'),
  }),
  offline({
    code: 1114,
    field: 'TipoRectificativa',
    law: validations('3.1.3.3'),
    en: [
      'Type {type} is corrective, but TipoRectificativa is missing.',
      'Send S for a substitution, I for differences.',
    ],
    es: [
      'El tipo {type} es rectificativo, pero falta TipoRectificativa.',
      'Envíe S por sustitución, I por diferencias.',
    ],
    alta({ record, corrective, type }, fail) {
      if (corrective && record.TipoRectificativa === undefined) fail('/TipoRectificativa', { type })
    },
  }),
  offline({
    code: 1115,
    field: 'TipoRectificativa',
    law: validations('3.1.3.3'),
    en: [
      'Type {type} is not corrective, but TipoRectificativa is {received}.',
      'Omit it, or send a corrective type (R1 to R5).',
    ],
    es: [
      'El tipo {type} no es rectificativo, pero TipoRectificativa es {received}.',
      'Omítalo o envíe un tipo rectificativo (R1 a R5).',
    ],
    alta({ record: { TipoRectificativa: received }, type }, fail) {
      if (received !== undefined && isKnownTypeOutside(type, CORRECTIVE))
        fail('/TipoRectificativa', { type, received })
    },
  }),
  offline({
    code: 1116,
    field: 'FacturasSustituidas',
    law: validations('3.1.3.5'),
    en: [
      'Only type F3 may state the simplified invoices that it replaces; the type is {type}.',
      'Omit FacturasSustituidas, or send F3.',
    ],
    es: [
      'Solo el tipo F3 puede indicar las facturas simplificadas que sustituye; el tipo es {type}.',
      'Omita FacturasSustituidas o envíe F3.',
    ],
    alta({ record, type }, fail) {
      if (record.FacturasSustituidas !== undefined && isKnownTypeOutside(type, ['F3']))
        fail('/FacturasSustituidas', { type })
    },
  }),
  offline({
    code: 1117,
    field: 'FacturasRectificadas',
    law: validations('3.1.3.4'),
    en: [
      'Only corrective types may state the invoices that they correct; the type is {type}.',
      'Omit FacturasRectificadas, or send a type R1 to R5.',
    ],
    es: [
      'Solo los tipos rectificativos pueden indicar las facturas que rectifican; el tipo es {type}.',
      'Omita FacturasRectificadas o envíe un tipo R1 a R5.',
    ],
    alta({ record, type }, fail) {
      if (record.FacturasRectificadas !== undefined && isKnownTypeOutside(type, CORRECTIVE))
        fail('/FacturasRectificadas', { type })
    },
  }),
  offline({
    code: 1118,
    field: 'ImporteRectificacion',
    law: validations('3.1.3.6'),
    en: [
      'A correction by substitution (TipoRectificativa S) must state the amounts of the corrected invoices.',
      'Send ImporteRectificacion with the taxable amount and the tax amount of the corrected invoices.',
    ],
    es: [
      'Una rectificación por sustitución (TipoRectificativa S) debe indicar los importes de las facturas rectificadas.',
      'Envíe ImporteRectificacion con la base y la cuota de las facturas rectificadas.',
    ],
    alta({ record, corrective }, fail) {
      if (corrective && record.TipoRectificativa === 'S' && record.ImporteRectificacion === undefined)
        fail('/ImporteRectificacion')
    },
  }),
  offline({
    code: 1119,
    field: 'ImporteRectificacion',
    law: validations('3.1.3.6'),
    en: [
      'Only a correction by substitution has ImporteRectificacion.',
      'Omit it, or send a corrective type with TipoRectificativa S.',
    ],
    es: [
      'Solo una rectificación por sustitución lleva ImporteRectificacion.',
      'Omítalo o envíe un tipo rectificativo con TipoRectificativa S.',
    ],
    alta({ record, corrective, type }, fail) {
      if (record.ImporteRectificacion === undefined) return
      const { TipoRectificativa } = record
      // TipoRectificativa is missing in a corrective invoice (code 1114) or present in another invoice (code 1115).
      const unexpected = corrective
        ? TipoRectificativa === 'I'
        : TipoRectificativa === undefined && isKnownTypeOutside(type, CORRECTIVE)
      if (unexpected) fail('/ImporteRectificacion', { type })
    },
  }),
  offline({
    code: 1197,
    field: 'TipoFactura',
    law: validations('3.1.3.15.4'),
    en: [
      'A reverse charge (S2) requires a recipient, which type {type} does not have.',
      'Send a type with a recipient (F1, F3, R1 to R4), or the CalificacionOperacion that applies.',
    ],
    es: [
      'La inversión del sujeto pasivo (S2) exige un destinatario, que el tipo {type} no lleva.',
      'Envíe un tipo con destinatario (F1, F3, R1 a R4) o la calificación que corresponda.',
    ],
    alta({ lines, type }, fail) {
      if (isKnownTypeOutside(type, WITH_RECIPIENT) && lines.some(({ kind }) => kind === 'S2'))
        fail('/TipoFactura', { type })
    },
  }),
]

export const INVOICE_CODES: readonly AuthorityCode[] = [...TYPE_CODES, ...FLAG_CODES, ...RECIPIENT_CODES]
