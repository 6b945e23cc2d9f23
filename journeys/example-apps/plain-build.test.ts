import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { makeFolder } from '../stage/folder.ts'
import { listen } from '../stage/listen.ts'

const STYLE = new URL('../../packages/react/src/style.css', import.meta.url).pathname

/** A page with a component; `root` has the attributes of its root element, and `head` more elements. */
function createPage({ root = '', head = '' }: { root?: string; head?: string }): string {
  return `<!doctype html><html ${root}><title>Page</title>${head}
<p id="field" class="tb" style="border: 1px solid var(--tb-line); background: var(--tb-soft)">Name</p>
<script type="module" src="/page.js"></script>`
}

const LIGHT = ['rgb(245, 247, 249)', 'rgb(214, 219, 225)']
const DARK = ['rgb(29, 33, 39)', 'rgb(53, 60, 69)']
const META = '<meta name="color-scheme" content="dark">'

interface BuiltPage {
  page: Parameters<typeof createPage>[0]
  colours: readonly string[]
  /** A stylesheet that the page imports. */
  imported?: string
  cssTarget?: string
}

const BUILT_PAGES: readonly (readonly [string, BuiltPage])[] = [
  ['light in a page without a style of its own', { page: {}, colours: LIGHT }],
  ['dark with a class of the root element', { page: { root: 'class="dark"' }, colours: DARK }],
  [
    'dark with data-theme of the root element',
    { page: { root: 'data-theme="dark"' }, colours: DARK },
  ],
  [
    'dark with a color-scheme in a stylesheet that is imported',
    { page: {}, imported: ':root { color-scheme: dark }', colours: DARK },
  ],
  [
    'dark with a color-scheme in a style element of index.html',
    { page: { head: '<style>:root { color-scheme: dark }</style>' }, colours: DARK },
  ],
  ['light with a meta element for dark', { page: { head: META }, colours: LIGHT }],
  [
    'dark with a meta element and cssTarget esnext',
    { page: { head: META }, cssTarget: 'esnext', colours: DARK },
  ],
]

test.for(BUILT_PAGES)(
  'promise example applications: the style of the components, as Vite builds it, is %s',
  async ([, { page: source, colours: expected, imported = '', cssTarget }], { skip }) => {
    skip(SKIPS_BROWSER, NO_BROWSER)
    const folder = makeFolder({
      'index.html': createPage(source),
      'page.css': imported,
      'page.js': `import ${JSON.stringify(STYLE)}\nimport './page.css'\n`,
    })
    await build({
      root: folder,
      logLevel: 'silent',
      configFile: false,
      ...(cssTarget !== undefined && { build: { cssTarget } }),
    })
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
    await expect.poll(colours).toEqual(expected)
  },
)
