import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BROWSER, NO_BROWSER, type Page, startBrowser } from '../stage/browser.ts'
import { keepPicture, startExample } from '../stage/example-app.ts'
import { type ProviderResponse, startProvider } from '../stage/provider.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../examples')

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

/** A provider without streams, for a host that reads complete responses. Returns its address and the messages of each request. */
async function startPlainProvider(): Promise<{ url: string; requests: { messages: object[] }[] }> {
  const requests: { messages: object[] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      requests.push(JSON.parse(body))
      const { text = '', calls = [] } = RESPONSES[requests.length - 1] ?? {}
      const toolCalls = calls.map(([name, values], index) => ({
        id: `call_${requests.length}_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(values) },
      }))
      const message = {
        role: 'assistant',
        content: text,
        ...(calls.length > 0 && { tool_calls: toolCalls }),
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests }
}

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
  await page.getByRole('button', { name: 'Allow this call' }).press('Space')
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
  await keepPicture(page, name)
  return page
}

test('promise example applications: a chat of the AI SDK asks for a decision and for a form, and shows a table, a picture and a diff', async ({
  skip,
}) => {
  skip(BROWSER === undefined, NO_BROWSER)
  const provider = await startProvider(RESPONSES)
  await book(await startExample('ai-sdk-chat', { MODEL_URL: provider.url }), 'app-ai-sdk')
  expect(provider.requests).toHaveLength(3)
  expect(JSON.stringify(provider.requests[1])).toContain('data:image/png;base64,')
  expect(provider.results().at(-1)).toContain('berth 2: Petrel')
})

test('promise example applications: a chat of the agent does the same without the AI SDK', async ({
  skip,
}) => {
  skip(BROWSER === undefined, NO_BROWSER)
  const { url, requests } = await startPlainProvider()
  const page = await book(await startExample('agent-chat', { MODEL_URL: url }), 'app-agent')
  expect(requests).toHaveLength(3)
  expect(JSON.stringify(requests[1])).toContain('data:image/png;base64,')
  expect(JSON.stringify(requests[2]?.messages.at(-1))).toContain('berth 2: Petrel')
  await page.reload()
  await page.locator('strong', { hasText: 'Booked' }).waitFor()
})
test.for<[string, number]>([
  ['ai-sdk-chat', 150],
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
