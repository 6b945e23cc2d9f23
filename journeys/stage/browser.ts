/** A real browser, where the machine has one. */
export {
  BROWSER,
  NO_BROWSER,
  startBrowser,
} from '../../apps/reference-host/browser/browser.suite.ts'
