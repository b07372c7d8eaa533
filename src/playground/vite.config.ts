/** Build of the playground: `npx vite build --config src/playground/vite.config.ts`. */
import { defineConfig } from 'vite'
import { packedCatalogsOfSite } from '../../scripts/packed-catalogs.mjs'
import { siteAddress } from '../../scripts/site-address.mjs'
import { offlineFiles } from './offline/precache.ts'

const here = new URL('.', import.meta.url).pathname

// A default export, since Vite reads its configuration from there.
export default defineConfig({
  root: here,
  // Every address is relative, so that the site works from any folder of any server.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: new URL('../../dist/playground', import.meta.url).pathname,
    emptyOutDir: true,
    target: 'es2022',
    // The polyfill would be an inline fetch of files that every browser with modules preloads anyway.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: `${here}index.html`, 'service-worker': `${here}offline/service-worker.ts` },
      output: {
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        // What every visitor loads is one file: packed together it is smaller than in the dozen that would be made.
        // The service worker stands alone.
        codeSplitting: { groups: [{ name: 'page', tags: ['$initial'], test: /^(?!.*service-worker)/ }] },
      },
    },
  },
  plugins: [packedCatalogsOfSite, siteAddress, offlineFiles()],
})
