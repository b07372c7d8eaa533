/** The source files of all groups, without their tests, as paths from the root of the repository. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The TypeScript files of `src`, `rules` and `packages`, without generated files. */
export const SOURCES: readonly string[] = ['src', 'rules', 'packages']
  .flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  )
  .filter(
    (file) => /\.tsx?$/.test(file) && !/\/(?:generated|node_modules)\/|^packages\/\w+\/test\//.test(file),
  )
  .sort()
