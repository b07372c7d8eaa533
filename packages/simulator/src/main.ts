/** The command `cuadra-server aeat-simulator`. */
import { resolve } from 'node:path'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { fileProblem } from 'cuadra-storage/storage-faults.ts'
import { startSimulator } from './simulator.ts'

const wholeNumber = (max: number) => (text: string) => {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= max)) throw new InvalidArgumentError(`Use a whole number from 0 to ${max}.`)
  return value
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

interface Options {
  readonly port: number
  readonly controlPort: number
  readonly host: string
  readonly data: string
  readonly name?: readonly string[]
  readonly wait: number
  readonly clientCa?: readonly string[]
  readonly power?: PowerTable
}

type PowerTable = Readonly<Record<string, readonly string[]>>

/** Parses a power of attorney: `B12345674=*` or `B12345674=B77777779,A58818501`. */
function power(text: string, before: PowerTable = {}): PowerTable {
  const [, owner, taxpayers = ''] = /^([A-Z\d]{9})=((?:\*|[A-Z\d]{9})(?:,[A-Z\d]{9})*)$/.exec(text) ?? []
  if (owner === undefined)
    throw new InvalidArgumentError('Use NIF=taxpayers, such as B12345674=B77777779,A58818501 or B12345674=*.')
  return { ...before, [owner]: taxpayers.split(',') }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

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
  print(`The AEAT simulator serves ${url}`)
  print(`  CUADRA_AEAT_VERIFACTU_URL=${url}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`)
  print(`  CUADRA_AEAT_SII_URL=${url}/wlpl/SSII-FACT/ws/`)
  print(`  CUADRA_AEAT_CA_FILE=${caFile}`)
  print(`  control ${controlUrl}/`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void simulator.close().then(() => process.exit(0)))
}

const program = new Command('cuadra-server aeat-simulator')
  .description(
    'Simulator of the tax authority: VeriFactu and SII over mutual TLS. Nothing leaves this machine.',
  )
  .option('--port <number>', 'port of the service', wholeNumber(65_535), 8443)
  .option(
    '--control-port <number>',
    'port of the control API, for this machine only',
    wholeNumber(65_535),
    8444,
  )
  .option('--host <address>', 'address of the service', '127.0.0.1')
  .option('--name <host>', 'another host name of the service; repeatable', collect)
  .option('--data <folder>', 'data folder', './data/simulator')
  .option('--wait <seconds>', 'waiting time of responses', wholeNumber(9999), 60)
  .option('--client-ca <file>', 'accept only clients of this issuer (PEM); repeatable', collect)
  .option(
    '--power <nif=taxpayers>',
    'taxpayers that the owner of a certificate may act for; repeatable',
    power,
  )
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
        ? 'A port is in use. Choose others with --port and --control-port.'
        : (fileProblem(error) ?? message)
    process.stderr.write(`aeat-simulator: ${reason}\n`)
    process.exitCode = 1
  }
}
