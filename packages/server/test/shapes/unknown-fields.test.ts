/** The refusal of a body with an unknown field. */
import { describe, expect, it } from 'vitest'
import type { Locale } from '#engine/index.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { requireShape } from '../../src/shapes/check-shape.ts'
import { IssueRequest } from '../../src/shapes/schemas.ts'
import { SiiConfigRequest } from '../../src/shapes/schemas-compliance.ts'

type Body = Parameters<typeof requireShape>[1]

/** Returns the first item of a refusal. */
function itemOf(body: unknown, schema: Body, locale: Locale): Record<string, unknown> {
  try {
    requireShape(body, schema, locale)
  } catch (error) {
    if (error instanceof ApiError) return (error.extra.errors as Record<string, unknown>[])[0] ?? {}
    throw error
  }
  throw new Error('the body is accepted')
}

describe('an unknown field of a body', () => {
  it.each<[Record<string, unknown>, Body, Locale, string]>([
    [
      { number: 'F-1' },
      IssueRequest,
      'en',
      'Unknown field: number. Did you mean invoice_number? Otherwise, remove it. Fields here: invoice_number.',
    ],
    [
      { numero: 'F-1' },
      IssueRequest,
      'es',
      'Campo desconocido: numero. ¿Quería decir invoice_number? Si no, quítelo. Campos que existen: invoice_number.',
    ],
    [
      { due_date: '2026-04-30' },
      IssueRequest,
      'en',
      'Unknown field: due_date. Correct its name or remove it. Fields here: invoice_number.',
    ],
    [
      { certificate_name: 1 },
      SiiConfigRequest,
      'es',
      'Campo desconocido: certificate_name. Corrija su nombre o quítelo. Campos que existen: auto_submit, certificate_id.',
    ],
    [
      { auto_sumbit: true },
      SiiConfigRequest,
      'en',
      'Unknown field: auto_sumbit. Did you mean auto_submit? Otherwise, remove it. Fields here: auto_submit, certificate_id.',
    ],
  ])(
    '%j has a message with the fields that exist, and the meant one if it is sure',
    (body, schema, locale, message) => {
      expect(itemOf(body, schema, locale)).toMatchObject({ code: 'schema.additional_properties', message })
    },
  )
})
