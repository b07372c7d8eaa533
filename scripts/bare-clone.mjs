/**
 * Runs the two commands of the README as a new user would: on a clone of HEAD, with an empty home folder, without
 * installed `dev-packages/`, and with only Node, npm, git and ordinary system programs in `PATH`. Reads the commands
 * from the README. `CUADRA_TEST_BARE=1` hides PostgreSQL and Chromium, which tests find by absolute paths.
 *
 * Disables the network after `npm ci`, if this process may create a network namespace (Linux, root).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The shell, coreutils, findutils, and other programs that every Linux and macOS has. */
const PROGRAMS = `
  node npm npx git sh bash env
  awk basename cat chmod chown cmp cp cut date dd df diff dirname du echo expr false find fold gawk getconf grep gunzip
  gzip head hostname id install kill ln ls md5sum mkdir mkfifo mktemp mv nice nl nohup nproc od paste printf ps pwd
  readlink realpath rm rmdir sed seq sha256sum sleep sort split stat stty sync tail tar tee test timeout touch tr true
  tty uname uniq wc which whoami xargs yes
`
  .trim()
  .split(/\s+/)

/** Returns the path of a program in PATH; undefined if there is none. */
const programOf = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** Returns the README's commands: the `sh` block after "Run it:" and the one after "Test it:". */
export function readmeCommands(readme) {
  return ['Run it:', 'Test it:'].map((title) => {
    const command = new RegExp(`^${title}\\n+\`\`\`sh\\n(.+)\\n\`\`\`$`, 'm').exec(readme)?.[1]
    if (command === undefined) throw new Error(`README.md has no sh block of one line after "${title}"`)
    return command
  })
}

/** Returns a prefix that runs a command without a network; empty if this process may not disable the network. */
function offlineCommand() {
  const [unshare, ip] = ['unshare', 'ip'].map(programOf)
  const isAllowed = unshare && ip && spawnSync(unshare, ['-n', 'true']).status === 0
  return isAllowed ? [unshare, '-n', 'sh', '-c', `${ip} link set lo up && exec "$@"`, 'sh'] : []
}

function bareClone() {
  readOptions({ about: 'Runs the two commands of the README as a new user would, on a clone of HEAD.' })
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-bare-'))
  const [bin, home, temp, clone] = ['bin', 'home', 'tmp', 'clone'].map((name) => join(folder, name))
  for (const path of [bin, home, temp]) mkdirSync(path)
  for (const name of PROGRAMS) {
    const path = programOf(name)
    if (path) symlinkSync(path, join(bin, name))
  }
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
  const offline = offlineCommand()
  console.log(`bare clone, ${offline.length > 0 ? 'without' : 'with'} a network after npm ci`)
  // Keeps the settings of the registry, which depend on the machine and not on the home folder.
  const ofMachine = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_|NODE_EXTRA_CA_CERTS$|https?_proxy$)/i.test(name),
  )
  const own = { PATH: bin, HOME: home, TMPDIR: temp, LANG: 'C.UTF-8', CUADRA_TEST_BARE: '1' }
  const env = { ...own, ...Object.fromEntries(ofMachine) }
  // Each part of a command is a separate stage, to time it.
  const commands = readmeCommands(readFileSync(join(clone, 'README.md'), 'utf8'))
  for (const part of commands.flatMap((command) => command.split(' && '))) {
    const shell = [join(bin, 'bash'), '-c', part]
    const [program, ...args] = part === 'npm ci' ? shell : [...offline, ...shell]
    console.log(`\n$ ${part}`)
    const start = Date.now()
    const { status } = spawnSync(program, args, { cwd: clone, env, stdio: 'inherit' })
    const result = status === 0 ? 'passed' : `FAILED (${status})`
    console.log(`== ${part}: ${result} in ${Math.round((Date.now() - start) / 1000)} s`)
    process.exitCode = status === 0 ? 0 : 1
    if (status !== 0) break
  }
  rmSync(folder, { recursive: true, force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bareClone()
