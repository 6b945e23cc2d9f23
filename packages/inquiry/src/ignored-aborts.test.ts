import { PORT_GRACE_MS, TOOL_GRACE_MS } from '@toolblocks/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asking, call, confirm, context, done, text, toolOf, wordsOf } from './inquiry.suite.ts'
import { type InquiryOptions, runInquiry } from './run-inquiry.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const never = async (): Promise<never> => await new Promise(() => {})
const asks = asking(text('plan'), confirm('go'))

/** What an inquiry comes to whose signal aborts, and in which somebody never settles. */
async function runAborted(execute: () => Promise<typeof done>, more: Partial<InquiryOptions>) {
  const host = new AbortController()
  const tool = { ...toolOf(() => done), execute }
  const running = runInquiry(tool, call, {
    ...more,
    context: { ...context, ...more.context, signal: host.signal },
  })
  await vi.advanceTimersByTimeAsync(10)
  host.abort()
  await vi.advanceTimersByTimeAsync(Math.max(PORT_GRACE_MS, TOOL_GRACE_MS))
  return await running
}

test('a tool that does not end is left, and that is said', async () => {
  const result = await runAborted(never, {})
  expect(result).toMatchObject({
    id: call.id,
    isError: true,
    metadata: {
      outcome: 'cancelled',
      warnings: [{ path: '', code: 'not-settled', message: expect.stringContaining('"edit"') }],
    },
  })
  expect(wordsOf(result)).toBe('The call of "edit" was cancelled, and the tool did not end.')
})

test('who was asked and does not answer is left, and that is said', async () => {
  const result = await runAborted(async () => asks, {
    context: { ...context, ask: { user: never } },
  })
  expect(result).toMatchObject({
    isError: true,
    metadata: {
      outcome: 'cancelled',
      warnings: [{ code: 'not-settled', message: expect.stringContaining('"go" (user)') }],
    },
  })
})
