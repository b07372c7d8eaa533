/**
 * What `doctor` can find, named by its check and, after a dot, by what was found: what it is, what follows from it, and
 * what to do. `{placeholders}` are of the finding.
 */
import type { Text } from '../../invoice/index.ts'

export interface Messages {
  readonly what: Text
  readonly why?: Text
  readonly fix?: Text
}

/** Sentences that have both languages already. */
const REASON: Text = { en: '{reason}', es: '{reason}' }
/** Messages that are in English only. */
const MESSAGE: Text = { en: '{message}', es: 'Mensaje del sistema: {message}' }

const ADD = 'cuadra-admin certificate add --company ID --p12 FILE --password-file FILE --purpose verifactu'
const NO_CERTIFICATE = {
  why: {
    en: 'Nothing is sent to the tax authority, and without VERI*FACTU nothing can be issued.',
    es: 'No se envía nada a la AEAT y, sin VERI*FACTU, no se puede emitir nada.',
  },
  fix: { en: ADD, es: `Añada uno: ${ADD}` },
} as const

const CLOCK = {
  why: {
    en: 'Records whose moment is wrong come back with an error (2004); a series whose last number has a later date issues nothing (503 clock_behind).',
    es: 'La AEAT acepta con errores (2004) los registros cuya fecha y hora son incorrectas; en una serie cuyo último número lleva una fecha posterior no se emite nada (503 clock_behind).',
  },
  fix: {
    en: 'Let the machine keep its time by NTP (timedatectl set-ntp true).',
    es: 'Sincronice el reloj de la máquina por NTP (timedatectl set-ntp true).',
  },
} as const

const BACKUP = {
  why: {
    en: 'What is not in a backup is lost with the disk; invoices have to be kept for years.',
    es: 'Lo que no está en una copia de seguridad se pierde con el disco; las facturas deben conservarse durante años.',
  },
  fix: {
    en: 'Run `cuadra-admin backup --into FOLDER --keep 14` every day, from cron or a timer.',
    es: 'Ejecute `cuadra-admin backup --into FOLDER --keep 14` todos los días, con cron o un temporizador.',
  },
} as const

const NO_SERVER = {
  why: {
    en: 'What waits for the tax authority is not sent.',
    es: 'Lo pendiente de envío a la AEAT no se envía.',
  },
  fix: { en: 'Start one.', es: 'Arranque uno.' },
} as const

const PERIOD: Text = {
  en: 'The period of the company is {environment}, CUADRA_AEAT is {aeat}',
  es: 'El periodo de la empresa es de {environment} y CUADRA_AEAT es {aeat}',
}

const VERIFY: Text = {
  en: 'Run `cuadra-admin verify`.',
  es: 'Ejecute `cuadra-admin verify --locale es`.',
}

export const FINDINGS = {
  data_folder: {
    what: {
      en: 'CUADRA_DATA_DIR {folder} is not there',
      es: 'No existe la carpeta de datos {folder} (CUADRA_DATA_DIR)',
    },
    why: {
      en: 'Most likely this is not the folder that the server uses.',
      es: 'Probablemente no es la carpeta que usa el servidor.',
    },
    fix: {
      en: 'Run doctor with the environment of the server, or start the server once.',
      es: 'Ejecute doctor con las variables de entorno del servidor o arranque el servidor una vez.',
    },
  },
  disk: {
    what: {
      en: '{free} free of {size} ({share} %) where {folder} is',
      es: '{free} libres de {size} ({share} %) en el disco de {folder}',
    },
    why: {
      en: 'On a full disk nothing is issued or stored (507 insufficient_storage); what is stored stays, and reading goes on.',
      es: 'Con el disco lleno no se emite ni se guarda nada (507 insufficient_storage); lo guardado se conserva y puede leerse.',
    },
    fix: {
      en: 'Make room, or move the data folder to a larger disk.',
      es: 'Libere espacio o traslade la carpeta de datos a un disco mayor.',
    },
  },
  file_system: {
    what: { en: 'The database lies on {system}', es: 'La base de datos está en {system}' },
    why: {
      en: 'SQLite relies on locks that such a file system does not keep: two processes can damage the file.',
      es: 'SQLite necesita bloqueos que ese sistema de ficheros no garantiza: dos procesos pueden dañar el fichero.',
    },
    fix: {
      en: 'Move CUADRA_DATA_DIR to a local disk, or use PostgreSQL (CUADRA_DATABASE_URL).',
      es: 'Traslade CUADRA_DATA_DIR a un disco local o use PostgreSQL (CUADRA_DATABASE_URL).',
    },
  },
  permissions: {
    what: {
      en: '{folder} is of one user, and closed to others',
      es: '{folder} pertenece a un solo usuario y está cerrada a los demás',
    },
  },
  'permissions.open': {
    what: { en: 'Others can read {paths}', es: 'Otros usuarios pueden leer {paths}' },
    why: {
      en: 'Invoices, and the key of the certificates, are nobody else’s business.',
      es: 'Las facturas y la clave de los certificados no deben estar al alcance de nadie más.',
    },
    fix: {
      en: 'chmod -R go-rwx {folder}, or start the server once: it closes them.',
      es: 'Ejecute chmod -R go-rwx {folder}, o arranque el servidor una vez: corrige los permisos.',
    },
  },
  'permissions.locked': {
    what: { en: 'This user may not write {paths}', es: 'Este usuario no puede escribir en {paths}' },
    why: { en: 'Nothing can be issued or stored.', es: 'No se puede emitir ni guardar nada.' },
    fix: {
      en: 'Run as the user of the server, or give the files to it (chown -R).',
      es: 'Ejecute el comando con el usuario del servidor o asigne los ficheros a ese usuario (chown -R).',
    },
  },
  owner: {
    what: {
      en: 'Files of the data folder belong to {count} users (uid {users})',
      es: 'Los ficheros de la carpeta de datos pertenecen a {count} usuarios (uid {users})',
    },
    why: {
      en: 'A command that was run as another user, root say, has made some of them: the server may not be able to write them.',
      es: 'Algunos los creó un comando ejecutado con otro usuario, por ejemplo root: puede que el servidor no pueda escribir en ellos.',
    },
    fix: {
      en: 'Give all of them to the user of the server: chown -R USER {folder}. Run cuadra-admin as that user.',
      es: 'Asígnelos todos al usuario del servidor: chown -R USER {folder}. Ejecute cuadra-admin con ese usuario.',
    },
  },
  settings: {
    what: {
      en: 'CUADRA_AEAT={aeat}, and nothing that contradicts it',
      es: 'CUADRA_AEAT={aeat}, sin ajustes que lo contradigan',
    },
  },
  'settings.invalid': {
    what: { en: '{message}', es: 'Ajuste no válido: {message}' },
    why: { en: 'No server starts with it.', es: 'El servidor no arranca con ese ajuste.' },
    fix: {
      en: 'Set the environment variable as it says.',
      es: 'Corrija la variable de entorno como indica el mensaje.',
    },
  },
  'settings.key_file': {
    what: {
      en: 'The key of the certificates is a file, and the database is PostgreSQL',
      es: 'La clave de los certificados está en un fichero y la base de datos es PostgreSQL',
    },
    why: {
      en: 'Another machine with its own data folder cannot open the certificates.',
      es: 'Otra máquina con su propia carpeta de datos no puede abrir los certificados.',
    },
    fix: {
      en: 'Set CUADRA_SECRET on every machine to what {file} holds.',
      es: 'Ponga en CUADRA_SECRET, en todas las máquinas, el contenido de {file}.',
    },
  },
  'settings.two_keys': {
    what: {
      en: 'There is a CUADRA_SECRET and a secret.key',
      es: 'Existen a la vez CUADRA_SECRET y secret.key',
    },
    why: {
      en: 'Only CUADRA_SECRET is used; whoever finds the file may think that it is the key.',
      es: 'Solo se usa CUADRA_SECRET; quien encuentre el fichero puede creer que contiene la clave.',
    },
    fix: {
      en: 'Move the file to where you keep old keys.',
      es: 'Traslade el fichero a donde guarde las claves antiguas.',
    },
  },
  'settings.no_mail': {
    what: {
      en: 'CUADRA_AEAT is production and there is no mail server',
      es: 'CUADRA_AEAT es production y no hay servidor de correo',
    },
    why: {
      en: 'Invoices that are sent by mail become files in {folder}/mails and reach nobody.',
      es: 'Las facturas que se envían por correo quedan como ficheros en {folder}/mails y no llegan a nadie.',
    },
    fix: {
      en: 'Set CUADRA_SMTP_URL, or do not use POST /issued-invoices/{invoice_id}/send.',
      es: 'Configure CUADRA_SMTP_URL o no use POST /issued-invoices/{invoice_id}/send.',
    },
  },
  'settings.no_proxy': {
    what: {
      en: 'HOST is {host} and CUADRA_TRUST_PROXY is empty',
      es: 'HOST es {host} y CUADRA_TRUST_PROXY está vacía',
    },
    why: {
      en: 'The server speaks HTTP without TLS to every address. Behind a proxy, keys that are limited to addresses see that of the proxy.',
      es: 'El servidor atiende HTTP sin TLS desde cualquier dirección. Detrás de un proxy, las claves limitadas a ciertas direcciones ven la del proxy.',
    },
    fix: {
      en: 'Listen on 127.0.0.1 behind a proxy with TLS, or set CUADRA_TRUST_PROXY to the addresses of the proxy.',
      es: 'Escuche en 127.0.0.1 detrás de un proxy con TLS o ponga en CUADRA_TRUST_PROXY las direcciones del proxy.',
    },
  },
  'settings.installation': {
    what: {
      en: 'CUADRA_AEAT is production and CUADRA_INSTALLATION is 1, the default',
      es: 'CUADRA_AEAT es production y CUADRA_INSTALLATION es 1, el valor por defecto',
    },
    why: {
      en: 'Every installation of a system needs a number of its own, never used again (NumeroInstalacion).',
      es: 'Cada instalación de un sistema necesita un número propio que no vuelva a usarse (NumeroInstalacion).',
    },
    fix: {
      en: 'Set CUADRA_INSTALLATION, if this is not the first installation of your system.',
      es: 'Configure CUADRA_INSTALLATION si esta no es la primera instalación de su sistema.',
    },
  },
  backup: {
    ...BACKUP,
    what: {
      en: 'The last backup is {age} old: {folder}',
      es: 'La última copia de seguridad se hizo hace {age}: {folder}',
    },
  },
  'backup.none': {
    ...BACKUP,
    what: {
      en: 'No backup was ever made of this data folder by cuadra-admin',
      es: 'cuadra-admin nunca ha hecho una copia de seguridad de esta carpeta de datos',
    },
  },
  'backup.gone': {
    what: {
      en: 'The last backup is {age} old: {folder}, and is not there any more',
      es: 'La última copia de seguridad se hizo hace {age}: {folder}, y ya no está allí',
    },
    why: {
      en: 'If nobody has moved it to a safer place, there is none.',
      es: 'Si nadie la ha trasladado a un lugar más seguro, no hay ninguna.',
    },
    fix: BACKUP.fix,
  },
  'backup.partial': {
    what: {
      en: 'The last backup is {age} old: {folder}, without some attached files',
      es: 'La última copia de seguridad se hizo hace {age}: {folder}, sin algunos ficheros adjuntos',
    },
    why: {
      en: 'Files were missing or changed in the store when it was made.',
      es: 'Cuando se hizo, faltaban ficheros almacenados o estaban modificados.',
    },
    fix: {
      en: 'Run `cuadra-admin verify`: it names them.',
      es: 'Ejecute `cuadra-admin verify --locale es`: indica cuáles.',
    },
  },
  'restore.half': {
    what: { en: '{folder} holds half a restore', es: '{folder} contiene una restauración a medias' },
    why: {
      en: 'One is going on, or was killed: no server starts here.',
      es: 'Hay una en curso o se interrumpió: aquí no arranca ningún servidor.',
    },
    fix: {
      en: 'Wait for it, or run the same `cuadra-admin restore --from FOLDER` again.',
      es: 'Espere a que termine o ejecute de nuevo el mismo `cuadra-admin restore --from FOLDER`.',
    },
  },
  'restore.open': {
    what: {
      en: 'Restored from the backup of {made} UTC, and not accepted',
      es: 'Se restauró la copia de seguridad del {made} UTC y no se ha aceptado',
    },
    why: {
      en: 'No server serves: what was issued after the backup is not known here.',
      es: 'Ningún servidor atiende: aquí no se conoce lo emitido después de la copia.',
    },
    fix: {
      en: 'See docs/operations.md, then run `cuadra-admin restore --accept`.',
      es: 'Consulte docs/operations.md y ejecute después `cuadra-admin restore --accept`.',
    },
  },
  database: {
    what: {
      en: '{file}, tables version {version}, {size}',
      es: '{file}, tablas de la versión {version}, {size}',
    },
  },
  'database.postgres': {
    what: { en: 'PostgreSQL, tables version {version}', es: 'PostgreSQL, tablas de la versión {version}' },
  },
  'database.none': {
    what: {
      en: 'There is no database of cuadra in {place}',
      es: 'No hay ninguna base de datos de cuadra en {place}',
    },
    why: {
      en: 'Most likely this is not the place that the server uses.',
      es: 'Probablemente no es la que usa el servidor.',
    },
    fix: {
      en: 'Run doctor with the environment of the server (CUADRA_DATA_DIR, CUADRA_DATABASE_URL), or start the server once.',
      es: 'Ejecute doctor con las variables de entorno del servidor (CUADRA_DATA_DIR, CUADRA_DATABASE_URL) o arranque el servidor una vez.',
    },
  },
  'database.away': {
    what: { en: '{database} cannot be used', es: 'No se puede usar {database}' },
    why: { en: 'It cannot be reached: {message}.', es: 'No se puede conectar con ella: {message}.' },
    fix: {
      en: 'Start it, or mend CUADRA_DATABASE_URL.',
      es: 'Arránquela o corrija CUADRA_DATABASE_URL.',
    },
  },
  'database.unusable': {
    what: { en: '{database} cannot be used', es: 'No se puede usar {database}' },
    why: MESSAGE,
    fix: { en: 'See above.', es: 'Consulte el mensaje anterior.' },
  },
  'database.damaged': {
    what: { en: '{file} is damaged', es: '{file} está dañado' },
    why: {
      en: 'What is in the damaged pages cannot be read, and whatever is written now may be lost. ({message})',
      es: 'El contenido de las páginas dañadas no puede leerse, y lo que se escriba ahora puede perderse. ({message})',
    },
    fix: {
      en: 'Stop every server that uses it, keep a copy of it as it is, and put your last backup in its place (docs/operations.md, "Restore").',
      es: 'Detenga todos los servidores que lo usan, guarde una copia tal como está y ponga en su lugar su última copia de seguridad (docs/operations.md, "Restore").',
    },
  },
  database_version: {
    what: {
      en: 'The tables have version {version}, this program works with {own}',
      es: 'Las tablas tienen la versión {version}; este programa trabaja con la {own}',
    },
    why: {
      en: 'The next start of a server, or another command, brings them to it; the earlier program does not take them then.',
      es: 'Las actualiza el próximo arranque de un servidor u otro comando; después, el programa anterior ya no las admite.',
    },
    fix: {
      en: 'Make a backup with the program that is installed now, then start the new one.',
      es: 'Haga una copia de seguridad con el programa instalado ahora y arranque después el nuevo.',
    },
  },
  server: { what: { en: '{processes} serving', es: '{processes} en servicio' } },
  'server.none': {
    ...NO_SERVER,
    what: { en: 'No server runs', es: 'No hay ningún servidor en marcha' },
  },
  'server.silent': {
    ...NO_SERVER,
    what: {
      en: 'No server runs; the last sign of life is {age} old',
      es: 'No hay ningún servidor en marcha; la última señal de actividad fue hace {age}',
    },
  },
  clock: { what: { en: '{now} UTC', es: 'Hora de esta máquina: {now} UTC' } },
  'clock.database': {
    ...CLOCK,
    what: {
      en: 'The clock of this machine and that of the database differ by {seconds} s',
      es: 'El reloj de esta máquina y el de la base de datos difieren en {seconds} s',
    },
  },
  'clock.unread': {
    what: {
      en: 'The clocks of all companies cannot be read',
      es: 'No se pueden leer los relojes de todas las empresas',
    },
    why: MESSAGE,
    fix: {
      en: 'Start the machine of the database that is away; see the companies below.',
      es: 'Arranque la máquina de la base de datos que no responde; vea más abajo las empresas.',
    },
  },
  'clock_authority.ahead': {
    ...CLOCK,
    what: {
      en: 'The clock of this machine was {seconds} s ahead of that of the tax authority ({at} UTC)',
      es: 'El reloj de esta máquina iba {seconds} s adelantado respecto al de la AEAT ({at} UTC)',
    },
  },
  'clock_authority.behind': {
    ...CLOCK,
    what: {
      en: 'The clock of this machine was {seconds} s behind that of the tax authority ({at} UTC)',
      es: 'El reloj de esta máquina iba {seconds} s atrasado respecto al de la AEAT ({at} UTC)',
    },
  },
  'clock_behind.series': {
    what: {
      en: 'Series {series} of {company} has a number of {date}, which is after today',
      es: 'La serie {series} de {company} tiene un número del {date}, fecha posterior a hoy',
    },
    why: {
      en: 'The clock was ahead once, or is behind now: nothing can be issued in that series for long.',
      es: 'El reloj estuvo adelantado o está atrasado ahora: en esa serie no se podrá emitir durante mucho tiempo.',
    },
    fix: CLOCK.fix,
  },
  'clock_behind.record': {
    what: {
      en: 'The last record was made {before} after now, on {at} UTC',
      es: 'El último registro se generó el {at} UTC, {before} después de la hora actual',
    },
    why: {
      en: 'The clock is behind, or was ahead when that record was made. The records themselves are as they were.',
      es: 'El reloj está atrasado, o estaba adelantado cuando se generó ese registro. Los registros no han cambiado.',
    },
    fix: CLOCK.fix,
  },
  'company.away': {
    what: { en: 'Cannot be reached', es: 'No se puede acceder a la empresa' },
    why: MESSAGE,
    fix: {
      en: 'Start the machine of the database that has this company.',
      es: 'Arranque la máquina de la base de datos que contiene esta empresa.',
    },
  },
  'company.unread': {
    what: { en: 'Cannot be looked at', es: 'No se puede comprobar la empresa' },
    why: MESSAGE,
    fix: VERIFY,
  },
  certificate: {
    what: {
      en: '{name} is valid for {left}, until {until}',
      es: '{name} caduca dentro de {left}, el {until}',
    },
    why: {
      en: 'Without one nothing is sent, and without VERI*FACTU nothing can be issued. Renewing takes days.',
      es: 'Sin certificado no se envía nada y, sin VERI*FACTU, no se puede emitir nada. La renovación tarda días.',
    },
    fix: {
      en: `Renew it and add the new one; it takes over by itself: ${ADD}`,
      es: `Renuévelo y añada el nuevo; lo sustituirá por sí solo: ${ADD}`,
    },
  },
  'certificate.none': {
    ...NO_CERTIFICATE,
    what: { en: 'There is no certificate', es: 'No hay ningún certificado' },
  },
  'certificate.ended': {
    ...NO_CERTIFICATE,
    what: {
      en: 'No certificate is valid: the last one ended on {until}',
      es: 'Ningún certificado está vigente: el último caducó el {until}',
    },
  },
  'certificate.closed': {
    what: {
      en: 'Certificate {id} cannot be opened',
      es: 'No se puede abrir el certificado {id}',
    },
    why: MESSAGE,
    fix: {
      en: `Put the key back (secret.key in {folder}, or CUADRA_SECRET), or add it again: ${ADD}`,
      es: `Restablezca la clave (secret.key en {folder}, o CUADRA_SECRET) o añádalo de nuevo: ${ADD}`,
    },
  },
  'environment.test': {
    what: PERIOD,
    why: {
      en: 'Its records go to the service for trying out: its invoices are not registered in earnest.',
      es: 'Sus registros van al entorno de pruebas: sus facturas no quedan registradas en producción.',
    },
    fix: {
      en: 'If they are meant in earnest, `cuadra-admin verifactu period close`, then `period open --production`.',
      es: 'Si deben quedar registradas, ejecute `cuadra-admin verifactu period close` y después `period open --production`.',
    },
  },
  'environment.production': {
    what: PERIOD,
    why: {
      en: 'Records in earnest go to a service for trying out: the tax authority does not have them.',
      es: 'Los registros de producción van a un entorno de pruebas: la AEAT no los tiene.',
    },
    fix: {
      en: 'Set CUADRA_AEAT=production, with CUADRA_DECLARATION.',
      es: 'Configure CUADRA_AEAT=production, con CUADRA_DECLARATION.',
    },
  },
  chain: {
    what: {
      en: '{chain}: {hashes} of {end} checked{signatures}',
      es: '{chain}: {hashes} de {end} comprobados{signatures}',
    },
  },
  'chain.broken': {
    what: {
      en: '{chain}: {hashes} of {end} checked{signatures}; something is wrong in {count}, first in {first}',
      es: '{chain}: {hashes} de {end} comprobados{signatures}; con errores: {count}, el primero {first}',
    },
    why: {
      en: 'A record was changed, removed or damaged after it was made.',
      es: 'Un registro se modificó, se borró o se dañó después de generarse.',
    },
    fix: {
      en: 'Run `cuadra-admin verify`: it says what. Keep the database as it is, and a copy.',
      es: 'Ejecute `cuadra-admin verify --locale es`: indica qué falla. Conserve la base de datos tal como está, y una copia.',
    },
  },
  anomalies: {
    what: {
      en: '{count} recorded, and not mended',
      es: 'Anomalías registradas y sin corregir: {count}',
    },
    why: {
      en: 'A check has found them in the chains.',
      es: 'Se detectaron en una comprobación de las cadenas.',
    },
    fix: VERIFY,
  },
  pending: {
    what: {
      en: '{environment}: {count} waiting, the oldest for {age}{failures}',
      es: 'Registros pendientes de envío ({environment}): {count}, el más antiguo desde hace {age}{failures}',
    },
    why: REASON,
    fix: {
      en: 'See GET /verifactu/incidents or /status; `cuadra-admin verifactu send-now` tries at once.',
      es: 'Consulte GET /verifactu/incidents o /status; `cuadra-admin verifactu send-now` lo intenta de inmediato.',
    },
  },
  lease: {
    what: {
      en: '{environment}: the line to the authority is held until {until} UTC',
      es: 'Cola de envío a la AEAT ({environment}): ocupada hasta el {until} UTC',
    },
    why: {
      en: 'A clock that was ahead has given it. It is taken over by itself.',
      es: 'La ocupó un proceso con el reloj adelantado. Se libera automáticamente.',
    },
    fix: {
      en: 'Check the clocks of all machines.',
      es: 'Compruebe los relojes de todas las máquinas.',
    },
  },
  'lease.ended': {
    what: {
      en: '{environment}: held by a process that has ended ({owner}); it is taken over by itself',
      es: 'Cola de envío a la AEAT ({environment}): la ocupa un proceso que ya terminó ({owner}); se libera automáticamente',
    },
  },
  rejected: {
    what: {
      en: '{number} was rejected by the tax authority{code}',
      es: 'La AEAT ha rechazado el registro de {number}{code}',
    },
    why: {
      en: 'A rejected record is not registered: the invoice is missing at the authority until a further record is accepted.',
      es: 'Un registro rechazado no consta en la AEAT: la factura falta allí hasta que se acepte otro registro.',
    },
    fix: REASON,
  },
  remarked: {
    what: {
      en: '{number} was accepted with errors{code}',
      es: 'La AEAT ha aceptado con errores el registro de {number}{code}',
    },
    why: {
      en: 'The authority has the record, and asks for a correction.',
      es: 'La AEAT tiene el registro y pide que se corrija.',
    },
    fix: REASON,
  },
  'rejected.more': {
    what: {
      en: '{count} more are rejected or accepted with errors',
      es: 'Otras facturas con el registro rechazado o aceptado con errores: {count}',
    },
    why: { en: 'As above.', es: 'Como en las anteriores.' },
    fix: {
      en: 'See GET /verifactu/chain or /status.',
      es: 'Consulte GET /verifactu/chain o /status.',
    },
  },
  sii_overdue: {
    what: {
      en: '{count} of the SII are overdue, the first since {first}',
      es: 'Registros del SII fuera de plazo: {count}, el primero desde el {first}',
    },
    why: {
      en: 'Records of the SII have a last day; the tax authority fines late ones.',
      es: 'Los registros del SII tienen un plazo; la AEAT sanciona los envíos tardíos.',
    },
    fix: {
      en: 'See GET /sii/pending or /status; `cuadra-admin sii send-now --company ID`.',
      es: 'Consulte GET /sii/pending o /status; envíelos con `cuadra-admin sii send-now --company ID`.',
    },
  },
  mails: {
    what: {
      en: '{count} mails wait, the oldest for {age}',
      es: 'Correos sin enviar: {count}, el más antiguo desde hace {age}',
    },
    why: {
      en: 'The mail server has not taken them; it is tried for some twenty hours.',
      es: 'El servidor de correo no los ha aceptado; se reintenta durante unas veinte horas.',
    },
    fix: {
      en: 'Look at CUADRA_SMTP_URL and the log of the server.',
      es: 'Revise CUADRA_SMTP_URL y el log del servidor.',
    },
  },
} as const satisfies Readonly<Record<string, Messages>>

export type FindingName = keyof typeof FINDINGS

/** Parts of what is found. */
export const PARTS = {
  signatures: { en: ', {count} signatures', es: ', firmas: {count}' },
  failures: { en: ', {count} tries failed', es: ', intentos fallidos: {count}' },
  sent_at_once: {
    en: 'Records are to be sent as soon as they are made, one after the other.',
    es: 'Los registros deben enviarse en cuanto se generan, uno tras otro.',
  },
  url: { en: 'the database of CUADRA_DATABASE_URL', es: 'la base de datos de CUADRA_DATABASE_URL' },
  database: { en: 'The database', es: 'la base de datos' },
  silent: { en: 'nobody answers', es: 'no responde' },
  test: { en: 'test', es: 'pruebas' },
  production: { en: 'production', es: 'producción' },
  test_records: { en: 'test records', es: 'Registros de pruebas' },
  test_events: { en: 'test events', es: 'Eventos de pruebas' },
  production_records: { en: 'production records', es: 'Registros de producción' },
  production_events: { en: 'production events', es: 'Eventos de producción' },
} as const satisfies Readonly<Record<string, Text>>

type Forms = readonly [one: string, more: string]

export const NOUNS = {
  day: { en: ['day', 'days'], es: ['día', 'días'] },
  hour: { en: ['hour', 'hours'], es: ['hora', 'horas'] },
  minute: { en: ['minute', 'minutes'], es: ['minuto', 'minutos'] },
  second: { en: ['second', 'seconds'], es: ['segundo', 'segundos'] },
  process: { en: ['process', 'processes'], es: ['proceso', 'procesos'] },
} as const satisfies Readonly<Record<string, Readonly<Record<keyof Text, Forms>>>>
