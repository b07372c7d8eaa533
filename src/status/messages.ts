/** What the page says, in both languages. Words of the server and of the authority come with their answers. */
import { count, type Locale, messages } from '../parts/locale.ts'

const MESSAGES = messages({
  title: ['With the tax authority', 'Ante la Agencia Tributaria'],
  tagline: [
    'What became of the fiscal records of your company, and what there is to do.',
    'Qué ha sido de los registros fiscales de su empresa y qué queda por hacer.',
  ],
  skip: ['Skip to the state', 'Ir al estado'],
  key: ['API key', 'Clave de la API'],
  keyHelp: [
    'It needs the scope compliance:read; with invoices:read the page also names invoices and shows their records. The key stays in this tab until it is closed, and is sent to this server only.',
    'Necesita el permiso compliance:read; con invoices:read, la página también nombra las facturas y muestra sus registros. La clave permanece en esta pestaña hasta que se cierre y solo se envía a este servidor.',
  ],
  keyMissing: ['Type the key.', 'Escriba la clave.'],
  enter: ['Show the state', 'Ver el estado'],
  leave: ['Forget the key', 'Olvidar la clave'],
  left: ['The key was forgotten.', 'Se ha olvidado la clave.'],
  checking: ['Asking the server…', 'Consultando al servidor…'],
  refresh: ['Refresh now', 'Actualizar ahora'],
  updated: ['As of {0}.', 'Datos de las {0}.'],
  next: [
    'It is asked again every {0} seconds, while this tab is in sight.',
    'Se consulta de nuevo cada {0} segundos mientras esta pestaña esté a la vista.',
  ],
  unauthorized: [
    'The server does not take this key: it is wrong, has expired or was revoked.',
    'El servidor no admite esta clave: es incorrecta, ha caducado o ha sido revocada.',
  ],
  gone: ['The server does not answer.', 'El servidor no responde.'],
  stale: ['What is shown is of {0}.', 'Lo que se muestra es de las {0}.'],
  again: ['It is tried again in {0} s.', 'Se volverá a intentar dentro de {0} s.'],
  rateLimited: [
    'This key has asked more than it may in a minute.',
    'Esta clave ha hecho más consultas de las permitidas por minuto.',
  ],
  failed: ['The server could not answer ({0}).', 'El servidor no ha podido responder ({0}).'],
  scope: ['This part needs a key with the scope {0}.', 'Esta parte necesita una clave con el permiso {0}.'],
  scopeHow: ['An administrator makes one with {command}.', 'Un administrador la crea con {command}.'],
  fine: ['Everything is in order', 'Todo está en orden'],
  fineText: ['Nothing was rejected and nothing is overdue.', 'No hay rechazos ni plazos vencidos.'],
  toDo: ['{0|thing to attend to|things to attend to}', '{0|asunto por atender|asuntos por atender}'],
  partly: [
    'As far as this key may see, everything is in order',
    'Hasta donde alcanza esta clave, todo está en orden',
  ],
  inactive: ['Nothing is reported yet', 'Todavía no se comunica nada'],
  inactiveText: [
    'Neither VeriFactu nor the SII is active for this company.',
    'Ni VeriFactu ni el SII están activos para esta empresa.',
  ],
  attend: {
    incidents: ['{0|incident|incidents} of VeriFactu', '{0|incidencia|incidencias} de VeriFactu'],
    overdue: [
      '{0|invoice is|invoices are} overdue in the SII',
      '{0|factura|facturas} fuera de plazo en el SII',
    ],
    today: [
      '{0|invoice is|invoices are} due in the SII today',
      '{0|factura vence hoy en el SII|facturas vencen hoy en el SII}',
    ],
    suspended: [
      'VeriFactu is suspended: there is no valid certificate',
      'VeriFactu está suspendido: no hay ningún certificado vigente',
    ],
    certificate: [
      (name: string, days: number) =>
        days < 0
          ? `The certificate ${name} has expired`
          : `The certificate ${name} expires in ${count(days, 'day', 'days')}`,
      (name: string, days: number) =>
        days < 0
          ? `El certificado ${name} ha caducado`
          : `El certificado ${name} caduca dentro de ${count(days, 'día', 'días')}`,
    ],
  },
  incidents: ['Incidents', 'Incidencias'],
  noIncidents: ['None. What was sent was taken.', 'Ninguna. Todo lo enviado se ha admitido.'],
  solved: [
    'Solved: a later record of the invoice was accepted.',
    'Resuelta: se aceptó un registro posterior de la factura.',
  ],
  quiet: [
    'Nothing: no correction is needed, or a corrective invoice has settled it.',
    'Nada: no necesita corrección, o la ha resuelto una factura rectificativa.',
  ],
  solvedOnes: [
    '{0|incident|incidents} with nothing left to do',
    '{0|incidencia ya resuelta|incidencias ya resueltas}',
  ],
  correcting: ['Its correction waits to be sent.', 'Su corrección está pendiente de envío.'],
  whatToDo: ['What to do', 'Qué hacer'],
  advice: {
    waits: ['Nothing: it is tried again by itself.', 'Nada: se reintenta automáticamente.'],
    asSaid: [
      'What the message says. What waits is sent by itself afterwards.',
      'Lo que indica el mensaje. Después, lo pendiente se envía automáticamente.',
    ],
  },
  withoutNumber: ['The whole message', 'El envío completo'],
  more: ['and {0} more', 'y {0} más'],
  chain: ['Chain of VeriFactu', 'Cadena de VeriFactu'],
  mode: ['Mode', 'Modalidad'],
  modes: {
    verifactu: ['VERI*FACTU', 'VERI*FACTU'],
    no_verifactu: [
      'NO VERI*FACTU: signed and kept, not sent',
      'NO VERI*FACTU: se firma y se conserva, no se envía',
    ],
  },
  regime: ['State', 'Estado'],
  regimeHelp: {
    no_activado: [
      'It begins with PUT /verifactu/config, once a certificate is there.',
      'Comienza con PUT /verifactu/config, cuando haya un certificado.',
    ],
    pendiente_mandato: [
      'A certificate or a delegated signature is missing. Afterwards: PUT /verifactu/config.',
      'Falta un certificado o una firma delegada. Después: PUT /verifactu/config.',
    ],
    habilitado: ['', ''],
    suspendido: [
      'No certificate is valid. Add one with {command}; sending goes on within a minute.',
      'No hay ningún certificado vigente. Añada uno con {command}; el envío se reanuda en menos de un minuto.',
    ],
    revocado: [
      'The period was closed. Another one is opened with {command}.',
      'El periodo se cerró. Se abre otro con {command}.',
    ],
  },
  notApplicable: [
    'VeriFactu does not apply: the province has a tax authority of its own.',
    'VeriFactu no se aplica: la provincia tiene Administración tributaria propia.',
  ],
  environment: ['Goes to', 'Se envía a'],
  environments: {
    test: ['the test service', 'el entorno de pruebas'],
    production: ['production', 'producción'],
  },
  period: ['Period since', 'Periodo desde'],
  certificate: ['Certificate', 'Certificado'],
  noCertificate: ['none that is valid', 'ninguno vigente'],
  until: ['until {0}', 'hasta el {0}'],
  lastHash: ['Last hash', 'Última huella'],
  records: [
    'The last records of the chain, newest first',
    'Últimos registros de la cadena, del más reciente al más antiguo',
  ],
  moreRecords: ['{0} more', '{0} más'],
  waiting: [
    '{0|record waits|records wait} to be sent; it happens by itself.',
    '{0|registro pendiente|registros pendientes} de envío; se envían automáticamente.',
  ],
  waitSince: [
    '{0|record waits|records wait} to be sent, the first since {1}.',
    '{0|registro pendiente|registros pendientes} de envío, el primero desde el {1}.',
  ],
  nextAttempt: ['Next attempt: {0}.', 'Próximo intento: {0}.'],
  noRecords: [
    'No records yet. The first one is made with the first invoice that is issued.',
    'Todavía no hay registros. El primero se genera con la primera factura que se emita.',
  ],
  linked: ['linked to the one before', 'encadenado al anterior'],
  first: ['first of the chain', 'primero de la cadena'],
  unseen: ['the one before is not shown', 'el anterior no se muestra'],
  kinds: {
    alta: ['registration', 'alta'],
    anulacion: ['cancellation', 'anulación'],
  },
  states: {
    no_activado: ['not activated', 'no activado'],
    pendiente_mandato: ['waits for a mandate', 'pendiente de mandato'],
    habilitado: ['active', 'habilitado'],
    suspendido: ['suspended', 'suspendido'],
    revocado: ['ended', 'revocado'],
    pending: ['waits to be sent', 'pendiente de envío'],
    accepted: ['accepted', 'aceptado'],
    accepted_with_errors: ['accepted with errors', 'aceptado con errores'],
    rejected: ['rejected', 'rechazado'],
    registered: ['signed and kept', 'firmado y conservado'],
    signature_pending: ['waits for its signature', 'pendiente de firma'],
    Correcto: ['accepted', 'aceptado'],
    ParcialmenteCorrecto: ['accepted in part', 'aceptado en parte'],
    Incorrecto: ['rejected', 'rechazado'],
    sending: ['on its way', 'en curso'],
    failed: ['not taken, tried again', 'no admitido, se reintenta'],
    unknown: ['no answer, will be asked', 'sin respuesta, se consultará'],
    settled: ['settled by a query', 'resuelto por consulta'],
    not_received: ['not received, sent again', 'no recibido, se envía de nuevo'],
    AceptadoConErrores: ['accepted with errors', 'aceptado con errores'],
    Anulado: ['cancelled', 'anulado'],
    Correcta: ['accepted', 'aceptado'],
    AceptadaConErrores: ['accepted with errors', 'aceptado con errores'],
    Anulada: ['cancelled', 'anulado'],
    partially_accepted: ['accepted in part', 'aceptado en parte'],
    submitted: ['on its way', 'en curso'],
    deleted: ['deleted', 'dada de baja'],
  },
  events: ['Events of the system', 'Eventos del sistema'],
  noEvents: ['None yet.', 'Todavía ninguno.'],
  find: ['Find an invoice', 'Buscar una factura'],
  findLabel: ['Number of the invoice', 'Número de la factura'],
  findHelp: ['As it is printed, with its series.', 'Tal como figura impreso, con su serie.'],
  search: ['Find', 'Buscar'],
  notFound: ['There is no issued invoice {0}.', 'No hay ninguna factura emitida {0}.'],
  notRegistered: ['This invoice has no record of VeriFactu.', 'Esta factura no tiene registro de VeriFactu.'],
  qr: ['Verify by its QR address', 'Cotejar con la dirección de su QR'],
  ask: ['Ask the authority', 'Preguntar a la AEAT'],
  askHelp: [
    'What it has of a month, asked now; its first page.',
    'Lo que tiene de un mes, consultado ahora; su primera página.',
  ],
  month: ['Month', 'Mes'],
  askNow: ['Ask', 'Preguntar'],
  asking: ['Asking the authority…', 'Consultando a la AEAT…'],
  nothingThere: ['The authority has nothing of {0}.', 'La AEAT no tiene nada de {0}.'],
  there: ['{0|record|records} of {1}', '{0|registro|registros} de {1}'],
  morePages: ['It has more than this page.', 'Tiene más de lo que cabe en esta página.'],
  submissions: ['Submissions of VeriFactu', 'Envíos de VeriFactu'],
  noSubmissions: [
    'Nothing was sent yet. What is issued is sent by itself.',
    'Todavía no se ha enviado nada. Lo que se emite se envía automáticamente.',
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
    no: ['by hand: cuadra-admin sii send-now', 'manual: cuadra-admin sii send-now'],
  },
  siiNot: [
    'The company does not report through the SII: there are no deadlines.',
    'La empresa no informa a través del SII: no hay plazos.',
  ],
  due: ['Still to be sent, nearest deadline first', 'Pendiente de envío, primero lo que vence antes'],
  nothingDue: ['Nothing is left to send.', 'No queda nada por enviar.'],
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
    'What is overdue still has to be sent, as soon as possible: {command}.',
    'Lo vencido sigue pendiente y debe enviarse cuanto antes: {command}.',
  ],
  siiSubmissions: ['Submissions to the SII', 'Envíos al SII'],
  noSiiSubmissions: ['Nothing was sent to the SII yet.', 'Todavía no se ha enviado nada al SII.'],
})

export type Messages = (typeof MESSAGES)['en']

export const messagesIn = (locale: Locale): Messages => MESSAGES[locale]
