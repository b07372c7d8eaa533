/** What an installation was made without, in words: nobody looks in vain for what was never installed. */
import { readFileSync } from 'node:fs'
import { embeddedDatabase } from '../storage/embedded.ts'
import type { App } from './app/app.ts'

type Parts = Pick<App, 'recogniser' | 'config'>

const PACKAGE = /^(?:@[^/]+\/)?[^/]+/

/** The command that installs packages in the versions that this server was tested with, as its own package names them. */
function installing(missing: readonly string[]): string {
  const names = missing.map((file) => PACKAGE.exec(file)?.[0] ?? file)
  // Of the installed package: this program is in its `dist/server`. That of a clone names none.
  const { peerDependencies = {} }: { readonly peerDependencies?: Readonly<Record<string, string>> } =
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return names.every((name) => name in peerDependencies)
    ? `npm install ${names.map((name) => `${name}@${peerDependencies[name]}`).join(' ')}`
    : `npm ci without --omit=optional (missing: ${names.join(', ')})`
}

/** One sentence for each part that is switched on and not installed. */
export async function missingParts({ recogniser, config }: Parts): Promise<string[]> {
  const off: string[] = []
  if (config.recognition && !recogniser.available)
    off.push(
      `recognition of PDFs and pictures. ${installing(recogniser.missing)} brings what it takes; CUADRA_RECOGNITION=off says that it is not wanted.`,
    )
  if (config.aeat === 'simulator' && config.simulator)
    await embeddedDatabase().catch((error: Error) =>
      off.push(`the simulator of the tax authority. ${error.message}`),
    )
  return off
}
