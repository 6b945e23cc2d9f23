import { createScriptedModel } from '@toolblocks/agent'
import { openStore } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { serveViewer } from '@toolblocks/viewer'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { workUnattended } from '../../examples/unattended/work-unattended.ts'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { keepPicture } from '../stage/example-app.ts'
import { makeFolder } from '../stage/folder.ts'

const HOUR = 3_600_000

test('promise example applications: a decision and a form of an unattended agent are answered an hour later each, on a phone', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-06T02:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const store = await openStore(`sqlite:${join(makeFolder({}), 'harbour.db')}`)
  const view = await serveViewer({
    store,
    name: 'harbour',
    options: {},
    answers: { describeNext: async () => 'The agent continues now.' },
  })
  const browser = await startBrowser()
  onTestFinished(async () => {
    await browser.close()
    await view.close()
    await store.close()
  })
  const model = createScriptedModel([
    { text: '', calls: [{ id: 'call-1', name: 'book_berth', arguments: { berth: 2 } }] },
    { text: 'The berth is booked.', calls: [] },
  ])
  const questions: PendingQuestion[] = []
  const working = workUnattended('Book berth 2.', {
    store,
    model,
    notify: (question) => void questions.push(question),
    signal: AbortSignal.timeout(60_000),
  })
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })

  await expect.poll(() => questions.map(({ kind }) => kind)).toEqual(['approval'])
  vi.setSystemTime(Date.now() + HOUR)
  await page.goto(view.getUrl(`question?id=${questions[0]?.id}`))
  await page.getByText('asked 1 hour ago').waitFor()
  await page.getByRole('button', { name: 'Allow this call' }).click()
  await page.getByText('Allowed on a page.').waitFor()

  await expect.poll(() => questions.map(({ kind }) => kind)).toEqual(['approval', 'question'])
  vi.setSystemTime(Date.now() + HOUR)
  await page.goto(view.getUrl(`question?id=${questions[1]?.id}`))
  await page.getByLabel('Name of the boat').fill('Petrel')
  await page.getByLabel('Nights').fill('3')
  await page.getByLabel('No', { exact: true }).check()
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
  await keepPicture(page, 'app-phone')
  await page.getByRole('button', { name: 'Send answer' }).click()
  expect(await working).toBe('The berth is booked.')
  await page.goto(view.getUrl('conversation?id=night'))
  await page.getByText('berth 2: Petrel').waitFor({ state: 'attached' })
})
