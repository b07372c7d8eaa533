/** Measures the cost of fiscal records: generating, hashing and writing a record, and verifying a chain. */
import * as crypto from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { validate } from '../dist/index.js'
import {
  ChainAudit,
  checkRecord,
  hashOf,
  hashTextOf,
  linkOf,
  portableSha256,
  qrSvg,
  qrUrlOf,
  RecordReader,
  readVerifactu,
  recordXml,
  registrationRecord,
  spanishTimestamp,
} from '../dist/verifactu/index.js'
import { invoiceOf } from './documents.mjs'
import { measure } from './measure.mjs'

const CHAIN = 100_000
const CHAIN_XML = 5000
const ROUNDS = 7
const START = Date.UTC(2027, 0, 15, 9)

const nobleHex = (text) => bytesToHex(sha256(utf8ToBytes(text)))
const native = (text) => crypto.hash('sha256', text, 'hex')
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

/** Returns a chain generated from one record, with different numbers, links and timestamps. */
const chainOf = (first, count) => {
  const records = []
  let Encadenamiento = { PrimerRegistro: 'S' }
  for (let i = 0; i < count; i++) {
    const record = {
      ...first.RegistroAlta,
      IDFactura: { ...first.RegistroAlta.IDFactura, NumSerieFactura: `B-${i}` },
      Encadenamiento,
      FechaHoraHusoGenRegistro: spanishTimestamp(START + i * 1000),
      Huella: '',
    }
    record.Huella = hashOf({ RegistroAlta: record }, native)
    records.push({ RegistroAlta: record })
    Encadenamiento = { RegistroAnterior: linkOf(records[i]) }
  }
  return records
}

const us = (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))
const thousands = (value) => `${Math.round(value / 1000).toLocaleString('en')} k/s`

/** Returns a ten-line invoice with its record and the options that generate the record. */
export function firstRecord() {
  const { data } = validate(invoiceOf(10))
  const invoice = structuredClone(data)
  invoice.invoice.header.invoice_number = 'B-1'
  invoice.invoice.issue_data.issue_date = '2027-01-15'
  const options = { system: SYSTEM, previous: null, timestamp: '2027-01-15T10:00:00+01:00' }
  const made = registrationRecord(invoice, options)
  if (!made.ok) throw new Error(JSON.stringify(made.items))
  const { record } = made
  return { invoice, options, record }
}

/**
 * Returns the records per second for verifying chains, for only hashing the same texts, and for verifying chains in
 * XML.
 */
export function chainRates(record, { count, countXml, rounds }) {
  const records = chainOf(record, count)
  const texts = records.map((one) => hashTextOf(one))
  const bytes = texts.map((text) => new TextEncoder().encode(text))
  const audit = (hash) => () => {
    const chain = new ChainAudit({ hash, now: '2030-01-01T00:00:00+01:00' })
    for (const one of records) chain.add(one)
    if (!chain.end().valid) throw new Error('the chain of the bench is not whole')
  }
  const alone = (hash, values) => () => {
    for (const value of values) hash(value)
  }
  const [portable, injected, noble, nobleText, injectedAlone] = measure(
    [
      audit(portableSha256),
      audit(native),
      alone(sha256, bytes),
      alone(nobleHex, texts),
      alone(native, texts),
    ],
    1,
    rounds,
  ).map((microseconds) => (count / microseconds) * 1e6)

  const text = `<Registros>\n${records
    .slice(0, countXml)
    .map((one) => recordXml(one, { declaration: false }))
    .join('\n')}\n</Registros>`
  const auditXml = (file) => () => {
    const chain = new ChainAudit({ hash: native, now: '2030-01-01T00:00:00+01:00' })
    const reader = new RecordReader(({ record }) => chain.add(record))
    for (let at = 0; at < file.length; at += 65_536) reader.write(file.slice(at, at + 65_536))
    if (reader.close().length > 0 || !chain.end().valid) throw new Error('the XML of the bench is not whole')
  }
  // The fast path does not handle Windows line breaks, so the general parser reads these records.
  const [short, parser] = measure([auditXml(text), auditXml(text.replace(/\n/g, '\r\n'))], 1, rounds).map(
    (microseconds) => (countXml / microseconds) * 1e6,
  )
  return { portable, injected, noble, nobleText, injectedAlone, short, parser }
}

/** Returns the Markdown lines of the results page. */
export function recordSection() {
  const { invoice, options, record } = firstRecord()
  const json = JSON.stringify(record)
  const xml = recordXml(record)
  const url = qrUrlOf(record.RegistroAlta)
  const rows = [
    ['JSON.parse + JSON.stringify of the record', () => JSON.stringify(JSON.parse(json))],
    ['record + hash of a 10-line invoice, with every check', () => registrationRecord(invoice, options)],
    ['the same, injected hash', () => registrationRecord(invoice, { ...options, hash: native })],
    ['hash alone, portable', () => hashOf(record)],
    ['hash alone, injected (node:crypto)', () => hashOf(record, native)],
    ['the authority’s checks alone', () => checkRecord(record)],
    ['write XML', () => recordXml(record)],
    ['read XML', () => readVerifactu(xml)],
    ['QR code as SVG', () => qrSvg(url)],
  ]
  const times = measure(
    rows.map(([, task]) => task),
    1000,
    ROUNDS,
  )

  const { portable, injected, noble, nobleText, injectedAlone, short, parser } = chainRates(record, {
    count: CHAIN,
    countXml: CHAIN_XML,
    rounds: ROUNDS,
  })
  const percent = (part, whole) => `${Math.round((part / whole) * 100)} %`
  return [
    '## Fiscal records',
    '',
    '| task | CPU | against parse + stringify of the record |',
    '|---|--:|--:|',
    ...rows.map(([name], i) => `| ${name} | ${us(times[i])} us | ${(times[i] / times[0]).toFixed(2)}x |`),
    '',
    `| chain of ${CHAIN.toLocaleString('en')} records | records | bare hash of the same texts | of it | goal |`,
    '|---|--:|--:|--:|--:|',
    `| portable hash, against \`@noble/hashes\` from text to hexadecimal text | ${thousands(portable)} | ${thousands(nobleText)} | ${percent(portable, nobleText)} | 90 % |`,
    `| portable hash, against \`@noble/hashes\` from bytes to bytes | ${thousands(portable)} | ${thousands(noble)} | ${percent(portable, noble)} | 90 % |`,
    `| injected hash, against \`node:crypto\` | ${thousands(injected)} | ${thousands(injectedAlone)} | ${percent(injected, injectedAlone)} | 30 % |`,
    `| XML, read and audited, as this package writes it | ${thousands(short)} | by the parser: ${thousands(parser)} | ${(short / parser).toFixed(1)}x | 10x |`,
    '',
  ]
}
