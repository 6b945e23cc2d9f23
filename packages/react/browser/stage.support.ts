import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { build } from 'esbuild'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { renderToString } from 'react-dom/server'
import { createScene, type Scene } from './scene.ts'

const STYLE = readFileSync(new URL('../src/style.css', import.meta.url), 'utf8')

/** No inline style, no function from text, and nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; media-src data:"

/** A server that renders scenes, and pages that show and hydrate them. */
export interface Stage {
  /** Opens a scene in a page. `head`: more elements for the head of the page, `around`: attributes of the element around it. */
  open(scene: Scene, options?: { head?: string; around?: string }): Promise<Page>
  /** What went wrong in the pages since the last call, also requests that the policy forbids. */
  takeComplaints(): string[]
  close(): Promise<void>
}

/** Opens a stage in a browser. */
export async function openStage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Stage> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
    logLevel: 'silent',
  })
  const readers = await loadContentReaders()
  const files: Record<string, readonly [type: string, text: string]> = {
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/style.css': ['text/css', STYLE],
  }
  const server: Server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/html', 'not found']
    response.setHeader('content-type', `${type};charset=utf-8`)
    response.setHeader('content-security-policy', POLICY)
    response.end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const context = await browser.newContext(options)
  const complaints: string[] = []
  let count = 0
  return {
    open: async (scene, { head = '', around = '' } = {}) => {
      const render = (each: Scene): string =>
        renderToString(createScene(each, { report: () => {}, readers }))
      const beside = scene.beside ? `<div id="beside">${render(scene.beside)}</div>` : ''
      const data = JSON.stringify(scene).replaceAll('<', '\\u003c')
      count += 1
      files[`/${count}`] = [
        'text/html',
        `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">${head}</head><body ${around}><main><h1>A page</h1><div id="root">${render(scene)}</div>${beside}</main><script type="application/json" id="scene">${data}</script><script type="module" src="/page.js"></script></body></html>`,
      ]
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('dialog', (dialog) => void complaints.push(`dialog ${dialog.message()}`))
      page.on('requestfailed', (request) => void complaints.push(`failed ${request.url()}`))
      await page.goto(`http://127.0.0.1:${port}/${count}`)
      await page.waitForSelector('html[data-ready]')
      return page
    },
    takeComplaints: () => complaints.splice(0),
    close: async () => {
      await context.close()
      await new Promise((done) => server.close(done))
    },
  }
}
