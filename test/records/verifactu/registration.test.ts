/** Tests of building a record from an invoice: each mapping by value, and every refusal. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { catalog, validate } from '#engine/index.ts'
import {
  cancellationRecord,
  checkRecord,
  EVENT_DATA,
  eventRecord,
  linkOf,
  type RegistrationOptions,
  type RegistroAlta,
  readVerifactu,
  recordXml,
  registrationRecord,
} from '#records/verifactu/index.ts'
import { setAll, setTo } from '../../put.ts'
import { BASE, type Change, type Loose, OPTIONS, validated } from './invoice.ts'
import { alta, anulacion, HEADER, SYSTEM } from './records.ts'
import { officialSchema } from './schema.ts'

/** Functions as callers without types use them. */
const untyped: Loose = { registrationRecord, cancellationRecord, eventRecord, linkOf }

const registered = (change: Change = () => {}, options: Partial<RegistrationOptions> = {}): RegistroAlta => {
  const { record, items } = registrationRecord(validated(change), { ...OPTIONS, ...options })
  expect(items.map((item) => `${item.code} ${item.message}`)).toEqual([])
  if (officialSchema) expect(officialSchema()(recordXml(required(record)))).toEqual([])
  return required(record).RegistroAlta
}

const refused = (invoice: Loose, options: object = {}) => {
  const result = registrationRecord(invoice, { ...OPTIONS, ...options })
  expect(result).toMatchObject({ ok: false, record: null, hash: null })
  for (const item of result.items) expect(item.message).not.toContain('—')
  return result.items.map((item) => `${item.code} ${item.path}`)
}

const without = (change: Change): Loose => {
  const data = structuredClone(validated())
  change(data)
  return data
}

const refusedWith = (values: Readonly<Record<string, unknown>>) => refused(without(setAll(values)))

const corrective =
  (reason: string, type: 'S' | 'D', code = '03') =>
  (invoice: Loose) => {
    invoice.header.invoice_type_code = code
    invoice.header.corrective = {
      reason_code: reason,
      correction_type: type,
      invoice_number: 'A-3',
      invoice_issue_date: '2026-12-01',
      ...(type === 'S' ? { corrected_taxable_base: 1000, corrected_tax_amount: 210 } : {}),
    }
    if (type === 'D') invoice.lines[0].quantity = -2
  }

/** Gives the line no tax, and the totals that follow. */
const untax = (invoice: Loose, treatment: object) => {
  Object.assign(invoice.lines[0], { ...treatment, tax_output_rate: 0 })
  invoice.totals = { total_gross_amount_before_taxes: 200, total_tax_outputs: 0, invoice_total: 200 }
}

describe('registrationRecord', () => {
  it('maps an ordinary invoice to F1, member by member', () => {
    expect(registered()).toEqual({
      IDVersion: '1.0',
      IDFactura: {
        IDEmisorFactura: 'B12345674',
        NumSerieFactura: 'A-7',
        FechaExpedicionFactura: '15-01-2027',
      },
      RefExterna: 'ref 1',
      NombreRazonEmisor: 'Calderas Ficticias, S.L.',
      TipoFactura: 'F1',
      DescripcionOperacion: 'Revisión',
      Destinatarios: { IDDestinatario: [{ NombreRazon: 'Estudio Imaginado, S.L.', NIF: 'B77777779' }] },
      Desglose: {
        DetalleDesglose: [
          {
            Impuesto: '01',
            ClaveRegimen: '01',
            CalificacionOperacion: 'S1',
            TipoImpositivo: '21',
            BaseImponibleOimporteNoSujeto: '200.00',
            CuotaRepercutida: '42.00',
          },
        ],
      },
      CuotaTotal: '42.00',
      ImporteTotal: '242.00',
      Encadenamiento: { PrimerRegistro: 'S' },
      SistemaInformatico: SYSTEM,
      FechaHoraHusoGenRegistro: '2027-01-15T10:00:00+01:00',
      TipoHuella: '01',
      Huella: expect.stringMatching(/^[0-9A-F]{64}$/),
    })
  })

  it('does not change its arguments or share blocks with them', () => {
    const data = validated()
    const before = structuredClone(data)
    const system = { ...SYSTEM }
    const { record } = registrationRecord(data, { ...OPTIONS, system })
    expect(data).toEqual(before)
    expect(required(record).RegistroAlta.SistemaInformatico).not.toBe(system)
  })

  it('maps a simplified invoice to F2 without recipient, and to F1 with the flag of arts. 7.2 and 7.3 with one', () => {
    const simple = registered(setAll({ 'header/invoice_type_code': '02', customer: undefined }))
    expect([simple.TipoFactura, simple.Destinatarios, simple.FacturaSimplificadaArt7273]).toEqual([
      'F2',
      undefined,
      undefined,
    ])
    const named = registered(setTo('header/invoice_type_code', '02'))
    expect([
      named.TipoFactura,
      named.Destinatarios?.IDDestinatario.length,
      named.FacturaSimplificadaArt7273,
    ]).toEqual(['F1', 1, 'S'])
  })

  it('maps each of the 25 correction reasons to its R type, and type 04 always to R5', () => {
    const expected: Record<string, string> = {
      '11': 'R1',
      '12': 'R1',
      '16': 'R1',
      '17': 'R1',
      '19': 'R1',
      '20': 'R1',
      '21': 'R1',
      '22': 'R2',
      '23': 'R3',
      '24': 'R1',
    }
    const reasons = catalog('correction-reasons').map((row) => row.code)
    expect(reasons).toHaveLength(25)
    for (const reason of reasons) {
      expect(registered(corrective(reason, 'D')).TipoFactura, reason).toBe(expected[reason] ?? 'R4')
      const simplified = registered((invoice) => {
        corrective(reason, 'D', '04')(invoice)
        delete invoice.customer
      })
      expect([simplified.TipoFactura, simplified.Destinatarios]).toEqual(['R5', undefined])
    }
  })

  it('states the corrected amounts of a substitution, none for differences, and the corrected invoice for both', () => {
    const reference = {
      IDFacturaRectificada: [
        { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-3', FechaExpedicionFactura: '01-12-2026' },
      ],
    }
    const byDifferences = registered(corrective('20', 'D'))
    expect(byDifferences).toMatchObject({
      TipoRectificativa: 'I',
      FacturasRectificadas: reference,
      CuotaTotal: '-42.00',
      ImporteTotal: '-242.00',
      FechaOperacion: '01-12-2026',
    })
    expect(byDifferences.ImporteRectificacion).toBeUndefined()
    const bySubstitution = registered(corrective('20', 'S'), { corrected_surcharge_amount: 5.2 })
    expect(bySubstitution).toMatchObject({
      TipoRectificativa: 'S',
      FacturasRectificadas: reference,
      ImporteRectificacion: {
        BaseRectificada: '1000.00',
        CuotaRectificada: '210.00',
        CuotaRecargoRectificado: '5.20',
      },
      ImporteTotal: '242.00',
    })
    const several = registered(corrective('20', 'D'), {
      corrects: [{ invoice_number: 'A-4', issue_date: '2026-12-02' }],
    })
    expect(several.FacturasRectificadas?.IDFacturaRectificada.map((one) => one.NumSerieFactura)).toEqual([
      'A-3',
      'A-4',
    ])
  })

  it('maps a full invoice that replaces simplified ones to F3, naming them', () => {
    const record = registered(() => {}, { replaces: [{ invoice_number: 'T-1', issue_date: '2027-01-02' }] })
    expect([record.TipoFactura, record.FacturasSustituidas?.IDFacturaSustituida]).toEqual([
      'F3',
      [{ IDEmisorFactura: 'B12345674', NumSerieFactura: 'T-1', FechaExpedicionFactura: '02-01-2027' }],
    ])
  })

  it('marks self-invoices with D, and invoices of a third party with T and its identity', () => {
    const own = registered(setTo('header/invoice_type_code', '05'))
    expect([own.TipoFactura, own.EmitidaPorTerceroODestinatario, own.Tercero]).toEqual(['F1', 'D', undefined])
    const third = { NombreRazon: 'Gestoría Ficticia', NIF: '12345678Z' }
    expect(registered(() => {}, { third_party: third })).toMatchObject({
      EmitidaPorTerceroODestinatario: 'T',
      Tercero: third,
    })
  })

  it.each([
    [
      'a German VAT number',
      { country_code: 'DE', tax_id: 'DE 136695976' },
      { IDOtro: { IDType: '02', ID: 'DE136695976' } },
    ],
    [
      'a Greek VAT number, with the prefix EL',
      { country_code: 'GR', tax_id: '094259216' },
      { IDOtro: { IDType: '02', ID: 'EL094259216' } },
    ],
    [
      'a tax id of the United States',
      { country_code: 'US', tax_id: '12-3456789' },
      { IDOtro: { CodigoPais: 'US', IDType: '04', ID: '123456789' } },
    ],
    [
      'a passport',
      {
        country_code: 'MX',
        tax_id: undefined,
        identifiers: [{ role: 'other', value: 'G12345678', scheme_id: 'OTHER', scheme_name: 'Passport' }],
      },
      { IDOtro: { CodigoPais: 'MX', IDType: '03', ID: 'G12345678' } },
    ],
    [
      'another identifier',
      {
        country_code: 'MX',
        tax_id: undefined,
        identifiers: [{ role: 'legal', value: 'REG 55', scheme_id: 'OTHER' }],
      },
      { IDOtro: { CodigoPais: 'MX', IDType: '06', ID: 'REG 55' } },
    ],
    [
      'a tax id of Martinique, which the list has under France',
      { country_code: 'MQ', tax_id: '12345' },
      { IDOtro: { CodigoPais: 'FR', IDType: '04', ID: '12345' } },
    ],
  ])('identifies a recipient with %s', (_, party, expected) => {
    const record = registered((invoice) => {
      Object.assign(invoice.customer, party)
      if (party.tax_id === undefined) delete invoice.customer.tax_id
      delete invoice.customer.company
      untax(invoice, { tax_treatment_code: 'NON_TAXABLE', non_taxable_reason: 'LOCATION_RULES' })
    })
    expect(record.Destinatarios?.IDDestinatario[0]).toEqual({
      NombreRazon: 'Estudio Imaginado, S.L.',
      ...expected,
    })
  })

  it('identifies a Spanish recipient outside the census as 07', () => {
    const record = registered(
      setTo('customer', {
        person_type_code: 'F',
        tax_id: '12345678Z',
        name: 'Ana Inventada',
        person: { address: { address: 'Calle 2', post_code: '39004', town: 'Santander' } },
      }),
      { recipient_not_in_census: true },
    )
    expect(record.Destinatarios?.IDDestinatario[0]).toMatchObject({
      IDOtro: { CodigoPais: 'ES', IDType: '07', ID: '12345678Z' },
    })
  })

  it('maps an invoice to a foreign private customer without identifier to art. 6.1.d', () => {
    const record = registered(
      setTo('customer', { name: 'Marie Inventée', person_type_code: 'F', country_code: 'FR' }),
    )
    expect([record.TipoFactura, record.FacturaSinIdentifDestinatarioArt61d, record.Destinatarios]).toEqual([
      'F2',
      'S',
      undefined,
    ])
  })

  it('classifies lines: reverse charge S2 with explicit zeros, exempt without rate, N1 and N2 with only the base', () => {
    const lines = (extra: object) =>
      setAll({
        lines: [
          { item_description: 'x', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 0, ...extra },
        ],
        totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 0, invoice_total: 100 },
      })
    const only = (extra: object) => registered(lines(extra)).Desglose.DetalleDesglose
    expect(only({ tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' })).toEqual([
      {
        Impuesto: '01',
        ClaveRegimen: '01',
        CalificacionOperacion: 'S2',
        TipoImpositivo: '0',
        BaseImponibleOimporteNoSujeto: '100.00',
        CuotaRepercutida: '0.00',
      },
    ])
    expect(only({ tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' })).toEqual([
      { Impuesto: '01', ClaveRegimen: '01', OperacionExenta: 'E1', BaseImponibleOimporteNoSujeto: '100.00' },
    ])
    expect(only({ tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E2' })[0]?.ClaveRegimen).toBe(
      '02',
    )
    const ipsi = registered((invoice) => {
      invoice.issue_data.tax_group_code = 'IPSI'
      lines({ tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E2' })(invoice)
      delete invoice.lines[0].tax_output_rate
    }).Desglose.DetalleDesglose
    expect(ipsi).toEqual([
      { Impuesto: '02', ClaveRegimen: '01', OperacionExenta: 'E2', BaseImponibleOimporteNoSujeto: '100.00' },
    ])
    expect(only({ tax_treatment_code: 'NON_TAXABLE', non_taxable_reason: 'ARTICLES_7_14_OTHER' })).toEqual([
      {
        Impuesto: '01',
        ClaveRegimen: '01',
        CalificacionOperacion: 'N1',
        BaseImponibleOimporteNoSujeto: '100.00',
      },
    ])
  })

  it('includes the surcharge in the line, CuotaTotal and ImporteTotal', () => {
    const record = registered(
      setAll({
        taxes_outputs: [
          {
            tax_rate: 21,
            taxable_base: 200,
            tax_amount: 42,
            equivalence_surcharge: 5.2,
            equivalence_surcharge_amount: 10.4,
          },
        ],
        totals: { total_gross_amount_before_taxes: 200, total_tax_outputs: 52.4, invoice_total: 252.4 },
      }),
    )
    expect(record.Desglose.DetalleDesglose[0]).toMatchObject({
      TipoRecargoEquivalencia: '5.2',
      CuotaRecargoEquivalencia: '10.40',
    })
    expect([record.CuotaTotal, record.ImporteTotal]).toEqual(['52.40', '252.40'])
  })

  it('excludes withholding, disbursements and payments on account from the amounts', () => {
    const record = registered(
      setAll({ 'lines/0/tax_withheld_rate': 15, 'totals/reimbursable_expenses': undefined }),
    )
    expect(record.ImporteTotal).toBe('242.00')
  })

  it('excludes foreign one-stop-shop tax: ImporteTotal is the Spanish part', () => {
    const example = JSON.parse(
      readFileSync(new URL('../../../examples/08-one-stop-shop-france.json', import.meta.url), 'utf8'),
    )
    const { data } = validate(example)
    const invoice: Loose = structuredClone(data)
    invoice.invoice.header.invoice_number ??= 'A-1'
    invoice.invoice.issue_data.issue_date ??= '2027-01-15'
    const record = required(
      registrationRecord(invoice, { ...OPTIONS, timestamp: '2027-06-30T12:00:00+02:00' }).record,
    )
    const { totals } = invoice.invoice
    expect(totals.total_consumption_taxes).toBeGreaterThan(0)
    expect(Number(record.RegistroAlta.ImporteTotal)).toBeCloseTo(
      totals.invoice_total - totals.total_consumption_taxes,
      2,
    )
    expect(record.RegistroAlta.Desglose.DetalleDesglose[0]).toMatchObject({
      ClaveRegimen: '17',
      CalificacionOperacion: 'N2',
    })
  })

  it('sets Macrodato S from one hundred million', () => {
    const of = (price: number) =>
      registered(
        setAll({
          'lines/0': {
            item_description: 'x',
            quantity: 1,
            unit_price_without_tax: price,
            tax_treatment_code: 'TAXABLE_EXEMPT',
            exemption_reason_code: 'E1',
          },
          totals: { total_gross_amount_before_taxes: price, total_tax_outputs: 0, invoice_total: price },
        }),
      ).Macrodato
    expect([of(99_999_999.99), of(100_000_000)]).toEqual([undefined, 'S'])
  })

  it('states the operation date only if it differs, the description of the invoice, and references that fit', () => {
    const record = registered(
      setAll({
        'issue_data/operation_date': '2027-01-10',
        'issue_data/invoice_description': 'ñ'.repeat(500),
      }),
    )
    expect([record.FechaOperacion, record.DescripcionOperacion.length]).toEqual(['10-01-2027', 500])
    expect(registered(setTo('issue_data/operation_date', '2027-01-15')).FechaOperacion).toBeUndefined()
  })

  it.each([
    ['none', { Subsanacion: 'S' }],
    ['rejected', { Subsanacion: 'S', RechazoPrevio: 'S' }],
    ['never_registered', { Subsanacion: 'S', RechazoPrevio: 'X' }],
  ] as const)('marks a record with correction "%s"', (correction, expected) => {
    const record = registered(() => {}, { correction })
    expect({
      Subsanacion: record.Subsanacion,
      ...(record.RechazoPrevio ? { RechazoPrevio: record.RechazoPrevio } : {}),
    }).toEqual(expected)
  })

  it('states agreements and coupons', () => {
    expect(registered(() => {}, { invoicing_agreement: 'AC1', system_agreement: 'RES1' })).toMatchObject({
      NumRegistroAcuerdoFacturacion: 'AC1',
      IdAcuerdoSistemaInformatico: 'RES1',
    })
    expect(registered(corrective('20', 'D'), { coupon: true }).Cupon).toBe('S')
  })

  it('links to the previous record in the same way from a record or its link', () => {
    const previous = alta()
    const data = validated()
    const timestamp = '2027-01-15T10:00:01+01:00'
    const a = registrationRecord(data, { ...OPTIONS, previous, timestamp })
    const b = registrationRecord(data, { ...OPTIONS, previous: linkOf(previous), timestamp })
    expect(a.ok && a).toEqual(b)
    expect(a.record?.RegistroAlta.Encadenamiento).toEqual({ RegistroAnterior: linkOf(previous) })
  })
})

describe('refusals of registrationRecord', () => {
  it.each([
    ['nothing', null],
    ['an empty object', {}],
    ['a document without validation', BASE],
  ])('refuses %s', (_, invoice) => {
    expect(refused(invoice)[0]).toMatch(/^record\.not_normalised/)
  })

  it('refuses received invoices, missing numbers and dates, and an issuer without a Spanish NIF', () => {
    expect(refusedWith({ 'meta/direction': 'received' })).toEqual(['record.direction /meta/direction'])
    expect(
      refusedWith({ 'invoice/header/invoice_number': undefined, 'invoice/issue_data/issue_date': undefined }),
    ).toEqual([
      'record.required /invoice/header/invoice_number',
      'record.required /invoice/issue_data/issue_date',
    ])
    expect(refusedWith({ 'invoice/header/invoice_number': '  ' })).toEqual([
      'record.required /invoice/header/invoice_number',
    ])
    expect(refusedWith({ 'invoice/supplier/tax_id': 'FR12345678901' })).toEqual([
      'record.issuer_nif /invoice/supplier/tax_id',
    ])
  })

  it('refuses totals that were changed after the calculation', () => {
    expect(refusedWith({ 'invoice/totals/invoice_total': 243 })).toEqual([
      'record.totals_differ /invoice/totals/invoice_total',
    ])
    expect(refusedWith({ 'invoice/totals/total_tax_outputs': 41 })).toEqual([
      'record.totals_differ /invoice/totals/total_tax_outputs',
    ])
    const other = without(setTo('invoice/totals/invoice_total', 243.01))
    expect(registrationRecord(other, OPTIONS).items[0]?.message).toMatch(/243\.01.*\b242\b/)
  })

  it('refuses a correction without type or corrected amounts', () => {
    const correction = (change: Change) => {
      const data = structuredClone(validated(corrective('20', 'S')))
      change(data.invoice.header.corrective)
      return refused(data)
    }
    const path = 'record.correction /invoice/header/corrective'
    expect(correction((block) => delete block.correction_type)).toEqual([`${path}/correction_type`])
    expect(
      correction(setAll({ corrected_taxable_base: undefined, corrected_tax_amount: undefined })),
    ).toEqual([`${path}/corrected_taxable_base`, `${path}/corrected_tax_amount`])
  })

  it('accepts the result of validate, and refuses one with errors', () => {
    const document: Loose = structuredClone(BASE)
    const right = validate(document, { operation: 'import' })
    expect(registrationRecord(right, OPTIONS)).toEqual(registrationRecord(required(right.data), OPTIONS))
    document.invoice.lines[0].tax_output_rate = 20
    const wrong = validate(document, { operation: 'import' })
    expect(wrong.data).not.toBeNull()
    expect(refused(wrong)).toEqual(['record.invalid_invoice '])
    expect(refused(validate({}))).toEqual(['record.invalid_invoice '])
  })

  it('refuses the last record of another taxpayer or installation, unless the chain continues', () => {
    const data = validated()
    const timestamp = '2027-01-15T10:00:01+01:00'
    const other = alta(setTo('IDFactura/IDEmisorFactura', 'B77777779'))
    expect(refused(data, { previous: other, timestamp })).toEqual(['record.other_chain /previous'])
    expect(refused(data, { previous: linkOf(other), timestamp })).toEqual(['record.other_chain /previous'])
    const installation = { ...SYSTEM, NumeroInstalacion: '2' }
    expect(refused(data, { previous: alta(), timestamp, system: installation })).toEqual([
      'record.other_chain /previous',
    ])
    expect(
      registrationRecord(data, { ...OPTIONS, previous: other, timestamp, chain_continues: true }).ok,
    ).toBe(true)
    const version = { ...SYSTEM, Version: '2.0' }
    expect(registrationRecord(data, { ...OPTIONS, previous: alta(), timestamp, system: version }).ok).toBe(
      true,
    )
  })

  it('names the part of the previous record that belongs to another chain', () => {
    const data = validated()
    const timestamp = '2027-01-15T10:00:01+01:00'
    const differing = (before: object, system: object) => {
      const previous = alta(setTo('SistemaInformatico', before))
      const { items } = untyped.registrationRecord(data, { ...OPTIONS, previous, timestamp, system })
      return items.flatMap(({ code, extra }: Loose) => (code === 'record.other_chain' ? [extra?.part] : []))
    }
    const { NIF: _, ...rest } = SYSTEM
    const foreign = (ID: string) => ({ ...rest, IDOtro: { CodigoPais: 'FR', IDType: '02', ID } })
    const nif = 'SistemaInformatico/NIF'
    expect(differing({ ...SYSTEM, NIF: 'B77777779' }, SYSTEM)).toEqual([nif])
    expect(differing(foreign('FR40303265045'), foreign('FR40303265045'))).toEqual([])
    expect(differing(foreign('FR40303265045'), foreign('FR83404833048'))).toEqual([nif])
    expect(differing(rest, SYSTEM)).toEqual([nif])
    expect(differing({ ...SYSTEM, IdSistemaInformatico: 'XX' }, SYSTEM)).toEqual(['IdSistemaInformatico'])
    // A missing system, or an issuer without NIF, is the only problem.
    for (const system of [undefined, null])
      expect(refused(data, { previous: alta(), timestamp, system })).toEqual(['record.system /system'])
    const foreigner = without(setTo('invoice/supplier/tax_id', 'FR12345678901'))
    expect(refused(foreigner, { previous: alta(), timestamp })).toEqual([
      'record.issuer_nif /invoice/supplier/tax_id',
    ])
  })

  it('states why a previous record is refused', () => {
    const reason = (previous: unknown) => {
      const { items } = untyped.registrationRecord(validated(), { ...OPTIONS, previous })
      expect(items.map(({ code, path }: Loose) => `${code} ${path}`)).toEqual(['record.previous /previous'])
      return items[0]?.extra?.reason?.en ?? items[0]?.extra?.reason
    }
    const link = linkOf(alta())
    expect(reason({ record: alta() })).toMatch(/the result of a record function/)
    expect(reason({ RegistroEvento: {} })).toMatch(/an event/)
    for (const incomplete of [{ RegistroAlta: {} }, { RegistroAlta: null }, { ...link, NumSerieFactura: '' }])
      expect(reason(incomplete)).toMatch(/IDFactura is not complete/)
    expect(reason({ ...link, Huella: link.Huella.toLowerCase() })).toMatch(/its hash is "[0-9a-f]{64}"/)
    expect(reason(5)).toMatch(/nothing was passed/)
    expect(() => untyped.linkOf({ RegistroEvento: {} })).toThrow(/link events with eventRecord/)
  })

  it('accepts the second of the previous record, and states both timestamps if it is earlier', () => {
    const previous = alta()
    const result = registrationRecord(validated(), { ...OPTIONS, previous })
    expect([result.ok, result.items]).toEqual([true, []])
    const earlier = { ...OPTIONS, previous, timestamp: '2027-01-15T09:59:59+01:00' }
    expect(registrationRecord(validated(), earlier).items).toMatchObject([
      {
        code: 'record.previous_later',
        extra: { received: earlier.timestamp, expected: '2027-01-15T10:00:00+01:00' },
      },
    ])
    const { items } = registrationRecord(validated(), { ...OPTIONS, timestamp: '15-01-2027' })
    expect(items).toMatchObject([{ code: 'record.timestamp', extra: { received: '15-01-2027' } }])
  })

  it('refuses to register the invoice of the previous record again, except as a correction', () => {
    const numbered = (number: string, date = '2027-01-15') =>
      validated(setAll({ 'header/invoice_number': number, 'issue_data/issue_date': date }))
    const data = numbered('A-2')
    const options = { previous: alta(), timestamp: '2027-01-15T10:00:01+01:00' }
    expect(refused(data, options)).toEqual(['record.already_registered /invoice/header/invoice_number'])
    expect(refused(numbered(' A-2 '), options)).toEqual([
      'record.already_registered /invoice/header/invoice_number',
    ])
    expect(registrationRecord(data, { ...OPTIONS, ...options, correction: 'none' }).ok).toBe(true)
    // The same number of another day or issuer, or of a cancelled invoice, is another registration.
    expect(registrationRecord(numbered('A-2', '2027-01-14'), { ...OPTIONS, ...options }).ok).toBe(true)
    const ofOther = alta(setTo('IDFactura/IDEmisorFactura', 'B77777779'))
    const merged = { ...OPTIONS, ...options, previous: ofOther, chain_continues: true }
    expect(registrationRecord(data, merged).ok).toBe(true)
    const cancelled = { ...options, previous: anulacion(), timestamp: '2027-01-15T11:00:01+01:00' }
    expect(registrationRecord(data, { ...OPTIONS, ...cancelled }).ok).toBe(true)
    const draft = without(
      setAll({ 'invoice/header/invoice_number': undefined, 'invoice/issue_data/issue_date': undefined }),
    )
    expect(refused(draft, options)).toEqual([
      'record.required /invoice/header/invoice_number',
      'record.required /invoice/issue_data/issue_date',
    ])
  })

  it('warns of a changed previous record, and links to it anyway', () => {
    const previous: Loose = structuredClone(alta())
    previous.RegistroAlta.ImporteTotal = '1.00'
    const result = registrationRecord(validated(), {
      ...OPTIONS,
      previous,
      timestamp: '2027-01-15T10:00:01+01:00',
    })
    expect(result.ok).toBe(true)
    expect(result.items.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning record.previous_changed',
    ])
    // Without a member of its hash it has no hash either.
    delete previous.RegistroAlta.ImporteTotal
    const timestamp = '2027-01-15T10:00:01+01:00'
    const incomplete = registrationRecord(validated(), { ...OPTIONS, previous, timestamp })
    expect(incomplete.items.map(({ code }) => code)).toEqual(['record.previous_changed'])
  })

  it('uses an injected hash for the record and for its check, and the language of the options', () => {
    // Not SHA-256 of the text, so that a hash of another implementation would be noticed.
    const hash = (text: string) => createHash('sha256').update(`own ${text}`).digest('hex')
    const made = registrationRecord(validated(), { ...OPTIONS, hash })
    expect(made.items).toEqual([])
    const previous = made.record
    const timestamp = '2027-01-15T10:00:01+01:00'
    const next = validated(setTo('header/invoice_number', 'A-8'))
    expect(registrationRecord(next, { ...OPTIONS, hash, previous, timestamp }).items).toEqual([])
    const wrong = { ...OPTIONS, timestamp: '2027-01-15T10:00:00', locale: 'es' } as const
    const event = { type: '01', taxpayer: HEADER.ObligadoEmision } as const
    for (const { items } of [
      registrationRecord(validated(), wrong),
      cancellationRecord(alta(), wrong),
      eventRecord({ ...wrong, ...event, previous: null }),
    ])
      expect(items.map(({ message }) => message)).toEqual([
        expect.stringContaining('no es una fecha y hora válida'),
      ])
    // The findings of the authority's checks too.
    const later = validated(setTo('issue_data/issue_date', '2027-01-16'))
    const texts = (['en', 'es'] as const).map(
      (locale) => registrationRecord(later, { ...OPTIONS, locale }).items[0]?.message,
    )
    expect(new Set(texts).size).toBe(2)
  })

  it('omits an empty reference, agreement or text', () => {
    const members = Object.keys(registered(() => {}, { invoicing_agreement: '', system_agreement: '' }))
    expect(members).not.toContain('NumRegistroAcuerdoFacturacion')
    expect(members).not.toContain('IdAcuerdoSistemaInformatico')
    const cancelled = cancellationRecord(alta(), { ...OPTIONS, external_ref: '' })
    expect(Object.keys(required(cancelled.record).RegistroAnulacion)).not.toContain('RefExterna')
    const event = eventRecord({
      ...OPTIONS,
      type: '90',
      taxpayer: HEADER.ObligadoEmision,
      previous: null,
      text: '',
      data: {},
    })
    const own = Object.keys(required(event.record).RegistroEvento.Evento)
    expect(own).not.toContain('OtrosDatosEvento')
    expect(own).not.toContain('DatosPropiosEvento')
  })

  it('counts the tax of taxed lines alone', () => {
    const exempt = without((document) => {
      const { taxes_outputs: entries, totals } = document.invoice
      entries[0] = {
        ...entries[0],
        tax_treatment_code: 'TAXABLE_EXEMPT',
        exemption_reason_code: 'E1',
        tax_rate: 0,
      }
      Object.assign(totals, { total_tax_outputs: 0, invoice_total: 200 })
    })
    expect(exempt.invoice.taxes_outputs[0].tax_amount).toBe(42)
    const { record } = registrationRecord(exempt, OPTIONS)
    expect([record?.RegistroAlta.CuotaTotal, record?.RegistroAlta.ImporteTotal]).toEqual(['0.00', '200.00'])
  })

  it('states key 02 for an export, unless the invoice has another key', () => {
    const keyOf = (tax_regime_key: string) => {
      const data = without((document) => {
        const [entry] = document.invoice.taxes_outputs
        const exempt = { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E2' }
        Object.assign(entry, { ...exempt, tax_rate: 0, tax_amount: 0, tax_regime_key })
        Object.assign(document.invoice.totals, { total_tax_outputs: 0, invoice_total: 200 })
      })
      return registrationRecord(data, OPTIONS).record?.RegistroAlta.Desglose.DetalleDesglose[0]?.ClaveRegimen
    }
    // Travel agencies and the simplified regime; keys 12 and 13 of the SII are key 11 here.
    expect(['01', '05', '20', '12', '13'].map(keyOf)).toEqual(['02', '05', '20', '11', '11'])
  })

  it('allows a named customer in a full invoice without recipient', () => {
    const data = without(
      setAll({
        'invoice/header/invoice_type_code': '02',
        'invoice/header/is_simplified': true,
        'invoice/customer/tax_id': 'B77777770',
      }),
    )
    expect(refused(data)).toEqual(['record.recipient_unidentified /invoice/customer/tax_id'])
    expect(registrationRecord(data, { ...OPTIONS, without_recipient: true }).ok).toBe(true)
  })

  it('names the issuer of a reference if it is another one', () => {
    const references = [
      { invoice_number: ' T-1 ', issue_date: '2027-01-02', issuer_tax_id: 'ES-B77777779' },
      { invoice_number: 'T-2', issue_date: '2027-01-02' },
    ]
    const { FacturasSustituidas } = registered(() => {}, { replaces: references })
    expect(FacturasSustituidas?.IDFacturaSustituida).toEqual([
      { IDEmisorFactura: 'B77777779', NumSerieFactura: 'T-1', FechaExpedicionFactura: '02-01-2027' },
      { IDEmisorFactura: 'B12345674', NumSerieFactura: 'T-2', FechaExpedicionFactura: '02-01-2027' },
    ])
    expect(registered(() => {}, { replaces: [] }).TipoFactura).toBe('F1')
  })

  it('warns of an intra-Community supply to a customer without a VAT number of another member state', () => {
    const data = validated((invoice) => {
      invoice.customer = { name: 'ACME', tax_id: '12-3456789', country_code: 'US', person_type_code: 'J' }
      untax(invoice, { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E5' })
    })
    const { ok, items } = registrationRecord(data, OPTIONS)
    expect([ok, ...items.map((item) => item.code)]).toEqual([true, 'record.intra_community'])
    // Together with another exempt line too, but not for any other exemption.
    const codesOf = (...reasons: string[]) => {
      const invoice = without((document) => {
        const [entry] = structuredClone(data).invoice.taxes_outputs ?? []
        Object.assign(document, structuredClone(data))
        document.invoice.taxes_outputs = reasons.map((exemption_reason_code) => ({
          ...entry,
          exemption_reason_code,
          taxable_base: 200 / reasons.length,
        }))
      })
      return registrationRecord(invoice, OPTIONS).items.map((item) => item.code)
    }
    expect(codesOf('E1', 'E5')).toEqual(['record.intra_community'])
    expect(codesOf('E1')).toEqual([])
  })

  it.each([
    ['a missing number', { invoice_number: '', issue_date: '2027-01-02' }, '/corrects/0/invoice_number'],
    ['a date in another form', { invoice_number: 'A-1', issue_date: '02-01-2027' }, '/corrects/0/issue_date'],
  ])('refuses a reference with %s', (_, reference, path) => {
    expect(refused(validated(corrective('20', 'D')), { corrects: [reference] })).toEqual([
      `record.reference ${path}`,
    ])
    expect(refused(validated(corrective('20', 'D')), { corrects: [null] })).toHaveLength(2)
  })

  it('throws for unknown options or wrong types, and names them', () => {
    const data = validated()
    for (const [wrong, name] of [
      [{ correction: 'foo' }, /correction/],
      [{ without_recipent: true }, /without_recipent/],
      [{ without_recipient: 'yes' }, /without_recipient/],
      [{ locale: 'fr' }, /locale/],
      [{ replaces: 'x' }, /replaces/],
    ] as const)
      expect(() => untyped.registrationRecord(data, { ...OPTIONS, ...wrong })).toThrow(name)
    for (const wrong of [null, undefined, 5]) {
      expect(() => untyped.registrationRecord(data, wrong)).toThrow(/options of/)
      expect(() => untyped.cancellationRecord(alta(), wrong)).toThrow(/options of/)
      expect(() => untyped.eventRecord(wrong)).toThrow(/options of/)
    }
  })

  it.each([
    ['the whole result of a function', { record: alta() }],
    ['a record without identity', { RegistroAlta: {} }],
    [
      'a link without number',
      { IDEmisorFactura: 'B12345674', FechaExpedicionFactura: '14-01-2027', Huella: 'A'.repeat(64) },
    ],
  ])('refuses %s as the previous record', (_, previous) => {
    expect(refused(validated(), { previous })).toEqual(['record.previous /previous'])
  })

  it('identifies a customer of Northern Ireland by the VAT number', () => {
    const record = registered((invoice) => {
      invoice.customer = {
        name: 'Belfast Ltd',
        tax_id: 'XI434031494',
        country_code: 'GB',
        person_type_code: 'J',
      }
      untax(invoice, { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E5' })
    })
    expect(record.Destinatarios?.IDDestinatario[0]).toMatchObject({
      IDOtro: { IDType: '02', ID: 'XI434031494' },
    })
  })

  it('refuses options that would have no effect', () => {
    const reference = [{ invoice_number: 'T-1', issue_date: '2027-01-02' }]
    const simplified = validated(setTo('header/invoice_type_code', '02'))
    expect(refused(simplified, { replaces: reference })).toEqual(['record.option /replaces'])
    expect(refused(validated(), { corrects: reference })).toEqual(['record.option /corrects'])
    expect(refused(validated(corrective('20', 'D')), { corrected_surcharge_amount: 1 })).toEqual([
      'record.option /corrected_surcharge_amount',
    ])
    const own = validated(setTo('header/invoice_type_code', '05'))
    expect(refused(own, { third_party: { NombreRazon: 'X', NIF: '12345678Z' } })).toEqual([
      'record.option /third_party',
    ])
  })

  it('refuses an unidentified Spanish customer on a full invoice, unless it is issued without recipient', () => {
    const data = without(setTo('invoice/customer/tax_id', undefined))
    expect(refused(data)).toEqual(['record.recipient_unidentified /invoice/customer'])
    const { record } = registrationRecord(data, { ...OPTIONS, without_recipient: true })
    expect(record?.RegistroAlta.FacturaSinIdentifDestinatarioArt61d).toBe('S')
    expect(record?.RegistroAlta.Destinatarios).toBeUndefined()
  })

  it.each([
    ['no previous record', { previous: undefined }, 'record.previous /previous'],
    [
      'an unknown previous hash',
      {
        previous: {
          IDEmisorFactura: 'B12345674',
          NumSerieFactura: 'A-1',
          FechaExpedicionFactura: '14-01-2027',
          Huella: 'xyz',
        },
      },
      'record.previous /previous',
    ],
    ['an event as previous record', { previous: { RegistroEvento: {} } }, 'record.previous /previous'],
    [
      'a timestamp before the previous record’s',
      { previous: alta(), timestamp: '2027-01-15T09:59:59+01:00' },
      'record.previous_later /timestamp',
    ],
    ['a timestamp without offset', { timestamp: '2027-01-15T10:00:00' }, 'record.timestamp /timestamp'],
    [
      'a timestamp with fractions',
      { timestamp: '2027-01-15T10:00:00.5+01:00' },
      'record.timestamp /timestamp',
    ],
    ['an impossible day', { timestamp: '2027-02-30T10:00:00+01:00' }, 'record.timestamp /timestamp'],
    ['summer time in winter', { timestamp: '2027-01-15T10:00:00+02:00' }, 'record.timestamp_zone /timestamp'],
    ['no system', { system: undefined }, 'record.system /system'],
    ['a system that is null', { system: null }, 'record.system /system'],
    ['no timestamp', { timestamp: undefined }, 'record.timestamp /timestamp'],
  ])('refuses %s', (_, options, expected) => {
    expect(refused(validated(), options)).toEqual([expected])
  })

  it('refuses what the authority would reject, with its code: an issue date after the timestamp', () => {
    expect(refused(validated(setTo('issue_data/issue_date', '2027-01-16')))).toEqual([
      'aeat.1112 /RegistroAlta/IDFactura/FechaExpedicionFactura',
    ])
  })

  it('accepts Canary time, whole hours from UTC', () => {
    expect(registrationRecord(validated(), { ...OPTIONS, timestamp: '2027-01-15T09:00:00+00:00' }).ok).toBe(
      true,
    )
  })

  it('refuses 13 breakdown lines, with one item', () => {
    const data = without((document) => {
      const [entry] = document.invoice.taxes_outputs
      document.invoice.taxes_outputs = Array.from({ length: 13 }, (_, i) => ({
        ...entry,
        tax_regime_key: ['01', '07', '11'][i % 3],
        tax_rate: i,
        taxable_base: 0,
        tax_amount: 0,
      }))
      document.invoice.totals = { ...document.invoice.totals, invoice_total: 0, total_tax_outputs: 0 }
    })
    expect(refused(data)).toContain('aeat.4102 /RegistroAlta/Desglose/DetalleDesglose')
  })
})

describe('cancellationRecord and eventRecord', () => {
  it('a cancellation names the invoice, has a link, and is hashed', () => {
    const target = alta()
    const { record, hash } = cancellationRecord(target, {
      ...OPTIONS,
      previous: target,
      timestamp: '2027-01-15T10:00:05+01:00',
      external_ref: 'x',
      generated_by: { type: 'E', party: { NombreRazon: 'Calderas Ficticias, S.L.', NIF: 'B12345674' } },
    })
    expect(record?.RegistroAnulacion).toMatchObject({
      IDFactura: { IDEmisorFacturaAnulada: 'B12345674', NumSerieFacturaAnulada: 'A-2' },
      Huella: hash,
      GeneradoPor: 'E',
    })
    expect(checkRecord(required(record))).toEqual([])
    if (officialSchema) expect(officialSchema()(recordXml(required(record)))).toEqual([])
    expect(readVerifactu(recordXml(required(record))).document?.value).toEqual(
      required(record).RegistroAnulacion,
    )
  })

  it('a cancellation is marked as never registered or rejected before', () => {
    const target = alta()
    const { record } = cancellationRecord(target, {
      ...OPTIONS,
      previous: target,
      timestamp: '2027-01-15T10:00:05+01:00',
      never_registered: true,
      rejected: true,
    })
    expect(record?.RegistroAnulacion).toMatchObject({ SinRegistroPrevio: 'S', RechazoPrevio: 'S' })
    const empty = { IDEmisorFactura: '', NumSerieFactura: '', FechaExpedicionFactura: '' }
    for (const nothing of [{}, null, undefined, { RegistroAlta: null }, { RegistroAlta: {} }, empty])
      expect(
        untyped
          .cancellationRecord(nothing, { ...OPTIONS })
          .items.map(({ code, path }: Loose) => [code, path]),
      ).toEqual(Object.keys(empty).map((field) => ['record.required', `/${field}`]))
    const plain = required(cancellationRecord(target, { ...OPTIONS }).record).RegistroAnulacion
    for (const mark of ['SinRegistroPrevio', 'RechazoPrevio', 'GeneradoPor', 'RefExterna'])
      expect(Object.keys(plain)).not.toContain(mark)
  })

  it('events link to each other and need the block of their type', () => {
    const base = {
      taxpayer: HEADER.ObligadoEmision,
      system: SYSTEM,
      timestamp: '2027-01-15T10:00:00+01:00',
    } as const
    const first = eventRecord({ ...base, type: '01', previous: null })
    expect(first.record?.RegistroEvento.Evento).toMatchObject({
      TipoEvento: '01',
      Encadenamiento: { PrimerEvento: 'S' },
      HuellaEvento: first.hash,
    })
    const summary = {
      ResumenEventos: {
        TipoEvento: [{ TipoEvento: '01', NumeroDeEventos: '1' }],
        NumeroDeRegistrosFacturacionAltaGenerados: '0',
        SumaCuotaTotalAlta: '0.00',
        SumaImporteTotalAlta: '0.00',
        NumeroDeRegistrosFacturacionAnulacionGenerados: '0',
      },
    }
    const second = eventRecord({
      ...base,
      type: '10',
      previous: required(first.record),
      data: summary as never,
    })
    expect(second.items.map((item) => item.message)).toEqual([])
    expect(second.record?.RegistroEvento.Evento.Encadenamiento.EventoAnterior).toEqual({
      TipoEvento: '01',
      FechaHoraHusoGenEvento: base.timestamp,
      HuellaEvento: first.hash,
    })
    expect(readVerifactu(recordXml(required(second.record))).document?.value).toEqual(
      required(second.record).RegistroEvento,
    )
    const made = (options: object) => eventRecord({ ...base, type: '01', previous: null, ...options }).items
    const codeOf = (options: object) => made(options)[0]?.code
    for (const [type, block] of Object.entries(EVENT_DATA))
      expect(
        made({ type }).map((item) => item.code),
        block,
      ).toEqual(['record.event_type'])
    expect(codeOf({ data: summary })).toBe('record.event_type')
    expect(codeOf({ previous: undefined })).toBe('record.previous')
    // Exactly one block, that of its type.
    const two = { ...summary, DeteccionAnomaliasRegEvento: {} }
    expect(codeOf({ type: '10', data: two })).toBe('record.event_type')
    // The link to an event needs both type and timestamp.
    for (const missing of ['TipoEvento', 'FechaHoraHusoGenEvento']) {
      const half = {
        ...required(second.record).RegistroEvento.Evento.Encadenamiento.EventoAnterior,
        [missing]: undefined,
      }
      expect(codeOf({ previous: half }), missing).toBe('record.previous')
    }
    // One block, but of another type.
    const other = { DeteccionAnomaliasRegEvento: {} }
    expect(made({ type: '10', data: other })).toMatchObject([
      { code: 'record.event_type', path: '/data', extra: { received: '10', allowed: 'ResumenEventos' } },
    ])
    const failing = (options: object) => made(options).map(({ code, path }) => `${code} ${path}`)
    const previous = required(first.record)
    const link = required(required(second.record).RegistroEvento.Evento.Encadenamiento.EventoAnterior)
    expect(failing({ previous })).toEqual([])
    expect(failing({ previous, timestamp: '2027-01-15T09:59:59+01:00' })).toEqual([
      'record.previous_later /timestamp',
    ])
    for (const wrong of [{ RegistroEvento: null }, { RegistroEvento: {} }, { ...link, HuellaEvento: 'x' }])
      expect(failing({ previous: wrong })).toEqual(['record.previous /previous'])
    for (const taxpayer of [undefined, null, {}, { NombreRazon: 'X', NIF: '' }])
      expect(failing({ taxpayer })).toEqual(['record.required /taxpayer'])
    for (const system of [undefined, null]) expect(failing({ system })).toEqual(['record.system /system'])
    expect(failing({ timestamp: '2027-01-15' })).toEqual(['record.timestamp /timestamp'])
    const party = { NombreRazon: 'Gestoría Ficticia', NIF: '12345678Z' }
    const issued = eventRecord({ ...base, type: '01', previous: null, issued_by: { type: 'T', party } })
    expect(issued.record?.RegistroEvento.Evento).toMatchObject({
      EmitidaPorTerceroODestinatario: 'T',
      TerceroODestinatario: party,
    })
    const said = required(
      eventRecord({ ...base, type: '90', previous: null, text: 'Cambio de servidor' }).record,
    )
    expect(said.RegistroEvento.Evento.OtrosDatosEvento).toBe('Cambio de servidor')
    expect(Object.keys(required(first.record).RegistroEvento.Evento)).not.toContain('OtrosDatosEvento')
  })
})

describe('a VAT group at its advanced level (key 06)', () => {
  const underKey06 = (change: Change = () => {}) =>
    validated((invoice) => {
      for (const line of invoice.lines) line.tax_regime_key = '06'
      change(invoice)
    })

  it('takes its base at cost from the option, and passes the checks of the authority', () => {
    const { record, items } = registrationRecord(underKey06(), {
      ...OPTIONS,
      cost_bases: [{ tax_rate: 21, amount: 200 }],
    })
    expect(items).toEqual([])
    expect(record?.RegistroAlta.Desglose.DetalleDesglose).toEqual([
      {
        Impuesto: '01',
        ClaveRegimen: '06',
        CalificacionOperacion: 'S1',
        TipoImpositivo: '21',
        BaseImponibleOimporteNoSujeto: '200.00',
        BaseImponibleACoste: '200.00',
        CuotaRepercutida: '42.00',
      },
    ])
    if (officialSchema) expect(officialSchema()(recordXml(required(record)))).toEqual([])
  })

  it('has a base at cost for each of two rates', () => {
    const invoice = underKey06((one) => {
      one.lines.push({ ...one.lines[0], unit_price_without_tax: 50, tax_output_rate: 10 })
      Object.assign(one.totals, {
        total_gross_amount_before_taxes: 300,
        total_tax_outputs: 52,
        invoice_total: 352,
      })
    })
    const { record } = registrationRecord(invoice, {
      ...OPTIONS,
      cost_bases: [
        { tax_rate: 10, amount: 101.5 },
        { tax_rate: 21, amount: 199.99 },
      ],
    })
    expect(
      record?.RegistroAlta.Desglose.DetalleDesglose.map((line) => [
        line.TipoImpositivo,
        line.BaseImponibleACoste,
      ]),
    ).toEqual([
      ['21', '199.99'],
      ['10', '101.50'],
    ])
  })

  const codesWith = (cost_bases: unknown, invoice = underKey06()) =>
    untyped
      .registrationRecord(invoice, { ...OPTIONS, cost_bases })
      .items.map(({ code, path }: Loose) => `${code} ${path}`)

  it.each([
    [
      'without a base at cost',
      undefined,
      ['aeat.1202 /RegistroAlta/Desglose/DetalleDesglose/0/BaseImponibleACoste'],
    ],
    [
      'whose tax is not that of its base at cost',
      [{ tax_rate: 21, amount: 100 }],
      ['aeat.1144 /RegistroAlta/Desglose/DetalleDesglose/0/CuotaRepercutida'],
    ],
    [
      'with a base at cost of a rate that it does not have',
      [{ tax_rate: 10, amount: 200 }],
      ['record.cost_base /cost_bases/0/tax_rate'],
    ],
    [
      'with two bases at cost of one rate',
      [
        { tax_rate: 21, amount: 100 },
        { tax_rate: 21, amount: 200 },
      ],
      ['record.cost_base /cost_bases/0/tax_rate'],
    ],
  ])('%s is refused', (_, costBases, expected) => {
    expect(codesWith(costBases)).toEqual(expected)
  })

  it('is the only key with a base at cost', () => {
    expect(codesWith([{ tax_rate: 21, amount: 200 }], validated())).toEqual([
      'record.cost_base /cost_bases/0/tax_rate',
    ])
  })

  it.each([[null], [{ tax_rate: 21 }], [{ tax_rate: '21', amount: 200 }], [{ rate: 21, amount: 200 }]])(
    'a base at cost %j throws an exception that names it',
    (base) => {
      expect(() => codesWith([base])).toThrow(/cost_bases\[0\]/)
    },
  )
})
