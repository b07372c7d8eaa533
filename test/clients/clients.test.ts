/**
 * Clients that others generate from the OpenAPI document: all operations are there, and one that is used against a
 * running server does what it says. The linter has nothing to remark.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EXAMPLES } from 'cuadra-server/http/examples.ts'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOf, hasSet, howToHave, requireFrom } from '../../scripts/dev-packages.mjs'
import { BASE_PATH, startServer, type TestServer } from '../conformance/harness.ts'
import { temporaryFolder } from '../folders.ts'
import { tokens } from '../tokens.ts'

const TOOL = 'clients'
const HAS_TOOL = hasSet(TOOL)
const without = HAS_TOOL ? '' : ` (skipped: ${howToHave(TOOL)})`
/** The generator of Python, where it was installed: `pip install openapi-python-client`. */
const GENERATOR = process.env.CUADRA_OPENAPI_PYTHON_CLIENT ?? 'openapi-python-client'
const HAS_PYTHON = spawnSync(GENERATOR, ['--version']).status === 0
const withoutPython = HAS_PYTHON
  ? ''
  : ' (skipped: pip install openapi-python-client, or CUADRA_OPENAPI_PYTHON_CLIENT with its path)'

const folder = temporaryFolder()
const documentFile = join(folder, 'openapi.json')
let server: TestServer
let key: string

/** Runs a program to its end; throws what it printed where it fails. */
function run(program: string, args: readonly string[], cwd = folder): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout + stderr
}
const tool = (bin: string, args: readonly string[]): string =>
  run(process.execPath, [join(folderOf(TOOL), 'node_modules', bin), ...args])

beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
  key = server.demo?.key ?? ''
  writeFileSync(documentFile, await (await fetch(`${server.url}/openapi.json`)).text())
}, 60_000)
afterAll(async () => {
  await server?.stop()
})

describe('the document that the server serves', () => {
  it.skipIf(!HAS_TOOL)(`has nothing that Redocly remarks${without}`, () => {
    const said = tool('@redocly/cli/bin/cli.js', ['lint', documentFile, '--format=json'])
    const { totals, problems } = JSON.parse(/^\{[\s\S]*^\}/m.exec(said)?.[0] ?? '{}')
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  it.skipIf(!HAS_TOOL)(
    `makes a TypeScript client that has every operation, and works${without}`,
    async () => {
      const types = join(folder, 'api.d.ts')
      tool('openapi-typescript/bin/cli.js', [documentFile, '-o', types])
      const text = readFileSync(types, 'utf8')
      const operations = text.slice(text.indexOf('export interface operations {')).match(/^ {4}\w+: \{$/gm)
      expect(operations).toHaveLength(ROUTES.length)
      const program = join(folder, 'client.mts')
      const library = join(folderOf(TOOL), 'node_modules/openapi-fetch')
      const example = JSON.stringify(EXAMPLES['put /drafts'])
      writeFileSync(
        program,
        `import createClient from ${JSON.stringify(join(library, 'dist/index.mjs'))}
import type { components, paths } from './api.d.ts'
const draft: components['schemas']['DraftInvoice'] = ${example}
export async function use(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } })
  const { data, error } = await client.PUT('/drafts', { body: draft })
  if (error) throw new Error(error.detail.code === 'unauthorized' ? 'no key' : error.detail.message)
  const read = await client.GET('/drafts/{invoice_id}/canonical', { params: { path: { invoice_id: data.id } } })
  return { success: data.success, total: read.data?.invoice.totals.invoice_total }
}
`,
      )
      const { transform } = await import('esbuild')
      // The compiler holds the program against the generated types before it runs.
      const compiler = requireFrom(TOOL).resolve('typescript/lib/tsc.js')
      const options = tokens`--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022`
      run(process.execPath, [compiler, ...options, '--module', 'nodenext', program])
      const { code } = await transform(readFileSync(program, 'utf8'), { loader: 'ts' })
      writeFileSync(join(folder, 'client.mjs'), code)
      const { use } = await import(pathToFileURL(join(folder, 'client.mjs')).href)
      expect(await use(server.url + BASE_PATH, key)).toEqual({ success: true, total: 181.5 })
    },
  )

  it.skipIf(!HAS_PYTHON)(`makes a Python client that has every operation, and works${withoutPython}`, () => {
    const config = join(folderOf(TOOL), 'openapi-python-client.yml')
    const options = ['--path', documentFile, '--output-path', join(folder, 'cuadra_client'), '--meta', 'none']
    const said = run(GENERATOR, ['generate', ...options, '--config', config])
    expect(said).not.toMatch(/WARNING|Unable|Failure/)
    const api = join(folder, 'cuadra_client/api')
    const modules = readdirSync(api, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.py') && !file.endsWith('__init__.py'),
    )
    expect(modules).toHaveLength(ROUTES.length)
    writeFileSync(join(folder, 'draft.json'), JSON.stringify(EXAMPLES['put /drafts']))
    writeFileSync(
      join(folder, 'use.py'),
      `import json, sys
from cuadra_client import AuthenticatedClient
from cuadra_client.api.drafts import get_drafts_invoice_id_canonical, put_drafts
from cuadra_client.models import DraftInvoice, Error
def client(key):
    return AuthenticatedClient(base_url=sys.argv[1], token=key, prefix="", auth_header_name="X-API-Key")
draft = DraftInvoice.from_dict(json.load(open("draft.json")))
saved = put_drafts.sync(client=client(sys.argv[2]), body=draft)
document = get_drafts_invoice_id_canonical.sync(saved.id, client=client(sys.argv[2]))
refused = put_drafts.sync(client=client("none"), body=draft)
print(saved.success, document.invoice.totals.invoice_total, isinstance(refused, Error) and refused.detail.code)
`,
    )
    // The Python beside the generator has what its clients need.
    const beside = existsSync(GENERATOR) ? join(GENERATOR, '../python') : 'python3'
    expect(run(beside, ['use.py', server.url + BASE_PATH, key]).trim()).toBe('True 181.5 unauthorized')
  })
})
