/** Options of `cuadra record`. */
import type { Command } from 'commander'
import type { Cli } from '../input/cli.ts'
import { addCommand, day, type Outline, timestamp } from '../input/flags.ts'
import type { RecordFlags } from './record-run.ts'

const OUTLINE: Outline = {
  name: 'record',
  about: {
    en: 'make the VeriFactu record of an invoice: hash, chain link, QR address',
    es: 'genera el registro VeriFactu de una factura: huella, encadenamiento, dirección del QR',
  },
  argument: '<invoice>',
  argumentText: {
    en: 'JSON file of the invoice, or - for the standard input; with --cancel, file of its record (JSON or XML)',
    es: 'fichero JSON de la factura, o - para la entrada estándar; con --cancel, el de su registro (JSON o XML)',
  },
  options: {
    '--number <number>': {
      en: 'set the number of an unnumbered invoice, with its series',
      es: 'asigna el número, con su serie, a una factura que no lo tiene',
    },
    '--date <date>': {
      en: 'set the issue date of an undated invoice, YYYY-MM-DD',
      es: 'asigna la fecha de expedición a una factura que no la tiene, AAAA-MM-DD',
      parse: day,
    },
    '--previous <file>': {
      en: 'link to the last record of this file (JSON, NDJSON or XML), or to this chain link',
      es: 'encadena con el último registro de este fichero (JSON, NDJSON o XML), o con este enlace',
    },
    '--first': {
      en: 'make the first record of the installation',
      es: 'genera el primer registro de la instalación',
    },
    '--system <file>': {
      en: 'JSON file with SistemaInformatico (default: that of the previous record)',
      es: 'fichero JSON con SistemaInformatico (por defecto, el del registro anterior)',
    },
    '--timestamp <timestamp>': {
      en: 'time of generation, such as 2027-01-31T10:00:00+01:00 (default: now)',
      es: 'fecha y hora de generación, como 2027-01-31T10:00:00+01:00 (por defecto, ahora)',
      parse: timestamp,
    },
    '--zone <zone>': {
      en: 'time zone of the default timestamp',
      es: 'zona horaria de la fecha y hora por defecto',
      choices: ['Europe/Madrid', 'Atlantic/Canary'],
      defaultValue: 'Europe/Madrid',
    },
    '--company <file>': {
      en: 'file of the company (company.json)',
      es: 'fichero de la empresa (company.json)',
    },
    '--cancel': {
      en: 'make the cancellation record of a registered invoice',
      es: 'genera el registro de anulación de una factura registrada',
    },
    '--correction <kind>': {
      en: 'correct an earlier record of the invoice that was accepted (none), whose last correction was rejected (rejected), or that was never registered (never_registered)',
      es: 'subsana un registro anterior de la factura: aceptado (none), con la última subsanación rechazada (rejected) o nunca registrado (never_registered)',
      choices: ['none', 'rejected', 'never_registered'],
    },
    '--continues': {
      en: 'continue the chain of another taxpayer or installation (a merger)',
      es: 'continúa la cadena de otro obligado o de otra instalación (una fusión)',
    },
    '--xml': {
      en: 'print the XML of the record',
      es: 'imprime el XML del registro',
    },
    '--svg [file]': {
      en: 'print the QR code instead of the record, or also write it to a file',
      es: 'imprime el código QR en lugar del registro, o lo escribe además en un fichero',
    },
    '--environment <name>': {
      en: 'tax authority service that the QR code links to',
      es: 'servicio de la AEAT al que lleva el QR',
      choices: ['production', 'test'],
      defaultValue: 'production',
    },
    '--no-verifiable': {
      en: 'make the QR code of a system that is not VERI*FACTU',
      es: 'genera el QR de un sistema que no es VERI*FACTU',
    },
  },
}

export function addRecordCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (file: string, flags: RecordFlags) => {
    const { makeRecord } = await import('./record-run.ts')
    cli.setExitCode(await makeRecord(cli, file, flags))
  })
}
