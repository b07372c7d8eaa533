/**
 * Tests of the signature of fiscal records (NO VERI*FACTU): signed records verify here, with libxml2's canonical form
 * and with xmlsec1, and no changed record verifies.
 */
import { spawnSync } from 'node:child_process'
import { webcrypto } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlElement,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { temporaryFolder } from '#test/folders.ts'
import { shared } from '#test/shared.ts'
import { itInAll } from '#test/size.ts'
import {
  AGE_POLICY,
  type RecordSigner,
  SignatureError,
  type SignOptions,
  signRecord,
  verifySignature,
} from '../src/index.ts'
import { asn1, change, DSIG, pkijs } from './signed-invoice.ts'

const { subtle } = webcrypto

const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'
const SF = `${BASE}SuministroInformacion.xsd`
const EV = `${BASE}EventosSIF.xsd`
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const HASH = 'FF954378B64ED331A9B2366AD317D86E9DEC1716B12DD0ACCB172A6DC4C105AA'
const TIMESTAMP = '2027-01-02T10:00:00+01:00'

// ---------------------------------------------------------------- records

/** A tree of elements, so that each record exists with every prefix. */
interface Tree {
  readonly [name: string]: string | Tree
}

const write = (tree: Tree, prefix: string): string =>
  Object.entries(tree)
    .map(([name, content]) => {
      const tag = prefix ? `${prefix}:${name}` : name
      return `<${tag}>${typeof content === 'string' ? content : write(content, prefix)}</${tag}>`
    })
    .join('')

const root = (name: string, namespace: string, tree: Tree, prefix: string): string => {
  const [tag, xmlns] = prefix ? [`${prefix}:${name}`, `xmlns:${prefix}`] : [name, 'xmlns']
  return `<${tag} ${xmlns}="${namespace}">${write(tree, prefix)}</${tag}>`
}

const SYSTEM: Tree = {
  NombreRazon: 'Programas Ñandú &amp; Cía &lt;S.L.>',
  NIF: '89890001K',
  NombreSistemaInformatico: 'Sistema',
  IdSistemaInformatico: '77',
  Version: '1.0.03',
  NumeroInstalacion: '383',
  TipoUsoPosibleSoloVerifactu: 'N',
  TipoUsoPosibleMultiOT: 'N',
  IndicadorMultiplesOT: 'N',
}

const END: Tree = {
  FechaHoraHusoGenRegistro: '2027-01-02T09:59:58+01:00',
  TipoHuella: '01',
  Huella: HASH,
}

const INVOICE: Tree = {
  IDEmisorFactura: '89890001K',
  NumSerieFactura: 'A/2027-1',
  FechaExpedicionFactura: '02-01-2027',
}

const ALTA: Tree = {
  IDVersion: '1.0',
  IDFactura: INVOICE,
  NombreRazonEmisor: 'certificado uno telematicas',
  TipoFactura: 'F2',
  DescripcionOperacion: 'Café con  leche – 1 € 😀',
  Desglose: {
    DetalleDesglose: {
      ClaveRegimen: '01',
      CalificacionOperacion: 'S1',
      TipoImpositivo: '21',
      BaseImponibleOimporteNoSujeto: '100.00',
      CuotaRepercutida: '21.00',
    },
  },
  CuotaTotal: '21.00',
  ImporteTotal: '121.00',
  Encadenamiento: { PrimerRegistro: 'S' },
  SistemaInformatico: SYSTEM,
  ...END,
}

const ANULACION: Tree = {
  IDVersion: '1.0',
  IDFactura: Object.fromEntries(Object.entries(INVOICE).map(([name, text]) => [`${name}Anulada`, text])),
  Encadenamiento: { RegistroAnterior: { ...INVOICE, Huella: HASH.split('').reverse().join('') } },
  SistemaInformatico: SYSTEM,
  ...END,
}

const EVENTO: Tree = {
  IDVersion: '1.0',
  Evento: {
    SistemaInformatico: SYSTEM,
    ObligadoEmision: { NombreRazon: 'certificado uno telematicas', NIF: '89890001K' },
    FechaHoraHusoGenEvento: '2027-01-02T09:59:58+01:00',
    TipoEvento: '01',
    Encadenamiento: { PrimerEvento: 'S' },
    TipoHuella: '01',
    HuellaEvento: HASH,
  },
}

const alta = (prefix = 'sf') => root('RegistroAlta', SF, ALTA, prefix)
const anulacion = (prefix = 'sf') => root('RegistroAnulacion', SF, ANULACION, prefix)
const evento = (prefix = 'ev') => root('RegistroEvento', EV, EVENTO, prefix)
const RECORDS: readonly (readonly [string, (prefix?: string) => string])[] = [
  ['RegistroAlta', alta],
  ['RegistroAnulacion', anulacion],
  ['RegistroEvento', evento],
]

// ---------------------------------------------------------------- keys and certificates

interface Identity {
  readonly keys: webcrypto.CryptoKeyPair
  readonly privateKey: string
  readonly certificate: string
  readonly der: string
}

const pem = (label: string, der: ArrayBuffer): string => {
  const lines = Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}

const RSA = { name: 'RSASSA-PKCS1-v1_5', publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }

interface CertificateWish {
  readonly algorithm?: webcrypto.RsaHashedKeyGenParams | webcrypto.EcKeyGenParams
  readonly keys?: webcrypto.CryptoKeyPair
  readonly from?: string
  readonly until?: string
  readonly name?: string
}

let serial = 80044384284793334134753462931839354305n

/** Creates a key and a self-signed certificate. */
async function identity(wish: CertificateWish = {}): Promise<Identity> {
  const algorithm = wish.algorithm ?? { ...RSA, modulusLength: 2048 }
  const keys =
    wish.keys ?? ((await subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair)
  const certificate = new pkijs.Certificate()
  certificate.version = 2
  certificate.serialNumber = asn1.Integer.fromBigInt(serial++)
  const parts: [string, string][] = [
    ['2.5.4.6', 'ES'],
    ['2.5.4.10', 'Prueba, S.L.'],
    ['2.5.4.5', 'IDCES-89890001K'],
    ['2.5.4.3', wish.name ?? 'CERTIFICADO ÑU "UNO"'],
  ]
  for (const [type, value] of parts)
    for (const name of [certificate.subject, certificate.issuer])
      name.typesAndValues.push(
        new pkijs.AttributeTypeAndValue({ type, value: new asn1.Utf8String({ value }) }),
      )
  certificate.notBefore.value = new Date(wish.from ?? '2026-01-01T00:00:00Z')
  certificate.notAfter.value = new Date(wish.until ?? '2030-01-01T00:00:00Z')
  const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as never })
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey, engine)
  await certificate.sign(keys.privateKey, 'SHA-256', engine)
  const der = certificate.toSchema().toBER(false)
  return {
    keys,
    privateKey: pem('PRIVATE KEY', await subtle.exportKey('pkcs8', keys.privateKey)),
    certificate: pem('CERTIFICATE', der),
    der: Buffer.from(der).toString('base64'),
  }
}

let signer: Identity
let other: Identity
let options: SignOptions

beforeAll(async () => {
  signer = await identity()
  other = await identity({ name: 'OTRA PERSONA' })
  options = { privateKey: signer.privateKey, certificate: signer.certificate, timestamp: TIMESTAMP }
})

// ---------------------------------------------------------------- helpers

const codes = async (xml: string): Promise<string[]> => {
  const check = await verifySignature(xml)
  expect(check.valid, 'valid only without errors').toBe(check.errors.length === 0)
  for (const { message } of check.errors) expect(message.length).toBeGreaterThan(20)
  return check.errors.map(({ code }) => code)
}

async function refusal(xml: string, changed: Partial<SignOptions> = {}): Promise<SignatureError> {
  const error: unknown = await signRecord(xml, { ...options, ...changed }).then(
    () => new Error('it was signed'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SignatureError)
  const refused = error as SignatureError
  for (const part of [refused.where, refused.why, refused.fix]) {
    expect(part.length).toBeGreaterThan(1)
    expect(refused.message).toContain(part)
  }
  return refused
}

const SIGNATURE = /<(\w+:)?Signature[ >][\s\S]*<\/(\w+:)?Signature>/

const signatureOf = (xml: string): string => {
  const [found] = SIGNATURE.exec(xml) ?? []
  expect(found, 'a signature').toBeDefined()
  return required(found)
}

const folder = shared('reference/verifactu/')
const present = existsSync(folder)
const noReference = present ? '' : ' (skipped: no reference folder beside the project)'
const reference = (path: string) => readFileSync(new URL(path, folder), 'utf8')

// ---------------------------------------------------------------- signing

describe('the official signed sample', () => {
  it.skipIf(!present)(`verifies, 2 of 2 references${noReference}`, async () => {
    const check = await verifySignature(reference('samples/ejemploRegistro-firmado-epes-xades4j.xml'))
    expect(check).toEqual({
      valid: true,
      references: 2,
      verified_references: 2,
      profile: 'EPES',
      policy: {
        identifier: AGE_POLICY.identifier,
        hash: 'SHA-1',
        digest: AGE_POLICY.digest,
        uri: AGE_POLICY.uri,
      },
      signing_time: '2025-02-03T16:15:55.105+01:00',
      signed_by: {
        subject:
          'CN=CERTIFICADO UNO TELEMATICAS - 89890001K,SN=CERTIFICADO UNO,GN=TELEMATICAS,SERIALNUMBER=IDCES-89890001K,C=ES',
        issuer: 'CN=AC FNMT Usuarios,OU=Ceres,O=FNMT-RCM,C=ES',
        serial: '80044384284793334134753462931839354305',
        not_before: '2022-04-19T09:01:50.000Z',
        not_after: '2026-04-19T09:01:50.000Z',
      },
      trust: 'not_checked',
      errors: [],
    })
  })

  it.skipIf(!present)(`does not verify with any text of its record changed${noReference}`, async () => {
    const xml = reference('samples/ejemploRegistro-firmado-epes-xades4j.xml')
    await everyText(xml, 1)
  })

  it.skipIf(!present)(
    `has the digest of the official signature when signed again${noReference}`,
    async () => {
      const official = reference('samples/ejemploRegistro-firmado-epes-xades4j.xml')
      const signed = await signRecord(reference('samples/ejemploRegistro.xml'), options)
      const first = (xml: string) => /<ds:DigestValue>([^<]+)</.exec(xml)?.[1]
      expect(first(signed)).toBe('89qWVKHvtwa2CijR5a+DLFjRkqNjKRiz7fClSu1w0Mk=')
      expect(first(signed)).toBe(first(official))
    },
  )
})

describe('a signed record', () => {
  it.each(RECORDS)('%s verifies, and states signer, time and policy', async (_name, record) => {
    const check = await verifySignature(await signRecord(record(), options))
    expect(check).toEqual({
      valid: true,
      references: 2,
      verified_references: 2,
      profile: 'EPES',
      policy: {
        identifier: 'urn:oid:2.16.724.1.3.1.1.2.1.9',
        hash: 'SHA-1',
        digest: 'G7roucf600+f03r/o0bAOQ6WAs0=',
        uri: 'https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf',
      },
      signing_time: TIMESTAMP,
      signed_by: {
        subject: 'CN=CERTIFICADO ÑU \\"UNO\\",SERIALNUMBER=IDCES-89890001K,O=Prueba\\, S.L.,C=ES',
        issuer: 'CN=CERTIFICADO ÑU \\"UNO\\",SERIALNUMBER=IDCES-89890001K,O=Prueba\\, S.L.,C=ES',
        serial: '80044384284793334134753462931839354305',
        not_before: '2026-01-01T00:00:00.000Z',
        not_after: '2030-01-01T00:00:00.000Z',
      },
      trust: 'not_checked',
      errors: [],
    })
  })

  it.each(RECORDS)('%s is the unchanged text, with the signature as last child', async (name, record) => {
    const xml = record()
    const signed = await signRecord(xml, options)
    const signature = signatureOf(signed)
    expect(signed.replace(signature, () => '')).toBe(xml)
    const end = name === 'RegistroEvento' ? '</ev:Evento></ev:RegistroEvento>' : `</sf:${name}>`
    expect(signed.endsWith(`${signature}${end}`)).toBe(true)
  })

  it.each(RECORDS)(
    '%s verifies with any prefix, including that of the signature and none',
    async (_name, record) => {
      for (const prefix of ['sf', 'sum1', 'x', 'T.i-k_1', 'ds', 'xades', ''])
        expect(await codes(await signRecord(record(prefix), options)), `prefix "${prefix}"`).toEqual([])
    },
  )

  it('verifies with namespaces declared elsewhere, unused or bound again', async () => {
    const odd = [
      change(alta('sf'), '<sf:IDFactura>', '<sf:IDFactura xmlns="urn:a" xmlns:q="urn:q">'),
      change(
        alta('sf'),
        ' xmlns:sf=',
        ' xmlns="urn:unused" xmlns:z="urn:z" xmlns:ds="urn:not-dsig" xmlns:sf=',
      ),
      change(
        evento('ev'),
        '<ev:Evento>',
        `<ev:Evento xmlns="urn:b" xmlns:ds="urn:c" xmlns:xades="urn:d" xmlns:ev="${EV}">`,
      ),
      change(evento('a'), '<a:Evento>', `<a:Evento xmlns="${EV}" xmlns:a="${EV}" xmlns:k="urn:k">`),
      change(
        alta('sf'),
        ' xmlns:sf=',
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a a.xsd" xmlns:sf=',
      ),
    ]
    for (const xml of odd) {
      const signed = await signRecord(xml, options)
      expect(await codes(signed)).toEqual([])
      await agreesWithLibxml2(signed)
    }
  })

  it('keeps declaration, spaces, line ends, comments, CDATA and references', async () => {
    const body = alta()
      .replace('</sf:RegistroAlta>', '\r\n</sf:RegistroAlta\n>\r\n<!-- </sf:RegistroAlta> 😀 -->\n')
      .replace('<sf:IDFactura>', '\r\n\t<sf:IDFactura\n>')
      .replace('Café', 'Caf&#233;&#xD;&#10;\u2028\u0085')
      .replace(
        'certificado uno',
        '<![CDATA[</sf:RegistroAlta> & ]]>certificado<!-- </sf:RegistroAlta> --> uno',
      )
    const xml = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- </sf:RegistroAlta> -->\r\n${body}`
    const signed = await signRecord(xml, options)
    expect(signed.replace(signatureOf(signed), () => '')).toBe(xml)
    expect(signed).toMatch(/<\/ds:Signature><\/sf:RegistroAlta\n>/)
    expect(await codes(signed)).toEqual([])
    await agreesWithLibxml2(signed.slice(1))
  })

  it('is the same for the same input, with Ids from its hash', async () => {
    const signed = await signRecord(alta(), options)
    expect(await signRecord(alta(), options)).toBe(signed)
    expect(signed).toContain(`<ds:Signature Id="xmldsig-${HASH}"`)
    const ids = [...signed.matchAll(/ Id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toEqual([`xmldsig-${HASH}`, `xmldsig-${HASH}-ref0`, `xmldsig-${HASH}-signedprops`])
    expect(await signRecord(alta(), { ...options, id: 'firma-1' })).toContain('<ds:Signature Id="firma-1"')
  })

  it('has the signing time as given, with any zone and fraction', async () => {
    for (const timestamp of [
      '2027-07-01T00:00:00Z',
      '2027-01-02T10:00:00.5-01:00',
      '2028-02-29T23:59:59+00:00',
    ]) {
      const signed = await signRecord(alta(), { ...options, timestamp })
      expect(signed).toContain(`<xades:SigningTime>${timestamp}</xades:SigningTime>`)
      expect(await codes(signed)).toEqual([])
    }
  })

  it('has the algorithms and properties of the specification', async () => {
    const signature = signatureOf(await signRecord(alta(), options))
    for (const part of [
      '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>',
      '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>',
      `<ds:Reference Id="xmldsig-${HASH}-ref0" URI=""><ds:Transforms><ds:Transform Algorithm="${DSIG}enveloped-signature"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>`,
      'Type="http://uri.etsi.org/01903#SignedProperties"',
      `<ds:X509Certificate>${signer.der}</ds:X509Certificate>`,
      '<ds:X509IssuerName>CN=CERTIFICADO ÑU \\"UNO\\",2.5.4.5=#0c0f49444345532d38393839303030314b,O=Prueba\\, S.L.,C=ES</ds:X509IssuerName><ds:X509SerialNumber>80044384284793334134753462931839354305</ds:X509SerialNumber>',
      '<xades:Identifier>urn:oid:2.16.724.1.3.1.1.2.1.9</xades:Identifier>',
      `<ds:DigestMethod Algorithm="${DSIG}sha1"/><ds:DigestValue>G7roucf600+f03r/o0bAOQ6WAs0=</ds:DigestValue>`,
      '<xades:SPURI>https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf</xades:SPURI>',
      `<xades:DataObjectFormat ObjectReference="#xmldsig-${HASH}-ref0"><xades:MimeType>text/xml</xades:MimeType>`,
    ])
      expect(signature).toContain(part)
    expect(signature.match(/sha1"/g)).toHaveLength(1)
  })

  it('can be made with a CryptoKey, base64 certificates and a chain', async () => {
    const key = await subtle.importKey(
      'pkcs8',
      await subtle.exportKey('pkcs8', signer.keys.privateKey),
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    const chain = [other.certificate]
    const expected = await signRecord(alta(), { ...options, chain })
    expect(
      await signRecord(alta(), { ...options, privateKey: key, certificate: signer.der, chain: [other.der] }),
    ).toBe(expected)
    expect(
      await signRecord(alta(), { ...options, certificate: signer.certificate + other.certificate }),
    ).toBe(expected)
    expect(expected.match(/<ds:X509Certificate>/g)).toHaveLength(2)
    expect(expected.match(/<xades:Cert>/g)).toHaveLength(2)
    const check = await verifySignature(expected)
    expect(check.valid).toBe(true)
    expect(check.signed_by?.subject).toContain('CERTIFICADO ÑU')
  })

  it('can be produced through the port of a host', async () => {
    const sign: RecordSigner = (xml) => signRecord(xml, options)
    expect(await codes(await sign(anulacion()))).toEqual([])
  })
})

// ---------------------------------------------------------------- independent tools

/** Checks both digests over libxml2's canonical form, and the signature value over that of SignedInfo. */
async function agreesWithLibxml2(xml: string): Promise<void> {
  const names = { ds: DSIG, xades: XADES }
  const document = XmlDocument.fromString(xml)
  try {
    const one = (path: string): XmlElement => {
      const [found, second] = document.find(path, names)
      expect(second, path).toBeUndefined()
      expect(found, path).toBeInstanceOf(XmlElement)
      return found as XmlElement
    }
    const digest = async (text: string) =>
      Buffer.from(await subtle.digest('SHA-256', Buffer.from(text, 'utf8'))).toString('base64')
    const values = document
      .find('//ds:SignedInfo/ds:Reference/ds:DigestValue', names)
      .map(({ content }) => content)
    expect(values).toHaveLength(2)
    const properties = one('//xades:SignedProperties').canonicalizeToString()
    expect(await digest(properties), 'digest of the signed properties').toBe(values[1])
    const info = Buffer.from(one('//ds:SignedInfo').canonicalizeToString(), 'utf8')
    const value = Buffer.from(one('//ds:SignatureValue').content, 'base64')
    const ok = await subtle.verify('RSASSA-PKCS1-v1_5', signer.keys.publicKey, value, info)
    expect(ok, 'signature value').toBe(true)
    one('//ds:Signature').remove()
    expect(await digest(document.canonicalizeToString()), 'digest of the record').toBe(values[0])
  } finally {
    document.dispose()
  }
}

const tool = spawnSync('xmlsec1', ['--version']).status === 0
const noTool = tool ? '' : ' (skipped: xmlsec1 is not installed)'

/** Runs xmlsec1 with the text as its file and the certificate as trusted root. */
function xmlsec1(xml: string, ...args: string[]): { ok: boolean; out: string } {
  const folder = temporaryFolder()
  const file = join(folder, 'record.xml')
  writeFileSync(file, xml)
  writeFileSync(join(folder, 'key.pem'), signer.privateKey)
  writeFileSync(join(folder, 'certificate.pem'), signer.certificate)
  const ids = ['--id-attr:Id', `${XADES}:SignedProperties`]
  const { status, stdout, stderr } = spawnSync('xmlsec1', [...args, ...ids, file], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { ok: status === 0, out: stdout + stderr }
}

describe('independent tools', () => {
  it.each(RECORDS)('libxml2 produces the same canonical forms of a signed %s', async (_name, record) => {
    for (const prefix of ['sf', 'ds', '']) await agreesWithLibxml2(await signRecord(record(prefix), options))
  })

  it.skipIf(!tool).each(RECORDS)(
    `xmlsec1 verifies a signed %s, 2 of 2 references${noTool}`,
    async (_name, record) => {
      for (const prefix of ['sf', 'ds', '']) {
        const signed = await signRecord(record(prefix), options)
        const verify = [
          '--verify',
          '--trusted-pem',
          'certificate.pem',
          '--verification-time',
          '2027-01-02 10:00:00',
        ]
        const { ok, out } = xmlsec1(signed, ...verify)
        expect(out).toContain('SignedInfo References (ok/all): 2/2')
        expect(ok).toBe(true)
        const changed = xmlsec1(change(signed, '>383<', '>384<'), ...verify)
        expect(changed.ok).toBe(false)
      }
    },
  )

  it.skipIf(!tool)(`signatures of xmlsec1 with other options verify${noTool}`, async () => {
    const digest = Buffer.from(await subtle.digest('SHA-512', Buffer.from(signer.der, 'base64'))).toString(
      'base64',
    )
    const sha512 = '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/>'
    const exclusive = 'Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"'
    const template = `<ds:Signature xmlns:ds="${DSIG}" Id="s"><ds:SignedInfo><ds:CanonicalizationMethod ${exclusive}/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"/>
      <ds:Reference URI="#p" Type="http://uri.etsi.org/01903#SignedProperties"><ds:Transforms><ds:Transform ${exclusive}/></ds:Transforms>${sha512}<ds:DigestValue/></ds:Reference>
      <ds:Reference URI="#k">${sha512}<ds:DigestValue/></ds:Reference>
      <ds:Reference URI=""><ds:Transforms><ds:Transform Algorithm="${DSIG}enveloped-signature"/><ds:Transform ${exclusive}/></ds:Transforms>${sha512}<ds:DigestValue/></ds:Reference>
      </ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo Id="k"><ds:X509Data><ds:X509Certificate>${signer.der}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
      <ds:Object><xa:QualifyingProperties xmlns:xa="${XADES}" Target="#s"><xa:SignedProperties Id="p"><xa:SignedSignatureProperties><xa:SigningTime>${TIMESTAMP}</xa:SigningTime><xa:SigningCertificateV2><xa:Cert><xa:CertDigest>${sha512}<ds:DigestValue>${digest}</ds:DigestValue></xa:CertDigest></xa:Cert></xa:SigningCertificateV2></xa:SignedSignatureProperties></xa:SignedProperties></xa:QualifyingProperties></ds:Object></ds:Signature>`
    for (const [xml, end] of [
      [alta(''), '</RegistroAlta>'],
      [evento('ev'), '</ev:Evento>'],
    ] as const) {
      const { out } = xmlsec1(
        change(xml, end, template + end),
        '--sign',
        '--privkey-pem',
        'key.pem,certificate.pem',
        '--id-attr:Id',
        `${DSIG}:KeyInfo`,
      )
      const signed = out.slice(0, out.lastIndexOf('>') + 1)
      const check = await verifySignature(signed)
      expect(check.errors).toEqual([])
      expect(check).toMatchObject({
        valid: true,
        references: 3,
        verified_references: 3,
        profile: 'BES',
        policy: null,
      })
      expect(await codes(change(signed, 'Id="k"', 'Id="K"'))).toContain('reference')
      expect(await codes(change(signed, '<ds:X509Data>', '<ds:X509Data> '))).toContain('part_changed')
    }
  })
})

describe('the official schema', () => {
  let validator: XsdValidator
  beforeAll(() => {
    if (!present) return
    const buffer = (path: string) => readFileSync(new URL(path, folder))
    const files = ['SuministroInformacion', 'SuministroLR', 'RespuestaSuministro', 'ConsultaLR', 'EventosSIF']
    files.push('RespuestaConsultaLR', 'RespuestaValRegistNoVeriFactu', 'soap-envelope')
    const entries = files.map((name) => [`/xsd/${name}.xsd`, buffer(`xsd/${name}.xsd`)] as const)
    const dsig = 'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd'
    xmlRegisterInputProvider(
      new XmlBufferInputProvider({
        ...Object.fromEntries(entries),
        [dsig]: buffer('xsd/xmldsig-core-schema.xsd'),
      }),
    )
    validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(buffer('xsd/all.xsd'), { url: '/xsd/all.xsd' }))
  })
  afterAll(() => {
    validator?.dispose()
    xmlCleanupInputProvider()
  })
  const validate = (xml: string) => {
    const document = XmlDocument.fromString(xml)
    try {
      validator.validate(document)
    } finally {
      document.dispose()
    }
  }

  it.skipIf(!present).each(RECORDS)(`accepts a signed %s${noReference}`, async (_name, record) => {
    for (const prefix of ['sf', 'ds', ''])
      validate(await signRecord(record(prefix), { ...options, chain: [other.der] }))
  })

  it.skipIf(!present)(`requires the signature in events, in its position${noReference}`, async () => {
    expect(() => validate(evento())).toThrow(/Signature/)
    const signed = await signRecord(alta(), options)
    const signature = signatureOf(signed)
    const moved = change(signed, signature, '').replace('<sf:Huella>', () => `${signature}<sf:Huella>`)
    expect(() => validate(moved)).toThrow(/Signature/)
  })
})

// ---------------------------------------------------------------- tampering

/** Counts text nodes outside the signature with libxml2. */
function textNodes(signed: string): number {
  const document = XmlDocument.fromString(signed)
  try {
    return document.find('//text()[not(ancestor::ds:Signature)]', { ds: DSIG }).length
  } finally {
    document.dispose()
  }
}

/** Changes every text of the record, white space included, one at a time; each change must be detected. */
async function everyText(signed: string, ways = 3): Promise<void> {
  const start = signed.search(SIGNATURE)
  const end = start + signatureOf(signed).length
  let count = 0
  for (const match of signed.matchAll(/(?<=>)[^<]+(?=<)/g)) {
    const [text] = match
    if (match.index > start && match.index < end) continue
    count++
    const characters = Array.from(text)
    const first = text[0] === 'X' ? 'Y' : 'X'
    const changes = [first + characters.slice(1).join(''), `${text} `, characters.slice(0, -1).join('')]
    for (const changed of changes.slice(0, ways)) {
      const xml = signed.slice(0, match.index) + changed + signed.slice(match.index + text.length)
      expect(await codes(xml), `${text} as ${changed}`).toEqual(['content_changed'])
    }
  }
  expect(count).toBe(textNodes(signed))
  expect(count).toBeGreaterThan(15)
}

describe('a change is detected', () => {
  itInAll.each(RECORDS)('in every text of a %s', async (_name, record) => {
    await everyText(await signRecord(record(), options))
  })

  it('in every text and attribute of the signature', async () => {
    const signed = await signRecord(evento(), { ...options, chain: [other.der] })
    const start = signed.search(SIGNATURE)
    const signature = signatureOf(signed)
    let count = 0
    for (const match of signature.matchAll(/(?<=>)[^<>]+(?=<)|(?<=")[^"<>]+(?=")/g)) {
      // A further certificate of the chain is only included; SigningCertificate names it in the signed part.
      if (match[0] === other.der) continue
      count++
      const at = start + match.index + (match[0].startsWith('-----') ? 30 : 0)
      const text = signed[at] === 'A' ? 'B' : 'A'
      const found = await codes(signed.slice(0, at) + text + signed.slice(at + 1))
      expect(found, match[0].slice(0, 80)).not.toEqual([])
    }
    expect(count).toBeGreaterThanOrEqual(35)
  })

  it('in the structure of the record', async () => {
    const signed = await signRecord(alta(), options)
    const changes = [
      change(signed, '<sf:TipoFactura>F2</sf:TipoFactura>', ''),
      change(signed, '<sf:TipoHuella>', '<sf:RefExterna>1</sf:RefExterna><sf:TipoHuella>'),
      change(signed, '<sf:CuotaTotal>', '<sf:CuotaTotal a="1">'),
      change(signed, '<sf:CuotaTotal>', ' <sf:CuotaTotal>'),
      change(signed, '<sf:CuotaTotal>', '<?p?><sf:CuotaTotal>'),
      change(signed, '</ds:Signature>', '</ds:Signature> '),
      signed.replaceAll('sf:', 'sg:').replaceAll('xmlns:sf', 'xmlns:sg'),
      `<?p?>${signed}`,
      `${signed}<?p?>`,
    ]
    for (const xml of changes) expect(await codes(xml)).toContain('content_changed')
    // Prefixes are signed; comments are not.
    expect(await codes(change(signed, '<sf:CuotaTotal>', '<!-- --><sf:CuotaTotal>'))).toEqual([])
  })

  it('in the signed properties', async () => {
    const signed = await signRecord(alta(), options)
    const time = change(signed, `>${TIMESTAMP}<`, '>2027-01-02T09:00:00+01:00<')
    expect(await codes(time)).toEqual(['properties_changed'])
    expect(await codes(change(signed, 'text/xml', 'text/plain'))).toEqual(['properties_changed'])
    expect(await codes(change(signed, '2.1.9<', '2.1.8<'))).toEqual(['properties_changed'])
    const policy = await codes(change(signed, 'G7roucf6', 'H7roucf6'))
    expect(policy.sort()).toEqual(['policy', 'properties_changed'])
    expect(await codes(change(signed, `>${TIMESTAMP}<`, '>2031-01-02T09:00:00+01:00<'))).toEqual([
      'properties_changed',
      'certificate_period',
    ])
  })

  it('in the signature value and in SignedInfo', async () => {
    const signed = await signRecord(alta(), options)
    const [value] = required(/(?<=<ds:SignatureValue>)[^<]+/.exec(signed))
    expect(await codes(change(signed, value, value.slice(0, -4)))).toEqual(['signature_value'])
    expect(await codes(change(signed, value, (value[0] === 'A' ? 'B' : 'A') + value.slice(1)))).toEqual([
      'signature_value',
    ])
    expect(await codes(change(signed, '-ref0" URI', '-ref1" URI'))).toEqual(['signature_value'])
    expect(await codes(change(signed, '<ds:SignedInfo>', '<ds:SignedInfo> '))).toEqual(['signature_value'])
  })

  it('in the certificate', async () => {
    const signed = await signRecord(alta(), options)
    const sameKey = await identity({ keys: signer.keys, name: 'MISMA CLAVE' })
    expect((await codes(change(signed, signer.der, other.der))).sort()).toEqual([
      'certificate_digest',
      'signature_value',
    ])
    expect(await codes(change(signed, signer.der, sameKey.der))).toEqual(['certificate_digest'])
    const digest = async (der: string) =>
      Buffer.from(await subtle.digest('SHA-256', Buffer.from(der, 'base64'))).toString('base64')
    const both = change(
      change(signed, signer.der, sameKey.der),
      await digest(signer.der),
      await digest(sameKey.der),
    )
    expect(await codes(both)).toEqual(['properties_changed'])
    expect(await codes(change(signed, signer.der, 'AAAA'))).toEqual(['structure'])
    expect(await codes(change(signed, `<ds:X509Certificate>${signer.der}</ds:X509Certificate>`, ''))).toEqual(
      ['certificate'],
    )
  })

  it('in the number and the position of signatures', async () => {
    const signed = await signRecord(alta(), options)
    const signature = signatureOf(signed)
    expect(await codes(alta())).toEqual(['no_signature'])
    expect(await codes(change(signed, signature, signature + signature))).toEqual(['several_signatures'])
    const nested = change(signed, '</ds:Signature>', `<ds:Object>${signature}</ds:Object></ds:Signature>`)
    expect(await codes(nested)).toEqual(['several_signatures'])
    const unsigned = change(signed, signature, '')
    expect(await codes(change(unsigned, '<sf:IDVersion>', `${signature}<sf:IDVersion>`))).toEqual(['place'])
    expect(
      await codes(change(unsigned, '</sf:SistemaInformatico>', `${signature}</sf:SistemaInformatico>`)),
    ).toEqual(['place'])
    const event = await signRecord(evento(), options)
    const inEvent = signatureOf(event)
    expect(
      await codes(
        change(change(event, inEvent, ''), '</ev:RegistroEvento>', `${inEvent}</ev:RegistroEvento>`),
      ),
    ).toEqual(['place'])
    expect(await codes(change(signed, 'Target="#xmldsig', 'Target="#y'))).toContain('properties_not_covered')
    const second = `<ds:Object><a:QualifyingProperties xmlns:a="${XADES}"/></ds:Object></ds:Signature>`
    expect(await codes(change(signed, '</ds:Signature>', second))).toContain('properties_not_covered')
    expect(await codes(signed.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/, ''))).toEqual(['structure'])
  })

  it('in texts that are not records', async () => {
    const signed = await signRecord(alta(), options)
    expect(await codes('')).toEqual(['xml'])
    expect(await codes(signed.slice(0, -1))).toEqual(['xml'])
    expect(await codes(`${signed}</x>`)).toEqual(['xml'])
    expect(await codes(`<!DOCTYPE a>${signed}`)).toEqual(['doctype'])
    expect(await codes(`<a>${signed}</a>`)).toEqual(['root'])
    expect(await codes(signed.replaceAll(SF, EV))).toEqual(['root'])
    expect(await codes('<a>'.repeat(100_000))).toEqual(['xml'])
    expect((await verifySignature(undefined as never)).errors[0]?.code).toBe('xml')
  })
})

// ---------------------------------------------------------------- signatures that hold, over too little

interface Forgery {
  readonly hash?: string
  readonly method?: webcrypto.AlgorithmIdentifier
  readonly extra?: string
  readonly by?: Identity
  readonly timestamp?: string
  /** Whether the signed properties name the certificate. Default true. */
  readonly named?: boolean
}

/** Creates a cryptographically valid signature with other references, algorithms and keys. */
async function forged(
  xml: string,
  references: object[],
  {
    hash = 'SHA-256',
    method = 'SHA-256',
    extra = '',
    by = signer,
    timestamp = TIMESTAMP,
    named = true,
  }: Forgery = {},
): Promise<string> {
  const library: typeof import('xadesjs') = await import('xadesjs')
  const document = library.Parse(xml)
  const elliptic = by.keys.privateKey.algorithm.name === 'ECDSA'
  const key = elliptic
    ? by.keys.privateKey
    : await subtle.importKey(
        'pkcs8',
        await subtle.exportKey('pkcs8', by.keys.privateKey),
        { name: 'RSASSA-PKCS1-v1_5', hash: method },
        false,
        ['sign'],
      )
  const algorithm = elliptic ? { name: 'ECDSA', hash: 'SHA-256' } : { name: 'RSASSA-PKCS1-v1_5' }
  const signed = new library.SignedXml(document)
  signed.SignedProperties.Id = 'properties'
  await signed.Sign(algorithm, key, document, {
    references: references.map((one) => ({ hash, ...one })),
    x509: [by.der],
    ...(named ? { signingCertificate: by.der } : {}),
    signingTime: { value: new Date(timestamp) },
  })
  const end = required(/<\/[^<]+>\s*$/.exec(xml))[0]
  const signature = signed.XmlSignature.toString().replace('</ds:Signature>', () => `${extra}</ds:Signature>`)
  return xml.slice(0, -end.length) + signature + end
}

describe('a cryptographically valid signature', () => {
  const whole = { uri: '', transforms: ['enveloped'] }

  it('is BES without a policy, and valid', async () => {
    const check = await verifySignature(await forged(alta(), [whole]))
    expect(check).toMatchObject({
      valid: true,
      profile: 'BES',
      policy: null,
      verified_references: 2,
      errors: [],
    })
    for (const c14n of ['c14n', 'exc-c14n', 'c14n-com'])
      expect(await codes(await forged(alta(), [{ uri: '', transforms: ['enveloped', c14n] }]))).toEqual([])
  })

  it('is refused if it covers only a part (signature wrapping)', async () => {
    const xml = change(alta(), '<sf:IDFactura>', '<sf:IDFactura Id="part">')
    const part = { uri: '#part', transforms: ['c14n'] }
    const signed = await forged(xml, [part])
    expect(await codes(signed)).toContain('not_covered')
    expect((await verifySignature(signed)).valid).toBe(false)
    // The same with the amounts outside the part replaced.
    expect(await codes(change(signed, '>121.00<', '>12.10<'))).toContain('not_covered')
    expect(await codes(await forged(xml, [whole, part]))).toContain('not_covered')
  })

  it('is refused if it covers only the signed properties, or the record twice', async () => {
    const properties = { uri: '#properties', transforms: ['c14n'] }
    const signed = await forged(alta(), [properties])
    expect(await verifySignature(signed)).toMatchObject({
      valid: false,
      references: 2,
      verified_references: 2,
    })
    expect(await codes(signed)).toEqual(['not_covered'])
    expect(await codes(change(signed, '>121.00<', '>12.10<'))).toEqual(['not_covered'])
    expect(await codes(await forged(alta(), [whole, whole]))).toEqual(['not_covered'])
  })

  it('is refused with an xpath, which may omit parts', async () => {
    const signed = await forged(alta(), [whole])
    const transform = `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>true()</ds:XPath></ds:Transform>`
    expect(await codes(change(signed, '</ds:Transforms>', `${transform}</ds:Transforms>`))).toContain(
      'not_covered',
    )
    expect(
      await codes(change(signed, `<ds:Transform Algorithm="${DSIG}enveloped-signature"/>`, '')),
    ).toContain('not_covered')
  })

  it('is refused with another record inside the signature', async () => {
    const extra = `<ds:Object>${alta()}</ds:Object>`
    expect(await codes(await forged(alta(), [whole], { extra }))).toEqual(['not_covered'])
    // The classic attack: the signed record hidden inside the signature of another one.
    const signed = await signRecord(alta(), options)
    const signature = signatureOf(signed)
    const inner = change(signed, signature, '')
    const wrapped = change(
      inner.replace('>121.00<', '>12.10<'),
      '</sf:RegistroAlta>',
      `${change(signature, '</ds:Signature>', `<ds:Object>${inner}</ds:Object></ds:Signature>`)}</sf:RegistroAlta>`,
    )
    expect((await codes(wrapped)).sort()).toEqual(['content_changed', 'not_covered'])
  })

  it('is refused with a duplicate Id, or one that points elsewhere', async () => {
    const signed = await signRecord(alta(), options)
    const twice = `<ds:Object Id="xmldsig-${HASH}-signedprops"/></ds:Signature>`
    expect(await codes(change(signed, '</ds:Signature>', twice))).toContain('reference')
    const uri = `URI="#xmldsig-${HASH}-signedprops"`
    for (const wrong of ['URI="#nowhere"', 'URI="https://example.com/a"', 'URI="#xpointer(/)"', ''])
      expect(await codes(change(signed, uri, wrong)), wrong).toContain('reference')
    expect(await codes(change(signed, '01903#SignedProperties"', '01903#Other"'))).toContain(
      'properties_not_covered',
    )
  })

  it('is refused with a key that is too short or not RSA', async () => {
    const short = await identity({ algorithm: { ...RSA, modulusLength: 512 } })
    expect(await codes(await forged(alta(), [whole], { by: short }))).toEqual(['key_size'])
    // The specification accepts 1024 bits in existing signatures; new ones need more.
    const old = await identity({ algorithm: { ...RSA, modulusLength: 1024 } })
    expect(await codes(await forged(alta(), [whole], { by: old }))).toEqual([])
    const elliptic = await identity({ algorithm: { name: 'ECDSA', namedCurve: 'P-256' } })
    expect(await codes(await forged(alta(), [whole], { by: elliptic }))).toEqual(['algorithm'])
  })

  it('is refused if its certificate was not valid, or is not named in the signed part', async () => {
    expect(await codes(await forged(alta(), [whole], { timestamp: '2025-12-31T00:00:00Z' }))).toEqual([
      'certificate_period',
    ])
    expect(await codes(await forged(alta(), [whole], { named: false }))).toEqual(['certificate_digest'])
  })

  it('is refused with SHA-1 for the content or the signature', async () => {
    expect(await codes(await forged(alta(), [whole], { hash: 'SHA-1' }))).toContain('algorithm')
    const signed = await forged(alta(), [whole], { method: 'SHA-1' })
    expect(signed).toContain('rsa-sha1')
    expect(await codes(signed)).toContain('algorithm')
    expect(await codes(await forged(alta(), [whole], { hash: 'SHA-512', method: 'SHA-512' }))).toEqual([])
    expect(
      await codes(
        change(await signRecord(alta(), options), '2001/REC-xml-c14n-20010315"/><ds:Sig', '2006/x"/><ds:Sig'),
      ),
    ).toContain('algorithm')
  })
})

// ---------------------------------------------------------------- refusals

describe('signing is refused with the reason for', () => {
  it('a text that is not well-formed', async () => {
    const wrong = [
      '',
      'x',
      alta().slice(0, -1),
      `${alta()}</a>`,
      alta().replace('&amp;', '&'),
      `${alta()}${alta()}`,
    ]
    wrong.push(
      alta().replace('F2', '\u0001'),
      alta().replace('F2', '\uD800'),
      alta('sf').replace('xmlns:sf', 'xmlns:sg'),
    )
    for (const xml of wrong) expect((await refusal(xml)).code, xml.slice(0, 40)).toBe('xml')
    expect((await refusal(alta().replace('</sf:TipoFactura>', '</sf:Tipo>'))).where).toMatch(
      /^line 1, column \d+$/,
    )
    expect((await refusal(undefined as never)).code).toBe('xml')
  })

  it('a document type', async () => {
    for (const type of [
      '<!DOCTYPE a>',
      '<!DOCTYPE a [<!ENTITY x "y">]>',
      '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    ])
      expect((await refusal(type + alta())).code).toBe('doctype')
  })

  it('another root element, or the right one in a wrong namespace', async () => {
    const message = `<m:RegFactuSistemaFacturacion xmlns:m="${BASE}SuministroLR.xsd">${alta()}</m:RegFactuSistemaFacturacion>`
    for (const xml of ['<a/>', message, alta().replaceAll(SF, EV), alta().replaceAll(SF, 'urn:x')])
      expect((await refusal(xml)).code).toBe('root')
    expect((await refusal(evento().replaceAll('ev:Evento>', 'ev:Otro>'))).code).toBe('root')
  })

  it('a record that is signed', async () => {
    for (const [, record] of RECORDS)
      expect((await refusal(await signRecord(record(), options))).code).toBe('already_signed')
    const empty = `<ds:Signature xmlns:ds="${DSIG}"/>`
    expect((await refusal(change(alta(), '<sf:IDVersion>', `${empty}<sf:IDVersion>`))).code).toBe(
      'already_signed',
    )
  })

  it('a record without its hash', async () => {
    const without = change(alta(), `<sf:Huella>${HASH}</sf:Huella>`, '')
    for (const xml of [
      without,
      change(alta(), HASH, ''),
      change(alta(), HASH, HASH.toLowerCase()),
      change(alta(), HASH, HASH.slice(1)),
      change(evento(), `<ev:HuellaEvento>${HASH}</ev:HuellaEvento>`, ''),
      // Only the previous record's hash is present.
      change(anulacion(), `<sf:Huella>${HASH}</sf:Huella>`, ''),
    ])
      expect((await refusal(xml)).code).toBe('missing_hash')
    expect((await refusal(without)).fix).toContain('hash first')
  })

  it('parts that no record has and tools read differently', async () => {
    const xmls = [
      `<?p?>${alta()}`,
      change(alta(), '<sf:CuotaTotal>', '<sf:CuotaTotal Id="a">'),
      change(alta(), ' xmlns:sf=', ' xml:lang="es" xmlns:sf='),
      change(alta(), ' xmlns:sf=', ' xmlns="" xmlns:sf='),
      alta('ñ'),
      `<?xml version="1.0" encoding="ISO-8859-1"?>${alta()}`,
    ]
    for (const xml of xmls) expect((await refusal(xml)).code, xml.slice(0, 60)).toBe('unsupported')
  })

  it('a key that does not belong to the certificate', async () => {
    const elliptic = await identity({ algorithm: { name: 'ECDSA', namedCurve: 'P-256' } })
    for (const changed of [
      { privateKey: other.privateKey },
      { certificate: other.certificate },
      { privateKey: other.keys.privateKey },
      { certificate: elliptic.certificate },
    ])
      expect((await refusal(alta(), changed)).code).toBe('key_mismatch')
  })

  it('a key that is not RSA with SHA-256', async () => {
    const elliptic = await identity({ algorithm: { name: 'ECDSA', namedCurve: 'P-256' } })
    const pss = { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 2048, publicExponent: RSA.publicExponent }
    const { privateKey } = await subtle.generateKey(pss, true, ['sign', 'verify'])
    const sha1 = await subtle.importKey(
      'pkcs8',
      await subtle.exportKey('pkcs8', signer.keys.privateKey),
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' },
      false,
      ['sign'],
    )
    for (const key of [elliptic.privateKey, elliptic.keys.privateKey, privateKey, sha1])
      expect((await refusal(alta(), { privateKey: key, certificate: elliptic.certificate })).code).toBe(
        'key_algorithm',
      )
  })

  it('an RSA key under 2048 bits', async () => {
    const short = await identity({ algorithm: { ...RSA, modulusLength: 1024 } })
    const changed = { privateKey: short.privateKey, certificate: short.certificate }
    const error = await refusal(alta(), changed)
    expect(error.code).toBe('key_size')
    expect(error.message).toContain('1024 bits')
  })

  it('a certificate that is not valid at the signing time', async () => {
    for (const timestamp of ['2025-12-31T23:59:59Z', '2026-01-01T00:30:00+01:00', '2030-01-01T00:00:01Z'])
      expect((await refusal(alta(), { timestamp })).code, timestamp).toBe('certificate_period')
    for (const timestamp of ['2026-01-01T00:00:00Z', '2025-12-31T23:30:00-01:00', '2030-01-01T00:00:00Z'])
      expect(await codes(await signRecord(alta(), { ...options, timestamp })), timestamp).toEqual([])
  })

  it('an invalid timestamp', async () => {
    const timestamps = [
      '',
      '2027-01-02',
      '2027-01-02T10:00:00',
      '2027-02-30T10:00:00Z',
      '2027-01-02T25:00:00Z',
    ]
    timestamps.push('2027-01-02T10:00:00+0100', '2027-01-02T10:00:00+01:00"<x>', 'now', undefined as never)
    for (const timestamp of timestamps)
      expect((await refusal(alta(), { timestamp })).code, timestamp).toBe('timestamp')
  })

  it('keys, certificates and Ids that cannot be read', async () => {
    const encrypted = signer.privateKey.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY')
    const damaged = pem('PRIVATE KEY', Buffer.from('damaged') as never)
    for (const privateKey of [
      '',
      'x',
      encrypted,
      damaged,
      signer.certificate,
      signer.keys.publicKey,
      undefined as never,
    ])
      expect((await refusal(alta(), { privateKey })).code).toBe('key')
    for (const certificate of [
      '',
      'x',
      'AAAA',
      signer.privateKey,
      pem('CERTIFICATE', Buffer.from('damaged') as never),
    ])
      expect((await refusal(alta(), { certificate })).code).toBe('certificate')
    const inChain = await refusal(alta(), { chain: [other.der, 'AAAA'] })
    expect([inChain.code, inChain.where]).toEqual(['certificate', 'chain[1]'])
    for (const id of ['', '1a', 'a b', 'a"', 'ñ', 'a:b'])
      expect((await refusal(alta(), { id })).code).toBe('id')
  })
})
