import { type ConversationEvent, projectHistory, readHistory } from '@toolblocks/conversation-store'
import type { ModelMessage, ModelRequest } from '@toolblocks/formatter'
import { toAnthropicRequest } from '@toolblocks/formatter/anthropic'
import { gemini2Profile, toGoogleRequest } from '@toolblocks/formatter/google'
import { toOpenAiChatRequest, toOpenAiResponsesRequest } from '@toolblocks/formatter/openai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildMessages, buildMessagesDuringCalls } from './build-messages.ts'

const time = '2026-01-01T00:00:00.000Z'
const stored = (events: readonly ConversationEvent[]) =>
  events.map((event, index) => ({ seq: index + 1, at: time, event }))
const build = (events: readonly ConversationEvent[]) =>
  buildMessages(projectHistory(readHistory(stored(events))))

const text = (value: string) => [{ type: 'text', text: value }] as const
const turn: ConversationEvent = { type: 'turn_start', turn: 1 }
const say: ConversationEvent = { type: 'user_message', content: text('Go.') }
const think: ConversationEvent = { type: 'assistant_message', content: text('I try.') }
const call = (id: string): ConversationEvent => ({
  type: 'tool_call',
  call: { id, name: 'read', arguments: {} },
})
const result = (id: string, output = `result of ${id}`): ConversationEvent => ({
  type: 'tool_result',
  result: { id, content: text(output), isError: false },
})
const ask = (callId: string): ConversationEvent => ({
  type: 'question',
  id: `${callId}.go`,
  callId,
  question: { id: 'go', text: 'Go?', schema: true },
  asked: 'user',
})
const answer = (callId: string): ConversationEvent => ({
  type: 'answer',
  id: `${callId}.go`,
  callId,
  action: 'accept',
  value: true,
})
const approve = (callId: string): ConversationEvent => ({
  type: 'approval',
  callId,
  decision: 'allowed',
  by: 'rule',
})

/** The messages in short: the calls of each, and the texts of the results of each. */
const shape = (messages: readonly ModelMessage[]): readonly string[] =>
  messages.map((message) => {
    switch (message.role) {
      case 'user':
        return 'user'
      case 'assistant':
        return `calls ${message.calls.map(({ id }) => id).join(' ')}`
      case 'tool':
        return `results ${message.results.map((each) => `${each.call.id}: ${readText(each)}`).join(', ')}`
    }
  })

const readText = ({ result: { content } }: { result: { content: readonly object[] } }): string =>
  content.map((block) => ('text' in block ? String(block.text) : '?')).join('')

const INTERRUPTED =
  'The call was interrupted: the program that ran it ended before it had a result. A part of the work may be done.'
const RUNNING = 'This call is still running and has no result yet.'

describe('parallel calls of one message', () => {
  test('stay together with their results if the host is killed while one of them runs', () => {
    const killed = [turn, say, call('a'), call('b'), call('c'), result('a'), result('b')]
    expect(shape(build(killed))).toEqual([
      'user',
      'calls a b c',
      `results a: result of a, b: result of b, c: ${INTERRUPTED}`,
    ])
    expect(shape(build([...killed, result('c'), call('d'), result('d')]))).toEqual([
      'user',
      'calls a b c',
      'results a: result of a, b: result of b, c: result of c',
      'calls d',
      'results d: result of d',
    ])
  })

  test('stay together while one of them asks the model, and those without a result are told as running', () => {
    const asking = [turn, say, think, call('a'), call('b'), call('c'), result('b'), ask('a')]
    expect(shape(buildMessagesDuringCalls(stored(asking)))).toEqual([
      'user',
      'calls a b c',
      `results a: ${RUNNING}, b: result of b, c: ${RUNNING}`,
    ])
  })

  test('keep a result that another program stored after the next message began', () => {
    const late = [turn, say, call('a'), think, call('b'), result('b'), result('a')]
    expect(shape(build(late))).toEqual([
      'user',
      'calls a',
      'results a: result of a',
      'calls b',
      'results b: result of b',
    ])
  })

  test('keep a result that was stored in a later turn', () => {
    expect(shape(build([turn, say, call('a'), turn, say, result('a'), think]))).toEqual([
      'user',
      'calls a',
      'results a: result of a',
      'user',
      'calls ',
    ])
  })
})

/** What happens to one call after it was stored. `lost`: its host ends, and nothing is stored of it any more. */
type Fate = readonly ('ask' | 'answer' | 'approve' | 'result' | 'lost')[]

const fate: fc.Arbitrary<Fate> = fc
  .tuple(
    fc.array(fc.constantFrom<Fate[]>(['approve'], ['ask', 'answer'], ['ask']), { maxLength: 3 }),
    fc.constantFrom('result', 'result', 'result', 'lost'),
  )
  .map(([steps, end]) => [...steps.flat(), end])

interface Message {
  isSpoken: boolean
  fates: readonly Fate[]
  /** The order in which the calls go on. */
  order: readonly number[]
}

const message: fc.Arbitrary<Message> = fc.record({
  isSpoken: fc.boolean(),
  fates: fc.array(fate, { minLength: 1, maxLength: 4 }),
  order: fc.array(fc.nat(3), { maxLength: 24 }),
})

/** A turn has messages, and a silent message can only follow one whose calls all have a result. */
const turns = fc.array(fc.array(message, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
})

interface Story {
  events: readonly ConversationEvent[]
  /** The ids of the calls of each message. */
  groups: readonly (readonly string[])[]
}

/** Writes the events as hosts record them: the calls of a message at once, and then in the order in which the calls go on. `reuse`: ids count from 1 in each turn. */
function writeStory(conversation: readonly (readonly Message[])[], reuse: boolean): Story {
  const events: ConversationEvent[] = []
  const groups: string[][] = []
  let count = 0
  for (const messages of conversation) {
    events.push(turn, say)
    if (reuse) count = 0
    let isOpen = false
    for (const { isSpoken, fates, order } of messages) {
      if (isSpoken || isOpen) events.push(think)
      const ids = fates.map(() => `id-${(count += 1)}`)
      groups.push(ids)
      events.push(...ids.map(call))
      const left = fates.map((steps) => [...steps])
      for (const index of [
        ...order,
        ...left.flatMap((steps, callIndex) => steps.map(() => callIndex)),
      ]) {
        const id = ids[index]
        const step = left[index]?.shift()
        if (id === undefined || step === undefined || step === 'lost') continue
        if (step === 'ask') events.push(ask(id))
        if (step === 'answer') events.push(answer(id))
        if (step === 'approve') events.push(approve(id))
        if (step === 'result') events.push(result(id, `[marked ${events.length} of ${id}]`))
      }
      isOpen = fates.some((steps) => steps.at(-1) === 'lost')
    }
  }
  return { events, groups }
}

const providers: readonly [string, (request: ModelRequest) => object][] = [
  ['Anthropic', toAnthropicRequest],
  ['OpenAI (Responses)', toOpenAiResponsesRequest],
  ['OpenAI (Chat)', toOpenAiChatRequest],
  ['Google', toGoogleRequest],
  ['Google (Gemini 2)', (request) => toGoogleRequest(request, { profile: gemini2Profile })],
]

const countIn = (whole: string, part: string): number => whole.split(part).length - 1

describe('law: for any order of the events of parallel calls, at every moment', () => {
  test('each message has its calls, each call has one result, and a stored result is never replaced', () => {
    fc.assert(
      fc.property(turns, fc.boolean(), (conversation, reuse) => {
        const { events, groups } = writeStory(conversation, reuse)
        for (let length = 1; length <= events.length; length += 1) {
          const until = events.slice(0, length)
          const messages = build(until)
          const marks = until.flatMap((event) =>
            event.type === 'tool_result' ? readText(event) : [],
          )
          const delivered = messages.flatMap((each) => (each.role === 'tool' ? each.results : []))
          const kept = delivered
            .map(readText)
            .filter((resultText) => resultText.startsWith('[marked'))
          expect(kept.toSorted()).toEqual(marks.toSorted())
          for (const [index, each] of messages.entries()) {
            if (each.role !== 'assistant' || each.calls.length === 0) continue
            const next = messages[index + 1]
            expect(next).toMatchObject({
              role: 'tool',
              results: each.calls.map(({ id }) => ({ call: { id } })),
            })
          }
          if (length < events.length) continue
          const made = messages.flatMap((each) =>
            each.role === 'assistant' && each.calls.length > 0
              ? [each.calls.map(({ id }) => id)]
              : [],
          )
          expect(made).toEqual(groups)
        }
      }),
    )
  })

  test.for(providers)(
    '%s receives each stored result once, and nothing about results that were not stored',
    ([, toRequest]) => {
      fc.assert(
        fc.property(turns, fc.boolean(), (conversation, reuse) => {
          const { events } = writeStory(conversation, reuse)
          const body = JSON.stringify(toRequest({ messages: build(events), tools: [] }))
          const marks = events.flatMap((event) =>
            event.type === 'tool_result' ? readText(event) : [],
          )
          expect(marks.filter((mark) => countIn(body, mark) !== 1)).toEqual([])
          expect(body).not.toContain('not stored')
        }),
        { numRuns: 50 },
      )
    },
  )
})
