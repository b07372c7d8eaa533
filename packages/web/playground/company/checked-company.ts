/** The company for which invoices are checked, and the invoicing software of its records. */
import type { Company } from '#engine/index.ts'

/** A fictitious `SistemaInformatico` block, used until the user enters a system. */
export const EXAMPLE_SYSTEM = {
  NombreRazon: 'Programas Ficticios, S.L.',
  NIF: 'B12345674',
  NombreSistemaInformatico: 'Programa de facturas',
  IdSistemaInformatico: 'PF',
  Version: '1.0',
  NumeroInstalacion: '1',
  TipoUsoPosibleSoloVerifactu: 'S',
  TipoUsoPosibleMultiOT: 'N',
  IndicadorMultiplesOT: 'N',
}

type System = typeof EXAMPLE_SYSTEM
export const SYSTEM_PARTS = Object.keys(EXAMPLE_SYSTEM) as readonly (keyof System)[]
const NO_SYSTEM = Object.fromEntries(SYSTEM_PARTS.map((part) => [part, ''])) as System

/** Every value is the text of a field. An empty text means that nothing was entered. */
const NOTHING = {
  tax_id: '',
  legal_name: '',
  /** Tax group of the territory, such as IVA or IPSI. */
  tax_group: '',
  post_code: '',
  province: '',
  /** First day under cash basis. */
  cash_basis: '',
  /** `registered` or `pending` in the one-stop shop; `oss_date` is the date of registration. */
  oss: '',
  oss_date: '',
  /** `no` if the invoicing software does not work as VERI*FACTU. */
  verifactu: '',
  /** The previous record of the chain. */
  previous_number: '',
  previous_date: '',
  previous_hash: '',
  ...NO_SYSTEM,
}

export type CompanySettings = Readonly<typeof NOTHING>
export type CompanyField = keyof CompanySettings

export const NO_COMPANY: CompanySettings = NOTHING

const FIELDS = Object.keys(NOTHING) as readonly CompanyField[]
const MAX_LENGTH = 200

/** Reads settings from any value. Ignores unknown fields and values that are not text. */
export function readCompanySettings(value: unknown): CompanySettings {
  const read: Record<string, string> = { ...NOTHING }
  if (typeof value === 'object' && value !== null)
    for (const name of FIELDS) {
      const text: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
      if (typeof text === 'string') read[name] = text.slice(0, MAX_LENGTH)
    }
  return read as CompanySettings
}

/** Returns the fields that are not empty. */
export const filledFieldsOf = (settings: CompanySettings): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).filter(([, text]) => text.trim() !== ''))

export const hasFilledFields = (settings: CompanySettings): boolean =>
  Object.keys(filledFieldsOf(settings)).length > 0

/** Returns the company for the engine; undefined if no field of the company was entered. */
export function companyOf(settings: CompanySettings): Company | undefined {
  const { tax_id, legal_name, tax_group, post_code, province, cash_basis, oss, oss_date } = settings
  if (![tax_id, tax_group, post_code, province, cash_basis, oss].some((text) => text.trim() !== ''))
    return undefined
  return {
    tax_id: tax_id.trim() || null,
    legal_name: legal_name.trim() || null,
    default_tax_group: tax_group || null,
    address: { post_code: post_code.trim() || null, province_code: province || null },
    cash_basis: cash_basis ? [{ start_date: cash_basis }] : [],
    oss: oss ? { status: oss, effective_date: oss_date || null } : null,
  }
}

/** Returns the system as entered, or the example if no field was entered. */
export function systemOf(settings: CompanySettings): {
  readonly system: Readonly<System>
  readonly isExample: boolean
} {
  const isExample = SYSTEM_PARTS.every((part) => settings[part].trim() === '')
  if (isExample) return { system: EXAMPLE_SYSTEM, isExample }
  const stated = SYSTEM_PARTS.map((part) => [part, settings[part].trim()])
  return { system: Object.fromEntries(stated) as System, isExample }
}
