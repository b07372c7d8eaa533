/** What a newcomer reads first: short, with few links, and with figures that were measured. */
import { expect, it } from 'vitest'
import { prose, read } from './markdown.ts'

const readme = read('README.md')

it('the README is short, with at most six links and one picture', () => {
  expect(readme.trim().split(/\s+/).length, 'length as `wc -w` counts it').toBeLessThanOrEqual(600)
  const links = [...prose('README.md').matchAll(/(!?)\[[^\]]*\]\(/g)].map(([, image]) => image)
  expect(links.filter((image) => image === '').length).toBeLessThanOrEqual(6)
  expect(links.filter((image) => image === '!')).toHaveLength(1)
})

it('the README states the times of its first command that bench/RESULTS.md has', () => {
  const stated = /takes ([\d.]+) s of processor time, of which `npm ci` takes ([\d.]+) s/.exec(readme)
  const results = read('bench/RESULTS.md')
  const whole = /From a clone to the first result\*\* \| CPU time: \*\*([\d.]+) s\*\*/.exec(results)
  const install = /by stage: `npm ci` ([\d.]+) s/.exec(results)
  expect(stated?.slice(1)).toEqual([whole?.[1], install?.[1]])
})
