import { formatBlocks } from '@toolblocks/formatter'
import type { Answer } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { shareScreen } from './share-screen.ts'

const call = { id: 'a', name: 'look', arguments: {} }
const request = { id: 'q', text: 'Sure?', schema: true } as const
const context = {
  blocks: [],
  source: { kind: 'question', call },
  signal: new AbortController().signal,
} as const

test('a call is shown after the open prompt has closed, and before the next one opens', async () => {
  const seen: string[] = []
  const open = Promise.withResolvers<Answer>()
  const { people, showing } = shareScreen({
    user: async ({ id }) => {
      seen.push(`asked ${id}`)
      return await open.promise
    },
  })
  const show = showing(({ type }) => void seen.push(type))
  const first = people.user?.(request, context)
  const shownCall = show({ type: 'call', call })
  const second = people.user?.({ ...request, id: 'r' }, context)
  await new Promise(setImmediate)
  expect(seen).toEqual(['asked q'])
  open.resolve({ action: 'decline' })
  await Promise.all([first, shownCall, second])
  expect(seen).toEqual(['asked q', 'call', 'asked r'])
})

test('text of the model is shown at once', async () => {
  const seen: string[] = []
  const { showing } = shareScreen({})
  const show = showing(({ type }) => void seen.push(type))
  void show({ type: 'text', text: 'Hm.' })
  expect(seen).toEqual(['text'])
})

test('a live call that waits for the person is shown by the prompt, or by the turn if no question is asked', async () => {
  const seen: string[] = []
  const { people, showing } = shareScreen({
    user: async ({ id }) => {
      seen.push(`asked ${id}`)
      return { action: 'decline' }
    },
  })
  const show = showing(({ type }) => void seen.push(type))
  const result = {
    content: [],
    isError: false,
    metadata: { handle: { id: 'h', status: 'waiting', asks: 'user' } },
  } as const
  const delivered = { text: formatBlocks([]), event: { type: 'delivery', deliveries: [] } } as const
  const waiting = { type: 'result', call, result, milliseconds: 1, delivered } as const
  await show(waiting)
  await people.user?.(request, { ...context, source: { kind: 'handle', call, handle: 'h' } })
  await show({ type: 'asking' })
  expect(seen).toEqual(['asked q', 'asking'])
  await show(waiting)
  await show({ type: 'asking' })
  expect(seen.slice(2)).toEqual(['result', 'asking'])
})
