/**
 * Why the queue of a company is blocked, as text: what is wrong, and how to fix it. `{reason}` is the cause, `{service}`
 * the commands that help (`verifactu`, `sii`).
 */
import type { Locale, Text } from '../../../invoice/index.ts'
import { fill } from '../../../messages/index.ts'

export const STOPS = {
  no_certificate: {
    en: 'Nothing can be sent to the tax authority: the company has no certificate that is valid now. Add a valid one (`cuadra-admin certificate add`); what waits is sent then. Invoices are issued as before.',
    es: 'No se puede enviar nada a la AEAT: la empresa no tiene ningún certificado vigente. Añada uno vigente (`cuadra-admin certificate add`); entonces se enviará lo pendiente. Las facturas se siguen emitiendo.',
  },
  certificate_of_another: {
    en: 'Nothing can be sent to the tax authority: the certificate is of {holder}, and the company is {tax_id}. Add the certificate of the company; an attorney or social collaborator sends where the company has `operated_by_partner`.',
    es: 'No se puede enviar nada a la AEAT: el certificado es de {holder} y la empresa es {tax_id}. Añada el certificado de la empresa; un apoderado o colaborador social envía si la empresa tiene `operated_by_partner`.',
  },
  certificate_unreadable: {
    en: 'Nothing can be sent to the tax authority: the stored certificate cannot be opened ({reason}). Add it again, or start the server with the key that it was stored with.',
    es: 'No se puede enviar nada a la AEAT: el certificado guardado no puede abrirse ({reason}). Añádalo de nuevo o arranque el servidor con la clave con la que se guardó.',
  },
  // The wire's own text.
  refused: { en: '{reason}', es: '{reason}' },
  unreachable: { en: '{reason}', es: '{reason}' },
  unknown: { en: '{reason}', es: '{reason}' },
  not_received: {
    en: 'No whole answer came back, and by its own records the tax authority has received none of the message. Its records are sent again.',
    es: 'No llegó una respuesta completa y, según sus registros, la AEAT no ha recibido nada de este envío. Sus registros se envían de nuevo.',
  },
  settled: {
    en: 'No whole answer came back; what became of the message was asked of the tax authority. There is no CSV.',
    es: 'No llegó una respuesta completa; el resultado del envío se consultó a la AEAT. No hay CSV.',
  },
  fault_service: {
    en: 'The service of the tax authority failed: {reason} The message is sent again by itself, at least every hour.',
    es: 'Ha fallado el servicio de la AEAT: {reason} El envío se repite automáticamente, al menos cada hora.',
  },
  fault_message: {
    en: 'The tax authority refuses the whole message: {reason} Nothing of it was registered. It is tried again every hour, and at once with `cuadra-admin {service} send-now`.',
    es: 'La AEAT rechaza el envío completo: {reason} No se ha registrado nada. Se reintenta cada hora y, de inmediato, con `cuadra-admin {service} send-now`.',
  },
  fault_record: {
    en: 'The tax authority refuses the whole message because of one of its records: {reason} The record is being looked for and set apart, the others are sent.',
    es: 'La AEAT rechaza el envío completo por uno de sus registros: {reason} El registro se está localizando para apartarlo; los demás se envían.',
  },
  settled_with_csv: {
    en: 'No whole answer came back; what became of the message was asked of the tax authority.',
    es: 'No llegó una respuesta completa; el resultado del envío se consultó a la AEAT.',
  },
  no_message: {
    en: 'No message to the tax authority can be made: {reason}',
    es: 'No se puede formar ningún mensaje para la AEAT: {reason}',
  },
  no_record: {
    en: 'No record for the book can be made of this invoice: {reason} It is tried again when its data change, every six hours, and with `cuadra-admin sii send-now --company ID --invoice ID`. Other invoices are sent.',
    es: 'No se puede formar el registro del libro con esta factura: {reason} Se intenta de nuevo cuando cambian sus datos, cada seis horas y con `cuadra-admin sii send-now --company ID --invoice ID`. Las demás facturas se envían.',
  },
  registered_elsewhere: {
    en: 'The tax agency already has an invoice of this number with other data, and not from this server. Nothing was replaced. See what it has in its own form; to replace it with this invoice: `cuadra-admin sii send-now --company ID --invoice ID`.',
    es: 'La AEAT ya tiene una factura con este número y otros datos, y no procede de este servidor. No se ha sustituido nada. Consulte en la sede qué tiene; para sustituirlo por esta factura: `cuadra-admin sii send-now --company ID --invoice ID`.',
  },
  other_authority: {
    en: 'Nothing is sent: the books of the company go to the tax agency of the Canary Islands (`sii.tax_authority` is `atc`), to which this server does not send. Register them there.',
    es: 'No se envía nada: los libros de la empresa se llevan en la Agencia Tributaria Canaria (`sii.tax_authority` es `atc`), a la que este servidor no envía. Regístrelos allí.',
  },
  not_enrolled: {
    en: 'Nothing is sent: no enrolment of the company in the SII is in force today (`sii.enrollment_periods` of `cuadra-admin company update`).',
    es: 'No se envía nada: la empresa no tiene hoy ningún alta vigente en el SII (`sii.enrollment_periods` de `cuadra-admin company update`).',
  },
} as const satisfies Readonly<Record<string, Text>>

export type Stop = keyof typeof STOPS

/** Reasons why what was received counts as no answer. */
export const NO_ANSWER: Text = {
  en: 'what came back is no answer of the service.',
  es: 'lo recibido no es una respuesta del servicio.',
}
export const OF_ANOTHER: Text = {
  en: 'the answer is of another taxpayer.',
  es: 'la respuesta es de otro obligado tributario.',
}

/** Why the queue is blocked. */
export interface Blocked {
  readonly stop: Stop
  /** The authority's own code, where it named one. */
  readonly code?: number | null
  /** Seconds after which the authority's server wants to be asked again, where it says so. */
  readonly retryAfter?: number | null
  /** Values of the text. */
  readonly told?: Readonly<Record<string, string | Text>>
}

/** As a submission stores it: the text is made when it is read, in the language of the reader. */
export const columnsOf = ({ stop, code, told = {} }: Blocked) => ({
  error_code: code ? String(code) : stop,
  error_message: JSON.stringify({ stop, told }),
})

const inLocale = (value: string | Text, locale: Locale): string =>
  typeof value === 'string' ? value : value[locale]

/** What went wrong, as a person reads it. */
export function sentenceOf({ stop, told = {} }: Blocked, locale: Locale): string {
  const named = Object.entries({ service: 'verifactu', ...told }).map(([name, value]) => [
    name,
    inLocale(value, locale),
  ])
  return fill(STOPS[stop][locale], Object.fromEntries(named), locale)
}

/** The same of what a submission keeps; the authority's own words as they are. */
export const reasonText = (stored: string | null, locale: Locale): string | null =>
  stored?.startsWith('{"stop":') ? sentenceOf(JSON.parse(stored) as Blocked, locale) : stored
