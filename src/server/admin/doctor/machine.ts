/** The machine: its disk, whose the files are, and who may read them. */
import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../environment/config.ts'
import { keyFileOf } from '../../environment/secrets.ts'
import { DATABASE_FILE } from '../../store/store.ts'
import { bad, type Finding, ok, sized, warning } from './finding.ts'

const MB = 1_000_000

/** Magic numbers of file systems whose locks SQLite cannot rely on (`statfs(2)`). */
const REMOTE = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
])

export function diskOf({ dataDir, databaseUrl }: Config): Finding[] {
  const { bavail, bsize, blocks, type } = statfsSync(dataDir)
  const [free, size] = [bavail * bsize, blocks * bsize]
  const share = size > 0 ? (free / size) * 100 : 0
  const what = `${sized(free)} free of ${sized(size)} (${share.toFixed(0)} %) where ${dataDir} is`
  const why =
    'On a full disk nothing is issued or stored (507 insufficient_storage); what is stored stays, and reading goes on.'
  const mend = 'Make room, or move the data folder to a larger disk.'
  const findings = [
    free < 200 * MB
      ? bad('disk', what, why, mend)
      : free < 1000 * MB || share < 5
        ? warning('disk', what, why, mend)
        : ok('disk', what),
  ]
  const remote = REMOTE.get(type)
  if (remote && !databaseUrl)
    findings.push(
      bad(
        'file_system',
        `The database lies on ${remote}`,
        'SQLite relies on locks that such a file system does not keep: two processes can damage the file.',
        'Move CUADRA_DATA_DIR to a local disk, or use PostgreSQL (CUADRA_DATABASE_URL).',
      ),
    )
  return findings
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function permissionsOf(config: Config): Finding[] {
  const { dataDir } = config
  const own = ['-wal', '-shm', ''].map((end) => join(dataDir, `${DATABASE_FILE}${end}`))
  const paths = [dataDir, join(dataDir, 'files'), keyFileOf(config), ...own]
  const there = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? [{ path, found }] : []
  })
  const findings: Finding[] = []
  const open = there.filter(({ path, found }) => path !== dataDir && (found.mode & 0o077) !== 0)
  if (open.length > 0)
    findings.push(
      bad(
        'permissions',
        `Others can read ${open.map(({ path }) => path).join(', ')}`,
        'Invoices, and the key of the certificates, are nobody else’s business.',
        `chmod -R go-rwx ${dataDir}, or start the server once: it closes them.`,
      ),
    )
  const locked = there.filter(({ path }) => !isWritable(path))
  if (locked.length > 0)
    findings.push(
      bad(
        'permissions',
        `This user may not write ${locked.map(({ path }) => path).join(', ')}`,
        'Nothing can be issued or stored.',
        'Run as the user of the server, or give the files to it (chown -R).',
      ),
    )
  const owners = new Set(there.map(({ found }) => found.uid))
  if (owners.size > 1)
    findings.push(
      warning(
        'owner',
        `Files of the data folder belong to ${owners.size} users (uid ${[...owners].join(', ')})`,
        'A command that was run as another user, root say, has made some of them: the server may not be able to write them.',
        `Give all of them to the user of the server: chown -R USER ${dataDir}. Run cuadra-admin as that user.`,
      ),
    )
  if (findings.length === 0)
    findings.push(ok('permissions', `${dataDir} is of one user, and closed to others`))
  return findings
}
