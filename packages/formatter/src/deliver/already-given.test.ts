import fc from 'fast-check'
import type { ContentBlock, Resource, ResourceIdentity, ToolResult } from '@toolblocks/protocol'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ModelProfile } from '../model/model-profile.ts'
import type { ModelMessage } from '../model/model-request.ts'
import {
  anthropicProfile,
  gemini2Profile,
  geminiProfile,
  openAiChatProfile,
  openAiCompatibleProfile,
} from '../model/profiles.ts'
import { findContentInRequest } from '../request/find-content-in-request.ts'
import { readRequest } from '../request/read-request.ts'
import { PDF, PNG, WAV, getPng } from '../testing/every-kind.support.ts'
import { type DeliverOptions, deliverMessage, deliverResult } from './deliver-result.ts'
import { createDeliveryLedger } from './delivery-ledger.ts'

const long = 'fn main() {}\n'.repeat(40)

const uri = 'file:///a'

const hashValue = (value: string | Buffer) => createHash('sha256').update(value).digest('hex')

interface Kind {
  text?: string
  blob?: string
  mimeType?: string
  formatted?: string
  audience?: ['user']
}

function getBlock({ text, blob, mimeType, formatted, audience }: Kind): ContentBlock {
  const type = mimeType === undefined ? {} : { mimeType }
  return {
    type: 'resource',
    resource: blob === undefined ? { uri, text: text ?? long, ...type } : { uri, blob, ...type },
    ...(formatted !== undefined && { formatted }),
    ...(audience && { annotations: { audience } }),
  }
}

function getIdentity({ text = long, blob, formatted }: Kind) {
  return {
    uri,
    sha256: hashValue(blob ?? text),
    bytes: 400,
    ...(formatted !== undefined && { formatted: hashValue(formatted) }),
  }
}

function read(id: string, kinds: readonly Kind[]): ToolResult {
  const resources = kinds.map(getIdentity)
  return { id, content: kinds.map(getBlock), isError: false, metadata: { resources } }
}

const picture = { blob: PNG, mimeType: 'image/png' }

function twice(
  first: readonly Kind[],
  second: readonly Kind[],
  { before, after }: { before?: Partial<DeliverOptions>; after?: Partial<DeliverOptions> } = {},
) {
  const { deliveries } = deliverResult(read('c1', first), createDeliveryLedger([]), {
    turn: 1,
    ...before,
  })
  return deliverResult(read('c2', second), createDeliveryLedger(deliveries), { turn: 2, ...after })
}

const POINTS = /has not changed since/

describe('no reference is written', () => {
  test.for<[string, Kind, Kind, Parameters<typeof twice>[2]?]>([
    ['that was for the person only', { audience: ['user'] }, {}],
    ['of bytes that were named in one line', picture, picture],
    [
      'of bytes that the model does not take',
      picture,
      picture,
      { before: { profile: openAiCompatibleProfile }, after: { profile: openAiCompatibleProfile } },
    ],
    [
      'of bytes that the model before took, where this one does not',
      picture,
      picture,
      { before: { profile: anthropicProfile }, after: { profile: openAiCompatibleProfile } },
    ],
    ['that was given through other formatted text', { formatted: '1: a' }, { formatted: '2: a' }],
    ['that was given through formatted text, where it has none now', { formatted: '1: a' }, {}],
    ['that was given as it is, where it is formatted now', {}, { formatted: '1: a' }],
    [
      'of bytes that were given with other formatted text',
      { ...picture, formatted: '1: a' },
      { ...picture, formatted: '2: a' },
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
    [
      'of bytes alone, which were given with formatted text before',
      { ...picture, formatted: '1: a' },
      picture,
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
    [
      'of formatted bytes, where nobody knows what the model takes',
      { ...picture, formatted: '1: a' },
      { ...picture, formatted: '1: a' },
    ],
    ['that was cut', {}, {}, { before: { budget: 200 } }],
  ])('%s', ([, first, second, options]) => {
    const { text, deliveries } = twice([first], [second], options)
    expect(text).not.toMatch(POINTS)
    expect(deliveries.filter(({ form }) => form === 'reference')).toEqual([])
  })

  test('within one result, if the first copy is cut', () => {
    const result = read('c1', [{}, {}])
    const { text, deliveries } = deliverResult(result, createDeliveryLedger([]), {
      turn: 1,
      budget: 300,
    })
    expect(text).not.toMatch(POINTS)
    expect(deliveries.map(({ form }) => form)).toEqual(['cut', 'cut'])
  })
})

describe('a reference is written', () => {
  test.for<[string, Kind, Parameters<typeof twice>[2]?]>([
    ['text that was given', {}],
    ['the same text, given with the same formatted text', { formatted: '1: a' }],
    [
      'media that the model takes',
      picture,
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
    [
      'media that the model takes, given with the same formatted text',
      { ...picture, formatted: '1: a' },
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
  ])('%s', ([, kind, options]) => {
    expect(twice([kind], [kind], options).text).toMatch(POINTS)
  })
})

test('a reference is not cut, even by a small budget, and names the place of the complete content', () => {
  const { text, deliveries } = twice([{}], [{}], { after: { budget: 10 } })
  expect(text).toMatch(/^\[file:\/\/\/a has not changed since [^]*\]$/)
  expect(deliveries.map(({ form }) => form)).toEqual(['reference'])
})

test('no reference points to a record that does not say how a resource was delivered', () => {
  const older = { callId: 'c1', block: 0, turn: 1, form: 'full', uri, sha256: hashValue(long) }
  const ledger = createDeliveryLedger([older as { form: 'full' } & typeof older])
  expect(deliverResult(read('c2', [{}]), ledger, { turn: 2 }).text).not.toMatch(POINTS)
})

test('of the content of a message, text counts, and media that the model accepts there', () => {
  const kinds: Kind[] = [{}, picture, { audience: ['user'] }, { formatted: '1: a' }]
  const deliver = (options: Partial<DeliverOptions>) =>
    deliverMessage(kinds.map(getBlock), kinds.map(getIdentity), { turn: 3, ...options }).map(
      ({ block, as }) => [block, as],
    )
  expect(deliver({})).toEqual([
    [0, 'text'],
    [3, 'formatted'],
  ])
  expect(deliver({ profile: anthropicProfile })).toEqual([
    [0, 'text'],
    [1, 'media'],
    [3, 'formatted'],
  ])
})

const ALPHA = 'alpha, and nothing else\n'.repeat(8)

const BETA = 'beta, and nothing else\n'.repeat(8)

const numbered = (text: string, from: number) =>
  text.replaceAll(/^(?=.)/gm, () => `${(from += 1)}: `)

const raw = fc.constantFrom<Resource>(
  { uri: '', text: ALPHA },
  { uri: '', text: BETA },
  { uri: '', blob: Buffer.from(ALPHA).toString('base64'), mimeType: 'text/plain' },
  { uri: '', blob: PNG, mimeType: 'image/png' },
  { uri: '', blob: PNG, mimeType: 'application/octet-stream' },
  { uri: '', blob: PNG },
  { uri: '', blob: getPng(9000, 10), mimeType: 'image/png' },
  { uri: '', blob: PDF, mimeType: 'application/pdf' },
  { uri: '', blob: WAV, mimeType: 'audio/wav' },
)

const block = fc
  .record({
    uri: fc.constantFrom('file:///one', 'file:///two'),
    raw,
    formatted: fc.option(fc.constantFrom(numbered(ALPHA, 0), numbered(ALPHA, 50)), {
      freq: 3,
      nil: undefined,
    }),
    audience: fc.option(fc.constantFrom<'user' | 'assistant'>('user', 'assistant'), {
      freq: 3,
      nil: undefined,
    }),
  })
  .map(({ uri: named, raw: content, formatted, audience }): ContentBlock => {
    return {
      type: 'resource',
      resource: { ...content, uri: named },
      ...(formatted !== undefined && { formatted }),
      ...(audience !== undefined && { annotations: { audience: [audience] } }),
    }
  })

const blocks = fc.array(block, { minLength: 1, maxLength: 4 })

const profile = fc
  .record({
    base: fc.constantFrom(
      anthropicProfile,
      openAiChatProfile,
      openAiCompatibleProfile,
      geminiProfile,
      gemini2Profile,
    ),
    maxItems: fc.constantFrom(1, 2, 100),
  })
  .map(({ base, maxItems }): ModelProfile => ({ ...base, inRequest: { maxItems } }))

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('result' as const),
      content: blocks,
      isError: fc.boolean(),
      budget: fc.constantFrom(Infinity, Infinity, 700, 150),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('message' as const), content: blocks }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('model' as const), profile }) },
  // Like a rewind or a compaction.
  { weight: 1, arbitrary: fc.record({ type: fc.constant('take back' as const), at: fc.nat(9) }) },
)

function ledgerIdentity(resourceBlock: ContentBlock): ResourceIdentity {
  if (resourceBlock.type !== 'resource') throw new Error('expected a resource')
  const { resource, formatted } = resourceBlock
  const bytes =
    resource.text === undefined
      ? Buffer.from(resource.blob, 'base64')
      : Buffer.from(resource.text, 'utf8')
  const more = formatted === undefined ? {} : { formatted: hashValue(formatted) }
  return { uri: resource.uri, sha256: hashValue(bytes), bytes: bytes.length, ...more }
}

/** The text and media of a message that a model is sent. */
interface Sent {
  text: string
  media: readonly string[]
}

/** By the id of the call, or by the number of the turn for a user message. */
function send(messages: readonly ModelMessage[], taken: ModelProfile): ReadonlyMap<string, Sent> {
  const asked = readRequest({ messages, tools: [] }, taken, {})
  const userMessages = messages.filter((message) => message.role === 'user')
  const sent = new Map<string, Sent>()
  for (const turn of asked.turns) {
    if (turn.role === 'user') {
      const text = turn.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      const media = turn.parts.flatMap((part) => (part.type === 'media' ? [part.media.data] : []))
      sent.set(`turn ${userMessages.shift()?.deliveries?.[0]?.turn ?? -1}`, { text, media })
      continue
    }
    for (const answered of turn.answered) {
      const { text, parts, afterResults: behind } = answered.result
      const media = parts.flatMap((part) => (part.type === 'media' ? [part.media] : []))
      const all = [...media, ...behind].map(({ data }) => data)
      sent.set(answered.call.id, { text, media: all })
    }
  }
  return sent
}

const POINTER =
  /\[(file:\/\/\/\w+) has not changed since block (\d+) of (?:the result of call "(\w+)"|the user's message) in (this turn|turn \d+), [^\n]*? \(sha256 (\w{12})…\)\.\]/g

test('law: all content that is replaced by a reference is complete in the request, at the place that the reference names', () => {
  let pointers = 0
  const law = fc.property(
    profile,
    fc.array(step, { minLength: 3, maxLength: 14 }),
    profile,
    (first, steps, last) => {
      let current = first
      let messages: ModelMessage[] = []
      for (const [index, action] of steps.entries()) {
        const turn = index + 1
        switch (action.type) {
          case 'model':
            current = action.profile
            break
          case 'take back':
            messages = messages.toSpliced(2 * Math.floor(action.at / 2), 2)
            break
          case 'message': {
            const content = structuredClone(action.content)
            const resources = content.map(ledgerIdentity)
            const deliveries = deliverMessage(content, resources, { turn, profile: current })
            // Two messages at a time, so that an undone call loses its result too.
            messages.push(
              { role: 'user', content, deliveries },
              { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], calls: [] },
            )
            break
          }
          case 'result': {
            const { isError, budget } = action
            const content = structuredClone(action.content)
            const id = `c${turn}`
            const call = { id, name: 'read', arguments: {} }
            const metadata = { resources: content.map(ledgerIdentity) }
            const result: ToolResult = { id, content, isError, metadata }
            const ledger = createDeliveryLedger(findContentInRequest(messages, current).deliveries)
            const options = { turn, budget, profile: current, minBytes: 0 }
            const { text, deliveries } = deliverResult(result, ledger, options)
            messages.push(
              { role: 'assistant', content: [], calls: [call] },
              { role: 'tool', results: [{ call, result, text, deliveries }] },
            )
            break
          }
        }
        for (const taken of [current, last]) {
          const sent = send(messages, taken)
          for (const [from, { text }] of sent)
            for (const [, named, number, callId, when = '', hash] of text.matchAll(POINTER)) {
              pointers += 1
              const where = callId ?? when
              const target = findContent(messages, where)?.[Number(number) - 1]
              expect(target, `${from} points to ${where}`).toBeDefined()
              if (target?.type !== 'resource') return
              expect(target.resource.uri).toBe(named)
              expect(ledgerIdentity(target).sha256.slice(0, 12)).toBe(hash)
              // Some block of the result has what the line refers to: the same bytes in the same format.
              expect(findContent(messages, from)?.map(ledgerIdentity)).toContainEqual(
                ledgerIdentity(target),
              )
              const { text: sentText = '', media = [] } = sent.get(where) ?? {}
              const { resource, formatted } = target
              const stands =
                formatted === undefined
                  ? resource.text === undefined
                    ? media.includes(resource.blob)
                    : sentText.includes(resource.text)
                  : sentText.includes(formatted)
              expect(stands, `${from} points to ${where}, which is sent as ${sentText}`).toBe(true)
            }
        }
      }
    },
  )
  fc.assert(law, { numRuns: 300 })
  // Otherwise the test checks nothing.
  expect(pointers).toBeGreaterThan(100)
})

function findContent(
  messages: readonly ModelMessage[],
  where: string,
): readonly ContentBlock[] | undefined {
  for (const message of messages) {
    if (message.role === 'user' && `turn ${message.deliveries?.[0]?.turn}` === where)
      return message.content
    if (message.role !== 'tool') continue
    const match = message.results.find(({ call }) => call.id === where)
    if (match) return match.result.content
  }
  return undefined
}
