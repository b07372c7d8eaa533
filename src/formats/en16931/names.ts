/** Names in the catalogs of codes that EN 16931 cannot carry. */
import { rows } from '../../../catalogs/non-taxable-reasons.json'
import { required } from '../../errors/index.ts'

/** Returns the catalog's name of a reason why an operation is not subject to tax; by default, the place of supply. */
export const nonTaxableName = (code: string | undefined): string =>
  (rows.find((row) => row.code === code) ?? required(rows.find((row) => row.code === 'LOCATION_RULES'))).name

/** Whether the text is a name of the catalog, written because the invoice states no other reason. */
export const isNonTaxableName = (text: string): boolean => rows.some(({ name }) => name === text)
