import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../src/environment/config.ts'

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems
  }
}

it('an empty environment gives the defaults', () => {
  expect(readConfig({}, '/srv')).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: '/srv/data',
    databaseUrl: undefined,
    smtpUrl: undefined,
    smtpName: undefined,
    mailFrom: undefined,
    mailMaxBytes: 20_000_000,
    mailTimeout: 25,
    aeat: 'simulator',
    aeatVerifactuUrl: undefined,
    aeatSiiUrl: undefined,
    aeatCaFile: undefined,
    signatureRootsFile: undefined,
    simulator: true,
    simulatorWait: 2,
    workers: true,
    recognition: true,
    logLevel: 'info',
    trustProxy: [],
    declarationFile: undefined,
    installation: '1',
    secret: undefined,
    requestTimeout: 60,
    databasePool: 10,
  })
})

it('a blank value counts as missing', () => {
  expect(readConfig({ PORT: '', CUADRA_AEAT: '  ', CUADRA_DATABASE_URL: '' }, '/srv')).toEqual(
    readConfig({}, '/srv'),
  )
})

it('every variable is read', () => {
  const secret = 'ab'.repeat(32)
  const config = readConfig(
    {
      PORT: '9000',
      HOST: '0.0.0.0',
      CUADRA_DATA_DIR: 'here',
      CUADRA_DATABASE_URL: 'postgresql://u:p@db/cuadra',
      CUADRA_SMTP_URL: 'smtps://mail.example',
      CUADRA_SMTP_NAME: 'facturas.empresa.example',
      CUADRA_MAIL_FROM: 'Facturas@Empresa.example',
      CUADRA_MAIL_MAX_BYTES: '5000000',
      CUADRA_MAIL_TIMEOUT: '10',
      CUADRA_AEAT: 'production',
      CUADRA_AEAT_VERIFACTU_URL: 'https://localhost:8443/',
      CUADRA_AEAT_SII_URL: 'https://localhost:8443/wlpl/SSII-FACT/ws/',
      CUADRA_AEAT_SIMULATOR: 'off',
      CUADRA_AEAT_SIMULATOR_WAIT: '30',
      CUADRA_AEAT_CA_FILE: 'ca.pem',
      CUADRA_SIGNATURE_ROOTS: 'roots.pem',
      CUADRA_WORKERS: 'off',
      CUADRA_RECOGNITION: 'off',
      CUADRA_LOG_LEVEL: 'warn',
      CUADRA_TRUST_PROXY: '10.0.0.0/8, ::1',
      CUADRA_DECLARATION: '/etc/declaration.json',
      CUADRA_INSTALLATION: 'madrid-2',
      CUADRA_SECRET: secret,
      CUADRA_REQUEST_TIMEOUT: '5',
      CUADRA_DATABASE_POOL: '3',
      CUADRA_METRICS_ADDRESS: '[::1]:9100',
      CUADRA_METRICS_TOKEN: 'a'.repeat(32),
    },
    '/srv',
  )
  expect(config).toEqual({
    port: 9000,
    host: '0.0.0.0',
    dataDir: '/srv/here',
    databaseUrl: 'postgresql://u:p@db/cuadra',
    smtpUrl: 'smtps://mail.example',
    smtpName: 'facturas.empresa.example',
    mailFrom: 'Facturas@empresa.example',
    mailMaxBytes: 5_000_000,
    mailTimeout: 10,
    aeat: 'production',
    aeatVerifactuUrl: 'https://localhost:8443/',
    aeatSiiUrl: 'https://localhost:8443/wlpl/SSII-FACT/ws/',
    aeatCaFile: '/srv/ca.pem',
    signatureRootsFile: '/srv/roots.pem',
    simulator: false,
    simulatorWait: 30,
    workers: false,
    recognition: false,
    logLevel: 'warn',
    trustProxy: ['10.0.0.0/8', '::1'],
    declarationFile: '/etc/declaration.json',
    installation: 'madrid-2',
    secret,
    requestTimeout: 5,
    databasePool: 3,
    metricsAddress: { host: '::1', port: 9100 },
    metricsToken: 'a'.repeat(32),
  })
})

describe('an invalid value is named with the allowed ones', () => {
  const cases: [string, string, RegExp][] = [
    ['PORT', 'http', /^PORT is "http"\. Use a whole number from 0 to 65535\.$/],
    ['PORT', '65536', /from 0 to 65535/],
    ['PORT', '-1', /from 0 to 65535/],
    ['PORT', '80.5', /from 0 to 65535/],
    ['PORT', '0x50', /from 0 to 65535/],
    [
      'HOST',
      'not a host',
      /^HOST is "not a host"\. Use an address \(127\.0\.0\.1, ::\) or the name of this machine\.$/,
    ],
    ['HOST', 'http://localhost', /^HOST/],
    ['HOST', '[::1]', /^HOST/],
    [
      'CUADRA_DATABASE_URL',
      'mysql://u:secret@db/x',
      /^CUADRA_DATABASE_URL is not a URL that begins with postgres:\/\/ or postgresql:\/\/\.$/,
    ],
    ['CUADRA_DATABASE_URL', 'cuadra', /^CUADRA_DATABASE_URL is not a URL/],
    ['CUADRA_DATABASE_URL', 'postgres:cuadra', /^CUADRA_DATABASE_URL is not a URL/],
    [
      'CUADRA_SMTP_URL',
      'https://mail.example',
      /^CUADRA_SMTP_URL is not a URL that begins with smtp:\/\/ or smtps:\/\/\.$/,
    ],
    ['CUADRA_SMTP_URL', 'smtp:///', /^CUADRA_SMTP_URL has no host\./],
    ['CUADRA_AEAT', 'test', /^CUADRA_AEAT is "test"\. Use one of simulator, preproduction, production\.$/],
    ['CUADRA_AEAT', 'preproduction', /without CUADRA_DECLARATION/],
    [
      'CUADRA_AEAT_VERIFACTU_URL',
      'http://localhost:8443',
      /^CUADRA_AEAT_VERIFACTU_URL is not a URL that begins with https:\/\/\.$/,
    ],
    ['CUADRA_AEAT_SII_URL', 'localhost:8443', /^CUADRA_AEAT_SII_URL is not a URL/],
    ['CUADRA_AEAT_SII_URL', 'https://user:secret@localhost/', /^CUADRA_AEAT_SII_URL has a user, a password/],
    ['CUADRA_AEAT_VERIFACTU_URL', 'https://localhost/?key=secret', /Use an address only/],
    ['CUADRA_WORKERS', 'yes', /^CUADRA_WORKERS is "yes"\. Use one of on, off\.$/],
    ['CUADRA_RECOGNITION', 'no', /^CUADRA_RECOGNITION is "no"\. Use one of on, off\.$/],
    ['CUADRA_LOG_LEVEL', 'verbose', /^CUADRA_LOG_LEVEL is "verbose"\. Use one of trace, debug/],
    [
      'CUADRA_TRUST_PROXY',
      '10.0.0.0/8, everyone',
      /^CUADRA_TRUST_PROXY: "everyone" is not an IP address or range/,
    ],
    ['CUADRA_SECRET', 'password', /^CUADRA_SECRET is not a key\. Use 64 hexadecimal digits/],
    ['CUADRA_SECRET', 'a'.repeat(63), /^CUADRA_SECRET/],
    ['CUADRA_REQUEST_TIMEOUT', '0', /^CUADRA_REQUEST_TIMEOUT is "0"\. Use a whole number from 1 to 3600\.$/],
    ['CUADRA_REQUEST_TIMEOUT', '1 h', /from 1 to 3600/],
    ['CUADRA_DATABASE_POOL', '201', /from 1 to 200/],
    ['CUADRA_METRICS_ADDRESS', '9100', /such as 127\.0\.0\.1:9100/],
    ['CUADRA_METRICS_ADDRESS', 'localhost:99999', /address and a port/],
    ['CUADRA_METRICS_TOKEN', 'short', /16 to 200/],
  ]
  it.each(cases)('%s=%s', (name, value, expected) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(expected)
  })

  it('passwords are never repeated', () => {
    for (const name of ['CUADRA_DATABASE_URL', 'CUADRA_SMTP_URL', 'CUADRA_AEAT_SII_URL'])
      expect(problemsOf({ [name]: 'x://user:hunter2@host' }).join()).not.toContain('hunter2')
    const inside = problemsOf({ CUADRA_AEAT_SII_URL: 'https://user:hunter2@host' })
    expect(inside.join()).toMatch(/^CUADRA_AEAT_SII_URL/)
    expect(inside.join()).not.toContain('hunter2')
    expect(problemsOf({ CUADRA_SECRET: 'hunter2' }).join()).not.toContain('hunter2')
  })

  it('all problems are reported at once', () => {
    const problems = problemsOf({ PORT: 'x', CUADRA_WORKERS: 'x', CUADRA_SECRET: 'x' })
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['PORT', 'CUADRA_WORKERS', 'CUADRA_SECRET'])
  })

  it('the real tax authority is used only with a responsible declaration', () => {
    expect(problemsOf({ CUADRA_AEAT: 'production', CUADRA_DECLARATION: 'declaration.json' })).toEqual([])
    expect(problemsOf({ CUADRA_AEAT: 'simulator' })).toEqual([])
  })
})
