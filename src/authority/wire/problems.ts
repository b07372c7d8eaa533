/**
 * Problems between this server and the tax authority: their codes, messages and consequences. The values filled in are
 * never secret: hosts, error codes of Node, HTTP statuses and dates.
 */
import type { Extra, Locale, Text } from '../../invoice/index.ts'
import { fill } from '../../messages/index.ts'

/** What a problem means for the message. */
export type ProblemKind =
  /** The certificate was refused and nothing was stored. Retrying is useless until the configuration changes. */
  | 'refused'
  /** Nothing was sent: the same message may be sent again. */
  | 'unreachable'
  /** Something was sent and its result is unknown; a query finds it out. */
  | 'unknown'

interface Declaration extends Text {
  readonly kind: ProblemKind
}

const SETTLE = {
  en: 'The records may have arrived: they are queried before anything is sent again.',
  es: 'Los registros pueden haber llegado: se consultan antes de volver a enviar nada.',
} as const
const NOTHING = {
  en: 'Nothing was sent. The request will be retried automatically.',
  es: 'No se envió nada; se volverá a intentar.',
} as const
/** Replies to requests of the authority: what it received cannot be queried, and only a command sends them. */
const IN_A_REPLY = {
  unknown: {
    en: 'The records may have arrived; this service cannot be queried.',
    es: 'Los registros pueden haber llegado; este servicio no admite consultas.',
  },
  unreachable: { en: 'Nothing was sent.', es: 'No se envió nada.' },
} as const

const later = (en: string, es: string): Declaration => ({
  kind: 'unreachable',
  en: `${en} ${NOTHING.en}`,
  es: `${es} ${NOTHING.es}`,
})

const change = (kind: 'refused' | 'unreachable', en: string, es: string): Declaration => ({
  kind,
  en,
  es,
})

const settle = (en: string, es: string): Declaration => ({
  kind: 'unknown',
  en: `${en} ${SETTLE.en}`,
  es: `${es} ${SETTLE.es}`,
})

export const PROBLEMS = {
  certificate_expired: change(
    'refused',
    'The certificate of {owner} expired on {until}; nothing was sent. Add the renewed one (cuadra-admin certificate add).',
    'El certificado de {owner} caducó el {until}; no se envió nada. Añada el renovado (cuadra-admin certificate add).',
  ),
  certificate_not_yet_valid: change(
    'refused',
    'The certificate of {owner} is not valid until {from}; nothing was sent. Wait until then, or check the clock of this machine.',
    'El certificado de {owner} es válido a partir del {from}; no se envió nada. Espere hasta entonces o compruebe el reloj de esta máquina.',
  ),
  certificate_unusable: change(
    'refused',
    'The certificate of {owner} cannot be used for a connection ({detail}); nothing was sent. Export it again with its key and add it.',
    'El certificado de {owner} no puede usarse en una conexión ({detail}); no se envió nada. Expórtelo de nuevo con su clave y añádalo.',
  ),
  certificate_refused: change(
    'refused',
    '{host} rejects the certificate of {owner} ({detail}) and has stored nothing. Check that the certificate is qualified and not revoked, and that its type matches the address: electronic seals have separate addresses.',
    '{host} no admite el certificado de {owner} ({detail}) y no ha registrado nada. Compruebe que es cualificado, que no está revocado y que corresponde a la dirección: los sellos electrónicos tienen direcciones propias.',
  ),
  certificate_not_entitled: change(
    'refused',
    'The holder of the certificate, {owner}, may not send for this taxpayer (AEAT {detail}); nothing was stored. Use a certificate of the taxpayer, or have {owner} registered as representative (apoderado) or filing agent (colaborador social).',
    'El titular del certificado, {owner}, no puede enviar en nombre de este obligado (AEAT {detail}); no se registró nada. Use un certificado del obligado, o dé de alta a {owner} como apoderado o colaborador social.',
  ),
  no_address: change(
    'unreachable',
    'This server uses a simulator but has no address for it; nothing was sent. Start the simulator, or set {variable}.',
    'Este servidor usa un simulador, pero no tiene su dirección; no se envió nada. Inicie el simulador o configure {variable}.',
  ),
  server_not_trusted: change(
    'unreachable',
    'The certificate of {host} is not trusted ({detail}), so nothing was sent. If it is your own server, set its certificate authority in CUADRA_AEAT_CA_FILE; otherwise the connection may be intercepted.',
    'El certificado de {host} no es de confianza ({detail}), por lo que no se envió nada. Si es un servidor propio, indique su autoridad de certificación en CUADRA_AEAT_CA_FILE; si no lo es, la conexión puede estar interceptada.',
  ),
  name_not_found: later(
    'The host name {host} cannot be resolved ({detail}). Check the network and the DNS of this machine.',
    'No se puede resolver el nombre {host} ({detail}). Compruebe la red y el DNS de esta máquina.',
  ),
  not_reachable: later(
    'No connection to {host} ({detail}). If this machine reaches other addresses, no action is needed.',
    'No hay conexión con {host} ({detail}). Si esta máquina accede a otras direcciones, no hay que hacer nada.',
  ),
  connect_timeout: later(
    '{host} did not accept the connection within {seconds} seconds. If this machine reaches other addresses, no action is needed.',
    '{host} no aceptó la conexión en {seconds} segundos. Si esta máquina accede a otras direcciones, no hay que hacer nada.',
  ),
  tls_failed: later(
    'The secure connection to {host} could not be established ({detail}). If this persists, check the certificate and the address.',
    'No se pudo establecer la conexión segura con {host} ({detail}). Si persiste, compruebe el certificado y la dirección.',
  ),
  stopped_before: later('The server was being stopped.', 'El servidor se estaba deteniendo.'),
  connection_lost: settle(
    'The connection to {host} was lost after the message had been sent ({detail}).',
    'Se perdió la conexión con {host} después de enviar el mensaje ({detail}).',
  ),
  response_timeout: settle(
    '{host} did not respond within {seconds} seconds.',
    '{host} no respondió en {seconds} segundos.',
  ),
  response_cut_off: settle(
    'The response from {host} was cut off after {bytes} bytes.',
    'La respuesta de {host} se interrumpió tras {bytes} bytes.',
  ),
  response_too_large: settle(
    'The response from {host} exceeds the limit of {bytes} bytes.',
    'La respuesta de {host} supera el límite de {bytes} bytes.',
  ),
  response_not_xml: settle(
    '{host} returned something other than SOAP ({detail}, HTTP {status}), usually a web page during maintenance.',
    '{host} respondió algo distinto de SOAP ({detail}, HTTP {status}): por lo general, una página web de mantenimiento.',
  ),
  response_unreadable: settle(
    'The response from {host} cannot be read: {reason}',
    'La respuesta de {host} no puede leerse: {reason}',
  ),
  response_unexpected: settle(
    '{host} returned {detail}, which does not match the message that was sent. Check the address.',
    '{host} respondió con {detail}, que no corresponde a lo enviado. Compruebe la dirección.',
  ),
  response_undecided: settle(
    'The response from {host} does not state what was stored ({detail}).',
    'La respuesta de {host} no indica qué se ha registrado ({detail}).',
  ),
  service_unavailable: {
    kind: 'unknown',
    en: '{host} is not available (HTTP 503). The call is repeated automatically; no action is needed.',
    es: '{host} no está disponible (HTTP 503). La llamada se repite automáticamente; no hay que hacer nada.',
  },
  http_status: settle(
    '{host} returned HTTP {status} without a readable body.',
    '{host} respondió HTTP {status} sin una respuesta legible.',
  ),
  redirected: settle(
    '{host} redirects to another address (HTTP {status}), which is not followed. Check the address.',
    '{host} redirige a otra dirección (HTTP {status}), que no se sigue. Compruebe la dirección.',
  ),
  stopped_after: settle(
    'The server was stopped while waiting for the response from {host}.',
    'El servidor se detuvo mientras esperaba la respuesta de {host}.',
  ),
} as const satisfies Readonly<Record<string, Declaration>>

export type ProblemCode = keyof typeof PROBLEMS

/** A problem of one message, in both languages. */
export interface Problem {
  readonly code: ProblemCode
  readonly message: Text
}

type Operation = 'submission' | 'requirement' | 'query'

/** Returns a message of a problem with the consequence that it has for an operation. */
function consequenceFor(operation: Operation, text: string, locale: Locale): string {
  if (operation === 'requirement')
    return text
      .replace(SETTLE[locale], IN_A_REPLY.unknown[locale])
      .replace(NOTHING[locale], IN_A_REPLY.unreachable[locale])
  // A query changes nothing and can be repeated.
  return operation === 'query' ? text.replace(SETTLE[locale], '').trim() : text
}

/** Returns the problem of a code with its messages, for an operation of a service. */
export function problemOf(
  code: ProblemCode,
  values: Extra & { readonly reason?: Text },
  operation: Operation,
): Problem {
  const { reason, ...others } = values
  const messageIn = (locale: Locale): string =>
    fill(
      consequenceFor(operation, PROBLEMS[code][locale], locale),
      { ...others, reason: reason?.[locale] ?? '' },
      locale,
    )
  return { code, message: { en: messageIn('en'), es: messageIn('es') } }
}
