// Takes pictures of pages with the installed Chromium.
import { startBrowser } from '../../packages/viewer/browser/browser.support.ts'

/** The WebP quality, at most 100: letters stay sharp, and a page of text has a few dozen kilobytes. */
const QUALITY = 80

/** Opens a page with the given width; `close` ends the browser. */
export async function openBrowser() {
  const browser = await startBrowser()
  return {
    close: async () => await browser.close(),
    open: async ({ width, scale = 1, colors = 'light' }) => {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        deviceScaleFactor: scale,
        colorScheme: colors,
      })
      return await context.newPage()
    },
  }
}

/** Takes a picture of a page, or of one element with some space around it, as WebP. `scale`: pixels of the picture for one of the page. */
export async function readPicture(page, { element, around = 0, scale = 1 } = {}) {
  const box = await (element ?? page.locator('html')).boundingBox()
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: {
      x: Math.max(0, box.x - around),
      y: Math.max(0, box.y - around),
      width: box.width + 2 * around,
      height: box.height + 2 * around,
      scale,
    },
  })
  return Buffer.from(data, 'base64')
}
