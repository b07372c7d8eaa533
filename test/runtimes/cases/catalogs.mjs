/** Every catalog, as of now and of days on which a rate changed. */
import { request } from './request.mjs'

const DAYS = [
  undefined,
  '2010-06-30',
  '2012-09-01',
  '2022-07-01',
  '2023-05-02',
  '2024-10-01',
  '2026-01-01',
  '9999-12-31',
]

export async function catalogCases() {
  const { answer } = await import('../../../dist/request/index.js')
  // A wrong name is answered with the right ones.
  const names = JSON.parse(answer('{"op":"catalog","document":"?"}')).detail.allowed
  return names.flatMap((name) =>
    DAYS.map((on) => request(on ? `${name} on ${on}` : name, 'catalog', name, on ? { on } : undefined)),
  )
}
