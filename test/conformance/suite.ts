/** The conformance suite of the server, run on each database. */
import { afterAll, beforeAll, describe } from 'vitest'
import { forgetSeen } from './answers.ts'
import { completeness } from './completeness.ts'
import { startServer, type TestServer } from './harness.ts'
import { IS_RECORDING, writeRecorded } from './recorder.ts'
import { authSuite } from './suites/auth.ts'
import { batchSuite } from './suites/batch.ts'
import { cancelSuite } from './suites/cancel.ts'
import { catalogsSuite } from './suites/catalogs.ts'
import { clocksSuite } from './suites/clocks.ts'
import { correctedSuite } from './suites/corrected.ts'
import { correctiveSuite } from './suites/corrective.ts'
import { documentSuite } from './suites/document.ts'
import { documentsSuite } from './suites/documents.ts'
import { draftsSuite } from './suites/drafts.ts'
import { formatsSuite } from './suites/formats.ts'
import { hostileSuite } from './suites/hostile.ts'
import { idempotencySuite } from './suites/idempotency.ts'
import { importSuite } from './suites/import.ts'
import { inputEdgesSuite } from './suites/input-edges.ts'
import { isolationSuite } from './suites/isolation.ts'
import { issueSuite } from './suites/issue.ts'
import { issuedSuite } from './suites/issued.ts'
import { locksSuite } from './suites/locks.ts'
import { pdfSuite } from './suites/pdf.ts'
import { receivedSuite } from './suites/received.ts'
import { recognitionSuite } from './suites/recognition.ts'
import { referenceSuite } from './suites/reference.ts'
import { replacementSuite } from './suites/replacement.ts'
import { sendSuite } from './suites/send.ts'
import { sendingSuite } from './suites/sending.ts'
import { siiSuite } from './suites/sii.ts'
import { siiSendingSuite } from './suites/sii-sending.ts'
import { verifactuSuite } from './suites/verifactu.ts'
import { withoutComputedSuite } from './suites/without-computed.ts'
import { workedSuite } from './suites/worked.ts'

export function conformance(store: 'sqlite' | 'postgres'): void {
  let server: TestServer
  beforeAll(async () => {
    forgetSeen()
    // A low limit, so that a mail can exceed it.
    server = await startServer({ store, env: { CUADRA_MAIL_MAX_BYTES: '1000000' } })
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    if (IS_RECORDING && store === 'sqlite') writeRecorded()
  })
  const running = () => server
  describe('drafts', () => draftsSuite(running))
  describe('codes and references', () => inputEdgesSuite(running))
  describe('issue', () => issueSuite(running))
  describe('issued invoices', () => issuedSuite(running))
  describe('import', () => importSuite(running))
  describe('cancel', () => cancelSuite(running))
  describe('mail', () => sendSuite(running))
  describe('corrective', () => correctiveSuite(running))
  describe('exchange of tickets', () => replacementSuite(running))
  describe('corrected invoices', () => correctedSuite(running))
  describe('batches', () => batchSuite(running))
  describe('received invoices', () => receivedSuite(running))
  describe('documents without what is computed', () => withoutComputedSuite(running))
  describe('recognition', () => recognitionSuite(running))
  describe('invoices as XML', () => formatsSuite(running))
  describe('invoices on paper', () => pdfSuite(running))
  describe('filed returns', () => locksSuite(running))
  describe('authentication', () => authSuite(running))
  describe('reference', () => referenceSuite(running))
  describe('catalogs', () => catalogsSuite(running))
  describe('idempotency', () => idempotencySuite(running))
  describe('clocks', () => clocksSuite(running))
  describe('isolation', () => isolationSuite(running))
  describe('verifactu', () => verifactuSuite(running))
  describe('sending', () => sendingSuite(store))
  describe('sii', () => siiSuite(running))
  describe('sii sending', () => siiSendingSuite(store))
  describe('attachments', () => documentsSuite(running))
  describe('the OpenAPI document', () => documentSuite(running))
  describe('hostile input', () => hostileSuite(running))
  describe('examples', () => workedSuite(running))
  // Last, since it checks what all others have covered.
  describe('completeness', () => completeness(running))
}
