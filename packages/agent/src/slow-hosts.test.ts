import { openStore } from '@toolblocks/conversation-store'
import { createSuccessResult, type ToolCall } from '@toolblocks/protocol'
import { MAX_KEPT_CALLS_PER_MESSAGE } from '@toolblocks/protocol/internal'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Model, ModelError } from './model.ts'
import { openConversation } from './open-conversation.ts'
import { resumeTurn, runTurn, type TurnEvent, type TurnOptions } from './run-turn.ts'

/** Longer than anything that a turn does here. Timers end in the order of their times. */
const SLOW_MS = 15

const call = (id: string): ToolCall => ({ id, name: 'read', arguments: {} })
const GO = [{ type: 'text', text: 'Go.' }] as const

/** What a turn does one after the other. A step that begins during another one came too early. */
function watchSteps() {
  const open: string[] = []
  const early: string[] = []
  const done: string[] = []
  return {
    early,
    done,
    take: async (name: string, ms = 0): Promise<void> => {
      early.push(...open.map((before) => `${name} during ${before}`))
      open.push(name)
      if (ms > 0) await wait(ms)
      open.splice(open.indexOf(name), 1)
      done.push(name)
    },
  }
}

type Steps = ReturnType<typeof watchSteps>

/** A turn in which everything happens that a host can show: a retry, two calls, a question of a live call, a call that waits, and too many calls. */
async function openTurn(
  steps: Steps,
  slow: string,
  omitted: number,
): Promise<{ parts: TurnOptions; show: (event: TurnEvent) => Promise<void> }> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const msOf = (name: string): number => (name === slow ? SLOW_MS : 0)
  let requests = 0
  const model: Model = async function* say() {
    await steps.take('model')
    requests += 1
    if (requests === 1) throw new ModelError('unavailable', 'busy', { retryAfterMs: 0 })
    const calls = requests === 2 ? [call('a'), call('b')] : many(omitted)
    yield { type: 'text', text: 'Hm.' }
    yield { type: 'message', message: { role: 'assistant', content: [], calls } }
  }
  let answers = 1
  const parts: TurnOptions = {
    model,
    conversation: await openConversation(store, 'c'),
    context: { signal: new AbortController().signal, root: '/' },
    executor: {
      definitions: () => [],
      execute: async ({ id }) => ({ ...createSuccessResult([]), id }),
      answerWaiting: async ({ id }) => {
        await steps.take('answers')
        if (id !== 'a' || answers-- === 0) return undefined
        return { call: call('a.answer'), result: { ...createSuccessResult([]), id: 'a.answer' } }
      },
      endTurn: async () => await steps.take('end', msOf('end')),
    },
    parking: { begin: () => new AbortController().signal, isParked: (id) => id === 'parked' },
  }
  return {
    parts,
    show: async ({ type }) => {
      // These are reported while calls run, and nothing waits for them.
      if (type !== 'progress' && type !== 'ended') await steps.take(`show ${type}`, msOf(type))
    },
  }
}

function many(omitted: number): readonly ToolCall[] {
  const others = omitted === 0 ? 0 : MAX_KEPT_CALLS_PER_MESSAGE + omitted - 1
  return [call('parked'), ...Array.from({ length: others }, (_, index) => call(`more-${index}`))]
}

test.for(['asking', 'retry', 'text', 'message', 'call', 'result', 'parked', 'end'])(
  'a turn continues only after its host has taken each event "%s"',
  async (slow) => {
    const steps = watchSteps()
    const { parts, show } = await openTurn(steps, slow, 0)
    expect(await runTurn(GO, parts, show)).toBe('parked')
    expect(steps.early).toEqual([])
    expect(steps.done.at(-1)).toBe('end')
    expect(steps.done).toContain(slow === 'end' ? 'end' : `show ${slow}`)
  },
)

test('a turn continues only after its host has taken how many calls were omitted', async () => {
  const steps = watchSteps()
  const { parts, show } = await openTurn(steps, 'omitted-calls', 3)
  expect(await runTurn(GO, parts, show)).toBe('parked')
  expect(steps.early).toEqual([])
  expect(steps.done).toContain('show omitted-calls')
})

test.for(['begins', 'is resumed'])(
  'live calls have ended before a turn that %s rejects with the failure of the model',
  async (how) => {
    const steps = watchSteps()
    const { parts } = await openTurn(steps, 'end', 0)
    // oxlint-disable-next-line require-yield -- it says nothing
    const model: Model = async function* fail() {
      throw new ModelError('refused', 'no such model')
    }
    const turn = { ...parts, model }
    await expect(how === 'begins' ? runTurn(GO, turn) : resumeTurn([], turn)).rejects.toThrow(
      'no such model',
    )
    expect(steps.done).toEqual(['end'])
  },
)

test('a turn that is resumed ends its live calls before it returns', async () => {
  const steps = watchSteps()
  const { parts, show } = await openTurn(steps, 'end', 0)
  await parts.conversation.record({ type: 'turn_start', turn: 1 })
  expect(await resumeTurn([], parts, show)).toBe('parked')
  expect(steps.done.at(-1)).toBe('end')
})
