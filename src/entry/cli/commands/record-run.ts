/** Runs `cuadra record`: builds the fiscal record of an invoice, with hash and QR code. Loaded on demand. */
import { writeFile } from 'node:fs/promises'
import { type ValidationItem, validate } from '#engine/index.ts'
import { isObject } from '#records/fiscal/index.ts'
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
  spanishTimestamp,
} from '#records/verifactu/index.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli } from '../input/cli.ts'
import { colorsOf } from '../input/colors.ts'
import { readCompany } from '../input/company-options.ts'
import { isColored, type SharedFlags, terminalColumns } from '../input/input-flags.ts'
import { checkStdin, hasCode, STDIN, unwritableFileError } from '../input/inputs.ts'
import { readIdentity, readJson, readLastRecord, readSystem, systemOf } from '../input/record-input.ts'
import { plainItem } from '../report/item-lines.ts'

export interface RecordFlags extends SharedFlags {
  readonly previous?: string
  readonly first?: true
  readonly system?: string
  readonly number?: string
  readonly date?: string
  readonly timestamp?: string
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

interface RecordResult {
  readonly record: FiscalRecord | null
  readonly hash: string | null
  readonly items: readonly ValidationItem[]
}

/** The previous record, or only a link to that record, and the invoicing software that issued the record, if known. */
interface Predecessor {
  readonly previous: Previous
  readonly system: SistemaInformatico | undefined
}

async function predecessorOf(cli: Cli, flags: RecordFlags): Promise<Predecessor> {
  if (flags.first && flags.previous !== undefined) throw cli.usageError(USAGE.first_and_previous)
  if (flags.first) return { previous: null, system: undefined }
  if (flags.previous === undefined) throw cli.usageError(USAGE.previous_missing)
  const { record, link } = await readLastRecord(cli, '--previous', flags.previous)
  return { previous: record ?? link, system: systemOf(record) }
}

async function systemFor(cli: Cli, flags: RecordFlags, { system }: Predecessor): Promise<SistemaInformatico> {
  if (flags.system !== undefined) return readSystem(cli, flags.system)
  if (system) return system
  throw cli.usageError(USAGE.system_missing)
}

const blockIn = (value: unknown, name: string): Record<string, unknown> | undefined =>
  isObject(value) && isObject(value[name]) ? (value[name] as Record<string, unknown>) : undefined

/** Sets the number and date of a draft. Rejects values that differ from those in the draft. */
function assign(cli: Cli, sent: unknown, { number, date }: RecordFlags): void {
  const put = (block: Record<string, unknown> | undefined, field: string, value: string, option: string) => {
    if (!block) return
    const has = block[field]
    if (has !== undefined && has !== null && has !== value)
      throw cli.usageError({
        en: `${option}: the invoice already has the ${field} ${JSON.stringify(has)}; remove the option`,
        es: `${option}: la factura ya tiene el ${field} ${JSON.stringify(has)}; quite la opción`,
      })
    block[field] = value
  }
  const invoice = blockIn(sent, 'invoice')
  if (number !== undefined) put(blockIn(invoice, 'header'), 'invoice_number', number, '--number')
  if (date !== undefined) put(blockIn(invoice, 'issue_data'), 'issue_date', date, '--date')
}

async function register(
  cli: Cli,
  file: string,
  flags: RecordFlags,
  base: Parameters<typeof registrationRecord>[1],
): Promise<RecordResult> {
  const sent = await readJson(cli, '', file)
  assign(cli, sent, flags)
  const company = flags.company === undefined ? undefined : await readCompany(cli, flags.company)
  const result = validate(sent, {
    operation: 'issue',
    locale: flags.locale,
    today: base.timestamp.slice(0, 10),
    ...(company ? { company } : {}),
  })
  if (!result.is_valid || !result.data) return { record: null, hash: null, items: result.errors }
  return registrationRecord(result.data, {
    ...base,
    ...(flags.correction ? { correction: flags.correction } : {}),
  })
}

async function cancel(
  cli: Cli,
  file: string,
  { correction }: RecordFlags,
  base: Parameters<typeof cancellationRecord>[1],
): Promise<RecordResult> {
  if (correction === 'none') throw cli.usageError(USAGE.correction_none_of_cancellation)
  return cancellationRecord(await readIdentity(cli, '--cancel', file), {
    ...base,
    ...(correction === 'rejected' ? { rejected: true } : {}),
    ...(correction === 'never_registered' ? { never_registered: true } : {}),
  })
}

/** Returns the text for the standard output in the requested format, and the QR code if one is requested. */
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

/** Rejects the options that do not apply to a cancellation. */
function checkFlags(cli: Cli, flags: RecordFlags): void {
  if (flags.svg !== undefined && flags.cancel) throw cli.usageError(USAGE.svg_of_cancellation)
  if (flags.cancel && (flags.number !== undefined || flags.date !== undefined))
    throw cli.usageError(USAGE.number_of_cancellation)
}

/** Writes the QR code to the file given with `--svg`. */
async function writeSvg(cli: Cli, flag: RecordFlags['svg'], svg: string | null): Promise<void> {
  if (typeof flag !== 'string' || flag === STDIN || svg === null) return
  await writeFile(cli.pathOf(flag), svg).catch((error: unknown) => {
    const noFolder = cli.translate({ en: 'no such folder', es: 'la carpeta no existe' })
    throw unwritableFileError(cli, `--svg ${flag}`, error, hasCode(error, 'ENOENT') ? noFolder : undefined)
  })
}

export async function makeRecord(cli: Cli, file: string, flags: RecordFlags): Promise<number> {
  checkFlags(cli, flags)
  checkStdin(cli, [file, flags.previous, flags.system, flags.company])
  const before = await predecessorOf(cli, flags)
  const system = await systemFor(cli, flags, before)
  const base = {
    system,
    previous: before.previous,
    ...(flags.continues ? { chain_continues: true } : {}),
    timestamp: flags.timestamp ?? spanishTimestamp(Date.now(), flags.zone),
    locale: flags.locale,
  }
  const { record, hash, items } = flags.cancel
    ? await cancel(cli, file, flags, base)
    : await register(cli, file, flags, base)
  const colors = colorsOf(isColored(cli, flags))
  if (items.length > 0 && (record || !flags.json))
    cli.err.write(`${items.flatMap((item) => plainItem(item, colors, terminalColumns(cli))).join('\n')}\n`)
  if (!record || hash === null) {
    if (flags.json) cli.out.write(`${JSON.stringify({ record: null, errors: items }, null, 2)}\n`)
    return 1
  }
  const { text, svg } = textOf(record, hash, flags)
  await writeSvg(cli, flags.svg, svg)
  cli.out.write(text)
  return 0
}
