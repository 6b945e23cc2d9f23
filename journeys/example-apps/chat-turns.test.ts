import { expect, test } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER } from '../stage/browser.ts'
import { startExample } from '../stage/example-app.ts'
import { startProvider } from '../stage/provider.ts'
import { openChat, openPage, say, startBooking, startPlainProvider } from './chats.support.ts'

test('promise example applications: a chat of the AI SDK sends no message while a decision or an answer waits, and says what the person does first', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const provider = await startBooking()
  const address = await startExample('ai-sdk-chat', { MODEL_URL: provider.url })
  const page = await openPage(address, 'Book berth 2 for ann.')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await page.getByText('Decide about the call above first.').waitFor()
  await say(page, 'And what else?')
  expect(await send.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Allow this call' }).click()
  await page.getByText('Answer the question above first.').waitFor()
  expect(await send.isDisabled()).toBe(true)
  await page.getByLabel('Name of the boat').fill('Petrel')
  await page.getByLabel('Yes').check()
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('Done for ann.').waitFor()
  expect(provider.requests).toHaveLength(2)
  expect(await page.getByText('above first').count()).toBe(0)
  await say(page, 'Book berth 3 for ann.')
  await page.getByRole('button', { name: 'Allow this call' }).waitFor()
})

test('promise example applications: a page that sends a message while a decision waits does not break its chat of the AI SDK, and the call is not executed', async () => {
  const provider = await startProvider((messages) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Nothing is booked.' }
      : { calls: [['book_berth', { berth: 2 }]] },
  )
  const address = await startExample('ai-sdk-chat', { MODEL_URL: provider.url })
  const { seen, sendMore } = await openChat(address, 'ann', 2)
  await sendMore('And what else?')
  expect(JSON.stringify(seen.at(-1))).toContain('Nothing is booked.')
  expect(provider.results()).toEqual([expect.stringContaining('was not executed')])
})

test.for([
  ['does not answer', 'http://127.0.0.1:9/v1', true],
  ['refuses the request', undefined, false],
] as const)(
  'promise example applications: a chat of the AI SDK whose model %s says so, names the settings only if no model answers, and lets another message be sent',
  async ([, url, isAdvised], { skip }) => {
    skip(SKIPS_BROWSER, NO_BROWSER)
    const provider = await startProvider([{ status: 400 }])
    const address = await startExample('ai-sdk-chat', { MODEL_URL: url ?? provider.url })
    const page = await openPage(address, 'Hello?')
    const alert = page.getByRole('alert')
    await alert.waitFor({ timeout: 20_000 })
    expect((await alert.innerText()).includes('Start Ollama')).toBe(isAdvised)
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true)
  },
)

test('promise example applications: with two pages, a chat of the agent shows each message at once, and each turn below its own message', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { url } = await startPlainProvider([
    { calls: [['book_berth', { berth: 2 }]] },
    { text: 'The berth is booked.' },
    { text: 'We just talk.' },
  ])
  const address = await startExample('agent-chat', { MODEL_URL: url })
  const first = await openPage(address, 'Book berth 2.')
  const allow = first.getByRole('button', { name: 'Allow this call' })
  await allow.waitFor()
  const second = await openPage(address, 'Just talk.')
  for (const page of [first, second]) await page.getByText('Just talk.').waitFor()
  await allow.click()
  await first.getByLabel('Name of the boat').fill('Petrel')
  await first.getByLabel('Yes').check()
  await first.getByRole('button', { name: 'Send answer' }).click()
  for (const page of [first, second]) {
    await page.getByText('We just talk.').waitFor()
    const text = await page.locator('main').innerText()
    const order = [
      'Book berth 2.',
      'Who comes to berth 2?',
      'The berth is booked.',
      'Just talk.',
      'We just talk.',
    ].map((each) => text.indexOf(each))
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  }
})

test('promise example applications: a chat of the agent asks about each of two calls that a model makes at once', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { url } = await startPlainProvider([
    {
      calls: [
        ['book_berth', { berth: 2 }],
        ['book_berth', { berth: 4 }],
      ],
    },
    { text: 'It is not booked.' },
  ])
  const page = await openPage(await startExample('agent-chat', { MODEL_URL: url }), 'Book two.')
  for (const berth of [2, 4]) {
    const reason = page.getByLabel('Reason for a denial')
    await expect.poll(async () => await reason.count()).toBe(1)
    await reason.fill(`Berth ${berth} is too shallow.`)
    await page.keyboard.press('Enter')
    await page.getByText(`Berth ${berth} is too shallow.`).first().waitFor()
  }
  await page.getByText('It is not booked.').waitFor()
})
