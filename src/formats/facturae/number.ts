/** Series and number: separate in Facturae, combined in the canonical invoice. */

/** Returns only the letters and digits of a text, so that `A-` and `A/` are treated as the same series. */
const bare = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns the number with its series in front, unless the number already begins with the series.
 *
 * @example
 * numberWithSeries('0007', 'F24') // => 'F240007'
 * numberWithSeries('F24/0007', 'F-24') // => 'F24/0007'
 */
export function numberWithSeries(number: string, series: string | undefined): string {
  if (series === undefined || bare(number).startsWith(bare(series))) return number
  return series + number
}

/**
 * Returns the series if the number begins with it and continues after it, otherwise undefined.
 *
 * @example
 * seriesPrefixOf('F24/0007', 'F-24') // => 'F-24'
 * seriesPrefixOf('0007', 'F24') // => undefined
 */
export function seriesPrefixOf(number: string, series: string | undefined): string | undefined {
  if (series === undefined) return undefined
  const [all, front] = [bare(number), bare(series)]
  return all.startsWith(front) && all.length > front.length ? series : undefined
}
