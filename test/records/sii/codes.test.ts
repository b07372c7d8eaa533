/** Tests of items and error codes: texts in both languages, placeholders, and no unused code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { cite } from '#core/messages/index.ts'
import {
  DEADLINE_RULES,
  effectOfError,
  issuedRecord,
  NEXT_STEPS,
  readSii,
  SII_CODES,
  SII_ERROR_CODES,
  XML_CODES,
} from '#records/sii/index.ts'
import { shared } from '../../shared.ts'
import { type Loose, line, received } from './invoices.ts'

const sourcesOf = (module: string): string => {
  const folder = fileURLToPath(new URL(`../../../src/records/${module}/`, import.meta.url))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/messages(?:-invoice)?\.ts$/.test(name))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
    .join('\n')
}
const sources = sourcesOf('sii')
/** Refusals shared with VeriFactu are issued here, without the prefix. */
const common = sourcesOf('fiscal')
const tests = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8'))
  .join('\n')

describe('items', () => {
  it('every code is used in the source and in a test', () => {
    for (const code of Object.keys(SII_CODES)) {
      const isShared = common.includes(`('${code.slice('sii.'.length)}', `)
      if (!isShared) expect(sources, code).toContain(`'${code}'`)
      expect(tests, code).toContain(code)
    }
  })

  it('have the same placeholders in both languages, an instruction and a law', () => {
    const placeholders = (text: string) =>
      [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
    for (const [code, { message, fix, law }] of Object.entries(SII_CODES)) {
      expect(placeholders(message.es + fix.es), code).toEqual(placeholders(message.en + fix.en))
      expect(message.es, code).not.toBe(message.en)
      for (const text of [message.en, message.es, fix.en, fix.es]) expect(text, code).toMatch(/\.$/)
      expect(law.length, code).toBeGreaterThan(5)
    }
  })
})

describe('Spanish texts', () => {
  const texts = [
    ...Object.values(SII_CODES).flatMap(({ message, fix, law }) => [message.es, fix.es, cite(law, 'es')]),
    ...Object.values(XML_CODES).map(({ es }) => es),
    ...Object.values(NEXT_STEPS).map(({ es }) => es),
    ...Object.values(DEADLINE_RULES).map(({ es }) => es),
    ...SII_ERROR_CODES.map(({ text }) => text.es),
  ]

  it('contain no English', () => {
    const english = /\b(?:the|and|of|is|for|this|that|with|annex|schemas|interface|keys|specification)\b/i
    expect(texts.filter((text) => english.test(text))).toEqual([])
  })

  it('show codes as values', () => {
    const invoice: Loose = received([line(1, 21)])
    const wrong = issuedRecord(invoice, { locale: 'es' })
    expect(wrong.ok === false && required(wrong.items[0]).message).toBe(
      'meta.direction es «received»; este libro es el de las facturas con meta.direction «issued». Use la función del otro libro. (arts. 63 y 64 RD 1624/1992)',
    )
    for (const text of ['<a', '<a/>', '<!DOCTYPE a><a/>', '<?xml version="1.0" encoding="latin1"?><a/>'])
      expect(required(readSii(text, { locale: 'es' }).items[0]).message).not.toMatch(
        /\b(?:not|is|of|end|known|allowed)\b/,
      )
  })
})

describe('error codes of the tax authority', () => {
  it('are unique and in order, with the effect of their range', () => {
    const codes = SII_ERROR_CODES.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b))
    for (const { code, effect, text } of SII_ERROR_CODES) {
      expect(effect, String(code)).toBe(effectOfError(code))
      expect(text.en).toMatch(/\.$/)
      expect(text.es).toMatch(/\.$/)
    }
    expect(effectOfError('x')).toBeUndefined()
  })

  it('have the effect of their range from its first to its last code', () => {
    const ranges: [number, number, string | undefined][] = [
      [0, 999, undefined],
      [1000, 1999, 'rejects_record'],
      [2000, 2999, 'accepts_with_errors'],
      [3000, 3499, 'rejects_record'],
      [3500, 3599, 'rejects_message'],
      [3600, 3999, undefined],
      [4000, 4999, 'rejects_message'],
      [5000, 9999, undefined],
    ]
    for (const [first, last, effect] of ranges)
      expect([effectOfError(first), effectOfError(String(last))], String(first)).toEqual([effect, effect])
  })

  const page = fileURLToPath(shared('reference/sii/sii.md'))
  it.skipIf(!existsSync(page))('match the reference', () => {
    const text = readFileSync(page, 'utf8')
    const table = text.slice(
      text.indexOf('### Error codes'),
      text.indexOf('Validations since 1 October 2019'),
    )
    const listed = new Set<number>()
    for (const [, cell = ''] of table.matchAll(/^\| ([\d, -]+) \|/gm))
      for (const part of cell.split(',')) {
        const [from, to = from] = part.trim().split('-').map(Number)
        for (let code = required(from); code <= required(to); code++) listed.add(code)
      }
    expect(listed.size).toBeGreaterThan(100)
    expect(SII_ERROR_CODES.map(({ code }) => code)).toEqual([...listed].sort((a, b) => a - b))
  })
})
