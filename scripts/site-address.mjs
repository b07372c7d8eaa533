/** Inserts the address of the site, `homepage` of package.json, into a page at build time. */
import { readFileSync } from 'node:fs'

const { homepage } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** Vite plugin. `CUADRA_SITE=../` is for a page published on the site at `/playground/`. */
export const siteAddress = {
  name: 'cuadra-site-address',
  transformIndexHtml: (html) => html.replace('%CUADRA_SITE%', process.env.CUADRA_SITE ?? homepage),
}
