import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { makeFolder } from '../stage/folder.ts'
import { listen } from '../stage/listen.ts'

const STYLE = new URL('../../packages/react/src/style.css', import.meta.url).pathname
const PAGE = `<!doctype html><title>Page</title>
<p id="field" class="tb" style="border: 1px solid var(--tb-line); background: var(--tb-soft)">Name</p>
<script type="module" src="/page.js"></script>`

test('promise example applications: the style of the components has its colours in a page without a style of its own, as Vite builds it', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const folder = makeFolder({
    'index.html': PAGE,
    'page.js': `import ${JSON.stringify(STYLE)}\n`,
  })
  await build({ root: folder, logLevel: 'silent', configFile: false })
  const types = { css: 'text/css', js: 'text/javascript', html: 'text/html' }
  const address = await listen(
    createServer(({ url = '/' }, response) => {
      const file = url === '/' ? 'index.html' : url.slice(1)
      const type = Object.entries(types).find(([ending]) => file.endsWith(ending))?.[1]
      if (type === undefined) return void response.writeHead(404).end()
      response.setHeader('content-type', type)
      response.end(readFileSync(join(folder, 'dist', file)))
    }),
  )
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage()
  await page.goto(address)
  const colours = async (): Promise<unknown> =>
    await page.evaluate(
      `((style) => [style.backgroundColor, style.borderTopColor])(getComputedStyle(document.getElementById('field')))`,
    )
  await expect.poll(colours).toEqual(['rgb(245, 247, 249)', 'rgb(214, 219, 225)'])
})
