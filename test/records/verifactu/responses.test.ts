/** Tests of the next step after a response: every row of the authority's tables, with every refusal. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  AUTHORITY_CODES,
  cancellationRecord,
  type Marks,
  RESPONSE_ROWS,
  readResponse,
  registrationRecord,
} from '#records/verifactu/index.ts'
import { marksOf } from '#records/verifactu/record/verifactu-next-step.ts'
import { type Loose, validated } from './invoice.ts'
import { anulacion, SYSTEM } from './records.ts'

/** Reads a response as callers without types pass it. */
const readUntyped = (answer: Loose, ...locale: Loose[]) => readResponse(answer, ...locale)

/**
 * Tables 7.1 and 7.2 of the reference: the states in which the authority accepts each row (nothing stored, a
 * registration, a cancellation).
 */
const TABLE: readonly (readonly ['alta' | 'anulacion', Marks, boolean, boolean, boolean])[] = [
  ['alta', {}, true, false, false],
  ['alta', { Subsanacion: 'S', RechazoPrevio: 'X' }, true, false, false],
  ['alta', { Subsanacion: 'S' }, false, true, true],
  ['alta', { Subsanacion: 'S', RechazoPrevio: 'S' }, false, true, true],
  ['alta', { Subsanacion: 'S', RechazoPrevio: 'X' }, true, false, false],
  ['anulacion', {}, false, true, true],
  ['anulacion', { RechazoPrevio: 'S' }, false, true, true],
  ['anulacion', { SinRegistroPrevio: 'S' }, true, false, false],
  ['anulacion', { SinRegistroPrevio: 'S', RechazoPrevio: 'S' }, true, false, false],
]

const NAMES = { alta: 'Alta', anulacion: 'Anulacion' } as const

const CASES = [
  ['other', 1100, undefined],
  ['no_record', 3002, undefined],
  ['registered', 3000, 'Correcta'],
  ['registered', 3000, 'AceptadaConErrores'],
  ['cancelled', 3000, 'Anulada'],
  ['cancelled', 3001, undefined],
  ['duplicate', 3000, undefined],
  ['form', 3004, undefined],
] as const

function lineAfter(
  operation: 'alta' | 'anulacion',
  marks: object,
  code: number | null,
  duplicate?: string,
  state = 'Incorrecto',
  locale: 'en' | 'es' = 'en',
) {
  const answer = {
    EstadoEnvio: 'Incorrecto',
    RespuestaLinea: [
      {
        IDFactura: {
          IDEmisorFactura: 'B12345674',
          NumSerieFactura: 'A-1',
          FechaExpedicionFactura: '15-01-2027',
        },
        Operacion: { TipoOperacion: NAMES[operation], ...marks },
        EstadoRegistro: state,
        ...(code === null ? {} : { CodigoErrorRegistro: String(code) }),
        ...(duplicate === undefined ? {} : { RegistroDuplicado: { EstadoRegistroDuplicado: duplicate } }),
      },
    ],
  }
  return required(readUntyped(answer, locale).lines[0])
}

it('the rows match the two tables, in order, and state when the authority accepts each', () => {
  expect(
    RESPONSE_ROWS.map(({ operation, marks, acceptedWith }) => {
      const record = acceptedWith === 'a record'
      return [operation, marks, !record, record, record]
    }),
  ).toEqual(TABLE)
})

describe.each(RESPONSE_ROWS.map((row) => [row.operation, JSON.stringify(row.marks), row] as const))(
  '%s with %s',
  (operation, _, row) => {
    it.each(CASES)(
      'refused (%s, code %i, duplicate %s): the next record is one that the authority takes',
      (refusal, code, duplicate) => {
        const line = lineAfter(operation, row.marks, code, duplicate)
        expect({ next: line.next, options: line.options }).toEqual(row.after[refusal])
        if (!line.options) return
        // The state at the authority, and whether the next record is marked as a new attempt.
        const has =
          { other: row.acceptedWith, no_record: 'no record', form: '' }[refusal as 'other'] ?? 'a record'
        const next = line.next === 'revive' ? 'alta' : operation
        const marks = marksOf(line.options)
        const taken = RESPONSE_ROWS.find(
          (one) => one.operation === next && JSON.stringify(one.marks) === JSON.stringify(marks),
        )
        expect(taken?.acceptedWith).toBe(has)
        for (const [mark, value] of Object.entries(marks)) expect(line.advice).toContain(`${mark}=${value}`)
        // A second attempt states that the first was refused.
        if (line.next === 'fix_and_register') expect(marks.RechazoPrevio).toBeDefined()
      },
    )
  },
)

it.each([
  // Four responses whose advice once led to another rejection.
  ['alta', { Subsanacion: 'S' }, 1100, undefined, 'fix_and_register', { correction: 'rejected' }],
  [
    'alta',
    { Subsanacion: 'N', RechazoPrevio: 'N' },
    1100,
    undefined,
    'fix_and_register',
    { correction: 'never_registered' },
  ],
  ['alta', {}, 3000, 'Anulada', 'revive', { correction: 'none' }],
  ['anulacion', {}, 3002, undefined, 'fix_and_register', { rejected: true, never_registered: true }],
  ['anulacion', {}, 3001, undefined, 'done', null],
  [
    'alta',
    { Subsanacion: 'N', RechazoPrevio: 'S' },
    1161,
    undefined,
    'fix_and_register',
    { correction: 'never_registered' },
  ],
] as const)('%s %j, code %i, duplicate %s: %s %j', (operation, marks, code, duplicate, next, options) => {
  expect(lineAfter(operation, marks, code, duplicate)).toMatchObject({ next, options })
})

it('a record accepted with errors is corrected by a record of its kind', () => {
  expect(
    lineAfter('alta', { Subsanacion: 'S', RechazoPrevio: 'X' }, 2000, undefined, 'AceptadoConErrores'),
  ).toMatchObject({ next: 'correct', options: { correction: 'none' } })
  const cancelled = lineAfter('anulacion', {}, 2000, undefined, 'AceptadoConErrores')
  expect(cancelled).toMatchObject({ next: 'correct', options: {} })
  expect(cancelled.advice).not.toContain('Subsanacion')
})

it('the options of a response give a record with the marks of its advice', () => {
  const base = { system: SYSTEM, previous: anulacion(), timestamp: '2027-01-15T12:00:00+01:00' }
  for (const row of RESPONSE_ROWS)
    for (const step of Object.values(row.after)) {
      if (!step.options) continue
      const made =
        row.operation === 'alta' || step.next === 'revive'
          ? registrationRecord(validated(), { ...base, ...step.options })
          : cancellationRecord(
              { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-1', FechaExpedicionFactura: '15-01-2027' },
              { ...base, ...step.options },
            )
      expect(made.items).toEqual([])
      const record: any = Object.values(required(made.record))[0]
      const { Subsanacion, RechazoPrevio, SinRegistroPrevio } = record
      expect(JSON.parse(JSON.stringify({ Subsanacion, RechazoPrevio, SinRegistroPrevio }))).toEqual(
        marksOf(step.options),
      )
    }
})

it('every code is explained in full sentences, without placeholders', () => {
  for (const locale of ['en', 'es'] as const)
    for (const { code } of AUTHORITY_CODES) {
      const { explanation, advice } = lineAfter('alta', {}, code, undefined, 'Incorrecto', locale)
      expect(explanation, String(code)).not.toMatch(/…|—|[{}]|\(any|\(message/)
      expect(advice).not.toMatch(/…|—|[{}]/)
    }
  expect(lineAfter('alta', {}, 1100).explanation).toMatch(
    /^The error concerns a value of the record\. Send it/,
  )
  // A text without a value is the explanation itself.
  const plain = AUTHORITY_CODES.filter(({ message, fix }) => !/[{]/.test(message.en + fix.en))
  expect(plain.length).toBeGreaterThan(20)
  for (const { code, message, fix } of plain)
    expect(lineAfter('alta', {}, code).explanation).toBe(`${message.en} ${fix.en}`)
})

describe('a response as the authority sends it', () => {
  const IDFactura = {
    IDEmisorFactura: 'B12345674',
    NumSerieFactura: 'A-1',
    FechaExpedicionFactura: '15-01-2027',
  }

  it('is read with every member', () => {
    const answer = {
      CSV: ' A-CSV ',
      DatosPresentacion: { TimestampPresentacion: '2027-01-15T10:00:03+01:00' },
      TiempoEsperaEnvio: '120',
      EstadoEnvio: 'Correcto',
      RespuestaLinea: [
        {
          IDFactura,
          RefExterna: 'ref 1',
          Operacion: { TipoOperacion: 'Anulacion' },
          EstadoRegistro: 'Incorrecto',
          CodigoErrorRegistro: '3001',
          DescripcionErrorRegistro: 'Registro ya anulado.',
          RegistroDuplicado: { EstadoRegistroDuplicado: 'Anulada' },
        },
      ],
    }
    expect(readUntyped(answer)).toEqual({
      received: true,
      state: 'accepted',
      csv: 'A-CSV',
      presented_at: '2027-01-15T10:00:03+01:00',
      wait_seconds: 120,
      lines: [
        {
          num_serie: 'A-1',
          fecha_expedicion: '15-01-2027',
          external_ref: 'ref 1',
          operation: 'anulacion',
          state: 'rejected',
          code: 3001,
          description: 'Registro ya anulado.',
          explanation: lineAfter('anulacion', {}, 3001).explanation,
          duplicate_state: 'cancelled',
          next: 'done',
          options: null,
          advice: 'The invoice is already cancelled; nothing to do.',
        },
      ],
      fault: null,
    })
  })

  it('is read without its optional members', () => {
    const none = { received: true, state: 'unknown', csv: null, presented_at: null, wait_seconds: null }
    expect(readUntyped({})).toEqual({ ...none, lines: [], fault: null })
    for (const wait of ['1 minute', 'PT60', '12345', '1e3'])
      expect(readUntyped({ CSV: ' ', TiempoEsperaEnvio: wait })).toMatchObject(none)
    const accepted = { IDFactura, EstadoRegistro: 'Correcto' }
    expect(readUntyped({ RespuestaLinea: [accepted] }).lines).toEqual([
      {
        num_serie: 'A-1',
        fecha_expedicion: '15-01-2027',
        external_ref: null,
        operation: 'alta',
        state: 'accepted',
        code: null,
        description: null,
        explanation: null,
        duplicate_state: null,
        next: 'none',
        options: null,
        advice: 'Stored; nothing to do.',
      },
    ])
    const refused = { IDFactura, EstadoRegistro: 'Incorrecto', CodigoErrorRegistro: '1100' }
    expect(readUntyped({ RespuestaLinea: [refused] }).lines[0]?.next).toBe('fix_and_register')
  })

  it('has errors to correct in a record accepted with errors, unless its code needs no correction', () => {
    const next = (code: number | null) => lineAfter('alta', {}, code, undefined, 'AceptadoConErrores').next
    // 2004: the clock. 9999 is not in the list.
    expect([2004, 2000, 9999, null].map(next)).toEqual(['none', 'correct', 'correct', 'correct'])
    // A rejected record is not stored, whatever its code.
    expect(lineAfter('alta', {}, 2004).next).toBe('fix_and_register')
  })
})

describe('a response that was not parsed', () => {
  it('is a programming error', () => {
    expect(() => readUntyped('<RespuestaRegFactuSistemaFacturacion/>')).toThrow(
      /readVerifactu.*pass an object/,
    )
  })
})
