/** Options of `cuadra verify-chain`. */
import type { Command } from 'commander'
import { VERIFY_CHAIN } from '../generated/texts/options.ts'
import type { Cli } from '../input/cli.ts'
import { addCommand, type CommandDefinition, parseTimestamp, withTexts } from '../input/input-flags.ts'
import type { ChainFlags } from './verify-chain-run.ts'

const OUTLINE: CommandDefinition = {
  ...VERIFY_CHAIN,
  name: 'verify-chain',
  argument: '[files...]',
  options: withTexts(VERIFY_CHAIN.options, {
    '--now <timestamp>': { parse: parseTimestamp },
  }),
}

export function addVerifyChainCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: ChainFlags) => {
    const { auditFiles } = await import('./verify-chain-run.ts')
    cli.setExitCode(await auditFiles(cli, files, flags))
  })
}
