/** The signature of an imported Facturae: its items, and what is kept with the file. */
import type { InvoiceSignature, SignatureDoubt } from '../../../authority/index.ts'
import type { ReadingItem } from '../../../formats/index.ts'
import type { Extra, Locale, Text, ValidationItem } from '../../../invoice/index.ts'
import { createItem, type MessageText, messageText } from '../../../messages/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { InvoiceFileReading } from '../../work/worker.ts'

const INTEGRITY = 'arts. 8 and 10 RD 1619/2012'

type Problem = SignatureDoubt | 'altered' | 'unsupported'

/** Messages about signatures. */
export const SIGNATURE_CODES = {
  'format.signature_altered': messageText(
    INTEGRITY,
    [
      'The electronic signature does not match the document: {reason}.',
      'Ask the supplier for the original file, and send it without opening it in another program.',
    ],
    [
      'La firma electrónica no corresponde al documento: {reason}.',
      'Pida al proveedor el fichero original y envíelo sin abrirlo con otro programa.',
    ],
  ),
  'format.signature_unsupported': messageText(
    INTEGRITY,
    [
      'The electronic signature cannot be verified: {reason}.',
      'Verify the file in VALIDe (valide.redsara.es), and keep it unchanged.',
    ],
    [
      'La firma electrónica no puede verificarse: {reason}.',
      'Compruebe el fichero en VALIDe (valide.redsara.es) y consérvelo sin cambios.',
    ],
  ),
  'format.signature_expired': messageText(
    INTEGRITY,
    [
      'The certificate of {signer} expired on {until}; the signature is of {signed}.',
      'Ask the supplier for an invoice signed with a valid certificate.',
    ],
    [
      'El certificado de {signer} caducó el {until}; la firma es del {signed}.',
      'Pida al proveedor una factura firmada con un certificado vigente.',
    ],
  ),
  'format.signature_not_yet_valid': messageText(
    INTEGRITY,
    [
      'The certificate of {signer} is valid from {from}; the signature is of {signed}.',
      'Ask the supplier to check the clock of the program that signs, and to sign the invoice again.',
    ],
    [
      'El certificado de {signer} es válido desde el {from}; la firma es del {signed}.',
      'Pida al proveedor que compruebe el reloj del programa que firma y que vuelva a firmar la factura.',
    ],
  ),
  'format.signature_self_signed': messageText(
    INTEGRITY,
    [
      'The certificate of {signer} is self-signed: no authority confirms who signed.',
      'Ask the supplier for a signature with a qualified certificate, or have this certificate added to CUADRA_SIGNATURE_ROOTS.',
    ],
    [
      'El certificado de {signer} es autofirmado: ninguna autoridad acredita quién firmó.',
      'Pida al proveedor una firma con certificado cualificado, o que se añada este certificado a CUADRA_SIGNATURE_ROOTS.',
    ],
  ),
  'format.signature_root_unknown': messageText(
    INTEGRITY,
    [
      'The certificate of {signer} was issued by {issuer}, which this server does not trust.',
      'Check the issuer in the list of qualified providers; if it is there, have its certificate added to CUADRA_SIGNATURE_ROOTS.',
    ],
    [
      'El certificado de {signer} lo expidió {issuer}, en quien este servidor no confía.',
      'Busque al emisor en la lista de prestadores cualificados; si figura en ella, pida que se añada su certificado a CUADRA_SIGNATURE_ROOTS.',
    ],
  ),
  'format.signature_third_party': messageText(
    'art. 5 RD 1619/2012',
    [
      'Signed by {signer} ({received}), not by the supplier ({expected}).',
      'Check that the supplier authorised this third party to issue its invoices.',
    ],
    [
      'Firmada por {signer} ({received}), no por el proveedor ({expected}).',
      'Compruebe que el proveedor autorizó a este tercero a expedir sus facturas.',
    ],
  ),
  'format.signature_signer_unknown': messageText(
    'art. 5 RD 1619/2012',
    [
      'The certificate of {signer} has no Spanish NIF, so the signer was not compared with the supplier ({expected}).',
      'Check that the signer is the supplier, or acts for it.',
    ],
    [
      'El certificado de {signer} no contiene ningún NIF español, por lo que no se ha comparado con el proveedor ({expected}).',
      'Compruebe que quien firma es el proveedor o actúa en su nombre.',
    ],
  ),
  'format.signature_policy': messageText(
    'Orden PRE/2971/2007',
    [
      'The signature states a wrong digest of its policy: {received}.',
      'Ask the supplier to correct the program that signs.',
    ],
    [
      'La firma indica una huella errónea de su política: {received}.',
      'Pida al proveedor que corrija el programa que firma.',
    ],
  ),
} as const satisfies Readonly<Record<`format.signature_${Problem}`, MessageText>>

const COVERAGE: Text = {
  en: 'it does not cover the whole invoice and its own properties',
  es: 'no cubre toda la factura y sus propias propiedades',
}
/** What the codes of `InvoiceSignature.failures` mean; any other code concerns what the signature covers. */
export const FAILURES: Readonly<Record<string, Text>> = {
  content_changed: { en: 'the invoice was changed', es: 'se ha modificado la factura' },
  properties_changed: {
    en: 'signing time, certificate or policy were changed',
    es: 'se han modificado la fecha de firma, el certificado o la política',
  },
  part_changed: {
    en: 'the certificates or another signed part were changed',
    es: 'se han modificado los certificados u otra parte firmada',
  },
  signature_value: {
    en: 'the signature value or its list of digests was changed',
    es: 'se ha modificado el valor de la firma o su lista de huellas',
  },
  certificate_digest: {
    en: 'the certificate is not the signed one',
    es: 'el certificado no es el que consta como firmante',
  },
  xml: { en: 'the file has too many elements', es: 'el fichero tiene demasiados elementos' },
  structure: { en: 'it is incomplete or damaged', es: 'está incompleta o dañada' },
  algorithm: {
    en: 'it uses an algorithm that is not supported, such as SHA-1 or ECDSA',
    es: 'usa un algoritmo que no se admite, como SHA-1 o ECDSA',
  },
  certificate: {
    en: 'it has no certificate with an RSA key',
    es: 'no contiene ningún certificado con clave RSA',
  },
  key_size: { en: 'its key is too short', es: 'su clave es demasiado corta' },
  form: {
    en: 'it is not XAdES, because its signed properties name no certificate',
    es: 'no es XAdES, porque sus propiedades firmadas no identifican ningún certificado',
  },
  countersigned: { en: 'it has counter-signatures', es: 'contiene contrafirmas' },
}

/** Returns the items of a signature at the location of the item that they replace. */
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
 * Returns the items of reading, in which those of the verified signature replace the item "not verified". Throws if the
 * document was altered after it was signed.
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
