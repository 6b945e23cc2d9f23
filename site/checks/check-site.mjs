// Builds the site and checks it in Chromium: `pnpm docs:check`. Every check prints its name; a failed one prints what it found. CHROMIUM sets the path
// of the browser.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { chromium } from 'playwright-core'
import { HOSTILE } from '../../packages/viewer/browser/hostile.support.ts'
import { checkGallery } from './check-gallery.mjs'
import { findBrokenLinks } from './check-links.mjs'
import { DIST, serveSite } from './serve-site.mjs'

const SITE = fileURLToPath(new URL('..', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The pages that are checked in every theme and width: the landing page, a guide, a reference, an API, the playground and the components. */
const PAGES = [
  '',
  'authoring-tools/',
  'configuration/',
  'packages/parser/api/',
  'playground/',
  'gallery/',
]
const THEMES = ['light', 'dark']
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

const PASTED = JSON.stringify({
  content: [
    { type: 'text', text: 'Two files.' },
    {
      type: 'resource',
      resource: { uri: 'file:///w/a.rs', mimeType: 'text/rust', text: 'fn a() {}' },
    },
    { type: 'hologram' },
  ],
})

/** Every text that the pages of conversations are attacked with. */
const TEXTS = HOSTILE.flatMap((event) =>
  event.type === 'assistant_message' ? event.content.map(({ text }) => text) : [],
)

/** The results that contain these texts, in every block and in every kind of value. */
const RESULTS = HOSTILE.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []))

/** Outputs of hostile tools: each text alone, and in all blocks; and each kind of value, each with another text. */
const ATTACKS = [
  ...TEXTS,
  ...RESULTS.filter(({ content }) => content.length > 0).map((result) => JSON.stringify(result)),
  ...RESULTS.filter((_, index) => index % 11 === 0).map((result) => JSON.stringify(result)),
]

let failed = 0

/** Runs one check. It passes if it returns an empty list. */
async function check(name, run) {
  let found
  const start = performance.now()
  try {
    found = await Promise.race([run(), failLate()])
  } catch (error) {
    found = [String(error instanceof Error ? error.stack : error)]
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  for (const line of found) console.log(`       ${line}`)
  if (found.length > 0) failed++
}

/** Rejects after two minutes. */
async function failLate() {
  await setTimeout(120_000, undefined, { ref: false })
  throw new Error('The check did not end within 120 s.')
}

await check('the build succeeds without a warning', buildSite)
if (failed > 0) process.exit(1)
await check('the sources of the playground have correct types', checkTypes)
await check('every link inside the site leads to a page and a heading', () => {
  const { pages, broken } = findBrokenLinks()
  return pages > 50
    ? broken
    : [`Only ${pages} pages were built; more than 50 were expected.`, ...broken]
})
await check('llms.txt lists every page of the documents', checkListForModels)

const executablePath = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))
if (executablePath === undefined) {
  console.log('FAILED no Chromium was found: install one, or set its path in CHROMIUM.')
  process.exit(1)
}
const { address, close } = await serveSite()
const browser = await chromium.launch({ executablePath, args: ARGUMENTS })
try {
  for (const theme of THEMES)
    for (const path of PAGES)
      await check(`axe finds no problem on /${path} (${theme})`, () => findProblems(path, theme))
  for (const path of PAGES)
    await check(`/${path} does not scroll sideways at 390 px`, () => findOverflow(path))
  await check('the search finds "defineTool"', searchWord)
  await check('the playground shows a pasted output in every form', usePlayground)
  await check('a hostile output runs no script and sends nothing', pasteAttacks)
  for (const [name, run] of Object.entries(checkGallery(withPage))) await check(name, run)
} finally {
  await browser.close()
  close()
}
console.log(failed === 0 ? 'The site is correct.' : `${failed} checks of the site failed.`)
process.exitCode = failed === 0 ? 0 : 1

function buildSite() {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['run-astro.mjs', 'build'], {
    cwd: SITE,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const lines = stripVTControlCharacters(`${stdout}\n${stderr}`).split('\n')
  if (status !== 0) return [`The build ended with exit code ${status}.`, ...lines.slice(-40)]
  return lines.filter((line) => /\bwarn(?:ing)?\b|\berror\b/i.test(line))
}

function checkTypes() {
  const tsc = join(SITE, '../node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', SITE], { encoding: 'utf8' })
  return status === 0 ? [] : stdout.trim().split('\n')
}

function checkListForModels() {
  const list = readFileSync(join(DIST, 'llms.txt'), 'utf8')
  const documents = readdirSync(join(SITE, 'src/content/docs'), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((file) => file.endsWith('.md') && file !== '404.md')
    .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, '/'))
  const missing = documents.filter((path) => !list.includes(`(${path})`))
  const full = statSync(join(DIST, 'llms-full.txt')).size
  return [
    ...missing.map((path) => `llms.txt does not list ${path}`),
    ...(full > 100_000 ? [] : [`llms-full.txt has only ${full} bytes`]),
  ]
}

/** Opens a page, calls `use` and returns what it found, after the messages of the console. */
async function withPage(path, options, use) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const messages = []
  try {
    const page = await context.newPage()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) messages.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => messages.push(`error: ${error.message}`))
    await page.goto(address + path, { waitUntil: 'networkidle' })
    const found = await use(page)
    return [...messages, ...found]
  } finally {
    await context.close()
  }
}

async function findProblems(path, theme) {
  return await withPage(path, { colorScheme: theme }, async (page) => {
    const shown = await page.evaluate(() => document.documentElement.dataset.theme)
    // The scripts of the pages make scrolled blocks reachable when the browser is idle. If they never do, axe reports it.
    await page.waitForFunction(isReachable, undefined, { timeout: 20_000 }).catch(() => undefined)
    const problems = await runAxe(page)
    const frames = await page.locator('iframe').all()
    // No script can be evaluated in the frame of the playground, so its page is opened alone.
    for (const frame of frames) {
      const alone = await openAlone(page, await frame.getAttribute('srcdoc'))
      // The title of the playground is the heading of the frame, too.
      problems.push(...(await runAxe(alone, { 'page-has-heading-one': { enabled: false } })))
    }
    return [
      ...(shown === theme ? [] : [`The theme is ${shown}; ${theme} was expected.`]),
      ...problems.flatMap(({ id, help, nodes }) => [
        `${id}: ${help}, in ${nodes.length} places`,
        ...nodes.slice(0, 3).map(({ html }) => `  ${html.slice(0, 160)}`),
      ]),
    ]
  })
}

async function runAxe(page, rules = {}) {
  await page.evaluate(AXE)
  const options = { iframes: false, rules }
  const { violations } = await page.evaluate((given) => globalThis.axe.run(given), options)
  return violations
}

/** Whether a keyboard reaches every block that scrolls sideways. */
function isReachable() {
  const blocks = [...document.querySelectorAll('.sl-markdown-content :is(pre, table):not(.tb *)')]
  return blocks.every((block) => block.scrollWidth <= block.clientWidth || block.tabIndex === 0)
}

/** Opens the page of the frame outside its sandbox. Only its own policy and encoding then keep scripts out. */
async function openAlone(page, html) {
  const alone = await page.context().newPage()
  await alone.setContent(html)
  return alone
}

async function findOverflow(path) {
  return await withPage(path, { viewport: { width: 390, height: 844 } }, async (page) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    return width <= 390 ? [] : [`The page is ${width} px wide.`]
  })
}

async function searchWord() {
  return await withPage('', {}, async (page) => {
    await page.keyboard.press('Control+k')
    await page.locator('dialog input').fill('defineTool')
    const results = page.locator('.pagefind-ui__result-link')
    await results.first().waitFor({ timeout: 10_000 })
    const titles = await results.allTextContents()
    return titles.some((title) => /tool/i.test(title)) ? [] : [`It found: ${titles.join(', ')}`]
  })
}

async function usePlayground() {
  return await withPage('playground/', {}, async (page) => {
    await page.locator('#output').fill(PASTED)
    await page.getByText('with 1 warning').waitFor()
    const read = async (id) => await page.locator(`#${id}`).textContent()
    const found = []
    const expect = (what, text, part) => {
      if (!text?.includes(part))
        found.push(`${what} does not contain ${part}: ${text?.slice(0, 300)}`)
    }
    expect('the list of warnings', await read('warnings'), '/content/2')
    expect('the parsed result', await read('parsed'), '"mimeType": "text/rust"')
    expect('the text for the model', await read('received'), '```rs\nfn a() {}\n```')
    expect('the terminal', await read('terminal'), '│ fn a() {}')
    const shown = await openAlone(page, await page.locator('#page').getAttribute('srcdoc'))
    expect('the page', await shown.locator('body').textContent(), 'fn a() {}')
    expect('the page', await shown.locator('body').textContent(), 'hologram')
    for (const [value, part] of [
      ['anthropic', '"tool_result"'],
      ['openai-responses', '"function_call_output"'],
      ['openai-chat', '"role": "tool"'],
      ['google', '"functionResponse"'],
      ['ai-sdk', '"tool-result"'],
    ]) {
      await page.locator('#receiver').selectOption(value)
      await page.waitForFunction(
        (text) => document.getElementById('received').textContent.includes(text),
        part,
      )
    }
    return found
  })
}

async function pasteAttacks() {
  return await withPage('playground/', {}, async (page) => {
    const requests = []
    const dialogs = []
    const alone = await page.context().newPage()
    page.context().on('request', (request) => {
      if (!/^(?:data|about|blob):/.test(request.url())) requests.push(request.url())
    })
    page.context().on('dialog', async (dialog) => {
      dialogs.push(dialog.message())
      await dialog.dismiss()
    })
    const found = []
    for (const attack of ATTACKS) {
      const frame = page.locator('#page')
      const before = await frame.getAttribute('srcdoc')
      await page.locator('#output').fill(attack)
      await page.waitForFunction(
        (old) => document.getElementById('page').getAttribute('srcdoc') !== old,
        before,
      )
      await alone.setContent(await frame.getAttribute('srcdoc'))
      const state = {
        owned: [await page.evaluate(isOwned), await alone.evaluate(isOwned)].includes(true),
        elements: await page.evaluate(countActiveElements),
        frameElements: await alone.evaluate(countActiveElements),
      }
      if (state.owned || state.elements + state.frameElements > 0)
        found.push(`This output acted (${JSON.stringify(state)}): ${attack.slice(0, 200)}`)
    }
    const sandbox = await page.locator('#page').getAttribute('sandbox')
    const foreign = requests.filter((url) => !url.startsWith(`${address}_astro/`))
    return [
      ...found,
      ...(sandbox === ''
        ? []
        : [`The frame has the sandbox "${sandbox}"; an empty one was expected.`]),
      ...dialogs.map((text) => `A dialog opened: ${text}`),
      ...foreign.map((url) => `It requested ${url}`),
    ]
  })
}

/** Whether one of the attacks has run. */
function isOwned() {
  return 'owned' in globalThis
}

/** The elements that a result must not have: scripts, handlers, frames, forms, and links to code. */
function countActiveElements() {
  const root = document.getElementById('output')
    ? document.querySelector('.playground')
    : document.body
  const elements = [...root.querySelectorAll('*')].filter(
    (element) =>
      (/^(?:script|iframe|object|embed|form|meta|link|svg|math)$/i.test(element.localName) &&
        element.id !== 'page') ||
      [...element.attributes].some(({ name }) => /^on/i.test(name)) ||
      /^\s*(?:javascript|data:text)/i.test(element.getAttribute('href') ?? ''),
  )
  return elements.length
}
