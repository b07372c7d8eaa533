/** The answers that all others are compared with: those of Node, in this process. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { answersTo } from '../inside/answers.mjs'

/** What a host that takes UTF-8 gets: no half of a surrogate pair. */
export const asUtf8 = (text) => (typeof text === 'string' ? text.toWellFormed() : text)

/** The reference answers to cases, worked out once each. */
export async function referenceOf(cases) {
  const { answer } = await import('../../../dist/request/index.js')
  const answers = new Map(cases.map((one) => [one, answersTo(answer, [one.text])[0]]))
  return {
    /** What a runtime should answer to a case. */
    of(one, utf8) {
      const text = utf8 ? asUtf8(one.text) : one.text
      return text === one.text ? answers.get(one) : answersTo(answer, [text])[0]
    },
    /** How many QR codes and how many kinds of refusal there are among the answers: that the list is worth its time. */
    kinds() {
      const all = [...answers.values()]
      const reasons = all.map((text) => /line \d+, column \d+: ([^"]+?)\.",/.exec(text)?.[1]).filter(Boolean)
      return { codes: all.filter((text) => text.includes('"svg":')).length, faults: new Set(reasons).size }
    },
    /** Golden cases whose answer is not the one that is written down. */
    golden() {
      const own = cases.filter((one) => one.golden)
      const wrong = own.filter((one) => {
        const expected = JSON.parse(readFileSync(one.golden, 'utf8'))
        return !isDeepStrictEqual(JSON.parse(answers.get(one)), expected)
      })
      return { cases: own.length, wrong: wrong.map(({ name }) => name) }
    },
  }
}
