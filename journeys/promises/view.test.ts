import { rmSync, writeFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { toolblocks } from '../stage/command.ts'
import { TWO_TURNS, useConversations } from '../stage/conversations.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'
import { readPage, startView } from '../stage/view.ts'

const workspace = useConversations()

test('promise view: a conversation is served until Ctrl-C to the holder of the printed address', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  const { address, end } = await startView(workspace.folder, 'lamps')
  expect(address.hostname).toBe('127.0.0.1')
  expect(address.hash).toMatch(/^#t=[\w-]{43}$/)
  expect(await readPage(address)).toContain('Seven lamps.')
  const stranger = await (await fetch(address)).text()
  expect(stranger).not.toContain('Seven lamps.')
  expect(await end()).toBe(0)
})

test('promise view: a file of another program is shown, and nothing is imported', async () => {
  const lines = [
    {
      type: 'user',
      uuid: 'a',
      sessionId: 's',
      timestamp: '2026-05-06T07:00:00Z',
      message: { role: 'user', content: 'Light it.' },
    },
    {
      type: 'assistant',
      uuid: 'b',
      parentUuid: 'a',
      sessionId: 's',
      timestamp: '2026-05-06T07:00:01Z',
      message: { role: 'assistant', content: [{ type: 'text', text: 'It is **lit**.' }] },
    },
  ]
  const file = join(workspace.folder, 's.jsonl')
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { address } = await startView(workspace.folder, 's.jsonl')
  const page = await readPage(address)
  expect(page).toContain('Light it.')
  expect(page).toContain('It is <strong>lit</strong>.')
  expect(page).toContain('<title>Light it.</title>')
  const { stdout } = await toolblocks(workspace.folder, 'conversations', 'list', '--output', 'json')
  expect(JSON.parse(stdout)).toMatchObject({ conversations: [] })
})

test('promise view: what is added to a file is on its page, also on one that is open', async ({
  skip,
}) => {
  const writeRecord = (uuid: string, parentUuid: string | null, text: string): string =>
    `${JSON.stringify({
      type: uuid.startsWith('u') ? 'user' : 'assistant',
      uuid,
      parentUuid,
      sessionId: 'grows',
      timestamp: `2026-05-06T07:00:0${uuid.slice(1)}Z`,
      message: {
        role: uuid.startsWith('u') ? 'user' : 'assistant',
        content: [{ type: 'text', text }],
      },
    })}\n`
  const folder = makeFolder({ 'grows.jsonl': writeRecord('u1', null, 'Fill the boat.') })
  const file = join(folder, 'grows.jsonl')
  const { address } = await startView(folder, 'grows.jsonl')
  expect(await readPage(address)).not.toContain('Half full.')
  // A half-written record is complete later.
  const next = writeRecord('a2', 'u1', 'Half full.')
  await appendFile(file, next.slice(0, 50))
  await appendFile(file, next.slice(50))
  await vi.waitUntil(async () => (await readPage(address)).includes('Half full.'), {
    timeout: 20_000,
    interval: 200,
  })
  skip(SKIPS_BROWSER, NO_BROWSER)
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage()
  await page.goto(address.href)
  await page.getByText('Half full.').first().waitFor()
  await appendFile(file, writeRecord('u3', 'a2', 'And now it sails.'))
  await page.getByText('And now it sails.').first().waitFor()
})

/** A session of more than a number of bytes, whose first event is "Light lamp 1." */
function writeLargeSession(
  file: string,
  bytes: number,
  getSession: (event: number) => string = () => 'large',
): number {
  const results = Math.ceil(bytes / 10_000)
  const lines = Array.from({ length: results }, (_, index) => {
    const content = `Light lamp ${index + 1}. ${'It burns. '.repeat(1000)}`
    return JSON.stringify({
      type: 'user',
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      sessionId: getSession(index + 1),
      timestamp: '2026-05-06T07:00:00Z',
      message: { role: 'user', content },
    })
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
  return results
}

const countEvents = (page: string): string | undefined => /id="tb-count">([^<]*)/.exec(page)?.[1]

test('promise view: the beginning of a large file is shown at once, and the rest while it is read', async ({
  skip,
}) => {
  const folder = makeFolder({})
  const events = writeLargeSession(join(folder, 'large.jsonl'), 12_000_000)
  const { address, end } = await startView(folder, 'large.jsonl')
  const first = await readPage(address)
  expect(first).toContain('Light lamp 1. It burns.')
  expect(Number(countEvents(first)?.replaceAll(',', ''))).toBeLessThan(events)
  expect(first).toContain('This is the beginning.')
  skip(SKIPS_BROWSER, NO_BROWSER)
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage()
  await page.goto(address.href)
  const count = page.locator('#tb-count')
  await vi.waitUntil(async () => (await count.textContent()) === events.toLocaleString('en'), {
    timeout: 40_000,
    interval: 200,
  })
  expect(await page.locator('[data-part=sources]').textContent()).toBe('')
  await page.keyboard.press('G')
  await page.getByText(`Light lamp ${events}.`).first().waitFor()
  expect(await end()).toBe(0)
})

test('promise view: a large session that was continued under another id is also searched under the id of its beginning', async () => {
  const folder = makeFolder({})
  const events = writeLargeSession(join(folder, 'large.jsonl'), 12_000_000, (event) =>
    event <= 500 ? 'begun' : 'continued',
  )
  const { address } = await startView(folder, 'large.jsonl')
  expect(address.searchParams.get('id')).toBe('claude-code-begun')
  await vi.waitUntil(async () => !(await readPage(address)).includes('This is the beginning.'), {
    timeout: 40_000,
    interval: 200,
  })
  const search = new URL(`search?in=claude-code-begun&q=${events}`, address)
  search.hash = address.hash
  expect(await readPage(search)).toContain(`1 event with ${events}`)
})

test('promise view: Ctrl-C ends it while a large file is read', async () => {
  const folder = makeFolder({})
  writeLargeSession(join(folder, 'large.jsonl'), 100_000_000)
  const { address, end } = await startView(folder, 'large.jsonl')
  expect(await readPage(address)).toContain('The rest is being read')
  expect(await end()).toBe(0)
})

test('promise view: if a large file is deleted while it is read, the terminal and its page say so, and it is read when it is back', async () => {
  const folder = makeFolder({})
  const file = join(folder, 'large.jsonl')
  writeLargeSession(file, 100_000_000)
  const { address, stderr, end } = await startView(folder, 'large.jsonl')
  rmSync(file)
  const lost = `${file} was deleted or moved while it was read. The pages show only its beginning. If you put it back, it is read again.`
  await vi.waitUntil(() => stderr().includes(lost), { timeout: 20_000, interval: 50 })
  expect(stderr()).not.toContain('ENOENT')
  const page = await readPage(address)
  expect(page).toContain(lost)
  expect(page).toContain('Light lamp 1. It burns.')
  expect(page).not.toContain('is being read')
  const events = writeLargeSession(file, 5_000_000)
  await vi.waitUntil(
    async () => countEvents(await readPage(address)) === events.toLocaleString('en'),
    { timeout: 20_000, interval: 200 },
  )
  expect(await readPage(address)).not.toContain(lost)
  expect(await end()).toBe(0)
})

test('promise view: what is wrong with a file is said in the terminal and on its page', async () => {
  const record = (uuid: string): string =>
    JSON.stringify({
      type: 'user',
      uuid,
      sessionId: 's',
      parentUuid: null,
      timestamp: '2026-05-06T07:00:00Z',
      message: { role: 'user', content: 'Light it.' },
    })
  const folder = makeFolder({ 's.jsonl': `${record('a')}\n{"type":"user","uu\n${record('b')}\n` })
  const torn = 'record 1: 18 bytes at'
  const { address, stderr } = await startView(folder, 's.jsonl')
  expect(await readPage(address)).toContain(torn)
  expect(stderr()).toContain(torn)
  const misread = await startView(folder, 's.jsonl', '--from', 'codex')
  expect(await readPage(misread.address)).toContain('its content is claude-code')
  expect(misread.stderr()).toContain('it was read as codex')
})

test('promise view: the text shown beside a result as the model view is the text that the provider received', async () => {
  const says = (...texts: readonly string[]): string =>
    toToolOutput(texts.map((text) => ({ type: 'text', text })))
  const files = {
    'open.json': says('```js\nlamp()', 'Behind the fence.'),
    'claim.json': says('[The tool call failed.] It did not.'),
    'error.json': toToolOutput([{ type: 'text', text: 'No oil.' }], { isError: true }),
    'nothing.json': toToolOutput([]),
  }
  const names = Object.keys(files).map((file) => file.replace('.json', ''))
  // The calls run one after the other. Of concurrent calls, the first to end would be stored first.
  const model = await startProvider([
    ...names.map((name) => ({ calls: [[name, {}]] as const })),
    { text: 'Done.' },
  ])
  const tools = names.map((name) => tool(name, createPrintCommand(`${name}.json`)))
  const folder = makeFolder({
    ...files,
    'toolblocks.toml': `${model.settings}${tools.join('')}`,
  })
  await toolblocks(folder, 'run', 'Try all.')
  const results = model.results()
  expect(results).toHaveLength(names.length)
  const id = readRows(`${folder}/kept.db`)[0]?.conversation ?? ''
  const { address } = await startView(folder, id)
  address.searchParams.set('model-view', '')
  const page = await readPage(address)
  const beside = [...page.matchAll(/aria-label="Text for the model"[^>]*><pre>(.*?)<\/pre>/gs)]
  const texts = beside.map(([, text = '']) =>
    text
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  )
  expect(texts).toEqual(results)
})

test('promise view: in a browser a person finds a conversation by search, sees the model view beside the table, and sees new events', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const columns = [{ key: 'lamp' }, { key: 'hours', type: 'number' }]
  const rows = [
    { lamp: 'east', hours: 20 },
    { lamp: 'west', hours: 3 },
  ]
  const table = { structuredContent: { kind: 'table', data: { columns, rows } } }
  const content = [{ type: 'text', text: 'Two lamps burn.' }]
  const model = await startProvider([
    { calls: [['lamps', {}]] },
    { text: 'East burns longest.' },
    { text: 'Not yet.' },
  ])
  const folder = makeFolder({
    'lamps.json': toToolOutput(content, table),
    'toolblocks.toml': `${model.settings}${tool('lamps', createPrintCommand('lamps.json'))}`,
  })
  await toolblocks(folder, 'run', 'Which lamp burns longest?')
  const { address } = await startView(folder)
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage()
  await page.goto(address.href)
  await page.getByRole('searchbox').fill('longest')
  await page.keyboard.press('Enter')
  await page.locator('main a[href*="conversation"]').first().click()

  // Each call is open there.
  await page.getByRole('link', { name: 'What the model received' }).click()
  const cells = page.locator('tb-table tbody td:first-child')
  await page.locator('tb-table').getByRole('button', { name: 'hours' }).click()
  expect(await cells.allTextContents()).toEqual(['west', 'east'])
  const received = page.locator('aside').filter({ hasText: 'What the model received' })
  expect(await received.textContent()).toContain('Two lamps burn.')
  expect(await received.textContent()).not.toContain('west')

  await toolblocks(folder, 'run', 'Is it lit?', '--resume')
  await page.getByText('Not yet.').waitFor()
})

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test.for([
  ['nothing', toToolOutput([{ type: 'text', text: '' }])],
  ['picture', toToolOutput([{ type: 'image', data: PICTURE, mimeType: 'image/png' }])],
])(
  'promise view: for %s the text beside a result and in --model-view is the text that the provider received',
  async ([, printed = '']) => {
    const model = await startProvider([{ calls: [['tell', {}]] }, { text: 'Done.' }])
    const folder = makeFolder({
      'tell.json': printed,
      'toolblocks.toml': `${model.settings}${tool('tell', createPrintCommand('tell.json'))}`,
    })
    await toolblocks(folder, 'run', 'Tell.')
    const id = readRows(`${folder}/kept.db`)[0]?.conversation ?? ''
    const { address } = await startView(folder, id)
    address.searchParams.set('model-view', '')
    const page = await readPage(address)
    const [, beside = ''] =
      /aria-label="Text for the model"[^>]*><pre>(.*?)<\/pre>/s.exec(page) ?? []
    expect([beside.replaceAll('&#39;', "'")]).toEqual(model.results())
    const called = await toolblocks(folder, 'call', 'tell', '--model-view')
    expect([called.stdout.trimEnd()]).toEqual(model.results())
  },
)

test('promise view: a large file whose bytes are no text has no conversations, and that is said', async () => {
  const folder = makeFolder({})
  writeFileSync(join(folder, 'bytes.jsonl'), Buffer.alloc(60_000_000, 0xfe))
  const view = await startView(folder, 'bytes.jsonl')
  await expect.poll(view.stderr, { timeout: 30_000 }).toContain('no conversations that can be read')
  expect(await view.end()).toBe(2)
})
