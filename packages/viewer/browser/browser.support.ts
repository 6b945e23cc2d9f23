import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { isSkippedWithout, requireProgram } from '../../../test/needed-programs.support.ts'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser: the named one, else one of the usual ones. */
export const BROWSER = [process.env['CHROMIUM'] ?? '', ...PLACES].find((path) => existsSync(path))

/** Why browser tests are skipped or fail, for the report. */
export const NO_BROWSER = 'no Chromium was found: install one, or name it in CHROMIUM'

const problem = BROWSER === undefined ? NO_BROWSER : undefined

/** Whether browser tests are skipped. */
export const SKIPS_BROWSER = isSkippedWithout(problem)

/** Starts the browser without a window. Rejects if there is none. */
export async function startBrowser(): Promise<Browser> {
  requireProgram(problem)
  // It shows only pages of this project. As root it starts in no other way.
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  // What it shares with its processes is in files that it removes at once. One that ends between the two leaves the file.
  const folder = mkdtempSync(join(tmpdir(), 'browser-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  const env = { ...process.env, TMPDIR: folder }
  try {
    const browser = await chromium.launch({ executablePath: BROWSER ?? '', args, env })
    browser.on('disconnected', remove)
    return browser
  } catch (error) {
    remove()
    throw error
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the rules of accessibility that a page breaks, each with the first element that breaks it. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  return await page.evaluate(async () => {
    // @ts-expect-error -- added by the script
    const { violations } = await globalThis.axe.run()
    return violations.map(
      ({ id, nodes }: { id: string; nodes: readonly { html: string }[] }) =>
        `${id}: ${nodes[0]?.html}`,
    )
  })
}
