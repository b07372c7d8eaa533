/** Temporary folders of test files, and other things that end with a test file. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryFolderOf, runFolder } from '../scripts/run-folder.mjs'

const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url))

const ends: (() => unknown)[] = []

/** Calls a function after the last test of the file. A helper needs it, since its own `afterAll` runs in one file only. */
export const atEnd = (work: () => unknown): void => void ends.push(work)

/** `test/setup/file.ts` calls this after each test file. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end()
}

const newFolder = (parent: string): string => {
  const folder = mkdtempSync(join(parent, 'test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a folder that exists until the end of the test file. `TMPDIR` is the folder of the run. */
export const temporaryFolder = (): string => newFolder(tmpdir())

/** Returns a function that writes a file of a folder, and returns its path. */
export const filesOf =
  (folder: string) =>
  (name: string, content: string | Uint8Array): string => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }

/** Creates a temporary folder in which modules find the packages of the repository. */
export function folderWithPackages(): string {
  const folder = temporaryFolder()
  symlinkSync(PACKAGES, join(folder, 'node_modules'), 'junction')
  return folder
}

/** Creates a temporary folder in memory, if the system has a file system in memory. */
export function folderInMemory(): string {
  const parent = memoryFolderOf(runFolder() ?? tmpdir())
  mkdirSync(parent, { recursive: true })
  return newFolder(parent)
}

/** The environment of a process that must not get more than it needs; the run ends processes by their `TMPDIR`. */
export const pathAndFolder = (): { readonly PATH: string; readonly TMPDIR: string } => ({
  PATH: process.env.PATH ?? '',
  TMPDIR: tmpdir(),
})
