/**
 * The shapes of a route are its types. `npm test` compiles this file: each line after `@ts-expect-error` must be an
 * error.
 */
import { describe, expect, it } from 'vitest'
import { route } from '../../src/http/request/route.ts'
import { ok } from '../../src/service/access/http-response.ts'
import { activateVerifactu } from '../../src/service/verifactu/verifactu-config.ts'
import { flag, integer, object, oneOf, optional, text } from '../../src/shapes/builders.ts'
import { limitParameter } from '../../src/shapes/parameter-shapes.ts'
import { VerifactuActivation, VerifactuConfigRequest } from '../../src/shapes/schemas.ts'

const Asked = object({ name: text, mode: optional(oneOf('a', 'b')) })
const Thing = object({ id: text, count: integer, open: flag })

const base = { summary: '', scope: null } as const
const thing = { id: '1', count: 2, open: true }

const declared = route('post /things/{thing_id}/parts/{part_id}', {
  ...base,
  query: { limit: limitParameter(10, 5), state: { schema: oneOf('new', 'old'), description: '' } },
  body: { kind: 'json', schema: Asked, required: true },
  responses: { 200: Thing },
  handle: async ({ params, query, body }) => {
    const typed: {
      readonly params: { readonly thing_id: string; readonly part_id: string }
      readonly limit: number
      readonly state: 'new' | 'old' | undefined
      readonly body: { readonly name: string; readonly mode?: 'a' | 'b' }
    } = { params, limit: query.limit, state: query.state, body }
    // @ts-expect-error the path has no such parameter
    params.other_id
    // @ts-expect-error there is no such query parameter
    query.offset
    // @ts-expect-error it is `new` or `old`
    if (query.state === 'middling') return ok(thing)
    // @ts-expect-error the shape has no such member
    body.size
    return ok({ id: typed.params.part_id, count: typed.limit, open: typed.body.mode === 'a' })
  },
})

route('post /things', {
  ...base,
  responses: { 200: Thing },
  // @ts-expect-error the response lacks a member
  handle: async () => ok({ id: '1', count: 2 }),
})

route('post /things', {
  ...base,
  responses: { 200: Thing },
  // @ts-expect-error a member of the response has another type
  handle: async () => ok({ ...thing, count: '2' }),
})

route('post /things', {
  ...base,
  responses: { 201: Thing },
  // @ts-expect-error success has another status
  handle: async () => ok(thing),
})

route('post /verifactu/config', {
  ...base,
  body: { kind: 'json', schema: VerifactuConfigRequest, required: false },
  responses: { 200: VerifactuActivation },
  // @ts-expect-error the body may be absent
  write: async (call, tx) => ok(await activateVerifactu(tx, call, { sandbox: call.body.sandbox })),
})

describe('a route', () => {
  it('passes on the schemas that its types derive from, without marks of their library', () => {
    expect(JSON.parse(JSON.stringify(declared.responses[200]))).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['id', 'count', 'open'],
      properties: { id: { type: 'string' }, count: { type: 'integer' }, open: { type: 'boolean' } },
    })
    expect(JSON.stringify(Asked)).toBe(
      '{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string"},"mode":{"type":"string","enum":["a","b"]}}}',
    )
  })
})
