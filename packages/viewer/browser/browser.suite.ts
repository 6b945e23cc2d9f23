import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser: the named one, else one of the usual ones. */
export const BROWSER = [process.env['CHROMIUM'] ?? '', ...PLACES].find((place) => existsSync(place))

/** Why browser tests are skipped, for the report. */
export const NO_BROWSER = 'no Chromium was found: install one, or name it in CHROMIUM'

/** Starts the browser without a window. */
export async function startBrowser(): Promise<Browser> {
  // It shows only pages of this project. As root it starts in no other way.
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  return await chromium.launch({ executablePath: BROWSER ?? '', args })
}
