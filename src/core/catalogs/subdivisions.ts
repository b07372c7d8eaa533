import { rows as data } from './generated/subdivisions.ts'
import { deepFreeze, indexBy, lazy } from './lazy.ts'

/** A Spanish province or autonomous city. */
export interface Subdivision {
  /** ISO 3166-2, `ES-M`. */
  readonly code: string
  /**
   * Province code of the statistics office (INE), `28`. Written with two digits, it is the start of the province's post
   * codes.
   */
  readonly ine: number
  /** Spanish name. */
  readonly name: string
  /** Name in the other official language, or `null`. */
  readonly name_secondary: string | null
  /** Name that the statistics office (INE) uses, if it is neither `name` nor both names with a slash: `Coruña, A`. */
  readonly name_official?: string
  readonly subdivision_type: 'province' | 'autonomous_city'
  /** Whether the province is in the territory where VAT applies (article 3 of Ley 37/1992). */
  readonly is_tai: boolean
  readonly tax_group_code: 'IVA' | 'IGIC' | 'IPSI'
  /** Whether the province has its own tax authority (País Vasco and Navarra). */
  readonly is_foral: boolean
  readonly aliases?: readonly string[]
}

const rows = /* @__PURE__ */ lazy(() => deepFreeze(data) as readonly Subdivision[])
const byCode = /* @__PURE__ */ indexBy(rows, (row) => row.code)
const byIne = /* @__PURE__ */ indexBy(rows, (row) => String(row.ine).padStart(2, '0'))

const byNumber = /* @__PURE__ */ lazy(() => {
  const provinces: Subdivision[] = []
  for (const row of rows()) provinces[row.ine] = row
  return provinces
})

const byName = /* @__PURE__ */ lazy(() => {
  const index = new Map<string, Subdivision>()
  const add = (name: string, row: Subdivision) => {
    const key = nameKey(name)
    index.set(key, row).set(key.replace(ARTICLE, ''), row)
  }
  for (const row of rows()) {
    const { name, name_secondary: second } = row
    add(name, row)
    for (const part of (row.name_official ?? name).split('/')) add(part, row)
    if (second !== null) for (const form of [second, `${name} ${second}`, `${second} ${name}`]) add(form, row)
    for (const alias of row.aliases ?? []) add(alias, row)
  }
  return index
})

/**
 * Returns the province of an ISO 3166-2 code or of a code of the statistics office (INE).
 *
 * @example
 * subdivisionOf('ES-M')?.name // => 'Madrid'
 * subdivisionOf('28')?.code // => 'ES-M'
 * subdivisionOf('3')?.name // => 'Alicante'
 * subdivisionOf('ES-XX') // => undefined
 */
export function subdivisionOf(code: string): Subdivision | undefined {
  return byCode().get(code) ?? byIne().get(code.length === 1 ? `0${code}` : code)
}

/**
 * Returns the province with this name, ignoring accents, case and article. Known names are the Spanish name, the name
 * in the other official language, the double names of the statistics office and the usual short names.
 *
 * @example
 * subdivisionByName('bizkaia')?.code // => 'ES-BI'
 * subdivisionByName('Coruña, A')?.code // => 'ES-C'
 * subdivisionByName('Alicante/Alacant')?.code // => 'ES-A'
 * subdivisionByName('BALEARES')?.code // => 'ES-PM'
 * subdivisionByName('Lisboa') // => undefined
 */
export function subdivisionByName(name: string): Subdivision | undefined {
  const key = nameKey(name)
  return byName().get(key) ?? byName().get(key.replace(ARTICLE, ''))
}

/**
 * Returns the province of a five-digit Spanish post code, by its first two digits.
 *
 * @example
 * subdivisionByPostCode('28013')?.code // => 'ES-M'
 * subdivisionByPostCode('35001')?.is_tai // => false
 * subdivisionByPostCode('99999') // => undefined
 */
export function subdivisionByPostCode(postCode: string): Subdivision | undefined {
  if (postCode.length !== 5) return undefined
  for (let at = 0; at < 5; at++) if (!isDigit(postCode.charCodeAt(at))) return undefined
  return byNumber()[(postCode.charCodeAt(0) - 48) * 10 + postCode.charCodeAt(1) - 48]
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

const ARTICLE = /^(?:as?|os?|el|las?|les|los|illes|islas) (?=.)/
const POSTPOSED = /^(.+), *([^ ,][^,]*)$/

/**
 * Normalises a name: `Coruña, A` and `a coruna` become `a coruna`, without accents, in lower case, with single spaces.
 */
function nameKey(name: string): string {
  return name
    .trim()
    .replace(POSTPOSED, '$2 $1')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
}
