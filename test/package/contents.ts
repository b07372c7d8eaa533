/// <reference types="node" />
/** What `npm run pack` makes, and whether bundlers and type checkers of strangers will like it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { folderOf, hasSet, howToHave } from '../../scripts/dev-packages.mjs'
import { notesOf, sha256Of } from '../../scripts/pack/release.mjs'
import { packAll, packRelease } from '../../scripts/pack.mjs'
import { folder, packed, ROOT, run, WHY_NOT_PACKED } from './packing.ts'

/** A tarball as a folder. */
function unpacked(tarball: string): string {
  const target = `${tarball}.unpacked`
  if (!existsSync(target)) {
    mkdirSync(target)
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target])
  }
  return target
}

const filesIn = (tarball: string): string[] =>
  readdirSync(unpacked(tarball), { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(unpacked(tarball), path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))

const fileIn = (tarball: string, path: string): string => readFileSync(join(unpacked(tarball), path), 'utf8')

/** Relative links of a page that lead to no file of the package. */
function deadLinks(tarball: string, page: string): string[] {
  const files = filesIn(tarball)
  const base = new URL(`http://package/${page}`)
  return [...fileIn(tarball, page).matchAll(/\]\(((?![a-z]+:|#)[^)\s#]+)/g)]
    .map(([, link = '']) => new URL(link, base).pathname.slice(1).replace(/\/$/, ''))
    .filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))
}

describe.skipIf(!packed)(`packages${WHY_NOT_PACKED && `, ${WHY_NOT_PACKED}`}`, () => {
  const engine = packed?.engine.file ?? ''
  const server = packed?.server.file ?? ''

  it('each package has the man page of its command, with every subcommand', () => {
    for (const [tarball, name, commands] of [
      [engine, 'cuadra', ['validate', 'convert', 'verify\\-chain']],
      [server, 'cuadra-admin', ['company', 'backup', 'doctor']],
    ] as const) {
      const page = `man/${name}.1`
      expect(JSON.parse(fileIn(tarball, 'package.json')).man).toBe(page)
      for (const command of commands)
        expect(fileIn(tarball, page)).toContain(`.SS ${name.replace('-', '\\-')} ${command}\n`)
    }
  })

  it('the engine has its entry points and the module, and neither the server, the playground nor long pages', () => {
    const files = filesIn(engine)
    for (const wanted of [
      ...['dist/index.js', 'dist/index.d.ts', 'dist/verifactu/index.js', 'dist/sii/index.js'],
      ...['dist/formats/index.js', 'dist/formats/index.d.ts', 'dist/cuadra.wasm', 'dist/cuadra.wasm.d.ts'],
      ...['dist/request/index.js', 'dist/edge/index.js', 'dist/wasm/index.js', 'dist/cli/main.js'],
      ...[
        'README.md',
        'LICENSE',
        'llms.txt',
        'docs/reference/api.md',
        'dist/NOTICES.txt',
        'dist/cli/NOTICES.txt',
      ],
    ])
      expect(files).toContain(wanted)
    expect(files.filter((path) => /playground|server\/|^src\/|^test\/|codes\.md$/.test(path))).toEqual([])
    expect(packed?.engine.size).toBeLessThan(3_000_000)
  })

  it('the engine depends on few small libraries, and includes date-fns and decimal.js with their licences', () => {
    const { dependencies, devDependencies, scripts } = JSON.parse(fileIn(engine, 'package.json'))
    expect(Object.keys(dependencies)).toEqual(['@noble/hashes', 'saxes', 'uqr'])
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/)
    expect([devDependencies, scripts]).toEqual([undefined, undefined])
    const notices = fileIn(engine, 'dist/NOTICES.txt')
    for (const name of ['date-fns', 'decimal.js']) {
      expect(notices).toContain(`${name} `)
      const importing = filesIn(engine).filter(
        (path) => /\.(js|d\.ts)$/.test(path) && new RegExp(`from ?["']${name}`).test(fileIn(engine, path)),
      )
      expect(importing).toEqual([])
    }
  })

  it("what can be read has source maps with our TypeScript inside, and the server's package carries none", () => {
    const maps = filesIn(engine).filter((path) => path.endsWith('.map'))
    const sources = new Map<string, string>()
    for (const path of maps) {
      const map = JSON.parse(fileIn(engine, path))
      expect(fileIn(engine, path.slice(0, -'.map'.length))).toContain(
        `//# sourceMappingURL=${basename(path)}\n`,
      )
      for (const [index, source] of (map.sources as string[]).entries())
        if (map.sourcesContent[index] !== null)
          sources.set(new URL(source, `http://package/${path}`).pathname, map.sourcesContent[index])
    }
    for (const path of [
      ...[
        'src/engine/validate.ts',
        'src/records/verifactu/model/hash.ts',
        'src/records/sii/record/sii-message.ts',
      ],
      ...['src/formats/ubl/read-ubl.ts', 'src/entry/request/formats/base64.ts', 'rules/line-rules.ts'],
    ])
      expect(sources.get(`/${path}`), path).toBe(readFileSync(ROOT + path, 'utf8'))
    // Paths of the repository, not of the machine that built the package.
    expect(
      [...sources.keys()].filter((path) => !/^\/(?:src|rules|catalogs|schemas|node_modules)\//.test(path)),
    ).toEqual([])
    const elsewhere = [...maps, ...filesIn(server)].filter((path) =>
      /^dist\/(?:edge|wasm|cli|server)\/.*\.map$/.test(path),
    )
    expect(elsewhere).toEqual([])
    // A comment that names a map which is not there makes debuggers complain.
    const named = filesIn(engine).filter(
      (path) => path.endsWith('.js') && /^\/\/# sourceMappingURL=/m.test(fileIn(engine, path)),
    )
    expect(named.map((path) => `${path}.map`).sort()).toEqual(maps.sort())
  })

  it('the server has its programs, its pages and the files to run it as a service', () => {
    const files = filesIn(server)
    for (const wanted of [
      ...['main', 'admin', 'worker', 'reader', 'simulator', 'health'].map((name) => `dist/server/${name}.js`),
      ...['bin/cuadra-server.mjs', 'bin/cuadra-admin.mjs', 'dist/server/NOTICES.txt'],
      ...['dist/playground/index.html', 'dist/pages/status.js', 'README.md', 'LICENSE', 'docs/admin.md'],
      ...readdirSync(`${ROOT}deploy`).map((name) => `deploy/${name}`),
    ])
      expect(files).toContain(wanted)
    expect(files.filter((path) => /\.ts$/.test(path))).toEqual([])
  })

  it('the server depends on four libraries in exact versions, and includes all others with their licences', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      fileIn(server, 'package.json'),
    )
    expect(Object.keys(dependencies)).toEqual(['fontkit', 'libsql', 'pdfkit', 'tinypool'])
    const notices = fileIn(server, 'dist/server/NOTICES.txt')
    const { workspaces } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
    for (const workspace of workspaces) {
      const declared = JSON.parse(readFileSync(`${ROOT}${workspace}/package.json`, 'utf8')).dependencies ?? {}
      for (const name of Object.keys(declared).filter((one) => !(one in dependencies)))
        expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(Object.keys(peerDependencies)).toContain('tesseract.js')
    for (const name of Object.keys(peerDependencies))
      expect(peerDependenciesMeta[name]).toEqual({ optional: true })
  })

  it('links of packaged pages lead to packaged files, or to the site if it has an address', () => {
    for (const tarball of [engine, server])
      for (const page of filesIn(tarball).filter((path) =>
        /^(docs\/(reference\/)?)?[\w.-]+\.md$|^llms\.txt$/.test(path),
      ))
        expect(deadLinks(tarball, page), page).toEqual([])
    const readme = fileIn(engine, 'README.md')
    const { address } = JSON.parse(readFileSync('src/core/site/site.json', 'utf8'))
    if (address === null) {
      expect(readme).toContain('Start in five minutes')
      expect(readme).not.toMatch(/!\[|\]\(undefined/)
    } else {
      expect(readme).toContain(`[Start in five minutes](${address}/guides/start)`)
      expect(readme).toContain(`](${address}/validate.svg)`)
    }
  })

  it('the same sources give the same bytes', () => {
    const again = packAll(join(folder, 'again'))
    for (const name of ['engine', 'server'] as const)
      expect(readFileSync(again[name].file).equals(readFileSync(required(packed)[name].file)), name).toBe(
        true,
      )
  })

  it('a release has the checksums of all its files, and the notes of its version', () => {
    const to = join(folder, 'release')
    const files = packRelease(to).map(({ file }) => basename(file))
    const version = JSON.parse(fileIn(engine, 'package.json')).version
    expect(files).toEqual([
      ...[`cuadra-${version}.tgz`, `cuadra-server-${version}.tgz`, `cuadra-${version}-py3-none-any.whl`],
      ...[`cuadra-${version}.wasm`, `cuadra-${version}.wasm.NOTICES.txt`, 'RELEASE-NOTES.md', 'SHA256SUMS'],
    ])
    const sums = readFileSync(join(to, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    expect(sums.map((line) => line.slice(66))).toEqual(files.slice(0, -1))
    for (const line of sums) expect(sha256Of(join(to, line.slice(66)))).toBe(line.slice(0, 64))
    expect(readFileSync(join(to, 'RELEASE-NOTES.md'), 'utf8')).toMatch(`# cuadra ${version}`)
    expect(() => notesOf('## 9.9.9\n', version)).toThrow(`no section "## ${version}"`)
  })

  const installed = hasSet('package')
  const needs = installed ? '' : ` (${howToHave('package')})`

  it.skipIf(!installed)(`publint finds nothing in either${needs}`, () => {
    for (const { file } of Object.values(required(packed))) {
      const { status, stdout } = run(
        process.execPath,
        [`${folderOf('package')}/node_modules/publint/src/cli.js`, 'run', file, '--strict'],
        ROOT,
      )
      expect(stdout).toContain('All good!')
      expect(status).toBe(0)
    }
  })

  it.skipIf(!installed)(`attw finds types behind every entry of the engine${needs}`, () => {
    // The package is ESM, which `require` loads in every Node that `engines` names; attw does not know of it.
    const rules = ['--ignore-rules', 'cjs-resolves-to-esm']
    const { status, stdout } = run(
      process.execPath,
      [
        `${folderOf('package')}/node_modules/@arethetypeswrong/cli/dist/index.js`,
        required(packed).engine.file,
        ...rules,
        '-f',
        'ascii',
      ],
      ROOT,
    )
    expect(stdout).toContain('cuadra/cuadra.wasm')
    expect(status, stdout).toBe(0)
  })
})
