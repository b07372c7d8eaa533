/**
 * Messages of the findings of `doctor`: the problem, its consequence, and the fix. Names are the code of the check and,
 * after a dot, the variant.
 */
import type { Text } from '../../invoice/index.ts'

export interface Messages {
  readonly what: Text
  readonly why?: Text
  readonly fix?: Text
}

/** Shows a sentence that is available in both languages. */
const REASON: Text = { en: '{reason}', es: '{reason}' }
/** Shows a message that is available only in English. */
const MESSAGE: Text = { en: '{message}', es: 'Mensaje del sistema: {message}' }

const ADD = 'cuadra-admin certificate add --company ID --p12 FILE --password-file FILE --purpose verifactu'
const NO_CERTIFICATE = {
  why: {
    en: 'Nothing is sent to the tax authority. Companies that do not use VERI*FACTU cannot issue invoices.',
    es: 'No se envía nada a la AEAT y, sin VERI*FACTU, no se puede emitir nada.',
  },
  fix: { en: `Add one: ${ADD}`, es: `Añada uno: ${ADD}` },
} as const

const CLOCK = {
  why: {
    en: 'The tax authority marks records with a wrong timestamp as accepted with errors (2004). No invoice can be issued in a series whose last number has a later date than today (503 clock_behind).',
    es: 'La AEAT acepta con errores (2004) los registros cuya fecha y hora son incorrectas; en una serie cuyo último número lleva una fecha posterior no se emite nada (503 clock_behind).',
  },
  fix: {
    en: 'Synchronise the clock of the machine by NTP (timedatectl set-ntp true).',
    es: 'Sincronice el reloj de la máquina por NTP (timedatectl set-ntp true).',
  },
} as const

const BACKUP = {
  why: {
    en: 'Data that is not backed up is lost with the disk. Invoices must be kept for years.',
    es: 'Lo que no está en una copia de seguridad se pierde con el disco; las facturas deben conservarse durante años.',
  },
  fix: {
    en: 'Run `cuadra-admin backup --into FOLDER --keep 14` every day, from cron or a timer.',
    es: 'Ejecute `cuadra-admin backup --into FOLDER --keep 14` todos los días, con cron o un temporizador.',
  },
} as const

const NO_SERVER = {
  why: {
    en: 'Pending records are not sent to the tax authority.',
    es: 'Los registros pendientes no se envían a la AEAT.',
  },
  fix: { en: 'Start a server.', es: 'Arranque un servidor.' },
} as const

const PERIOD: Text = {
  en: 'The open period is {environment}, but CUADRA_AEAT is {aeat}',
  es: 'El periodo abierto es de {environment}, pero CUADRA_AEAT es {aeat}',
}

const IN_TEST = {
  why: {
    en: 'Its records are of the test environment: its invoices are not registered in production.',
    es: 'Sus registros son del entorno de pruebas: sus facturas no quedan registradas en producción.',
  },
  fix: {
    en: 'To register them in production, run `cuadra-admin verifactu period change --company ID --mode {wanted} --environment production`, and issue in another series than the tests, which have used its numbers.',
    es: 'Si deben registrarse en producción, ejecute `cuadra-admin verifactu period change --company ID --mode {wanted} --environment production` y emita en otra serie que las pruebas, que ya usaron sus números.',
  },
} as const
const IN_PRODUCTION = {
  why: {
    en: 'Production records go to a test service: the tax authority does not have them.',
    es: 'Los registros de producción van a un entorno de pruebas: la AEAT no los tiene.',
  },
  fix: {
    en: 'Set CUADRA_AEAT=production, with CUADRA_DECLARATION.',
    es: 'Configure CUADRA_AEAT=production, con CUADRA_DECLARATION.',
  },
} as const

const SYSTEM: Text = {
  en: 'The {environment} chain belongs to system {system}, installation {number}, but the configuration has system {configured_system}, installation {configured_number}',
  es: 'La cadena de {environment} es del sistema {system}, instalación {number}, pero la configuración indica el sistema {configured_system}, instalación {configured_number}',
}
const SYSTEM_KEPT: Text = {
  en: 'Invoices are issued and cancelled as before, because a chain keeps its system. The configuration applies only to new chains.',
  es: 'Se emite y se anula como hasta ahora, porque una cadena conserva su sistema. La configuración solo se aplica a las cadenas nuevas.',
}
const PRODUCER: Text = {
  en: 'The {environment} chain belongs to producer {producer}, but CUADRA_DECLARATION is of producer {configured_producer}',
  es: 'La cadena de {environment} es del productor {producer}, pero CUADRA_DECLARATION es del productor {configured_producer}',
}
const PRODUCER_REFUSED: Text = {
  en: 'The company cannot issue (503 verifactu_other_producer), and invoices are cancelled without a record.',
  es: 'La empresa no puede emitir (503 verifactu_other_producer) y las facturas se anulan sin registro.',
}
const NUMBER_USED: Text = {
  en: 'Restore CUADRA_INSTALLATION and CUADRA_DECLARATION. If the installation or its producer is a new one, set CUADRA_INSTALLATION to a new value, because an earlier chain has the number {configured_number}, and then run `cuadra-admin verifactu begin-chain --company {company}`.',
  es: 'Restablezca CUADRA_INSTALLATION y CUADRA_DECLARATION. Si la instalación o su productor es nuevo, ponga en CUADRA_INSTALLATION un valor nuevo, porque una cadena anterior tiene el número {configured_number}, y ejecute después `cuadra-admin verifactu begin-chain --company {company}`.',
}
const PLANNED: Text = {
  en: 'From {from}: {mode} ({environment})',
  es: 'Desde el {from}: {mode} ({environment})',
}
const PLANNED_ELSEWHERE: Text = {
  en: 'A change to {mode} ({environment}) is planned for {from}, but CUADRA_AEAT is {aeat}',
  es: 'Está previsto el cambio a {mode} ({environment}) el {from}, pero CUADRA_AEAT es {aeat}',
}
const UNSIGNED: Text = {
  en: 'A change to {mode} ({environment}) is planned for {from}, and no certificate of the company is valid then',
  es: 'Está previsto el cambio a {mode} ({environment}) el {from}, y la empresa no tiene ningún certificado válido ese día',
}
const SIGN: Text = {
  en: `Add a certificate that is valid on {from}: ${ADD}. Or withdraw the change: cuadra-admin verifactu period withdraw --company ID`,
  es: `Añada un certificado válido el {from}: ${ADD}. O retire el cambio: cuadra-admin verifactu period withdraw --company ID`,
}

const TERRITORY: Text = {
  en: 'The company is in {province}, which has its own tax authority, and its period in mode {mode} has been open since {start}',
  es: 'La empresa está en {province}, que tiene su propia Hacienda, y su periodo en modo {mode} sigue abierto desde el {start}',
}

const PENDING: Text = {
  en: '{environment}: {count} pending, the oldest for {age}{failures}',
  es: 'Registros pendientes de envío ({environment}): {count}, el más antiguo desde hace {age}{failures}',
}

const VERIFY: Text = {
  en: 'Run `cuadra-admin verify`.',
  es: 'Ejecute `cuadra-admin verify --locale es`.',
}

export const FINDINGS = {
  data_folder: {
    what: {
      en: 'CUADRA_DATA_DIR {folder} does not exist',
      es: 'No existe la carpeta de datos {folder} (CUADRA_DATA_DIR)',
    },
    why: {
      en: 'This is probably not the folder that the server uses.',
      es: 'Probablemente no es la carpeta que usa el servidor.',
    },
    fix: {
      en: 'Run doctor with the environment of the server, or start the server once.',
      es: 'Ejecute doctor con las variables de entorno del servidor o arranque el servidor una vez.',
    },
  },
  disk: {
    what: {
      en: '{free} free of {size} ({share} %) on the disk of {folder}',
      es: '{free} libres de {size} ({share} %) en el disco de {folder}',
    },
    why: {
      en: 'With a full disk nothing is issued or stored (507 insufficient_storage). Stored data is kept and can be read.',
      es: 'Con el disco lleno no se emite ni se guarda nada (507 insufficient_storage); lo guardado se conserva y puede leerse.',
    },
    fix: {
      en: 'Free space, or move the data folder to a larger disk.',
      es: 'Libere espacio o traslade la carpeta de datos a un disco mayor.',
    },
  },
  file_system: {
    what: { en: 'The database is on {system}', es: 'La base de datos está en {system}' },
    why: {
      en: 'SQLite needs locks that this file system does not guarantee: two processes can damage the file.',
      es: 'SQLite necesita bloqueos que ese sistema de ficheros no garantiza: dos procesos pueden dañar el fichero.',
    },
    fix: {
      en: 'Move CUADRA_DATA_DIR to a local disk, or use PostgreSQL (CUADRA_DATABASE_URL).',
      es: 'Traslade CUADRA_DATA_DIR a un disco local o use PostgreSQL (CUADRA_DATABASE_URL).',
    },
  },
  permissions: {
    what: {
      en: '{folder} belongs to one user, and other users have no access',
      es: '{folder} pertenece a un solo usuario y los demás no tienen acceso',
    },
  },
  'permissions.open': {
    what: { en: 'Other users can read {paths}', es: 'Otros usuarios pueden leer {paths}' },
    why: {
      en: 'Only the server may read invoices and the key of the certificates.',
      es: 'Solo el servidor debe poder leer las facturas y la clave de los certificados.',
    },
    fix: {
      en: 'Run chmod -R go-rwx {folder}, or start the server once: it fixes the permissions.',
      es: 'Ejecute chmod -R go-rwx {folder}, o arranque el servidor una vez: corrige los permisos.',
    },
  },
  'permissions.locked': {
    what: { en: 'This user cannot write {paths}', es: 'Este usuario no puede escribir en {paths}' },
    why: { en: 'Nothing can be issued or stored.', es: 'No se puede emitir ni guardar nada.' },
    fix: {
      en: 'Run the command as the user of the server, or assign the files to that user (chown -R).',
      es: 'Ejecute el comando con el usuario del servidor o asigne los ficheros a ese usuario (chown -R).',
    },
  },
  owner: {
    what: {
      en: 'Files of the data folder belong to {count} users (uid {users})',
      es: 'Los ficheros de la carpeta de datos pertenecen a {count} usuarios (uid {users})',
    },
    why: {
      en: 'A command run as another user, such as root, created some of them: the server may be unable to write to them.',
      es: 'Algunos los creó un comando ejecutado con otro usuario, por ejemplo root: puede que el servidor no pueda escribir en ellos.',
    },
    fix: {
      en: 'Assign all of them to the user of the server: chown -R USER {folder}. Run cuadra-admin as that user.',
      es: 'Asígnelos todos al usuario del servidor: chown -R USER {folder}. Ejecute cuadra-admin con ese usuario.',
    },
  },
  settings: {
    what: {
      en: 'CUADRA_AEAT={aeat}, no conflicting settings',
      es: 'CUADRA_AEAT={aeat}, sin ajustes que lo contradigan',
    },
  },
  'settings.invalid': {
    what: { en: '{message}', es: 'Ajuste no válido: {message}' },
    why: { en: 'The server does not start with this setting.', es: 'El servidor no arranca con ese ajuste.' },
    fix: {
      en: 'Correct the environment variable as stated.',
      es: 'Corrija la variable de entorno como indica el mensaje.',
    },
  },
  'settings.key_file': {
    what: {
      en: 'The key of the certificates is in a file, and the database is PostgreSQL',
      es: 'La clave de los certificados está en un fichero y la base de datos es PostgreSQL',
    },
    why: {
      en: 'Another machine with its own data folder cannot open the certificates.',
      es: 'Otra máquina con su propia carpeta de datos no puede abrir los certificados.',
    },
    fix: {
      en: 'Set CUADRA_SECRET on every machine to the content of {file}.',
      es: 'Ponga en CUADRA_SECRET, en todas las máquinas, el contenido de {file}.',
    },
  },
  'settings.two_keys': {
    what: {
      en: 'Both CUADRA_SECRET and secret.key exist',
      es: 'Existen a la vez CUADRA_SECRET y secret.key',
    },
    why: {
      en: 'Only CUADRA_SECRET is used. The file may be mistaken for the key.',
      es: 'Solo se usa CUADRA_SECRET. El fichero puede confundirse con la clave.',
    },
    fix: {
      en: 'Move the file to the folder of your old keys.',
      es: 'Traslade el fichero a donde guarde las claves antiguas.',
    },
  },
  'settings.no_mail': {
    what: {
      en: 'CUADRA_AEAT is production, but no mail server is configured',
      es: 'CUADRA_AEAT es production, pero no hay ningún servidor de correo configurado',
    },
    why: {
      en: 'E-mails with invoices are not sent; they are only stored in {folder}/mails.',
      es: 'Los correos con facturas no se envían: solo se guardan en {folder}/mails.',
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
      en: 'The server accepts HTTP without TLS from every address. Behind a proxy, API keys that are limited to certain addresses are checked against the address of the proxy, not of the client.',
      es: 'El servidor atiende HTTP sin TLS desde cualquier dirección. Detrás de un proxy, las claves de API limitadas a ciertas direcciones se comprueban con la del proxy, no con la del cliente.',
    },
    fix: {
      en: 'Listen on 127.0.0.1 behind a proxy with TLS, or set CUADRA_TRUST_PROXY to the addresses of the proxy.',
      es: 'Escuche en 127.0.0.1 detrás de un proxy con TLS o ponga en CUADRA_TRUST_PROXY las direcciones del proxy.',
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
      en: 'cuadra-admin has never backed up this data folder',
      es: 'cuadra-admin nunca ha hecho una copia de seguridad de esta carpeta de datos',
    },
  },
  'backup.gone': {
    what: {
      en: 'The last backup is {age} old, and {folder} no longer exists',
      es: 'La última copia de seguridad se hizo hace {age} y {folder} ya no existe',
    },
    why: {
      en: 'Unless it was moved to a safer location, there is no backup.',
      es: 'Si no se ha trasladado a un lugar más seguro, no hay ninguna copia.',
    },
    fix: BACKUP.fix,
  },
  'backup.partial': {
    what: {
      en: 'The last backup is {age} old: {folder}, without some attached files',
      es: 'La última copia de seguridad se hizo hace {age}: {folder}, sin algunos ficheros adjuntos',
    },
    why: {
      en: 'Stored files were missing or changed when it was made.',
      es: 'Cuando se hizo, faltaban ficheros almacenados o estaban modificados.',
    },
    fix: {
      en: 'Run `cuadra-admin verify` to list them.',
      es: 'Ejecute `cuadra-admin verify --locale es` para saber cuáles.',
    },
  },
  'restore.half': {
    what: {
      en: '{folder} contains an unfinished restore',
      es: '{folder} contiene una restauración sin terminar',
    },
    why: {
      en: 'A restore is running or was interrupted: no server starts here.',
      es: 'Hay una restauración en curso o interrumpida: aquí no arranca ningún servidor.',
    },
    fix: {
      en: 'Wait until it ends, or run the same `cuadra-admin restore --from FOLDER` again.',
      es: 'Espere a que termine o ejecute de nuevo el mismo `cuadra-admin restore --from FOLDER`.',
    },
  },
  'restore.open': {
    what: {
      en: 'Restored from the backup of {made} UTC, but not accepted',
      es: 'Se restauró la copia de seguridad del {made} UTC, pero no se ha aceptado',
    },
    why: {
      en: 'No server starts, because invoices issued after the backup are unknown here.',
      es: 'No arranca ningún servidor, porque aquí no constan las facturas emitidas después de la copia.',
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
  'database.not_finished': {
    what: {
      en: 'The check of all pages was not finished in {seconds} s. `PRAGMA integrity_check` of sqlite3 checks all of them',
      es: 'La comprobación de todas las páginas no terminó en {seconds} s. `PRAGMA integrity_check` de sqlite3 las comprueba todas',
    },
  },
  'database.read_only': {
    what: { en: 'PostgreSQL accepts no changes', es: 'PostgreSQL no admite cambios' },
    why: {
      en: 'Requests that change anything get 503, and nothing is sent to the tax authority.',
      es: 'Las peticiones que cambian algo reciben 503, y no se envía nada a la AEAT.',
    },
    fix: {
      en: 'Promote the server if it is a standby, turn off default_transaction_read_only, or set CUADRA_DATABASE_URL to the primary.',
      es: 'Promueva el servidor si es una réplica, desactive default_transaction_read_only o indique el primario en CUADRA_DATABASE_URL.',
    },
  },
  'database.no_checksums': {
    what: {
      en: 'PostgreSQL keeps no data checksums',
      es: 'PostgreSQL no guarda sumas de comprobación de los datos',
    },
    why: {
      en: 'A disk that changes stored data is not noticed when they are read.',
      es: 'Si el disco altera los datos guardados, no se advierte al leerlos.',
    },
    fix: {
      en: 'Stop PostgreSQL, run `pg_checksums --enable`, and start it.',
      es: 'Detenga PostgreSQL, ejecute `pg_checksums --enable` y arránquelo.',
    },
  },
  'database.checksum_failures': {
    what: {
      en: 'PostgreSQL has read {failures} damaged pages of this database',
      es: 'PostgreSQL ha leído {failures} páginas dañadas de esta base de datos',
    },
    why: {
      en: 'Their content cannot be read. Probably the disk is faulty.',
      es: 'Su contenido no puede leerse. Probablemente falla el disco.',
    },
    fix: {
      en: 'Read the log of PostgreSQL, which names the pages, and restore your last backup on another disk (docs/operations.md, "Restore").',
      es: 'Lea el log de PostgreSQL, que indica las páginas, y restaure su última copia de seguridad en otro disco (docs/operations.md, "Restore").',
    },
  },
  'database.none': {
    what: {
      en: 'No cuadra database in {place}',
      es: 'No hay ninguna base de datos de cuadra en {place}',
    },
    why: {
      en: 'This is probably not the one that the server uses.',
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
      en: 'Start it, or correct CUADRA_DATABASE_URL.',
      es: 'Arránquela o corrija CUADRA_DATABASE_URL.',
    },
  },
  'database.unusable': {
    what: { en: '{database} cannot be used', es: 'No se puede usar {database}' },
    why: MESSAGE,
    fix: { en: 'Fix the cause stated above.', es: 'Corrija la causa indicada.' },
  },
  'database.damaged': {
    what: { en: '{file} is damaged', es: '{file} está dañado' },
    why: {
      en: 'The content of the damaged pages cannot be read, and new data may be lost. ({message})',
      es: 'El contenido de las páginas dañadas no puede leerse, y los datos nuevos pueden perderse. ({message})',
    },
    fix: {
      en: 'Stop every server that uses it, keep a copy of it, and restore your last backup (docs/operations.md, "Restore").',
      es: 'Detenga todos los servidores que lo usan, guarde una copia del fichero y restaure su última copia de seguridad (docs/operations.md, "Restore").',
    },
  },
  'database_version.earlier': {
    what: {
      en: 'The tables have version {version}, which is earlier than that of this program',
      es: 'Las tablas tienen la versión {version}, anterior a la de este programa',
    },
    why: {
      en: 'They are upgraded when a server starts or another command runs. Earlier versions of the program cannot use them afterwards.',
      es: 'Se actualizarán al arrancar un servidor o al ejecutar otro comando. Después, las versiones anteriores del programa no podrán usarlas.',
    },
    fix: {
      en: 'Make a backup with the program installed now, then start the new one.',
      es: 'Haga una copia de seguridad con el programa instalado ahora y arranque después el nuevo.',
    },
  },
  'database_version.newer': {
    what: {
      en: 'The tables have version {version}, which is newer than that of this program',
      es: 'Las tablas tienen la versión {version}, posterior a la de este programa',
    },
    why: {
      en: 'This program cannot use them.',
      es: 'Este programa no puede usarlas.',
    },
    fix: { en: 'Start the newer program.', es: 'Arranque el programa más reciente.' },
  },
  'database_version.unpublished': {
    what: {
      en: 'The tables (version {version}) were made by an unpublished earlier version of cuadra',
      es: 'Las tablas (versión {version}) se crearon con una versión anterior de cuadra que no llegó a publicarse',
    },
    why: {
      en: 'This program can neither use nor convert them.',
      es: 'Este programa no puede usarlas ni convertirlas.',
    },
    fix: {
      en: 'Start with a new database. To keep the data, export them first, with `cuadra-admin export` of the version that made them.',
      es: 'Empiece con una base de datos nueva. Para conservar los datos, expórtelos antes con `cuadra-admin export` de la versión que los creó.',
    },
  },
  server: { what: { en: '{processes} running', es: '{processes} en servicio' } },
  'server.none': {
    ...NO_SERVER,
    what: { en: 'No server is running', es: 'No hay ningún servidor en marcha' },
  },
  'server.silent': {
    ...NO_SERVER,
    what: {
      en: 'No server is running; the last one was active {age} ago',
      es: 'No hay ningún servidor en marcha; el último estuvo activo hace {age}',
    },
  },
  clock: { what: { en: 'Time of this machine: {now} UTC', es: 'Hora de esta máquina: {now} UTC' } },
  'clock.database': {
    ...CLOCK,
    what: {
      en: 'The clock of this machine and that of the database differ by {seconds} s',
      es: 'El reloj de esta máquina y el de la base de datos difieren en {seconds} s',
    },
  },
  'clock.unread': {
    what: {
      en: 'The clock cannot be checked against the data of all companies',
      es: 'No se puede comprobar el reloj con los datos de todas las empresas',
    },
    why: MESSAGE,
    fix: {
      en: 'Start the database machine that does not respond. See the companies below.',
      es: 'Arranque la máquina de la base de datos que no responde. Vea más abajo las empresas.',
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
      en: 'Series {series} of {company} has a number dated {date}, after today',
      es: 'La serie {series} de {company} tiene un número del {date}, fecha posterior a hoy',
    },
    why: {
      en: 'The clock was ahead when that number was assigned, or is behind now. No invoice can be issued in this series until that date.',
      es: 'El reloj estuvo adelantado o está atrasado ahora. En esa serie no se puede emitir hasta esa fecha.',
    },
    fix: CLOCK.fix,
  },
  'clock_behind.record': {
    what: {
      en: 'The last record is dated {at} UTC, {before} in the future',
      es: 'El último registro tiene fecha {at} UTC, {before} después de la hora actual',
    },
    why: {
      en: 'The clock is behind, or was ahead when that record was made. The records have not changed.',
      es: 'El reloj está atrasado, o estaba adelantado cuando se generó ese registro. Los registros no han cambiado.',
    },
    fix: CLOCK.fix,
  },
  'company.away': {
    what: { en: 'The company cannot be reached', es: 'No se puede acceder a la empresa' },
    why: MESSAGE,
    fix: {
      en: 'Start the database machine of this company.',
      es: 'Arranque la máquina de la base de datos que contiene esta empresa.',
    },
  },
  'company.unread': {
    what: { en: 'The company cannot be checked', es: 'No se puede comprobar la empresa' },
    why: MESSAGE,
    fix: VERIFY,
  },
  certificate: {
    what: {
      en: '{name} is valid for {left}, until {until}',
      es: '{name} caduca dentro de {left}, el {until}',
    },
    why: {
      en: 'Without a certificate nothing is sent, and companies that do not use VERI*FACTU cannot issue invoices. Renewal takes days.',
      es: 'Sin certificado no se envía nada y, sin VERI*FACTU, no se puede emitir nada. La renovación tarda días.',
    },
    fix: {
      en: `Renew it and add the new one, which replaces it automatically: ${ADD}`,
      es: `Renuévelo y añada el nuevo, que lo sustituye automáticamente: ${ADD}`,
    },
  },
  'certificate.none': {
    ...NO_CERTIFICATE,
    what: { en: 'No certificate', es: 'No hay ningún certificado' },
  },
  'certificate.ended': {
    ...NO_CERTIFICATE,
    what: {
      en: 'No valid certificate: the last one expired on {until}',
      es: 'Ningún certificado está vigente: el último caducó el {until}',
    },
  },
  certificate_owner: {
    what: {
      en: 'The certificate belongs to {holder}, and the company is {tax_id}',
      es: 'El certificado es de {holder} y la empresa es {tax_id}',
    },
    why: NO_CERTIFICATE.why,
    fix: {
      en: `Add the certificate of the company: ${ADD}. If {holder} is its authorised representative or registered filing agent: echo '{"operated_by_partner": true}' | cuadra-admin company update {id} --file -. If the tax id is wrong, see docs/operations.md, "The company's tax id is wrong".`,
      es: `Añada el certificado de la empresa: ${ADD}. Si {holder} es su apoderado o un colaborador social: echo '{"operated_by_partner": true}' | cuadra-admin company update {id} --file -. Si el NIF de la empresa es erróneo, consulte docs/operations.md, «The company's tax id is wrong».`,
    },
  },
  'certificate.closed': {
    what: {
      en: 'Certificate {id} cannot be opened',
      es: 'No se puede abrir el certificado {id}',
    },
    why: MESSAGE,
    fix: {
      en: `Restore the key (secret.key in {folder}, or CUADRA_SECRET), or add the certificate again: ${ADD}`,
      es: `Restablezca la clave (secret.key en {folder}, o CUADRA_SECRET) o añádalo de nuevo: ${ADD}`,
    },
  },
  planned: { what: PLANNED },
  'planned.no_verifactu': {
    what: UNSIGNED,
    why: {
      en: 'Without VERI*FACTU each record is signed: from that day no invoice can be issued.',
      es: 'Sin VERI*FACTU cada registro se firma: desde ese día no se puede emitir ninguna factura.',
    },
    fix: SIGN,
  },
  'planned.verifactu': {
    what: UNSIGNED,
    why: {
      en: 'Records wait: they cannot be sent to the tax authority.',
      es: 'Los registros esperan: no pueden enviarse a la AEAT.',
    },
    fix: SIGN,
  },
  'planned.test': { ...IN_TEST, what: PLANNED_ELSEWHERE },
  'planned.production': { ...IN_PRODUCTION, what: PLANNED_ELSEWHERE },
  'environment.test': { ...IN_TEST, what: PERIOD },
  'environment.production': { ...IN_PRODUCTION, what: PERIOD },
  no_period: {
    what: {
      en: 'No VeriFactu period is open since {since}, and {count} invoices issued afterwards have no record',
      es: 'No hay ningún periodo de VeriFactu abierto desde el {since}; facturas emitidas después sin registro: {count}',
    },
    why: {
      en: 'An invoice issued without a record cannot get one later.',
      es: 'Una factura emitida sin registro no puede tenerlo después.',
    },
    fix: {
      en: 'If the company must keep records, run `cuadra-admin verifactu period open --company {id} --mode MODE` now, and ask your adviser about these invoices. `cuadra-admin verifactu period list --company {id}` counts them.',
      es: 'Si la empresa está obligada a llevar registros, ejecute ya `cuadra-admin verifactu period open --company {id} --mode MODE` y consulte a su asesor sobre estas facturas. `cuadra-admin verifactu period list --company {id}` las cuenta.',
    },
  },
  territory: {
    what: TERRITORY,
    why: {
      en: 'VeriFactu applies to companies with their tax domicile in the common territory. Records are made until the period is closed.',
      es: 'VeriFactu se aplica a las empresas con domicilio fiscal en territorio común. Se generan registros hasta que se cierre el periodo.',
    },
    fix: {
      en: 'The period ends today: run `cuadra-admin verifactu period close --company {id}`, then invoice as your regional tax authority requires.',
      es: 'El periodo termina hoy: ejecute `cuadra-admin verifactu period close --company {id}` y facture después como exija su Hacienda foral.',
    },
  },
  'territory.verifactu': {
    what: TERRITORY,
    why: {
      en: 'The period ends on {end}: VERI*FACTU must be used until the end of the year (art. 16 RD 1007/2023), and the tax authority accepts no other last day. Until then records are made and sent.',
      es: 'El periodo termina el {end}: VERI*FACTU debe usarse hasta el fin del año (art. 16 RD 1007/2023) y la AEAT no admite otro último día. Hasta entonces se generan y envían registros.',
    },
    fix: {
      en: 'Run `cuadra-admin verifactu period close --company {id}` on {end}. If the company moved in an earlier year, or if your adviser says that the regional rules apply at once, run it now with --anyway.',
      es: 'Ejecute `cuadra-admin verifactu period close --company {id}` el {end}. Si la empresa se trasladó en un año anterior, o si su asesor indica que la normativa foral se aplica desde ya, ejecútelo ahora con --anyway.',
    },
  },
  inactive: {
    what: {
      en: 'The company is inactive, and {count} of its records are waiting',
      es: 'La empresa no está activa y tiene registros pendientes de envío: {count}',
    },
    why: {
      en: 'They must still be sent, but the metrics, and so the alerts, omit inactive companies.',
      es: 'Deben enviarse igualmente, pero las métricas, y por tanto las alertas, omiten las empresas no activas.',
    },
    fix: {
      en: 'Fix the cause shown in `pending`. If the records can never be accepted, see docs/operations.md, "The company\'s tax id is wrong".',
      es: "Corrija la causa que muestra `pending`. Si los registros nunca podrán aceptarse, consulte docs/operations.md, «The company's tax id is wrong».",
    },
  },
  system: {
    what: SYSTEM,
    why: SYSTEM_KEPT,
    fix: {
      en: 'If the installation is the same, restore CUADRA_INSTALLATION and CUADRA_DECLARATION. If it is a new one, run `cuadra-admin verifactu begin-chain --company {company}`.',
      es: 'Si la instalación es la misma, restablezca CUADRA_INSTALLATION y CUADRA_DECLARATION. Si es nueva, ejecute `cuadra-admin verifactu begin-chain --company {company}`.',
    },
  },
  'system.used': { what: SYSTEM, why: SYSTEM_KEPT, fix: NUMBER_USED },
  'system.producer': {
    what: PRODUCER,
    why: PRODUCER_REFUSED,
    fix: {
      en: 'If the producer is the same, restore CUADRA_DECLARATION. If another producer takes over, run `cuadra-admin verifactu begin-chain --company {company}`.',
      es: 'Si el productor es el mismo, restablezca CUADRA_DECLARATION. Si otro lo sustituye, ejecute `cuadra-admin verifactu begin-chain --company {company}`.',
    },
  },
  'system.producer_used': { what: PRODUCER, why: PRODUCER_REFUSED, fix: NUMBER_USED },
  chain: {
    what: {
      en: '{chain}: {hashes} of {end} checked{signatures}',
      es: '{chain}: {hashes} de {end} comprobados{signatures}',
    },
  },
  'chain.broken': {
    what: {
      en: '{chain}: {hashes} of {end} checked{signatures}; {count} with errors, the first is {first}',
      es: '{chain}: {hashes} de {end} comprobados{signatures}; con errores: {count}, el primero {first}',
    },
    why: {
      en: 'A record was changed, removed or damaged after it was made.',
      es: 'Un registro se modificó, se borró o se dañó después de generarse.',
    },
    fix: {
      en: 'Run `cuadra-admin verify` to find out what. Do not change the database, and keep a copy.',
      es: 'Ejecute `cuadra-admin verify --locale es` para saber qué falla. Conserve la base de datos tal como está, y una copia.',
    },
  },
  anomalies: {
    what: {
      en: '{count} recorded and not fixed',
      es: 'Anomalías registradas y sin corregir: {count}',
    },
    why: {
      en: 'A check of the chains found them.',
      es: 'Se detectaron en una comprobación de las cadenas.',
    },
    fix: VERIFY,
  },
  pending: {
    what: PENDING,
    why: REASON,
    fix: {
      en: 'See GET /verifactu/incidents or /status. `cuadra-admin verifactu send-now` retries immediately.',
      es: 'Consulte GET /verifactu/incidents o /status. `cuadra-admin verifactu send-now` lo intenta de inmediato.',
    },
  },
  'pending.authority': {
    what: PENDING,
    why: REASON,
    fix: {
      en: 'Nothing, unless the reason states an action: the records are sent automatically when the tax authority responds, and it accepts them late. Issuing continues. /status shows the next attempt.',
      es: 'Nada, salvo que el motivo indique algo: los registros se envían automáticamente cuando la AEAT responda, que los admite con retraso. La emisión continúa. /status muestra el próximo intento.',
    },
  },
  'pending.blocked': {
    what: PENDING,
    why: REASON,
    fix: {
      en: 'Fix the cause as the reason states; the records are then sent automatically. If they can never be accepted, see docs/operations.md, "The company\'s tax id is wrong".',
      es: "Corrija la causa como indica el motivo; entonces se envían automáticamente. Si nunca podrán aceptarse, consulte docs/operations.md, «The company's tax id is wrong».",
    },
  },
  lease: {
    what: {
      en: '{environment}: the sending queue is locked by another process until {until} UTC',
      es: 'Cola de envío a la AEAT ({environment}): ocupada hasta el {until} UTC',
    },
    why: {
      en: 'A process whose clock was ahead locked it. It is released automatically.',
      es: 'La ocupó un proceso con el reloj adelantado. Se libera automáticamente.',
    },
    fix: {
      en: 'Check the clocks of all machines.',
      es: 'Compruebe los relojes de todas las máquinas.',
    },
  },
  'lease.ended': {
    what: {
      en: '{environment}: the sending queue is locked by a process that has ended ({owner}); it is released automatically',
      es: 'Cola de envío a la AEAT ({environment}): la ocupa un proceso que ya terminó ({owner}); se libera automáticamente',
    },
  },
  rejected: {
    what: {
      en: '{number} was rejected by the tax authority{code}',
      es: 'La AEAT ha rechazado el registro de {number}{code}',
    },
    why: {
      en: 'The tax authority does not have a rejected record: the invoice is not registered until a new record is accepted.',
      es: 'Un registro rechazado no consta en la AEAT: la factura falta allí hasta que se acepte otro registro.',
    },
    fix: REASON,
  },
  'rejected.cancellation': {
    what: {
      en: 'The cancellation of {number} was rejected by the tax authority{code}',
      es: 'La AEAT ha rechazado la anulación de {number}{code}',
    },
    why: {
      en: 'What the tax authority has of the invoice stays valid there until a cancellation is accepted.',
      es: 'Lo que la AEAT tenga de la factura sigue siendo válido allí hasta que acepte una anulación.',
    },
    fix: REASON,
  },
  remarked: {
    what: {
      en: '{number} was accepted with errors{code}',
      es: 'La AEAT ha aceptado con errores el registro de {number}{code}',
    },
    why: {
      en: 'The tax authority has the record and requires a correction.',
      es: 'La AEAT tiene el registro y exige subsanarlo.',
    },
    fix: REASON,
  },
  cancellations: {
    what: {
      en: 'without a record, as none is needed: {sent} sent by mail before, {imported} imported, {never_registered} never registered',
      es: 'Anulaciones sin registro porque no lo necesitan: {sent} de facturas ya enviadas por correo, {imported} de importadas y {never_registered} de nunca registradas',
    },
  },
  'cancellations.not_sent': {
    what: {
      en: 'not sent without VERI*FACTU, so the invoice is still valid at the tax authority: {count}. They are reported if the company uses VERI*FACTU again',
      es: 'Anulaciones que no se envían sin VERI*FACTU, por lo que la AEAT tiene la factura como válida: {count}. Se avisará de ellas si la empresa vuelve a usar VERI*FACTU',
    },
  },
  cancellation_missing: {
    what: {
      en: 'The cancellation of {number} is not complete. {gap}',
      es: 'La anulación de {number} no está completa. {gap}',
    },
    why: {
      en: 'Each cancellation must have its record (art. 11 RD 1007/2023). If the tax authority has the invoice, it is still valid there.',
      es: 'Toda anulación debe tener su registro (art. 11 RD 1007/2023). Si la AEAT tiene la factura, allí sigue siendo válida.',
    },
    fix: REASON,
  },
  'rejected.more': {
    what: {
      en: '{count} more invoices need attention',
      es: 'Otras facturas que requieren atención: {count}',
    },
    why: { en: 'The reasons are like those above.', es: 'Los motivos son como los anteriores.' },
    fix: {
      en: 'See GET /verifactu/chain or /status.',
      es: 'Consulte GET /verifactu/chain o /status.',
    },
  },
  sii_overdue: {
    what: {
      en: '{count} SII records overdue, the first since {first}',
      es: 'Registros del SII fuera de plazo: {count}, el primero desde el {first}',
    },
    why: {
      en: 'Records of the SII have a deadline; the tax authority fines late ones.',
      es: 'Los registros del SII tienen un plazo; la AEAT sanciona los envíos tardíos.',
    },
    fix: {
      en: 'See GET /sii/pending or /status. Send them with `cuadra-admin sii send-now --company ID`.',
      es: 'Consulte GET /sii/pending o /status. Envíelos con `cuadra-admin sii send-now --company ID`.',
    },
  },
  mails: {
    what: {
      en: '{count} e-mails pending, the oldest for {age}',
      es: 'Correos sin enviar: {count}, el más antiguo desde hace {age}',
    },
    why: {
      en: 'The mail server has not accepted them. Each is retried for about twenty hours.',
      es: 'El servidor de correo no los ha aceptado. Se reintenta durante unas veinte horas.',
    },
    fix: {
      en: 'Check CUADRA_SMTP_URL and the log of the server.',
      es: 'Revise CUADRA_SMTP_URL y el log del servidor.',
    },
  },
} as const satisfies Readonly<Record<string, Messages>>

export type FindingName = keyof typeof FINDINGS

/** Phrases that are inserted into findings. */
export const PARTS = {
  signatures: { en: ', {count} signatures', es: ', firmas: {count}' },
  failures: { en: ', {count} failed attempts', es: ', intentos fallidos: {count}' },
  sent_at_once: {
    en: 'Records must be sent as soon as they are made, in order.',
    es: 'Los registros deben enviarse en cuanto se generan, en su orden.',
  },
  url: { en: 'the database of CUADRA_DATABASE_URL', es: 'la base de datos de CUADRA_DATABASE_URL' },
  database: { en: 'The database', es: 'la base de datos' },
  silent: { en: 'no response', es: 'no responde' },
  test: { en: 'test', es: 'pruebas' },
  production: { en: 'production', es: 'producción' },
  verifactu: { en: 'mode VERI*FACTU', es: 'modalidad VERI*FACTU' },
  no_verifactu: { en: 'mode without VERI*FACTU', es: 'modalidad sin VERI*FACTU' },
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
