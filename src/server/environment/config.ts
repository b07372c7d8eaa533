/**
 * Reads the configuration from environment variables. It is validated at start, so that an invalid value causes no
 * failure later.
 */
import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { CuadraError } from '../../errors/index.ts'
import { messageOf } from '../../storage/faults.ts'
import { ranges } from './addresses.ts'
import { mailAddress } from './mail-address.ts'

export type Aeat = 'simulator' | 'preproduction' | 'production'

export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path. */
  readonly dataDir: string
  /** A `postgres://` URL. If undefined, the database is embedded in the data folder. */
  readonly databaseUrl: string | undefined
  /** An `smtp://` or `smtps://` URL with user and password. If undefined, mails are written to the data folder. */
  readonly smtpUrl: string | undefined
  /** The host name in the greeting to the mail server. If undefined, the name of this machine. */
  readonly smtpName: string | undefined
  /** The sender of every mail. If undefined, each company's own address. */
  readonly mailFrom: string | undefined
  /** Maximum size of a complete mail, as sent. */
  readonly mailMaxBytes: number
  /** Seconds that the delivery of a complete mail may take. */
  readonly mailTimeout: number
  readonly aeat: Aeat
  /** `https://` addresses that replace those of the tax authority. */
  readonly aeatVerifactuUrl: string | undefined
  readonly aeatSiiUrl: string | undefined
  /**
   * Absolute path of a PEM file with certificate authorities to trust for those addresses, besides the usual
   * authorities.
   */
  readonly aeatCaFile: string | undefined
  /** Absolute path of a PEM file with the certificates that are trusted in signatures of received invoices. */
  readonly signatureRootsFile: string | undefined
  /** Whether this process runs the simulator, if records are sent to a simulator. */
  readonly simulator: boolean
  /** The wait time, in seconds, in the simulator's responses. */
  readonly simulatorWait: number
  readonly workers: boolean
  /** Whether this server recognises suppliers' files, which needs more memory than a small machine has. */
  readonly recognition: boolean
  readonly logLevel: string
  /** Addresses whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[]
  /** JSON file with the responsible declaration of the producer of the invoicing software. */
  readonly declarationFile: string | undefined
  /** Prefix of `NumeroInstalacion` in the records of a new chain, before the id of the company. */
  readonly installation: string
  /**
   * The key that encrypts certificates, 64 hexadecimal digits. If undefined, the key is in a file in the data folder.
   */
  readonly secret: string | undefined
  /** Seconds that a client may take to send a request. */
  readonly requestTimeout: number
  /** Size of this process's PostgreSQL connection pool. */
  readonly databasePool: number
  /** A separate address for `/metrics`. If undefined, the server's address. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | undefined
  /** The `Authorization: Bearer` token that `/metrics` requires. If undefined, no token is required. */
  readonly metricsToken: string | undefined
}

/** Lists all problems of the environment variables, one line per variable. */
export class ConfigError extends CuadraError {
  override readonly kind = 'usage'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const AEATS: readonly Aeat[] = ['simulator', 'preproduction', 'production']
/** With a hyphen and the id of a company, the number has at most 100 characters. */
const INSTALLATION = /^[\w.-]{1,63}$/
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i
const ADDRESS = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i
const TOKEN = /^[\w.~+/=-]{16,200}$/
const HEX_KEY = /^[0-9a-f]{64}$/i

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from environment variables. Throws a `ConfigError` that lists all problems.
 *
 * For example, `readConfig({ PORT: '9000' }).port` is 9000 and `.aeat` is `simulator`.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one check per variable, in the order of the problems.
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the same.
export function readConfig(environment: Environment, cwd: string = process.cwd()): Config {
  const problems: string[] = []
  const text = (name: string): string | undefined => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const oneOf = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T => {
    const value = text(name)
    if (value === undefined) return otherwise
    const known = allowed.find((one) => one === value)
    if (known !== undefined) return known
    problems.push(`${name} is "${value}". Use one of ${allowed.join(', ')}.`)
    return otherwise
  }
  const whole = (name: string, least: number, most: number, otherwise: number): number => {
    const value = text(name)
    if (value === undefined) return otherwise
    if (/^\d{1,9}$/.test(value) && +value >= least && +value <= most) return +value
    problems.push(`${name} is "${value}". Use a whole number from ${least} to ${most}.`)
    return otherwise
  }
  const url = (name: string, schemes: readonly string[]): string | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    // The message omits the value, which may contain a password.
    if (!URL.canParse(value) || !schemes.some((scheme) => value.toLowerCase().startsWith(`${scheme}//`)))
      problems.push(
        `${name} is not a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`,
      )
    return value
  }
  /** Reads a URL to which messages are posted. It must have no credentials and no query. */
  const service = (name: string): string | undefined => {
    const before = problems.length
    const value = url(name, ['https:'])
    if (value === undefined || problems.length > before) return value
    const { username, password, hash, search } = new URL(value)
    // This message omits the value too.
    if (username !== '' || password !== '' || hash !== '' || search !== '')
      problems.push(
        `${name} has a user, a password, a ? or a #. Use an address only, such as https://localhost:8443/. The certificate identifies you.`,
      )
    return value
  }
  const path = (name: string): string | undefined => {
    const value = text(name)
    return value === undefined || isAbsolute(value) ? value : resolve(cwd, value)
  }
  const proxies = (text('CUADRA_TRUST_PROXY') ?? '').split(',').flatMap((one) => one.trim() || [])
  try {
    ranges(proxies)
  } catch (error) {
    problems.push(`CUADRA_TRUST_PROXY: ${messageOf(error)}`)
  }
  const host = text('HOST') ?? '127.0.0.1'
  if (isIP(host) === 0 && !HOST_NAME.test(host))
    problems.push(`HOST is "${host}". Use an address (127.0.0.1, ::) or the name of this machine.`)
  const secret = text('CUADRA_SECRET')
  if (secret !== undefined && !HEX_KEY.test(secret))
    problems.push('CUADRA_SECRET is not a key. Use 64 hexadecimal digits (`openssl rand -hex 32`).')
  const installation = text('CUADRA_INSTALLATION') ?? '1'
  if (!INSTALLATION.test(installation))
    problems.push(
      `CUADRA_INSTALLATION is "${installation}". Use 1 to 63 letters, digits, dots, hyphens or underscores.`,
    )
  const metricsAddress = (): Config['metricsAddress'] => {
    const value = text('CUADRA_METRICS_ADDRESS')
    if (value === undefined) return undefined
    const [, six, name = six ?? '', digits = ''] = ADDRESS.exec(value) ?? []
    const port = Number(digits)
    if ((isIP(name) === 0 && !HOST_NAME.test(name)) || digits === '' || port > 65_535)
      problems.push(
        `CUADRA_METRICS_ADDRESS is "${value}". Use an address and a port, such as 127.0.0.1:9100 or [::1]:9100.`,
      )
    return { host: name, port }
  }
  const metricsToken = text('CUADRA_METRICS_TOKEN')
  if (metricsToken !== undefined && !TOKEN.test(metricsToken))
    problems.push(
      'CUADRA_METRICS_TOKEN is not a token. Use 16 to 200 letters, digits or .~+/=-_ (`openssl rand -hex 32`).',
    )
  const mailFrom = text('CUADRA_MAIL_FROM')
  if (mailFrom !== undefined && mailAddress(mailFrom) === undefined)
    problems.push(
      `CUADRA_MAIL_FROM is "${mailFrom}". Use one e-mail address without a name, such as facturas@empresa.example.`,
    )
  const smtpUrl = url('CUADRA_SMTP_URL', ['smtp:', 'smtps:'])
  if (smtpUrl !== undefined && URL.canParse(smtpUrl) && new URL(smtpUrl).hostname === '')
    problems.push('CUADRA_SMTP_URL has no host. Use a URL such as smtp://user:password@mail.example:587.')
  const smtpName = text('CUADRA_SMTP_NAME')
  if (smtpName !== undefined && !HOST_NAME.test(smtpName))
    problems.push(
      `CUADRA_SMTP_NAME is "${smtpName}". Use the full name of this machine, such as facturas.empresa.example.`,
    )
  const config: Config = {
    port: whole('PORT', 0, 65_535, 8080),
    host,
    dataDir: path('CUADRA_DATA_DIR') ?? resolve(cwd, 'data'),
    databaseUrl: url('CUADRA_DATABASE_URL', ['postgres:', 'postgresql:']),
    smtpUrl,
    smtpName,
    mailFrom: mailFrom === undefined ? undefined : mailAddress(mailFrom),
    mailMaxBytes: whole('CUADRA_MAIL_MAX_BYTES', 100_000, 100_000_000, 20_000_000),
    mailTimeout: whole('CUADRA_MAIL_TIMEOUT', 1, 60, 25),
    aeat: oneOf('CUADRA_AEAT', AEATS, 'simulator'),
    aeatVerifactuUrl: service('CUADRA_AEAT_VERIFACTU_URL'),
    aeatSiiUrl: service('CUADRA_AEAT_SII_URL'),
    aeatCaFile: path('CUADRA_AEAT_CA_FILE'),
    signatureRootsFile: path('CUADRA_SIGNATURE_ROOTS'),
    simulator: oneOf('CUADRA_AEAT_SIMULATOR', ['on', 'off'], 'on') === 'on',
    simulatorWait: whole('CUADRA_AEAT_SIMULATOR_WAIT', 0, 9999, 2),
    workers: oneOf('CUADRA_WORKERS', ['on', 'off'], 'on') === 'on',
    recognition: oneOf('CUADRA_RECOGNITION', ['on', 'off'], 'on') === 'on',
    logLevel: oneOf('CUADRA_LOG_LEVEL', LEVELS, 'info'),
    trustProxy: proxies,
    declarationFile: path('CUADRA_DECLARATION'),
    installation,
    secret,
    requestTimeout: whole('CUADRA_REQUEST_TIMEOUT', 1, 3600, 60),
    databasePool: whole('CUADRA_DATABASE_POOL', 1, 200, 10),
    metricsAddress: metricsAddress(),
    metricsToken,
  }
  if (config.aeat !== 'simulator' && !config.declarationFile)
    problems.push(
      `CUADRA_AEAT is "${config.aeat}" without CUADRA_DECLARATION. Set it to the file with your responsible declaration (art. 13 RD 1007/2023).`,
    )
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}
