/** Builds a recogniser whose processes run the current sources. */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { folderWithPackages } from '#test/folders.ts'
import { createRecogniser, type Recogniser, type RecogniserOptions } from '../src/index.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A recogniser that reads for one company by default. */
export interface TestRecogniser extends Omit<Recogniser, 'read'> {
  readonly read: (bytes: Uint8Array, company?: string) => ReturnType<Recogniser['read']>
}

export interface BuiltReader {
  readonly file: URL
  readonly create: (options?: Partial<RecogniserOptions>) => TestRecogniser
  /** Closes the recognisers and removes the built files. */
  readonly remove: () => void
}

export async function buildReader(): Promise<BuiltReader> {
  const folder = folderWithPackages()
  const outfile = join(folder, 'reader.mjs')
  await build({
    entryPoints: [join(root, 'packages/recognition/src/reader/child.ts')],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
  })
  const file = pathToFileURL(outfile)
  const made: Recogniser[] = []
  return {
    file,
    create: (options = {}) => {
      const recogniser = createRecogniser({ file, ...options })
      made.push(recogniser)
      return { ...recogniser, read: (bytes, company = 'one company') => recogniser.read(bytes, { company }) }
    },
    remove: () => {
      for (const recogniser of made) recogniser.close()
    },
  }
}
