/** Where the site is, put into a page that is built: `homepage` of package.json is the one place that says so. */
import { readFileSync } from 'node:fs'

const { homepage } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** For Vite: `CUADRA_SITE=../` makes a page that is published beside the site, at `/playground/`. */
export const siteAddress = {
  name: 'cuadra-site-address',
  transformIndexHtml: (html) => html.replace('%CUADRA_SITE%', process.env.CUADRA_SITE ?? homepage),
}
