/** `certificate add`, `list`: manages the certificates that sign and send records. */
import { type Command, Option } from 'commander'
import { UsageError } from '#core/errors/index.ts'
import type { CertificateCheck } from '../../src/service/company/certificates.ts'
import type { Purpose } from '../../src/store/tables.ts'
import { labelledLines, print, tableText } from '../admin-output.ts'
import { readBytes, readPassword } from '../input.ts'
import type { Io } from '../io.ts'
import { requireCompany, withCompany } from '../session.ts'
import { addCompanyCommand, type CompanyFlags } from './commands.ts'

const PURPOSES: readonly Purpose[] = ['verifactu', 'general']

interface AddFlags extends CompanyFlags {
  readonly p12?: string
  readonly passwordFile?: string
  readonly demo?: true
  readonly purpose?: Purpose
  readonly name?: string
  readonly representative?: true
}

/** Returns the file and its password; undefined for a demonstration certificate. */
async function readGivenFile(io: Io, { p12, passwordFile, demo, purpose }: AddFlags) {
  if (demo) {
    if (p12 !== undefined || passwordFile !== undefined)
      throw new UsageError('--demo makes its own certificate: remove --p12 and --password-file.')
    return undefined
  }
  if (p12 === undefined || passwordFile === undefined)
    throw new UsageError(
      'The certificate is missing: use --p12 and --password-file, or --demo for a demonstration certificate.',
    )
  if (purpose === undefined) throw new UsageError(`--purpose is missing: use ${PURPOSES.join(' or ')}.`)
  if (p12 === '-' && passwordFile === '-')
    throw new UsageError('Only one of --p12 and --password-file can be the standard input.')
  return { p12: await readBytes(io, p12), password: await readPassword(io, passwordFile) }
}

/** Adds the certificate, and returns it with its findings. */
async function addGivenCertificate(io: Io, flags: AddFlags): Promise<CertificateCheck> {
  const given = await readGivenFile(io, flags)
  const { addCertificate, checkCertificates, demonstrationCertificate, hasOtherHolder, openCertificate } =
    await import('../../src/service/company/certificates.ts')
  const { updateCompany } = await import('../../src/service/company/company.ts')
  return withCompany(io, flags.company, async ({ app, store, company: { data } }) => {
    const file = given ?? (await demonstrationCertificate(app, data.tax_id, data.legal_name))
    const { purpose = 'verifactu', name } = flags
    const taxId = flags.representative ? undefined : data.tax_id
    const [{ id: added }, isPartner] = await store.transaction(async (tx) => {
      const done = await addCertificate(tx, app, { ...file, purpose, taxId, ...(name ? { name } : {}) })
      const { certificate } = await openCertificate(tx, app, done.id)
      if (!hasOtherHolder(certificate, data)) return [done, false]
      // Without this setting, a certificate of another holder could not be used for sending.
      await updateCompany(tx, { operated_by_partner: true }, app.clock.stamp())
      return [done, true]
    })
    if (isPartner)
      io.err(
        'note: `operated_by_partner` of the company is now true, so its records are sent with this certificate.\n',
      )
    const { data: updated } = await requireCompany(app, store)
    const checks = await checkCertificates(store, app, updated)
    return checks.find(({ id }) => id === added) as CertificateCheck
  })
}

export function add(certificate: Command, io: Io): void {
  addCompanyCommand(certificate, 'add', 'add a certificate, stored encrypted')
    .option('--p12 <file>', 'PKCS#12 file with certificate and key; - reads the standard input')
    .option('--password-file <file>', 'file whose first line is its password; - reads the standard input')
    .addOption(new Option('--purpose <purpose>', 'use of the certificate').choices(PURPOSES))
    .option('--name <text>', 'name in responses (default: its subject)')
    .option(
      '--representative',
      'the certificate belongs to an authorised representative or a filing agent of the company',
    )
    .option('--demo', 'make a self-signed certificate, for the simulator only')
    .action(async (flags: AddFlags) => {
      const added = await addGivenCertificate(io, flags)
      for (const { message } of added.findings) io.err(`note: ${message.en}\n`)
      print(io, flags.json, added, () =>
        labelledLines([
          ['certificate', added.id],
          ['name', added.name],
          ['owner', added.owner],
          ['kind', added.kind],
          ['fingerprint', added.fingerprint],
          ['purpose', added.purpose],
          ['valid from', added.valid_from.slice(0, 10)],
          ['valid to', added.valid_to.slice(0, 10)],
          ['days left', added.days_left],
        ]),
      )
    })

  addCompanyCommand(certificate, 'list', 'list the certificates and their problems').action(
    async (flags: CompanyFlags) => {
      const { checkCertificates } = await import('../../src/service/company/certificates.ts')
      const checks = await withCompany(io, flags.company, ({ app, store, company }) =>
        checkCertificates(store, app, company.data),
      )
      for (const { id, findings } of checks)
        for (const { message } of findings) io.err(`note: certificate ${id}: ${message.en}\n`)
      print(io, flags.json, checks, () =>
        tableText(
          ['certificate', 'name', 'owner', 'kind', 'purpose', 'valid to', 'days left'],
          checks.map((one) => [
            one.id,
            one.name,
            one.owner,
            one.kind,
            one.purpose,
            one.valid_to.slice(0, 10),
            one.days_left,
          ]),
        ),
      )
    },
  )
}
