import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser that is there: the one that is named, else one of those that are usual. */
export const BROWSER = [process.env['CHROMIUM'] ?? '', ...PLACES].find((place) => existsSync(place))

/** Why tests in a browser are skipped, for the report. */
export const NO_BROWSER = 'no Chromium was found: install one, or name it in CHROMIUM'

/** Starts it without a window. */
export async function startBrowser(): Promise<Browser> {
  // What it shows are pages of ours; as root it starts in no other way.
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  return await chromium.launch({ executablePath: BROWSER ?? '', args })
}
