/** Templates of series, and the counters of numbers. */
import { describe, expect, it } from 'vitest'
import {
  counterOf,
  DEFAULT_TEMPLATE,
  numberOf,
  templateProblem,
} from '../../../src/service/invoice/numbering.ts'

const series = (series_code: string, template = DEFAULT_TEMPLATE) => ({ series_code, template })

describe('numbers of a series', () => {
  it('have the code and the counter where the template has them', () => {
    expect(numberOf(series('F'), 42)).toBe('F000042')
    expect(numberOf(series('F', '{series}-{number}'), 42)).toBe('F-42')
    expect(numberOf(series('F', '{number:3}/{series}/26'), 42)).toBe('042/F/26')
    expect(numberOf(series('F', 'A{number:2}'), 1234)).toBe('A1234')
  })

  it('give their counter back, for any code and template', () => {
    const codes = [
      'F',
      '',
      '2026',
      'F2026-',
      '$&',
      '$1',
      "$'",
      '{series}',
      '{number}',
      '{number:6}',
      'Ñ €',
      '.*',
      '\\',
    ]
    const templates = [
      '{series}{number:6}',
      '{series}{number}',
      '{number:4}-{series}',
      '{series}/{number:12}/{series}',
    ]
    for (const code of codes)
      for (const template of templates)
        for (const counter of [1, 9, 10, 999_999, 1_000_000, 999_999_999_999, 999_999_999_999_999]) {
          const one = series(code, template)
          const number = numberOf(one, counter)
          expect(number).toContain(code)
          expect([code, template, counterOf(one, number)]).toEqual([code, template, counter])
        }
  })

  it('that do not match have no counter', () => {
    const misfits = [
      'F00042',
      'F0000042',
      'F000000',
      'F',
      '',
      '000042',
      'G000042',
      'F000042x',
      'f000042',
      'F-00042',
      'F+00042',
      'F 00042',
      'F0x0042',
      'F1e0005',
      'F٠٠٠٠٤٢',
      'F0000042 ',
    ]
    for (const number of misfits) expect([number, counterOf(series('F'), number)]).toEqual([number, null])
    expect(counterOf(series('F', '{series}{number}'), 'F042')).toBeNull()
    expect(counterOf(series('AA', '{series}{number}{series}'), 'AAAA')).toBeNull()
    expect(counterOf(series('F'), 'F1234567890123456')).toBeNull()
  })

  it('that begin with digits of the code are parsed correctly', () => {
    expect(counterOf(series('F1'), 'F1000001')).toBe(1)
    expect(counterOf(series('F'), 'F1000001')).toBe(1_000_001)
  })
})

describe('a template', () => {
  it('has exactly one counter of 1 to 12 digits, and no other placeholders', () => {
    for (const fine of ['{number}', '{series}{number:6}', 'X{number:1}', '{number:12}/{series}/{series}'])
      expect([fine, templateProblem(fine)]).toEqual([fine, null])
    for (const wrong of [
      '',
      '{series}',
      '{number}{number}',
      '{number:0}',
      '{number:13}',
      '{year}{number}',
      '{number:x}',
      '{{number}',
      '{number}}',
      '{Number}',
      '{series}\n{number}',
    ])
      expect([wrong, templateProblem(wrong)]).toEqual([wrong, expect.any(String)])
  })
})
