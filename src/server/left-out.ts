/** What an installation was made without, in words: nobody looks in vain for what `npm install --omit=optional` left out. */
import type { App } from './app/app.ts'
import { embeddedDatabase } from './store/embedded.ts'

type Parts = Pick<App, 'recogniser' | 'config'>

/** One sentence for each part that is switched on and not installed. */
export async function leftOut({ recogniser, config }: Parts): Promise<string[]> {
  const off: string[] = []
  if (config.recognition && !recogniser.available)
    off.push(
      `recognition of PDFs and pictures: ${recogniser.missing.join(', ')} not installed; npm install without --omit=optional brings them, CUADRA_RECOGNITION=off says that they are not wanted`,
    )
  if (config.aeat === 'simulator' && config.simulator)
    await embeddedDatabase().catch((error: Error) =>
      off.push(`the simulator of the tax authority: ${error.message}`),
    )
  return off
}
