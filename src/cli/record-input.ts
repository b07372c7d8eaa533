/** Reads the files of `cuadra record` and `cuadra verify-chain`: records, links and systems, as JSON or XML. */
import type { FiscalRecord, RegistroAnterior, SistemaInformatico } from '../verifactu/index.ts'
import { readVerifactu } from '../verifactu/index.ts'
import { readAll, shownName } from './inputs.ts'
import { UsageError } from './usage-error.ts'

const ROOTS = ['RegistroAlta', 'RegistroAnulacion', 'RegistroEvento'] as const

/** Text of a file in UTF-8, without its byte order mark. Throws a `UsageError`. */
export async function readText(option: string, file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readAll(file))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${option} ${shownName(file)}: not UTF-8`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as JSON, or the last line of NDJSON. */
function parse(option: string, file: string, text: string): unknown {
  const lines = text.trimEnd().split('\n')
  for (const candidate of [text, lines.at(-1) ?? ''])
    try {
      return JSON.parse(candidate)
    } catch {
      // Not one document: perhaps one a line.
    }
  throw new UsageError(`${option} ${shownName(file)}: neither JSON nor XML`)
}

/** The record that a value is or holds (`cuadra record` prints it beside its hash). */
export function recordIn(value: unknown): FiscalRecord | undefined {
  if (!isObject(value)) return undefined
  const root = ROOTS.find((name) => isObject(value[name]))
  if (root) return { [root]: value[root] } as unknown as FiscalRecord
  return isObject(value.record) ? recordIn(value.record) : undefined
}

const isLink = (value: unknown): value is RegistroAnterior =>
  isObject(value) && typeof value.Huella === 'string'

/** A record, or a link to one: JSON as `cuadra record` prints it, the last line of NDJSON, or XML. */
export async function readRecord(option: string, file: string): Promise<FiscalRecord | RegistroAnterior> {
  const text = await readText(option, file)
  if (text.trimStart().startsWith('<')) {
    const { document, items } = readVerifactu(text)
    const records =
      document?.root === 'RegFactuSistemaFacturacion' ? document.value.RegistroFactura : undefined
    const found = records ? records.at(-1) : document && { [document.root]: document.value }
    const record = recordIn(found)
    if (!record)
      throw new UsageError(`${option} ${shownName(file)}: ${items[0]?.message ?? 'holds no record'}`)
    return record
  }
  const value = parse(option, file, text)
  const record = recordIn(value)
  if (record) return record
  if (isLink(value)) return value
  throw new UsageError(`${option} ${shownName(file)}: holds neither a record nor a link with its Huella`)
}

/** The block `SistemaInformatico`, alone or under its name. */
export async function readSystem(file: string): Promise<SistemaInformatico> {
  const value = parse('--system', file, await readText('--system', file))
  const block = isObject(value) && isObject(value.SistemaInformatico) ? value.SistemaInformatico : value
  if (!isObject(block) || typeof block.IdSistemaInformatico !== 'string')
    throw new UsageError(`--system ${shownName(file)}: must hold the block SistemaInformatico`)
  return block as unknown as SistemaInformatico
}

/** The system that made a record. */
export function systemOf(record: FiscalRecord | RegistroAnterior | null): SistemaInformatico | undefined {
  const found = recordIn(record)
  if (!found) return undefined
  if ('RegistroAlta' in found) return found.RegistroAlta.SistemaInformatico
  return 'RegistroAnulacion' in found ? found.RegistroAnulacion.SistemaInformatico : undefined
}
