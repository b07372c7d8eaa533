/**
 * Tests of signatures of received Facturae: what is changed is found, what is not trusted is distinguished, and other
 * verifiers (xmlsec1, the JDK) agree.
 *
 * @slow
 */
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { readInvoice } from '#formats/index.ts'
import { isBare } from '#test/bare.ts'
import { temporaryFolder } from '#test/folders.ts'
import { facturae } from '#test/formats/invoice.ts'
import { hasProgram } from '#test/needs.ts'
import { shared } from '#test/shared.ts'
import { sized } from '#test/size.ts'
import {
  FACTURAE_POLICY,
  type InvoiceSignature,
  type InvoiceSignatureOptions,
  signFacturae,
  verifyInvoiceSignature,
} from '../src/index.ts'
import {
  C14N,
  change,
  DSIG,
  EC,
  ENVELOPED,
  type Identity,
  identity,
  type SigningWish,
  signed,
} from './signed-invoice.ts'

const AT = Date.parse('2026-04-01T00:00:00Z')
const SUPPLIER = 'B12345674'

let root: Identity
let authority: Identity
let supplier: Identity
let third: Identity
let own: Identity
let xml: string
/** Signed by the supplier, with the chain in KeyInfo. */
let good: string

beforeAll(async () => {
  const long = { authority: true, from: '2000-01-01T00:00:00Z', until: '2049-01-01T00:00:00Z' }
  root = await identity({ name: 'RAIZ', ...long })
  authority = await identity({ name: 'AC', pathLength: 0, issuer: root, ...long })
  supplier = await identity({ entity: `VATES-${SUPPLIER}`, issuer: authority })
  third = await identity({ name: 'GESTORIA SL', entity: 'VATES-B77777779', issuer: authority })
  own = await identity({ entity: `VATES-${SUPPLIER}` })
  xml = facturae()
  good = await signed(xml, supplier, { chain: [supplier, authority] })
})

const verify = (
  text: string | Uint8Array,
  options: Partial<InvoiceSignatureOptions> = {},
): Promise<InvoiceSignature> =>
  verifyInvoiceSignature(typeof text === 'string' ? Buffer.from(text) : text, {
    roots: [root.pem],
    at: AT,
    supplierTaxId: SUPPLIER,
    ...options,
  })

/** Signs as an identity with the chain to the root, and verifies. */
const verifyAs = async (
  by: Identity,
  wish: SigningWish = {},
  options: Partial<InvoiceSignatureOptions> = {},
): Promise<InvoiceSignature> => verify(await signed(xml, by, { chain: [by, authority], ...wish }), options)

/** The state with what fails and what is doubtful, as one text. */
const summary = ({ state, failures, doubts }: InvoiceSignature): string =>
  [state, ...failures, ...doubts].join(' ')

/** Changes one character after the first occurrence of a text. */
function flip(text: string, after: string): string {
  const at = text.indexOf(after)
  expect(at, after).toBeGreaterThan(-1)
  const place = at + after.length
  const other =
    text[place] === 'A' || text[place] === '1'
      ? text[place] === 'A'
        ? 'B'
        : '2'
      : text[place] === '2'
        ? '1'
        : 'A'
  return text.slice(0, place) + other + text.slice(place + 1)
}

describe('a signature of the supplier', () => {
  it('is valid with a chain to a trusted root', async () => {
    expect(await verify(good)).toEqual({
      state: 'valid',
      failures: [],
      doubts: [],
      signer: {
        subject: expect.stringContaining(`VATES-${SUPPLIER}`),
        issuer: 'C=ES,CN=AC',
        serial: expect.stringMatching(/^\d+$/),
        not_before: '2026-01-01T00:00:00.000Z',
        not_after: '2030-01-01T00:00:00.000Z',
        name: 'CALDERAS FICTICIAS SL',
        tax_id: SUPPLIER,
        person_tax_id: null,
        relation: 'supplier',
        self_signed: false,
        checked_at: '2026-03-16T09:00:00.000Z',
        valid_at_signing_time: true,
        expired: false,
        trusted_root: 'CN=RAIZ,C=ES',
      },
      signing_time: '2026-03-16T10:00:00+01:00',
      policy: {
        identifier: FACTURAE_POLICY.identifier,
        hash: FACTURAE_POLICY.hash,
        digest: FACTURAE_POLICY.digest,
        uri: null,
      },
    })
  })

  it('is valid with the chain, or the certificate itself, among the trusted ones', async () => {
    const alone = await signed(xml, supplier)
    expect(summary(await verify(alone))).toBe('untrusted root_unknown')
    expect(summary(await verify(alone, { roots: [authority.pem] }))).toBe('valid')
    expect(summary(await verify(alone, { roots: [root.pem, authority.pem] }))).toBe('valid')
    expect(summary(await verify(alone, { roots: [supplier.pem] }))).toBe('valid')
    expect(summary(await verifyAs(own, {}, { roots: [own.pem] }))).toBe('valid')
  })

  it('is valid in other encodings, digests and canonical forms', async () => {
    const latin = good.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
    expect(latin).not.toBe(good)
    expect(summary(await verify(Buffer.from(latin, 'latin1')))).toBe('valid')
    expect(summary(await verify(`\uFEFF${good}`))).toBe('valid')
    for (const digest of ['sha256', 'sha512'] as const)
      expect(summary(await verifyAs(supplier, { digest }))).toBe('valid')
    const type = 'http://uri.etsi.org/01903/v1.3.2#SignedProperties'
    expect(summary(await verifyAs(supplier, { type }))).toBe('valid')
    const transforms = `${ENVELOPED}<ds:Transform Algorithm="${C14N}"/>`
    expect(summary(await verifyAs(supplier, { whole: { uri: '', transforms } }))).toBe('valid')
  })

  it('is valid with everything that canonical forms change', async () => {
    const odd = xml
      .replace(
        'Revisión de caldera',
        'Revisi&#243;n &lt;de&gt; <![CDATA[<caldera> & ]]>&quot;á&#13;&#9;\u2028',
      )
      .replace('<FileHeader>', '<!-- note --><FileHeader><?note a?>')
      .replace(/\n/g, '\r\n')
    const read = readInvoice(odd)
    expect(read.document?.invoice.lines[0]?.item_description).toContain('<caldera>')
    expect(summary(await verify(await signed(odd, supplier, { chain: [supplier, authority] })))).toBe('valid')
  })

  it('covers what is read: comments change neither', async () => {
    const noted = good.replace('>181.50<', '>18<!-- 9 -->1.50<')
    expect(noted).not.toBe(good)
    expect(summary(await verify(noted))).toBe('valid')
    expect(readInvoice(noted).document).toEqual(readInvoice(good).document)
  })
})

describe('an altered document', () => {
  const PARTS: readonly (readonly [part: string, failure: string, alter: (text: string) => string])[] = [
    ['an amount', 'content_changed', (text) => flip(text, '<InvoiceTotal>')],
    ['a name', 'content_changed', (text) => flip(text, '<CorporateName>')],
    ['the signed properties', 'properties_changed', (text) => flip(text, '<ds:X509IssuerName>')],
    ['the signing time', 'properties_changed', (text) => flip(text, '<xades:SigningTime>')],
    [
      'the certificate digest',
      'certificate_digest',
      (text) =>
        text.replace(/(?<=<xades:CertDigest>.*?<ds:DigestValue>)./, (old) => (old === 'A' ? 'B' : 'A')),
    ],
    ['the signature value', 'signature_value', (text) => flip(text, '<ds:SignatureValue>')],
    // In the subject, so that the certificate can still be read.
    [
      'the certificate',
      'certificate_digest',
      (text) =>
        change(
          text,
          supplier.der.toString('base64'),
          Buffer.from(
            supplier.der.toString('latin1').replaceAll('FICTICIAS', 'FICTICIOS'),
            'latin1',
          ).toString('base64'),
        ),
    ],
    ['KeyInfo', 'part_changed', (text) => flip(text, '<ds:Modulus>')],
    ['the digest of a reference', 'signature_value', (text) => flip(text, '<ds:DigestValue>')],
    ['the policy', 'properties_changed', (text) => flip(text, '<xades:Identifier>http')],
    ['bytes of the certificate', 'structure', (text) => flip(text, '<ds:X509Certificate>')],
    ['the signature method', 'signature_value', (text) => change(text, 'rsa-sha256', 'rsa-sha512')],
    ['the target of the properties', 'properties_not_covered', (text) => flip(text, 'Target="#')],
  ]

  it.each(PARTS)('is found by one change in %s', async (_part, failure, alter) => {
    const altered = alter(good)
    expect(altered).not.toBe(good)
    const { state, failures, doubts } = await verify(altered)
    expect([state, doubts]).toEqual(['altered', []])
    expect(failures).toContain(failure)
  })

  it('is found with any character changed; otherwise the invoice reads the same', async () => {
    const before = JSON.stringify(readInvoice(good).document)
    const states: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: good.length - 1 }),
        fc.constantFrom(...'0159aZ=/<>"& #:-'),
        async (at, character) => {
          const altered = good.slice(0, at) + character + good.slice(at + 1)
          const { state, failures, doubts, signer } = await verify(altered)
          const found = [state, ...failures.slice(0, 1)].join(' ')
          states[found] = (states[found] ?? 0) + 1
          if (state !== 'valid') return
          expect(doubts).toEqual([])
          expect(signer?.tax_id).toBe(SUPPLIER)
          const { document } = readInvoice(altered)
          if (document) expect(JSON.stringify(document)).toBe(before)
        },
      ),
      { numRuns: sized(50, 600, 6000) },
    )
    console.log(`changed characters: ${JSON.stringify(states)}`)
  }, 600_000)

  it('is found if the signature is replaced by that of another signer', async () => {
    const signatureOf = (text: string) => required(/<ds:Signature [\s\S]*<\/ds:Signature>/.exec(text)?.[0])
    const other = await signed(xml.replace('>181.50<', '>181.51<'), supplier)
    const { state, failures } = await verify(change(good, signatureOf(good), signatureOf(other)))
    expect([state, failures]).toEqual(['altered', ['content_changed']])
  })
})

describe('a signer who is not trusted', () => {
  it.each<[string, () => Promise<InvoiceSignature>]>([
    [
      'untrusted expired',
      () => verifyAs(supplier, { time: '2031-01-01T00:00:00Z' }, { at: Date.parse('2031-02-01') }),
    ],
    ['untrusted not_yet_valid', () => verifyAs(supplier, { time: '2025-12-31T23:00:00Z' })],
    ['untrusted self_signed', () => verifyAs(own)],
    ['untrusted root_unknown', () => verifyAs(supplier, {}, { roots: [] })],
    ['untrusted root_unknown', () => verifyAs(supplier, {}, { roots: [own.pem] })],
    ['untrusted third_party', () => verifyAs(third)],
    ['untrusted policy', () => verifyAs(supplier, { policyDigest: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' })],
    ['untrusted root_unknown third_party', () => verifyAs(third, {}, { roots: [] })],
  ])('is %s', async (expected, verified) => {
    expect(summary(await verified())).toBe(expected)
  })

  it('is compared with the supplier by NIF: an entity, its representative, or a person', async () => {
    const relations = async (wish: Parameters<typeof identity>[0], supplierTaxId?: string) => {
      const by = await identity({ issuer: authority, ...wish })
      const { doubts, signer } = await verifyAs(by, {}, { supplierTaxId })
      return [signer?.relation, signer?.tax_id, signer?.person_tax_id, ...doubts]
    }
    const person = 'IDCES-12345678Z'
    const representative = { entity: `VATES-${SUPPLIER}`, person, name: '12345678Z ANA (R: B12345674)' }
    expect(await relations(representative, `ES${SUPPLIER}`)).toEqual(['supplier', SUPPLIER, '12345678Z'])
    expect(await relations(representative, '12345678Z')).toEqual(['supplier', SUPPLIER, '12345678Z'])
    expect(await relations({ person }, '12.345.678-z')).toEqual(['supplier', '12345678Z', '12345678Z'])
    expect(await relations({ person }, SUPPLIER)).toEqual([
      'third_party',
      '12345678Z',
      '12345678Z',
      'third_party',
    ])
    expect(await relations({ name: 'Jane Doe' }, SUPPLIER)).toEqual(['unknown', null, null, 'signer_unknown'])
    expect(await relations({ person })).toEqual(['unknown', '12345678Z', '12345678Z'])
  })

  it('stays valid after the certificate has expired, and a later signing time is not believed', async () => {
    const at = Date.parse('2031-02-01')
    const { state, signer } = await verify(good, { at })
    expect([state, signer?.valid_at_signing_time, signer?.expired]).toEqual(['valid', true, true])
    const future = await verifyAs(
      supplier,
      { time: '2029-01-01T00:00:00Z' },
      { at: Date.parse('2025-06-01') },
    )
    expect(summary(future)).toContain('not_yet_valid')
    const unknown = await verifyAs(supplier, { time: 'yesterday' }, { at })
    expect(summary(unknown)).toContain('expired')
  })
})

describe('a chain is refused', () => {
  const refused = async (chain: readonly Identity[]): Promise<void> => {
    const [by] = chain
    expect(summary(await verifyAs(required(by), { chain }))).toBe('untrusted root_unknown')
  }
  const entity = `VATES-${SUPPLIER}`

  it('if a certificate without the right to issue others is between them', async () => {
    const issuer = await identity({ name: 'NO ES AC', issuer: authority })
    await refused([await identity({ entity, issuer }), issuer, authority])
  })

  it('if it is longer than an authority allows', async () => {
    const issuer = await identity({ name: 'AC 2', authority: true, issuer: authority })
    await refused([await identity({ entity, issuer }), issuer, authority])
  })

  it('if an authority was not valid when the invoice was signed', async () => {
    const issuer = await identity({
      name: 'AC',
      authority: true,
      issuer: root,
      until: '2026-02-01T00:00:00Z',
    })
    await refused([await identity({ entity, issuer }), issuer])
  })

  it('if only the name of the issuer is right', async () => {
    const issuer = await identity({ name: 'RAIZ', authority: true })
    await refused([await identity({ entity, issuer }), issuer])
  })

  it('with a critical extension that is not known, or a signature with SHA-1', async () => {
    for (const wish of [{ critical: '2.5.29.30' }, { hash: 'SHA-1' }]) {
      await refused([await identity({ entity, issuer: authority, ...wish }), authority])
      const issuer = await identity({ name: 'AC 3', authority: true, issuer: root, ...wish })
      await refused([await identity({ entity, issuer }), issuer])
    }
  })

  it('that runs in circles, in bounded time', async () => {
    const names = ['AC 0', 'AC 1', 'AC 2', 'AC 3']
    const all = await Promise.all(names.map((name) => identity({ name, authority: true })))
    const crossed = await Promise.all(
      all.flatMap((issuer) =>
        all.map(({ keys }, index) => identity({ name: names[index] ?? '', keys, authority: true, issuer })),
      ),
    )
    const by = await identity({ entity, issuer: required(all[0]) })
    await refused([by, ...all, ...crossed.slice(0, 15)])
  })
})

describe('a wrapping attack is refused', () => {
  const signatureOf = (text: string) => required(/<ds:Signature [\s\S]*<\/ds:Signature>/.exec(text)?.[0])
  const inside = (text: string, extra: string) => change(text, '</ds:Signature>', `${extra}</ds:Signature>`)
  const cheaper = () => xml.replace('>181.50<', '>1.50<')
  const wrapped = (document: string, signature: string) =>
    document.replace(/<\/fe:Facturae>/, (end) => signature + end)
  const body = () => xml.replace(/^<\?xml[^>]*>\s*/, '')

  it('with the signed invoice moved into the signature', async () => {
    const hidden = `<ds:Object Id="original">${body()}</ds:Object>`
    const { state, failures } = await verify(wrapped(cheaper(), inside(signatureOf(good), hidden)))
    expect([state, failures]).toEqual(['altered', ['content_changed']])
  })

  it('with a reference to an invoice in the signature', async () => {
    // The reference holds, but covers the inner invoice, not the root that is read.
    const inner = body().replace('<fe:Facturae', '<fe:Facturae Id="invoice"')
    const whole = { uri: '#invoice', transforms: `<ds:Transform Algorithm="${C14N}"/>` }
    const attack = await signed(cheaper(), supplier, {
      chain: [supplier, authority],
      whole,
      extra: `<ds:Object>${inner}</ds:Object>`,
    })
    const { state, failures } = await verify(attack)
    expect([state, failures]).toEqual(['altered', ['not_covered']])
  })

  it('with an Id that is used twice', async () => {
    for (const id of ['props', 'key']) {
      const { state, failures } = await verify(inside(good, `<ds:Object Id="${id}"/>`))
      expect([state, failures.includes('reference')]).toEqual(['altered', true])
    }
  })

  it('with a reference to a part only, or none to the document', async () => {
    const whole = { uri: '#key', transforms: '' }
    expect(summary(await verifyAs(supplier, { whole }))).toBe('altered not_covered')
  })

  it('with a second signature, before, inside or after the first', async () => {
    const second = signatureOf(await signed(cheaper(), third))
    expect(summary(await verify(wrapped(good, second)))).toBe('altered several_signatures')
    expect(summary(await verify(inside(good, `<ds:Object>${second}</ds:Object>`)))).toBe(
      'altered several_signatures',
    )
    const misplaced = change(good, '<FileHeader>', `${second}<FileHeader>`)
    expect(summary(await verify(misplaced))).toBe('altered several_signatures')
    const moved = change(
      change(good, signatureOf(good), ''),
      '<FileHeader>',
      `${signatureOf(good)}<FileHeader>`,
    )
    expect(summary(await verify(moved))).toBe('altered place')
  })

  it('with other signed properties, which are not signed', async () => {
    const properties = required(/<ds:Object><xades:Qualifying[\s\S]*?<\/ds:Object>/.exec(good)?.[0])
    const { state, failures } = await verify(
      inside(good, properties.replace('Id="props"', 'Id="other"').replace('2026-03-16', '2026-03-15')),
    )
    expect([state, failures.includes('properties_not_covered')]).toEqual(['altered', true])
  })
})

describe('a signature of another form is not supported', () => {
  it.each<[string, () => Promise<InvoiceSignature>]>([
    ['algorithm', () => verifyAs(supplier, { digest: 'sha1' })],
    ['algorithm', () => verifyAs(supplier, { method: `${DSIG}rsa-sha1` })],
    [
      'algorithm',
      () =>
        verifyAs(supplier, {
          whole: {
            uri: '',
            transforms: `${ENVELOPED}<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>`,
          },
        }),
    ],
    ['algorithm', () => verifyAs(supplier, { canonicalization: 'http://www.w3.org/2006/12/xml-c14n11' })],
    [
      'algorithm',
      async () =>
        verifyAs(await identity({ algorithm: EC, issuer: authority }), {
          method: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
        }),
    ],
    ['form', () => verifyAs(supplier, { properties: false })],
    ['form', () => verifyAs(supplier, { named: false })],
    // The namespace of policy 3.0, until 2007.
    ['form', () => verifyAs(supplier, { xades: 'http://uri.etsi.org/01903/v1.2.2#' })],
    ['certificate', () => verifyAs(supplier, { chain: [], named: false, properties: false })],
    [
      'countersigned',
      async () => {
        const counter = required(/<ds:Signature [\s\S]*<\/ds:Signature>/.exec(good)?.[0])
        const extra = `<ds:Object><xades:CounterSignature xmlns:xades="http://uri.etsi.org/01903/v1.3.2#">${counter}</xades:CounterSignature></ds:Object>`
        return verifyAs(supplier, { extra })
      },
    ],
  ])('%s', async (failure, verified) => {
    const { state, failures } = await verified()
    expect([state, failures.slice(0, 1)]).toEqual([
      'unsupported',
      [failure === 'certificate' ? 'form' : failure],
    ])
  })

  it('nor is one whose content was changed too: the change is found first', async () => {
    const old = await signed(xml, supplier, { method: `${DSIG}rsa-sha1` })
    expect((await verify(old.replace('>181.50<', '>181.51<'))).state).toBe('altered')
  })
})

describe('hostile input', () => {
  const withObject = (content: string) =>
    change(good, '</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)

  it.each<[string, string, () => string | Uint8Array]>([
    ['no signature', 'no_signature', () => xml],
    [
      'a document type',
      'doctype',
      () => good.replace('?>', '?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'),
    ],
    ['another root', 'root', () => `<a>${good.replace(/^<\?xml[^>]*>/, '')}</a>`],
    ['more than 10 MB', 'xml', () => Buffer.alloc(10 * 1024 * 1024 + 1, 32)],
    ['no bytes', 'xml', () => ''],
    ['bytes that are not text', 'xml', () => Buffer.from([0xff, 0xfe, 0xfd, 0x00, 0xd8])],
    ['a truncated file', 'xml', () => good.slice(0, -20)],
    ['a million elements', 'xml', () => withObject('<a/>'.repeat(1_000_000))],
    [
      'a thousand attributes',
      'xml',
      () => withObject(`<a ${Array.from({ length: 1000 }, (_, i) => `a${i}=""`).join(' ')}/>`),
    ],
    ['very deep elements', 'xml', () => withObject('<a>'.repeat(100_000))],
  ])('%s is not supported, and nothing is thrown', async (_name, failure, input) => {
    expect(summary(await verify(input()))).toBe(`unsupported ${failure}`)
  })

  it('thousands of references or certificates are not checked', async () => {
    const reference = required(/<ds:Reference URI="#key">[\s\S]*?<\/ds:Reference>/.exec(good)?.[0])
    const certificate = `<ds:X509Certificate>${authority.der.toString('base64')}</ds:X509Certificate>`
    for (const part of [reference, certificate])
      expect(summary(await verify(change(good, part, part.repeat(3000))))).toBe('altered structure')
  })
})

const SAMPLES = fileURLToPath(shared('reference/formats/samples/facturae/'))
const hasSamples = existsSync(SAMPLES)

describe.skipIf(!hasSamples)(
  `public signed samples${hasSamples ? '' : ' (skipped: no reference folder beside the project)'}`,
  () => {
    it.each([
      // Signed with a test certificate of the FNMT for another NIF than the supplier's.
      ['facturae_3_2_signed_installments.xsig', 'untrusted root_unknown third_party'],
      // Signed with the same certificate, with a signing time before it was issued.
      ['facturae_3_2_2_signed_dir3.xsig', 'untrusted not_yet_valid root_unknown third_party'],
      // Indented after it was signed: xmlsec1 finds the same.
      [
        'facturae_3_2_2_gobl_vat_irpf_signed.xml',
        'altered content_changed part_changed properties_changed signature_value',
      ],
    ])('%s is %s', async (name, expected) => {
      const bytes = readFileSync(SAMPLES + name)
      const supplierTaxId = readInvoice(bytes).document?.invoice.supplier.tax_id
      const result = await verify(bytes, { supplierTaxId })
      expect(summary(result)).toBe(expected)
      expect(result.signer?.name).toMatch(/^EIDAS CERTIFICADO PRUEBAS - 999999/)
    })

    it('the chain in a sample leads to the root of the FNMT in it', async () => {
      const bytes = readFileSync(`${SAMPLES}facturae_3_2_signed_installments.xsig`)
      const all = [...bytes.toString().matchAll(/<ds:X509Certificate>([^<]+)</g)].map(
        ([, base64 = '']) => `-----BEGIN CERTIFICATE-----\n${base64.trim()}\n-----END CERTIFICATE-----`,
      )
      const roots = all.filter((pem) => new X509Certificate(pem).subject.includes('RAIZ'))
      const { signer, doubts } = await verify(bytes, { roots })
      expect([signer?.trusted_root, doubts]).toEqual(['OU=AC RAIZ FNMT-RCM,O=FNMT-RCM,C=ES', ['third_party']])
    })
  },
)

// ---------------------------------------------------------------- other verifiers

/** Runs `check` on a folder with a file for each document. */
function withFiles<T>(documents: readonly string[], check: (folder: string, files: string[]) => T): T {
  const folder = temporaryFolder()
  const files = documents.map((document, index) => {
    writeFileSync(join(folder, `${index}.xsig`), document)
    return `${index}.xsig`
  })
  writeFileSync(join(folder, 'root.pem'), root.pem)
  return check(folder, files)
}

const IDS = ['http://uri.etsi.org/01903/v1.3.2#:SignedProperties', `${DSIG}:KeyInfo`].flatMap((name) => [
  '--id-attr:Id',
  name,
])

function xmlsec1(documents: readonly string[]): boolean[] {
  return withFiles(documents, (cwd, files) =>
    files.map((file) => {
      const trust = ['--trusted-pem', 'root.pem', '--verification-time', '2026-03-16 10:00:00']
      return spawnSync('xmlsec1', ['--verify', ...trust, ...IDS, file], { cwd }).status === 0
    }),
  )
}

function java(documents: readonly string[]): boolean[] {
  const program = fileURLToPath(new URL('VerifySignature.java', import.meta.url))
  const { stdout, stderr } = withFiles(documents, (cwd, files) =>
    spawnSync('java', [program, ...files], { cwd, encoding: 'utf8' }),
  )
  if (stdout === '') throw new Error(stderr)
  return stdout
    .trim()
    .split(' ')
    .map((one) => one === 'true')
}

const VERIFIERS = [
  ['xmlsec1', xmlsec1, hasProgram('xmlsec1')],
  ['the JDK', java, hasProgram('java') && hasProgram('javac')],
] as const

describe.each(VERIFIERS)('%s agrees', (name, verifyWith, isPresent) => {
  const missing = isPresent && !isBare ? '' : ` (skipped: ${name} is not installed)`

  it.skipIf(missing)(`about documents as they were signed${missing}`, async () => {
    const privateKey = supplier.keys.privateKey
    const chain = [authority.pem]
    const options = { privateKey, certificate: supplier.pem, chain, timestamp: '2026-03-16T10:00:00+01:00' }
    const documents = [
      good,
      await signed(xml, supplier, { chain: [supplier, authority], digest: 'sha512' }),
      await signFacturae(xml, options),
      await signFacturae(
        facturae({
          lines: [
            { item_description: 'Año <&> "ñ"', quantity: 1, unit_price_without_tax: 2, tax_output_rate: 10 },
          ],
        }),
        options,
      ),
    ]
    for (const document of documents) expect(summary(await verify(document))).toBe('valid')
    expect(verifyWith(documents)).toEqual(documents.map(() => true))
  })

  it.skipIf(missing)(`about one change in each part${missing}`, async () => {
    const parts = ['<InvoiceTotal>', '<CorporateName>', '<ds:X509IssuerName>', '<xades:SigningTime>']
    const more = ['<ds:SignatureValue>', '<ds:Modulus>', '<ds:DigestValue>', '<xades:Identifier>http']
    const altered = [...parts, ...more, '<xades:CertDigest><ds:DigestMethod Algorithm="http'].map((part) =>
      flip(good, part),
    )
    for (const document of altered) expect((await verify(document)).state).toBe('altered')
    expect(verifyWith(altered)).toEqual(altered.map(() => false))
  })

  it.skipIf(missing || !hasSamples)(`about the public samples${missing}`, () => {
    const names = ['3_2_signed_installments.xsig', '3_2_2_signed_dir3.xsig', '3_2_2_gobl_vat_irpf_signed.xml']
    const samples = names.map((sample) => readFileSync(`${SAMPLES}facturae_${sample}`, 'utf8'))
    expect(verifyWith(samples)).toEqual([true, true, false])
  })
})
