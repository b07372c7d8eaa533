/** `cuadra record`: its options. */
import { type Command, Option } from 'commander'
import type { Cli } from '../input/cli.ts'
import { day, moment, shared } from '../input/flags.ts'
import type { RecordFlags } from './record-run.ts'

export function addRecordCommand(program: Command, cli: Cli): void {
  const command = program
    .command('record')
    .description(
      cli.say({
        en: 'make the VeriFactu record of an invoice: hash, link, QR address',
        es: 'genera el registro VeriFactu de una factura: huella, encadenamiento, dirección del QR',
      }),
    )
    .argument(
      '<invoice>',
      cli.say({
        en: 'JSON file of the invoice, or - for the standard input; with --cancel, of its record (JSON or XML)',
        es: 'fichero JSON de la factura, o - para la entrada estándar; con --cancel, el de su registro (JSON o XML)',
      }),
    )
    .option(
      '--number <number>',
      cli.say({
        en: 'number of an invoice that has none yet, with its series',
        es: 'número de una factura que aún no lo tiene, con su serie',
      }),
    )
    .option(
      '--date <date>',
      cli.say({
        en: 'issue date of an invoice that has none yet, YYYY-MM-DD',
        es: 'fecha de expedición de una factura que aún no la tiene, AAAA-MM-DD',
      }),
      day(cli),
    )
    .option(
      '--previous <file>',
      cli.say({
        en: 'records of which the last one comes before: JSON, NDJSON or XML; or its link',
        es: 'registros cuyo último es el anterior: JSON, NDJSON o XML; o su enlace',
      }),
    )
    .option(
      '--first',
      cli.say({
        en: 'this is the very first record of the installation',
        es: 'es el primer registro de la instalación',
      }),
    )
    .option(
      '--system <file>',
      cli.say({
        en: 'JSON with SistemaInformatico; without it, that of the previous record',
        es: 'JSON con SistemaInformatico; sin ella, el del registro anterior',
      }),
    )
    .option(
      '--moment <moment>',
      cli.say({
        en: 'when it is generated, such as 2027-01-31T10:00:00+01:00; without it, now',
        es: 'cuándo se genera, como 2027-01-31T10:00:00+01:00; sin ella, ahora',
      }),
      moment(cli),
    )
    .addOption(
      new Option('--zone <zone>', cli.say({ en: 'zone of "now"', es: 'zona horaria de «ahora»' }))
        .choices(['Europe/Madrid', 'Atlantic/Canary'])
        .default('Europe/Madrid'),
    )
    .option(
      '--company <file>',
      cli.say({
        en: 'the company of the invoice (company.json)',
        es: 'la empresa de la factura (company.json)',
      }),
    )
    .option(
      '--cancel',
      cli.say({
        en: 'make the cancellation record of a registered invoice',
        es: 'genera el registro de anulación de una factura registrada',
      }),
    )
    .addOption(
      new Option(
        '--correction <kind>',
        cli.say({
          en: 'the record corrects an earlier one of the same invoice: which the authority has (none), after a rejected correction, or which it never registered',
          es: 'el registro subsana otro anterior de la misma factura: que la Agencia tiene (none), tras una subsanación rechazada, o que nunca registró',
        }),
      ).choices(['none', 'rejected', 'never_registered']),
    )
    .option(
      '--continues',
      cli.say({
        en: 'go on with the chain of another taxpayer or installation (a merger)',
        es: 'continúa la cadena de otro obligado o de otra instalación (una fusión)',
      }),
    )
    .option('--xml', cli.say({ en: 'print the XML of the record', es: 'imprime el XML del registro' }))
    .option(
      '--svg [file]',
      cli.say({
        en: 'print the QR code instead, or write it to a file as well',
        es: 'imprime en su lugar el código QR, o lo escribe además en un fichero',
      }),
    )
    .addOption(
      new Option(
        '--environment <name>',
        cli.say({ en: 'service that the QR points at', es: 'servicio al que apunta el QR' }),
      )
        .choices(['production', 'test'])
        .default('production'),
    )
    .option(
      '--no-verifiable',
      cli.say({ en: 'QR of a system that is not VERI*FACTU', es: 'QR de un sistema que no es VERI*FACTU' }),
    )
  shared(cli, command).action(async (file: string, flags: RecordFlags) => {
    const { makeRecord } = await import('./record-run.ts')
    cli.done(await makeRecord(cli, file, flags))
  })
}
