/// <reference types="node" />
/** What the bundles carry of decimal.js, against the whole of it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leanDecimal } from '../../scripts/lean-decimal.mjs'
import { runs } from '../size.ts'

const CALLED = ['plus', 'minus', 'times', 'div', 'cmp', 'toFixed', 'toDecimalPlaces', 'clone'] as const
const whole = readFileSync(fileURLToPath(new URL('decimal.mjs', import.meta.resolve('decimal.js'))), 'utf8')
const text = leanDecimal(whole, CALLED)
const { default: Lean } = (await import(
  /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`
)) as { default: typeof Decimal }

describe('decimal.js without unused parts', () => {
  it('has less than half the size: without angles and powers, with the functions in use', () => {
    const code = (from: string) => from.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/\s+/g, ' ')
    expect(code(text).length).toBeLessThan(code(whole).length / 2)
    expect(Object.keys(Lean.prototype)).not.toContain('sin')
    expect(Object.keys(Lean.prototype)).not.toContain('pow')
    for (const name of CALLED) expect(name in Lean.prototype || name in Lean, name).toBe(true)
  })

  it('calculates as the complete library does', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(number, number, fc.integer({ min: 0, max: 40 }), (a, b, decimals) => {
        const results = (Kind: typeof Decimal) => {
          const Exact = Kind.clone({ precision: 120 })
          const [x, y] = [new Exact(a), new Exact(b)]
          return [x.plus(y), x.minus(y), x.times(y), x.div(y)].map((value) => [
            value.toFixed(),
            value.toDecimalPlaces(decimals, Kind.ROUND_DOWN).toFixed(),
            value.cmp(x),
            String(value),
          ])
        }
        expect(results(Lean)).toEqual(results(Decimal))
      }),
      runs(300, 20_000),
    )
  })

  it('throws for values that it does not read', () => {
    expect(() => new Lean('0x1p4')).toThrow('0x1p4')
    expect(String(new Lean('1.5e3'))).toBe('1500')
  })
})
