/**
 * What can go wrong between this server and the tax authority: one table of codes, each with its words and what it leaves
 * open. No value that is filled in can be a secret: hosts, codes of Node,
 * states of HTTP and dates.
 */
import type { Extra, Text } from '../../invoice/index.ts'
import { fill } from '../../messages/index.ts'

/** What is known of the message after a problem. */
export type ProblemKind =
  /** The certificate was refused and nothing was stored. Retrying is useless until the configuration changes. */
  | 'refused'
  /** Nothing was sent: the same message may be sent again. */
  | 'unreachable'
  /** Something was sent and its result is unknown: a query settles it. */
  | 'unknown'

interface Declaration extends Text {
  readonly kind: ProblemKind
}

const SETTLE = {
  en: 'The records may have arrived: they are asked for before anything is sent again.',
  es: 'Los registros pueden haber llegado: se consultan antes de volver a enviar nada.',
} as const
const NOTHING = {
  en: 'Nothing was sent; it is tried again.',
  es: 'No se envió nada; se volverá a intentar.',
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
    'The certificate of {owner} is valid from {from} on; nothing was sent. Wait until then, or check the clock of this machine.',
    'El certificado de {owner} es válido a partir del {from}; no se envió nada. Espere hasta entonces o compruebe el reloj de esta máquina.',
  ),
  certificate_unusable: change(
    'refused',
    'The certificate of {owner} cannot be used for a connection ({detail}); nothing was sent. Export it again with its key and add it.',
    'El certificado de {owner} no puede usarse en una conexión ({detail}); no se envió nada. Expórtelo de nuevo con su clave y añádalo.',
  ),
  certificate_refused: change(
    'refused',
    '{host} does not take the certificate of {owner} ({detail}), and has stored nothing. Check that it is qualified, not revoked, and that certificate and address belong together: seals have addresses of their own.',
    '{host} no admite el certificado de {owner} ({detail}) y no ha registrado nada. Compruebe que es cualificado, que no está revocado y que corresponde a la dirección: los sellos tienen direcciones propias.',
  ),
  certificate_not_entitled: change(
    'refused',
    'The owner of the certificate, {owner}, may not send for this taxpayer (AEAT {detail}); nothing was stored. Use a certificate of the taxpayer, or have {owner} registered as representative (apoderado) or social collaborator.',
    'El titular del certificado, {owner}, no puede enviar en nombre de este obligado (AEAT {detail}); no se registró nada. Use un certificado del obligado, o dé de alta a {owner} como apoderado o colaborador social.',
  ),
  no_address: change(
    'unreachable',
    'This server works with a simulator and has no address of one; nothing was sent. Start it, or set {variable}.',
    'Este servidor trabaja con un simulador y no tiene su dirección; no se envió nada. Inícielo o configure {variable}.',
  ),
  server_not_trusted: change(
    'unreachable',
    'The certificate of {host} is not trusted ({detail}), so nothing was sent. If it is a server of your own, name its authority in CUADRA_AEAT_CA_FILE; otherwise somebody stands between.',
    'El certificado de {host} no es de confianza ({detail}), por lo que no se envió nada. Si es un servidor propio, indique su autoridad en CUADRA_AEAT_CA_FILE; si no lo es, alguien se interpone.',
  ),
  name_not_found: later(
    'The name {host} cannot be found ({detail}). Check the network and the name service of this machine.',
    'No se encuentra el nombre {host} ({detail}). Compruebe la red y el servicio de nombres de esta máquina.',
  ),
  not_reachable: later('No connection to {host} ({detail}).', 'No hay conexión con {host} ({detail}).'),
  connect_timeout: later(
    '{host} did not take the connection within {seconds} seconds.',
    '{host} no aceptó la conexión en {seconds} segundos.',
  ),
  tls_failed: later(
    'The secure connection to {host} could not be made ({detail}). If that goes on, check certificate and address.',
    'No se pudo establecer la conexión segura con {host} ({detail}). Si continúa, compruebe el certificado y la dirección.',
  ),
  stopped_before: later('The server was being stopped.', 'El servidor se estaba deteniendo.'),
  connection_lost: settle(
    'The connection to {host} was lost after the message had been sent ({detail}).',
    'Se perdió la conexión con {host} después de enviar el mensaje ({detail}).',
  ),
  answer_timeout: settle(
    '{host} did not answer within {seconds} seconds.',
    '{host} no respondió en {seconds} segundos.',
  ),
  answer_cut: settle(
    'The answer of {host} broke off after {bytes} bytes.',
    'La respuesta de {host} se interrumpió tras {bytes} bytes.',
  ),
  answer_too_large: settle(
    'The answer of {host} is longer than the {bytes} bytes that are read.',
    'La respuesta de {host} supera los {bytes} bytes que se leen.',
  ),
  answer_not_xml: settle(
    '{host} answered with something else than SOAP ({detail}, HTTP {status}): mostly a page of the web site, during maintenance.',
    '{host} respondió algo distinto de SOAP ({detail}, HTTP {status}): por lo general, una página de la sede, durante un mantenimiento.',
  ),
  answer_unreadable: settle(
    'The answer of {host} cannot be read: {reason}',
    'La respuesta de {host} no puede leerse: {reason}',
  ),
  answer_unexpected: settle(
    '{host} answered with {detail}, which is no answer to what was sent. Check the address.',
    '{host} respondió con {detail}, que no es una respuesta a lo enviado. Compruebe la dirección.',
  ),
  answer_undecided: settle(
    'The answer of {host} does not say what was stored ({detail}).',
    'La respuesta de {host} no dice qué se ha registrado ({detail}).',
  ),
  http_status: settle(
    '{host} answered HTTP {status} without a readable answer.',
    '{host} respondió HTTP {status} sin una respuesta legible.',
  ),
  redirected: settle(
    '{host} redirects to another address (HTTP {status}), which is not followed. Check the address.',
    '{host} redirige a otra dirección (HTTP {status}), y no se sigue. Compruebe la dirección.',
  ),
  stopped_after: settle(
    'The server was stopped while it waited for the answer of {host}.',
    'El servidor se detuvo mientras esperaba la respuesta de {host}.',
  ),
} as const satisfies Readonly<Record<string, Declaration>>

export type ProblemCode = keyof typeof PROBLEMS

/** A problem of one message, with its text in both languages. */
export interface Problem {
  readonly code: ProblemCode
  readonly message: Text
}

/**
 * The problem under a code. `reading` says that the message was a query, which changes nothing: it may always be asked
 * again.
 */
export function problemOf(
  code: ProblemCode,
  values: Extra & { readonly reason?: Text },
  reading: boolean,
): Problem {
  const { en, es }: Declaration = PROBLEMS[code]
  const { reason, ...others } = values
  const open = (text: string, sentence: string): string =>
    reading ? text.replace(sentence, '').trim() : text
  return {
    code,
    message: {
      en: fill(open(en, SETTLE.en), { ...others, reason: reason?.en ?? '' }, 'en'),
      es: fill(open(es, SETTLE.es), { ...others, reason: reason?.es ?? '' }, 'es'),
    },
  }
}
