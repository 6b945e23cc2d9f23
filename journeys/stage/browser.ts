import type { startBrowser } from '../../packages/viewer/browser/browser.support.ts'

/** A real browser, if the machine has one. */
export {
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../../packages/viewer/browser/browser.support.ts'

export type Browser = Awaited<ReturnType<typeof startBrowser>>
export type Page = Awaited<ReturnType<Browser['newPage']>>
export type Locator = ReturnType<Page['locator']>
