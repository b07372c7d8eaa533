/** Why a mail was not sent, in words. */
import type { Text } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Failure, FailureReason } from '../../mail/failure.ts'

const MESSAGES: Readonly<Record<FailureReason, Text>> = {
  unreachable: {
    en: 'the mail server cannot be reached, or broke the connection off; send it again later',
    es: 'no se puede conectar con el servidor de correo, o este cortó la conexión; envíelo de nuevo más tarde',
  },
  timeout: {
    en: 'the mail server did not answer in time; send it again later',
    es: 'el servidor de correo no respondió a tiempo; envíelo de nuevo más tarde',
  },
  tls: {
    en: 'no safe connection to the mail server could be made; have the administrator look at its certificate and at CUADRA_SMTP_URL',
    es: 'no pudo establecerse una conexión segura con el servidor de correo; pida al administrador que revise su certificado y CUADRA_SMTP_URL',
  },
  login_refused: {
    en: 'the mail server refused the user or the password of this service; have the administrator look at CUADRA_SMTP_URL',
    es: 'el servidor de correo rechazó el usuario o la contraseña de este servicio; pida al administrador que revise CUADRA_SMTP_URL',
  },
  sender_refused: {
    en: 'the mail server refused the sender; have the administrator look at contact_email and CUADRA_MAIL_FROM',
    es: 'el servidor de correo rechazó el remitente; pida al administrador que revise contact_email y CUADRA_MAIL_FROM',
  },
  recipients_refused: {
    en: 'the mail server took none of the recipients; see smtp_response and correct the addresses',
    es: 'el servidor de correo no aceptó a ningún destinatario; vea smtp_response y corrija las direcciones',
  },
  message_refused: {
    en: 'the mail server refused the message; see smtp_response',
    es: 'el servidor de correo rechazó el mensaje; vea smtp_response',
  },
  message_too_large: {
    en: 'the message is larger than the mail server takes; send it without attach_xml, or hand the files over in another way',
    es: 'el mensaje es mayor de lo que acepta el servidor de correo; envíelo sin attach_xml o entregue los ficheros por otra vía',
  },
  server_refused: {
    en: 'the mail server turned the connection away, or answered with what is not SMTP; see smtp_response',
    es: 'el servidor de correo rechazó la conexión o respondió algo que no es SMTP; vea smtp_response',
  },
  not_written: {
    en: 'the file could not be written to the folder of mails; have the administrator look at room and rights of the data folder',
    es: 'no pudo escribirse el fichero en la carpeta de correos; pida al administrador que revise el espacio y los permisos de la carpeta de datos',
  },
  not_in_force: {
    en: 'the invoice was cancelled or deleted before the mail went out',
    es: 'la factura se anuló o se eliminó antes de que saliera el correo',
  },
}

const UNCERTAIN: Text = {
  en: 'the mail server had all of the message when the connection was lost, and did not say that it took it: the customer may have it. Ask before you send it again',
  es: 'el servidor de correo tenía ya el mensaje completo cuando se perdió la conexión y no confirmó que lo aceptara: puede que el cliente lo haya recibido. Pregunte antes de enviarlo de nuevo',
}

/** What the client is told. Every member of the failure is in `detail`, for programs. */
export const notSent = (failure: Failure): ApiError =>
  new ApiError('email_not_sent', {
    ...failure,
    hint: failure.uncertain ? UNCERTAIN : MESSAGES[failure.reason],
  })
