/** Reads the address of a QR code and reports its faults. */
import { displayTextOf, fault, type QrFault, type QrFaultCode, shownCharacter } from './fault.ts'
import { PARAMETERS, type QrEnvironment, type QrParts, qrPartFault } from './qr-parts.ts'
import { HOSTS, NOT_VERIFIABLE_PATH, VERIFIABLE_PATH } from './url.ts'

/** The values of an address, or all its faults. */
export type QrParse =
  | ({ readonly valid: true; readonly environment: QrEnvironment; readonly verifiable: boolean } & QrParts)
  | { readonly valid: false; readonly errors: readonly QrFault[] }

/** Maximum length of a text to parse, well above that of the longest valid address (some 400 characters). */
const MAX_LENGTH = 2048

/** Characters that a URL must escape (RFC 3986). */
const NOT_IN_URL = /[^!-~]|["<>[\]\\^`{|}]/u

const ADDRESS = /^([A-Za-z][A-Za-z\d+.-]*):\/\/([^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?(#.*)?$/

interface Service {
  readonly environment: QrEnvironment | undefined
  readonly verifiable: boolean | undefined
}

/** Returns the service of a host and a path; adds faults to `errors`. */
function serviceOf(authority: string, path: string, errors: QrFault[]): Service {
  const at = authority.lastIndexOf('@')
  if (at >= 0) {
    const why = 'they hide the real host. Remove everything before the @.'
    errors.push(fault('credentials', 'not_allowed', `The address has credentials: ${why}`))
  }
  const [, host, port] = /^(.*?)(:\d*)?$/.exec(authority.slice(at + 1))!
  if (port !== undefined) {
    const why = 'the printed address has none. Remove it.'
    errors.push(fault('port', 'not_allowed', `The address names the port ${displayTextOf(port)}: ${why}`))
  }
  const name = host!.toLowerCase()
  const environment = name === HOSTS.production ? 'production' : name === HOSTS.test ? 'test' : undefined
  if (environment === undefined) {
    const why = `the service of the tax authority is at ${HOSTS.production} and, for tests, at ${HOSTS.test}. Do not open this address.`
    errors.push(fault('host', 'unknown', `The host is ${displayTextOf(host)}: ${why}`))
  }
  const verifiable = path === VERIFIABLE_PATH ? true : path === NOT_VERIFIABLE_PATH ? false : undefined
  if (verifiable === undefined) {
    const why = `it must be ${VERIFIABLE_PATH} or ${NOT_VERIFIABLE_PATH}, with exactly this spelling.`
    errors.push(fault('path', 'unknown', `The path is ${displayTextOf(path)}: ${why}`))
  }
  return { environment, verifiable }
}

/** Returns the fault of a parameter that the address must not have. */
function unknownParameter(name: string): QrFault {
  if (name === 'formato' || name === 'idioma') {
    const why = 'the printed QR never has it. Remove it.'
    return fault(name, 'program_parameter', `The address has the parameter ${name}: ${why}`)
  }
  const why = 'the QR has only nif, numserie, fecha and importe. Inside a value, write & as %26.'
  return fault('query', 'unknown_parameter', `The address has the parameter ${displayTextOf(name)}: ${why}`)
}

/** Returns the raw values of the four parameters, in the order of `PARAMETERS`; adds faults to `errors`. */
function rawValues(query: string, errors: QrFault[]): (string | undefined)[] {
  const values: (string | undefined)[] = [undefined, undefined, undefined, undefined]
  let last = -1
  let ordered = true
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', ...rest] = pair.split('=')
    const index = PARAMETERS.findIndex(({ parameter }) => parameter === name)
    if (pair === '') {
      const why = 'write one & between two parameters and none at the ends.'
      errors.push(fault('query', 'empty_parameter', `The address has an & with nothing beside it: ${why}`))
    } else if (index < 0) errors.push(unknownParameter(name))
    else if (values[index] !== undefined) {
      const why = 'programs differ on which one counts. Keep the right one.'
      const message = `The address has the parameter ${name} more than once: ${why}`
      errors.push(fault(PARAMETERS[index]!.field, 'repeated_parameter', message))
    } else {
      values[index] = rest.join('=')
      ordered &&= index > last
      last = index
    }
  }
  if (!ordered) {
    const why = 'the QR has nif, numserie, fecha, importe. Put them in this order.'
    errors.push(fault('query', 'order', `The parameters are in another order: ${why}`))
  }
  return values
}

/** Returns a decoded value; adds a fault to `errors`. */
function decoded(index: number, raw: string | undefined, errors: QrFault[]): string {
  const { field, parameter, missing } = PARAMETERS[index]!
  const refuse = (code: QrFaultCode, message: string, authority: number | null = null): string => {
    errors.push(fault(field, code, message, authority))
    return ''
  }
  if (raw === undefined) {
    const why = 'all four are required. Copy its value from the record.'
    return refuse('missing_parameter', `The address lacks the parameter ${parameter}: ${why}`, missing)
  }
  let value: string
  try {
    // The service reads + as a blank, as in forms; some libraries write blanks as +.
    value = decodeURIComponent(raw.replaceAll('+', ' '))
  } catch {
    const why = 'a % needs two hexadecimal digits, and the bytes must be UTF-8. Escape % as %25.'
    return refuse(
      'escape',
      `The parameter ${parameter} is ${displayTextOf(raw)}, which cannot be decoded: ${why}`,
    )
  }
  const wrong = qrPartFault(index, value)
  if (wrong) errors.push(wrong)
  return value
}

const refused = (...errors: QrFault[]): QrParse => ({ valid: false, errors })

/**
 * Reads the address of a QR code, from this library or any other. Never throws, whatever the text.
 *
 * The reader is strict where a difference can lead to another site or to no record. It requires one of the four
 * services (host and path), https, and exactly the four parameters, in order. It accepts harmless differences: capitals
 * in `HTTPS` and the host, characters such as `(` or `/` that URLs may have unescaped, and `+` for a blank. Only the
 * service knows whether the record of a valid address exists.
 *
 * @param url The text of the code.
 * @returns The decoded values, or all faults: `code`, `field`, `message` and, if the service has a code for the
 *   fault, `authority_code`.
 * @example
 * const service = 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR'
 * const read = parseQr(service + '?nif=89890001K&numserie=12345678%26G33&fecha=01-01-2024&importe=241.4')
 * read.valid && read.numSerie // => '12345678&G33'
 * read.valid && read.environment // => 'test'
 * const wrong = parseQr(service + '?nif=89890001K&numserie=A1&fecha=2024-01-01&importe=241,4')
 * const errors = wrong.valid ? [] : wrong.errors
 * errors.map(({ field, code }) => `${field} ${code}`) // => ['fecha format', 'importe format']
 * errors.map(({ authority_code }) => authority_code) // => [2004, 2005]
 */
export function parseQr(url: string): QrParse {
  if (typeof url !== 'string')
    return refused(fault('url', 'type', `The address is ${displayTextOf(url)}: it must be a string.`))
  if (url.length > MAX_LENGTH) {
    const why = `no valid address is longer than ${MAX_LENGTH}. Check what the QR really contains.`
    return refused(fault('url', 'length', `The address has ${url.length} characters: ${why}`))
  }
  const at = url.search(NOT_IN_URL)
  if (at >= 0) {
    const why = 'a URL cannot have it. Escape it as UTF-8 (a space is %20) or, around the address, remove it.'
    return refused(fault('url', 'character', `The address has ${shownCharacter(url, at)}: ${why}`))
  }
  const [matched, scheme, authority, path, query, fragment] = ADDRESS.exec(url) ?? []
  if (matched === undefined) {
    const why = `the QR of an invoice starts with https://${HOSTS.production}${VERIFIABLE_PATH}.`
    return refused(fault('url', 'format', `The address is ${displayTextOf(url)}: ${why}`))
  }
  const errors: QrFault[] = []
  if (scheme!.toLowerCase() !== 'https') {
    const why = 'the service is reached by https only. Write https.'
    errors.push(fault('scheme', 'unknown', `The address starts with ${displayTextOf(scheme)}: ${why}`))
  }
  if (fragment !== undefined) {
    const why = 'it is never sent to the service. Remove it, or write # inside a value as %23.'
    errors.push(
      fault('fragment', 'not_allowed', `The address has the fragment ${displayTextOf(fragment)}: ${why}`),
    )
  }
  const { environment, verifiable } = serviceOf(authority!, path!, errors)
  // The parameters of an unknown host or path are not checked, because their meaning is unknown.
  if (environment === undefined || verifiable === undefined) return { valid: false, errors }
  const raw = rawValues(query ?? '', errors)
  const [nif, numSerie, fecha, importe] = raw.map((value, index) => decoded(index, value, errors))
  if (errors.length > 0) return { valid: false, errors }
  return {
    valid: true,
    nif: nif!,
    numSerie: numSerie!,
    fecha: fecha!,
    importe: importe!,
    environment,
    verifiable,
  }
}
