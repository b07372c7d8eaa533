/** Puts the built command where `npx cuadra` looks first, as installing the package elsewhere would. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = `${root}node_modules/.bin`
mkdirSync(bin, { recursive: true })
chmodSync(`${root}dist/cli/main.js`, 0o755)
for (const name of ['cuadra', 'cuadra.cmd']) rmSync(`${bin}/${name}`, { force: true })
if (process.platform === 'win32')
  writeFileSync(`${bin}/cuadra.cmd`, '@node "%~dp0\\..\\..\\dist\\cli\\main.js" %*\r\n')
else symlinkSync('../../dist/cli/main.js', `${bin}/cuadra`)
