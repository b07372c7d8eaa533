/**
 * Messages that no invoice triggers: of the authority's codes, records, chains, the SII, the server and its audit. Both
 * languages are declared together, so faults of one can be searched for in all.
 */

import { CODES } from 'cuadra-server/errors/error-codes.ts'
import {
  SIGNATURE_CODES,
  FAILURES as SIGNATURE_FAILURES,
} from 'cuadra-server/service/received/received-signature.ts'
import { expect, it } from 'vitest'
import type { Text } from '#core/invoice/index.ts'
import { SII_CODES, SII_ERROR_CODES } from '#records/sii/index.ts'
import { NEXT_STEPS } from '#records/sii/response/sii-next-step.ts'
import { CHAIN_CODES } from '#records/verifactu/chain/chain-items.ts'
import { RECORD_CODES } from '#records/verifactu/model/record-items.ts'
import { AUTHORITY_CODES } from '#records/verifactu/rules/index.ts'
import { BACKUP, CHECKS, FAILURES, NOTES } from '../../../packages/server/admin/generated/texts/verify.ts'

type Said = readonly [where: string, text: Text]

const both = (name: string, { message, fix }: { readonly message: Text; readonly fix: Text }): Said[] => [
  [`${name}, message`, message],
  [`${name}, fix`, fix],
]

const entries = <T>(table: Readonly<Record<string, T>>): [string, T][] => Object.entries(table)

const SENTENCES: readonly Said[] = [
  ...AUTHORITY_CODES.flatMap((code) => both(String(code.code), code)),
  ...AUTHORITY_CODES.flatMap((code): Said[] => ('why' in code ? [[`${code.code}, why`, code.why]] : [])),
  ...entries(RECORD_CODES).flatMap(([code, messageText]) => both(code, messageText)),
  ...entries(CHAIN_CODES).flatMap(([code, messageText]) => both(code, messageText)),
  ...entries(SIGNATURE_CODES).flatMap(([code, messageText]) => both(code, messageText)),
  ...entries(SII_CODES).flatMap(([code, messageText]) => both(code, messageText)),
  ...SII_ERROR_CODES.map(({ code, text }): Said => [`SII ${code}`, text]),
  ...entries<Text>(NEXT_STEPS),
  ...entries<Text>(CODES),
  ...entries<Text>(NOTES),
  ...entries<{ message: Text; fix?: Text }>(FAILURES).flatMap(([code, { fix }]): Said[] =>
    fix ? [[`${code}, fix`, fix]] : [],
  ),
  ['damage, fix', BACKUP],
]

/** Parts of sentences: they need no full stop. */
const PHRASES: readonly Said[] = [
  ...entries(FAILURES).map(([code, { message }]): Said => [`${code}, message`, message]),
  ...entries<Text>(CHECKS),
  ...entries(SIGNATURE_FAILURES),
]

/** Values, field names and program names, which are the same in every language. */
const plain = (text: string): string =>
  text.replace(/`[^`]*`|"[^"]*"|«[^»]*»|\{\w+\}|\b\w*[a-z][A-Z]\w*\b|\b[a-z]+(?:[_.][a-z]+)+\b|--\w+/g, 'x')

const ENGLISH =
  /\b(?:the|is|are|of|and|or|not|with|without|must|send|list|issued|received|pending|string|array|record|error\(s\))\b/i
const SPANISH = /\b(?:el|los|las|una|del|está|envíe|factura|línea|tipo|debe|falta|según|clave|corrija)\b/i

/** Spanish terms of records or the law, which are names in English texts too; EL is Greece. */
const NAMES = /declaración responsable|colaboración social|\bEL\b/g

const FAULTS: readonly (readonly [name: string, pattern: RegExp, languages: string])[] = [
  ['a doubled blank', / {2}/, 'en es'],
  ['a doubled stop', /[.,;:]{2}/, 'en es'],
  ['a plural in brackets', /\((?:s|es)\)/, 'en es'],
  ['a decimal point in a Spanish sentence', /\d\.\d+ %/, 'es'],
  ['a timestamp written as an hour', /a las \{/, 'es'],
  ['a translated "must live"', /volver a estar viv|live again/, 'en es'],
  ['"is of" for "belongs to"', /\bis of an? (?:invoice|attachment)\b|\bis of it\b/, 'en'],
  ['"has less" of what is counted', /\bless than \{?\w+\}? (?:characters|entries)/, 'en'],
  ['"send less at once", which is less than once', /menos de una vez/, 'es'],
  ['a place taken for a party', /parte de España|Somebody of Spain|Alguien de España/, 'en es'],
  ['a NIF described as nine characters', /(?:not a NIF|no es un NIF|not one|no lo es): /, 'en es'],
  ['"no" for "not a"', /^This is no\b|^Esto no es\b/, 'en es'],
]

const faultsOf = (text: Text, isSentence: boolean): string[] =>
  (['en', 'es'] as const).flatMap((locale) => {
    const messageText = plain(text[locale])
    const found = FAULTS.filter(
      ([, pattern, languages]) => languages.includes(locale) && pattern.test(text[locale]),
    ).map(([name]) => name)
    if (locale === 'es' && ENGLISH.test(messageText)) found.push('an English word')
    if (locale === 'en' && SPANISH.test(messageText.replace(NAMES, ''))) found.push('a Spanish word')
    if (isSentence && !/(?:[.?!]|\{reason\})$/.test(text[locale])) found.push('no full stop')
    return found.map((name) => `${locale}: ${name}: ${text[locale]}`)
  })

it('declared messages have none of the known faults', () => {
  const found = [
    ...SENTENCES.map(([where, text]) => [where, faultsOf(text, true)] as const),
    ...PHRASES.map(([where, text]) => [where, faultsOf(text, false)] as const),
  ].filter(([, faults]) => faults.length > 0)
  console.log(`messages: ${2 * (SENTENCES.length + PHRASES.length)} declared texts read`)
  expect(Object.fromEntries(found)).toEqual({})
})

it('the two languages of a text show the same values', () => {
  const values = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()
  for (const [where, { en, es }] of [...SENTENCES, ...PHRASES]) expect(values(es), where).toEqual(values(en))
})
