/** Runs the steps of action.yml as GitHub runs them. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { required } from '#core/errors/index.ts'
import { requireFrom } from '../../scripts/dev-packages.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export const parsedYaml = (file: string) =>
  requireFrom('package')('yaml').parse(readFileSync(`${ROOT}${file}`, 'utf8'))

export interface Checked {
  readonly status: number | null
  /** The step that failed, or the last one. */
  readonly step: string
  readonly annotations: readonly string[]
  readonly outputs: string
  readonly summary: string
}

interface Step {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

/** The inputs that a step reads, with their defaults where they are not given. */
function environmentOf(step: Step, declared: Record<string, any>, given: Readonly<Record<string, string>>) {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(step.env)) {
    const [, input] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? []
    const declaration = declared[input ?? '']
    if (!declaration) throw new Error(`action.yml: ${name} reads ${value}, which is not an input`)
    env[name] = given[required(input)] ?? declaration.default
  }
  return env
}

function runStep({ run }: Step, cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ status: number | null; stdout: string }>((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], { cwd, env })
    let stdout = ''
    child.stdout.on('data', (piece) => {
      stdout += piece
    })
    child.stderr.resume()
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout }))
  })
}

/** Runs the action in a repository with these inputs; `temporary` is the folder of the runner. */
export async function runAction(
  repository: string,
  temporary: string,
  inputs: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Checked> {
  const { inputs: declared, runs } = parsedYaml('action.yml')
  mkdirSync(temporary, { recursive: true })
  const files = { GITHUB_OUTPUT: join(temporary, 'output'), GITHUB_STEP_SUMMARY: join(temporary, 'summary') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  let done: { status: number | null; step: string; stdout: string } = { status: null, step: '', stdout: '' }
  for (const step of runs.steps as readonly Step[]) {
    const env = { ...environment, ...files, RUNNER_TEMP: temporary, ...environmentOf(step, declared, inputs) }
    const { status, stdout } = await runStep(step, repository, env)
    done = { status, step: step.name, stdout: done.stdout + stdout }
    if (status !== 0) break
  }
  return {
    status: done.status,
    step: done.step,
    annotations: done.stdout.split('\n').filter((line) => line.startsWith('::')),
    outputs: readFileSync(files.GITHUB_OUTPUT, 'utf8'),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
  }
}
