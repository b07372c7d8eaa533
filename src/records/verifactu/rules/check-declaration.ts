/**
 * The tax authority's own checks as data: the official code, its effect and its texts. A declaration includes the check
 * itself unless the check needs the authority's census or data. All 247 codes of the official list are declared; the
 * documentation page of the codes is generated from these declarations.
 */
import type { Extra, Text } from '#core/invoice/index.ts'
import { type MessageText, messageText, type Pair } from '#core/messages/index.ts'
import type { Violation } from '#core/xml/index.ts'
import type { Consulta, Envio, RegistroAnulacion, RegistroEvento } from '../model/verifactu-record-types.ts'
import type { AltaContext, CheckContext } from './check-context.ts'

/** Effect of a failed check on the record or message. */
export type Effect = 'rejects-record' | 'accepted-with-errors' | 'rejects-whole-submission'

/**
 * Reports a failure at a JSON Pointer below the record (`/Desglose/DetalleDesglose/0/TipoImpositivo`). `effect`
 * overrides the declared effect: some codes reject records only from a certain day on.
 */
export type Fail = (path: string, extra?: Extra, effect?: Effect) => void

/** A violation of the schema, with the kind of document that has it. */
export interface Structural extends Violation {
  readonly subject: 'alta' | 'anulacion' | 'evento' | 'envio' | 'consulta'
  /** Path without list indexes: `/Desglose/DetalleDesglose/TipoImpositivo`. */
  readonly location: string
}

export interface CodeBase extends MessageText {
  /** Official code of the authority. */
  readonly code: number
  readonly effect: Effect
  /** Element that the official list names. */
  readonly field: string
  /** For codes accepted with errors: whether a correction record (Subsanacion) is due. */
  readonly needs_subsanacion?: boolean
}

/** A code with at least one check that runs offline. */
export interface OfflineRule extends CodeBase {
  readonly offline: true
  readonly alta?: (context: AltaContext, fail: Fail) => void
  readonly anulacion?: (context: CheckContext<RegistroAnulacion>, fail: Fail) => void
  readonly evento?: (context: CheckContext<RegistroEvento>, fail: Fail) => void
  /** Checks the header of a message and the rules about all its records together. */
  readonly envio?: (context: CheckContext<Envio>, fail: Fail) => void
  readonly consulta?: (context: CheckContext<Consulta>, fail: Fail) => void
  /**
   * Whether the authority reports the violation of the official schema with this code. The first code that matches
   * applies.
   */
  readonly structure?: (violation: Structural) => boolean
  /** Returns the fix for a violation to which the fix of the code does not apply. */
  readonly fixOf?: (violation: Violation) => Text | undefined
  /** The part of the check that only the authority can decide (e.g. the census part of 1149). */
  readonly partly?: Text
}

/** Whether a violation concerns the text of an element, not the elements of a block. */
export const isText = ({ kind }: Structural): boolean =>
  ['value', 'pattern', 'length', 'character'].includes(kind)

/** Returns a check whether a violation concerns the text at a location: unlisted value, wrong length or form. */
export const refusedAt =
  (location: string) =>
  (violation: Structural): boolean =>
    violation.location === location &&
    (violation.kind === 'value' || violation.kind === 'length' || violation.kind === 'pattern')

/** Why a code cannot be decided offline. */
export type OnlineReason =
  /** Needs the authority's census of tax ids or names, or the EU's VIES. */
  | 'census'
  /** Needs the records that the tax authority has stored. */
  | 'stored'
  /** Concerns the certificate, powers of attorney or the transport. */
  | 'access'
  /** A technical failure of the service. */
  | 'service'
  /** Still in the official list, but replaced by current rules or without a field in the schema. */
  | 'obsolete'

export interface OnlineCode extends CodeBase {
  readonly offline: false
  readonly reason: OnlineReason
  readonly why: Text
}

export type AuthorityCode = OfflineRule | OnlineCode

type Base = Omit<CodeBase, 'message' | 'fix'> & { readonly en: Pair; readonly es: Pair }
type Offline = Omit<Base, 'effect'> & { readonly effect?: Effect }

/** Declares a code that is checked offline. By default, the record is rejected. */
export const offline = ({
  code,
  effect = 'rejects-record',
  en,
  es,
  ...rest
}: Offline & Omit<OfflineRule, keyof CodeBase | 'offline'>): OfflineRule => ({
  code,
  effect,
  ...rest,
  ...messageText(rest.law, en, es),
  offline: true,
})

/** Declares a code that only the authority can decide. */
export const online = ({
  en,
  es,
  ...rest
}: Base & Omit<OnlineCode, keyof CodeBase | 'offline'>): OnlineCode => ({
  ...rest,
  ...messageText(rest.law, en, es),
  offline: false,
})
