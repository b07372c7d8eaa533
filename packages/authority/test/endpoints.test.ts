/** Tests of addresses: the official ones match the WSDL files, and each can be replaced. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { reference } from '#test/records/verifactu/schema.ts'
import { addressOf, enveloped, type Message } from '../src/wire/index.ts'

const verifactu = (operation: 'submission' | 'requirement' | 'query'): Message => ({
  service: 'verifactu',
  operation,
  xml: '',
})
const sii = (book: 'issued' | 'received' | 'collections' | 'payments'): Message => ({
  service: 'sii',
  book,
  operation: 'submission',
  xml: '',
})
const MESSAGES = [
  verifactu('submission'),
  verifactu('requirement'),
  sii('issued'),
  sii('received'),
  sii('collections'),
  sii('payments'),
]
const person = { kind: 'representative' } as const
const seal = { kind: 'seal' } as const

const folders = ['verifactu/xsd/', 'sii/xsd/'].map((folder) => `${reference}${folder}`)

describe('official addresses', () => {
  it.skipIf(!existsSync(required(folders[0])))('match the WSDL files of the tax authority', () => {
    const known = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.wsdl'))
        .flatMap((name) => readFileSync(folder + name, 'utf8').match(/(?<=location=")https[^"]+/g) ?? []),
    )
    const used = MESSAGES.flatMap((message) =>
      (['production', 'preproduction'] as const).flatMap((environment) =>
        [person, seal].map((owner) => addressOf(message, environment, owner)),
      ),
    )
    expect(new Set(used).size).toBe(24)
    for (const address of used) expect(known).toContain(address)
  })

  it('of a sandbox company, and of preproduction, are those of the test service', () => {
    const host = (
      environment: 'production' | 'preproduction',
      sandbox: boolean,
      owner = person as { kind: 'seal' | 'representative' },
    ) => new URL(required(addressOf({ ...verifactu('query'), sandbox }, environment, owner))).host
    expect(host('production', false)).toBe('www1.agenciatributaria.gob.es')
    expect(host('production', false, seal)).toBe('www10.agenciatributaria.gob.es')
    expect(host('production', true)).toBe('prewww1.aeat.es')
    expect(host('preproduction', false)).toBe('prewww1.aeat.es')
    expect(host('preproduction', true, seal)).toBe('prewww10.aeat.es')
  })

  it('do not exist for the simulator', () => {
    for (const message of MESSAGES) expect(addressOf(message, 'simulator', person)).toBeUndefined()
  })
})

describe('a configured address', () => {
  const VERIFACTU = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/'
  const SII = '/wlpl/SSII-FACT/ws/'
  it.each<[string, Message, string]>([
    ['https://localhost:8443', verifactu('query'), `https://localhost:8443${VERIFACTU}VerifactuSOAP`],
    [
      'https://localhost:8443/',
      verifactu('requirement'),
      `https://localhost:8443${VERIFACTU}RequerimientoSOAP`,
    ],
    [`https://h${VERIFACTU}VerifactuSOAP`, verifactu('submission'), `https://h${VERIFACTU}VerifactuSOAP`],
    [
      `https://h${VERIFACTU}VerifactuSOAP`,
      verifactu('requirement'),
      `https://h${VERIFACTU}RequerimientoSOAP`,
    ],
    ['https://h/aeat/', verifactu('submission'), 'https://h/aeat/VerifactuSOAP'],
    ['https://h/aeat', verifactu('submission'), 'https://h/aeat'],
    ['https://h', sii('issued'), `https://h${SII}fe/SiiFactFEV1SOAP`],
    [`https://h${SII}`, sii('payments'), `https://h${SII}fr/SiiFactPAGV1SOAP`],
    ['https://h/sii', sii('collections'), 'https://h/sii/fe/SiiFactCOBV1SOAP'],
    [`https://h${SII}fe/SiiFactFEV1SOAP`, sii('received'), `https://h${SII}fr/SiiFactFRV1SOAP`],
  ])('%s', (address, message, expected) => {
    for (const environment of ['simulator', 'preproduction', 'production'] as const)
      for (const owner of [person, seal])
        expect(addressOf(message, environment, owner, { [message.service]: address })).toBe(expected)
  })
})

it('a message without envelope gets one, and its content stays unchanged', () => {
  const record = '<r:A xmlns:r="urn:a">\r\n <b c="&amp;"/>Ñ</r:A>'
  for (const before of ['', '<?xml version="1.0" encoding="UTF-8"?>\n', '\uFEFF']) {
    const xml = enveloped(before + record)
    expect(xml).toContain(`<soapenv:Body>${record}</soapenv:Body>`)
    expect(enveloped(xml)).toBe(xml)
  }
})
