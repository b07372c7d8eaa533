/** The messages of every code and every reason. */
import { describe, expect, it } from 'vitest'
import { EXPORT_REASONS, READING_CODES } from '#formats/index.ts'

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

describe.each(Object.entries({ ...READING_CODES, ...EXPORT_REASONS }))(
  '%s',
  (code, { message, fix, law }) => {
    it('has problem and fix in both languages, with the same placeholders', () => {
      expect(message.es).not.toBe(message.en)
      expect(law).not.toBe('')
      // The message of another item already has its own fix.
      const isNested = message.en.includes('{problem}')
      for (const [en, es] of [
        [message.en, message.es],
        [fix.en, fix.es],
      ] as const) {
        expect(en === '').toBe(es === '')
        if (!isNested) expect([code, en]).not.toEqual([code, ''])
        expect(placeholders(es).every((hole) => placeholders(en).includes(hole))).toBe(true)
      }
    })
  },
)
