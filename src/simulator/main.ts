/** `cuadra-server aeat-simulator`: the simulator as a process of its own. */
import { resolve } from 'node:path'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { fileProblem } from '../storage/faults.ts'
import { startSimulator } from './simulator.ts'

const whole = (most: number) => (text: string) => {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= most)) throw new InvalidArgumentError(`Use a whole number from 0 to ${most}.`)
  return value
}

const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

interface Options {
  readonly port: number
  readonly controlPort: number
  readonly host: string
  readonly data: string
  readonly name?: readonly string[]
  readonly wait: number
  readonly clientCa?: readonly string[]
  readonly power?: Held
}

type Held = Readonly<Record<string, readonly string[]>>

/** `B12345674=*` or `B12345674=B77777779,A58818501`: for whom the owner of a certificate may act. */
function power(text: string, before: Held = {}): Held {
  const [, owner, taxpayers = ''] = /^([A-Z\d]{9})=((?:\*|[A-Z\d]{9})(?:,[A-Z\d]{9})*)$/.exec(text) ?? []
  if (owner === undefined)
    throw new InvalidArgumentError(
      'Write the NIF of the certificate, =, and the taxpayers: B12345674=B77777779,A58818501 or B12345674=*.',
    )
  return { ...before, [owner]: taxpayers.split(',') }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function serve(options: Options): Promise<void> {
  const simulator = await startSimulator({
    dataDir: resolve(options.data),
    port: options.port,
    controlPort: options.controlPort,
    host: options.host,
    wait: options.wait,
    ...(options.power ? { powers: options.power } : {}),
    ...(options.name ? { names: options.name } : {}),
    ...(options.clientCa ? { clientCaFiles: options.clientCa } : {}),
    onError: (error) => process.stderr.write(`aeat-simulator: ${(error as Error).stack}\n`),
  })
  const { url, caFile, controlUrl } = simulator
  say(`The AEAT simulator serves ${url}`)
  say(`  CUADRA_AEAT_VERIFACTU_URL=${url}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`)
  say(`  CUADRA_AEAT_SII_URL=${url}/wlpl/SSII-FACT/ws/`)
  say(`  CUADRA_AEAT_CA_FILE=${caFile}`)
  say(`  pages and control ${controlUrl}/`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void simulator.close().then(() => process.exit(0)))
}

const program = new Command('cuadra-server aeat-simulator')
  .description(
    'A stand-in for the tax authority: VeriFactu and SII over mutual TLS. Nothing leaves this machine.',
  )
  .option('--port <number>', 'port of the service', whole(65_535), 8443)
  .option('--control-port <number>', 'port of pages and control, for this machine alone', whole(65_535), 8444)
  .option('--host <address>', 'address of the service', '127.0.0.1')
  .option('--name <host>', 'another name under which clients reach it; may be repeated', collected)
  .option('--data <folder>', 'where its state is kept', './data/simulator')
  .option('--wait <seconds>', 'waiting time that answers tell', whole(9999), 60)
  .option('--client-ca <file>', 'take only clients of this issuer (PEM); may be repeated', collected)
  .option('--power <nif=taxpayers>', 'for whom the owner of a certificate may act; may be repeated', power)
  .action(serve)
  .exitOverride()

try {
  await program.parseAsync(process.argv)
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'EADDRINUSE'
        ? 'A port is taken. Give --port and --control-port others, or stop what uses them.'
        : (fileProblem(error) ?? message)
    process.stderr.write(`aeat-simulator: ${reason}\n`)
    process.exitCode = 1
  }
}
