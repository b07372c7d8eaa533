/** The signature of an imported Facturae: its validation items, and the data that is stored with the file. */

import type { InvoiceSignature, SignatureDoubt } from 'cuadra-authority/index.ts'
import type { Extra, Locale, Text, ValidationItem } from '#core/invoice/index.ts'
import { createItem } from '#core/messages/index.ts'
import type { ReadingItem } from '#formats/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { COVERAGE, FAILURES as FAILURES_TEXTS, SIGNATURE_CODES } from '../../generated/texts/signature.ts'
import type { InvoiceFileReading } from '../../work/worker.ts'

export { SIGNATURE_CODES } from '../../generated/texts/signature.ts'

type Problem = SignatureDoubt | 'altered' | 'unsupported'

/** Messages for the codes of `InvoiceSignature.failures`. A code without a message concerns the signed content. */
export const FAILURES: Readonly<Record<string, Text>> = FAILURES_TEXTS

/** Returns the items about a signature, at the path of the item that they replace. */
function itemsOf(
  { state, failures, doubts, signer, policy }: InvoiceSignature,
  { path, extra }: ReadingItem,
  locale: Locale,
  supplier: string | undefined,
): ValidationItem[] {
  const item = (problem: Problem, more: Extra, shown?: Extra): ValidationItem => {
    const code = `format.signature_${problem}` as const
    const severity = problem === 'altered' ? 'error' : 'warning'
    return createItem(
      SIGNATURE_CODES[code],
      { code, path, extra: { ...extra, ...more }, severity },
      locale,
      shown,
    )
  }
  if (state === 'altered' || state === 'unsupported') {
    const texts = failures.map((code) => (FAILURES[code] ?? COVERAGE)[locale])
    return [item(state, { failures }, { reason: [...new Set(texts)].join('; ') })]
  }
  const day = (time: string | undefined) => time?.slice(0, 10)
  const signed = day(signer?.checked_at)
  const extras: Readonly<Record<SignatureDoubt, Extra>> = {
    expired: { until: day(signer?.not_after), signed },
    not_yet_valid: { from: day(signer?.not_before), signed },
    self_signed: {},
    root_unknown: { issuer: signer?.issuer },
    third_party: { received: signer?.tax_id, expected: supplier },
    signer_unknown: { expected: supplier },
    policy: { received: policy?.digest },
  }
  return doubts.map((doubt) => item(doubt, { signer: signer?.name, ...extras[doubt] }))
}

/**
 * Returns the items of reading a file. The items of the verified signature replace the item "not verified". Throws if
 * the document was changed after it was signed.
 */
export function itemsWithSignature(
  { errors, verified, document }: InvoiceFileReading,
  locale: Locale,
): readonly ValidationItem[] {
  const unverified = errors.find(({ code }) => code === 'format.signature_not_verified')
  if (!verified || !unverified) return errors
  const items = itemsOf(verified, unverified, locale, document?.invoice.supplier.tax_id)
  if (verified.state === 'altered') throw new ApiError('invoice_xml_invalid', { errors: items })
  return errors.flatMap((one) => (one === unverified ? items : [one]))
}
