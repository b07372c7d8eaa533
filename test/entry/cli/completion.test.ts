import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { CATALOG_NAMES, rules } from '#engine/index.ts'
import { programOf } from '#entry/cli/commands/cli-program.ts'
import { cuadra, silentCli } from './run.ts'

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0
const scripts: Record<string, string> = {}
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await cuadra(['completion', shell])).out
})

describe('completion', () => {
  it('lists every command and every long option in each shell', () => {
    const program = programOf(silentCli('en'))
    for (const script of Object.values(scripts))
      for (const command of program.commands) {
        expect(script).toContain(command.name())
        for (const { long } of command.options) expect(script).toContain(required(long).slice(2))
      }
  })

  it.skipIf(!has('bash'))('completes in bash (needs bash)', () => {
    const offered = (args: string[]): string[] => {
      const quoted = args.map((arg) => `'${arg}'`).join(' ')
      const { stdout, status } = spawnSync(
        'bash',
        [
          '-c',
          `eval "$SCRIPT"; COMP_WORDS=(${quoted}); COMP_CWORD=${args.length - 1}; _cuadra; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8', env: { ...process.env, SCRIPT: scripts.bash } },
      )
      expect(status).toBe(0)
      return stdout.split('\n').filter(Boolean)
    }
    expect(offered(['cuadra', 're'])).toEqual(['reconcile', 'record'])
    expect(offered(['cuadra', 'validate', '--format', ''])).toEqual(['text', 'json', 'github', 'sarif'])
    expect(offered(['cuadra', 'validate', '--fi'])).toEqual(['--fix'])
    expect(offered(['cuadra', 'rules', ''])).toEqual(rules().map(({ code }) => code))
    expect(offered(['cuadra', 'catalog', ''])).toEqual([...CATALOG_NAMES])
    expect(offered(['cuadra', 'validate', 'examples/01'])).toEqual(['examples/01-services-irpf.json'])
  })

  it.skipIf(!has('zsh'))('can be loaded by zsh (needs zsh)', () => {
    const { status, stdout, stderr } = spawnSync(
      'zsh',
      [
        '-fc',
        'autoload -U compinit; compinit -u -D; eval "$SCRIPT"; whence -w _cuadra; print $_comps[cuadra]',
      ],
      { encoding: 'utf8', env: { ...process.env, SCRIPT: scripts.zsh } },
    )
    expect([status, stdout, stderr]).toEqual([0, '_cuadra: function\n_cuadra\n', ''])
  })

  it.skipIf(!has('fish'))('completes in fish (needs fish)', () => {
    const { stdout } = spawnSync('fish', ['-c', 'eval $SCRIPT; complete -C "cuadra catalog tax-r"'], {
      encoding: 'utf8',
      env: {
        ...process.env,
        SCRIPT: required(scripts.fish)
          .replace(/^#.*\n/, '')
          .replaceAll('\n', ';'),
      },
    })
    expect(stdout.trim().split('\n')).toEqual(['tax-rates', 'tax-regimes'])
  })

  it('lists the supported shells for an unknown one', async () => {
    const { code, err } = await cuadra(['completion', 'tcsh'])
    expect([code, err.includes('bash, zsh, fish')]).toEqual([2, true])
  })
})
