/**
 * Codes that only the authority can decide, each with the reason, and the instruction for a response with this code.
 */
import type { Text } from '../../invoice/index.ts'
import { LISTED, service, validations } from '../model/laws.ts'
import { type AuthorityCode, type OnlineReason, online } from './rule.ts'

const CENSUS: Text = {
  en: 'Only the census of the tax authority shows whether a NIF exists and to whom it belongs.',
  es: 'Solo el censo de la AEAT indica si un NIF existe y quién es su titular.',
}
const STORED: Text = {
  en: 'It depends on the records that the tax authority has stored.',
  es: 'Depende de los registros almacenados en la AEAT.',
}
const RIGHTS: Text = {
  en: 'It depends on the certificate of the connection and on the powers of attorney registered with the tax authority.',
  es: 'Depende del certificado de la conexión y de los apoderamientos registrados en la AEAT.',
}
const TECHNICAL: Text = {
  en: 'It is a failure of the service, not of the message.',
  es: 'Es un fallo del servicio, no del mensaje.',
}

/** Instruction after a failure of the service, in both languages. */
const AGAIN_EN = 'Send the same message again later, unchanged and in the order of the chain'
const AGAIN_ES = 'Vuelva a enviar más tarde el mismo mensaje, sin cambios y en el orden de la cadena'

const REJECTED = 'rejects-record'
const WHOLE = 'rejects-whole-submission'

/** Declares the code of a failure of the service, not of the record. */
const technical = (
  code: number,
  effect: typeof REJECTED | typeof WHOLE,
  field: string,
  en: string,
  es: string,
): AuthorityCode =>
  online({
    code,
    effect,
    field,
    law: LISTED,
    reason: 'service',
    why: TECHNICAL,
    en: [en, `${AGAIN_EN}; mark it with Incidencia S if it is late by then.`],
    es: [es, `${AGAIN_ES}; márquelo con Incidencia S si para entonces va con retraso.`],
  })

interface Entry {
  readonly code: number
  readonly field: string
  readonly en: readonly [message: string, fix: string]
  readonly es: readonly [message: string, fix: string]
  readonly law?: string
  readonly why?: Text
}

const group = (
  reason: OnlineReason,
  effect: typeof REJECTED | typeof WHOLE,
  why: Text,
  entries: readonly Entry[],
): AuthorityCode[] => entries.map((entry) => online({ law: LISTED, why, ...entry, reason, effect }))

const CENSUS_CODES = [
  ...group('census', REJECTED, CENSUS, [
    {
      code: 1109,
      field: 'NIF',
      en: [
        'The tax authority does not find this NIF in its census.',
        'Ask its owner for the NIF and the name as registered, correct both, and send a new record (Subsanacion S, RechazoPrevio X).',
      ],
      es: [
        'La AEAT no encuentra este NIF en su censo.',
        'Pida a su titular el NIF y el nombre tal como están registrados, corrija ambos y envíe un registro nuevo (Subsanacion S, RechazoPrevio X).',
      ],
    },
    {
      code: 1110,
      field: 'NIF',
      en: [
        'No entry of the census has both this NIF and this name.',
        'Check both with the census query of the tax authority (natural persons: surnames first), correct them and send a new record (Subsanacion S, RechazoPrevio X).',
      ],
      es: [
        'El NIF y el nombre no corresponden a nadie en el censo.',
        'Compruebe ambos con la consulta censal de la AEAT (el nombre de una persona física empieza por los apellidos), corríjalos y envíe un registro nuevo (Subsanacion S, RechazoPrevio X).',
      ],
    },
    {
      code: 1121,
      field: 'IDOtro/ID',
      law: validations('3.1.3.12-13'),
      en: [
        'The tax authority does not find this identifier, usually a VAT number that is not in VIES.',
        'Check it in VIES; if the customer is not registered there, identify it by type 04 or 06 with its country; the exemption of an intra-Community supply requires the VAT number.',
      ],
      es: [
        'La AEAT no encuentra este identificador, normalmente un NIF-IVA que no figura en VIES.',
        'Compruébelo en VIES; si el cliente no está registrado allí, identifíquelo con el tipo 04 o 06 y su país, y tenga en cuenta que la exención intracomunitaria exige el NIF-IVA.',
      ],
      why: {
        en: 'Only VIES shows whether a VAT number exists, and VIES must be queried.',
        es: 'Si un NIF-IVA existe, solo lo sabe VIES, y hay que consultarlo.',
      },
    },
    {
      code: 1154,
      field: 'FacturasRectificadas or FacturasSustituidas/IDEmisorFactura',
      law: validations('3.1.3.4-5'),
      en: [
        'The issuer of a corrected or replaced invoice is not in the census.',
        'That issuer is nearly always the taxpayer itself: copy its NIF from the original invoice.',
      ],
      es: [
        'El emisor de una factura rectificada o sustituida no está en el censo.',
        'Ese emisor es casi siempre el propio obligado: copie su NIF de la factura original.',
      ],
    },
    {
      code: 1193,
      field: 'Destinatarios/IDDestinatario/NIF',
      en: [
        'The recipient could not be identified by NIF and name.',
        'Correct the NIF or the name; send a natural person outside the census as IDOtro, country ES, type 07. The issuer itself is accepted as recipient.',
      ],
      es: [
        'El destinatario no se ha podido identificar por su NIF y su nombre.',
        'Corrija el NIF o el nombre; envíe una persona física no censada como IDOtro, país ES, tipo 07. El destinatario ya puede ser el emisor.',
      ],
    },
    {
      code: 1217,
      field: 'IDFactura/IDEmisorFactura',
      en: [
        'The tax authority could not identify the issuer.',
        'Compare IDEmisorFactura and NombreRazonEmisor with the census; a taxpayer that has just registered may have to wait a day.',
      ],
      es: [
        'La AEAT no ha podido identificar al emisor.',
        'Compare IDEmisorFactura y NombreRazonEmisor con el censo; un obligado recién dado de alta puede tener que esperar un día.',
      ],
    },
  ]),
  ...group('census', WHOLE, CENSUS, [
    {
      code: 4104,
      field: 'Cabecera/ObligadoEmision/NIF',
      law: validations('3.1.1.1'),
      en: [
        'The taxpayer in the header could not be identified by NIF and name.',
        'Correct the NIF or the name in ObligadoEmision to match the census, and send the whole message again.',
      ],
      es: [
        'El obligado de la cabecera no está identificado.',
        'Corrija el NIF o el nombre de ObligadoEmision según el censo y vuelva a enviar el mensaje entero.',
      ],
    },
    {
      code: 4105,
      field: 'Cabecera/Representante/NIF',
      law: validations('3.1.1.2'),
      en: [
        'The representative in the header could not be identified by NIF and name.',
        'Correct the NIF and the name of Representante to match the census, or omit the block, and send the whole message again.',
      ],
      es: [
        'El representante de la cabecera no está identificado.',
        'Corrija el NIF y el nombre de Representante según el censo, u omita el bloque, y vuelva a enviar el mensaje entero.',
      ],
    },
    {
      code: 4107,
      field: 'NIF',
      en: [
        'A NIF in the message is not in the census.',
        'Check the header first (taxpayer and representative). Correct the NIF and send the whole message again.',
      ],
      es: [
        'Un NIF del mensaje no consta en el censo.',
        'Compruebe primero la cabecera (obligado y representante). Corrija el NIF y vuelva a enviar el mensaje entero.',
      ],
    },
    {
      code: 4123,
      field: 'Cabecera/Representante/NIF',
      law: validations('3.1.1.2'),
      en: [
        'The representative’s NIF is not in the census.',
        'Ask the representative for the right NIF, or omit Representante, and send the whole message again.',
      ],
      es: [
        'El NIF del representante no consta en el censo.',
        'Pida al representante el NIF correcto, u omita Representante, y vuelva a enviar el mensaje entero.',
      ],
    },
    {
      code: 4124,
      field: 'Cabecera/Representante/NombreRazon',
      en: [
        'The representative’s name does not match its NIF.',
        'Send the name as it is in the census (for a natural person, surnames first), and send the whole message again.',
      ],
      es: [
        'El nombre del representante no corresponde a su NIF.',
        'Envíe el nombre tal como figura en el censo (si es una persona física, primero los apellidos) y vuelva a enviar el mensaje entero.',
      ],
    },
  ]),
  online({
    code: 2001,
    effect: 'accepted-with-errors',
    needs_subsanacion: true,
    field: 'Destinatarios/IDDestinatario/NIF',
    law: validations('4.3.1'),
    reason: 'census',
    why: CENSUS,
    en: [
      'The record is stored, but the recipient’s NIF is not in the census.',
      'Ask the customer for the NIF and the name, then send the record again with Subsanacion S; issue a corrective invoice if the invoice shows the wrong data too.',
    ],
    es: [
      'El registro queda guardado, pero el NIF del destinatario no consta en el censo.',
      'Pida al cliente su NIF y su nombre y vuelva a enviar el registro con Subsanacion S; si los datos también están mal en la factura, expida una rectificativa.',
    ],
  }),
]

const STORED_CODES = [
  ...group('stored', REJECTED, STORED, [
    {
      code: 1128,
      field: 'NumRegistroAcuerdoFacturacion',
      law: validations('3.1.3.21'),
      en: [
        'The tax authority has no invoicing authorisation with this number.',
        'Copy the registration number from the resolution, or omit NumRegistroAcuerdoFacturacion.',
      ],
      es: [
        'La AEAT no tiene ninguna autorización de facturación con ese número.',
        'Copie el número de registro de la resolución, u omita NumRegistroAcuerdoFacturacion.',
      ],
      why: {
        en: 'The tax authority keeps the register of authorisations.',
        es: 'El registro de autorizaciones lo lleva la AEAT.',
      },
    },
    {
      code: 1242,
      field: 'SistemaInformatico',
      en: [
        'The tax authority has no system with this data.',
        'Send the query with the producer, IdSistemaInformatico and NumeroInstalacion from the records.',
      ],
      es: [
        'La AEAT no conoce ningún sistema con estos datos.',
        'Haga la consulta con el productor, IdSistemaInformatico y NumeroInstalacion de los registros.',
      ],
    },
    {
      code: 1285,
      field: 'SistemaInformatico',
      law: service('6.4.1'),
      en: [
        'More than one system matches the filter of the query.',
        'Add the members of SistemaInformatico that distinguish them: name, version, flags.',
      ],
      es: [
        'El filtro de la consulta corresponde a más de un sistema.',
        'Añada los miembros de SistemaInformatico que los distinguen: nombre, versión, indicadores.',
      ],
    },
    {
      code: 3001,
      field: 'IDFactura',
      en: [
        'The invoice is already cancelled.',
        'No further cancellation is needed. If the invoice must become valid again, register it with Subsanacion S; never give its number to another invoice.',
      ],
      es: [
        'La factura ya está anulada.',
        'No hace falta otra anulación. Si la factura debe recuperar su validez, envíe su alta con Subsanacion S; no dé nunca su número a otra factura.',
      ],
    },
    {
      code: 3002,
      field: 'IDFactura',
      law: validations('6.1-6.2'),
      en: [
        'The tax authority has no record of this invoice.',
        'Check issuer, number and date. If it was never accepted, register it with Subsanacion S and RechazoPrevio X, or cancel it with SinRegistroPrevio S.',
      ],
      es: [
        'La AEAT no tiene ningún registro de esta factura.',
        'Compruebe emisor, número y fecha. Si nunca se aceptó, regístrela con Subsanacion S y RechazoPrevio X, o anúlela con SinRegistroPrevio S.',
      ],
    },
    {
      code: 3004,
      field: 'IDFactura',
      en: [
        'The record was created with the invoicing application of the tax authority.',
        'Correct or cancel the record there; a program cannot change it.',
      ],
      es: [
        'El registro se hizo con la aplicación de facturación de la AEAT.',
        'Corríjalo o anúlelo allí; un programa no puede.',
      ],
    },
  ]),
  ...group('stored', WHOLE, STORED, [
    {
      code: 3502,
      field: 'IDFactura',
      en: [
        'The invoice whose collections or payments are queried does not exist.',
        'Check issuer, number and date; this code belongs to a service that VERI*FACTU does not have.',
      ],
      es: [
        'No existe la factura cuyos cobros o pagos se consultan.',
        'Compruebe emisor, número y fecha; este código es de un servicio que VERI*FACTU no tiene.',
      ],
    },
    {
      code: 3503,
      field: 'IDFactura',
      en: [
        'The invoice does not belong to the taxpayer named.',
        'Send the NIF of the taxpayer under whom the invoice was registered.',
      ],
      es: [
        'La factura no es del obligado que se indica.',
        'Envíe el NIF del obligado con el que se registró la factura.',
      ],
    },
  ]),
]

const ACCESS_CODES = [
  ...group('access', REJECTED, RIGHTS, [
    {
      code: 3003,
      field: '(authorisation)',
      en: [
        'The sender of the message may not change this record.',
        'Send it with the certificate of the taxpayer, or register the power of attorney first.',
      ],
      es: [
        'Quien envió el mensaje no puede modificar este registro.',
        'Envíelo con el certificado del obligado, o registre antes el apoderamiento.',
      ],
    },
  ]),
  ...group('access', WHOLE, RIGHTS, [
    {
      code: 4112,
      field: '(certificate)',
      law: service('4.1'),
      en: [
        'The holder of the certificate may not send for this taxpayer.',
        'Use the certificate of the taxpayer, of an authorised representative (apoderado) or of a registered filing agent (colaborador social); check that the header names the right taxpayer.',
      ],
      es: [
        'El titular del certificado no puede enviar por este obligado.',
        'Use el certificado del obligado, o de quien tenga un apoderamiento o sea colaborador social; compruebe que la cabecera nombra al obligado correcto.',
      ],
    },
    {
      code: 4118,
      field: '(endpoint)',
      en: [
        'The message was sent to the address for another type of message.',
        'Send submissions and queries to VerifactuSOAP and responses to requests to RequerimientoSOAP, and do not mix production and test addresses.',
      ],
      es: [
        'El mensaje se envió a la dirección de otro tipo de mensajes.',
        'Envíe las remisiones y consultas a VerifactuSOAP y las contestaciones a requerimientos a RequerimientoSOAP, sin mezclar direcciones de producción y de pruebas.',
      ],
      why: {
        en: 'The message itself does not contain its address.',
        es: 'El mensaje no contiene la dirección a la que se envía.',
      },
    },
    {
      code: 4132,
      field: '(certificate)',
      en: [
        'The holder of the certificate may not send queries on behalf of this recipient.',
        'Use the certificate of the recipient in Cabecera/Destinatario, or of its representative or successor.',
      ],
      es: [
        'El titular del certificado no puede consultar en nombre de este destinatario.',
        'Use el certificado del destinatario de Cabecera/Destinatario, o de su apoderado o sucesor.',
      ],
    },
    {
      code: 4135,
      field: '(transport)',
      en: ['The address was called with GET.', 'Send the SOAP message with POST.'],
      es: ['Se llamó a la dirección con GET.', 'Envíe el mensaje SOAP con POST.'],
      why: { en: 'It concerns the HTTP method.', es: 'Se refiere al método HTTP.' },
    },
    {
      code: 4140,
      field: '(authorisation)',
      en: [
        'No power of attorney for querying invoices is registered.',
        'Have the taxpayer register one for this procedure, or query with the taxpayer’s own certificate.',
      ],
      es: [
        'No consta ningún apoderamiento para consultar facturas.',
        'Pida al obligado que registre uno para este trámite, o consulte con el certificado del propio obligado.',
      ],
    },
    {
      code: 4141,
      field: '(service)',
      en: [
        'The tax authority has temporarily suspended access.',
        'Stop sending, keep the records in their order and write to the VERI*FACTU mailbox of the tax authority. Afterwards, send the records with Incidencia S.',
      ],
      es: [
        'La AEAT ha suspendido temporalmente el acceso.',
        'Deje de enviar, conserve los registros en su orden y escriba al buzón VERI*FACTU de la AEAT; envíelos después con Incidencia S.',
      ],
      why: {
        en: 'The tax authority decides on suspensions.',
        es: 'La AEAT decide las suspensiones.',
      },
    },
  ]),
]

const SERVICE_CODES = [
  technical(
    1129,
    REJECTED,
    'NumRegistroAcuerdoFacturacion',
    'The tax authority failed to look up the invoicing authorisation.',
    'La AEAT no pudo consultar la autorización de facturación.',
  ),
  technical(
    1241,
    REJECTED,
    'SistemaInformatico',
    'The tax authority failed to look up the invoicing software.',
    'La AEAT no pudo consultar el sistema informático.',
  ),
  technical(
    1243,
    REJECTED,
    'FechaHoraHusoGenRegistro',
    'The tax authority failed to calculate the offset of the timestamp.',
    'La AEAT no pudo calcular el huso horario de la fecha y hora.',
  ),
  technical(
    1256,
    REJECTED,
    'FechaExpedicionFactura',
    'The tax authority failed to look up the earliest date that it accepts.',
    'La AEAT no pudo consultar la primera fecha que admite.',
  ),
  technical(
    1288,
    REJECTED,
    'FechaExpedicionFactura or FechaOperacion',
    'The tax authority failed while checking the dates.',
    'La AEAT falló al comprobar las fechas.',
  ),
  technical(
    3500,
    WHOLE,
    '(service)',
    'The database of the tax authority reported inconsistent data.',
    'La base de datos de la AEAT dio un error de integridad.',
  ),
  technical(
    3501,
    WHOLE,
    '(service)',
    'The database of the tax authority failed.',
    'La base de datos de la AEAT falló.',
  ),
  technical(
    4108,
    WHOLE,
    '(certificate)',
    'The tax authority could not read the certificate of the connection.',
    'La AEAT no pudo leer el certificado de la conexión.',
  ),
  technical(
    4110,
    WHOLE,
    '(authorisation)',
    'The tax authority failed while checking powers of attorney.',
    'La AEAT falló al comprobar los apoderamientos.',
  ),
  technical(
    4111,
    WHOLE,
    '(service)',
    'The tax authority failed to open the procedure.',
    'La AEAT no pudo iniciar el trámite.',
  ),
  technical(
    4128,
    WHOLE,
    '(service)',
    'The tax authority failed to read its own tables.',
    'La AEAT no pudo leer sus propias tablas.',
  ),
  ...group('service', WHOLE, TECHNICAL, [
    {
      code: 4134,
      field: '(service)',
      en: [
        'The service is disabled.',
        'Check the notices on the site of the tax authority. Keep the records in order, and send them with Incidencia S when the service is available again.',
      ],
      es: [
        'El servicio está desactivado.',
        'Consulte los avisos de la sede electrónica de la AEAT; conserve los registros en su orden y envíelos con Incidencia S cuando el servicio vuelva.',
      ],
    },
    {
      code: 4139,
      field: '(service)',
      en: [
        'The service does not work in production yet.',
        'Use the test environment, or wait for the date announced by the tax authority.',
      ],
      es: [
        'El servicio todavía no funciona en producción.',
        'Use el entorno de pruebas, o espere a la fecha que anuncie la AEAT.',
      ],
    },
  ]),
]

const replacedBy = (code: number): Text => ({
  en: `The current rules accept the record with errors, under code ${code}, which is checked offline.`,
  es: `Las reglas vigentes aceptan ese registro con errores, con el código ${code}, que se comprueba sin conexión.`,
})

const OBSOLETE_CODES = [
  ...group('obsolete', REJECTED, TECHNICAL, [
    {
      code: 1156,
      field: 'IDOtro/IDType',
      law: validations('3.1.3.13'),
      why: {
        en: 'The types that exclude a VAT number exclude all recipients (F2 and R5, code 1190) or have a separate code (R3, 1191); those codes are checked offline.',
        es: 'Los tipos que excluyen el NIF-IVA excluyen a todo destinatario (F2 y R5, código 1190) o tienen su propio código (R3, 1191); esos códigos se comprueban sin conexión.',
      },
      en: [
        'An invoice of this type cannot identify a recipient by VAT number (type 02).',
        'Omit the recipients in a simplified invoice or its corrective invoice, or send the type of a full invoice.',
      ],
      es: [
        'Una factura de este tipo no puede identificar a un destinatario por su NIF-IVA (tipo 02).',
        'Omita los destinatarios en una factura simplificada o en su rectificativa, o envíe el tipo de una factura completa.',
      ],
    },
    {
      code: 1210,
      field: 'ImporteTotal',
      law: validations('3.1.3.17'),
      why: replacedBy(2005),
      en: [
        'The total of the invoice is not the sum of its taxable amounts, tax amounts and equivalence surcharges.',
        'Add up the breakdown again; ImporteTotal excludes withholdings and disbursements.',
      ],
      es: [
        'El total de la factura no es la suma de bases, cuotas y recargos.',
        'Vuelva a sumar el desglose; las retenciones y los suplidos no se incluyen en ImporteTotal.',
      ],
    },
    {
      code: 1214,
      field: 'NumeroOTAlta',
      why: {
        en: 'The schema no longer has the element.',
        es: 'El esquema ya no tiene ese elemento.',
      },
      en: [
        'The number of taxpayers of the system is not a number of up to four digits.',
        'Do not send NumeroOTAlta; IndicadorMultiplesOT replaces it.',
      ],
      es: [
        'El número de obligados del sistema no es un número de hasta cuatro cifras.',
        'No envíe NumeroOTAlta, sustituido por IndicadorMultiplesOT.',
      ],
    },
    {
      code: 1216,
      field: 'CuotaTotal',
      law: validations('3.1.3.16'),
      why: replacedBy(2006),
      en: [
        'The total tax is not the sum of the tax amounts and equivalence surcharges of the lines.',
        'Add up CuotaRepercutida and CuotaRecargoEquivalencia of all lines again.',
      ],
      es: [
        'La cuota total no es la suma de cuotas y recargos de las líneas.',
        'Vuelva a sumar CuotaRepercutida y CuotaRecargoEquivalencia de todas las líneas.',
      ],
    },
    {
      code: 1233,
      field: 'IDOtro/IDType',
      why: {
        en: 'The current validations of the tax authority have no rule that requires type 07 alone: for Spain they allow 03, in some cases also 07 (codes 1126, 1230, 1232, 1234).',
        es: 'Ninguna regla del documento vigente exige solo el tipo 07: para España es 03, o 03 y 07 (códigos 1126, 1230, 1232, 1234).',
      },
      en: [
        'This Spanish party can only be identified as not in the census (type 07).',
        'Send its NIF in the element NIF; if it is not in the census, send IDType 07 with the NIF of the natural person in ID.',
      ],
      es: [
        'Esta persona, de país ES, solo puede identificarse como no censada (tipo 07).',
        'Envíe su NIF en el elemento NIF; si no está en el censo, IDType 07 con el NIF de la persona física en ID.',
      ],
    },
  ]),
  ...group('obsolete', WHOLE, TECHNICAL, [
    {
      code: 4114,
      field: 'RegistroFactura',
      law: service('3'),
      why: {
        en: 'The service and the schema have the same limit, and 4113 is reported first.',
        es: 'El servicio admite tantas facturas como el esquema, y el exceso se notifica antes con 4113.',
      },
      en: [
        'The message has more invoices than the service accepts at once.',
        'Send at most 1,000 records in a message, and the rest in further messages, in the order of the chain.',
      ],
      es: [
        'El mensaje lleva más facturas de las que el servicio admite a la vez.',
        'Envíe como máximo 1.000 registros por mensaje y el resto en otros, en el orden de la cadena.',
      ],
    },
  ]),
]

export const ONLINE_CODES: readonly AuthorityCode[] = [
  ...CENSUS_CODES,
  ...STORED_CODES,
  ...ACCESS_CODES,
  ...SERVICE_CODES,
  ...OBSOLETE_CODES,
]
