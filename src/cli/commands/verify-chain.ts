/** Options of `cuadra verify-chain`. */
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
      en: 'file of the record (or chain link) before the first one',
      es: 'fichero del registro (o enlace) anterior al primero',
    },
    '--after-event <file>': {
      en: 'file of the event before the first one',
      es: 'fichero del evento anterior al primero',
    },
    '--now <timestamp>': {
      en: 'check timestamps against this time (default: the system clock)',
      es: 'comprueba las fechas con esta hora (por defecto, la del sistema)',
      parse: timestamp,
    },
    '--no-clock': {
      en: 'accept records dated in the future',
      es: 'admite registros con fecha futura',
    },
    '--split': {
      en: 'audit each taxpayer and installation separately',
      es: 'audita por separado cada obligado y cada instalación',
    },
    '--continues': {
      en: 'allow the chain to continue under another taxpayer or installation (a merger)',
      es: 'admite que la cadena continúe con otro obligado u otra instalación (una fusión)',
    },
  },
}

export function addVerifyChainCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: ChainFlags) => {
    const { auditFiles } = await import('./verify-chain-run.ts')
    cli.setExitCode(await auditFiles(cli, files, flags))
  })
}
