/** Processes that only send to the tax authority, to be killed without notice. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { folderWithPackages } from '#test/folders.ts'

export interface Sender {
  readonly pid: number
  readonly kill: () => Promise<void>
}

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
/** Packages with data files beside their code, which are not bundled. */
const NATIVE = ['libsql', '@napi-rs/*', 'pdfjs-dist', '*.node']
const REQUIRE =
  "import{createRequire as requiring}from'node:module';const require=requiring(import.meta.url);"

/** Bundles the program into one file, so that it starts quickly. */
export async function senderProgram(): Promise<string> {
  const folder = folderWithPackages()
  const outfile = join(folder, 'sender.mjs')
  await build({
    entryPoints: [join(root, 'packages/server/test/service/transmission/sender.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: NATIVE,
    banner: { js: REQUIRE },
    outfile,
    logLevel: 'silent',
  })
  return outfile
}

export const senderOf = (child: ChildProcess): Sender => ({
  pid: child.pid ?? 0,
  async kill() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  },
})

/** Starts the program; resolves once it sends. */
export async function startSender(program: string, env: Readonly<Record<string, string>>): Promise<Sender> {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a sender ended with ${code}`)
  })
  await Promise.race([once(child.stdout, 'data'), ended])
  ended.catch(() => undefined)
  return senderOf(child)
}
