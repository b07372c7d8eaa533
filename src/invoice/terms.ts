/** Codes that the engine itself reasons about; the catalogs hold their names and sources. */

export const TAXED = 'TAXABLE_NON_EXEMPT'
export const EXEMPT = 'TAXABLE_EXEMPT'
export const REVERSE_CHARGE = 'TAXABLE_NON_EXEMPT_RC'
export const NON_TAXABLE = 'NON_TAXABLE'

export const GENERAL_REGIME = '01'
export const CASH_BASIS = '07'
export const ONE_STOP_SHOP = '17'

/** Regime keys whose tax falls on the margin: used goods and travel agencies. */
export const isMarginKey = (key: string | undefined): boolean => key === '03' || key === '05'
