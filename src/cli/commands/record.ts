/** `cuadra record`: an invoice's fiscal record, with its hash and QR code. */
import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { type Locale, type ValidationItem, validate } from '../../api/index.ts'
import { UsageError } from '../../errors/index.ts'
import { ioReason } from '../../terminal/io-reason.ts'
import {
  cancellationRecord,
  type FiscalRecord,
  type Previous,
  type QrEnvironment,
  qrSvg,
  qrUrlOf,
  recordXml,
  registrationRecord,
  type SistemaInformatico,
  spanishMoment,
} from '../../verifactu/index.ts'
import { colorsOf } from '../input/colors.ts'
import { readCompany } from '../input/company-file.ts'
import { colored, columns, type Done, day, type SharedFlags, shared } from '../input/flags.ts'
import { STDIN } from '../input/inputs.ts'
import {
  checkStdin,
  moment,
  readIdentity,
  readJson,
  readLast,
  readSystem,
  systemOf,
} from '../input/record-input.ts'
import { plainItem } from '../report/item-lines.ts'

interface RecordFlags extends SharedFlags {
  readonly previous?: string
  readonly first?: true
  readonly system?: string
  readonly number?: string
  readonly date?: string
  readonly moment?: string
  readonly zone: 'Europe/Madrid' | 'Atlantic/Canary'
  readonly company?: string
  readonly cancel?: true
  readonly correction?: 'none' | 'rejected' | 'never_registered'
  readonly continues?: true
  readonly xml?: true
  readonly svg?: string | true
  readonly environment: QrEnvironment
  readonly verifiable: boolean
}

interface Made {
  readonly record: FiscalRecord | null
  readonly hash: string | null
  readonly items: readonly ValidationItem[]
}

/** The record before, as far as it is known, and the system that made it. */
interface Before {
  readonly previous: Previous
  readonly system: SistemaInformatico | undefined
}

async function beforeOf(flags: RecordFlags): Promise<Before> {
  if (flags.first && flags.previous !== undefined)
    throw new UsageError('--first and --previous exclude each other')
  if (flags.first) return { previous: null, system: undefined }
  if (flags.previous === undefined)
    throw new UsageError(
      'say which record this one follows: --previous <file>, or --first for the very first of this installation',
    )
  const { record, link } = await readLast('--previous', flags.previous)
  return { previous: record ?? link, system: systemOf(record) }
}

async function systemFor(flags: RecordFlags, { system }: Before): Promise<SistemaInformatico> {
  if (flags.system !== undefined) return readSystem(flags.system)
  if (system) return system
  throw new UsageError(
    'say which system issues the record: --system <file> with the block SistemaInformatico (the previous record names none)',
  )
}

const blockIn = (value: unknown, name: string): Record<string, unknown> | undefined => {
  const block = (value as Record<string, unknown> | null)?.[name]
  return typeof block === 'object' && block !== null && !Array.isArray(block)
    ? (block as Record<string, unknown>)
    : undefined
}

/** Gives a draft its number and date; another one than it has would be another invoice. */
function assign(sent: unknown, { number, date }: RecordFlags): void {
  const put = (block: Record<string, unknown> | undefined, field: string, value: string, option: string) => {
    if (!block) return
    const has = block[field]
    if (has !== undefined && has !== null && has !== value)
      throw new UsageError(`${option}: the invoice has the ${field} ${JSON.stringify(has)} already`)
    block[field] = value
  }
  const invoice = blockIn(sent, 'invoice')
  if (number !== undefined) put(blockIn(invoice, 'header'), 'invoice_number', number, '--number')
  if (date !== undefined) put(blockIn(invoice, 'issue_data'), 'issue_date', date, '--date')
}

async function register(
  file: string,
  flags: RecordFlags,
  base: Parameters<typeof registrationRecord>[1],
): Promise<Made> {
  const sent = await readJson('', file)
  assign(sent, flags)
  const company = flags.company === undefined ? undefined : await readCompany(flags.company)
  const verdict = validate(sent, {
    operation: 'issue',
    locale: flags.locale,
    today: base.moment.slice(0, 10),
    ...(company ? { company } : {}),
  })
  if (!verdict.is_valid || !verdict.data) return { record: null, hash: null, items: verdict.errors }
  return registrationRecord(verdict.data, {
    ...base,
    ...(flags.correction ? { correction: flags.correction } : {}),
  })
}

async function cancel(
  file: string,
  { correction }: RecordFlags,
  base: Parameters<typeof cancellationRecord>[1],
): Promise<Made> {
  if (correction === 'none')
    throw new UsageError(
      '--correction none is for invoices; a cancellation has rejected and never_registered',
    )
  return cancellationRecord(await readIdentity('--cancel', file), {
    ...base,
    ...(correction === 'rejected' ? { rejected: true } : {}),
    ...(correction === 'never_registered' ? { never_registered: true } : {}),
  })
}

/** What goes to the standard output, in the form asked for. */
function textOf(
  record: FiscalRecord,
  hash: string,
  flags: RecordFlags,
): { text: string; svg: string | null } {
  const address = { environment: flags.environment, verifiable: flags.verifiable }
  const url = 'RegistroAlta' in record ? qrUrlOf(record.RegistroAlta, address) : null
  const svg = url !== null && flags.svg !== undefined ? qrSvg(url, { legend: true }) : null
  if ((flags.svg === true || flags.svg === STDIN) && svg !== null) return { text: `${svg}\n`, svg }
  if (flags.xml) return { text: `${recordXml(record)}\n`, svg }
  return { text: `${JSON.stringify({ ...record, hash, qr_url: url }, null, 2)}\n`, svg }
}

async function run(file: string, flags: RecordFlags): Promise<number> {
  if (flags.svg !== undefined && flags.cancel)
    throw new UsageError('a cancellation has no QR code: leave --svg out')
  if (flags.cancel && (flags.number !== undefined || flags.date !== undefined))
    throw new UsageError(
      'a cancellation takes number and date from its record: leave --number and --date out',
    )
  checkStdin([file, flags.previous, flags.system, flags.company])
  const before = await beforeOf(flags)
  const system = await systemFor(flags, before)
  const base = {
    system,
    previous: before.previous,
    ...(flags.continues ? { chain_continues: true } : {}),
    moment: flags.moment ?? spanishMoment(Date.now(), flags.zone),
    locale: flags.locale as Locale,
  }
  const { record, hash, items } = flags.cancel
    ? await cancel(file, flags, base)
    : await register(file, flags, base)
  const colors = colorsOf(colored(flags))
  if (items.length > 0 && (record || !flags.json))
    process.stderr.write(`${items.flatMap((item) => plainItem(item, colors, columns())).join('\n')}\n`)
  if (!record || hash === null) {
    if (flags.json) process.stdout.write(`${JSON.stringify({ record: null, errors: items }, null, 2)}\n`)
    return 1
  }
  const { text, svg } = textOf(record, hash, flags)
  if (typeof flags.svg === 'string' && flags.svg !== STDIN && svg !== null)
    await writeFile(flags.svg, svg).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException
      const reason = code === 'ENOENT' ? 'no such folder' : ioReason(error)
      throw new UsageError(`--svg ${flags.svg}: cannot be written, ${reason}`)
    })
  process.stdout.write(text)
  return 0
}

export function addRecordCommand(program: Command, done: Done): void {
  const command = program
    .command('record')
    .description('make the VeriFactu record of an invoice: hash, link, QR address')
    .argument(
      '<invoice>',
      'JSON file of the invoice, or - for the standard input; with --cancel, of its record (JSON or XML)',
    )
    .option('--number <number>', 'number of an invoice that has none yet, with its series')
    .option('--date <date>', 'issue date of an invoice that has none yet, YYYY-MM-DD', day)
    .option(
      '--previous <file>',
      'records of which the last one comes before: JSON, NDJSON or XML; or its link',
    )
    .option('--first', 'this is the very first record of the installation')
    .option('--system <file>', 'JSON with SistemaInformatico; without it, that of the previous record')
    .option(
      '--moment <moment>',
      'when it is generated, such as 2027-01-31T10:00:00+01:00; without it, now',
      moment,
    )
    .addOption(
      new Option('--zone <zone>', 'zone of "now"')
        .choices(['Europe/Madrid', 'Atlantic/Canary'])
        .default('Europe/Madrid'),
    )
    .option('--company <file>', 'the company of the invoice (company.json)')
    .option('--cancel', 'make the cancellation record of a registered invoice')
    .addOption(
      new Option(
        '--correction <kind>',
        'the record corrects an earlier one of the same invoice: which the authority has (none), after a rejected correction, or which it never registered',
      ).choices(['none', 'rejected', 'never_registered']),
    )
    .option('--continues', 'go on with the chain of another taxpayer or installation (a merger)')
    .option('--xml', 'print the XML of the record')
    .option('--svg [file]', 'print the QR code instead, or write it to a file as well')
    .addOption(
      new Option('--environment <name>', 'service that the QR points at')
        .choices(['production', 'test'])
        .default('production'),
    )
    .option('--no-verifiable', 'QR of a system that is not VERI*FACTU')
  shared(command).action(async (file: string, flags: RecordFlags) => {
    done(await run(file, flags))
  })
}
