/** Texts of the page. Messages of the server and of the authority come with their responses. */
import { count, type Locale, messages } from '../parts/locale.ts'

const MESSAGES = messages({
  title: ['Tax authority status', 'Estado ante la Agencia Tributaria'],
  tagline: [
    'The status of your fiscal records, and what needs your attention.',
    'El estado de sus registros y lo que requiere su atención.',
  ],
  skip: ['Skip to status', 'Ir al estado'],
  key: ['API key', 'Clave de la API'],
  keyHelp: [
    'Requires the compliance:read scope. With invoices:read, invoice numbers and records are shown too. The key is kept until you close this tab and is sent only to this server.',
    'Exige el permiso compliance:read. Con invoices:read se muestran también los números de factura y sus registros. La clave se guarda hasta que cierre esta pestaña y solo se envía a este servidor.',
  ],
  keyMissing: ['Enter the key.', 'Introduzca la clave.'],
  enter: ['Sign in', 'Entrar'],
  leave: ['Sign out', 'Salir'],
  left: ['Signed out.', 'Sesión cerrada.'],
  checking: ['Loading…', 'Cargando…'],
  refresh: ['Refresh', 'Actualizar'],
  updated: ['Updated at {0}.', 'Actualizado a las {0}.'],
  next: [
    'Refreshes every {0} s while this tab is visible.',
    'Se actualiza cada {0} s mientras esta pestaña esté visible.',
  ],
  unauthorized: [
    'Invalid key: it is wrong, expired or revoked.',
    'Clave no válida: es incorrecta, ha caducado o se ha revocado.',
  ],
  unreachable: ['The server is not responding.', 'El servidor no responde.'],
  stale: ['Last updated at {0}.', 'Última actualización: {0}.'],
  again: ['Retrying in {0} s.', 'Nuevo intento en {0} s.'],
  rateLimited: [
    'Rate limit reached for this key.',
    'Esta clave ha alcanzado el límite de peticiones por minuto.',
  ],
  failed: ['The request failed ({0}).', 'La petición ha fallado ({0}).'],
  scope: ['This section requires the scope {0}.', 'Esta sección exige el permiso {0}.'],
  scopeHow: [
    'An administrator can create a key with {command}.',
    'Un administrador puede crear una clave con {command}.',
  ],
  fine: ['Everything is in order', 'Todo está en orden'],
  fineText: ['Nothing is rejected or overdue.', 'No hay rechazos ni plazos vencidos.'],
  toDo: ['{0|item needs|items need} attention', '{0|asunto pendiente|asuntos pendientes}'],
  partly: [
    'No problems in what this key can access',
    'Sin problemas en los datos a los que accede esta clave',
  ],
  inactive: ['Reporting is not active', 'Todavía no se comunica nada'],
  inactiveText: [
    'This company uses neither VeriFactu nor the SII.',
    'Esta empresa no tiene activos ni VeriFactu ni el SII.',
  ],
  attend: {
    incidents: ['{0|VeriFactu incident|VeriFactu incidents}', '{0|incidencia|incidencias} de VeriFactu'],
    overdue: ['{0|invoice|invoices} overdue in the SII', '{0|factura|facturas} fuera de plazo en el SII'],
    today: [
      '{0|invoice|invoices} due in the SII today',
      '{0|factura vence hoy en el SII|facturas vencen hoy en el SII}',
    ],
    suspended: [
      'VeriFactu is suspended: no valid certificate',
      'VeriFactu está suspendido: no hay certificado vigente',
    ],
    certificate: [
      (name: string, days: number) =>
        days < 0
          ? `Certificate ${name} has expired`
          : `Certificate ${name} expires in ${count(days, 'day', 'days')}`,
      (name: string, days: number) =>
        days < 0
          ? `El certificado ${name} ha caducado`
          : `El certificado ${name} caduca dentro de ${count(days, 'día', 'días')}`,
    ],
  },
  incidents: ['Incidents', 'Incidencias'],
  noIncidents: ['None. Everything sent was accepted.', 'Ninguna. Todo lo enviado se ha aceptado.'],
  resolved: [
    'Resolved: a later record of the invoice was accepted.',
    'Resuelta: se aceptó un registro posterior de la factura.',
  ],
  noAction: [
    'No action: no correction is needed, or a corrective invoice was issued.',
    'Nada que hacer: no exige subsanación o ya se expidió una factura rectificativa.',
  ],
  resolvedIncidents: [
    '{0|resolved incident|resolved incidents}',
    '{0|incidencia ya resuelta|incidencias ya resueltas}',
  ],
  correcting: ['Its correction is waiting to be sent.', 'La subsanación está pendiente de envío.'],
  whatToDo: ['What to do', 'Qué hacer'],
  advice: {
    retrying: ['No action is needed: it is retried automatically.', 'Nada: se reintenta automáticamente.'],
    followMessage: [
      'Follow the message. Pending records are then sent automatically.',
      'Siga el mensaje. Después, lo pendiente se envía automáticamente.',
    ],
  },
  withoutNumber: ['Whole submission', 'Envío completo'],
  more: ['and {0} more', 'y {0} más'],
  chain: ['VeriFactu chain', 'Cadena de VeriFactu'],
  mode: ['Mode', 'Modalidad'],
  modes: {
    verifactu: ['VERI*FACTU', 'VERI*FACTU'],
    no_verifactu: [
      'NO VERI*FACTU: signed and stored, not sent',
      'NO VERI*FACTU: se firma y se conserva, no se envía',
    ],
  },
  regime: ['Status', 'Estado'],
  regimeHelp: {
    no_activado: [
      'Add a certificate, then call PUT /verifactu/config.',
      'Añada un certificado y llame a PUT /verifactu/config.',
    ],
    pendiente_mandato: [
      'Add a certificate or a delegated signature, then call PUT /verifactu/config.',
      'Añada un certificado o una firma delegada y llame a PUT /verifactu/config.',
    ],
    habilitado: ['', ''],
    suspendido: [
      'No valid certificate. Add one with {command}. Sending resumes within a minute.',
      'No hay certificado vigente. Añada uno con {command}. El envío se reanuda en menos de un minuto.',
    ],
    revocado: [
      'The period is closed. Open another with {command}.',
      'El periodo está cerrado. Abra otro con {command}.',
    ],
  },
  notApplicable: [
    'VeriFactu does not apply: the province has its own tax authority.',
    'VeriFactu no se aplica: la provincia tiene Administración tributaria propia.',
  ],
  environment: ['Environment', 'Entorno'],
  environments: {
    test: ['test', 'pruebas'],
    production: ['production', 'producción'],
  },
  period: ['Period since', 'Periodo desde'],
  certificate: ['Certificate', 'Certificado'],
  noCertificate: ['none valid', 'ninguno vigente'],
  until: ['until {0}', 'hasta el {0}'],
  lastHash: ['Last hash', 'Última huella'],
  records: ['Latest records', 'Últimos registros'],
  moreRecords: ['{0} more', '{0} más'],
  waiting: [
    '{0|record is|records are} waiting to be sent automatically.',
    '{0|registro pendiente|registros pendientes} de envío automático.',
  ],
  waitSince: [
    '{0|record is|records are} waiting to be sent, the oldest since {1}.',
    '{0|registro pendiente|registros pendientes} de envío, el más antiguo desde el {1}.',
  ],
  nextAttempt: ['Next attempt: {0}.', 'Próximo intento: {0}.'],
  noRecords: [
    'No records yet. The first invoice you issue creates one.',
    'Todavía no hay registros. El primero se genera al expedir la primera factura.',
  ],
  linked: ['linked to the previous one', 'encadenado con el anterior'],
  first: ['first of the chain', 'primero de la cadena'],
  notShown: ['the previous one is not shown', 'el anterior no se muestra'],
  kinds: {
    alta: ['registration', 'alta'],
    anulacion: ['cancellation', 'anulación'],
  },
  states: {
    no_activado: ['not activated', 'no activado'],
    pendiente_mandato: ['awaiting mandate', 'pendiente de mandato'],
    habilitado: ['active', 'habilitado'],
    suspendido: ['suspended', 'suspendido'],
    revocado: ['ended', 'revocado'],
    pending: ['waiting to be sent', 'pendiente de envío'],
    accepted: ['accepted', 'aceptado'],
    accepted_with_errors: ['accepted with errors', 'aceptado con errores'],
    rejected: ['rejected', 'rechazado'],
    missing: ['record missing', 'falta el registro'],
    registered: ['signed and stored', 'firmado y conservado'],
    signature_pending: ['awaiting signature', 'pendiente de firma'],
    Correcto: ['accepted', 'aceptado'],
    ParcialmenteCorrecto: ['partially accepted', 'aceptado parcialmente'],
    Incorrecto: ['rejected', 'rechazado'],
    sending: ['sending', 'en curso'],
    failed: ['failed, retrying', 'fallido, se reintenta'],
    unknown: ['no response, will be queried', 'sin respuesta, se consultará'],
    settled: ['settled by a query', 'resuelto por consulta'],
    not_received: ['not received, resending', 'no recibido, se reenvía'],
    stopped: ['sending ended', 'envío terminado'],
    AceptadoConErrores: ['accepted with errors', 'aceptado con errores'],
    Anulado: ['cancelled', 'anulado'],
    Correcta: ['accepted', 'aceptado'],
    AceptadaConErrores: ['accepted with errors', 'aceptado con errores'],
    Anulada: ['cancelled', 'anulado'],
    partially_accepted: ['partially accepted', 'aceptado parcialmente'],
    submitted: ['sending', 'en curso'],
    deleted: ['deleted', 'dada de baja'],
  },
  events: ['System events', 'Eventos del sistema'],
  noEvents: ['None yet.', 'Todavía no hay ninguno.'],
  find: ['Find an invoice', 'Buscar una factura'],
  findLabel: ['Invoice number', 'Número de factura'],
  findHelp: ['As printed, including the series.', 'Tal como figura en la factura, con la serie.'],
  search: ['Find', 'Buscar'],
  notFound: ['No issued invoice has the number {0}.', 'No hay ninguna factura emitida con el número {0}.'],
  notRegistered: ['This invoice has no VeriFactu record.', 'Esta factura no tiene registro de VeriFactu.'],
  qr: ['Verify with its QR link', 'Cotejar con el enlace de su QR'],
  ask: ['Query the tax authority', 'Consultar a la AEAT'],
  askHelp: [
    'The first page of the records that the tax authority has for one month.',
    'La primera página de los registros que tiene de un mes.',
  ],
  month: ['Month', 'Mes'],
  askNow: ['Query', 'Consultar'],
  asking: ['Querying the tax authority…', 'Consultando a la AEAT…'],
  nothingThere: ['The tax authority has no records for {0}.', 'La AEAT no tiene registros de {0}.'],
  there: ['{0|record|records} of {1}', '{0|registro|registros} de {1}'],
  morePages: ['There are more pages.', 'Hay más páginas.'],
  submissions: ['VeriFactu submissions', 'Envíos de VeriFactu'],
  noSubmissions: [
    'None yet. Issued invoices are sent automatically.',
    'Todavía no hay envíos. Las facturas se envían automáticamente al expedirse.',
  ],
  recordCount: ['Records', 'Registros'],
  notSent: ['not sent', 'sin enviar'],
  sii: ['SII', 'SII'],
  enrolments: {
    not_applicable: ['not enrolled', 'no incluida'],
    mandatory: ['enrolled, mandatory', 'incluida, obligatoria'],
    voluntary_opted_in: ['enrolled, voluntary', 'incluida, voluntaria'],
    ceased: ['ceased', 'cesada'],
  },
  enrolment: ['Enrolment', 'Inclusión'],
  automatic: ['Sending', 'Envío'],
  automatics: {
    yes: ['automatic', 'automático'],
    no: ['manual: cuadra-admin sii send-now', 'manual: cuadra-admin sii send-now'],
  },
  siiNot: [
    'This company is not in the SII, so it has no deadlines.',
    'La empresa no está en el SII, por lo que no tiene plazos.',
  ],
  due: ['Pending, by deadline', 'Pendiente de envío, por vencimiento'],
  nothingDue: ['Nothing to send.', 'No hay nada pendiente de envío.'],
  books: {
    ISSUED: ['issued', 'emitidas'],
    RECEIVED: ['received', 'recibidas'],
  },
  days: [
    (n: number) =>
      n < 0 ? `${count(-n, 'day', 'days')} overdue` : n === 0 ? 'today' : `in ${count(n, 'day', 'days')}`,
    (n: number) =>
      n < 0
        ? `vencido hace ${count(-n, 'día', 'días')}`
        : n === 0
          ? 'hoy'
          : `dentro de ${count(n, 'día', 'días')}`,
  ],
  overdueHelp: [
    'Send overdue invoices as soon as possible: {command}.',
    'Envíe cuanto antes lo que está fuera de plazo: {command}.',
  ],
  siiSubmissions: ['SII submissions', 'Envíos al SII'],
  noSiiSubmissions: ['None yet.', 'Todavía no hay envíos.'],
})

export type Messages = (typeof MESSAGES)['en']

export const messagesIn = (locale: Locale): Messages => MESSAGES[locale]
