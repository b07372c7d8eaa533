/** Checks the machine: disk space, file system, and owners and permissions of the files. */
import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../src/environment/config.ts'
import { keyFileOf } from '../../src/environment/secrets.ts'
import { DATABASE_FILE } from '../../src/store/store.ts'
import { type BilingualFinding, finding, sizeText } from './doctor-finding.ts'

const MB = 1_000_000

/** Magic numbers (`statfs(2)`) of file systems whose locks are unreliable for SQLite. */
const REMOTE = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
])

export function diskFindings({ dataDir, databaseUrl }: Config): BilingualFinding[] {
  const { bavail, bsize, blocks, type } = statfsSync(dataDir)
  const [free, size] = [bavail * bsize, blocks * bsize]
  const share = size > 0 ? (free / size) * 100 : 0
  const level = free < 200 * MB ? 'error' : free < 1000 * MB || share < 5 ? 'warning' : 'ok'
  const findings = [
    finding(level, 'disk', {
      free: sizeText(free),
      size: sizeText(size),
      share: share.toFixed(0),
      folder: dataDir,
    }),
  ]
  const system = REMOTE.get(type)
  if (system && !databaseUrl) findings.push(finding('error', 'file_system', { system }))
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

export function permissionFindings(config: Config): BilingualFinding[] {
  const { dataDir } = config
  const own = ['-wal', '-shm', ''].map((end) => join(dataDir, `${DATABASE_FILE}${end}`))
  const folders = ['files', 'rendered'].map((name) => join(dataDir, name))
  const paths = [dataDir, ...folders, keyFileOf(config), ...own]
  const there = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? [{ path, found }] : []
  })
  const findings: BilingualFinding[] = []
  const pathsOf = (some: typeof there) => some.map(({ path }) => path).join(', ')
  const open = there.filter(({ path, found }) => path !== dataDir && (found.mode & 0o077) !== 0)
  if (open.length > 0)
    findings.push(finding('error', 'permissions.open', { paths: pathsOf(open), folder: dataDir }))
  const locked = there.filter(({ path }) => !isWritable(path))
  if (locked.length > 0) findings.push(finding('error', 'permissions.locked', { paths: pathsOf(locked) }))
  const owners = new Set(there.map(({ found }) => found.uid))
  if (owners.size > 1)
    findings.push(
      finding('warning', 'owner', {
        count: owners.size,
        users: [...owners].join(', '),
        folder: dataDir,
      }),
    )
  if (findings.length === 0) findings.push(finding('ok', 'permissions', { folder: dataDir }))
  return findings
}
