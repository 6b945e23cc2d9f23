import { listPendingQuestions } from '@toolblocks/inquiry/pending'
import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { getPendingOptions } from './get-pending-options.ts'
import {
  call,
  createAsker,
  go,
  listOpen,
  openMemory,
  signal,
  startHost,
  sure,
  text,
} from './waiting.support.ts'

/** A tool whose server asks while the call runs, and cannot be asked again. */
const deploy: Tool = {
  name: 'deploy',
  inputSchema: { type: 'object' },
  execute: async (toolCall, { ask, signal: ending }) => {
    const source = { kind: 'elicitation', call: toolCall, server: 'ops' } as const
    const answer = await ask?.(sure, { blocks: [], source, signal: ending })
    return createSuccessResult([text(answer?.action ?? 'nobody')])
  },
}

const unattended = (tool: Tool) => ({ tool, policy: 'unattended' }) as const

/** A host whose turn waits for an answer, and how its lease is held. */
async function startWaiting(
  tool: Tool,
  durationMs?: number,
): Promise<{
  store: Awaited<ReturnType<typeof openMemory>>
  turn: Promise<unknown>
  end: () => void
}> {
  const store = await openMemory()
  const ending = new AbortController()
  const host = await startHost(store, {
    says: [{ text: '', calls: [call(tool.name)] }],
    tools: [unattended(tool)],
    waiting: {},
    host: { holder: 'one', ...(durationMs !== undefined && { durationMs }) },
  })
  const turn = host.runTurn(go, { signal: AbortSignal.any([signal, ending.signal]) })
  await expect.poll(async () => (await listOpen(store)).length).toBe(1)
  return { store, turn, end: () => ending.abort() }
}

test('a question that cannot be asked again is open while its host runs the turn, and withdrawn once the host is gone', async () => {
  const { store, turn, end } = await startWaiting(deploy)
  const gone = new Set<string>()
  // A page has the same options as long as it is served.
  const options = getPendingOptions(store.documents, { isGone: (holder) => gone.has(holder) })
  const listed = await listPendingQuestions({}, options)
  expect(listed.questions).toMatchObject([{ state: 'open', host: 'one', isRepeatable: false }])
  gone.add('one')
  expect((await listPendingQuestions({}, options)).questions).toMatchObject([
    { state: 'withdrawn', settled: { by: 'lease' } },
  ])
  end()
  expect(await turn).toBe('aborted')
})

test('of a host on another machine that does not renew its lease, the question is withdrawn after the duration', async () => {
  const { store, turn, end } = await startWaiting(deploy, 60_000)
  const others = getPendingOptions(
    // As a host that was stopped: its last renewal is long ago.
    {
      ...store.documents,
      read: async (collection, id) => {
        const document = await store.documents.read(collection, id)
        return document && { ...document, at: '2020-01-01T00:00:00.000Z' }
      },
    },
    { durationMs: 100 },
  )
  const [first, second] = await Promise.all([
    listPendingQuestions({ state: 'open' }, others),
    listPendingQuestions({ state: 'open' }, others),
  ])
  expect([first.questions, second.questions]).toEqual([[], []])
  end()
  expect(await turn).toBe('aborted')
})

test('a question whose call can be made again stays open without its host', async () => {
  const { tool } = createAsker('delete', [sure])
  const { store, turn, end } = await startWaiting(tool)
  const gone = getPendingOptions(store.documents, { isGone: () => true })
  const [question] = (await listPendingQuestions({ state: 'open' }, gone)).questions
  expect(question).toMatchObject({ isRepeatable: true })
  expect(question && (await gone.isAsked(question))).toBe(false)
  end()
  await turn
})
