/** `cuadra record`: its options. */
import type { Command } from 'commander'
import type { Cli } from '../input/cli.ts'
import { addCommand, day, type Outline, timestamp } from '../input/flags.ts'
import type { RecordFlags } from './record-run.ts'

const OUTLINE: Outline = {
  name: 'record',
  about: {
    en: 'make the VeriFactu record of an invoice: hash, link, QR address',
    es: 'genera el registro VeriFactu de una factura: huella, encadenamiento, dirección del QR',
  },
  argument: '<invoice>',
  argumentText: {
    en: 'JSON file of the invoice, or - for the standard input; with --cancel, of its record (JSON or XML)',
    es: 'fichero JSON de la factura, o - para la entrada estándar; con --cancel, el de su registro (JSON o XML)',
  },
  options: {
    '--number <number>': {
      en: 'number of an invoice that has none yet, with its series',
      es: 'número de una factura que aún no lo tiene, con su serie',
    },
    '--date <date>': {
      en: 'issue date of an invoice that has none yet, YYYY-MM-DD',
      es: 'fecha de expedición de una factura que aún no la tiene, AAAA-MM-DD',
      parse: day,
    },
    '--previous <file>': {
      en: 'records of which the last one comes before: JSON, NDJSON or XML; or its link',
      es: 'registros cuyo último es el anterior: JSON, NDJSON o XML; o su enlace',
    },
    '--first': {
      en: 'this is the very first record of the installation',
      es: 'es el primer registro de la instalación',
    },
    '--system <file>': {
      en: 'JSON with SistemaInformatico; without it, that of the previous record',
      es: 'JSON con SistemaInformatico; sin ella, el del registro anterior',
    },
    '--moment <moment>': {
      en: 'when it is generated, such as 2027-01-31T10:00:00+01:00; without it, now',
      es: 'cuándo se genera, como 2027-01-31T10:00:00+01:00; sin ella, ahora',
      parse: timestamp,
    },
    '--zone <zone>': {
      en: 'zone of "now"',
      es: 'zona horaria de «ahora»',
      choices: ['Europe/Madrid', 'Atlantic/Canary'],
      otherwise: 'Europe/Madrid',
    },
    '--company <file>': {
      en: 'the company of the invoice (company.json)',
      es: 'la empresa de la factura (company.json)',
    },
    '--cancel': {
      en: 'make the cancellation record of a registered invoice',
      es: 'genera el registro de anulación de una factura registrada',
    },
    '--correction <kind>': {
      en: 'the record corrects an earlier one of the same invoice: which the authority has (none), after a rejected correction, or which it never registered',
      es: 'el registro subsana otro anterior de la misma factura: que la Agencia tiene (none), tras una subsanación rechazada, o que nunca registró',
      choices: ['none', 'rejected', 'never_registered'],
    },
    '--continues': {
      en: 'go on with the chain of another taxpayer or installation (a merger)',
      es: 'continúa la cadena de otro obligado o de otra instalación (una fusión)',
    },
    '--xml': {
      en: 'print the XML of the record',
      es: 'imprime el XML del registro',
    },
    '--svg [file]': {
      en: 'print the QR code instead, or write it to a file as well',
      es: 'imprime en su lugar el código QR, o lo escribe además en un fichero',
    },
    '--environment <name>': {
      en: 'service that the QR points at',
      es: 'servicio al que apunta el QR',
      choices: ['production', 'test'],
      otherwise: 'production',
    },
    '--no-verifiable': {
      en: 'QR of a system that is not VERI*FACTU',
      es: 'QR de un sistema que no es VERI*FACTU',
    },
  },
}

export function addRecordCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (file: string, flags: RecordFlags) => {
    const { makeRecord } = await import('./record-run.ts')
    cli.done(await makeRecord(cli, file, flags))
  })
}
