/** `cuadra verify-chain`: its options. */
import type { Command } from 'commander'
import type { Cli } from '../input/cli.ts'
import { addCommand, type Outline, timestamp } from '../input/flags.ts'
import type { ChainFlags } from './verify-chain-run.ts'

const OUTLINE: Outline = {
  name: 'verify-chain',
  about: {
    en: 'audit a chain of fiscal records: tampering, gaps, forks, order, clocks',
    es: 'audita una cadena de registros: alteraciones, huecos, bifurcaciones, orden, relojes',
  },
  argument: '[files...]',
  argumentText: {
    en: 'parts of the chain in order: NDJSON or XML, or - for the standard input',
    es: 'partes de la cadena en orden: NDJSON o XML, o - para la entrada estándar',
  },
  options: {
    '--after <file>': {
      en: 'the record (or link) before the first one',
      es: 'el registro (o enlace) anterior al primero',
    },
    '--after-event <file>': {
      en: 'the event before the first one',
      es: 'el evento anterior al primero',
    },
    '--now <moment>': {
      en: 'the clock to judge by; without it, the machine’s',
      es: 'la hora con la que se juzga; sin ella, la de la máquina',
      parse: timestamp,
    },
    '--no-clock': {
      en: 'do not judge records of the future',
      es: 'no juzga los registros del futuro',
    },
    '--split': {
      en: 'audit every taxpayer and installation apart',
      es: 'audita por separado cada obligado y cada instalación',
    },
    '--continues': {
      en: 'the chain may go on under another taxpayer or installation (a merger)',
      es: 'la cadena puede continuar con otro obligado u otra instalación (una fusión)',
    },
  },
}

export function addVerifyChainCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: ChainFlags) => {
    const { auditFiles } = await import('./verify-chain-run.ts')
    cli.done(await auditFiles(cli, files, flags))
  })
}
