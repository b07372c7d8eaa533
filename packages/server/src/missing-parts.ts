/** Explains which parts of the installation are missing. */
import { readFileSync } from 'node:fs'
import { embeddedDatabase } from 'cuadra-storage/embedded-database.ts'
import type { App } from './app/app.ts'

type Parts = Pick<App, 'recogniser' | 'config'>

const PACKAGE = /^(?:@[^/]+\/)?[^/]+/

/** Returns the command that installs missing packages in the versions with which this server was tested. */
function installing(missing: readonly string[]): string {
  const names = missing.map((file) => PACKAGE.exec(file)?.[0] ?? file)
  // Reads the `package.json` of the installed package, two folders above this program (`dist/server`). In a clone of
  // the repository, it has no peer dependencies.
  const { peerDependencies = {} }: { readonly peerDependencies?: Readonly<Record<string, string>> } =
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return names.every((name) => name in peerDependencies)
    ? `npm install ${names.map((name) => `${name}@${peerDependencies[name]}`).join(' ')}`
    : `npm ci without --omit=optional (missing: ${names.join(', ')})`
}

/** Returns one sentence for each part that is enabled but not installed. */
export async function missingParts({ recogniser, config }: Parts): Promise<string[]> {
  const off: string[] = []
  if (config.recognition && !recogniser.available)
    off.push(
      `recognition of PDFs and images. Install it with ${installing(recogniser.missing)}, or set CUADRA_RECOGNITION=off.`,
    )
  if (config.aeat === 'simulator' && config.simulator)
    await embeddedDatabase().catch((error: Error) =>
      off.push(`the simulator of the tax authority. ${error.message}`),
    )
  return off
}
