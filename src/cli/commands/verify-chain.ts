/** `cuadra verify-chain`: its options. */
import type { Command } from 'commander'
import type { Cli } from '../input/cli.ts'
import { moment, shared } from '../input/flags.ts'
import type { ChainFlags } from './verify-chain-run.ts'

export function addVerifyChainCommand(program: Command, cli: Cli): void {
  const command = program
    .command('verify-chain')
    .description(
      cli.say({
        en: 'audit a chain of fiscal records: tampering, gaps, forks, order, clocks',
        es: 'audita una cadena de registros: alteraciones, huecos, bifurcaciones, orden, relojes',
      }),
    )
    .argument(
      '[files...]',
      cli.say({
        en: 'parts of the chain in order: NDJSON or XML, or - for the standard input',
        es: 'partes de la cadena en orden: NDJSON o XML, o - para la entrada estándar',
      }),
    )
    .option(
      '--after <file>',
      cli.say({
        en: 'the record (or link) before the first one',
        es: 'el registro (o enlace) anterior al primero',
      }),
    )
    .option(
      '--after-event <file>',
      cli.say({ en: 'the event before the first one', es: 'el evento anterior al primero' }),
    )
    .option(
      '--now <moment>',
      cli.say({
        en: 'the clock to judge by; without it, the machine’s',
        es: 'la hora con la que se juzga; sin ella, la de la máquina',
      }),
      moment(cli),
    )
    .option(
      '--no-clock',
      cli.say({ en: 'do not judge records of the future', es: 'no juzga los registros del futuro' }),
    )
    .option(
      '--split',
      cli.say({
        en: 'audit every taxpayer and installation apart',
        es: 'audita por separado cada obligado y cada instalación',
      }),
    )
    .option(
      '--continues',
      cli.say({
        en: 'the chain may go on under another taxpayer or installation (a merger)',
        es: 'la cadena puede continuar con otro obligado u otra instalación (una fusión)',
      }),
    )
  shared(cli, command).action(async (files: string[], flags: ChainFlags) => {
    const { auditFiles } = await import('./verify-chain-run.ts')
    cli.done(await auditFiles(cli, files, flags))
  })
}
