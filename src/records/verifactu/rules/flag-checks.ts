/** Rules for the flags of a registration and its external reference. */
import { fromImporte, toImporte } from '../../fiscal/literals.ts'
import { design, validations } from '../model/laws.ts'
import type { RegistroAlta } from '../model/verifactu-record-types.ts'
import { type AuthorityCode, offline, refusedAt } from './check-declaration.ts'
import { isKnownTypeOutside, WITH_RECIPIENT, WITHOUT_RECIPIENT } from './invoice-type-checks.ts'
import { sumOf } from './total-checks.ts'

const CENTS = 100
/** Minimum absolute total marked with `Macrodato` (record design). */
const LARGE = 100_000_000 * CENTS
/** Limit of a simplified invoice (art. 4 RD 1619/2012), and the margin that the authority allows. */
const SIMPLIFIED_LIMIT = 3_000 * CENTS
const MARGIN = 10 * CENTS

/** Whether the total requires `Macrodato`; undefined if it is unreadable. */
function isLarge(record: RegistroAlta): boolean | undefined {
  const total = fromImporte(record.ImporteTotal)
  return total === undefined ? undefined : Math.abs(total) >= LARGE
}

/** Declares the code for a flag with another value than S or N. */
const notYesOrNo = (code: number, field: string, list: string): AuthorityCode =>
  offline({
    code,
    field,
    law: design(`6, ${list}`),
    en: ['{field} is "{received}", neither S nor N.', 'Send S or N; omitting it means N.'],
    es: ['{field} es «{received}», ni S ni N.', 'Envíe S o N; omitirlo equivale a N.'],
    structure: refusedAt(`/${field}`),
  })

export const FLAG_CODES: readonly AuthorityCode[] = [
  notYesOrNo(1136, 'FacturaSimplificadaArt7273', 'L4'),
  notYesOrNo(1137, 'Macrodato', 'L14'),
  notYesOrNo(1184, 'FacturaSinIdentifDestinatarioArt61d', 'L5'),
  offline({
    code: 1138,
    field: 'Macrodato',
    law: validations('3.1.3.10'),
    en: [
      'Macrodato S is only for totals of 100,000,000.00 or more, positive or negative; ImporteTotal is {total}.',
      'Omit Macrodato, or send N.',
    ],
    es: [
      'Macrodato S es solo para totales de 100.000.000,00 o más, positivos o negativos; ImporteTotal es {total}.',
      'Omita Macrodato o envíe N.',
    ],
    alta({ record }, fail) {
      if (record.Macrodato === 'S' && isLarge(record) === false)
        fail('/Macrodato', { total: record.ImporteTotal })
    },
  }),
  offline({
    code: 1139,
    field: 'Macrodato',
    law: validations('3.1.3.10'),
    en: ['ImporteTotal is {total}: totals of 100,000,000.00 or more must be marked.', 'Send Macrodato S.'],
    es: [
      'ImporteTotal es {total}: los totales de 100.000.000,00 o más deben marcarse.',
      'Envíe Macrodato S.',
    ],
    alta({ record }, fail) {
      const unmarked = record.Macrodato === undefined || record.Macrodato === 'N'
      if (unmarked && isLarge(record)) fail('/Macrodato', { total: record.ImporteTotal })
    },
  }),
  offline({
    code: 1150,
    field: 'Desglose',
    law: `${validations('3.1.3.15.8')}; art. 4 RD 1619/2012`,
    en: [
      'The taxable amount and the tax amount of this simplified invoice (F2) add up to {received}; the limit is {limit}.',
      'Issue a full invoice (F1) with its recipient, or send NumRegistroAcuerdoFacturacion or FacturaSinIdentifDestinatarioArt61d S if one of them applies.',
    ],
    es: [
      'La base y la cuota de esta factura simplificada (F2) suman {received}; el límite es {limit}.',
      'Expida una factura completa (F1) con su destinatario, o envíe NumRegistroAcuerdoFacturacion o FacturaSinIdentifDestinatarioArt61d S si uno de ellos procede.',
    ],
    alta({ record, type, lines }, fail) {
      if (type !== 'F2' || record.FacturaSinIdentifDestinatarioArt61d === 'S') return
      if ((record.NumRegistroAcuerdoFacturacion ?? '').trim() !== '') return
      const total = sumOf(lines, ['base', 'amount'])
      if (total !== undefined && total > SIMPLIFIED_LIMIT + MARGIN)
        fail('/Desglose', { received: toImporte(total), limit: toImporte(SIMPLIFIED_LIMIT) })
    },
  }),
  offline({
    code: 1157,
    field: 'Cupon',
    law: validations('3.1.3.14'),
    en: [
      'Cupon is "{received}"; it may be S only in types R1 and R5.',
      'Omit it, or send type R1 or R5 if the invoice is a correction for a coupon or discount.',
    ],
    es: [
      'Cupon es «{received}»; solo puede ser S en los tipos R1 y R5.',
      'Omítalo, o envíe el tipo R1 o R5 si la factura rectifica por un cupón o descuento.',
    ],
    structure: refusedAt('/Cupon'),
    alta({ record, type }, fail) {
      if (record.Cupon === 'S' && isKnownTypeOutside(type, ['R1', 'R5']))
        fail('/Cupon', { received: 'S', type })
    },
  }),
  offline({
    code: 1183,
    field: 'FacturaSimplificadaArt7273',
    law: `${validations('3.1.3.8')}; art. 7.2 y 7.3 RD 1619/2012`,
    en: [
      'A simplified invoice with the data of its recipient must be of type F1, F3 or R1 to R4; the type is {type}.',
      'Send one of these types with Destinatarios, or omit {field}.',
    ],
    es: [
      'Una factura simplificada con los datos del destinatario es de tipo F1, F3 o R1 a R4; el tipo es {type}.',
      'Envíe uno de esos tipos con Destinatarios u omita {field}.',
    ],
    alta({ record, type }, fail) {
      if (record.FacturaSimplificadaArt7273 === 'S' && isKnownTypeOutside(type, WITH_RECIPIENT))
        fail('/FacturaSimplificadaArt7273', { type })
    },
  }),
  offline({
    code: 1185,
    field: 'FacturaSinIdentifDestinatarioArt61d',
    law: `${validations('3.1.3.9')}; art. 6.1.d RD 1619/2012`,
    en: [
      'An invoice that does not have to identify its recipient must be of type F2 or R5; the type is {type}.',
      'Send F2 or R5 without Destinatarios, or omit {field}.',
    ],
    es: [
      'Una factura que no tiene que identificar al destinatario es de tipo F2 o R5; el tipo es {type}.',
      'Envíe F2 o R5 sin Destinatarios u omita {field}.',
    ],
    alta({ record, type }, fail) {
      if (record.FacturaSinIdentifDestinatarioArt61d === 'S' && isKnownTypeOutside(type, WITHOUT_RECIPIENT))
        fail('/FacturaSinIdentifDestinatarioArt61d', { type })
    },
  }),
  offline({
    code: 1171,
    field: 'Subsanacion or RechazoPrevio',
    law: design('6, L4'),
    en: [
      'Subsanacion is "{received}", neither S nor N.',
      'Send S to correct an existing record, otherwise N.',
    ],
    es: [
      'Subsanacion es «{received}», ni S ni N.',
      'Envíe S para corregir un registro que existe; si no, N.',
    ],
    structure: refusedAt('/Subsanacion'),
  }),
  offline({
    code: 1275,
    field: 'RechazoPrevio',
    law: design('6, L17'),
    en: ['RechazoPrevio is "{received}".', 'Send one of {allowed}; omitting it means N.'],
    es: ['RechazoPrevio es «{received}».', 'Envíe uno de {allowed}; omitirlo equivale a N.'],
    structure: refusedAt('/RechazoPrevio'),
  }),
  offline({
    code: 1153,
    field: 'RechazoPrevio',
    law: validations('3.1.3.2'),
    en: [
      'RechazoPrevio X (the tax authority has no record of the invoice) requires Subsanacion S.',
      'Send Subsanacion S; in the first record of an invoice omit RechazoPrevio.',
    ],
    es: [
      'RechazoPrevio X (la AEAT no tiene registro de la factura) exige Subsanacion S.',
      'Envíe Subsanacion S; en el primer registro de una factura omita RechazoPrevio.',
    ],
    alta({ record: { Subsanacion, RechazoPrevio } }, fail) {
      if (RechazoPrevio === 'X' && (Subsanacion ?? 'N') === 'N') fail('/RechazoPrevio')
    },
  }),
  offline({
    code: 1161,
    field: 'RechazoPrevio',
    law: validations('3.1.3.2'),
    en: [
      'RechazoPrevio S (the previous attempt was rejected) requires Subsanacion S.',
      'Send Subsanacion S, and RechazoPrevio X if the tax authority has no record of the invoice.',
    ],
    es: [
      'RechazoPrevio S (el intento anterior se rechazó) exige Subsanacion S.',
      'Envíe Subsanacion S, y RechazoPrevio X si la AEAT no tiene registro de la factura.',
    ],
    alta({ record: { Subsanacion, RechazoPrevio } }, fail) {
      if (RechazoPrevio === 'S' && (Subsanacion ?? 'N') === 'N') fail('/RechazoPrevio')
    },
  }),
  offline({
    code: 1253,
    field: 'RefExterna',
    law: design('2'),
    en: [
      'RefExterna is too long or has forbidden characters.',
      'Send at most 60 characters that XML allows.',
    ],
    es: [
      'RefExterna es demasiado larga o tiene caracteres no admitidos.',
      'Envíe 60 caracteres como máximo, de los que admite XML.',
    ],
    structure: ({ location, kind }) =>
      location === '/RefExterna' && (kind === 'length' || kind === 'character'),
  }),
]
