/** Regime keys by tax: lists L8A (IVA) and L8B (IGIC) of the record design, and the keys of the IPSI. */
import { required } from '#core/errors/index.ts'

const VAT = '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' ')

const IGIC = [...VAT, '21']

const KEYS: Readonly<Record<string, readonly string[]>> = {
  '01': VAT,
  '02': ['01', '08', '11', '18', '19', '20'],
  '03': IGIC,
}

/** Regime key of certified works for public bodies whose tax is not due yet. */
export const PUBLIC_WORKS_KEY = '14'
/** Regime key of continuous supplies whose tax is not due yet. */
export const CONTINUOUS_SUPPLY_KEY = '15'

/** Returns the regime keys of a tax; the tax must have regime keys. */
export const keysOf = (tax: string): readonly string[] => required(KEYS[tax])

/** Whether a regime key exists for any tax. Unknown keys have a separate code. */
export const isRegimeKey = (key: string | undefined): boolean => IGIC.some((one) => one === key)

/** Whether the regime rules apply to the tax: IVA (also if the line names no tax) and IGIC. */
export const isVatOrIgic = ({ tax }: { readonly tax: string }): boolean => tax === '01' || tax === '03'
