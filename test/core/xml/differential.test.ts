/**
 * Compares our validation with that of libxml2 on the official schemas: 1,000 mutated copies of real invoices.
 *
 * Intended differences: libxml2 accepts undeclared prefixes and invalid characters in `xs:base64Binary`. It refuses
 * blanks around an `xs:long`, which XML Schema collapses, and follows `xsi:type` into elements that no schema
 * describes. We refuse `xsi:type` with a type that only renames another.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { readStrict, rootOf, writeXml } from '#core/xml/index.ts'
import { figure } from '../../figures.ts'
import { temporaryFolder } from '../../folders.ts'
import { shared } from '../../shared.ts'
import { sized } from '../../size.ts'
import { mutated, random } from './mutations.ts'
import { vocabularies } from './vocabularies.ts'

const reference = fileURLToPath(shared('reference/formats/'))
const lint = spawnSync('xmllint', ['--version']).status === 0
const missing = !existsSync(`${reference}samples`) ? 'the samples' : lint ? null : 'xmllint'
const COPIES = sized(300, 1000, 10_000)

/** Format and schema of each root namespace. */
const SCHEMAS: Readonly<Record<string, readonly [format: string, file: string]>> = {
  'http://www.facturae.es/Facturae/2009/v3.2/Facturae': ['facturae_3_2', 'facturae/Facturaev3_2.xsd'],
  'http://www.facturae.es/Facturae/2014/v3.2.1/Facturae': ['facturae_3_2_1', 'facturae/Facturaev3_2_1.xsd'],
  'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml': [
    'facturae_3_2_2',
    'facturae/Facturaev3_2_2.xsd',
  ],
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': [
    'ubl_2_1',
    'ubl-2.1/maindoc/UBL-Invoice-2.1.xsd',
  ],
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': [
    'ubl_2_1',
    'ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd',
  ],
  'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100': [
    'cii_d16b',
    'cii-d16b/CrossIndustryInvoice_100pD16B.xsd',
  ],
}

interface Copy {
  readonly name: string
  readonly text: string
}

const folder = temporaryFolder()

/** Returns the results of libxml2 for all copies, in one call. */
function validations(schema: string, copies: readonly Copy[]): readonly { valid: boolean; why: string }[] {
  const files = copies.map(({ text }, i) => {
    const file = join(folder, `${i}.xml`)
    writeFileSync(file, text)
    return file
  })
  const { stderr } = spawnSync(
    'xmllint',
    ['--noout', '--nonet', '--schema', `${reference}xsd/${schema}`, ...files],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  const lines = stderr.split('\n')
  const valid = new Set(lines.flatMap((line) => (line.endsWith(' validates') ? [line.slice(0, -10)] : [])))
  const why = new Map<string, string>()
  for (const line of lines) {
    const [, file, text = ''] = /^(\S+?\.xml):\d+: (.*)$/.exec(line) ?? []
    if (file && !why.has(file)) why.set(file, text)
  }
  return files.map((file) => ({ valid: valid.has(file), why: why.get(file) ?? '' }))
}

const samples: readonly Copy[] = missing
  ? []
  : ['facturae', 'ubl', 'cii', 'invalid'].flatMap((name) =>
      readdirSync(`${reference}samples/${name}`)
        .map((file) => ({ name: file, text: readFileSync(`${reference}samples/${name}/${file}`, 'utf8') }))
        .filter(({ name: file }) => !file.includes('truncated')),
    )

const because = missing ? ` (skipped: ${missing} is not here)` : ''

describe(`compared with libxml2${because}`, () => {
  it.skipIf(missing)('every sample has the same result', () => {
    for (const [namespace, [format, schema]] of Object.entries(SCHEMAS)) {
      const own = samples.filter(({ text }) => rootOf(text)?.namespace === namespace)
      const theirs = validations(schema, own)
      own.forEach(({ name, text }, i) => {
        const { problems } = readStrict(required(vocabularies[format]), text)
        expect({ name, valid: problems.length === 0 }).toEqual({ name, valid: required(theirs[i]).valid })
      })
    }
  })

  it.skipIf(missing)('every written sample is valid and reads the same', () => {
    for (const [namespace, [format, schema]] of Object.entries(SCHEMAS)) {
      const vocabulary = required(vocabularies[format])
      const own = samples.flatMap(({ name, text }) => {
        const { name: root, value, problems } = readStrict(vocabulary, text)
        if (rootOf(text)?.namespace !== namespace || problems.length > 0) return []
        return [true, false].map((bare) => {
          const written = writeXml(vocabulary, required(root), value, { bare, indent: bare ? 2 : 0 })
          expect(readStrict(vocabulary, written)).toEqual({ name: root, value, problems: [], more: 0 })
          return { name, text: written }
        })
      })
      const theirs = validations(schema, own)
      expect(
        own.flatMap(({ name }, i) =>
          required(theirs[i]).valid ? [] : [`${name}: ${required(theirs[i]).why}`],
        ),
      ).toEqual([])
    }
  })

  it.skipIf(missing)(
    `${COPIES} mutated copies have the same result in at least 99 %`,
    () => {
      const next = random(13)
      const copies = Array.from({ length: COPIES }, (_, i) => {
        const sample = required(samples[i % samples.length])
        const { text, change } = mutated(sample.text, next)
        return { name: `${sample.name}: ${change}`, text, namespace: required(rootOf(sample.text)).namespace }
      })
      let refused = 0
      const disagreements: string[] = []
      for (const [namespace, [format, schema]] of Object.entries(SCHEMAS)) {
        const own = copies.filter((copy) => copy.namespace === namespace)
        const theirs = validations(schema, own)
        own.forEach(({ name, text }, i) => {
          const { problems } = readStrict(required(vocabularies[format]), text)
          const { valid, why } = required(theirs[i])
          if (!valid) refused++
          if ((problems.length === 0) === valid) return
          const ours = problems[0] ? `${problems[0].kind} ${problems[0].element}` : 'nothing'
          disagreements.push(`${name}: ours ${ours}; theirs ${valid ? 'nothing' : why}`)
        })
      }
      figure(
        [
          `${COPIES} copies, ${refused} refused by libxml2, ${disagreements.length} disagreements`,
          ...disagreements,
        ].join('\n  '),
      )
      // Neither result is constant.
      expect(refused).toBeGreaterThan(COPIES / 4)
      expect(refused).toBeLessThan((COPIES * 9) / 10)
      expect(disagreements.length).toBeLessThanOrEqual(COPIES / 100)
    },
    600_000,
  )
})
