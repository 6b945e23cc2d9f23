import { readFileSync } from 'node:fs'
import { satteri } from '@astrojs/markdown-satteri'
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'

const generated = (name) =>
  JSON.parse(readFileSync(new URL(`src/generated/${name}.json`, import.meta.url), 'utf8'))
const { repository } = generated('repository')

// The address is known only to who publishes the site: nothing in the pages depends on it.
const address = process.env.SITE_ADDRESS ? new URL(process.env.SITE_ADDRESS) : undefined

export default defineConfig({
  ...(address && { site: address.origin, base: address.pathname }),
  // Text stays as it is written: `--flag` has two hyphens.
  markdown: { processor: satteri({ features: { smartPunctuation: false } }) },
  image: { service: passthroughImageService() },
  // The script of the gallery contains React, and what checks answers by every JSON Schema (kB, not compressed).
  vite: { build: { chunkSizeWarningLimit: 800 } },
  integrations: [
    // Starlight adds a sitemap unless an integration has this name. A sitemap without an address would only be a warning.
    ...(address ? [] : [{ name: '@astrojs/sitemap', hooks: {} }]),
    starlight({
      title: 'Toolblocks',
      customCss: ['./src/styles/site.css'],
      sidebar: generated('sidebar'),
      social: [{ icon: 'github', label: 'Repository', href: repository }],
      components: { Head: './src/components/head.astro' },
      // A command of one line needs no frame.
      expressiveCode: { defaultProps: { overridesByLang: { sh: { frame: 'none' } } } },
      credits: false,
      disable404Route: true,
    }),
  ],
})
