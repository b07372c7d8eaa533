/** Opens an application from a configuration, without listening for requests. */
import { join } from 'node:path'
import { createRecogniser } from 'cuadra-recognition/index.ts'
import { closeToOthers, makePrivateFolder } from 'cuadra-storage/private-files.ts'
import { fileProblem } from 'cuadra-storage/storage-faults.ts'
import { openDiskFiles } from '../documents/disk.ts'
import { readAuthorities } from '../environment/authorities.ts'
import { createClock } from '../environment/clock.ts'
import type { Config } from '../environment/config.ts'
import { readSystem } from '../environment/invoicing-system.ts'
import { createLog } from '../environment/log.ts'
import { newOwnerName } from '../environment/process-owner.ts'
import { keyFileOf } from '../environment/secrets.ts'
import { createMailer } from '../mail/mailer.ts'
import { openStore } from '../store/store.ts'
import { createWork } from '../work/work.ts'
import type { App } from './app.ts'
import { connectAuthority } from './connect-authority.ts'
import { createMetrics } from './metrics.ts'

/** Parts of an application that can be replaced: its clock, its name, and its connections to other systems. */
export type Ports = Partial<
  Pick<App, 'authority' | 'clock' | 'deliver' | 'files' | 'metrics' | 'owner' | 'recogniser' | 'work'>
>

/** Opens the application for the server and for the administrator's commands. */
export async function openApp(config: Config, ports: Ports = {}): Promise<App> {
  const system = readSystem(config.declarationFile, config.installation)
  const clock = createClock()
  const { authority, reachesAuthority } = connectAuthority(config)
  const signatureRoots = readAuthorities(config.signatureRootsFile, 'CUADRA_SIGNATURE_ROOTS')
  const log = createLog(config.logLevel)
  makePrivateFolder(config.dataDir)
  const files = join(config.dataDir, 'files')
  const pdfFolder = join(config.dataDir, 'rendered')
  for (const one of [files, pdfFolder, keyFileOf(config)]) closeToOthers(one)
  const store = await openStore({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    pool: config.databasePool,
    onError: (error) => log.error({ err: error }, 'database connection'),
    onFault: (error) => log.error({ err: error }, fileProblem(error)),
  })
  return {
    config,
    store,
    clock,
    files: openDiskFiles(files),
    log,
    metrics: ports.metrics ?? createMetrics(config, store),
    work: createWork(new URL('./worker.js', import.meta.url), { pdfFolder }),
    recogniser: createRecogniser({ file: new URL('./reader.js', import.meta.url) }),
    system,
    deliver: await createMailer(config),
    signatureRoots,
    authority,
    reachesAuthority,
    owner: newOwnerName(),
    ...ports,
  }
}
