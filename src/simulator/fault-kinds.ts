/** The faults that the simulator can inject: stage, members and description. Injected faults are validated with them. */
import type { Text } from '../invoice/index.ts'

/** What a fault affects: the connection, the delivery of the response, its content, or single records. */
export type Stage = 'connection' | 'delivery' | 'response' | 'record'

type MemberKind = 'number' | 'text' | 'boolean'
/** `!` marks a required member. */
export type FaultMember = MemberKind | `${MemberKind}!`

export interface FaultKind {
  readonly stage: Stage
  /** Members besides those that all faults have. */
  readonly members: Readonly<Record<string, FaultMember>>
  /** Whether the message is processed and stored by default. */
  readonly stored?: boolean
  readonly messages: Text
}

const kinds = <Name extends string>(rows: Readonly<Record<Name, FaultKind>>) => rows

export const FAULT_KINDS = kinds({
  down: {
    stage: 'connection',
    members: { seconds: 'number' },
    messages: {
      en: 'connections are refused until the fault is cleared, or for the given number of seconds',
      es: 'se rechazan las conexiones, hasta que se retire o durante los segundos indicados',
    },
  },
  reset: {
    stage: 'connection',
    members: {},
    messages: {
      en: 'a connection is accepted and reset at once',
      es: 'se acepta la conexión y se corta de inmediato',
    },
  },
  tls_closed: {
    stage: 'connection',
    members: {},
    messages: {
      en: 'the connection is closed during the TLS handshake',
      es: 'se cierra la conexión durante la negociación TLS',
    },
  },
  expired_certificate: {
    stage: 'connection',
    members: {},
    messages: {
      en: 'the certificate of the server has expired',
      es: 'el certificado del servidor está caducado',
    },
  },
  unknown_authority: {
    stage: 'connection',
    members: {},
    messages: {
      en: 'the certificate of the server was issued by an unknown certificate authority',
      es: 'el certificado del servidor lo emitió una autoridad de certificación desconocida',
    },
  },
  wrong_host: {
    stage: 'connection',
    members: {},
    messages: {
      en: 'the certificate of the server is for another host',
      es: 'el certificado del servidor es de otro host',
    },
  },
  slow: {
    stage: 'delivery',
    members: { seconds: 'number!', stored: 'boolean' },
    stored: true,
    messages: {
      en: 'the response takes the given number of seconds',
      es: 'la respuesta tarda los segundos indicados',
    },
  },
  cut: {
    stage: 'delivery',
    members: { stored: 'boolean' },
    stored: true,
    messages: {
      en: 'the connection is cut in the middle of the response',
      es: 'se corta la conexión a mitad de la respuesta',
    },
  },
  lost_response: {
    stage: 'delivery',
    members: { stored: 'boolean' },
    stored: true,
    messages: {
      en: 'the message is stored, and the connection is cut before the response',
      es: 'se guarda el mensaje y se corta la conexión antes de la respuesta',
    },
  },
  half_xml: {
    stage: 'delivery',
    members: { stored: 'boolean' },
    stored: true,
    messages: {
      en: 'the response is complete, but contains only half of the XML',
      es: 'la respuesta llega completa, pero es solo la mitad del XML',
    },
  },
  empty: {
    stage: 'delivery',
    members: { stored: 'boolean' },
    stored: true,
    messages: { en: 'an empty response with status 200', es: 'una respuesta 200 vacía' },
  },
  content_type: {
    stage: 'delivery',
    members: { content_type: 'text', stored: 'boolean' },
    stored: true,
    messages: {
      en: 'the correct response with a wrong Content-Type',
      es: 'la respuesta correcta con un Content-Type equivocado',
    },
  },
  soap_fault: {
    stage: 'delivery',
    members: { code: 'number', text: 'text', client: 'boolean', stored: 'boolean' },
    stored: false,
    messages: {
      en: 'a SOAP fault with the code Server, or Client if `client` is given',
      es: 'un SOAP Fault, del servidor salvo que se indique `client`',
    },
  },
  html: {
    stage: 'delivery',
    members: { status: 'number', stored: 'boolean' },
    stored: false,
    messages: {
      en: 'an HTML page instead of SOAP, with status 200 or another',
      es: 'una página HTML en lugar de SOAP, con estado 200 u otro',
    },
  },
  http_status: {
    stage: 'delivery',
    members: { status: 'number', retry_after: 'number', stored: 'boolean' },
    stored: false,
    messages: {
      en: 'an HTTP status without a body, 503 unless another is given',
      es: 'un estado HTTP sin cuerpo, 503 si no se indica otro',
    },
  },
  wrong_order: {
    stage: 'response',
    members: {},
    messages: {
      en: 'the lines of the response are in a different order from the records',
      es: 'las líneas de la respuesta llegan en un orden distinto al de los registros',
    },
  },
  missing_line: {
    stage: 'response',
    members: {},
    messages: {
      en: 'the last line of the response is missing; in the SII, the fault applies to the next response with two or more lines',
      es: 'falta la última línea de la respuesta; en el SII, de la próxima respuesta con dos líneas o más',
    },
  },
  wait: {
    stage: 'response',
    members: { seconds: 'number!' },
    messages: {
      en: 'a different TiempoEsperaEnvio',
      es: 'otro TiempoEsperaEnvio',
    },
  },
  partial: {
    stage: 'response',
    members: { code: 'number' },
    messages: {
      en: 'every second record of the message is rejected',
      es: 'se rechaza uno de cada dos registros del mensaje',
    },
  },
  reject: {
    stage: 'record',
    members: { code: 'number!', number: 'text' },
    messages: {
      en: 'records are rejected with the given code',
      es: 'se rechazan registros con el código',
    },
  },
  accept_with_errors: {
    stage: 'record',
    members: { code: 'number!', number: 'text' },
    messages: {
      en: 'records are accepted with errors, with the given code',
      es: 'se aceptan registros con errores, con el código',
    },
  },
})

export type FaultName = keyof typeof FAULT_KINDS

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULT_KINDS, name)

export const FAULT_NAMES = Object.keys(FAULT_KINDS).filter(isFaultName)

/** Members that select the requests that a fault affects. Every fault has them, except faults of the connection. */
export const FILTERS = { service: 'text', operation: 'text', taxpayer: 'text' } as const
