/** Lists every route, code and row of the table of states that no test has covered. Runs after all other tests. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CODES, type Code } from 'cuadra-server/errors/error-codes.ts'
import { REFUSALS } from 'cuadra-server/http/examples.ts'
import { codesOf } from 'cuadra-server/http/route-responses.ts'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import { describe, expect, it } from 'vitest'
import { seenCodes, seenRoutes, seenTransitions } from './answers.ts'
import type { TestServer } from './harness.ts'
import { CODES_ELSEWHERE } from './later.ts'
import { IS_RECORDING, unseenMembers } from './recorder.ts'
import { ADDED, COMPLIANCE_CODES, SPECIFIED, STATE_ROWS, STATE_TABLE, tableOf } from './specification.ts'

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`
const codes = Object.keys(CODES) as Code[]

export function completeness(server: () => TestServer): void {
  describe('routes', () => {
    it('are those of the specification, or listed as additions', () => {
      const specified = [...SPECIFIED, ...ADDED].map(nameOf)
      expect(ROUTES.map(nameOf).filter((name) => !specified.includes(name))).toEqual([])
    })

    it('are declared once each', () => {
      expect(new Set(ROUTES.map(nameOf)).size).toBe(ROUTES.length)
    })

    it('all succeeded in a test', () => {
      const missing = ROUTES.map(nameOf).filter((name) => !seenRoutes.has(name))
      expect(missing, 'routes that no test called with success').toEqual([])
    })

    const there = new Set(ROUTES.map(nameOf))
    const later = SPECIFIED.filter((route) => !there.has(nameOf(route)))
    it.each(later.map((route) => ({ name: nameOf(route), ...route })))(
      'of later work: $name is 404',
      async ({ name, method, path }) => {
        const { key } = await server().company()
        const address = path.replace('{invoice_id}', '00000000-0000-4000-8000-000000000000')
        const { status, json } = await server().call(method.toUpperCase(), address, { key })
        expect(`${name} ${status} ${json.detail.code}`).toBe(`${name} 404 not_found`)
      },
    )

    it('make up the document that is served', async () => {
      const served: {
        paths: Record<string, object>
      } = await (await fetch(`${server().url}/openapi.json`)).json()
      const names = Object.entries(served.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      )
      expect(names.sort()).toEqual(ROUTES.map(nameOf).sort())
    })
  })

  describe('codes', () => {
    const excused = (code: Code): boolean => {
      const { reserved } = CODES[code]
      return reserved !== undefined || Object.hasOwn(CODES_ELSEWHERE, code)
    }

    it('were all provoked', () => {
      const missing = codes.filter((code) => !seenCodes.has(code) && !excused(code))
      expect(missing, 'codes that no test provoked').toEqual([])
    })

    it('of compliance were all provoked by requests', () => {
      const missing = COMPLIANCE_CODES.filter((code) => !seenCodes.has(code))
      expect(missing, 'codes of the section "Compliance" that no request provoked').toEqual([])
    })

    const specified = tableOf('### Compliance')
    const name = 'of compliance are those of the specification'
    if (specified === null) it.skip(`${name} (skipped: no ../shared/spec)`, () => undefined)
    else
      it(name, () => {
        // One code is misspelt in the table of the specification, and corrected in the note below it.
        const written = specified.map(([, code]) => code?.replace(/z$/, ''))
        expect(written).toEqual([...COMPLIANCE_CODES])
      })

    it('that are reserved were not returned', () => {
      const wrong = codes.filter((code) => seenCodes.has(code) && CODES[code].reserved !== undefined)
      expect(wrong, 'codes that are answered although the table says they cannot be').toEqual([])
    })

    it('that only other tests provoke are provoked there', () => {
      for (const [code, file] of Object.entries(CODES_ELSEWHERE)) {
        expect(codes, `${code} is not a code`).toContain(code)
        expect(
          existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url))),
          `${file} of ${code}`,
        ).toBe(true)
      }
    })

    it('that a route declares exist', () => {
      const declared = new Set(ROUTES.flatMap((route) => codesOf(route)))
      const nowhere = codes.filter(
        (code) => !declared.has(code) && !excused(code) && !['not_found', 'bad_request'].includes(code),
      )
      expect(nowhere, 'codes that no route declares').toEqual([])
    })
  })

  describe('examples', () => {
    it.skipIf(IS_RECORDING)(
      'of refusals have the members of real ones (otherwise run npm run record)',
      () => {
        const stale = Object.entries(REFUSALS as Record<string, { detail: object }>).flatMap(
          ([code, example]) => unseenMembers(code, example).map((member) => `${code}: ${member}`),
        )
        expect(stale).toEqual([])
      },
    )
  })

  describe('states', () => {
    it('were all covered, row by row', () => {
      const missing = STATE_ROWS.filter((row) => !seenTransitions.has(row))
      expect(missing, 'rows without a test that calls transition(...)').toEqual([])
    })

    it('that tests name are in the table', () => {
      expect([...seenTransitions].filter((row) => !STATE_ROWS.includes(row))).toEqual([])
    })

    const rows = tableOf('## States and transitions')
    const name = 'the table is that of the specification, row by row'
    if (rows === null) it.skip(`${name} (skipped: no ../shared/spec)`, () => undefined)
    else
      it(name, () => {
        const written = rows.map(([from, trigger, , to]) => `${from} | ${trigger} | ${to}`)
        expect(written).toEqual(Object.keys(STATE_TABLE))
      })
  })
}
