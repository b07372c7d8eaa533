/** Errors for files that cannot be recognised, with instructions. */
import type { Text } from '../../../invoice/index.ts'
import type { Unreadable } from '../../../recognition/index.ts'
import { ApiError } from '../../errors/api-error.ts'

/** API specification, section "Limits". */
export const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_PAGES = 8

/** Why a file cannot be read, and what to do. */
const MESSAGES: Readonly<Record<Unreadable, Text>> = {
  empty: {
    en: 'The file is empty. Send a file with content.',
    es: 'Está vacío. Envíe un fichero con contenido.',
  },
  too_large: {
    en: 'The file has more than 10 MB. Send a smaller one, for example with images at 200 dpi.',
    es: 'Supera los 10 MB. Envíe uno menor, por ejemplo con imágenes de 200 ppp.',
  },
  unknown_type: {
    en: 'The file is not a PDF, JPEG, PNG or TIFF, despite its name. Send a file in one of these formats.',
    es: 'No es un PDF, JPEG, PNG ni TIFF, pese a su nombre. Envíe uno de estos formatos.',
  },
  too_many_pages: {
    en: 'The file has more than 8 pages. Send only the pages of the invoice.',
    es: 'Tiene más de 8 páginas. Envíe solo las páginas de la factura.',
  },
  too_many_pixels: {
    en: 'The image is too large to be opened. Scan it at 200 to 300 dpi.',
    es: 'Su imagen es demasiado grande para abrirla. Escanéela a entre 200 y 300 ppp.',
  },
  encrypted: {
    en: 'The file is encrypted. Send it without a password.',
    es: 'Está cifrado. Envíelo sin contraseña.',
  },
  broken: {
    en: 'The file is damaged or incomplete. Save or scan it again, and send the new file.',
    es: 'Está dañado o incompleto. Guárdelo o escanéelo de nuevo y envíe el fichero nuevo.',
  },
  out_of_time: {
    en: 'Reading the file takes too long. Send fewer pages, or a simpler scan.',
    es: 'Su lectura tarda demasiado. Envíe menos páginas o un escaneo más sencillo.',
  },
  out_of_memory: {
    en: 'Reading the file takes too much memory. Send fewer pages, or a smaller scan.',
    es: 'Su lectura necesita demasiada memoria. Envíe menos páginas o un escaneo menor.',
  },
}

/** Returns the error for a file that cannot be read. `reason` is for programs, `hint` for people. */
export const unreadable = (reason: Unreadable): ApiError =>
  new ApiError('recognition_file_invalid', {
    reason,
    hint: MESSAGES[reason],
    max_bytes: MAX_FILE_BYTES,
    max_pages: MAX_PAGES,
  })

/** Why recognition is not available now, and what to do. */
const UNAVAILABLE = {
  switched_off: {
    en: 'Recognition is disabled on this server. Ask the administrator to set CUADRA_RECOGNITION to on.',
    es: 'Está desactivado en este servidor. Pida al administrador que ponga CUADRA_RECOGNITION en on.',
  },
  not_installed: {
    en: 'The libraries for reading files are not installed. Ask the administrator to install the optional dependencies of the server.',
    es: 'No están instaladas las bibliotecas para leer ficheros. Pida al administrador que instale las dependencias opcionales del servidor.',
  },
  busy: {
    en: 'Too many files are waiting. Send the file again in a few seconds.',
    es: 'Hay demasiados ficheros en espera. Envíelo de nuevo dentro de unos segundos.',
  },
  left: {
    en: 'The client disconnected while its file was waiting. Send the file again.',
    es: 'El cliente cerró la conexión mientras su fichero estaba en espera. Envíelo de nuevo.',
  },
  failed_files: {
    en: 'Too many files of this company could not be read in the last hour. Check them, and wait before sending the next one.',
    es: 'En la última hora demasiados ficheros de esta empresa no se han podido leer. Revíselos y espere antes de enviar el siguiente.',
  },
  closing: {
    en: 'The server is stopping. Send the file again in a few seconds.',
    es: 'El servidor se está deteniendo. Envíelo de nuevo dentro de unos segundos.',
  },
} as const

/** Temporary reasons. The response has `Retry-After`. */
const PASSING: readonly (keyof typeof UNAVAILABLE)[] = ['busy', 'closing', 'failed_files']

export const unavailable = (reason: keyof typeof UNAVAILABLE, seconds = 10): ApiError =>
  new ApiError(
    'recognition_disabled',
    { reason, hint: UNAVAILABLE[reason] },
    PASSING.includes(reason) ? { 'Retry-After': String(seconds) } : {},
  )
