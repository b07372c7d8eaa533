/**
 * All error codes of the HTTP interface: status, messages, and section of the API specification. The OpenAPI document,
 * the documentation and the test of completeness are generated from this table. Unknown codes do not compile.
 * `{placeholders}` are extra members of `detail`.
 */
import { ruleOf } from '../../../rules/index.ts'
import { required } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'

interface CodeMessages extends Text {
  readonly status: number
  /** Section of the API specification that defines the code, or `cuadra` if the code is an addition. */
  readonly source: 'common' | 'issue' | 'import' | 'received' | 'compliance' | 'cuadra'
  /** Why this server never returns the code. */
  readonly reserved?: string
}

/** A code in a section; `source` is given only if it differs from the section. */
type Entry = Omit<CodeMessages, 'source'> & Partial<Pick<CodeMessages, 'source'>>

/**
 * Returns the entry of a code that refuses a whole request because of one problem in its document. The messages come
 * from the rule with this code.
 */
const ofRule = (code: string, source?: CodeMessages['source']): Entry => {
  const { message, fix } = required(ruleOf(code))
  const messageText = { status: 422, en: `${message.en} ${fix.en}`, es: `${message.es} ${fix.es}` }
  return source ? { source, ...messageText } : messageText
}

/** Adds the section to its codes. */
const from = <Name extends string>(source: CodeMessages['source'], entries: Readonly<Record<Name, Entry>>) =>
  Object.fromEntries(
    Object.entries<Entry>(entries).map(([code, entry]) => [code, { source, ...entry }]),
  ) as Record<Name, CodeMessages>

export const CODES = {
  ...from('common', {
    unauthorized: {
      status: 401,
      en: 'The API key is missing, wrong, revoked or expired. Send a valid one in X-API-Key.',
      es: 'La clave de API falta, es incorrecta, está revocada o ha caducado. Envíe una válida en X-API-Key.',
    },
    feature_outside_plan: {
      status: 402,
      en: 'The plan of the company does not include {feature}. Change the plan.',
      es: 'El plan de la empresa no incluye {feature}. Cambie de plan.',
    },
    quota_exceeded: {
      status: 402,
      en: 'Monthly recognition limit of the plan reached ({limit} documents). Wait until {available_from}, or change the plan.',
      es: 'Se ha alcanzado el límite mensual de reconocimiento del plan ({limit} documentos). Espere al {available_from} o cambie de plan.',
    },
    scope_missing: {
      status: 403,
      en: 'The API key lacks the scope {missing}. Use a key that has it.',
      es: 'La clave de API no tiene el permiso {missing}. Use una que lo tenga.',
    },
    ip_forbidden: {
      status: 403,
      en: 'The API key may not be used from {address}. Use an address in its list.',
      es: 'La clave de API no puede usarse desde {address}. Use una dirección de su lista.',
    },
    rate_limited: {
      status: 429,
      en: 'Rate limit reached for this key ({limit} requests per minute). Retry in {retry_after} s.',
      es: 'Se ha alcanzado el límite de peticiones de esta clave ({limit} por minuto). Reintente dentro de {retry_after} s.',
    },
    request_validation_error: {
      status: 422,
      en: 'Invalid request: {reason}.',
      es: 'Petición no válida: {reason}.',
    },
    schema_validation_failed: {
      status: 422,
      en: 'The document does not have the structure of an invoice: see errors. Nothing was stored.',
      es: 'El documento no tiene la estructura de una factura: vea errors. No se ha guardado nada.',
    },
    unsupported_schema_version: ofRule('unsupported_schema_version'),
    inferred_fields_not_allowed: ofRule('inferred_fields_not_allowed'),
    missing_required_fields: {
      status: 422,
      en: 'This operation requires {missing}. Add what is missing.',
      es: 'Esta operación necesita {missing}. Añada lo que falta.',
    },
    invoice_number_not_allowed: ofRule('invoice_number_not_allowed'),
    issue_date_not_allowed: ofRule('issue_date_not_allowed'),
    future_issue_date: ofRule('future_issue_date'),
    future_receipt_date: ofRule('future_receipt_date', 'cuadra'),
    issuer_tax_id_mismatch: ofRule('issuer_tax_id_mismatch'),
    issuer_tax_id_required: ofRule('issuer_tax_id_required'),
    invoice_not_found: {
      status: 404,
      en: 'The company has no invoice of this type with this id. Check the id, and whether the invoice is issued or received.',
      es: 'La empresa no tiene ninguna factura de este tipo con ese id. Compruebe el id y si la factura es emitida o recibida.',
    },
    document_not_found: {
      status: 404,
      en: 'The invoice has no such document. List its documents.',
      es: 'La factura no tiene ese documento. Consulte la lista de sus documentos.',
    },
    file_too_large: {
      status: 413,
      en: 'The file has more than {max_bytes} bytes (16 MB). Send a smaller one.',
      es: 'El fichero supera los {max_bytes} bytes (16 MB). Envíe uno menor.',
    },
    empty_file: {
      status: 422,
      en: 'The file is empty. Send one with content.',
      es: 'El fichero está vacío. Envíe uno con contenido.',
    },
    invoice_update_not_allowed: {
      status: 409,
      en: 'The invoice cannot be changed in this way: {reason}.',
      es: 'La factura no puede modificarse de este modo: {reason}.',
    },
    invoice_delete_not_allowed: {
      status: 409,
      en: 'The invoice cannot be deleted: {reasons}.',
      es: 'La factura no puede eliminarse: {reasons}.',
    },
    invoice_race_condition: {
      status: 409,
      en: 'Other requests are changing the same invoice. Send the request again.',
      es: 'Otras peticiones están modificando la misma factura. Repita la petición.',
    },
    canonical_not_available: {
      status: 409,
      en: 'The invoice has no canonical (json_1_1) document, because it was never calculated. Correct its errors and save it again.',
      es: 'La factura no tiene documento canónico (json_1_1), porque nunca se calculó. Corrija sus errores y guárdela de nuevo.',
    },
    unknown_status: {
      status: 400,
      en: 'Unknown status {received}. Use one of {allowed}.',
      es: 'Estado desconocido: {received}. Use uno de {allowed}.',
    },
  }),
  ...from('issue', {
    invalid_status_transition: {
      status: 409,
      en: 'The invoice is {from}. It cannot become {to}.',
      es: 'La factura está {from}. No puede pasar a estar {to}.',
    },
    invoice_queued_for_bulk_issue: {
      status: 409,
      en: 'The invoice is reserved by a bulk issue. Wait until it ends.',
      es: 'La factura está reservada por una emisión masiva. Espere a que termine.',
    },
    bulk_issue_series_active: {
      status: 409,
      en: 'A bulk issue is running in series {series}. Wait until it ends.',
      es: 'Hay una emisión masiva en curso en la serie {series}. Espere a que termine.',
    },
    company_not_verified: {
      status: 409,
      en: 'The company is not verified, so it cannot issue invoices. Complete its verification.',
      es: 'La empresa no está verificada, por lo que no puede emitir facturas. Complete su verificación.',
    },
    forced_number_in_use: {
      status: 409,
      en: 'The number {number} belongs to another invoice. Choose another.',
      es: 'El número {number} ya corresponde a otra factura. Elija otro.',
    },
    invoice_number_already_assigned: {
      status: 409,
      reserved:
        'Number and state are written in one transaction, so no earlier attempt can leave a number behind.',
      en: 'An earlier attempt assigned the number {number}.',
      es: 'Un intento anterior asignó el número {number}.',
    },
    validation_failed: {
      status: 422,
      en: 'The invoice has errors: see errors. It was not issued, and no number was used.',
      es: 'La factura tiene errores: vea errors. No se ha emitido y no se ha usado ningún número.',
    },
    missing_emission_fields: {
      status: 422,
      reserved: 'A draft without a series cannot be saved.',
      en: 'Issuing requires {missing}.',
      es: 'Para emitir hace falta {missing}.',
    },
    forced_number_invalid: {
      status: 422,
      en: 'The number {number} does not match the template {template} of series {series}. The next number would be {example}.',
      es: 'El número {number} no se ajusta a la plantilla {template} de la serie {series}. El siguiente sería {example}.',
    },
  }),
  ...from('import', {
    issued_invoice_fiscally_locked: {
      status: 409,
      en: 'The invoice is locked: {reasons}. These fields cannot change: {locked_fields_changed}.',
      es: 'La factura está bloqueada: {reasons}. Estos campos no pueden cambiar: {locked_fields_changed}.',
    },
    invoice_not_issued_for_correction: {
      status: 409,
      en: 'Only an issued or sent invoice can be corrected; this one is {from}.',
      es: 'Solo puede rectificarse una factura emitida o enviada; esta está {from}.',
    },
    corrective_draft_invalid: {
      status: 422,
      en: 'The corrective invoice cannot be built: {reason}.',
      es: 'No puede generarse la factura rectificativa: {reason}.',
    },
    no_recipient_email: {
      status: 422,
      en: 'No e-mail address to send to: {reason}. Add one in the field "to".',
      es: 'No hay dirección de correo a la que enviar: {reason}. Indique una en el campo «to».',
    },
    mail_too_large: {
      status: 422,
      source: 'cuadra',
      en: 'The e-mail with its attachments has {bytes} bytes; the limit is {max_bytes}. Nothing was sent. Send it without attach_xml, or deliver the files in another way.',
      es: 'El correo con sus adjuntos ocupa {bytes} bytes; el límite es {max_bytes}. No se ha enviado nada. Envíelo sin attach_xml o entregue los ficheros por otra vía.',
    },
    email_not_sent: {
      status: 502,
      source: 'cuadra',
      en: 'The e-mail was not sent: {reason}. The invoice is unchanged, and there is no automatic retry.',
      es: 'El correo no se ha enviado: {reason}. La factura no ha cambiado y no habrá reintento automático.',
    },
  }),
  ...from('received', {
    received_invoice_fiscally_locked: {
      status: 409,
      en: 'The invoice is locked: {reasons}. These fields cannot change: {locked_fields_changed}.',
      es: 'La factura está bloqueada: {reasons}. Estos campos no pueden cambiar: {locked_fields_changed}.',
    },
    empty_body: {
      status: 400,
      en: 'The body is empty. Send the XML.',
      es: 'El cuerpo está vacío. Envíe el XML.',
    },
    payload_too_large: {
      status: 413,
      en: 'The body has more than {max_bytes} bytes. Send less in one request.',
      es: 'El cuerpo supera los {max_bytes} bytes. Envíe menos en cada petición.',
    },
    unsupported_media_type: {
      status: 415,
      en: 'The body is "{received}". Send {expected}.',
      es: 'El cuerpo es «{received}». Envíe {expected}.',
    },
    unsupported_invoice_source_transform: {
      status: 422,
      en: 'The document cannot be converted. Supported formats: {allowed}.',
      es: 'El documento no puede convertirse. Formatos admitidos: {allowed}.',
    },
    // The API specification describes this error ("XML unreadable or invalid"), but has no code for it.
    invoice_xml_invalid: {
      status: 422,
      source: 'cuadra',
      en: 'The XML cannot be read, or its invoice has errors: see errors. Nothing was registered.',
      es: 'El XML no puede leerse o su factura tiene errores: vea errors. No se ha registrado nada.',
    },
    export_not_possible: {
      status: 422,
      source: 'cuadra',
      en: 'The invoice cannot be exported to {format}: {reason}. See errors. The export never omits or shortens data.',
      es: 'La factura no puede exportarse a {format}: {reason}. Vea errors. La exportación nunca omite ni corta datos.',
    },
    recipient_tax_id_mismatch: ofRule('recipient_tax_id_mismatch'),
    recipient_tax_id_required: ofRule('recipient_tax_id_required'),
    exchange_rate_not_available: ofRule('exchange_rate_not_available', 'cuadra'),
    recognition_file_invalid: {
      status: 422,
      en: 'The file cannot be recognised.',
      es: 'El fichero no puede reconocerse.',
    },
    recognition_already_done: {
      status: 409,
      source: 'cuadra',
      en: 'This file was already recognised, in job {job_id}. Register that proposal, or send another file.',
      es: 'Este fichero ya se reconoció, en el trabajo {job_id}. Registre aquella propuesta o envíe otro fichero.',
    },
    recognition_in_progress: {
      status: 409,
      source: 'cuadra',
      en: 'Another request is recognising this file. Wait for its response.',
      es: 'Otra petición está reconociendo este fichero. Espere su respuesta.',
    },
    recognition_disabled: {
      status: 503,
      en: 'Recognition is not available.',
      es: 'El reconocimiento no está disponible.',
    },
  }),
  ...from('compliance', {
    verifactu_xml_not_found: {
      status: 404,
      en: 'The invoice has no registration record, so it has no XML. The record is created when an invoice is issued during an open VeriFactu period.',
      es: 'La factura no tiene registro de alta, así que no hay XML. El registro se genera al emitir una factura con un periodo de VeriFactu abierto.',
    },
    sii_submission_not_found: {
      status: 404,
      en: 'SII submission not found. List the submissions.',
      es: 'La empresa no tiene ese envío al SII. Consulte la lista de envíos.',
    },
    verifactu_not_applicable_foral: {
      status: 409,
      en: 'VeriFactu does not apply in {province}, where the company has its fiscal domicile.',
      es: 'VeriFactu no se aplica en {province}, donde la empresa tiene su domicilio fiscal.',
    },
    active_verifactu_certificate_or_delegation_required: {
      status: 409,
      en: 'No valid certificate (VeriFactu or general) and no delegated signature. Register a certificate, or delegate the signature.',
      es: 'No hay certificado vigente (VeriFactu o general) ni firma delegada. Registre un certificado o delegue la firma.',
    },
    verifactu_sif_not_applicable: {
      status: 409,
      en: 'Events are recorded only while a period in mode no_verifactu is open; the mode is {mode}.',
      es: 'Los eventos solo se registran con un periodo abierto en modo no_verifactu; el modo es {mode}.',
    },
    verifactu_aeat_query_error: {
      status: 422,
      en: 'The query to the tax authority failed: see errors.',
      es: 'La consulta a la AEAT ha fallado: vea errors.',
    },
    verifactu_sif_emit_error: {
      status: 422,
      en: 'The event could not be recorded: see errors.',
      es: 'El evento no pudo registrarse: vea errors.',
    },
  }),
  ...from('cuadra', {
    not_found: {
      status: 404,
      en: 'This path does not exist. See /openapi.json for the list of paths.',
      es: 'Esta ruta no existe. La lista de rutas está en /openapi.json.',
    },
    method_not_allowed: {
      status: 405,
      en: 'Method {received} not allowed. Use {allowed}.',
      es: 'Método no admitido: {received}. Use {allowed}.',
    },
    precondition_failed: {
      status: 412,
      en: 'The invoice no longer matches the version in If-Match ({received}): it was changed or deleted since. Read it again, apply your change, and send the new ETag.',
      es: 'La factura no está en la versión de If-Match ({received}): se ha modificado o eliminado desde entonces. Consúltela de nuevo, aplique su cambio y envíe el nuevo ETag.',
    },
    idempotency_key_reused: {
      status: 409,
      en: 'This Idempotency-Key was sent with another request. Use a new key for each request.',
      es: 'Esta Idempotency-Key se envió con otra petición. Use una nueva en cada petición.',
    },
    bad_request: {
      status: 400,
      en: 'The HTTP request cannot be read. Check the client.',
      es: 'La petición HTTP no es legible. Revise el cliente.',
    },
    request_timeout: {
      status: 408,
      en: 'The request did not arrive completely within {seconds} s. Check the connection and send it again.',
      es: 'La petición no llegó completa en {seconds} s. Compruebe la conexión y envíela de nuevo.',
    },
    request_headers_too_large: {
      status: 431,
      en: 'The headers are too large. Send fewer or shorter ones.',
      es: 'Las cabeceras son demasiado grandes. Envíe menos o más cortas.',
    },
    internal_error: {
      status: 500,
      en: 'Internal error. Nothing was changed. Report it with its request_id.',
      es: 'Error interno. No se ha cambiado nada. Comuníquelo con su request_id.',
    },
    service_unavailable: {
      status: 503,
      en: 'The database cannot be reached, or does not respond in time. Nothing was changed. Send the request again later.',
      es: 'No se puede acceder a la base de datos, o no responde a tiempo. No se ha cambiado nada. Repita la petición más tarde.',
    },
    outcome_unknown: {
      status: 503,
      en: 'The connection to the database was lost while the change was being saved: it may or may not have been saved. Read the invoice before you send anything again, or repeat the request with the same Idempotency-Key.',
      es: 'La conexión con la base de datos se perdió mientras se guardaba el cambio: puede haberse guardado o no. Consulte la factura antes de enviar nada más, o repita la petición con la misma Idempotency-Key.',
    },
    clock_behind: {
      status: 503,
      en: 'Today is {today} by the server clock, but series {series} already has an invoice of {last_date}, and the next number cannot have an earlier date. Nothing was changed. Correct the server clock, then issue again.',
      es: 'Según el reloj del servidor, hoy es {today}, pero la serie {series} ya tiene una factura del {last_date} y el número siguiente no puede llevar una fecha anterior. No se ha cambiado nada. Ponga en hora el reloj del servidor y emita de nuevo.',
    },
    verifactu_other_producer: {
      status: 503,
      en: 'The records of this company belong to the invoicing system of producer {expected}, but the server is declared by producer {received}. Nothing was changed. Notify the administrator: `cuadra-admin doctor` states what to do.',
      es: 'Los registros de esta empresa son del sistema de facturación del productor {expected}, pero el servidor está declarado por el productor {received}. No se ha cambiado nada. Avise al administrador: `cuadra-admin doctor` indica qué hacer.',
    },
    insufficient_storage: {
      status: 507,
      en: 'No space left to store the data. Nothing was changed. Notify the administrator.',
      es: 'No queda espacio para guardar los datos. No se ha cambiado nada. Avise al administrador.',
    },
  }),
}

export type Code = keyof typeof CODES
