/**
 * The simulator of the tax authority in memory. It stores and rejects as the simulator does, and calls follow a script.
 * Every message is validated against the official schema if that is installed.
 */

import type { SiiCaller, SiiSender } from 'cuadra-authority/wires.ts'
import { ADDRESSES, readSiiMessage } from 'cuadra-simulator/sii-messages.ts'
import { queryBook } from 'cuadra-simulator/sii-query.ts'
import { processBookSubmission } from 'cuadra-simulator/sii-submission.ts'
import { Faults } from 'cuadra-simulator/simulated-faults.ts'
import { faultXml } from 'cuadra-simulator/simulated-soap.ts'
import type { SimulatorDatabase } from 'cuadra-simulator/simulator-database.ts'
import { required } from '#core/errors/index.ts'
import { readSii } from '#records/sii/index.ts'
import { officialSchema } from '#test/records/sii/schema.ts'
import { ScriptedAuthority } from '../script.ts'

const PATHS = {
  issued: 'fe/SiiFactFEV1SOAP',
  received: 'fr/SiiFactFRV1SOAP',
  collections: 'fe/SiiFactCOBV1SOAP',
  payments: 'fr/SiiFactPAGV1SOAP',
} as const

let schema: ReturnType<NonNullable<typeof officialSchema>> | null | undefined

export interface Received {
  readonly root: string
  readonly operation: string
  readonly numbers: readonly string[]
  readonly xml: string
}

export class Authority extends ScriptedAuthority {
  readonly faults = new Faults()
  /** Submissions that arrived, whatever the response. */
  readonly messages: Received[] = []
  /** Numbers of invoices that make their whole message fail. */
  readonly broken = new Set<string>()
  readonly #database: SimulatorDatabase
  readonly #now: () => number
  readonly #presenter: string

  constructor(database: SimulatorDatabase, presenter: string, now: () => number) {
    super()
    this.#database = database
    this.#presenter = presenter
    this.#now = now
  }

  readonly wire: SiiSender = async (xml, caller) => {
    // Generation takes seconds: once per file.
    schema ??= officialSchema?.() ?? null
    if (schema) {
      const problems = schema(xml)
      if (problems.length > 0) throw new Error(`${problems.join('\n')}\n${xml}`)
    }
    const isQuery = caller.operation === 'query'
    if (!isQuery) this.#note(xml)
    return this.happen(isQuery, xml, () => this.#take(xml, caller))
  }

  #note(xml: string): void {
    const read = readSii(xml)
    if (!read.ok) throw new Error(`no message: ${JSON.stringify(read.items)}`)
    const { Cabecera, ...rest } = read.value as {
      Cabecera: { TipoComunicacion?: string }
      [name: string]: unknown
    }
    const records = Object.values(rest).flat() as { IDFactura: { NumSerieFacturaEmisor: string } }[]
    const operation =
      Cabecera.TipoComunicacion ??
      (read.root.startsWith('Baja') ? 'BAJA' : read.root.includes('Pagos') ? 'PAGOS' : 'COBROS')
    const numbers = records.map(({ IDFactura }) => IDFactura.NumSerieFacturaEmisor)
    this.messages.push({ root: read.root, operation, numbers, xml })
  }

  #take(xml: string, { address, environment }: SiiCaller): string {
    const numbers = this.messages.at(-1)?.numbers ?? []
    const read = readSiiMessage(xml, ADDRESSES[PATHS[address]] ?? [])
    if ('kind' in read) return faultXml(read)
    const isBroken = read.shape.kind === 'submission' && numbers.some((number) => this.broken.has(number))
    if (isBroken) return faultXml({ kind: 'fault', code: 4102, text: 'texto de la AEAT', client: true })
    const handling = {
      database: this.#database,
      faults: this.faults,
      powers: {},
      environment,
      presenter: this.#presenter,
      now: this.#now(),
      wait: 60,
      pageSize: this.pageSize,
      siiHolders: undefined,
    }
    const { shape } = read
    const outcome =
      shape.kind === 'query'
        ? queryBook(handling, read, shape)
        : processBookSubmission(handling, read, shape, xml)
    return outcome.kind === 'response' ? outcome.xml : faultXml(outcome)
  }

  /** Returns the operations of the messages that arrived, with their numbers. */
  came(): string[] {
    return this.messages.map(({ operation, numbers }) => `${operation} ${numbers.join(' ')}`)
  }

  /** Returns the records stored in the book, by number. */
  stored(book: 'ISSUED' | 'RECEIVED', month: string): Map<string, { state: string; record: any }> {
    const where = {
      environment: 'test',
      service: 'sii',
      book,
      taxpayer: this.#presenter,
      period: month,
    } as const
    const rows = this.#database.invoicesOf(where, { after: 0, limit: 100_000 })
    return new Map(
      rows.map(({ number, state, registration }) => [
        number,
        {
          state,
          record:
            registration === null ? null : JSON.parse(required(this.#database.record(registration)).value),
        },
      ]),
    )
  }

  #row(book: 'ISSUED' | 'RECEIVED', number: string) {
    const rows = this.#database.invoices('test', this.#presenter)
    const row = rows.find((one) => one.book === book && one.number === number)
    if (!row) throw new Error(`${number} is not stored`)
    return row
  }

  /** Deletes a record, as the online form of the tax authority does. */
  annul(book: 'ISSUED' | 'RECEIVED', number: string): void {
    this.#database.updateInvoice({ ...this.#row(book, number), state: 'Anulada' })
  }

  /** Returns how often each number was registered as new and accepted. */
  registered(): Map<string, number> {
    const times = new Map<string, number>()
    const records = this.#database.records('test', this.#presenter)
    for (const { operation, state, number } of records)
      if (operation === 'A0' && state !== 'Incorrecto') times.set(number, (times.get(number) ?? 0) + 1)
    return times
  }
}
