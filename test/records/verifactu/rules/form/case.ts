/** Rows of the tables: a valid fixture, one change to it, and a near miss. */
import { required } from '#core/errors/index.ts'
import type { ValidationItem } from '#core/invoice/index.ts'
import type { Consulta } from '#records/verifactu/model/verifactu-record-types.ts'
import {
  type CheckOptions,
  checkQuery,
  checkRecord,
  checkSubmission,
} from '#records/verifactu/rules/check.ts'
import { alta, anulacion, envio, evento, HEADER } from '../../records.ts'

export type Loose = any
export type Change = (draft: Loose) => void
export type RunCheck = (options: CheckOptions) => ValidationItem[]

/** Returns the check of a document that a change has been made to. */
const checkOf =
  <D>(make: (change: Change) => D, check: (document: D, options: CheckOptions) => ValidationItem[]) =>
  (change: Change, given: CheckOptions = {}): RunCheck =>
  (options) =>
    check(make(change), { ...given, ...options })

export const query = (change: Change = () => {}): Consulta => {
  const made: Loose = {
    Cabecera: { IDVersion: '1.0', ...structuredClone(HEADER) },
    FiltroConsulta: { PeriodoImputacion: { Ejercicio: '2027', Periodo: '01' } },
  }
  change(made)
  return made
}

export const ofAlta = checkOf(alta, checkRecord)
export const ofAnulacion = checkOf(anulacion, checkRecord)
export const ofEvento = checkOf(evento, checkRecord)
export const ofEnvio = checkOf(envio, checkSubmission)
export const ofConsulta = checkOf(query, checkQuery)

// ---- Changes ----

export const PERSON = { NombreRazon: 'Ficticia Inventada, Ana', NIF: '12345678Z' }

/** Identifies the recipient by IDOtro. */
export const recipient =
  (IDOtro: object, also: Change = () => {}): Change =>
  (r) => {
    r.Destinatarios.IDDestinatario = [{ NombreRazon: 'Imagined Ltd', IDOtro }]
    also(r)
  }
export const recipientNif = (NIF: unknown): Change => set('Destinatarios/IDDestinatario/0/NIF', NIF)
export const third =
  (person: object): Change =>
  (r) => {
    r.EmitidaPorTerceroODestinatario = 'T'
    r.Tercero = { NombreRazon: 'Gestoría Ficticia, S.L.', ...person }
  }
export const system =
  (change: Change): Change =>
  (r) =>
    change(r.SistemaInformatico)
export const producer = (IDOtro: object): Change =>
  system((s) => {
    delete s.NIF
    s.IDOtro = IDOtro
  })
export const generator =
  (by: string, person: object): Change =>
  (r) => {
    r.GeneradoPor = by
    r.Generador = { NombreRazon: 'Inventada, S.A.', ...person }
  }
export const header =
  (block: object): Change =>
  (m) => {
    m.Cabecera = { ...structuredClone(HEADER), ...block }
  }
export const taxpayer = (block: object): Change => header({ ObligadoEmision: block })
export const voluntary = (block: object): Change => header({ RemisionVoluntaria: block })
export const request = (block: object, also: object = {}): Change =>
  header({ RemisionRequerimiento: block, ...also })
/** The party that takes part in an event, on behalf of the taxpayer. */
export const inEvent =
  (by: string, person: object): Change =>
  (r) => {
    r.Evento.EmitidaPorTerceroODestinatario = by
    r.Evento.TerceroODestinatario = { NombreRazon: 'Inventada, S.A.', ...person }
  }
/** Identifies by IDOtro the person that a change is about. */
export const foreign =
  (person: (identifiers: object) => Change) =>
  (IDOtro: object): Change =>
    person({ IDOtro })
export const counterpart =
  (person: object): Change =>
  (q) => {
    q.FiltroConsulta.Contraparte = { NombreRazon: 'Imaginada, S.L.', ...person }
  }
export const asRecipient: Change = (q) => {
  q.Cabecera = { IDVersion: '1.0', Destinatario: { ...PERSON } }
}
export const both =
  (...changes: Change[]): Change =>
  (draft) => {
    for (const change of changes) change(draft)
  }
export const set =
  (path: string, value: unknown): Change =>
  (draft) => {
    const names = path.split('/')
    const last = required(names.pop())
    let at = draft
    for (const name of names) {
      at[name] ??= {}
      at = at[name]
    }
    at[last] = value
  }
export const without =
  (path: string): Change =>
  (draft) => {
    const names = path.split('/')
    const last = required(names.pop())
    delete names.reduce((at, name) => at[name], draft)[last]
  }
/** Makes it a correction by differences of an earlier invoice. */
export const corrective =
  (original: object): Change =>
  (r) => {
    r.TipoFactura = 'R1'
    r.TipoRectificativa = 'I'
    r.FacturasRectificadas = {
      IDFacturaRectificada: [
        {
          IDEmisorFactura: 'B12345674',
          NumSerieFactura: 'A-0',
          FechaExpedicionFactura: '10-01-2027',
          ...original,
        },
      ],
    }
  }
export const nothing: Change = () => {}
export const NOW = { now: '2027-03-01T10:00:00+01:00' }
/** The records of the test message are of January; this makes them not late with any clock. */
export const DELAYED = { Incidencia: 'S' }

export const A = '/RegistroAlta'
export const N = '/RegistroAnulacion'
export const E = '/RegistroEvento'
export const id = (IDType: string, ID: string, CodigoPais?: string): object => ({
  ...(CodigoPais === undefined ? {} : { CodigoPais }),
  IDType,
  ID,
})
export const DE = { CodigoPais: 'DE', IDType: '02', ID: 'DE136695976' }

export interface Case {
  readonly code: number
  /** The condition that must hold. */
  readonly holds: string
  readonly path: string
  readonly wrong: RunCheck
  readonly right: RunCheck
  /** All codes, if there are several mistakes. */
  readonly all?: readonly number[]
}

export const row = (
  code: number,
  holds: string,
  path: string,
  wrong: RunCheck,
  right: RunCheck,
  all: readonly number[] = [code],
): Case => ({ code, holds, path, wrong, right, all })

/** A change to the element that a row is about. */
interface Here {
  readonly at: (path: string) => Change
}

/** Sets the element of the row. */
export const to = (value: unknown): Here => ({ at: (path) => set(path, value) })
/** Removes the element of the row. */
export const missing: Here = { at: without }

interface Kind {
  readonly root: string
  readonly of: (change: Change) => RunCheck
}

export const ALTA: Kind = { root: `${A}/`, of: ofAlta }
export const ANULACION: Kind = { root: `${N}/`, of: ofAnulacion }
export const EVENTO: Kind = { root: `${E}/`, of: ofEvento }
export const ENVIO: Kind = { root: '/', of: ofEnvio }
export const CONSULTA: Kind = { root: '/', of: ofConsulta }

/** A row of a table of one kind of document, with a wrong and a right change. */
type Written = readonly [
  code: number,
  holds: string,
  path: string,
  wrong: Change | Here,
  right: Change | Here,
  all?: readonly number[],
]

export const rowsOf = ({ root, of }: Kind, rows: readonly Written[]): Case[] =>
  rows.map(([code, holds, path, wrong, right, all]) => {
    const check = (change: Change | Here) => of('at' in change ? change.at(path) : change)
    return row(code, holds, `${root}${path}`, check(wrong), check(right), all)
  })

/** Rows about one element, with what is given to the change that makes it wrong or right. */
export const rowsAbout = <T>(
  kind: Kind,
  path: string,
  change: (value: T) => Change,
  rows: readonly (readonly [code: number, holds: string, wrong: T, right: T])[],
): Case[] =>
  rowsOf(
    kind,
    rows.map(([code, holds, wrong, right]) => [code, holds, path, change(wrong), change(right)]),
  )

export const REFERENCE = { RefRequerimiento: 'R2027A1', FinRequerimiento: 'S' }

/** Gives the record a breakdown of that many lines, with matching totals. */
export function lines(count: number): Change {
  return (r) => {
    const [line] = r.Desglose.DetalleDesglose
    r.Desglose.DetalleDesglose = Array.from({ length: count }, () => ({ ...line }))
    r.CuotaTotal = `${count * 21}.00`
    r.ImporteTotal = `${count * 121}.00`
  }
}

export function summary(registered: string): Change {
  return (r) => {
    r.Evento.TipoEvento = '10'
    r.Evento.DatosPropiosEvento = {
      ResumenEventos: {
        TipoEvento: [{ TipoEvento: '01', NumeroDeEventos: '1' }],
        NumeroDeRegistrosFacturacionAltaGenerados: registered,
        SumaCuotaTotalAlta: '21.00',
        SumaImporteTotalAlta: '121.00',
        NumeroDeRegistrosFacturacionAnulacionGenerados: '0',
      },
    }
  }
}
