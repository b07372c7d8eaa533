/** What must never be logged. */
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#test/folders.ts'
import { createLog } from '../../src/environment/log.ts'

/** Returns the log of some work at the most detailed level. */
function logged(work: (log: Logger) => void): string {
  const folder = temporaryFolder()
  const file = join(folder, 'log')
  work(createLog('trace', openSync(file, 'w')))
  return readFileSync(file, 'utf8')
}

it('personal ids and keys in a request id are removed, and other ids are complete', () => {
  const secret = ['B12345674', 'ESB12345674', 'req-12345678Z-1', 'x1234567l', `cuadra_${'a'.repeat(22)}.b.c`]
  const text = logged((log) => {
    for (const request_id of secret) log.info({ request_id }, 'request')
  })
  expect(text.match(/\[redacted\]/g)).toHaveLength(secret.length)
  expect(text).not.toMatch(/1234567|cuadra_/)
  const plain = ['12345678-1234-4234-8234-123456789012', '123456789', 'order-4711:12', 'a1234567-b']
  const kept = logged((log) => {
    for (const request_id of plain) log.info({ request_id }, 'request')
  })
  for (const id of plain) expect(kept).toContain(`"${id}"`)
})

it('the message of an error keeps the id of an invoice, also one that begins like a tax id', () => {
  const id = '12345678-1234-4234-8234-123456789012'
  const text = logged((log) => {
    log.error({ err: new Error(`canonical of invoice ${id} changed, B12345674:${id}`) }, 'request failed')
  })
  expect(text).toContain(`canonical of invoice ${id} changed, [id]:${id}`)
})

it('errors are logged without tax ids and without parts of documents', () => {
  const text = logged((log) => {
    log.error({ err: new Error('duplicate of B12345674') }, 'request failed')
    try {
      JSON.parse('{"name":"Ana Gil" "x"}')
    } catch (err) {
      log.error({ err }, 'request failed')
    }
  })
  expect(text).not.toMatch(/B12345674|Ana|Gil/)
  expect(text).toContain('log.test')
})

it('personal members are removed, also one level down', () => {
  const text = logged((log) => {
    log.debug({ tax_id: 'B12345674', company: { legal_name: 'Ana Gil', key: 'secret' } }, 'company')
  })
  expect(text).not.toMatch(/B12345674|Ana|secret/)
})
