/**
 * Refusals shared by VeriFactu and SII. Each system reports them under its own codes, such as `record.reference` and
 * `sii.reference`.
 */
import type { Extra } from '#core/invoice/index.ts'

export type SharedCode =
  | 'invalid_invoice'
  | 'not_normalised'
  | 'reference'
  | 'reference_not_earlier'
  | 'option'
  | 'correction'
  | 'corrected_surcharge'
  | 'corrected_later'

export type RefuseShared<Code extends SharedCode = SharedCode> = (
  code: Code,
  path: string,
  extra?: Extra,
) => void

/** Returns a function that reports the shared refusals under the codes of a system. */
export const refuseSharedAs =
  <System extends 'record' | 'sii'>(
    system: System,
    refuse: (code: `${System}.${SharedCode}`, path: string, extra?: Extra) => void,
  ): RefuseShared =>
  (code, path, extra) =>
    refuse(`${system}.${code}`, path, extra)
