/** Builds invoices from the rows of a table. Each row is a line of the invoice that its key columns identify. */
import { required } from '#core/errors/index.ts'
import { removeLineBreaks } from '#core/invoice/index.ts'
import { nearest } from '#core/invoice/near.ts'
import { segmentsOf } from '#core/invoice/pointer.ts'
import { addressOf, type CellReference } from './cell-address.ts'
import { readCell, unescapeFormula } from './cell-values.ts'
import type { Table } from './csv-table.ts'
import { fieldsOfColumn, SURCHARGE } from './fields.ts'
import { type Column, columnName, isOfLine, LINES_POINTER, type Mapping } from './mapping.ts'
import type { Problem, Scalar } from './problem.ts'

/** An invoice read from its rows, before totals are calculated. */
export interface SheetInvoice {
  /** The document, without the members that no cell and no constant states. */
  readonly document: Record<string, unknown>
  readonly problems: readonly Problem[]
  /** The cell of each field, by pointer. */
  readonly cells: ReadonlyMap<string, CellReference>
  /** Rate of the equivalence surcharge of each line. */
  readonly surcharges: readonly (number | undefined)[]
  /** Row of each line. */
  readonly rows: readonly number[]
}

/** Index of each column of the mapping in the table. */
type Indexes = ReadonlyMap<Column, number>

const MOST_NAMED = 20
/** Maximum number and length of column names that a missing column is compared with, to suggest a similar name. */
const MOST_COMPARED = 500
const LONGEST_NAME = 100
/** Returns the number of cells of a row, without empty ones at its end. */
const filledCells = (row: readonly string[]): number => row.findLastIndex((cell) => cell.trim() !== '') + 1

/** Returns the code of the problem of a column name. */
function nameProblem(
  name: string,
  present: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string | undefined {
  if (name === '') return 'csv.column_unnamed'
  if (present.has(name)) return 'csv.column_duplicate'
  return known.has(name) ? undefined : 'csv.column_unknown'
}

/** Returns problems about the column names in the first row. */
function headerProblems(table: Table, names: readonly string[], mapping: Mapping): Problem[] {
  const known = new Set([...mapping.columns.map(({ name }) => name), ...mapping.ignored])
  const present = new Set<string>()
  const problems: Problem[] = []
  for (const [column, name] of names.entries()) {
    const code = nameProblem(name, present, known)
    present.add(name)
    if (!code || problems.length >= MOST_NAMED) continue
    const similar = code === 'csv.column_unknown' ? fieldsOfColumn(name) : []
    const extra = { column: name, ...(similar.length > 0 && { similar }) }
    problems.push(table.problem(code, { row: 1, column }, extra))
  }
  const similarNames = names.filter((name) => name.length <= LONGEST_NAME).slice(0, MOST_COMPARED)
  const missing = mapping.columns.filter(({ name }) => !present.has(name)).slice(0, MOST_NAMED)
  for (const { name } of missing) {
    const [near] = nearest(name, similarNames)
    const similar = near === undefined ? names.slice(0, 10) : [near]
    problems.push(table.problem('csv.column_missing', { row: 1, column: 0 }, { column: name, similar }))
  }
  return problems
}

/** The value of a field, and the cell that states it; `cell` is null for a constant. */
interface Assignment {
  readonly pointer: string
  readonly value: Scalar
  readonly cell: CellReference | null
}

/** Returns the parts of an invoice that are created only if a cell fills them: the customer, and entries of lists. */
function optionalParts(pointer: string): string[] {
  const parts = pointer.startsWith('/invoice/customer/') ? ['/invoice/customer'] : []
  for (const { index, 0: entry } of pointer.matchAll(/\/\d+(?=\/)/g))
    parts.unshift(pointer.slice(0, index + entry.length))
  return parts
}

const isIn = (pointer: string, part: string): boolean => pointer.startsWith(`${part}/`)

/**
 * Whether a constant is set. Constants of an optional part that also has columns are set only if a cell of one of these
 * columns is filled.
 */
function isSet(pointer: string, filled: readonly Assignment[], { columns }: Mapping, line: string): boolean {
  const part = optionalParts(pointer).find((one) => columns.some(({ field }) => isIn(field, one)))
  return part === undefined || filled.some((one) => isIn(one.pointer, part.replace(LINES_POINTER, line)))
}

/** Matches the indexes of a pointer, except those of lines. */
const INDEX = /(?<!^\/invoice\/lines)\/(\d+)(?=\/|$)/g

/** Returns the pointers with list indexes without gaps, in the order of the mapping. */
function withoutGaps(assignments: readonly Assignment[]): Assignment[] {
  const used = new Map<string, Set<number>>()
  for (const { pointer } of assignments)
    for (const { index, 1: number } of pointer.matchAll(INDEX)) {
      const list = pointer.slice(0, index)
      used.set(list, (used.get(list) ?? new Set()).add(Number(number)))
    }
  const ranks = new Map(
    [...used].map(([list, numbers]) => [list, [...numbers].sort((one, other) => one - other)]),
  )
  return assignments.map((one) => ({
    ...one,
    pointer: one.pointer.replace(INDEX, (_, number: string, at: number) => {
      return `/${required(ranks.get(one.pointer.slice(0, at))).indexOf(Number(number))}`
    }),
  }))
}

function setAt(document: Record<string, unknown>, pointer: string, value: Scalar): void {
  const segments = segmentsOf(pointer)
  const last = required(segments.pop())
  let node = document
  for (const [at, segment] of segments.entries()) {
    node[segment] ??= /^\d+$/.test(segments[at + 1] ?? last) ? [] : {}
    node = node[segment] as Record<string, unknown>
  }
  node[last] = value
}

/** Reads the rows of one invoice. */
class InvoiceReader {
  readonly problems: Problem[] = []
  readonly filled: Assignment[] = []
  readonly surcharges: (number | undefined)[] = []

  constructor(
    readonly table: Table,
    readonly mapping: Mapping,
    readonly indexes: Indexes,
    readonly rows: readonly number[],
  ) {}

  #textOf({ row, column }: CellReference): string {
    return this.table.rows[row - 1]?.[column] ?? ''
  }

  #read(column: Column, at: CellReference, pointer: string): Scalar | undefined {
    const read = readCell(this.#textOf(at), column, this.mapping)
    if ('value' in read) return read.value
    const { code, extra } = read.fault
    this.problems.push(this.table.problem(code, at, { ...extra, column: column.name }, pointer))
    return undefined
  }

  /** Reports a cell whose value differs from that of an earlier row of the invoice. */
  #differs(name: string, at: CellReference, other: CellReference, pointer: string): void {
    const extra = {
      column: name,
      received: this.#textOf(at).trim(),
      other: this.#textOf(other).trim(),
      other_cell: addressOf(other),
    }
    this.problems.push(this.table.problem('csv.rows_differ', at, extra, pointer))
  }

  /** Reads a column of the whole invoice from its first filled cell. Other rows must repeat the value or be empty. */
  #readShared(column: Column, index: number): void {
    let first: Assignment | undefined
    for (const row of this.rows) {
      const cell = { row, column: index }
      const value = this.#read(column, cell, column.field)
      if (value === undefined) continue
      first ??= { pointer: column.field, value, cell }
      if (first.cell && first.value !== value) this.#differs(column.name, cell, first.cell, column.field)
    }
    if (first) this.filled.push(first)
  }

  #readLine(column: Column, index: number): void {
    for (const [line, row] of this.rows.entries()) {
      const cell = { row, column: index }
      const pointer = column.field.replace('*', String(line))
      const value = this.#read(column, cell, pointer)
      if (column.field === SURCHARGE) this.surcharges[line] = value as number | undefined
      else if (value !== undefined) this.filled.push({ pointer, value, cell })
    }
  }

  /** Reports lines with the same tax rate but different surcharges, which share one entry of the breakdown. */
  #checkSurcharges(): void {
    const column = this.mapping.columns.find(({ field }) => field === SURCHARGE)
    const index = column && this.indexes.get(column)
    if (!column || index === undefined) return
    const rates = new Map(this.filled.map(({ pointer, value }) => [pointer, value]))
    const first = new Map<Scalar | undefined, number>()
    for (const [line, row] of this.rows.entries()) {
      const rate = rates.get(`/invoice/lines/${line}/tax_output_rate`)
      const other = first.get(rate) ?? line
      first.set(rate, other)
      if (this.surcharges[line] === this.surcharges[other]) continue
      const otherCell = { row: required(this.rows[other]), column: index }
      this.#differs(column.name, { row, column: index }, otherCell, SURCHARGE.replace('*', String(line)))
    }
  }

  #constants(): Assignment[] {
    return [...this.mapping.constants].flatMap(([pointer, value]) => {
      const lines = isOfLine(pointer) ? this.rows.map((_, line) => `/invoice/lines/${line}`) : ['']
      return lines
        .filter((line) => isSet(pointer, this.filled, this.mapping, line))
        .map((line) => ({ pointer: pointer.replace(LINES_POINTER, line), value, cell: null }))
    })
  }

  read(): SheetInvoice {
    for (const [column, index] of this.indexes)
      if (isOfLine(column.field)) this.#readLine(column, index)
      else this.#readShared(column, index)
    this.#checkSurcharges()
    const assignments = withoutGaps([...this.filled, ...this.#constants()])
    const lines = this.rows.map(() => ({}))
    const document = { schema_version: 'json_1_1', meta: {}, invoice: { header: {}, issue_data: {}, lines } }
    for (const { pointer, value } of assignments) setAt(document, pointer, value)
    const { problems, surcharges, rows } = this
    const cells = new Map(assignments.flatMap(({ pointer, cell }) => (cell ? [[pointer, cell]] : [])))
    return { document: removeLineBreaks(document), problems, cells, surcharges, rows }
  }
}

/** Groups rows by invoice, in order of the invoices' first rows. Returns problems of rows that cannot be assigned. */
function groupRows(table: Table, mapping: Mapping, names: readonly string[]) {
  const keys = mapping.groupBy.map((name) => names.indexOf(name))
  const expected = names.length
  const groups = new Map<string, number[]>()
  const problems: Problem[] = []
  for (const [at, cells] of table.rows.entries()) {
    if (at === 0 || filledCells(cells) === 0) continue
    const row = at + 1
    const count = Math.max(filledCells(cells), Math.min(cells.length, expected))
    if (count !== expected) {
      const column = Math.min(count, expected)
      problems.push(table.problem('csv.cell_count', { row, column }, { count, expected }))
      continue
    }
    const key = keys.map((column) => cells[column]?.trim() ?? '')
    if (key.every((text) => text === '')) {
      const column = required(keys[0])
      problems.push(table.problem('csv.key_empty', { row, column }, { column: names[column] }))
      continue
    }
    const group = JSON.stringify(key)
    const rows = groups.get(group)
    if (rows) rows.push(row)
    else groups.set(group, [row])
  }
  return { groups: [...groups.values()], problems }
}

/** Returns the invoices of a table, or the problems that concern the whole file. */
export function readInvoices(
  table: Table,
  mapping: Mapping,
): { readonly invoices: readonly SheetInvoice[]; readonly problems: readonly Problem[] } {
  const header = table.rows[0] ?? []
  // Ignores empty columns at the end, which spreadsheets export for cells that were once used.
  const filled = table.rows.reduce((most, cells) => Math.max(most, filledCells(cells)), 0)
  const names = header.slice(0, filled).map((name) => columnName(unescapeFormula(name.trim())))
  if (names.length === 0)
    return { invoices: [], problems: [table.problem('csv.empty', { row: 1, column: 0 })] }
  const problems = headerProblems(table, names, mapping)
  if (problems.length > 0) return { invoices: [], problems }
  const rows = groupRows(table, mapping, names)
  // A row that cannot be assigned could belong to any invoice, so no invoice is returned.
  if (rows.problems.length > 0) return { invoices: [], problems: rows.problems.slice(0, MOST_NAMED) }
  if (rows.groups.length === 0)
    return { invoices: [], problems: [table.problem('csv.empty', { row: 1, column: 0 })] }
  const indexes = new Map(mapping.columns.map((column) => [column, names.indexOf(column.name)]))
  const invoices = rows.groups.map((group) => new InvoiceReader(table, mapping, indexes, group).read())
  return { invoices, problems: [] }
}
