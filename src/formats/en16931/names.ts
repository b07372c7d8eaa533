/** Names that the catalogs have for codes without a place of their own in EN 16931. */
import { rows } from '../../../catalogs/non-taxable-reasons.json'
import { required } from '../../errors/index.ts'

/** Why something is not subject to tax, in the words of the catalog; by its place where nothing is said. */
export const nonTaxableName = (code: string | undefined): string =>
  (rows.find((row) => row.code === code) ?? required(rows.find((row) => row.code === 'LOCATION_RULES'))).name

/** True of the names that are written where nothing else is said. */
export const isNonTaxableName = (text: string): boolean => rows.some(({ name }) => name === text)
