/** Refusals of errors that no request can provoke on a healthy server. */
import { createConnection } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { ConditionError } from '#core/errors/conditions.ts'
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { ApiError, toApiError, wrongStatus } from '../../src/errors/api-error.ts'
import type { Code } from '../../src/errors/error-codes.ts'
import { outcomeUnknownError } from '../../src/store/commit-outcome.ts'

const withCode = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code })

describe('a message', () => {
  it.each<[Code, Record<string, unknown>, string, string]>([
    [
      'invalid_status_transition',
      { from: 'issued', to: 'cancelled' },
      'The invoice is issued. It cannot become cancelled.',
      'La factura está emitida. No puede pasar a estar anulada.',
    ],
    [
      'invoice_delete_not_allowed',
      { reasons: ['filed_return:2026-Q3', 'accepted_by_sii'] },
      'The invoice cannot be deleted: it is in the return of 2026-Q3; the tax authority accepted it in the SII.',
      'La factura no puede eliminarse: está en la declaración de 2026-Q3; la Agencia Tributaria la aceptó en el SII.',
    ],
    [
      'corrective_draft_invalid',
      { reason: 'tax_rate_ambiguous', hint: { en: 'Send the rate.', es: 'Envíe el tipo.' } },
      'The corrective invoice cannot be built: send the rate.',
      'No puede generarse la factura rectificativa: envíe el tipo.',
    ],
    [
      'corrective_draft_invalid',
      { reason: 'unsupported_schema_version', received: 'x', expected: 'json_1_1' },
      'The corrective invoice cannot be built: schema_version is "x". Send "json_1_1".',
      'No puede generarse la factura rectificativa: schema_version es «x». Envíe «json_1_1».',
    ],
    // Messages of the rules, with the additional values that the server knows.
    [
      'inferred_fields_not_allowed',
      { fields: ['/invoice/lines/0/taxable'] },
      'taxable is a computed field and must not be sent. Remove it.',
      'taxable es un campo calculado y no debe enviarse. Quítelo.',
    ],
    [
      'inferred_fields_not_allowed',
      { fields: ['/a', '/b', '/c'] },
      'Computed fields must not be sent (/a, /b or /c). Remove them.',
      'Los campos calculados no deben enviarse (/a, /b o /c). Quítelos.',
    ],
    [
      'exchange_rate_not_available',
      { currency: 'USD', date: '1980-01-01', path: '/invoice/issue_data/invoice_currency/exchange_rate' },
      'There is no exchange rate for USD on 1980-01-01. Send invoice_currency.exchange_rate, or ask the administrator for reference rates.',
      'No hay tipo de cambio de USD para el 01/01/1980. Envíe invoice_currency.exchange_rate, o pida al administrador los tipos de referencia.',
    ],
    [
      'unsupported_media_type',
      { received: 'gzip', expected: 'identity' },
      'The body is "gzip". Send it uncompressed.',
      'El cuerpo es «gzip». Envíe un cuerpo sin comprimir.',
    ],
    [
      'not_found',
      { hint: { en: 'Catalogs: units.', es: 'Catálogos: units.' } },
      'This path does not exist. See /openapi.json for the list of paths. Catalogs: units.',
      'Esta ruta no existe. La lista de rutas está en /openapi.json. Catálogos: units.',
    ],
  ])('of %s with %o has text for people, and members for programs', (code, members, en, es) => {
    const { hint: _, ...rest } = members
    for (const [locale, message] of [
      ['en', en],
      ['es', es],
    ] as const)
      expect(new ApiError(code, { ...members }).body('id', locale).detail).toMatchObject({ message, ...rest })
  })
})

describe('an impossible change of state states what to do instead', () => {
  it.each([
    ['draft', 'cancelled', 'DELETE /drafts/{id}'],
    ['draft', 'sent', 'POST /issued-invoices/{id}/issue'],
    ['issued', 'issued', 'POST /issued-invoices/{id}/corrective'],
    ['sent', 'issued', 'POST /issued-invoices/{id}/cancel'],
    ['cancelled', 'issued', 'PUT /drafts'],
    ['cancelled', 'cancelled', 'nothing left to do'],
  ])('%s to %s', (from, to, way) => {
    const { detail } = wrongStatus(from, to).body('id', 'en')
    expect(detail).toMatchObject({ code: 'invalid_status_transition', from, to })
    expect([detail.message, detail.hint]).toEqual([
      expect.stringContaining(way),
      expect.stringContaining(way),
    ])
  })
})

describe('an error', () => {
  type Case = [string, unknown, string, number]
  const UNAVAILABLE: readonly [string, unknown][] = [
    ['of a database that is away', withCode('ECONNREFUSED')],
    ['of a database that stops', withCode('57P01', 'terminating connection due to administrator command')],
    ['of a database with too many clients', withCode('53300')],
    ['of a connection that ended', new Error('Connection terminated unexpectedly')],
    [
      'of a connection that had ended before the next statement',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    [
      'of a machine of a distributed database',
      withCode('XX000', 'could not commit transaction for shard 102008 on at least one node'),
    ],
    [
      'of a database that does not answer in time',
      withCode('57014', 'canceling statement due to statement timeout'),
    ],
    [
      'of a database whose socket is not there',
      Object.assign(withCode('ENOENT', 'connect ENOENT'), { syscall: 'connect' }),
    ],
    ['of a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ]
  const cases: Case[] = [
    [
      'of a full disk (SQLite)',
      withCode('SQLITE_FULL', 'database or disk is full'),
      'insufficient_storage',
      507,
    ],
    [
      'of a full disk (files)',
      withCode('ENOSPC', 'ENOSPC: no space left on device, write'),
      'insufficient_storage',
      507,
    ],
    ['of a full disk (PostgreSQL)', withCode('53100', 'could not extend file'), 'insufficient_storage', 507],
    ['of a quota', withCode('EDQUOT'), 'insufficient_storage', 507],
    ...['SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'EROFS', '25006'].map(
      (code): Case => [
        `of a database that accepts no changes (${code})`,
        withCode(code, 'disk I/O error'),
        'service_unavailable',
        503,
      ],
    ),
    ...['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_READ', 'XX001', 'XX002', '58030', 'EIO'].map(
      (code): Case => [`of damaged data (${code})`, withCode(code), 'service_unavailable', 503],
    ),
    ...['ENOTDIR', 'EACCES', 'EROFS', 'EIO', 'ENOENT', 'ENOTEMPTY', 'EMFILE', 'ESTALE'].map(
      (code): Case => [
        `of a file (${code})`,
        Object.assign(withCode(code, `${code}: open '/data/files'`), {
          syscall: 'open',
          path: '/data/files',
        }),
        'service_unavailable',
        503,
      ],
    ),
    [
      'of a commit with an unknown outcome',
      outcomeUnknownError(withCode('ECONNRESET')),
      'outcome_unknown',
      503,
    ],
    [
      'of writers that never got through',
      new ConditionError('race', 'deadlock detected'),
      'invoice_race_condition',
      409,
    ],
    ...UNAVAILABLE.map(([name, error]): Case => [name, error, 'service_unavailable', 503]),
    ['of ours', new TypeError('x is not a function'), 'internal_error', 500],
    ['that is not an error', 'thrown text', 'internal_error', 500],
    ['that is nothing', undefined, 'internal_error', 500],
  ]
  it.each(cases)('%s', (_, error, code, status) => {
    const refusal = toApiError(error)
    expect([refusal.code, refusal.status]).toEqual([code, status])
    for (const locale of ['en', 'es'] as const) {
      const body = refusal.body('id', locale)
      expect(body).toEqual({
        detail: {
          code,
          message: expect.any(String),
          request_id: 'id',
          doc_url: expect.stringContaining(code),
        },
      })
      // Nothing of the error itself: no SQL, no path, no stack.
      expect(JSON.stringify(body)).not.toMatch(/SQLITE|ENOSPC|ECONN|function|deadlock|\.ts|\.js/)
    }
  })

  it('that is a refusal stays the same', () => {
    const error = new ApiError('empty_file')
    expect(toApiError(error)).toBe(error)
  })

  it('that is temporary states when to retry', () => {
    expect(toApiError(withCode('ECONNREFUSED')).headers).toEqual({ 'Retry-After': '5' })
  })
})

describe('bytes that are not a request', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ store: 'sqlite', env: { CUADRA_REQUEST_TIMEOUT: '1' } })
  }, 60_000)

  /** Sends bytes and collects the response until the connection ends. */
  const speak = (...pieces: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = createConnection(Number(new URL(server.url).port), '127.0.0.1')
      let received = ''
      socket.setTimeout(20_000, () => reject(new Error(`no answer: ${received}`)))
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('close', () => resolve(received))
      socket.on('error', () => resolve(received))
      for (const chunk of pieces) socket.write(chunk)
    })

  const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).detail

  it('are 400 bad_request, in the shape of every error', async () => {
    const answer = await speak('HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    const { code, message, request_id } = bodyOf(answer)
    expect(code).toBe('bad_request')
    expect(message).toMatch(/HTTP/)
    expect(answer).toContain(`X-Request-Id: ${request_id}`)
  })

  it('with headers that are too large are 431', async () => {
    const answer = await speak(`GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(bodyOf(answer).code).toBe('request_headers_too_large')
  })

  it('with headers that never end are 408', async () => {
    const answer = await speak('GET /health HTTP/1.1\r\nHost: x\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(bodyOf(answer)).toMatchObject({ code: 'request_timeout', seconds: 1 })
  }, 60_000)

  it('do not stop the server', async () => {
    expect((await server.call('GET', '/health')).status).toBe(200)
  })
})
