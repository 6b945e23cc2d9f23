import { openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { serveViewer } from '../src/serve-viewer.ts'
import { park } from '../src/pending.support.ts'
import { recordUse, servedTo } from '../src/use/use.support.ts'
import { findBarriers, NO_BROWSER, SKIPS_BROWSER, startBrowser } from './browser.support.ts'

test('the page of the use has no barriers, fits on a narrow screen, and works without scripts', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const store = await openStore('memory:')
  const now = Date.now()
  const calls = [
    { tool: 'github__create_pull_request_with_a_long_name', took: 400 },
    {
      tool: 'github__create_pull_request_with_a_long_name',
      took: 93_000,
      outcome: 'timeout' as const,
    },
    { tool: 'fs_read', took: 30 },
    { tool: 'fs_read', took: 80, outcome: 'denied' as const },
  ]
  await recordUse(store, 'one', { values: servedTo('Ann Example'), at: now - 7_200_000, calls })
  const values = { command: 'serve', client: { name: 'codex-mcp-client' } }
  await recordUse(store, 'two', { values, at: now - 3_600_000, calls })
  await park(store, { kind: 'approval', tool: 'sweep', values: { room: 'hall' } })
  const view = await serveViewer({ store, name: 'postgres://db/tools', options: {} })
  const browser = await startBrowser()
  onTestFinished(async () => {
    await browser.close()
    await view.close()
    await store.close()
  })
  for (const [colorScheme, width] of [
    ['light', 1200],
    ['dark', 360],
  ] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
    const page = await context.newPage()
    await page.goto(view.getUrl('use'))
    await page.getByRole('heading', { name: 'Failures' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const beyond = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
    expect(beyond).toBe(0)
  }
  const [signedIn] = browser.contexts()
  const plain = await browser.newContext({ javaScriptEnabled: false })
  await plain.addCookies((await signedIn?.cookies()) ?? [])
  const still = await plain.newPage()
  await still.goto(view.getUrl('use'))
  await still.getByRole('link', { name: '7 days' }).click()
  await still.getByRole('link', { name: 'Failures' }).click()
  expect(new URL(still.url()).search).toBe('?since=7d&sort=failures')
})
