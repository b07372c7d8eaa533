/** A Dockerfile read and carried out in a folder, without Docker: enough of it for ours, and an error for the rest. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { required } from '#core/errors/index.ts'
import { environment, run } from './packing.ts'

interface Instruction {
  readonly name: string
  readonly text: string
}

/** What an image is in the end. */
export interface Image {
  /** The folder that stands for `/`. */
  readonly root: string
  readonly workdir: string
  readonly user: string
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly stopSignal: string
  readonly volumes: readonly string[]
  /** What was run as root, to be looked at. */
  readonly owners: readonly string[]
}

const instructionsOf = (file: string): Instruction[] =>
  readFileSync(file, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, text = ''] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? []
      return name === undefined ? [] : [{ name, text }]
    })

/** Folders of the image in a command, an environment variable or an instruction. */
export const within = (root: string, text: string): string =>
  text.replaceAll(/(?<![\w.~/-])\/(opt|data|tmp)(?=$|[/\s:"';)&])/g, `${root}/$1`)

type Draft = { -readonly [Name in keyof Image]: Image[Name] }
type Step = (text: string, image: Draft, context: string, stages: ReadonlyMap<string, Draft>) => void

const STEPS: Readonly<Record<string, Step>> = {
  ARG: (text, image) => {
    const [name = '', value = ''] = text.split('=')
    image.env = { ...image.env, [name]: value }
  },
  ENV: (text, image) => {
    for (const [, name = '', value = ''] of text.matchAll(/(?<=^|\s)(\w+)=(\S+)/g)) {
      // The folders of the image before those of this machine, which stand for those of the base image.
      const known = value.replaceAll(
        /\$(\w+)/g,
        (_, other: string) => image.env[other] ?? process.env[other] ?? '',
      )
      image.env = { ...image.env, [name]: within(image.root, known) }
    }
  },
  WORKDIR: (text, image) => {
    mkdirSync(image.root + text, { recursive: true })
    image.workdir = text
  },
  COPY: (text, image, context, stages) => {
    const [, stage, source, target] = required(/^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text))
    const from = stage === undefined ? context : required(stages.get(stage)).root
    if (!required(source).includes('*'))
      return cpSync(join(from, required(source)), image.root + target, { recursive: true })
    const pattern = new RegExp(`^${required(source).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    const found = readdirSync(from).filter((name) => pattern.test(name))
    if (found.length === 0) throw new Error(`COPY ${source}: no such file in ${from}`)
    mkdirSync(image.root + target, { recursive: true })
    for (const name of found) cpSync(join(from, name), join(image.root + required(target), basename(name)))
  },
  RUN: (text, image) => {
    // Users of the image are not those of this machine.
    const owner = /chown (\w+:\w+) (\S+)/.exec(text)
    if (owner) image.owners = [...image.owners, `${owner[2]} ${owner[1]}`]
    const command = within(image.root, text.replace(/chown \w+:\w+ \S+/, 'true'))
    const { status, stderr } = run('sh', ['-ec', command], image.root + image.workdir, environment(image.env))
    if (status !== 0) throw new Error(`RUN ${text}: ${stderr}`)
  },
  USER: (text, image) => {
    image.user = text
  },
  VOLUME: (text, image) => {
    image.volumes = [...image.volumes, text]
  },
  EXPOSE: () => {},
  STOPSIGNAL: (text, image) => {
    image.stopSignal = text
  },
  HEALTHCHECK: (text, image) => {
    image.health = JSON.parse(text.slice(text.indexOf('[')))
  },
  CMD: (text, image) => {
    image.command = JSON.parse(text)
  },
}

/** Carries out a file; the last stage is the image. `context`: the folder that is copied from. */
export function build(file: string, context: string, folder: string): Image {
  const stages = new Map<string, Draft>()
  let image: Draft | undefined
  for (const { name, text } of instructionsOf(file)) {
    if (name === 'FROM') {
      const [, base, stage = 'last'] = required(/^(\S+)(?: AS (\w+))?$/.exec(text))
      if (!/^node:\d+\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/.test(required(base)))
        throw new Error(`FROM ${base}`)
      const root = join(folder, stage)
      mkdirSync(`${root}/tmp`, { recursive: true })
      image = {
        root,
        workdir: '/',
        user: 'root',
        env: {},
        command: [],
        health: [],
        stopSignal: 'SIGTERM',
        volumes: [],
        owners: [],
      }
      stages.set(stage, image)
    } else if (!STEPS[name]) throw new Error(`${name} ${text}`)
    else STEPS[name](text, required(image), context, stages)
  }
  return required(image)
}
