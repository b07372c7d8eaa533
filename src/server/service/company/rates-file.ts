/**
 * Reads the reference rates as the European Central Bank publishes them: `eurofxref-hist.csv` (a row for each day) and
 * `eurofxref-daily.xml`, `eurofxref-hist.xml` (https://www.ecb.europa.eu/stats/eurofxref). A file with one wrong cell is
 * refused as a whole: half a file would give wrong euros without a word.
 */
import { CsvError, parse } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import { CuadraError } from '../../../errors/index.ts'
import { isDate } from '../../../invoice/index.ts'

export interface PublishedRate {
  readonly currency: string
  readonly date: string
  /** Units of the currency per euro, as written. */
  readonly rate: string
}

const LONGEST_SHOWN = 40
const shown = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN))

const CURRENCY = /^[A-Z]{3}$/
const RATE = /^\d{1,9}(?:\.\d{1,10})?$/

const isRate = (text: string): boolean => RATE.test(text) && Number(text) > 0

/** A currency that was not published on that day. */
const isAbsent = (cell: string): boolean => cell === '' || cell === 'N/A'

interface Row {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

function rowsOf(text: string): readonly Row[] {
  try {
    return parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as Row[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CuadraError(`line ${String(error.lines)}: ${error.message}. Send the file as it was published.`)
  }
}

/** Currencies by column; the first column is the date, the last one is empty in the published file. */
function currenciesOf(header: Row | undefined): readonly string[] {
  const [date, ...columns] = header?.record ?? []
  if (date !== 'Date')
    throw new CuadraError(
      `line 1: the file begins with ${shown(date ?? '')}, not with "Date". Send eurofxref-hist.csv or eurofxref-*.xml of the European Central Bank.`,
    )
  const currencies = columns.at(-1) === '' ? columns.slice(0, -1) : columns
  for (const [index, currency] of currencies.entries()) {
    const cell = `line 1, column ${index + 2}`
    if (!CURRENCY.test(currency))
      throw new CuadraError(`${cell}: ${shown(currency)} is no currency of three letters, such as USD`)
    if (currencies.indexOf(currency) !== index)
      throw new CuadraError(`${cell}: the currency ${currency} has two columns`)
  }
  return currencies
}

function readCsv(text: string): readonly PublishedRate[] {
  const [header, ...rows] = rowsOf(text)
  const currencies = currenciesOf(header)
  const rates: PublishedRate[] = []
  for (const { record, info } of rows) {
    const [date = '', ...cells] = record
    if (!isDate(date))
      throw new CuadraError(`line ${info.lines}, column Date: ${shown(date)} is no day written YYYY-MM-DD`)
    for (const [index, rate] of cells.entries()) {
      if (isAbsent(rate)) continue
      const currency = currencies[index]
      if (currency === undefined)
        throw new CuadraError(
          `line ${info.lines}, column ${index + 2}: ${shown(rate)} stands in a column that has no currency in line 1`,
        )
      if (!isRate(rate))
        throw new CuadraError(
          `line ${info.lines}, column ${currency}: ${shown(rate)} is no rate above 0, such as 1.0837, and not N/A`,
        )
      rates.push({ currency, date, rate })
    }
  }
  return rates
}

function readXml(text: string): readonly PublishedRate[] {
  const rates: PublishedRate[] = []
  const parser = new SaxesParser({ xmlns: false, position: true })
  let date: string | undefined
  const wrong = (what: string) => new CuadraError(`line ${parser.line}: ${what}`)
  parser.on('error', (error) => {
    throw new CuadraError(`The XML cannot be read: ${error.message}`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name.replace(/^.*:/, '') !== 'Cube') return
    const { time, currency, rate } = attributes
    if (time !== undefined) {
      if (!isDate(time)) throw wrong(`time=${shown(time)} is no day written YYYY-MM-DD`)
      date = time
    }
    if (currency === undefined && rate === undefined) return
    if (currency === undefined || !CURRENCY.test(currency))
      throw wrong(`currency=${shown(currency ?? '')} is no currency of three letters, such as USD`)
    if (date === undefined) throw wrong(`the rate of ${currency} stands outside of a Cube with a time`)
    if (rate === undefined || !isRate(rate))
      throw wrong(`rate=${shown(rate ?? '')} of ${currency} is no rate above 0, such as 1.0837`)
    rates.push({ currency, date, rate })
  })
  parser.write(text).close()
  return rates
}

/** The rates of a published file, CSV or XML. Throws a `CuadraError` that names line and cell. */
export function readRates(text: string): readonly PublishedRate[] {
  const rates = /^\uFEFF?\s*</.test(text) ? readXml(text.replace(/^\uFEFF?\s*/, '')) : readCsv(text)
  if (rates.length === 0)
    throw new CuadraError(
      'The file has no rates. Send eurofxref-hist.csv or eurofxref-*.xml of the European Central Bank.',
    )
  return rates
}
