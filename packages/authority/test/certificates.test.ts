/** Tests of certificates: their holders, their findings, and how the client presents them. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAuthorities } from 'cuadra-server/environment/authorities.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#test/folders.ts'
import { tokens } from '#test/tokens.ts'
import { certificateFindings, daysLeft } from '../src/certificate-findings.ts'
import { type CertificateHolder, certificateHolderOf } from '../src/certificate-owner.ts'
import { type Pkcs12, readPkcs12 } from '../src/pkcs12.ts'
import { createAuthorityClient } from '../src/wire/index.ts'
import { certificateOf, type FakeAuthority, fakeAuthority, pemOf, responseXml } from './fake-authority.ts'

const DAY = 86_400_000
const NAME_TYPES = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  serial: '2.5.4.5',
  GN: '2.5.4.42',
  org: '2.5.4.97',
  own: '1.3.6.1.4.1.18838.1.1',
}
const owner = (
  parts: Partial<Record<keyof typeof NAME_TYPES, string>>,
  isSeal: boolean | null = null,
): CertificateHolder =>
  certificateHolderOf(
    new Map(
      Object.entries(parts).map(([name, value]) => [NAME_TYPES[name as keyof typeof NAME_TYPES], value]),
    ),
    isSeal,
  )

const person = { kind: 'person', taxId: '12345678Z', personTaxId: '12345678Z' }
const representative = { kind: 'representative', taxId: 'B12345674', personTaxId: '12345678Z' }
const seal = { kind: 'seal', taxId: 'B12345674', personTaxId: null }
const unknown = { kind: 'unknown', taxId: null, personTaxId: null }

describe('the owner of a certificate', () => {
  it.each<[string, CertificateHolder, object]>([
    [
      'a person, as the FNMT writes it',
      owner({
        CN: 'PRUEBA GARCIA ANA - 12345678Z',
        serial: 'IDCES-12345678Z',
        SN: 'PRUEBA GARCIA',
        GN: 'ANA',
      }),
      person,
    ],
    ['a person, as it wrote it before', owner({ CN: 'NOMBRE PRUEBA GARCIA ANA - NIF 12345678Z' }), person],
    [
      'a person, of the electronic identity card',
      owner({ CN: 'PRUEBA GARCIA, ANA (AUTENTICACIÓN)', serial: '12345678Z', SN: 'PRUEBA', GN: 'ANA' }),
      person,
    ],
    [
      'a foreigner',
      owner({ CN: 'X1234567L ANA PRUEBA', serial: 'IDCES-X1234567L' }),
      { ...person, taxId: 'X1234567L', personTaxId: 'X1234567L' },
    ],
    [
      'a person under the number of a provider',
      owner({ CN: 'ANA PRUEBA', own: '12345678Z', GN: 'ANA' }),
      person,
    ],
    [
      'a self-employed person with a VAT number',
      owner({ org: 'VATES-12345678Z', serial: 'IDCES-12345678Z', SN: 'PRUEBA' }),
      person,
    ],
    [
      'a representative',
      owner({
        CN: '12345678Z ANA PRUEBA (R: B12345674)',
        serial: 'IDCES-12345678Z',
        SN: 'PRUEBA',
        org: 'VATES-B12345674',
      }),
      representative,
    ],
    [
      'a representative by the name alone',
      owner({ CN: '12345678Z ANA PRUEBA (R: B12345674)' }),
      representative,
    ],
    [
      'a representative, as the FNMT wrote it before',
      owner({ CN: 'ENTIDAD PAPELERIA SL - CIF B12345674 - NOMBRE PRUEBA ANA - NIF 12345678Z' }),
      representative,
    ],
    [
      'a representative without a personal number',
      owner({ org: 'VATES-B12345674', SN: 'PRUEBA' }),
      { ...representative, personTaxId: null },
    ],
    ['a seal', owner({ CN: 'Papelería, S.L.', org: 'VATES-B12345674' }), seal],
    ['a seal with a bare number', owner({ CN: 'Papelería, S.L.', serial: 'B12345674' }), seal],
    [
      'a seal that states it and names a person in charge',
      owner({ org: 'VATES-B12345674', SN: 'PRUEBA' }, true),
      seal,
    ],
    [
      'a representative whose certificate states that it is not a seal',
      owner({ org: 'VATES-B12345674' }, false),
      { ...representative, personTaxId: null },
    ],
    ['an entity of another country', owner({ CN: 'Empresa', org: 'VATPT-501442600' }), unknown],
    ['an invalid number', owner({ CN: 'X', org: 'VATES-B12345670', serial: 'IDCES-12345678A' }), unknown],
    ['a name with a number in it', owner({ CN: 'Taller 12345678Z12' }), unknown],
    ['an empty subject', owner({}), unknown],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected))
})

describe('the findings about a certificate', () => {
  const from = new Date('2026-01-01T00:00:00Z')
  const until = new Date('2026-12-31T12:00:00Z')
  let own: Pkcs12
  beforeAll(async () => {
    own = await certificateOf({ from, until })
  })
  const findings = (day: string, taxId?: string) =>
    certificateFindings(own.certificate, { now: Date.parse(day), ...(taxId ? { taxId } : {}) })
  const codes = (day: string, taxId?: string) =>
    findings(day, taxId).map(({ code, severity }) => `${severity} ${code}`)

  it('are expiry soon, expiry, not yet valid, and another holder', () => {
    const always = 'warning self_signed'
    expect(codes('2026-06-01', 'B23456783')).toEqual([always])
    expect(codes('2026-12-01T12:00:00Z')).toEqual(['warning expires_soon', always])
    expect(codes('2026-12-01T11:59:59Z')).toEqual(['warning expires_soon', always])
    expect(codes('2026-11-30T11:59:59Z')).toEqual([always])
    expect(codes('2027-01-01')).toEqual(['error expired', always])
    expect(codes('2025-12-31')).toEqual(['error not_yet_valid', always])
    expect(codes('2026-06-01', 'B12345674')).toEqual(['warning other_owner', always])
    expect(daysLeft(own.certificate, Date.parse('2026-12-30T11:59:59Z'))).toBe(1)
    expect(daysLeft(own.certificate, Date.parse('2027-01-01T12:00:00Z'))).toBe(-1)
  })

  it('have a message in both languages, with their values', () => {
    const all = ['2026-12-20', '2027-01-01', '2025-12-31'].flatMap((day) => findings(day, 'B12345674'))
    expect(all.length).toBeGreaterThan(8)
    for (const { message } of all)
      for (const text of Object.values(message)) {
        expect(text).toMatch(/B23456783/)
        expect(text).not.toMatch(/[{}—]|undefined|null/)
      }
  })
})

describe('additional certificate authorities', () => {
  const folder = temporaryFolder()
  const file = (text: string): string => {
    writeFileSync(join(folder, 'ca.pem'), text)
    return join(folder, 'ca.pem')
  }
  it('are read from a PEM file, and an invalid file stops the program with a message', async () => {
    const [a, b] = [pemOf(await certificateOf()), pemOf(await certificateOf())]
    expect(readAuthorities(undefined)).toEqual([])
    expect(readAuthorities(file(`# comment\n${a}\n${b}`))).toEqual([a.trim(), b.trim()])
    for (const [text, message] of [
      ['', /contains no certificate/],
      [`${a}${a.replace(/MI/, 'AA')}`, /certificate 2 of .* is damaged/],
    ] as const)
      expect(() => readAuthorities(file(text))).toThrow(message)
    expect(() => readAuthorities(join(folder, 'gone.pem'))).toThrow(/CUADRA_AEAT_CA_FILE: .* cannot be read/)
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('a certificate with intermediates', () => {
  const folder = temporaryFolder()
  const path = (name: string) => join(folder, name)
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const EXTENSIONS = `[ca]\nbasicConstraints=critical,CA:TRUE\n[leaf]\nbasicConstraints=CA:FALSE\nextendedKeyUsage=clientAuth\n1.3.6.1.5.5.7.1.3=ASN1:SEQUENCE:qc\n[signer]\nextendedKeyUsage=emailProtection\n[qc]\nstatement=SEQUENCE:type\n[type]\nid=OID:0.4.0.1862.1.6\ninfo=SEQUENCE:kinds\n[kinds]\nkind=OID:0.4.0.1862.1.6.2\n`
  let fake: FakeAuthority
  let child: ChildProcess | undefined

  /** Creates a certificate issued by another one, as a PKCS#12 file with the whole chain. */
  const made = async (section: string): Promise<Pkcs12> => {
    openssl(
      ...tokens`x509 -req -in leaf.csr -CA middle.crt -CAkey middle.key -days 30 -extfile ext.cnf
      -extensions ${section} -out leaf.crt`,
    )
    writeFileSync(
      path('chain.crt'),
      readFileSync(path('root.crt'), 'utf8') + readFileSync(path('middle.crt'), 'utf8'),
    )
    openssl(
      ...tokens`pkcs12 -export -inkey leaf.key -in leaf.crt -certfile chain.crt -passout pass:x -out
      leaf.p12`,
    )
    return readPkcs12(readFileSync(path('leaf.p12')), 'x')
  }

  beforeAll(async () => {
    fake = await fakeAuthority()
    writeFileSync(path('ext.cnf'), EXTENSIONS)
    const key = ['-newkey', 'rsa:2048', '-nodes']
    openssl(...tokens`req -x509 ${key} -keyout root.key -subj /CN=Raiz -days 30 -out root.crt`)
    openssl('req', ...key, '-keyout', 'middle.key', '-subj', '/CN=Intermedia', '-out', 'middle.csr')
    openssl(
      ...tokens`x509 -req -in middle.csr -CA root.crt -CAkey root.key -days 30 -extfile ext.cnf
      -extensions ca -out middle.crt`,
    )
    openssl(
      ...tokens`req ${key} -keyout leaf.key -subj
      /CN=Papeleria/organizationIdentifier=VATES-B12345674/SN=Prueba -out leaf.csr`,
    )
  })
  afterAll(async () => {
    child?.kill()
    await fake.close()
  })

  it('has its chain in order, and states that it is a seal', async () => {
    const { certificate, chain } = await made('leaf')
    expect(chain.map(({ subject }) => subject)).toEqual(['CN=Intermedia', 'CN=Raiz'])
    expect(certificate.owner).toEqual(seal)
    expect(certificateFindings(certificate, { now: Date.now() }).map(({ code }) => code)).toEqual([
      'expires_soon',
    ])
  })

  it('not meant for client authentication gives a finding', async () => {
    const { certificate } = await made('signer')
    const found = certificateFindings(certificate, { now: Date.now() + DAY }).map(({ code }) => code)
    expect(found).toContain('not_for_clients')
  })

  it('is presented to the server with its intermediates', async () => {
    const certificate = await made('leaf')
    let issuer: string | undefined
    fake.behave = (answer, { socket }) => {
      issuer = String(socket.getPeerCertificate(true).issuerCertificate?.subject?.CN)
      answer.writeHead(200, { 'Content-Type': 'text/xml' }).end(responseXml())
    }
    const authority = createAuthorityClient({
      environment: 'simulator',
      addresses: { verifactu: fake.origin },
      authorities: [fake.ca],
    })
    const outcome = await authority.send(
      { service: 'verifactu', operation: 'submission', xml: '<a/>' },
      certificate,
    )
    authority.close()
    expect(outcome.kind).toBe('answered')
    expect(issuer).toBe('Intermedia')
  })

  it.each(['-tls1_2', '-tls1_3'])(
    'unknown to the server is refused by its alert (%s) before anything is read',
    async (version) => {
      const server = await certificateOf({ name: 'localhost' })
      writeFileSync(path('server.pem'), `${server.privateKeyPem()}\n${pemOf(server)}`)
      const port = await new Promise<number>((resolve, reject) => {
        const args = [
          's_server',
          '-accept',
          '127.0.0.1:0',
          '-cert',
          'server.pem',
          '-key',
          'server.pem',
          '-Verify',
          '2',
          '-verify_return_error',
          '-CAfile',
          'server.pem',
          version,
        ]
        child = spawn('openssl', args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
        child.stdout?.on('data', (data: Buffer) => {
          const found = /ACCEPT .*:(\d+)/.exec(data.toString())?.[1]
          if (found) resolve(Number(found))
        })
        child.on('error', reject)
      })
      const authority = createAuthorityClient({
        environment: 'simulator',
        addresses: { verifactu: `https://localhost:${port}` },
        authorities: [pemOf(server)],
      })
      const outcome = await authority.send(
        { service: 'verifactu', operation: 'submission', xml: '<a/>' },
        await made('leaf'),
      )
      authority.close()
      child?.kill()
      expect(outcome).toMatchObject({ kind: 'refused', problem: { code: 'certificate_refused' } })
    },
  )
})
