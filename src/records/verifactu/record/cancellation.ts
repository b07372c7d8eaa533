/** Builds the record that cancels an invoice that should never have existed (`RegistroAnulacion`). */
import { required } from '#core/errors/index.ts'
import { checkMembers } from '../../fiscal/check-options.ts'
import { refusals } from '../model/record-items.ts'
import type { Persona, RegistroAlta, RegistroAnulacion } from '../model/verifactu-record-types.ts'
import {
  checkAndLink,
  completeRecord,
  RECORD_OPTIONS,
  type RecordOptions,
  type RecordResult,
  refusedResult,
} from './record.ts'
import { cancellationMarks } from './verifactu-next-step.ts'

export interface CancellationOptions extends RecordOptions {
  /** Free reference of at most 60 characters, which the authority returns in its response. */
  readonly external_ref?: string
  /** True if the tax authority has no record of the invoice. */
  readonly never_registered?: boolean
  /** True after a cancellation of the same invoice was rejected. */
  readonly rejected?: boolean
  /** Party that created the record: `E` issuer, `D` recipient, `T` third party. Omitted if it is the issuer. */
  readonly generated_by?: { readonly type: 'E' | 'D' | 'T'; readonly party: Persona }
}

/**
 * Builds the cancellation record of a registered invoice, with its hash.
 *
 * `target` is the registration record, or its identity with dates `dd-mm-yyyy`. The number of a cancelled invoice can
 * never be reused. Returns the reasons for a refusal as `registrationRecord` does. Source: RD 1007/2023 art. 11; Orden
 * HAC/1177/2024 art. 11; AEAT record design 1.0.
 *
 * @example
 * const system = { NombreRazon: 'Programas, S.L.', NIF: 'B12345674', NombreSistemaInformatico: 'Caja',
 *   IdSistemaInformatico: 'CJ', Version: '1.0', NumeroInstalacion: '1', TipoUsoPosibleSoloVerifactu: 'N',
 *   TipoUsoPosibleMultiOT: 'N', IndicadorMultiplesOT: 'N' } as const
 * const target = { IDEmisorFactura: 'B12345674', NumSerieFactura: 'A-1', FechaExpedicionFactura: '15-01-2027' }
 * cancellationRecord(target, { system, previous: null, timestamp: '2027-01-15T10:00:00+01:00' }).hash
 * // => 'B4D2816EE3B7056586432412F73A8EAE551A81DE68D0C0056DFC573F1A589623'
 */
export function cancellationRecord(
  target: { readonly RegistroAlta: RegistroAlta } | RegistroAlta['IDFactura'],
  options: CancellationOptions,
): RecordResult<{ RegistroAnulacion: RegistroAnulacion }> {
  checkMembers(
    options,
    {
      ...RECORD_OPTIONS,
      external_ref: 'text',
      never_registered: 'boolean',
      rejected: 'boolean',
      generated_by: 'object',
    },
    'options of cancellationRecord',
  )
  if (options.generated_by)
    checkMembers(options.generated_by, { type: 'text', party: 'object' }, '"generated_by"')
  const found = refusals(options.locale ?? 'en')
  const { items, refuse } = found
  const id = target && ('RegistroAlta' in target ? target.RegistroAlta?.IDFactura : target)
  for (const field of ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'] as const)
    if (typeof id?.[field] !== 'string' || id[field] === '') refuse('record.required', `/${field}`)
  const link = checkAndLink(id?.IDEmisorFactura, options, found)
  if (items.length > 0) return refusedResult(items)
  const record: RegistroAnulacion = {
    IDVersion: '1.0',
    IDFactura: {
      IDEmisorFacturaAnulada: id.IDEmisorFactura,
      NumSerieFacturaAnulada: id.NumSerieFactura,
      FechaExpedicionFacturaAnulada: id.FechaExpedicionFactura,
    },
    ...(options.external_ref ? { RefExterna: options.external_ref } : {}),
    ...cancellationMarks(options),
    ...(options.generated_by
      ? { GeneradoPor: options.generated_by.type, Generador: options.generated_by.party }
      : {}),
    Encadenamiento: required(link),
    SistemaInformatico: { ...options.system },
    FechaHoraHusoGenRegistro: options.timestamp,
    TipoHuella: '01',
    Huella: '',
  }
  return completeRecord(
    { RegistroAnulacion: record },
    ({ RegistroAnulacion: unhashed }, Huella) => ({ RegistroAnulacion: { ...unhashed, Huella } }),
    found.warnings,
    options,
  )
}
