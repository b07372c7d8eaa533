/**
 * Whatever features meet in an invoice, the invariants hold: all features alone, all pairs, and random combinations of
 * three and four. To run one combination: CUADRA_FEATURES='received + in dollars' npx vitest run test/matrix
 *
 * @slowest
 */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { figure } from '../figures.ts'
import { Dice } from '../second/random.ts'
import { ALL, LONG, sized } from '../size.ts'
import { Combination } from './combination.ts'
import { FEATURES, type Feature } from './features.ts'
import { INVARIANTS, type Invariant } from './invariants.ts'
import type { Loose } from './invoice.ts'

const LIMIT = 4 * 3_600_000
/** Failures that are printed for an invariant. */
const PRINTED = 3

const named = process.env.CUADRA_FEATURES
const SEED = Number(process.env.CUADRA_SEED ?? (LONG ? Math.floor(Math.random() * 2 ** 31) : 1))

/** Returns the features with these names. */
const featuresOf = (text: string): Feature[] =>
  text
    .split(' + ')
    .filter((name) => name !== 'no feature')
    .map((name) => {
      const found = FEATURES.find((one) => one.name === name)
      if (!found)
        throw new Error(`Unknown feature "${name}". Known: ${FEATURES.map((one) => one.name).join(', ')}.`)
      return found
    })

/** Returns different features of as many groups. */
function randomFeatures(dice: Dice, count: number): Feature[] {
  const features: Feature[] = []
  while (features.length < count) {
    const one = dice.pick(FEATURES)
    if (features.every(({ group }) => group !== one.group)) features.push(one)
  }
  return features
}

const PAIRS: readonly (readonly Feature[])[] = FEATURES.flatMap((one, index) =>
  FEATURES.slice(index + 1)
    .filter(({ group }) => group !== one.group)
    .map((other) => [one, other]),
)
const SINGLES: readonly (readonly Feature[])[] = [[], ...FEATURES.map((one) => [one])]

const applies = ({ needs = 'amounts' }: Invariant, one: Combination): boolean =>
  needs === 'document' || (one.result.data !== null && (needs === 'amounts' || one.isValid))

/** Returns the failures of an invariant as text. */
async function failuresOf(invariant: Invariant, one: Combination): Promise<string> {
  if (!applies(invariant, one)) return ''
  const found = await Promise.resolve()
    .then(() => invariant.check(one))
    .catch((error: Error) => [{ what: 'exception', expected: 'none', received: error.stack }])
  if (found.length === 0) return ''
  const differences = found.map(
    ({ what, expected, received }) =>
      `  ${what}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`,
  )
  return [
    `features: ${one.name}`,
    ...differences,
    `  CUADRA_FEATURES='${one.name}' npx vitest run test/matrix`,
  ].join('\n')
}

/** Checks every invariant in every combination, and declares a test for each invariant. */
function testInvariants(title: string, combinations: readonly (readonly Feature[])[]): void {
  describe(title, () => {
    const failures = new Map<Invariant, string[]>()
    const valid = new Set<string>()
    it('are calculated, most of them without error', { timeout: LIMIT }, async () => {
      let validCount = 0
      for (const features of combinations) {
        const one = new Combination(features)
        if (one.isValid) {
          validCount++
          for (const { name } of features) valid.add(name)
        }
        for (const invariant of INVARIANTS) {
          const found = await failuresOf(invariant, one)
          if (found !== '') failures.set(invariant, [...(failures.get(invariant) ?? []), found])
        }
      }
      figure(`${title}: ${combinations.length} combinations, ${validCount} of them valid`)
      if (combinations.length > 1) expect(validCount / combinations.length).toBeGreaterThan(0.5)
    })
    for (const invariant of INVARIANTS)
      it(invariant.holds, () => {
        const found = failures.get(invariant) ?? []
        const shown = found.slice(0, PRINTED).join('\n')
        expect(
          found.length === 0
            ? ''
            : `${invariant.holds} (${invariant.source})\n${found.length} combinations fail.\n${shown}`,
        ).toBe('')
      })
    if (title === 'pairs of features' && ALL)
      it('have a valid invoice with each feature', () => {
        expect(FEATURES.map(({ name }) => name).filter((name) => !valid.has(name))).toEqual([])
      })
  })
}

if (named !== undefined) testInvariants(named, [featuresOf(named)])
else {
  const dice = new Dice(SEED)
  const sample = sized(40, PAIRS.length)
  const pairs = ALL ? PAIRS : Array.from({ length: sample }, () => dice.pick(PAIRS))
  const several = Array.from({ length: sized(20, 300, 100_000) }, () =>
    randomFeatures(dice, dice.whole(3, 4)),
  )
  testInvariants('single features', SINGLES)
  testInvariants('pairs of features', pairs)
  testInvariants(`three or four features, CUADRA_SEED=${SEED}`, several)
}

// ------------------------------------------------------------------------------------------ the invariants themselves

interface Damage {
  readonly features: string
  readonly change: (one: Combination) => void
  /** The beginning of the invariant that notices the change. */
  readonly notices: string
}

const addCent = (block: Loose, name: string): void => {
  const value = Number(block[name]) + 0.01
  block[name] = typeof block[name] === 'string' ? value.toFixed(2) : value
}
const bookRow = (one: Combination): Loose => required(one.books().own[0])

/** A cent more in one output, and the invariant that must notice it. */
const DAMAGES: readonly Damage[] = [
  {
    features: 'no feature',
    change: ({ totals }) => addCent(totals, 'invoice_total'),
    notices: 'The invoice total is',
  },
  {
    features: 'in dollars',
    change: ({ entries }) => addCent(entries[0], 'tax_amount'),
    notices: 'The total of the taxes is',
  },
  {
    features: 'payment on account',
    change: ({ totals }) => addCent(totals, 'total_executable_amount'),
    notices: 'The amount to pay follows',
  },
  {
    features: 'no feature',
    change: (one) => addCent(one.verifactu().record.RegistroAlta, 'CuotaTotal'),
    notices: 'The registration record states',
  },
  {
    features: 'no feature',
    change: (one) =>
      addCent(
        one.verifactu().record.RegistroAlta.Desglose.DetalleDesglose[0],
        'BaseImponibleOimporteNoSujeto',
      ),
    notices: 'The breakdown of the registration record',
  },
  {
    features: 'no feature',
    change: (one) => addCent(one.sii().record.FacturaExpedida, 'ImporteTotal'),
    notices: 'The record of the SII states',
  },
  {
    features: 'received',
    change: (one) => addCent(one.sii().record.FacturaRecibida, 'CuotaDeducible'),
    notices: 'Book and SII agree',
  },
  {
    features: 'correction of one line by substitution',
    change: (one) => addCent(one.sii().record.FacturaExpedida.ImporteRectificacion, 'BaseRectificada'),
    notices: 'A correction by substitution takes back from the SII',
  },
  { features: 'key 07', change: (one) => addCent(bookRow(one), 'total'), notices: 'The rows of an invoice' },
  {
    features: 'no feature',
    change: (one) => addCent(bookRow(one), 'base'),
    notices: 'The book of issued invoices has',
  },
  {
    features: 'correction of one line by substitution',
    change: (one) => addCent(bookRow(one), 'tax'),
    notices: 'A correction by substitution takes back the same',
  },
  {
    features: 'disbursements',
    change: (one) => addCent(one.format('facturae_3_2_2').read?.data?.invoice.totals, 'invoice_total'),
    notices: 'An invoice written and read again has the same totals',
  },
  {
    features: 'reverse charge on one line',
    change: (one) => addCent(one.format('ubl_2_1').read?.data?.invoice.taxes_outputs?.[0], 'taxable_base'),
    notices: 'An invoice written and read again has the same groups',
  },
  {
    features: 'no feature',
    change: (one) => addCent(one.sheet().read?.data?.invoice.totals, 'invoice_total'),
    notices: 'CSV returns the totals',
  },
]

describe.skipIf(named !== undefined)('a changed cent', () => {
  for (const { features, change, notices } of DAMAGES)
    it(`is noticed by: ${notices} ...`, async () => {
      const invariant = required(INVARIANTS.find(({ holds }) => holds.startsWith(notices)))
      const one = new Combination(featuresOf(features))
      change(one)
      expect(await failuresOf(invariant, one)).toContain('expected ')
      expect(await failuresOf(invariant, new Combination(featuresOf(features)))).toBe('')
    })
})
