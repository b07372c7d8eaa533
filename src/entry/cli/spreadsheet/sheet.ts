/** A spreadsheet format: CSV files whose columns a mapping assigns to fields of invoices. */

import { byteOrderMarkOf, csvText, decode, encode, headerOf, readTable, Table } from './csv-table.ts'
import type { Mapping } from './mapping.ts'
import type { CellPosition, Problem } from './problem.ts'
import { readInvoices, type SheetInvoice } from './read-invoices.ts'
import { writeRows } from './write-rows.ts'

export interface SheetReading {
  readonly text: string
  readonly invoices: readonly SheetInvoice[]
  /** Problems of the whole file, which then has no invoices. */
  readonly problems: readonly Problem[]
  /** Returns the cell of a field and its position in the text. For a field without a cell, returns the nearest cell. */
  readonly locate: (invoice: SheetInvoice, path: string) => CellLocation
}

export interface CellLocation {
  readonly position: CellPosition
  readonly row: number
  readonly column: number
}

/** Returns the cell of a field; for a field without a cell, a cell of the nearest object around the field. */
function cellOf({ cells, rows }: SheetInvoice, path: string) {
  const [, line] = /^\/invoice\/lines\/(\d+)(?=\/|$)/.exec(path) ?? []
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const cell = cells.get(at) ?? [...cells].find(([pointer]) => pointer.startsWith(`${at}/`))?.[1]
    if (cell && at !== '/invoice' && at !== '/invoice/lines') return cell
  }
  return { row: rows[line === undefined ? 0 : Number(line)] ?? 1, column: 0 }
}

export class SpreadsheetFormat {
  constructor(readonly mapping: Mapping) {}

  read(bytes: Uint8Array): SheetReading {
    const failed = (problem: Problem, text: string): SheetReading => ({
      text,
      invoices: [],
      problems: [problem],
      locate: () => ({ position: problem.position, row: 1, column: 0 }),
    })
    const decoded = decode(bytes, this.mapping)
    if ('problem' in decoded) return failed(decoded.problem, decoded.text)
    const read = readTable(decoded.value, this.mapping.delimiter)
    if ('problem' in read) return failed(read.problem, read.text)
    return this.#invoicesOf(read.value)
  }

  #invoicesOf(table: Table): SheetReading {
    return {
      text: table.text,
      ...readInvoices(table, this.mapping),
      locate: (invoice, path) => {
        const cell = cellOf(invoice, path)
        return { ...cell, position: table.positionOf(cell) }
      },
    }
  }

  /** Returns the rows of an invoice. */
  rowsOf(document: unknown): ReturnType<typeof writeRows> {
    return writeRows(document, this.mapping)
  }

  /** Returns the invoice read from its rows; undefined if they cannot be read. */
  invoiceOf(rows: readonly (readonly string[])[]): SheetInvoice | undefined {
    const table = new Table('', this.mapping.delimiter, [headerOf(this.mapping), ...rows], [])
    return readInvoices(table, this.mapping).invoices[0]
  }

  /** Returns the key of an invoice: the cells of its first row that identify it. */
  keyOf(rows: readonly (readonly string[])[]): string {
    const { groupBy, columns } = this.mapping
    return groupBy.map((name) => rows[0]?.[columns.findIndex((one) => one.name === name)] ?? '').join(' ')
  }

  /** Returns the beginning of a file: its byte order mark, and the names of its columns. */
  head(): string {
    return byteOrderMarkOf(this.mapping) + csvText([headerOf(this.mapping)], this.mapping)
  }

  textOf(rows: readonly (readonly string[])[]): string {
    return csvText(rows, this.mapping)
  }

  encode(text: string): Uint8Array {
    return encode(text, this.mapping)
  }
}
