import { readdirSync, readFileSync } from 'node:fs'
import { it } from 'vitest'
import { readInvoice, writeInvoice } from '../../src/formats/index.ts'
import { validate } from '../../src/api/index.ts'
const base = '/work/shared/reference/formats/samples/'
it('reads', () => {
  for (const d of ['ubl', 'cii', 'invalid'])
    for (const f of readdirSync(base + d)) {
      if (f.startsWith('facturae')) continue
      const t = performance.now()
      const r = readInvoice(readFileSync(base + d + '/' + f))
      console.log(f, r.format, Math.round(performance.now() - t), r.document ? JSON.stringify(r.document.invoice.totals) : 'NULL')
      for (const e of r.errors) console.log('   ', e.severity, e.code, e.path, e.message.slice(0, 160))
      if (r.document) for (const to of ['ubl_2_1', 'cii_d16b'] as const) {
        const w = writeInvoice(r.document, to)
        console.log('  ->', to, w.xml?.length, w.errors.map((e) => e.extra?.reason + ' ' + e.path + ' ' + e.message).join(' | '))
      }
    }
})
