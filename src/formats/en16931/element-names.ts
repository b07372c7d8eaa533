/** Catalog names of codes that do not exist in EN 16931. */

import { rows } from '#catalogs/non-taxable-reasons.json'
import { required } from '#core/errors/index.ts'

/**
 * Returns the catalog name of the reason why an operation is not subject to tax. The default reason is the place of
 * supply.
 */
export const nonTaxableName = (code: string | undefined): string =>
  (rows.find((row) => row.code === code) ?? required(rows.find((row) => row.code === 'LOCATION_RULES'))).name

/** Whether the text is a catalog name. The writer uses the catalog name if the invoice states no other reason. */
export const isNonTaxableName = (text: string): boolean => rows.some(({ name }) => name === text)
