/** Inserts the address of the site into a built page, from `homepage` of package.json. */
import { readFileSync } from 'node:fs'

const { homepage } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The Vite plugin. `CUADRA_SITE=../` makes a page to publish within the site, at `/playground/`. */
export const siteAddress = {
  name: 'cuadra-site-address',
  transformIndexHtml: (html) => html.replace('%CUADRA_SITE%', process.env.CUADRA_SITE ?? homepage),
}
