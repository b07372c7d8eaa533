/**
 * What the tests know as `vitest`, without its start-up: `expect` is vitest's own, tests are only collected. No file
 * is kept apart from another, which is enough for tests that share nothing.
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect'

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)
export const expect = Object.assign((value, message) => {
  const { assertionCalls } = getState(expect)
  setState({ assertionCalls: assertionCalls + 1 }, expect)
  return chai.expect(value, message)
}, chai.expect)
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT])
expect.getState = () => getState(expect)
expect.setState = (state) => setState(state, expect)
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect)
expect.extend = (matchers) => chai.expect.extend(expect, matchers)
expect.extend(customMatchers)
globalThis[GLOBAL_EXPECT] = expect

/** What has to be done before the tests of a block, each time. */
export const BEFORE = 'before all'
let tests = []
let titles = []
/** `%s` of a title of `each`; `$name` is left: titles are only for reading. */
const named = (title, row) => row.reduce((text, value) => text.replace(/%[a-z]/, () => String(value)), title)
const each = (declare) => (rows) => (title, body) => {
  for (const row of rows) {
    const values = Array.isArray(row) ? row : [row]
    declare(named(title, values), () => body(...values))
  }
}
const declare =
  (wrap) =>
  (title, ...rest) => {
    const body = rest.find((value) => typeof value === 'function')
    tests.push({
      title: [...titles, title].join(' > '),
      block: titles.join(' > '),
      before: title === BEFORE,
      run: wrap(body),
    })
  }
const mustFail = (body) => async () => {
  try {
    await body()
  } catch {
    return
  }
  throw new Error('expected to fail')
}

export const it = declare((body) => body)
it.each = each(it)
it.fails = declare(mustFail)
it.skipIf = (skip) => (skip ? () => {} : it)
export const test = it
export const describe = (title, ...rest) => {
  titles.push(title)
  rest.find((value) => typeof value === 'function')()
  titles.pop()
}
describe.each = each(describe)
describe.skipIf = (skip) => (skip ? () => {} : describe)
export const beforeAll = (body) => declare((body) => body)(BEFORE, body)
export const afterAll = () => {}

/** The tests that a bundle declares. */
export async function load(bundle) {
  tests = []
  titles = []
  await import(bundle)
  if (tests.length === 0) throw new Error(`${bundle} has no tests`)
  return tests
}
