/** Measures the audit of a chain of records in XML: with the fast path, and through the general XML parser. */
import * as crypto from 'node:crypto'
import { validate } from '../../dist/index.js'
import {
  ChainAudit,
  hashOf,
  linkOf,
  RecordReader,
  recordXml,
  registrationRecord,
  spanishTimestamp,
} from '../../dist/verifactu/index.js'
import { invoiceOf } from '../documents.mjs'
import { measure } from '../measure.mjs'
import { hand, ROUNDS, scale } from './report.mjs'

const COUNT = scale(5000)
const START = Date.UTC(2027, 0, 15, 9)
const SYSTEM = {
  NombreRazon: 'Programas Ficticios, S.L.',
  NIF: 'B12345674',
  NombreSistemaInformatico: 'Bench',
  IdSistemaInformatico: 'CU',
  Version: '1.0',
  NumeroInstalacion: '1',
  TipoUsoPosibleSoloVerifactu: 'N',
  TipoUsoPosibleMultiOT: 'S',
  IndicadorMultiplesOT: 'N',
}
const native = (text) => crypto.hash('sha256', text, 'hex')

/** Returns the record of a ten-line invoice. */
function firstRecord() {
  const { data } = validate(invoiceOf(10))
  const invoice = structuredClone(data)
  invoice.invoice.header.invoice_number = 'B-1'
  invoice.invoice.issue_data.issue_date = '2027-01-15'
  const made = registrationRecord(invoice, {
    system: SYSTEM,
    previous: null,
    timestamp: '2027-01-15T10:00:00+01:00',
  })
  if (!made.ok) throw new Error(JSON.stringify(made.items))
  return made.record.RegistroAlta
}

/** Returns the XML of a chain generated from one record, with different numbers, links and timestamps. */
function chainOf(first) {
  const records = []
  let Encadenamiento = { PrimerRegistro: 'S' }
  for (let i = 0; i < COUNT; i++) {
    const record = {
      ...first,
      IDFactura: { ...first.IDFactura, NumSerieFactura: `B-${i}` },
      Encadenamiento,
      FechaHoraHusoGenRegistro: spanishTimestamp(START + i * 1000),
      Huella: '',
    }
    record.Huella = hashOf({ RegistroAlta: record }, native)
    records.push({ RegistroAlta: record })
    Encadenamiento = { RegistroAnterior: linkOf(records[i]) }
  }
  return `<Registros>\n${records.map((one) => recordXml(one, { declaration: false })).join('\n')}\n</Registros>`
}

const audit = (file) => () => {
  const chain = new ChainAudit({ hash: native, now: '2030-01-01T00:00:00+01:00' })
  const reader = new RecordReader(({ record }) => chain.add(record))
  for (let at = 0; at < file.length; at += 65_536) reader.write(file.slice(at, at + 65_536))
  if (reader.close().length > 0 || !chain.end().valid) throw new Error('the chain of the bench is not whole')
}
const text = chainOf(firstRecord())
const other = text.replace(/\n/g, '\r\n\t').replace(/(<\/[^>]*TipoFactura>)/g, '$1\r\n\t<!-- x -->')
// The fast path does not handle CDATA sections, so the general parser reads these records.
const cdata = text.replace(/>F1</g, '><![CDATA[F1]]><')
const [short, marked, parser] = measure([audit(text), audit(other), audit(cdata)], 1, ROUNDS).map(
  (microseconds) => (COUNT / microseconds) * 1000,
)
hand({
  rounds: ROUNDS,
  goals: [
    {
      what: 'records in XML, read and audited',
      value: short / parser,
      unit: 'x',
      goal: { least: 10 },
      detail: `${short.toFixed(1)} k records/s, through the XML parser ${parser.toFixed(2)} k records/s`,
    },
    {
      what: 'the same with Windows line breaks, tabs and a comment in each record',
      value: marked / short,
      unit: 'x',
      goal: { least: 0.7 },
      detail: `${marked.toFixed(1)} k records/s`,
    },
  ],
})
