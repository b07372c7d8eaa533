/**
 * Messages that state why the queue of a company is blocked and how to fix it. `{reason}` is the cause; `{service}` is
 * the group of commands to use (`verifactu`, `sii`).
 */
import type { Locale, Text } from '../../../invoice/index.ts'
import { fill } from '../../../messages/index.ts'
import { fromJson, type Json } from '../../store/json.ts'

export const BLOCKED_MESSAGES = {
  no_certificate: {
    en: 'Nothing can be sent to the tax authority: the company has no valid certificate. Add one with `cuadra-admin certificate add`; the pending records are then sent automatically. Invoices can still be issued.',
    es: 'No se puede enviar nada a la AEAT: la empresa no tiene ningún certificado vigente. Añada uno vigente (`cuadra-admin certificate add`); entonces se enviará lo pendiente. Las facturas se siguen emitiendo.',
  },
  certificate_of_another: {
    en: 'Nothing can be sent to the tax authority: the certificate belongs to {holder}, and the company is {tax_id}. Add the certificate of the company. If {holder} is its authorised representative (apoderado) or registered filing agent (colaborador social), run `echo \'{"operated_by_partner": true}\' | cuadra-admin company update {company_id} --file -`. The pending records are then sent automatically.',
    es: 'No se puede enviar nada a la AEAT: el certificado es de {holder} y la empresa es {tax_id}. Añada el certificado de la empresa. Si {holder} es su apoderado o un colaborador social, ejecute `echo \'{"operated_by_partner": true}\' | cuadra-admin company update {company_id} --file -`. Entonces se enviará lo pendiente.',
  },
  certificate_unreadable: {
    en: 'Nothing can be sent to the tax authority: the stored certificate cannot be opened ({reason}). Add it again, or start the server with the key it was stored with.',
    es: 'No se puede enviar nada a la AEAT: el certificado guardado no puede abrirse ({reason}). Añádalo de nuevo o arranque el servidor con la clave con la que se guardó.',
  },
  // The text comes from the wire.
  refused: { en: '{reason}', es: '{reason}' },
  unreachable: { en: '{reason}', es: '{reason}' },
  unknown: { en: '{reason}', es: '{reason}' },
  not_received: {
    en: 'No complete response arrived, and the tax authority has none of the records of this message. The records are sent again automatically.',
    es: 'No llegó una respuesta completa y, según sus registros, la AEAT no ha recibido nada de este envío. Sus registros se envían de nuevo.',
  },
  settled: {
    en: 'No complete response arrived; the result of the message was queried from the tax authority. There is no CSV (código seguro de verificación).',
    es: 'No llegó una respuesta completa; el resultado del envío se consultó a la AEAT. No hay CSV.',
  },
  fault_service: {
    en: 'The service of the tax authority failed: {reason} The message is retried automatically, at least every hour.',
    es: 'Ha fallado el servicio de la AEAT: {reason} El envío se repite automáticamente, al menos cada hora.',
  },
  fault_message: {
    en: 'The tax authority rejects the whole message: {reason} None of its records were registered. It is retried every hour; to retry now, run `cuadra-admin {service} send-now`.',
    es: 'La AEAT rechaza el envío completo: {reason} No se ha registrado nada. Se reintenta cada hora y, de inmediato, con `cuadra-admin {service} send-now`.',
  },
  fault_record: {
    en: 'The tax authority rejects the whole message because of one of its records: {reason} The faulty record is being located and set aside; the others are sent.',
    es: 'La AEAT rechaza el envío completo por uno de sus registros: {reason} El registro se está localizando para apartarlo; los demás se envían.',
  },
  settled_with_csv: {
    en: 'No complete response arrived; the result of the message was queried from the tax authority.',
    es: 'No llegó una respuesta completa; el resultado del envío se consultó a la AEAT.',
  },
  request_fault: {
    en: 'The tax authority rejects the message that answers its request: {reason} None of its records were registered.',
    es: 'La AEAT rechaza el mensaje que contesta a su requerimiento: {reason} No se ha registrado nada.',
  },
  request_fault_service: {
    en: 'The service of the tax authority failed: {reason}',
    es: 'Ha fallado el servicio de la AEAT: {reason}',
  },
  request_no_certificate: {
    en: 'The request of the tax authority cannot be answered: the company has no valid certificate. Add one with `cuadra-admin certificate add`.',
    es: 'No se puede contestar al requerimiento de la AEAT: la empresa no tiene ningún certificado vigente. Añada uno con `cuadra-admin certificate add`.',
  },
  request_incomplete: {
    en: 'The response of the tax authority states nothing about {missing} of the {sent} records of the message.',
    es: 'La respuesta de la AEAT no dice nada de {missing} de los {sent} registros del mensaje.',
  },
  no_message: {
    en: 'No message for the tax authority can be generated: {reason}',
    es: 'No se puede formar ningún mensaje para la AEAT: {reason}',
  },
  no_record: {
    en: 'The book record of this invoice cannot be generated: {reason} It is retried when the data of the invoice change, every six hours, and with `cuadra-admin sii send-now --company ID --invoice ID`. Other invoices are sent.',
    es: 'No se puede formar el registro del libro con esta factura: {reason} Se intenta de nuevo cuando cambian sus datos, cada seis horas y con `cuadra-admin sii send-now --company ID --invoice ID`. Las demás facturas se envían.',
  },
  registered_elsewhere: {
    en: 'The tax authority already has an invoice with this number and other data, which this server did not send. Nothing was replaced. Check it in the electronic office (sede electrónica) of the tax authority; to replace it with this invoice, run `cuadra-admin sii send-now --company ID --invoice ID`.',
    es: 'La AEAT ya tiene una factura con este número y otros datos, y no procede de este servidor. No se ha sustituido nada. Consulte en la sede qué tiene; para sustituirlo por esta factura: `cuadra-admin sii send-now --company ID --invoice ID`.',
  },
  other_authority: {
    en: 'This invoice is not sent: when it was entered, the books of the company were kept by the tax authority of the Canary Islands (`sii.tax_authority` was `atc`), to which this server does not send. Register it there. If that was a mistake, set `aeat` with `cuadra-admin company update`, and run `cuadra-admin sii send-now --company ID --invoice ID`.',
    es: 'Esta factura no se envía: cuando se anotó, los libros de la empresa se llevaban en la Agencia Tributaria Canaria (`sii.tax_authority` era `atc`), a la que este servidor no envía. Regístrela allí. Si fue un error, ponga `aeat` con `cuadra-admin company update` y ejecute `cuadra-admin sii send-now --company ID --invoice ID`.',
  },
  not_in_plan: {
    en: 'Nothing is sent: `fiscal_systems.sii_in_plan` of the company is `false`. Set it to `true` with `cuadra-admin company update`; what is pending is then sent.',
    es: 'No se envía nada: `fiscal_systems.sii_in_plan` de la empresa es `false`. Póngalo a `true` con `cuadra-admin company update`; entonces se enviará lo pendiente.',
  },
  pending_review: {
    en: 'The invoice has errors, so it is pending review, and the tax authority keeps the version that it accepted. Correct the invoice with `PUT /received-invoices`; it is then sent.',
    es: 'La factura tiene errores, así que está pendiente de revisión, y en la AEAT sigue la versión que aceptó. Corrija la factura con `PUT /received-invoices`; entonces se enviará.',
  },
  not_enrolled: {
    en: 'Nothing is sent: `sii.enrollment_periods` of the company has no enrolment that has begun, but these invoices were entered during one. Restore that period, with its end date, with `cuadra-admin company update`.',
    es: 'No se envía nada: la empresa no tiene en `sii.enrollment_periods` ningún alta que haya empezado, pero estas facturas se anotaron durante una. Restaure ese periodo, con su fecha de fin, con `cuadra-admin company update`.',
  },
} as const satisfies Readonly<Record<string, Text>>

export type BlockedReason = keyof typeof BLOCKED_MESSAGES

/** Reasons that end without an act of the administrator: the message is repeated, queried or divided automatically. */
const TRANSIENT: ReadonlySet<BlockedReason> = new Set([
  'unreachable',
  'unknown',
  'not_received',
  'settled',
  'settled_with_csv',
  'fault_service',
  'fault_record',
])
export const isTransient = ({ reason }: Pick<Blocked, 'reason'>): boolean => TRANSIENT.has(reason)

/** Why a response is discarded. */
export const NOT_A_RESPONSE: Text = {
  en: 'the response does not come from this service.',
  es: 'la respuesta no procede de este servicio.',
}
export const OTHER_TAXPAYER: Text = {
  en: 'the response is for another taxpayer.',
  es: 'la respuesta es de otro obligado tributario.',
}

/** Why a queue is blocked. */
export interface Blocked {
  readonly reason: BlockedReason
  /** Error code of the authority, if it gave one. */
  readonly code?: number | null
  /** Seconds after which the authority's server accepts another call, if it says so. */
  readonly retryAfter?: number | null
  /** Values for the placeholders of the message. */
  readonly values?: Readonly<Record<string, string | Text>>
}

/** Returns the reason of a certificate that belongs to another holder than the company. */
export const otherHolder = (company_id: string, holder: string | null, tax_id: string): Blocked => ({
  reason: 'certificate_of_another',
  values: { company_id, holder: holder ?? '', tax_id },
})

/**
 * Returns the columns of a submission for a blocked queue. The message is built when it is read, in the reader's
 * language.
 */
export const columnsOf = ({ reason, code, values = {} }: Blocked) => ({
  error_code: code ? String(code) : reason,
  error_message: JSON.stringify({ reason, values }),
})

const inLocale = (value: string | Text, locale: Locale): string =>
  typeof value === 'string' ? value : value[locale]

/** Returns the message that explains why a queue is blocked. */
export function blockedMessage({ reason, values = {} }: Blocked, locale: Locale): string {
  const named = Object.entries({ service: 'verifactu', ...values }).map(([name, value]) => [
    name,
    inLocale(value, locale),
  ])
  return fill(BLOCKED_MESSAGES[reason][locale], Object.fromEntries(named), locale)
}

/** Returns the message of a stored reason. A text of the authority is returned unchanged. */
export const storedMessage = (stored: string | null, locale: Locale): string | null =>
  stored?.startsWith('{"reason":') ? blockedMessage(fromJson<Json<Blocked>>(stored), locale) : stored
