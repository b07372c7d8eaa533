/**
 * Reads the configuration from environment variables. All values are validated at start, so that an invalid value is
 * reported then and not when it is first used.
 */
import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { messageOf } from 'cuadra-storage/storage-faults.ts'
import { CuadraError } from '#core/errors/index.ts'
import { parseAddressRanges } from './ip-addresses.ts'
import { normalizedMailAddress } from './mail-address.ts'

/** Parses the value of a variable. The error it throws has a message that continues the name of the variable. */
type Parse<Value> = (value: string, cwd: string) => Value

function refuse(value: string, instruction: string): never {
  throw new RangeError(` is "${value}". ${instruction}`)
}

const matching =
  (isValid: (value: string) => boolean, instruction: string): Parse<string> =>
  (value) =>
    isValid(value) ? value : refuse(value, instruction)

const oneOf =
  <Value extends string>(...allowed: readonly Value[]): Parse<Value> =>
  (value) =>
    allowed.find((one) => one === value) ?? refuse(value, `Use one of ${allowed.join(', ')}.`)

const isOn: Parse<boolean> = (value, cwd) => oneOf('on', 'off')(value, cwd) === 'on'

const whole =
  (least: number, most: number): Parse<number> =>
  (value) =>
    /^\d{1,9}$/.test(value) && +value >= least && +value <= most
      ? +value
      : refuse(value, `Use a whole number from ${least} to ${most}.`)

const path: Parse<string> = (value, cwd) => (isAbsolute(value) ? value : resolve(cwd, value))

/** Parses a secret, whose value no error message repeats. */
const secretly =
  (pattern: RegExp, problem: string): Parse<string> =>
  (value) => {
    if (!pattern.test(value)) throw new RangeError(` is not ${problem}`)
    return value
  }

/**
 * Parses a URL. `problemIn` returns a further problem of the URL, or false. URLs may contain a password, so no message
 * repeats them.
 */
const url =
  (schemes: readonly string[], problemIn: (url: URL) => string | false = () => false): Parse<string> =>
  (value) => {
    if (!URL.canParse(value) || !schemes.some((scheme) => value.toLowerCase().startsWith(scheme)))
      throw new RangeError(` is not a URL that begins with ${schemes.join(' or ')}.`)
    const problem = problemIn(new URL(value))
    if (problem) throw new RangeError(problem)
    return value
  }

/** A URL to which messages are posted. It must have no credentials and no query. */
const serviceUrl = url(
  ['https://'],
  ({ username, password, hash, search }) =>
    `${username}${password}${hash}${search}` !== '' &&
    ' has a user, a password, a ? or a #. Use an address only, such as https://localhost:8443/. The certificate identifies you.',
)

const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i
const isName = (value: string): boolean => HOST_NAME.test(value)
const isHost = (value: string): boolean => isIP(value) !== 0 || isName(value)

const ADDRESS = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i

function addressAndPort(value: string): { readonly host: string; readonly port: number } {
  const [, six, host = six ?? '', digits = ''] = ADDRESS.exec(value) ?? []
  const port = Number(digits)
  return isHost(host) && digits !== '' && port <= 65_535
    ? { host, port }
    : refuse(value, 'Use an address and a port, such as 127.0.0.1:9100 or [::1]:9100.')
}

function proxies(value: string): readonly string[] {
  const entries = value.split(',').flatMap((one) => one.trim() || [])
  try {
    parseAddressRanges(entries)
  } catch (error) {
    throw new RangeError(`: ${messageOf(error)}`)
  }
  return entries
}

/** Matches installation names. `NumeroInstalacion` adds a hyphen and a company id, and has at most 100 characters. */
const INSTALLATION = /^[\w.-]{1,63}$/

/** The name of a variable, its parser, and the text that is parsed if the variable is missing or blank. */
type Setting = readonly [name: string, parse: Parse<unknown>, otherwise?: string]

/** All settings. Problems are reported in this order. */
const SETTINGS = {
  port: ['PORT', whole(0, 65_535), '8080'],
  host: [
    'HOST',
    matching(isHost, 'Use an address (127.0.0.1, ::) or the name of this machine.'),
    '127.0.0.1',
  ],
  /** Absolute path. */
  dataDir: ['CUADRA_DATA_DIR', path, 'data'],
  /** If undefined, the database is embedded in the data folder. */
  databaseUrl: ['CUADRA_DATABASE_URL', url(['postgres://', 'postgresql://'])],
  /** Size of this process's PostgreSQL connection pool. */
  databasePool: ['CUADRA_DATABASE_POOL', whole(1, 200), '10'],
  /** URL of the mail server, with user and password. If undefined, mails are written to the data folder. */
  smtpUrl: [
    'CUADRA_SMTP_URL',
    url(
      ['smtp://', 'smtps://'],
      ({ hostname }) =>
        hostname === '' && ' has no host. Use a URL such as smtp://user:password@mail.example:587.',
    ),
  ],
  /** The host name in the greeting to the mail server. If undefined, the name of this machine. */
  smtpName: [
    'CUADRA_SMTP_NAME',
    matching(isName, 'Use the full name of this machine, such as facturas.empresa.example.'),
  ],
  /** The sender of every mail. If undefined, each company's own address. */
  mailFrom: [
    'CUADRA_MAIL_FROM',
    (value: string) =>
      normalizedMailAddress(value) ??
      refuse(value, 'Use one e-mail address without a name, such as facturas@empresa.example.'),
  ],
  /** Maximum number of bytes of a complete mail, as sent. */
  mailMaxBytes: ['CUADRA_MAIL_MAX_BYTES', whole(100_000, 100_000_000), '20000000'],
  /** Seconds that the delivery of a complete mail may take. */
  mailTimeout: ['CUADRA_MAIL_TIMEOUT', whole(1, 60), '25'],
  aeat: ['CUADRA_AEAT', oneOf('simulator', 'preproduction', 'production'), 'simulator'],
  /** Addresses that replace those of the tax authority. */
  aeatVerifactuUrl: ['CUADRA_AEAT_VERIFACTU_URL', serviceUrl],
  aeatSiiUrl: ['CUADRA_AEAT_SII_URL', serviceUrl],
  /**
   * Absolute path of a PEM file with certificate authorities to trust for those addresses, in addition to the default
   * ones.
   */
  aeatCaFile: ['CUADRA_AEAT_CA_FILE', path],
  /** Absolute path of a PEM file with the certificates that are trusted in signatures of received invoices. */
  signatureRootsFile: ['CUADRA_SIGNATURE_ROOTS', path],
  /** Whether this process runs the simulator, if records are sent to a simulator. */
  simulator: ['CUADRA_AEAT_SIMULATOR', isOn, 'on'],
  /** The wait time, in seconds, in the simulator's responses. */
  simulatorWait: ['CUADRA_AEAT_SIMULATOR_WAIT', whole(0, 9999), '2'],
  workers: ['CUADRA_WORKERS', isOn, 'on'],
  /** Whether this server recognises suppliers' files, which needs more memory than a small machine has. */
  recognition: ['CUADRA_RECOGNITION', isOn, 'on'],
  logLevel: ['CUADRA_LOG_LEVEL', oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'],
  /** IP addresses and ranges of proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: ['CUADRA_TRUST_PROXY', proxies, ''],
  /** JSON file with the responsible declaration of the producer of the invoicing software. */
  declarationFile: ['CUADRA_DECLARATION', path],
  /** Prefix of `NumeroInstalacion` in the records of a new chain, before the id of the company. */
  installation: [
    'CUADRA_INSTALLATION',
    matching(
      (value) => INSTALLATION.test(value),
      'Use 1 to 63 letters, digits, dots, hyphens or underscores.',
    ),
    '1',
  ],
  /** The key that encrypts certificates. If undefined, the key is in a file in the data folder. */
  secret: [
    'CUADRA_SECRET',
    secretly(/^[0-9a-f]{64}$/i, 'a key. Use 64 hexadecimal digits (`openssl rand -hex 32`).'),
  ],
  /** Seconds that a client may take to send a request. */
  requestTimeout: ['CUADRA_REQUEST_TIMEOUT', whole(1, 3600), '60'],
  /** A separate address and port for `/metrics`. If undefined, `/metrics` is served with the other pages. */
  metricsAddress: ['CUADRA_METRICS_ADDRESS', addressAndPort],
  /** The `Authorization: Bearer` token that `/metrics` requires. If undefined, no token is required. */
  metricsToken: [
    'CUADRA_METRICS_TOKEN',
    secretly(
      /^[\w.~+/=-]{16,200}$/,
      'a token. Use 16 to 200 letters, digits or .~+/=-_ (`openssl rand -hex 32`).',
    ),
  ],
} as const satisfies Readonly<Record<string, Setting>>

type Settings = typeof SETTINGS
type ValueOf<One extends Setting> =
  | ReturnType<One[1]>
  | (One extends readonly [unknown, unknown] ? undefined : never)

export type Config = { readonly [Name in keyof Settings]: ValueOf<Settings[Name]> }

/** Lists all problems of the environment variables, one line per variable. */
export class ConfigError extends CuadraError {
  override readonly kind = 'usage'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/**
 * Reads the configuration from environment variables. Throws a `ConfigError` that lists all problems.
 *
 * For example, `readConfig({ PORT: '9000' }).port` is 9000 and `.aeat` is `simulator`.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string = process.cwd(),
): Config {
  const problems: string[] = []
  const read = ([name, parse, otherwise]: Setting): unknown => {
    const value = environment[name]?.trim() || otherwise
    try {
      return value === undefined ? undefined : parse(value, cwd)
    } catch (error) {
      problems.push(name + messageOf(error))
      return undefined
    }
  }
  const values = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [name, read(setting)])
  const config = Object.fromEntries(values) as Config
  if (!['simulator', undefined].includes(config.aeat) && !config.declarationFile)
    problems.push(
      `CUADRA_AEAT is "${config.aeat}" without CUADRA_DECLARATION. Set it to the file with your responsible declaration (art. 13 RD 1007/2023).`,
    )
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}
