// Collects the pages and runs Astro: `node run-astro.mjs build` or `dev`. SITE_ADDRESS is the address of the site, such as
// `https://example.org/toolblocks/`; without it, the site has no sitemap.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { collectPages } from './collect-pages.mjs'
import { recordExamples } from './record-examples.mjs'
import { writeGallery } from './render-gallery.mjs'

console.log(`${collectPages()} pages of the documents`)
await recordExamples()
await writeGallery()

const astro = fileURLToPath(new URL('node_modules/astro/bin/astro.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [astro, ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('.', import.meta.url)),
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
