/**
 * Certificates of a company. The administrator adds them. The PKCS#12 file and its password are stored encrypted, and
 * no response contains any part of the private key.
 */
import { createHash, randomBytes } from 'node:crypto'
import { certificateFindings, daysLeft } from 'cuadra-authority/certificate-findings.ts'
import { CertificateError } from 'cuadra-authority/errors.ts'
import type { CertificateFinding, Pkcs12 } from 'cuadra-authority/index.ts'
import { type CuadraError, isCondition } from '#core/errors/index.ts'
import type { App } from '../../app/app.ts'
import { timestampOfMicroseconds } from '../../environment/clock.ts'
import { seal, unseal } from '../../environment/secrets.ts'
import type { Certificate } from '../../shapes/schemas.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Purpose } from '../../store/tables.ts'
import type { CompanyData } from './company-shape.ts'

export type { Purpose }

export const PURPOSES: readonly Purpose[] = ['verifactu', 'general']

const COLUMNS = ['certificate_id as id', 'name', 'fingerprint', 'purpose', 'valid_from', 'valid_to'] as const

/** Returns the certificates of the company by id, expired ones included. */
export const listCertificates = (db: Rows): Promise<Certificate[]> =>
  db.select('certificates').select(COLUMNS).orderBy('certificate_id').execute()

/**
 * Returns the certificates that are valid at this time: the preferred one first, then the most suitable for the
 * purpose. A renewed certificate is therefore used automatically. Outside the simulator, self-signed certificates are
 * omitted if there are others, because only the simulator accepts them.
 */
export async function validCertificates(
  db: Rows,
  { config: { aeat } }: Pick<App, 'config'>,
  now: number,
  preferred: number | null,
  purpose: Purpose,
): Promise<Certificate[]> {
  // `clock.stamp()` never returns an earlier timestamp, so its result would be too late after the clock was set back.
  const stamp = timestamp(new Date(now))
  const rows = await db
    .select('certificates')
    .select([...COLUMNS, 'self_signed'])
    .where('valid_from', '<=', stamp)
    .where('valid_to', '>=', stamp)
    .execute()
  const others = rows.filter(({ self_signed }) => self_signed === 0)
  const valid = aeat !== 'simulator' && others.length > 0 ? others : rows
  // Certificates for the purpose come first, then the one that expires last, then the newest.
  return valid
    .map(({ self_signed: _, ...certificate }) => certificate)
    .sort(
      (a, b) =>
        Number(b.id === preferred) - Number(a.id === preferred) ||
        Number(b.purpose === purpose) - Number(a.purpose === purpose) ||
        (a.valid_to === b.valid_to ? b.id - a.id : a.valid_to < b.valid_to ? 1 : -1),
    )
}

/** Returns the first valid certificate at this time in the order of `validCertificates`; null if there is none. */
export const validCertificate = async (
  db: Rows,
  app: Pick<App, 'config'>,
  now: number,
  preferred: number | null = null,
  purpose: Purpose = 'verifactu',
): Promise<Certificate | null> => (await validCertificates(db, app, now, preferred, purpose))[0] ?? null

const contextOf = (companyId: string, id: number): string => `certificate ${id} of company ${companyId}`

const timestamp = (date: Date): string => timestampOfMicroseconds(date.getTime() * 1000)

const commonName = (subject: string): string | undefined => {
  const found = /(?:^|,)CN=((?:\\.|[^,\\])+)/.exec(subject)?.[1]
  return found?.replace(/\\(.)/g, '$1')
}

/** Reads a PKCS#12 file. The libraries for this are loaded at the first call. */
const readPkcs12 = async (p12: Uint8Array, password: string): Promise<Pkcs12> =>
  (await import('cuadra-authority/pkcs12.ts')).readPkcs12(p12, password)

export interface NewCertificate {
  readonly p12: Uint8Array
  readonly password: string
  readonly purpose: Purpose
  /** Name in responses; by default, the common name of the subject. */
  readonly name?: string | undefined
  /**
   * NIF of the company. If set, certificates of other holders are rejected. Omit it for a representative's certificate.
   */
  readonly taxId?: string | undefined
}

/**
 * Stores a PKCS#12 file under the next id of the company. Throws a `CertificateError` for a wrong password, a file
 * without a signing key, or a certificate that is not valid now.
 */
export async function addCertificate(
  tx: Tx,
  { config, clock }: Pick<App, 'config' | 'clock'>,
  { p12, password, purpose, name, taxId }: NewCertificate,
): Promise<Certificate> {
  const { certificate } = await readPkcs12(p12, password)
  const { der, subject, issuer, notBefore, notAfter, owner } = certificate
  const [valid_from, valid_to] = [timestamp(notBefore), timestamp(notAfter)]
  const now = clock.now()
  if (notAfter.getTime() < now)
    throw new CertificateError(
      'expired',
      `The certificate of ${subject} expired on ${valid_to.slice(0, 10)}. Add the renewed certificate.`,
    )
  if (notBefore.getTime() > now)
    throw new CertificateError(
      'not_yet_valid',
      `The certificate of ${subject} is valid from ${valid_from.slice(0, 10)}. Add it on that day, or check the clock of this machine.`,
    )
  if (taxId !== undefined && owner.taxId !== null && owner.taxId !== taxId)
    throw new CertificateError(
      'other_owner',
      `The certificate belongs to ${owner.taxId}, but the tax id of the company is ${taxId}. Add a certificate of ${taxId}. If ${owner.taxId} is its authorised representative (apoderado) or registered filing agent (colaborador social), add this one with --representative.`,
    )
  const { last } = await tx
    .select('certificates')
    .select(({ fn }) => fn.max('certificate_id').as('last'))
    .executeTakeFirstOrThrow()
  const id = Number(last ?? 0) + 1
  const row = {
    name: name?.trim() || commonName(subject) || subject,
    fingerprint: createHash('sha256').update(der).digest('hex'),
    purpose,
    valid_from,
    valid_to,
  }
  const content = Buffer.from(JSON.stringify({ p12: Buffer.from(p12).toString('base64'), password }), 'utf8')
  await tx.insert('certificates', {
    certificate_id: id,
    ...row,
    self_signed: subject === issuer ? 1 : 0,
    sealed: seal(config, content, contextOf(tx.companyId, id)),
    created_at: clock.stamp(),
  })
  return { id, ...row }
}

/** Whether an error means that a stored certificate cannot be opened. */
export const isUnusable = (error: unknown): error is CuadraError =>
  error instanceof CertificateError || isCondition(error, 'sealed_with_another_key')

/** Maximum number of decrypted certificate files kept in memory. */
const MAX_OPEN = 200

/**
 * Decrypted certificate files by their encrypted text, which is unique. They are cached because decrypting one takes as
 * long as sending a dozen records. The private keys are in the memory of this process anyway, for its connections.
 */
const open = new Map<string, Pkcs12>()

async function opened(sealed: string, content: string): Promise<Pkcs12> {
  const { p12, password }: { p12: string; password: string } = JSON.parse(content)
  const known = open.get(sealed) ?? (await readPkcs12(Buffer.from(p12, 'base64'), password))
  open.delete(sealed)
  open.set(sealed, known)
  const [oldest] = open.keys()
  if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest)
  return known
}

/** Opens a certificate with its key, for signing and for connections to the tax authority. */
export async function openCertificate(
  db: Rows,
  { config }: Pick<App, 'config'>,
  id: number,
): Promise<Pkcs12> {
  const row = await db.find('certificates', { certificate_id: id }).select('sealed').executeTakeFirst()
  if (!row)
    throw new CertificateError(
      'unknown_certificate',
      `Unknown certificate ${id}. List the certificates of the company with GET /certificates.`,
    )
  // Decrypts each time, so that a wrong key of the installation is detected.
  const content = unseal(config, row.sealed, contextOf(db.companyId, id)).toString('utf8')
  return opened(row.sealed, content)
}

/** Whether the holder of a certificate is not the company. A partner may use its own certificate for the company. */
export const hasOtherHolder = (
  { owner }: Pick<Pkcs12['certificate'], 'owner'>,
  { tax_id, operated_by_partner }: CompanyData,
): boolean => owner.taxId !== null && owner.taxId !== tax_id && !operated_by_partner

/** A certificate with the current findings about it. */
export interface CertificateCheck extends Certificate {
  /** `seal`, `person`, `representative` or `unknown`; null if the certificate cannot be opened. */
  readonly kind: string | null
  /** NIF of the holder. */
  readonly owner: string | null
  /** Whole days until the certificate expires; negative afterwards. */
  readonly days_left: number
  readonly findings: readonly Pick<CertificateFinding, 'severity' | 'message'>[]
}

/** Checks the certificates of a company. A certificate that cannot be opened has a finding with the reason. */
export async function checkCertificates(
  db: Rows,
  app: Pick<App, 'config' | 'clock'>,
  data: CompanyData,
): Promise<CertificateCheck[]> {
  const now = app.clock.now()
  const checks: CertificateCheck[] = []
  const valid = await validCertificates(db, app, app.clock.now(), null, 'verifactu')
  // The finding `self_signed` is reported only outside the simulator, and only if no other certificate is used.
  const isNeeded = (row: Certificate) =>
    app.config.aeat !== 'simulator' && valid.some(({ id }) => id === row.id)
  for (const row of await listCertificates(db)) {
    try {
      const { certificate } = await openCertificate(db, app, row.id)
      // If a partner operates the company, the authority checks whether the partner is authorised.
      const own = data.operated_by_partner ? {} : { taxId: data.tax_id }
      const findings = certificateFindings(certificate, { now, ...own }).filter(
        ({ code }) => code !== 'self_signed' || isNeeded(row),
      )
      const { kind, taxId: owner } = certificate.owner
      checks.push({ ...row, kind, owner, days_left: daysLeft(certificate, now), findings })
    } catch (error) {
      if (!isUnusable(error)) throw error
      const message = { en: error.message, es: error.message }
      const days_left = daysLeft({ notAfter: new Date(`${row.valid_to}Z`) }, now)
      checks.push({ ...row, kind: null, owner: null, days_left, findings: [{ severity: 'error', message }] })
    }
  }
  return checks
}

const DAY = 86_400_000

/** Returns a self-signed certificate file and its password for demonstrations. Only the simulator accepts it. */
export async function demonstrationCertificate(
  { config, clock }: Pick<App, 'config' | 'clock'>,
  taxId: string,
  name: string,
): Promise<{ readonly p12: Uint8Array; readonly password: string }> {
  if (config.aeat !== 'simulator')
    throw new CertificateError(
      'simulator_only',
      `CUADRA_AEAT is "${config.aeat}": demonstration certificates work with the simulator only. Add a qualified certificate.`,
    )
  const { createSelfSignedCertificate } = await import('cuadra-authority/self-signed.ts')
  const password = randomBytes(12).toString('base64url')
  const from = new Date(clock.now() - DAY)
  const until = new Date(clock.now() + 2 * 365 * DAY)
  return { p12: await createSelfSignedCertificate({ name, taxId, from, until, password }), password }
}
