/**
 * Parses the reference rates that the European Central Bank publishes: `eurofxref-hist.csv` (a row per day),
 * `eurofxref-daily.xml` and `eurofxref-hist.xml` (https://www.ecb.europa.eu/stats/eurofxref). A file with an invalid
 * cell is rejected completely, because missing rates could go unnoticed and give wrong amounts.
 */
import { CsvError, parse } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import { CuadraError } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'

export interface PublishedRate {
  readonly currency: string
  readonly date: string
  /** Units of the currency per euro, as written in the file. */
  readonly rate: string
}

const LONGEST_SHOWN = 40
const shown = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN))

const CURRENCY = /^[A-Z]{3}$/
const RATE = /^\d{1,9}(?:\.\d{1,10})?$/

const isRate = (text: string): boolean => RATE.test(text) && Number(text) > 0

interface Row {
  readonly cells: readonly string[]
  readonly line: number
}

function rowsOf(text: string): readonly Row[] {
  const rows: Row[] = []
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells, { lines: line }) => {
        rows.push({ cells, line })
        return null
      },
    })
    return rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CuadraError(`line ${String(error.lines)}: ${error.message}. Use the file as it was published.`)
  }
}

/** Returns the currencies by column. The first column is the date; the last one is empty in the published file. */
function currenciesOf(header: Row | undefined): readonly string[] {
  const [date, ...columns] = header?.cells ?? []
  if (date !== 'Date')
    throw new CuadraError(
      `line 1: the file begins with ${shown(date ?? '')}, not with "Date". Use eurofxref-hist.csv or eurofxref-*.xml of the European Central Bank.`,
    )
  const currencies = columns.at(-1) === '' ? columns.slice(0, -1) : columns
  for (const [index, currency] of currencies.entries()) {
    const cell = `line 1, column ${index + 2}`
    if (!CURRENCY.test(currency))
      throw new CuadraError(
        `${cell}: ${shown(currency)} is not a currency code of three letters, such as USD`,
      )
    if (currencies.indexOf(currency) !== index)
      throw new CuadraError(`${cell}: ${currency} already has a column`)
  }
  return currencies
}

function ratesIn(
  { cells: [date = '', ...cells], line }: Row,
  currencies: readonly string[],
): PublishedRate[] {
  if (!isDate(date))
    throw new CuadraError(`line ${line}, column Date: ${shown(date)} is not a date (YYYY-MM-DD)`)
  return cells.flatMap((rate, index) => {
    // The bank published no rate of this currency on that day.
    if (rate === '' || rate === 'N/A') return []
    const currency = currencies[index]
    if (currency === undefined)
      throw new CuadraError(
        `line ${line}, column ${index + 2}: ${shown(rate)} is in a column without a currency in line 1`,
      )
    if (!isRate(rate))
      throw new CuadraError(
        `line ${line}, column ${currency}: ${shown(rate)} is neither a rate above 0, such as 1.0837, nor N/A`,
      )
    return { currency, date, rate }
  })
}

function readCsv(text: string): readonly PublishedRate[] {
  const [header, ...rows] = rowsOf(text)
  const currencies = currenciesOf(header)
  return rows.flatMap((row) => ratesIn(row, currencies))
}

/** Returns the rate in the attributes of a `Cube`; undefined if it has none. `date` is that of the enclosing `Cube`. */
function rateIn(
  { currency, rate }: Readonly<Record<string, string>>,
  date: string | undefined,
  invalidFile: (what: string) => CuadraError,
): PublishedRate | undefined {
  if (currency === undefined && rate === undefined) return undefined
  if (currency === undefined || !CURRENCY.test(currency))
    throw invalidFile(
      `currency=${shown(currency ?? '')} is not a currency code of three letters, such as USD`,
    )
  if (date === undefined) throw invalidFile(`the rate of ${currency} is outside a Cube with a time`)
  if (rate === undefined || !isRate(rate))
    throw invalidFile(`rate=${shown(rate ?? '')} of ${currency} is not a rate above 0, such as 1.0837`)
  return { currency, date, rate }
}

function readXml(text: string): readonly PublishedRate[] {
  const rates: PublishedRate[] = []
  const parser = new SaxesParser({ xmlns: false, position: true })
  let date: string | undefined
  const invalidFile = (what: string) => new CuadraError(`line ${parser.line}: ${what}`)
  parser.on('error', (error) => {
    throw new CuadraError(`Invalid XML: ${error.message}`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name.replace(/^.*:/, '') !== 'Cube') return
    date = attributes.time ?? date
    if (date !== undefined && !isDate(date))
      throw invalidFile(`time=${shown(date)} is not a date (YYYY-MM-DD)`)
    const rate = rateIn(attributes, date, invalidFile)
    if (rate) rates.push(rate)
  })
  parser.write(text).close()
  return rates
}

/**
 * Returns the rates of a published file, CSV or XML. Throws a `CuadraError` with the line and column of the first
 * problem.
 */
export function readRates(text: string): readonly PublishedRate[] {
  const rates = /^\uFEFF?\s*</.test(text) ? readXml(text.replace(/^\uFEFF?\s*/, '')) : readCsv(text)
  if (rates.length === 0)
    throw new CuadraError(
      'The file has no rates. Use eurofxref-hist.csv or eurofxref-*.xml of the European Central Bank.',
    )
  return rates
}
