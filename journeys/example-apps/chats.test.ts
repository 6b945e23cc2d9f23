import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER, type Page, startBrowser } from '../stage/browser.ts'
import { findFreePort } from '../stage/free-ports.ts'
import { keepPicture, startExample } from '../stage/example-app.ts'
import { type ProviderResponse, startProvider } from '../stage/provider.ts'
import { openChat, openPage, say, startBooking, startPlainProvider } from './chats.support.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../examples')

const post = async (url: string, sent: object): Promise<unknown> =>
  await (await fetch(url, { method: 'POST', body: JSON.stringify(sent) })).json()

/** What the model says: it looks, books, and then says so. */
const RESPONSES: readonly ProviderResponse[] = [
  {
    text: 'I look at the pier.',
    calls: [
      ['list_berths', {}],
      ['show_pier', {}],
    ],
  },
  { text: 'Berth 2 is free.', calls: [['book_berth', { berth: 2 }]] },
  { text: '**Booked** for three nights.' },
]

/** Talks to the chat as a person does, with the keyboard. */
async function book(address: string, name: string): Promise<Page> {
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  await page.getByLabel('Message').fill('Book a free berth.')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Heron' }).waitFor()
  await page.locator('figure img').waitFor()
  await seesButton(page, 'Allow this call')
  await page.getByRole('button', { name: 'Allow this call' }).press('Space')
  await seesButton(page, 'Send answer')
  await page.getByLabel('Name of the boat').fill('Petrel')
  await page.getByLabel('Nights').fill('none')
  await page.getByLabel('Yes').check()
  await page.getByLabel('Nights').press('Enter')
  await page.getByText('expected a whole number, for example 3').waitFor()
  if (name === 'app-ai-sdk') {
    await page.emulateMedia({ colorScheme: 'dark' })
    await keepPicture(page, 'app-form')
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.getByLabel('Nights').fill('3')
  await page.getByLabel('Nights').press('Enter')
  await page.locator('.tb-diff .tb-added').waitFor()
  await page.locator('strong', { hasText: 'Booked' }).waitFor()
  expect(await page.locator('.tb-diff .tb-added').innerText()).toContain('Petrel')
  expect(complaints).toEqual([])
  for (const [width, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await keepPicture(page, `${name}-${width}-${colorScheme}`)
    }
  }
  return page
}

const SIZES = { wide: { width: 1000, height: 720 }, phone: { width: 390, height: 720 } }

/** Waits until a button is in the window, above the field of the chat. */
async function seesButton(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  await button.waitFor()
  const input = page.getByLabel('Message')
  await expect
    .poll(async () => {
      const [box, field] = [await button.boundingBox(), await input.boundingBox()]
      return box && field && box.y > 0 && box.y + box.height <= field.y
    })
    .toBe(true)
}

test('promise example applications: a chat of the AI SDK asks for a decision and for a form, and shows a table, a picture and a diff', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const provider = await startProvider(RESPONSES)
  await book(await startExample('ai-sdk-chat', { MODEL_URL: provider.url }), 'app-ai-sdk')
  expect(provider.requests).toHaveLength(3)
  expect(JSON.stringify(provider.requests[1])).toContain('data:image/png;base64,')
  expect(provider.results().at(-1)).toContain('berth 2: Petrel')
})

test('promise example applications: a chat of the agent does the same without the AI SDK', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { url, requests } = await startPlainProvider(RESPONSES)
  const page = await book(await startExample('agent-chat', { MODEL_URL: url }), 'app-agent')
  expect(requests).toHaveLength(3)
  expect(JSON.stringify(requests[1])).toContain('data:image/png;base64,')
  expect(JSON.stringify(requests[2]?.messages.at(-1))).toContain('berth 2: Petrel')
  await page.reload()
  await page.locator('strong', { hasText: 'Booked' }).waitFor()
})

test('promise example applications: in a chat of the agent, the reason of a denial reaches the model, and a later decision does not count', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { url, requests } = await startPlainProvider([
    { calls: [['book_berth', { berth: 2 }]] },
    { text: 'It is not booked.' },
  ])
  const address = await startExample('agent-chat', { MODEL_URL: url })
  const page = await openPage(address, 'Book berth 2.')
  await page.getByLabel('Reason for a denial').fill('The berth is too shallow.')
  await page.keyboard.press('Enter')
  await page.getByText('It is not booked.').waitFor()
  expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('The berth is too shallow.')
  expect(await post(`${address}reply`, { id: 'call_1_0', approved: true })).toEqual({
    refused: 'nothing waits for it any more.',
  })
  expect(requests).toHaveLength(2)
})

/** Reads the stream of a page of the chat of the agent: the parts of the messages, each time that they change. */
async function* readParts(address: string): AsyncGenerator<Record<string, unknown>[]> {
  const { body } = await fetch(`${address}messages`)
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const messages: { parts: Record<string, unknown>[] }[] = JSON.parse(
        event.slice('data: '.length),
      )
      yield messages.flatMap(({ parts }) => parts)
    }
  }
}

/** Lets the model ask for a booking, decides about it, and returns what the pages then show of the decision. */
async function decideBooking(address: string, decision: object): Promise<unknown> {
  for await (const parts of readParts(address)) {
    const { state, approval } = parts.findLast(({ type }) => type === 'dynamic-tool') ?? {}
    // A turn whose call asks a question ends with its server.
    if (parts.length === 0) void post(`${address}say`, { text: 'Book it.' }).catch(() => {})
    if (state === 'approval-requested')
      await post(`${address}reply`, { id: 'call_1_0', ...decision })
    if (state === 'approval-responded') return approval
  }
  return undefined
}

test.for([{ approved: true }, { approved: false, reason: 'The berth is too shallow.' }])(
  'promise example applications: every page of a chat of the agent shows what a person has decided about a call, before its result: %j',
  async (decision) => {
    const { url } = await startPlainProvider([
      { calls: [['book_berth', { berth: 1 }]] },
      { text: 'Done.' },
    ])
    const address = await startExample('agent-chat', { MODEL_URL: url })
    const expected = { id: 'call_1_0', reason: 'no reason given', ...decision }
    expect(await decideBooking(address, decision)).toEqual(expected)
  },
)

/** Opens the chat, lets the model ask for the booking, allows it, and fills in the form of its question. */
async function fillIn(address: string): Promise<Page> {
  const page = await openPage(address, 'Book a free berth.')
  await page.getByRole('button', { name: 'Allow this call' }).press('Space')
  await page.getByLabel('Name of the boat').fill('Petrel')
  await page.getByLabel('Yes').check()
  return page
}

const FORMS = [
  ['ai-sdk-chat', '**/answer'],
  ['agent-chat', '**/reply'],
] as const

test.for(FORMS)(
  'promise example applications: %s says that an answer was not sent if its server fails, and it can be sent again',
  async ([name, path], { skip }) => {
    skip(SKIPS_BROWSER, NO_BROWSER)
    const { url } =
      name === 'agent-chat' ? await startPlainProvider(RESPONSES) : await startProvider(RESPONSES)
    const page = await fillIn(await startExample(name, { MODEL_URL: url }))
    await page.route(path, async (route) => await route.fulfill({ status: 503, json: {} }))
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('The answer was not sent. Try again.').waitFor()
    await page.unroute(path)
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.locator('strong', { hasText: 'Booked' }).waitFor()
    expect(await page.locator('.tb-diff .tb-added').innerText()).toContain('Petrel')
  },
)

test('promise example applications: a chat of the AI SDK shows why its server has refused an answer, and it can be corrected', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const provider = await startProvider(RESPONSES)
  const page = await fillIn(await startExample('ai-sdk-chat', { MODEL_URL: provider.url }))
  // The form checks what a person types, so the answer is changed on its way.
  await page.route('**/answer', async (route) => {
    const { answer, ...sent } = JSON.parse(route.request().postData() ?? '')
    const value = { ...answer.value, boat: 'P' }
    await route.continue({ postData: JSON.stringify({ ...sent, answer: { ...answer, value } }) })
  })
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('expected at least 2 characters').waitFor()
  await page.unroute('**/answer')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.locator('strong', { hasText: 'Booked' }).waitFor()
  expect(await page.locator('.tb-diff .tb-added').innerText()).toContain('Petrel')
})

test('promise example applications: a chat of the AI SDK counts the first valid answer to a question of its own conversation, and says why another one does not count', async () => {
  const provider = await startBooking()
  const address = await startExample('ai-sdk-chat', { MODEL_URL: provider.url })
  const ann = await openChat(address, 'ann', 2)
  const bob = await openChat(address, 'bob', 4)
  const running = [ann, bob].map(async ({ decide }) => await decide({ approved: true }))
  await expect
    .poll(() => [ann, bob].map((chat) => chat.findQuestion()?.state), { timeout: 15_000 })
    .toEqual(['open', 'open'])
  const [ofAnn, ofBob] = [ann, bob].map((chat) => chat.findQuestion()?.id)
  const answer = async (conversation: string, id: string | undefined, boat: string) =>
    await post(`${address}answer`, {
      conversation,
      id,
      answer: { action: 'accept', value: { boat, nights: 1, power: false } },
    })
  const unknown = { refused: 'the question does not exist in this conversation.' }
  expect(await answer('bob', ofAnn, 'boat of bob')).toEqual(unknown)
  expect(await answer('bob', ofBob, 'b')).toMatchObject([
    { path: '/boat', message: expect.any(String) },
  ])
  expect(await answer('bob', ofBob, 'boat of bob')).toEqual([])
  await running[1]
  expect(ann.findQuestion()?.state).toBe('open')
  expect(await answer('bob', ofBob, 'later boat')).toEqual({
    refused: 'the question was answered before, or is not asked any more.',
  })
  expect(await answer('ann', ofAnn, 'boat of ann')).toEqual([])
  await running[0]
  expect(await answer('bob', ofAnn, 'boat of bob')).toEqual(unknown)
  for (const [own, other, chat] of [
    ['ann', 'bob', ann],
    ['bob', 'ann', bob],
  ] as const) {
    expect(JSON.stringify(chat.seen)).not.toContain(`for ${other}`)
    expect(JSON.stringify(chat.seen.at(-1))).toContain(`Done for ${own}.`)
  }
  expect(JSON.stringify(ann.seen)).toContain('berth 2: boat of ann')
  expect(JSON.stringify(bob.seen)).not.toContain('boat of ann')
})

/** Opens the chat, lets the model ask for the booking, and denies it. */
async function deny(address: string): Promise<Page> {
  const page = await openPage(address, 'Book berth 2 for ann.')
  await page.getByLabel('Reason for a denial').fill('The berth is too shallow.')
  await page.keyboard.press('Enter')
  await page.getByText('Done for ann.').waitFor()
  return page
}

test('promise example applications: in a chat of the AI SDK, the reason of a denial reaches the model, and nothing is booked', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const provider = await startBooking()
  const page = await deny(await startExample('ai-sdk-chat', { MODEL_URL: provider.url }))
  expect(provider.results()).toEqual([expect.stringContaining('The berth is too shallow.')])
  expect(await page.getByText('berth 2: free').count()).toBe(0)
  expect(await page.getByText('Reason: The berth is too shallow.').count()).toBe(1)
})

test.for(['ai-sdk-chat', 'agent-chat'])(
  'promise example applications: %s says what to do if its model or its server does not answer, and nothing is left in the console',
  async (name, { skip }) => {
    skip(SKIPS_BROWSER, NO_BROWSER)
    const port = await findFreePort()
    const address = await startExample(name, { MODEL_URL: `http://127.0.0.1:${port}/v1` })
    const browser = await startBrowser()
    onTestFinished(async () => await browser.close())
    const page = await browser.newPage()
    const thrown: string[] = []
    page.on('pageerror', (error) => thrown.push(error.message))
    await page.goto(address)
    await say(page, 'Hello.')
    if (name === 'ai-sdk-chat') await page.getByText('Waiting for the model').waitFor()
    const failure = page.getByText('Start Ollama, or set MODEL_URL and MODEL.')
    await failure.waitFor()
    expect(await failure.innerText()).not.toMatch(/Error/)
    await page.route('**', async (route) => await route.abort())
    await say(page, 'Hello again.')
    await page.getByRole('alert').waitFor()
    expect(thrown).toEqual([])
  },
)

test.for<[string, number]>([
  ['ai-sdk-chat', 170],
  ['agent-chat', 200],
])('promise example applications: %s has at most %i lines besides its tools', ([name, most]) => {
  const folder = join(EXAMPLES, name)
  const files = readdirSync(folder).filter((file) => /\.(?:tsx?|html|css)$/.test(file))
  const lines = files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'),
  )
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.length).toBeLessThanOrEqual(most)
})
