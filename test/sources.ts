/** The source files of all groups, without their tests, as paths from the root of the repository. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SOURCE_FOLDERS } from '../.dependency-cruiser.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Matches generated files and tests. */
const OMITTED = /\/(?:generated|node_modules)\/|^packages\/\w+\/test\//

/** Returns the source files with one of these extensions, without generated files. */
export const sourcesWith = (...extensions: readonly string[]): readonly string[] =>
  SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  )
    .filter((file) => extensions.some((extension) => file.endsWith(extension)) && !OMITTED.test(file))
    .sort()

/** The TypeScript files of the sources. */
export const SOURCES = sourcesWith('.ts', '.tsx')
