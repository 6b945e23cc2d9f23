import { getEventListeners } from 'node:events'
import {
  type Answer,
  createSuccessResult,
  type ToolContext,
  type ToolResult,
  readStatus,
} from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { getContext } from '../testing/servers.support.ts'
import { spawnCall } from './spawn-call.ts'

const { signal } = new AbortController()
const text = (value: string): ToolResult => createSuccessResult([{ type: 'text', text: value }])
const summarize = (result: ToolResult): unknown => [
  readStatus(result),
  ...result.content.map((block) => (block.type === 'text' ? block.text : block.type)),
]

/** Starts a call that the test controls. */
function start(run: (context: ToolContext, go: Promise<void>) => Promise<ToolResult>) {
  const { promise, resolve: go } = Promise.withResolvers<void>()
  return { go, live: spawnCall(async (context) => await run(context, promise), getContext()) }
}

test('a live call reports its progress, ends by itself, and returns its result once', async () => {
  const { live, go } = start(async ({ onProgress }, gone) => {
    onProgress?.({ progress: 1, total: 2, message: 'half' })
    await gone
    return text('done')
  })
  expect(summarize(live.started)).toEqual(['running', '1/2 half'])
  const next = live.fetch({ signal })
  go()
  expect(summarize(await next)).toEqual(['stopped', 'done'])
  expect(summarize(await live.fetch({ signal }))).toEqual(['stopped'])
  expect((await live.apply({ input: 1 }, { signal })).isError).toBe(true)
})

test('it waits for an answer to the server’s question, and continues with it', async () => {
  const { live } = start(async ({ ask }) => {
    const source = { kind: 'elicitation', server: 's' } as const
    const request = { id: 'who', text: 'Who?', schema: { type: 'string' } }
    const answer: Answer | undefined = await ask?.(request, { blocks: [], source, signal })
    return text(JSON.stringify(answer))
  })
  expect(summarize(live.started)).toEqual(['waiting', 'question'])
  expect(summarize(await live.apply({ input: 'x' }, { signal }))).toEqual([
    'waiting',
    'It waits for an answer.',
  ])
  expect(summarize(await live.apply({ answers: { who: 'Ann' } }, { signal }))).toEqual([
    'stopped',
    '{"action":"accept","value":"Ann"}',
  ])
})

test('it outlives the call that started it, and ends with abort', async () => {
  const first = new AbortController()
  const live = spawnCall(
    async (context) =>
      await new Promise((resolve) =>
        context.signal.addEventListener('abort', () => resolve(text('aborted')), { once: true }),
      ),
    getContext({ signal: first.signal }),
  )
  first.abort()
  expect(summarize(await live.fetch({ signal: AbortSignal.timeout(10) }))).toEqual(['running'])
  expect(summarize(await live.abort())).toEqual(['stopped', 'aborted'])
  expect(summarize(await live.abort())).toEqual(['stopped'])
})

const countTimers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('waiting for news leaves no timer that keeps the process alive, and no listener at the caller', async () => {
  const { live, go } = start(async (_context, gone) => {
    await gone
    return text('done')
  })
  const before = countTimers()
  const caller = new AbortController()
  const news = live.fetch({ signal: caller.signal })
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1)
  go()
  expect(summarize(await news)).toEqual(['stopped', 'done'])
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
  expect(countTimers()).toBe(before)
})

test('abort and an answer wait for what the call does next', async () => {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const steps: string[] = []
  const { live } = start(async (context) => {
    context.signal.addEventListener('abort', () => abort(), { once: true })
    const source = { kind: 'elicitation', server: 's' } as const
    const request = { id: 'who', text: 'Who?', schema: { type: 'string' } }
    await context.ask?.(request, { blocks: [], source, signal })
    await new Promise(setImmediate)
    context.onProgress?.({ message: 'thanks' })
    await aborted
    await over
    steps.push('ended')
    return text('aborted')
  })
  expect(summarize(await live.apply({ answers: { who: 'Ann' } }, { signal }))).toEqual([
    'running',
    'thanks',
  ])
  const last = live.abort().then((result) => {
    steps.push('returned')
    return result
  })
  await aborted
  await new Promise(setImmediate)
  expect(steps).toEqual([])
  end()
  expect(summarize(await last)).toEqual(['stopped', 'aborted'])
  expect(steps).toEqual(['ended', 'returned'])
})
