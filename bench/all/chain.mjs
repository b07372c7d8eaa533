/**
 * Measures the verification of chains of records: with the portable hash, with an injected hash, and of records in XML.
 */
import { chainRates, firstRecord } from '../records.mjs'
import { hand, ROUNDS, scale } from './report.mjs'

const count = scale(100_000)
const countXml = scale(5000)
const { portable, injected, noble, nobleText, injectedAlone, short, parser } = chainRates(
  firstRecord().record,
  { count, countXml, rounds: ROUNDS },
)
const thousands = (rate) => rate / 1000

hand({
  rounds: ROUNDS,
  rows: [
    {
      name: 'portable hash',
      value: thousands(portable),
      unit: 'k records/s',
      baseline: { name: '`@noble/hashes`, text to hexadecimal text', value: thousands(nobleText) },
      ratio: { value: portable / nobleText, unit: '%', goal: { least: 0.9 } },
    },
    {
      name: 'portable hash',
      value: thousands(portable),
      unit: 'k records/s',
      baseline: { name: '`@noble/hashes`, bytes to bytes', value: thousands(noble) },
      ratio: { value: portable / noble, unit: '%', goal: { least: 0.9 } },
    },
    {
      name: 'injected hash',
      value: thousands(injected),
      unit: 'k records/s',
      baseline: { name: '`node:crypto`', value: thousands(injectedAlone) },
      ratio: { value: injected / injectedAlone, unit: '%', goal: { least: 0.3 } },
    },
    {
      name: 'XML, read and audited, as this package writes it',
      value: thousands(short),
      unit: 'k records/s',
      goal: { least: 30 },
      baseline: { name: 'the same through the XML parser', value: thousands(parser) },
      ratio: { value: short / parser, unit: 'x', goal: { least: 10 } },
    },
  ],
  notes: [
    `Chains of ${count.toLocaleString('en')} records, and of ${countXml.toLocaleString('en')} as XML. An audit also checks links, timestamps, gaps, forks and duplicates.`,
  ],
})
