/** Tests of the parties and options in a record, of omissions with their warnings, and of forbidden amounts. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { issuedRecord } from '#records/sii/index.ts'
import {
  cancellationRecord,
  checkRecord,
  checkSubmission,
  eventRecord,
  parseQr,
  qrUrl,
  type RegistrationOptions,
  registrationRecord,
  submissionXml,
} from '#records/verifactu/index.ts'
import { setTo } from '../../put.ts'
import { BASE, OPTIONS, validated } from './invoice.ts'
import { alta, anulacion, envio, HEADER, SYSTEM } from './records.ts'

const made = (data: CanonicalInvoice, options: Partial<RegistrationOptions> = {}) => {
  const result = registrationRecord(data, { ...OPTIONS, ...options })
  if (!result.ok) throw new Error(JSON.stringify(result.items))
  return {
    record: result.record.RegistroAlta,
    items: result.items.map((item) => `${item.severity} ${item.code} ${item.path}`),
  }
}

describe('recipients', () => {
  it('a corrective of simplified invoices omits an identified customer with a warning', () => {
    const corrective = (customer: object | undefined) =>
      validated((invoice) => {
        invoice.header.invoice_type_code = '04'
        invoice.header.corrective = {
          reason_code: '20',
          correction_type: 'D',
          invoice_number: 'T-1',
          invoice_issue_date: '2026-12-01',
        }
        invoice.lines[0].quantity = -2
        Object.assign(invoice.totals, {
          total_gross_amount_before_taxes: -200,
          total_tax_outputs: -42,
          invoice_total: -242,
        })
        if (!customer) delete invoice.customer
      })
    const named = made(corrective({}))
    expect([named.record.TipoFactura, named.record.Destinatarios]).toEqual(['R5', undefined])
    expect(named.items).toEqual(['warning record.recipient_omitted /invoice/customer'])
    expect(made(corrective(undefined)).items).toEqual([])
  })

  const ofCountry = (tax_id: string, country_code: string) => {
    const document = structuredClone(BASE)
    Object.assign(document.invoice.customer, { tax_id, country_code })
    const { data, errors } = validate(document, { operation: 'import' })
    return { data: required(data), codes: errors.map((item) => item.code) }
  }

  it.each(['ES', 'LU', 'FR', 'US'])(
    'a foreign entity with a Spanish NIF (N) is identified by it, under country %s',
    (country) => {
      const { data, codes } = ofCountry('ES-N0012622-G', country)
      expect(codes).not.toContain('tax_id_invalid')
      const { record } = made(data)
      expect(record.Destinatarios?.IDDestinatario[0]).toEqual({
        NombreRazon: 'Estudio Imaginado, S.L.',
        NIF: 'N0012622G',
      })
      const sii = issuedRecord(data)
      if (!sii.ok) throw new Error('refused')
      expect(sii.record.FacturaExpedida.Contraparte).toEqual({
        NombreRazon: 'Estudio Imaginado, S.L.',
        NIF: 'N0012622G',
      })
      expect(Object.keys(sii.record.FacturaExpedida.TipoDesglose)).toEqual(['DesgloseTipoOperacion'])
    },
  )

  it('a VAT number of the country, or a foreign id that is not a NIF, is kept', () => {
    const id = (tax_id: string, country: string) =>
      required(required(made(ofCountry(tax_id, country).data).record.Destinatarios).IDDestinatario[0]).IDOtro
    expect(id('FR40303265045', 'FR')).toEqual({ IDType: '02', ID: 'FR40303265045' })
    expect(id('N0012622H', 'US')).toEqual({ CodigoPais: 'US', IDType: '04', ID: 'N0012622H' })
    expect(id('B77777779', 'US')).toEqual({ CodigoPais: 'US', IDType: '04', ID: 'B77777779' })
  })

  it.each([
    ['Certificado de residencia fiscal', '05'],
    ['Residence certificate', '05'],
    ['Certificate of tax residence', '05'],
    ['Permiso de residencia', '06'],
    ['Pasaporte', '03'],
    [undefined, '06'],
  ])('an identifier called %s is of type %s', (scheme_name, type) => {
    const data = validated((invoice) => {
      const { customer } = invoice
      delete customer.tax_id
      customer.country_code = 'US'
      customer.identifiers = [
        { role: 'other', scheme_id: 'OTHER', value: 'X-1', ...(scheme_name ? { scheme_name } : {}) },
      ]
    })
    expect(made(data).record.Destinatarios?.IDDestinatario[0]?.IDOtro).toEqual({
      CodigoPais: 'US',
      IDType: type,
      ID: 'X-1',
    })
  })
})

describe('members inside options', () => {
  const target = {
    IDEmisorFactura: 'B12345674',
    NumSerieFactura: 'A-1',
    FechaExpedicionFactura: '15-01-2027',
  }
  const base = { system: SYSTEM, previous: null, timestamp: '2027-01-15T12:00:00+01:00' }

  it('throw if their name is unknown', () => {
    const party = { NombreRazon: 'Estudio Imaginado, S.L.', NIF: 'B77777779' }
    const cancel = (generated_by: unknown) => cancellationRecord(target, { ...base, generated_by } as never)
    expect(() => cancel({ GeneradoPor: 'D', Generador: party })).toThrow(
      /"generated_by" has no "GeneradoPor"; it has type, party/,
    )
    expect(() => cancel({ type: 'D', party: 'x' })).toThrow(/"party" of "generated_by"/)
    expect(cancel({ type: 'D', party }).record?.RegistroAnulacion).toMatchObject({
      GeneradoPor: 'D',
      Generador: party,
    })
    // Both members are required.
    expect(cancel({ type: 'D' }).ok).toBe(false)
    expect(cancel({ party }).ok).toBe(false)
    const event = { ...base, type: '90', taxpayer: HEADER.ObligadoEmision, issued_by: { by: 'T', party } }
    expect(() => eventRecord(event as never)).toThrow(/"issued_by" has no "by"/)
    const replaces = [{ invoice_number: 'T-1', issue_date: '2027-01-02', issuer: 'B77777779' }]
    expect(() => registrationRecord(validated(), { ...OPTIONS, replaces })).toThrow(
      /replaces\[0\] has no "issuer"/,
    )
  })
})

describe('amounts', () => {
  it.each(['0121.00', '121.', '00121', '-0121.00', '+012.5'])(
    '%s has a form that the authority forbids',
    (text) => {
      const record = alta(setTo('ImporteTotal', text))
      const items = checkRecord(record).filter((item) => item.path === '/RegistroAlta/ImporteTotal')
      expect(items.map((item) => [item.code, item.severity])).toContainEqual(['aeat.1267', 'error'])
      expect(() => qrUrl({ nif: 'B12345674', numSerie: 'A-2', fecha: '15-01-2027', importe: text })).toThrow(
        /importe/,
      )
    },
  )

  it.each(['CuotaRepercutida', 'BaseImponibleOimporteNoSujeto'])(
    '%s is also checked in the breakdown',
    (field) => {
      const record = alta((r: any) => {
        const [line] = r.Desglose.DetalleDesglose
        line[field] = `0${line[field]}`
      })
      expect(checkRecord(record).map((item) => item.path)).toContain(
        `/RegistroAlta/Desglose/DetalleDesglose/0/${field}`,
      )
    },
  )

  it.each(['121.00', '121.0', '121', '+121.00'])('%s is valid', (text) => {
    const record = alta(setTo('ImporteTotal', text))
    expect(checkRecord(record)).toEqual([])
  })
})

describe('a message', () => {
  it('is written without an empty RemisionVoluntaria, which is reported', () => {
    const message = envio((one) => {
      one.RegistroFactura.push(anulacion())
    })
    const empty = { ...message, Cabecera: { ...message.Cabecera, RemisionVoluntaria: {} } }
    const plain = { ...message, Cabecera: { ObligadoEmision: message.Cabecera.ObligadoEmision } }
    expect(submissionXml(empty)).toBe(submissionXml(plain))
    expect(submissionXml(empty)).not.toContain('RemisionVoluntaria')
    const reported = checkSubmission(empty).filter((item) => item.path === '/Cabecera/RemisionVoluntaria')
    expect(reported.map((item) => item.code)).toEqual(['aeat.1100'])
    const incident = {
      ...message,
      Cabecera: { ...message.Cabecera, RemisionVoluntaria: { Incidencia: 'S' as const } },
    }
    expect(submissionXml(incident)).toContain('<sf:Incidencia>S</sf:Incidencia>')
  })
})

it('a + in the address of a QR code is read as a blank, as servers do', () => {
  const url = qrUrl({ nif: 'B12345674', numSerie: 'A 2/B+1', fecha: '15-01-2027', importe: '121.00' })
  expect(url).toContain('A%202%2FB%2B1')
  const read = parseQr(url.replace('%20', '+'))
  expect(read).toMatchObject({ valid: true, numSerie: 'A 2/B+1' })
  expect(parseQr(url.replace('%20', '%2B'))).toMatchObject({ valid: true, numSerie: 'A+2/B+1' })
})
