import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  BROWSER,
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../../viewer/browser/browser.support.ts'
import type { renderGallery } from '../examples/gallery/render-gallery.ts'

/** The packages of each version, by the names that the components import. */
const VERSIONS = {
  18: { react: 'react-18', 'react-dom': 'react-dom-18' },
  19: { react: 'react', 'react-dom': 'react-dom' },
} as const

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

/** `react-dom` of the package `react-dom-18` also imports the `react` that is named here. */
async function bundle(
  code: string,
  version: keyof typeof VERSIONS,
  options: BuildOptions,
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: PACKAGE, loader: 'ts' },
    absWorkingDir: PACKAGE,
    alias: version === 18 ? VERSIONS[18] : {},
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
    logLevel: 'silent',
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}

interface RenderedBy {
  version: string
  renderGallery: typeof renderGallery
}

/** Loads the gallery with a version of React, as a server does. */
async function loadOnServer(folder: string, version: keyof typeof VERSIONS): Promise<RenderedBy> {
  const code = await bundle(
    `export { version } from 'react'
     export { renderGallery } from './examples/gallery/render-gallery.ts'`,
    version,
    {
      platform: 'node',
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
      },
    },
  )
  const file = join(folder, `server-${version}.mjs`)
  writeFileSync(file, code)
  return await import(pathToFileURL(file).href)
}

const SCRIPT = `
  import { version } from 'react'
  import { hydrateGallery } from './examples/gallery/hydrate-gallery.ts'
  hydrateGallery()
  document.documentElement.dataset.ready = version`

describe.skipIf(SKIPS_BROWSER)(`in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`, () => {
  let browser: Browser
  let server: Server
  let folder: string
  const files = new Map<string, readonly [type: string, text: string]>()

  beforeAll(async () => {
    browser = await startBrowser()
    folder = mkdtempSync(join(tmpdir(), 'react-versions-'))
    const style = readFileSync(new URL('../src/style.css', import.meta.url), 'utf8')
    files.set('/style.css', ['text/css', style])
    server = createServer(({ url = '' }, response) => {
      const [type, text] = files.get(url) ?? ['text/plain', '']
      response.setHeader('content-type', `${type};charset=utf-8`)
      response.end(text)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  })
  afterAll(async () => {
    await browser?.close()
    await new Promise((done) => server.close(done))
    rmSync(folder, { recursive: true })
  })

  /** `beforeScript` is what a person does while the script of the page is still loaded. */
  async function openGallery(
    version: keyof typeof VERSIONS,
    beforeScript: (page: Page) => Promise<void> = async () => {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const complaints: string[] = []
    const errorSpy = vi.spyOn(console, 'error').mockImplementation((...parts) => {
      complaints.push(`on the server: ${parts.join(' ')}`)
    })
    const loaded = await loadOnServer(folder, version)
    expect(loaded.version).toMatch(new RegExp(`^${version}\\.`))
    const examples = loaded.renderGallery()
    errorSpy.mockRestore()
    const sections = Object.entries(examples).map(
      ([name, html]) => `<div data-example="${name}">${html}</div>`,
    )
    files.set('/page.js', [
      'text/javascript',
      await bundle(SCRIPT, version, { platform: 'browser' }),
    ])
    files.set('/', [
      'text/html',
      `<!doctype html><html lang="en"><head><title>Gallery</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"></head><body>${sections.join('')}<script type="module" src="/page.js"></script></body></html>`,
    ])
    const page = await browser.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.setDefaultTimeout(5000)
    const scriptAsked = Promise.withResolvers<Route>()
    await page.route('**/page.js', scriptAsked.resolve)
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      waitUntil: 'commit',
    })
    const script = await scriptAsked.promise
    await beforeScript(page)
    await script.continue()
    await page.waitForSelector(`html[data-ready^="${version}."]`)
    return { page, complaints }
  }

  test.for([18, 19] as const)(
    'React %i renders every example on a server, hydrates it without a warning, and receives what a person does',
    async (version) => {
      const { page, complaints } = await openGallery(version)
      const inExample = (name: string): ReturnType<Page['locator']> =>
        page.locator(`[data-example="${name}"]`)

      const form = inExample('problems-of-the-server')
      await form.getByLabel('Name').fill('Ada')
      await form.getByRole('button', { name: 'Send answer' }).click()
      await form.getByText('is already registered').waitFor()
      await form.getByLabel('Name').fill('Tern')
      await page.keyboard.press('Enter')
      await form.getByText('Sent.').waitFor()

      const call = inExample('call-that-needs-approval')
      await call.getByRole('button', { name: 'Allow this call' }).click()
      await call.locator('[data-state=approval-responded]').waitFor()
      expect(await call.locator('.sent').textContent()).toContain('"approved": true')

      const table = inExample('table')
      await table.getByRole('button', { name: 'Length, m' }).click()
      await table.getByLabel('Filter rows').fill('true')
      expect(await table.locator('tbody tr td:first-child').allTextContents()).toEqual([
        'Puffin',
        'Tern',
        'Skua',
        'Ada',
      ])

      const calls = inExample('conversation-of-every-part')
      // Messages far from the visible ones are no elements.
      await calls.scrollIntoViewIfNeeded()
      await calls.getByLabel('right').check()
      await calls.getByRole('button', { name: 'Send answer' }).click()
      await calls.getByText('"question-1"').waitFor()
      expect(complaints).toEqual([])
      await page.close()
    },
  )

  test.for([18, 19] as const)(
    'React %i keeps what a person types before the script of the page runs, and nothing can be sent before',
    async (version) => {
      let loads = 0
      const { page, complaints } = await openGallery(version, async (early) => {
        early.on('framenavigated', () => loads++)
        const form = early.locator('[data-example="form-with-every-field"]')
        await form.getByLabel('Name of the boat').fill('Ada')
        await form.getByLabel('Nights').fill('3')
        await form.getByLabel('No', { exact: true }).check()
        await form.getByLabel('Right side').check()
        await form.getByLabel('water').uncheck()
        await form.getByLabel('fuel').check()
        await form.getByLabel('Arrival').selectOption('14:00')
        await form.getByLabel('Crew').fill('Grace')
        await form.getByLabel('Nights').press('Enter')
        expect(await form.getByRole('button', { name: 'Send answer' }).isDisabled()).toBe(true)
        expect(await form.getByRole('button', { name: 'Decline' }).isDisabled()).toBe(true)

        const call = early.locator('[data-example="call-that-needs-approval"]')
        await call.getByLabel('Reason for a denial').fill('no boats')
        await call.getByLabel('Reason for a denial').press('Enter')
        expect(await call.getByRole('button', { name: 'Allow this call' }).isDisabled()).toBe(true)

        await early.locator('[data-example="table"]').getByLabel('Filter rows').fill('Ada')
      })
      const form = page.locator('[data-example="form-with-every-field"]')
      await form.getByRole('button', { name: 'Send answer' }).click()
      await form.getByText('Sent.').waitFor()
      expect(JSON.parse((await form.locator('.sent').textContent()) ?? '')).toEqual({
        action: 'accept',
        value: {
          boat: 'Ada',
          nights: 3,
          power: false,
          side: 'starboard',
          services: ['fuel'],
          arrival: '14:00',
          crew: ['Grace'],
        },
      })
      const call = page.locator('[data-example="call-that-needs-approval"]')
      await call.getByRole('button', { name: 'Deny this call' }).click()
      await call.locator('[data-state=approval-responded]').waitFor()
      expect(await call.locator('.sent').textContent()).toContain('no boats')
      const table = page.locator('[data-example="table"]')
      expect(await table.getByLabel('Filter rows').inputValue()).toBe('Ada')
      expect(await table.locator('tbody tr').count()).toBe(1)
      expect(loads).toBe(0)
      expect(complaints).toEqual([])
      await page.close()
    },
  )
})
