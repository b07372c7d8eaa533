/** The mapping file: assigns spreadsheet columns to invoice fields, and states the notation of numbers and dates. */
import type { Text } from '#core/invoice/index.ts'
import { nearest } from '#core/invoice/near.ts'
import { escapeSegment } from '#core/invoice/pointer.ts'
import { type FieldType, fieldTypes, SURCHARGE, similarFields, withoutIndexes } from './fields.ts'
import { DATE_FORMATS, type DateFormat, NUMBER_FORMATS, type NumberFormat } from './notations.ts'
import type { MappingProblem, Scalar } from './problem.ts'

export interface Column {
  readonly name: string
  /** Pointer to the field; `*` stands for the index of the line. */
  readonly field: string
  readonly type: FieldType
  /** Text that may follow the numbers of the column, such as `%`. */
  readonly unit: string | null
  /** Value by cell text, if the column translates its cells; a null value means that the cell has no value. */
  readonly values: ReadonlyMap<string, Scalar | null> | null
}

const ENCODINGS = ['utf-8', 'utf-8-bom', 'windows-1252'] as const
const DELIMITERS = [';', ',', '\t', '|'] as const

export interface Mapping {
  readonly delimiter: (typeof DELIMITERS)[number]
  readonly encoding: (typeof ENCODINGS)[number]
  readonly numbers: NumberFormat | null
  readonly dates: DateFormat | null
  /** Names of the columns whose cells together identify the invoice of a row. */
  readonly groupBy: readonly string[]
  readonly columns: readonly Column[]
  /** Values of fields without a column, by pointer. */
  readonly constants: ReadonlyMap<string, Scalar>
  readonly ignored: ReadonlySet<string>
}

export const LINES_POINTER = '/invoice/lines/*'
export const isOfLine = (field: string): boolean => field.startsWith(`${LINES_POINTER}/`)

/** Normalises a column name for comparison: no outer blanks, and composed accents (NFC). */
export const columnName = (text: string): string => text.trim().normalize('NFC')

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

const listed = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ')

/** Returns a suggestion of similar names in both languages; empty without names. */
function suggestion(near: readonly string[]): Text {
  return near.length === 0
    ? { en: '', es: '' }
    : { en: ` Did you mean ${listed(near)}?`, es: ` ¿Quiso decir ${listed(near)}?` }
}

const MEMBERS = [
  'delimiter',
  'encoding',
  'numbers',
  'dates',
  'group_by',
  'columns',
  'constants',
  'ignore',
] as const

/** Collects the problems of a mapping while it is read. */
class MappingReader {
  readonly problems: MappingProblem[] = []

  constructor(readonly mapping: Json) {}

  report(path: string, en: string, es: string): void {
    this.problems.push({ path, en, es })
  }

  unknown(path: string, name: string, names: readonly string[]): void {
    const near = suggestion(nearest(name, names))
    this.report(
      path,
      `unknown member ${JSON.stringify(name)}.${near.en || ` Use ${listed(names)}.`}`,
      `miembro desconocido: ${JSON.stringify(name)}.${near.es || ` Use ${listed(names)}.`}`,
    )
  }

  /** Returns the text of a member, which must be one of `allowed`. */
  choice<T extends string>(name: string, allowed: readonly T[], without: T): T
  choice<T extends string>(name: string, allowed: readonly T[], without: null): T | null
  choice<T extends string>(name: string, allowed: readonly T[], without: T | null): T | null {
    const value = this.mapping[name]
    if (value === undefined) return without
    const found = allowed.find((one) => one === value)
    if (found === undefined)
      this.report(
        `/${name}`,
        `is ${JSON.stringify(value)}. Use ${listed(allowed)}.`,
        `es ${JSON.stringify(value)}. Use ${listed(allowed)}.`,
      )
    return found ?? without
  }

  /** Returns a member that is a list of texts. */
  texts(name: string): string[] {
    const value = this.mapping[name] ?? []
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.map(columnName)
    this.report(`/${name}`, 'must be a list of column names.', 'debe ser una lista de nombres de columnas.')
    return []
  }

  /** Returns a member that is an object. */
  object(name: string): Json {
    const value = this.mapping[name] ?? {}
    if (isObject(value)) return value
    this.report(`/${name}`, 'must be an object.', 'debe ser un objeto.')
    return {}
  }

  /** Returns the type of a field, or reports that it is unknown. */
  typeOf(path: string, field: string): FieldType | undefined {
    const general = withoutIndexes(field)
    const type = fieldTypes().get(general)
    const ofLines = general.startsWith(`${LINES_POINTER}/`)
    const hasIndexes = ofLines
      ? isOfLine(field) && !field.slice(LINES_POINTER.length).includes('*')
      : !field.includes('*')
    if (type !== undefined && hasIndexes) return type
    if (type !== undefined)
      this.report(
        path,
        `${field}: write * for the index of the line, and a number for the index in any other list.`,
        `${field}: escriba * como índice de la línea, y un número como índice de cualquier otra lista.`,
      )
    else {
      const near = suggestion(similarFields(field))
      this.report(
        path,
        `unknown field ${JSON.stringify(field)}.${near.en} docs/reference/invoice.md lists the fields; write them as JSON Pointers.`,
        `campo desconocido: ${JSON.stringify(field)}.${near.es} docs/reference/invoice.md tiene los campos; escríbalos como JSON Pointers.`,
      )
    }
    return undefined
  }

  values(path: string, value: unknown, type: FieldType): Column['values'] {
    if (value === undefined) return null
    const fits = (one: unknown) =>
      one === null || (type === 'text' || type === 'date' ? typeof one === 'string' : typeof one === type)
    if (isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(fits))
      return new Map(Object.entries(value).map(([cell, to]) => [cell.trim(), to as Scalar | null]))
    this.report(
      `${path}/values`,
      `must be an object that maps cells to values of the field (${type}), or to null for no value.`,
      `debe ser un objeto que asigne a cada celda un valor del campo (${type}), o null si no tiene valor.`,
    )
    return null
  }

  column(name: string, value: unknown): Column | undefined {
    const path = `/columns/${escapeSegment(name)}`
    const { field, unit = null, values, ...others } = isObject(value) ? value : { field: value }
    for (const member of Object.keys(others)) this.unknown(path, member, ['field', 'unit', 'values'])
    if (typeof field !== 'string') {
      this.report(
        path,
        'must be a field, such as "/invoice/header/invoice_number", or an object with the member "field".',
        'debe ser un campo, como "/invoice/header/invoice_number", o un objeto con el miembro "field".',
      )
      return undefined
    }
    const type = this.typeOf(path, field)
    if (type === undefined) return undefined
    if (unit !== null && (typeof unit !== 'string' || unit.trim() === '' || type !== 'number' || values)) {
      this.report(
        `${path}/unit`,
        'must be a text that follows numbers, such as "%" or "€", in a column of numbers without "values".',
        'debe ser un texto que siga a los números, como "%" o "€", en una columna de números sin "values".',
      )
      return undefined
    }
    return {
      name: columnName(name),
      field,
      type,
      unit: typeof unit === 'string' ? unit.trim() : null,
      values: this.values(path, values, type),
    }
  }

  columns(): Column[] {
    const columns = Object.entries(this.object('columns')).flatMap(
      ([name, value]) => this.column(name, value) ?? [],
    )
    const byField = new Map<string, string>()
    for (const { name, field } of columns) {
      const other = byField.get(field)
      if (other !== undefined)
        this.report(
          `/columns/${escapeSegment(name)}`,
          `the column ${JSON.stringify(other)} already holds ${field}.`,
          `la columna ${JSON.stringify(other)} ya contiene ${field}.`,
        )
      byField.set(field, name)
    }
    if (this.problems.length === 0 && !columns.some(({ field }) => isOfLine(field)))
      this.report(
        '/columns',
        `no column holds a field of the lines (${LINES_POINTER}/…), and each row is a line.`,
        `ninguna columna contiene un campo de las líneas (${LINES_POINTER}/…), y cada fila es una línea.`,
      )
    return columns
  }

  #addConstants(pointer: string, path: string, value: unknown, found: Map<string, Scalar>): void {
    if (Array.isArray(value) || isObject(value)) {
      for (const [member, child] of Object.entries(value))
        this.#addConstants(`${pointer}/${escapeSegment(member)}`, path, child, found)
    } else if (pointer === '/schema_version' || pointer === SURCHARGE) {
      if (pointer === SURCHARGE || value !== 'json_1_1')
        this.report(path, `${pointer} cannot be a constant.`, `${pointer} no puede ser una constante.`)
    } else if (!isScalar(value)) {
      this.report(path, `${pointer} has no value.`, `${pointer} no tiene valor.`)
    } else if (this.typeOf(path, pointer) !== undefined) found.set(pointer, value)
  }

  constants(columns: readonly Column[]): Map<string, Scalar> {
    const found = new Map<string, Scalar>()
    for (const [pointer, value] of Object.entries(this.object('constants')))
      this.#addConstants(pointer, `/constants/${escapeSegment(pointer)}`, value, found)
    for (const { name, field } of columns)
      if (found.has(field))
        this.report(
          `/columns/${escapeSegment(name)}`,
          `${field} is also in "constants". Remove one of them.`,
          `${field} está también en "constants". Quite una de las dos.`,
        )
    return found
  }

  groupBy(columns: readonly Column[]): string[] {
    const names = this.texts('group_by')
    if (names.length === 0)
      this.report(
        '/group_by',
        'name the columns that identify an invoice, such as ["Número"].',
        'indique las columnas que identifican una factura, como ["Número"].',
      )
    for (const name of names) {
      const column = columns.find((one) => one.name === name)
      if (column && !isOfLine(column.field)) continue
      this.report(
        '/group_by',
        `${JSON.stringify(name)} must be one of the "columns", with a field of the whole invoice.`,
        `${JSON.stringify(name)} debe ser una de las columnas de "columns", con un campo de toda la factura.`,
      )
    }
    return names
  }

  /** Reports a problem if the mapping lacks the notation that a column of this type needs. */
  require(
    name: 'numbers' | 'dates',
    type: FieldType,
    formats: readonly string[],
    columns: readonly Column[],
  ) {
    const column = columns.find((one) => one.type === type && one.values === null)
    if (!column || this.mapping[name] !== undefined) return
    this.report(
      `/${name}`,
      `state the notation of ${JSON.stringify(column.name)}: ${listed(formats)}.`,
      `indique la notación de ${JSON.stringify(column.name)}: ${listed(formats)}.`,
    )
  }

  read(): Mapping {
    for (const name of Object.keys(this.mapping))
      if (!MEMBERS.some((member) => member === name)) this.unknown('', name, MEMBERS)
    const columns = this.columns()
    const ignored = this.texts('ignore')
    for (const { name } of columns)
      if (ignored.includes(name))
        this.report(
          '/ignore',
          `${JSON.stringify(name)} is also in "columns". Remove one of them.`,
          `${JSON.stringify(name)} está también en "columns". Quite una de las dos.`,
        )
    this.require('numbers', 'number', NUMBER_FORMATS, columns)
    this.require('dates', 'date', DATE_FORMATS, columns)
    return {
      delimiter: this.choice('delimiter', DELIMITERS, ';'),
      encoding: this.choice('encoding', ENCODINGS, 'utf-8'),
      numbers: this.choice('numbers', NUMBER_FORMATS, null),
      dates: this.choice('dates', DATE_FORMATS, null),
      groupBy: this.groupBy(columns),
      columns,
      constants: this.constants(columns),
      ignored: new Set(ignored),
    }
  }
}

/** Reads a mapping and its problems. Callers must not use a mapping that has problems. */
export function readMapping(value: unknown): {
  readonly mapping: Mapping
  readonly problems: readonly MappingProblem[]
} {
  const reader = new MappingReader(isObject(value) ? value : {})
  const mapping = reader.read()
  if (isObject(value)) return { mapping, problems: reader.problems }
  return { mapping, problems: [{ path: '', en: 'must be an object.', es: 'debe ser un objeto.' }] }
}
