/** Messages for failures of mails. */
import type { Text } from '../../../invoice/index.ts'
import { ApiError, LATER } from '../../errors/api-error.ts'
import { type Failure, type FailureReason, FULL_MAILBOX } from '../../mail/failure.ts'

const MESSAGES: Readonly<Record<FailureReason, Text>> = {
  unreachable: {
    en: 'the mail server cannot be reached, or closed the connection; send it again later',
    es: 'no se puede conectar con el servidor de correo, o este cerró la conexión; envíelo de nuevo más tarde',
  },
  timeout: {
    en: 'the mail server did not respond in time; send it again later',
    es: 'el servidor de correo no respondió a tiempo; envíelo de nuevo más tarde',
  },
  tls: {
    en: 'no secure connection to the mail server could be established; ask the administrator to check its certificate and CUADRA_SMTP_URL',
    es: 'no pudo establecerse una conexión segura con el servidor de correo; pida al administrador que revise su certificado y CUADRA_SMTP_URL',
  },
  login_refused: {
    en: 'the mail server rejected the user or password of this service; ask the administrator to check CUADRA_SMTP_URL',
    es: 'el servidor de correo rechazó el usuario o la contraseña de este servicio; pida al administrador que revise CUADRA_SMTP_URL',
  },
  sender_refused: {
    en: 'the mail server rejected the sender; ask the administrator to check contact_email and CUADRA_MAIL_FROM',
    es: 'el servidor de correo rechazó el remitente; pida al administrador que revise contact_email y CUADRA_MAIL_FROM',
  },
  recipients_refused: {
    en: 'the mail server rejected all recipients; check smtp_response and correct the addresses',
    es: 'el servidor de correo rechazó a todos los destinatarios; consulte smtp_response y corrija las direcciones',
  },
  message_refused: {
    en: 'the mail server rejected the message; check smtp_response',
    es: 'el servidor de correo rechazó el mensaje; consulte smtp_response',
  },
  message_too_large: {
    en: 'the message is larger than the mail server accepts; send it without attach_xml, or deliver the files in another way',
    es: 'el mensaje es mayor de lo que acepta el servidor de correo; envíelo sin attach_xml o entregue los ficheros por otra vía',
  },
  server_refused: {
    en: 'the mail server rejected the connection, or did not respond with SMTP; check smtp_response',
    es: 'el servidor de correo rechazó la conexión o no respondió con SMTP; consulte smtp_response',
  },
  not_written: {
    en: 'The file could not be written to the mail folder. Ask the administrator to check free space and permissions of the data folder, and send it again.',
    es: 'No pudo escribirse el fichero en la carpeta de correos. Pida al administrador que revise el espacio y los permisos de la carpeta de datos, y envíelo de nuevo.',
  },
  not_in_force: {
    en: 'the invoice was cancelled or deleted before the e-mail was sent',
    es: 'la factura se anuló o se eliminó antes de enviarse el correo',
  },
}

const FULL: Text = {
  en: 'a mailbox is full, or the mail server has no space left; send it to another address, or again once there is space',
  es: 'un buzón está lleno o al servidor de correo no le queda espacio; envíelo a otra dirección, o de nuevo cuando haya espacio',
}

const DEFERRED: Text = {
  en: 'the mail server does not accept the message at this time, for example because it does not know the sender yet (greylisting); send it again in some minutes',
  es: 'el servidor de correo no acepta el mensaje en este momento, por ejemplo porque aún no conoce al remitente (listas grises); envíelo de nuevo dentro de unos minutos',
}

const UNREADABLE: Text = {
  en: 'the mail server had received the complete message, but its reply cannot be read (see smtp_response): the customer may have the e-mail. Ask the customer before sending it again',
  es: 'el servidor de correo ya tenía el mensaje completo, pero su respuesta no se puede leer (consulte smtp_response): puede que el cliente lo haya recibido. Pregúntele antes de enviarlo de nuevo',
}

const UNCERTAIN: Text = {
  en: 'the connection was lost after the mail server had received the complete message, but before it confirmed receipt: the customer may have the e-mail. Ask the customer before sending it again',
  es: 'la conexión se perdió cuando el servidor de correo ya tenía el mensaje completo, antes de confirmarlo: puede que el cliente lo haya recibido. Pregúntele antes de enviarlo de nuevo',
}

function hintOf({
  reason,
  permanent,
  uncertain,
  smtp_code: code = 0,
  smtp_response: reply = '',
}: Failure): Text {
  if (uncertain) return reply === '' ? UNCERTAIN : UNREADABLE
  if (code === 452 || (reason === 'recipients_refused' && (code === 552 || FULL_MAILBOX.test(reply))))
    return FULL
  return code > 0 && !permanent ? DEFERRED : MESSAGES[reason]
}

/** Returns the error for the client. Its `detail` has every member of the failure, for programs. */
export const notSent = (failure: Failure): ApiError =>
  failure.reason === 'not_written'
    ? new ApiError('service_unavailable', { message: MESSAGES.not_written }, LATER)
    : new ApiError('email_not_sent', { ...failure, hint: hintOf(failure) })
