/** The link to the previous record and the record's own hash, which all three kinds of records have. */
import type { FiscalRecord, RegistroAlta, RegistroAnulacion } from '../model/verifactu-record-types.ts'
import type { ExternalFacts } from './check-context.ts'
import type { Fail, OfflineRule } from './check-declaration.ts'

export interface TextAtPath {
  readonly path: string
  readonly text: string | undefined
}

/** The members of a record that link it to its chain. */
export interface Link {
  readonly whole: FiscalRecord
  readonly around: ExternalFacts
  readonly own: { readonly path: string; readonly text: string }
  readonly previous: TextAtPath
  readonly first: TextAtPath
}

const ofInvoice = (
  record: RegistroAlta | RegistroAnulacion,
  whole: FiscalRecord,
  around: ExternalFacts,
): Link => {
  const { RegistroAnterior, PrimerRegistro } = record.Encadenamiento
  return {
    whole,
    around,
    own: { path: '/Huella', text: record.Huella },
    previous: { path: '/Encadenamiento/RegistroAnterior/Huella', text: RegistroAnterior?.Huella },
    first: { path: '/Encadenamiento/PrimerRegistro', text: PrimerRegistro },
  }
}

type Checks = Required<Pick<OfflineRule, 'alta' | 'anulacion' | 'evento'>>

/** Applies a check of the link to records of every kind. */
export const linkChecks = (check: (link: Link, fail: Fail) => void): Checks => ({
  alta: ({ record, around }, fail) => check(ofInvoice(record, { RegistroAlta: record }, around), fail),
  anulacion: ({ record, around }, fail) =>
    check(ofInvoice(record, { RegistroAnulacion: record }, around), fail),
  evento({ record, around }, fail) {
    const { Encadenamiento, HuellaEvento } = record.Evento
    const { EventoAnterior, PrimerEvento } = Encadenamiento
    const link: Link = {
      whole: { RegistroEvento: record },
      around,
      own: { path: '/Evento/HuellaEvento', text: HuellaEvento },
      previous: {
        path: '/Evento/Encadenamiento/EventoAnterior/HuellaEvento',
        text: EventoAnterior?.HuellaEvento,
      },
      first: { path: '/Evento/Encadenamiento/PrimerEvento', text: PrimerEvento },
    }
    check(link, fail)
  },
})
