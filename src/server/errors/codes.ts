/**
 * The table of all error codes of the HTTP interface: status, words, and which part of the specification has it.
 * The OpenAPI document, the documentation and the completeness test are made from it; an unknown code does not
 * compile. `{placeholders}` are the extra members of `detail`.
 */
import { ruleOf } from '../../../rules/index.ts'
import { required } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'

interface CodeMessages extends Text {
  readonly status: number
  /** Section of the specification, or `cuadra` for an addition. */
  readonly source: 'common' | 'issue' | 'import' | 'received' | 'compliance' | 'cuadra'
  /** Why no request can be answered with it here. */
  readonly reserved?: string
}

/** An entry of a section; `source` only where it is another one. */
type Entry = Omit<CodeMessages, 'source'> & Partial<Pick<CodeMessages, 'source'>>

/** A code that refuses a whole request because of one problem of its document: the words are those of the rule. */
const ofRule = (code: string, source?: CodeMessages['source']): Entry => {
  const { message, fix } = required(ruleOf(code))
  const messageText = { status: 422, en: `${message.en} ${fix.en}`, es: `${message.es} ${fix.es}` }
  return source ? { source, ...messageText } : messageText
}

/** The codes of a section. */
const from = <Name extends string>(source: CodeMessages['source'], entries: Readonly<Record<Name, Entry>>) =>
  Object.fromEntries(
    Object.entries<Entry>(entries).map(([code, entry]) => [code, { source, ...entry }]),
  ) as Record<Name, CodeMessages>

export const CODES = {
  ...from('common', {
    unauthorized: {
      status: 401,
      en: 'The API key is missing, wrong, revoked or expired. Send a valid one in X-API-Key.',
      es: 'Falta la clave de API, o es incorrecta, está revocada o ha caducado. Envíe una válida en X-API-Key.',
    },
    feature_outside_plan: {
      status: 402,
      en: 'The plan of the company does not include {feature}. Change the plan.',
      es: 'El plan de la empresa no incluye {feature}. Cambie de plan.',
    },
    quota_exceeded: {
      status: 402,
      en: 'The monthly recognition limit of the plan ({limit} documents) is reached. Wait until {available_from}, or change the plan.',
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
      en: 'More than {limit} requests a minute. Wait {retry_after} s.',
      es: 'Más de {limit} peticiones por minuto. Espere {retry_after} s.',
    },
    request_validation_error: {
      status: 422,
      en: 'The request is wrong: {reason}.',
      es: 'La petición es incorrecta: {reason}.',
    },
    schema_validation_failed: {
      status: 422,
      en: 'The document does not have the shape of an invoice: see errors. Nothing was stored.',
      es: 'El documento no tiene la forma de una factura: vea errors. No se ha guardado nada.',
    },
    unsupported_schema_version: ofRule('unsupported_schema_version'),
    inferred_fields_not_allowed: ofRule('inferred_fields_not_allowed'),
    missing_required_fields: {
      status: 422,
      en: 'This operation needs {missing}. Add what is missing.',
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
      en: 'The company has no such invoice here. Check the id and the kind of invoice.',
      es: 'La empresa no tiene aquí esa factura. Compruebe el id y el tipo de factura.',
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
      en: 'The invoice cannot be changed like this: {reason}.',
      es: 'La factura no puede modificarse de este modo: {reason}.',
    },
    invoice_delete_not_allowed: {
      status: 409,
      en: 'The invoice cannot be deleted: {reasons}.',
      es: 'La factura no puede eliminarse: {reasons}.',
    },
    invoice_race_condition: {
      status: 409,
      en: 'Others are writing the same invoice. Send the request again.',
      es: 'Otras peticiones están modificando la misma factura. Repita la petición.',
    },
    canonical_not_available: {
      status: 409,
      en: 'There is no canonical document of this invoice.',
      es: 'No hay documento canónico de esta factura.',
    },
    unknown_status: {
      status: 400,
      en: 'There is no status {received}. Use one of {allowed}.',
      es: 'No existe el estado {received}. Use uno de {allowed}.',
    },
  }),
  ...from('issue', {
    invalid_status_transition: {
      status: 409,
      en: 'The invoice is {from}; from that status it cannot become {to}.',
      es: 'La factura está {from}; desde ese estado no puede pasar a estar {to}.',
    },
    invoice_queued_for_bulk_issue: {
      status: 409,
      en: 'The invoice is reserved by a bulk issue. Wait for its end.',
      es: 'La factura está reservada por una emisión masiva. Espere a que termine.',
    },
    bulk_issue_series_active: {
      status: 409,
      en: 'A bulk issue is running in series {series}. Wait for its end.',
      es: 'Hay una emisión masiva en curso en la serie {series}. Espere a que termine.',
    },
    company_not_verified: {
      status: 409,
      en: 'The company is not verified yet, so it cannot issue. Have it verified.',
      es: 'La empresa aún no está verificada, por lo que no puede emitir. Complete su verificación.',
    },
    forced_number_in_use: {
      status: 409,
      en: 'The number {number} is held by another invoice. Choose another.',
      es: 'El número {number} ya lo tiene otra factura. Elija otro.',
    },
    invoice_number_already_assigned: {
      status: 409,
      reserved:
        'Number and state are written in one transaction: no earlier attempt can leave a number behind.',
      en: 'An earlier attempt assigned the number {number}.',
      es: 'Un intento anterior asignó el número {number}.',
    },
    validation_failed: {
      status: 422,
      en: 'The invoice has errors: see errors. Nothing was issued and no number was used.',
      es: 'La factura tiene errores: vea errors. No se ha emitido y no se ha usado ningún número.',
    },
    missing_emission_fields: {
      status: 422,
      reserved: 'A draft without series is refused when it is saved.',
      en: 'To issue, {missing} is needed.',
      es: 'Para emitir hace falta {missing}.',
    },
    forced_number_invalid: {
      status: 422,
      en: 'The number {number} does not fit the template {template} of series {series}. The next one would be {example}.',
      es: 'El número {number} no se ajusta a la plantilla {template} de la serie {series}. El siguiente sería {example}.',
    },
  }),
  ...from('import', {
    issued_invoice_fiscally_locked: {
      status: 409,
      en: 'The invoice is locked: {reasons}. These fields may not change: {locked_fields_changed}.',
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
      es: 'No puede construirse la rectificativa: {reason}.',
    },
    no_recipient_email: {
      status: 422,
      en: 'There is no e-mail address to send to: {reason}. Give one in the field to.',
      es: 'No hay dirección de correo a la que enviar: {reason}. Indique una en el campo to.',
    },
    mail_too_large: {
      status: 422,
      source: 'cuadra',
      en: 'With its attachments the e-mail would have {bytes} bytes, and may have {max_bytes}. Nothing was sent. Send it without attach_xml, or hand the files over in another way.',
      es: 'Con sus adjuntos, el correo tendría {bytes} bytes y puede tener {max_bytes}. No se ha enviado nada. Envíelo sin attach_xml o entregue los ficheros por otra vía.',
    },
    email_not_sent: {
      status: 502,
      source: 'cuadra',
      en: 'The e-mail was not sent: {reason}. The invoice is as it was, and nobody tries again by itself.',
      es: 'El correo no se ha enviado: {reason}. La factura queda como estaba y no se volverá a intentar automáticamente.',
    },
  }),
  ...from('received', {
    received_invoice_fiscally_locked: {
      status: 409,
      en: 'The invoice is locked: {reasons}. These fields may not change: {locked_fields_changed}.',
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
      en: 'The document cannot be converted. The formats are {allowed}.',
      es: 'El documento no puede convertirse. Los formatos son {allowed}.',
    },
    // The specification gives this refusal no code of its own ("XML unreadable or invalid").
    invoice_xml_invalid: {
      status: 422,
      source: 'cuadra',
      en: 'The XML cannot be read, or the invoice in it has errors: see errors. Nothing was registered.',
      es: 'El XML no puede leerse o su factura tiene errores: vea errors. No se ha registrado nada.',
    },
    export_not_possible: {
      status: 422,
      source: 'cuadra',
      en: 'The invoice cannot be exported to {format}: {reason}. See errors; nothing is left out or cut.',
      es: 'La factura no puede exportarse a {format}: {reason}. Vea errors; no se omite ni se corta nada.',
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
      en: 'This file was recognised before, as job {job_id}. Register that proposal, or send another file.',
      es: 'Este fichero ya se reconoció, en el trabajo {job_id}. Registre aquella propuesta o envíe otro fichero.',
    },
    recognition_in_progress: {
      status: 409,
      source: 'cuadra',
      en: 'This file is being recognised by another request. Wait for its answer.',
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
      en: 'The invoice has no registration record, so there is no XML. One is made when an invoice is issued while a VeriFactu period is open.',
      es: 'La factura no tiene registro de alta, así que no hay XML. Se genera al emitir una factura con un periodo de VeriFactu abierto.',
    },
    sii_submission_not_found: {
      status: 404,
      en: 'The company has no such SII submission. List them.',
      es: 'La empresa no tiene ese envío al SII. Consulte la lista.',
    },
    verifactu_not_applicable_foral: {
      status: 409,
      en: 'The company has its fiscal domicile in {province}, where VeriFactu does not apply.',
      es: 'La empresa tiene su domicilio fiscal en {province}, donde no se aplica VeriFactu.',
    },
    active_verifactu_certificate_or_delegation_required: {
      status: 409,
      en: 'There is no valid certificate (VeriFactu or general) and no delegated signature. Register a certificate or delegate the signature.',
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
      en: 'There is nothing at this address. The list of addresses is at /openapi.json.',
      es: 'No hay nada en esta dirección. La lista de direcciones está en /openapi.json.',
    },
    method_not_allowed: {
      status: 405,
      en: 'The method is {received}. Use {allowed}.',
      es: 'El método es {received}. Use {allowed}.',
    },
    precondition_failed: {
      status: 412,
      en: 'The invoice is not in the version of If-Match ({received}): it was changed or deleted since. Read it again, apply your change to it, and send its ETag.',
      es: 'La factura no está en la versión de If-Match ({received}): se ha modificado o eliminado desde entonces. Consúltela de nuevo, aplique su cambio y envíe su ETag.',
    },
    idempotency_key_reused: {
      status: 409,
      en: 'This Idempotency-Key was sent with another request. Use a new one for each request.',
      es: 'Esta Idempotency-Key se envió con otra petición. Use una nueva en cada petición.',
    },
    bad_request: {
      status: 400,
      en: 'The HTTP request cannot be read. Check the client.',
      es: 'La petición HTTP no es legible. Revise el cliente.',
    },
    request_timeout: {
      status: 408,
      en: 'The request did not arrive whole within {seconds} s. Send it again, faster.',
      es: 'La petición no llegó entera en {seconds} s. Envíela de nuevo, más deprisa.',
    },
    request_headers_too_large: {
      status: 431,
      en: 'The headers are too large. Send fewer or shorter ones.',
      es: 'Las cabeceras son demasiado grandes. Envíe menos o más cortas.',
    },
    internal_error: {
      status: 500,
      en: 'The request could not be finished, and nothing was changed. Report it with its request_id.',
      es: 'La petición no pudo terminarse y no se ha cambiado nada. Comuníquelo con su request_id.',
    },
    service_unavailable: {
      status: 503,
      en: 'The database cannot be reached, or does not answer in time. Nothing was changed; send the request again later.',
      es: 'No se puede acceder a la base de datos, o no responde a tiempo. No se ha cambiado nada; repita la petición más tarde.',
    },
    outcome_unknown: {
      status: 503,
      en: 'The connection to the database was lost while the change was being saved: it may have been saved or not. Read the invoice before you send anything again, or send the same request again with the Idempotency-Key that it had.',
      es: 'La conexión con la base de datos se perdió mientras se guardaba el cambio: puede haberse guardado o no. Consulte la factura antes de enviar nada más, o repita la misma petición con la Idempotency-Key que llevaba.',
    },
    clock_behind: {
      status: 503,
      en: 'For the server, today is {today}, but series {series} already has an invoice of {last_date}, and the next number may not have an earlier date. Have the clock of the server set right, then issue again; nothing was changed.',
      es: 'Para el servidor, hoy es {today}, pero la serie {series} ya tiene una factura del {last_date} y el número siguiente no puede llevar una fecha anterior. Haga que se ponga en hora el reloj del servidor y emita de nuevo; no se ha cambiado nada.',
    },
    insufficient_storage: {
      status: 507,
      en: 'There is no room left to store it. Nothing was changed; tell the administrator.',
      es: 'No queda espacio para guardarlo. No se ha cambiado nada; avise al administrador.',
    },
  }),
}

export type Code = keyof typeof CODES
