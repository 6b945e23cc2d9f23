// Renders the examples of @toolblocks/react as a server does, so that their page has content before its script runs.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const GALLERY = new URL('../packages/react/examples/gallery/', import.meta.url)

/** Writes `gallery.json`: the parts of the gallery, each example with its HTML and its files, and the files that they share. */
export async function writeGallery() {
  // Vite sets it for its own process, and Astro would build the page for development.
  const { NODE_ENV } = process.env
  const server = await createServer({
    root: fileURLToPath(GALLERY),
    configFile: false,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const load = async (name) => await server.ssrLoadModule(fileURLToPath(new URL(name, GALLERY)))
    const { GALLERY: parts } = await load('gallery.ts')
    const { renderGallery } = await load('render-gallery.ts')
    const rendered = renderGallery()
    const page = parts.map(({ examples, ...part }) => ({
      ...part,
      examples: examples.map(({ name, title, text, style }) => ({
        name,
        title,
        text,
        html: rendered[name],
        files: [`${name}.tsx`, ...(style === undefined ? [] : [`${style}.css`])].map(readExample),
      })),
    }))
    const shared = ['sent.tsx', 'media.ts'].map(readExample)
    const file = new URL('src/generated/gallery.json', import.meta.url)
    writeFileSync(file, JSON.stringify({ parts: page, shared }))
  } finally {
    await server.close()
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
  }
}

function readExample(name) {
  return { name, code: readFileSync(new URL(name, GALLERY), 'utf8') }
}
