/** Rules for the party that issued the invoice and for the recipients that its type requires. */
import { design, ERROR_LIST, validations } from '../model/laws.ts'
import type { AltaContext } from './check-context.ts'
import { type AuthorityCode, offline, online, refusedAt } from './check-declaration.ts'
import { WITH_RECIPIENT, WITHOUT_RECIPIENT } from './invoice-type-checks.ts'

/** Returns the paths of recipients whose IDOtro has one of these types. */
const identifiedBy = (
  recipients: AltaContext['recipients'],
  types: readonly string[],
): { path: string; received: string }[] =>
  recipients.flatMap(({ path, person }) =>
    types
      .filter((type) => type === person.IDOtro?.IDType)
      .map((received) => ({ path: `${path}/IDOtro/IDType`, received })),
  )

export const RECIPIENT_CODES: readonly AuthorityCode[] = [
  offline({
    code: 1151,
    field: 'EmitidaPorTerceroODestinatario',
    law: design('6, L6'),
    en: [
      '{field} is "{received}".',
      'Send T if a third party issued the invoice, D if the recipient did; omit it if the issuer did.',
    ],
    es: [
      '{field} es «{received}».',
      'Envíe T si la expidió un tercero, D si la expidió el destinatario; omítalo si fue el emisor.',
    ],
    structure: refusedAt('/EmitidaPorTerceroODestinatario'),
  }),
  offline({
    code: 1155,
    field: 'Tercero',
    law: validations('3.1.3.12'),
    en: [
      'Tercero names a third party, but EmitidaPorTerceroODestinatario is missing.',
      'Set EmitidaPorTerceroODestinatario to T, or omit Tercero.',
    ],
    es: [
      'Tercero nombra a un tercero, pero falta EmitidaPorTerceroODestinatario.',
      'Envíe EmitidaPorTerceroODestinatario con el valor T, u omita Tercero.',
    ],
    alta({ record }, fail) {
      if (record.Tercero !== undefined && record.EmitidaPorTerceroODestinatario === undefined)
        fail('/Tercero')
    },
  }),
  offline({
    code: 1158,
    field: 'EmitidaPorTerceroODestinatario',
    law: validations('3.1.3.11'),
    en: [
      'D means that the recipient issued the invoice, but no recipient is named.',
      'Send Destinatarios and an invoice type that has a recipient, or omit {field}.',
    ],
    es: [
      'D indica que la factura la expidió el destinatario, pero no se nombra ninguno.',
      'Envíe Destinatarios y un tipo de factura con destinatario, u omita {field}.',
    ],
    alta({ record, type }, fail) {
      // A type that requires a recipient has code 1189 instead.
      if (
        record.EmitidaPorTerceroODestinatario === 'D' &&
        record.Destinatarios === undefined &&
        WITHOUT_RECIPIENT.includes(type)
      )
        fail('/EmitidaPorTerceroODestinatario')
    },
  }),
  offline({
    code: 1159,
    field: 'Tercero',
    law: validations('3.1.3.12'),
    en: [
      'Tercero names a third party, but EmitidaPorTerceroODestinatario D means that the recipient issued the invoice.',
      'Omit Tercero, or send T in EmitidaPorTerceroODestinatario.',
    ],
    es: [
      'Tercero nombra a un tercero, pero EmitidaPorTerceroODestinatario D indica que la expidió el destinatario.',
      'Omita Tercero o envíe T en EmitidaPorTerceroODestinatario.',
    ],
    alta({ record }, fail) {
      if (record.Tercero !== undefined && record.EmitidaPorTerceroODestinatario === 'D') fail('/Tercero')
    },
  }),
  offline({
    code: 1186,
    field: 'Tercero',
    law: validations('3.1.3.11'),
    en: [
      'EmitidaPorTerceroODestinatario T means that a third party issued the invoice, but none is named.',
      'Send Tercero with a name and an identifier.',
    ],
    es: [
      'EmitidaPorTerceroODestinatario T indica que la factura la expidió un tercero, pero no se nombra ninguno.',
      'Envíe Tercero con nombre e identificador.',
    ],
    alta({ record }, fail) {
      if (record.EmitidaPorTerceroODestinatario === 'T' && record.Tercero === undefined) fail('/Tercero')
    },
  }),
  online({
    code: 1187,
    effect: 'rejects-record',
    field: 'Tercero',
    law: validations('3.1.3.12'),
    reason: 'obsolete',
    en: ['Tercero is sent although EmitidaPorTerceroODestinatario is not T.', 'Send T, or omit Tercero.'],
    es: ['Se envía Tercero aunque EmitidaPorTerceroODestinatario no es T.', 'Envíe T u omita Tercero.'],
    why: {
      en: 'Codes 1155 (no flag) and 1159 (flag D) cover this more precisely, and are reported offline instead.',
      es: 'Los códigos 1155 (sin indicador) y 1159 (indicador D) lo precisan más; sin conexión se informa de ellos.',
    },
  }),
  offline({
    code: 1189,
    field: 'Destinatarios',
    law: validations('3.1.3.13'),
    en: [
      'Type {type} requires a recipient, but none is sent.',
      'Send Destinatarios, or a type without a recipient (F2, R5).',
    ],
    es: [
      'El tipo {type} exige destinatario, pero no se envía ninguno.',
      'Envíe Destinatarios o un tipo sin destinatario (F2, R5).',
    ],
    alta({ record, type }, fail) {
      // With `FacturaSinIdentifDestinatarioArt61d`, the code is 1185.
      if (
        WITH_RECIPIENT.includes(type) &&
        record.Destinatarios === undefined &&
        record.FacturaSinIdentifDestinatarioArt61d !== 'S'
      )
        fail('/Destinatarios', { type })
    },
  }),
  offline({
    code: 1190,
    field: 'Destinatarios',
    law: validations('3.1.3.13'),
    en: [
      'An invoice of type {type} must not have a recipient.',
      'Omit Destinatarios, or send F1 (R1 to R4 for a correction), with FacturaSimplificadaArt7273 S if it is simplified.',
    ],
    es: [
      'El tipo {type} no admite destinatario.',
      'Omita Destinatarios o envíe F1 (R1 a R4 si rectifica), con FacturaSimplificadaArt7273 S si es simplificada.',
    ],
    alta({ record, type }, fail) {
      // With `FacturaSimplificadaArt7273`, the code is 1183.
      if (
        WITHOUT_RECIPIENT.includes(type) &&
        record.Destinatarios !== undefined &&
        record.FacturaSimplificadaArt7273 !== 'S'
      )
        fail('/Destinatarios', { type })
    },
  }),
  offline({
    code: 1191,
    field: 'Destinatarios',
    law: `${ERROR_LIST}; art. 80.Cuatro Ley 37/1992`,
    en: [
      'The debtor of an R3 is identified by NIF or by IDType 07, not by {received}.',
      'Send the NIF, or correct the invoice type.',
    ],
    es: [
      'El deudor de una R3 se identifica con NIF o con IDType 07, no con {received}.',
      'Envíe el NIF o corrija el tipo de factura.',
    ],
    alta({ type, recipients }, fail) {
      if (type !== 'R3') return
      for (const { path, received } of identifiedBy(recipients, ['02', '03', '04', '05', '06']))
        fail(path, { received })
    },
  }),
  offline({
    code: 1192,
    field: 'Destinatarios',
    law: `${ERROR_LIST}; art. 80.Tres Ley 37/1992`,
    en: [
      'The debtor of an R2 is identified by NIF or by IDType 02 or 07, not by {received}.',
      'Send one of these, or correct the type of the invoice.',
    ],
    es: [
      'El deudor de una R2 se identifica con NIF o con IDType 02 o 07, no con {received}.',
      'Envíe uno de ellos o corrija el tipo de factura.',
    ],
    alta({ type, recipients }, fail) {
      if (type !== 'R2') return
      for (const { path, received } of identifiedBy(recipients, ['03', '04', '05', '06']))
        fail(path, { received })
    },
  }),
]
