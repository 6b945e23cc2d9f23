import { createHash } from 'node:crypto'
import type { ContentBlock, Resource, ResourceIdentity, ToolResult } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelMessage } from '../model/model-request.ts'
import type { ModelProfile } from '../model/model-profile.ts'
import {
  anthropicProfile,
  google2Profile,
  googleProfile,
  openaiChatProfile,
  openaiCompatibleProfile,
} from '../model/profiles.ts'
import { PDF, PNG, pngOf, WAV } from '../testing/every-kind.suite.ts'
import { findStanding } from '../request/find-standing.ts'
import { readRequest } from '../request/read-request.ts'
import { createDeliveryLedger } from './delivery-ledger.ts'
import { deliverMessage, deliverResult } from './deliver-result.ts'

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
  { uri: '', blob: pngOf(9000, 10), mimeType: 'image/png' },
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
  .map(({ uri, raw: given, formatted, audience }): ContentBlock => {
    return {
      type: 'resource',
      resource: { ...given, uri },
      ...(formatted !== undefined && { formatted }),
      ...(audience !== undefined && { annotations: { audience: [audience] } }),
    }
  })
const blocks = fc.array(block, { minLength: 1, maxLength: 4 })
const profile = fc
  .record({
    base: fc.constantFrom(
      anthropicProfile,
      openaiChatProfile,
      openaiCompatibleProfile,
      googleProfile,
      google2Profile,
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
  // As a rewind or a compaction does.
  { weight: 1, arbitrary: fc.record({ type: fc.constant('take back' as const), at: fc.nat(9) }) },
)

const sha256Of = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

function identityOf(given: ContentBlock): ResourceIdentity {
  if (given.type !== 'resource') throw new Error('expected a resource')
  const { resource, formatted } = given
  const bytes =
    resource.text === undefined
      ? Buffer.from(resource.blob, 'base64')
      : Buffer.from(resource.text, 'utf8')
  const more = formatted === undefined ? {} : { formatted: sha256Of(formatted) }
  return { uri: resource.uri, sha256: sha256Of(bytes), bytes: bytes.length, ...more }
}

/** What a model is sent of a message: its words and its media. */
interface Sent {
  text: string
  media: readonly string[]
}

/** By the id of the call, or the number of the turn of a message of the user. */
function send(messages: readonly ModelMessage[], taken: ModelProfile): ReadonlyMap<string, Sent> {
  const read = readRequest({ messages, tools: [] }, taken, {})
  const said = messages.filter((message) => message.role === 'user')
  const sent = new Map<string, Sent>()
  for (const turn of read.turns) {
    if (turn.role === 'user') {
      const text = turn.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      const media = turn.parts.flatMap((part) => (part.type === 'media' ? [part.media.data] : []))
      sent.set(`turn ${said.shift()?.deliveries?.[0]?.turn ?? -1}`, { text, media })
      continue
    }
    for (const answered of turn.answered) {
      const { text, media, behind } = answered.result
      const all = [...media, ...behind].map(({ data }) => data)
      sent.set(answered.call.id, { text, media: all })
    }
  }
  return sent
}

const POINTER =
  /\[(file:\/\/\/\w+) has not changed since block (\d+) of (?:the result of call "(\w+)"|the user's message) in (this turn|turn \d+), [^\n]*? \(sha256 (\w{12})…\)\.\]/g

test('law: whatever is replaced by a line that points to it stands, whole, where the line says, in what the model is sent', () => {
  let pointers = 0
  const law = fc.property(
    profile,
    fc.array(step, { minLength: 3, maxLength: 14 }),
    profile,
    (first, steps, last) => {
      let current = first
      let messages: ModelMessage[] = []
      for (const [index, given] of steps.entries()) {
        const turn = index + 1
        switch (given.type) {
          case 'model':
            current = given.profile
            break
          case 'take back':
            messages = messages.toSpliced(2 * Math.floor(given.at / 2), 2)
            break
          case 'message': {
            const content = structuredClone(given.content)
            const resources = content.map(identityOf)
            const deliveries = deliverMessage(content, resources, { turn, profile: current })
            // Two messages at a time, so that what is taken back takes a call with its result.
            messages.push(
              { role: 'user', content, deliveries },
              { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], calls: [] },
            )
            break
          }
          case 'result': {
            const { isError, budget } = given
            const content = structuredClone(given.content)
            const id = `c${turn}`
            const call = { id, name: 'read', arguments: {} }
            const metadata = { resources: content.map(identityOf) }
            const result: ToolResult = { id, content, isError, metadata }
            const ledger = createDeliveryLedger(findStanding(messages, current).deliveries)
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
            for (const [, uri, number, callId, when = '', hash] of text.matchAll(POINTER)) {
              pointers += 1
              const where = callId ?? when
              const target = contentOf(messages, where)?.[Number(number) - 1]
              expect(target, `${from} points to ${where}`).toBeDefined()
              if (target?.type !== 'resource') return
              expect(target.resource.uri).toBe(uri)
              expect(identityOf(target).sha256.slice(0, 12)).toBe(hash)
              // Some block of the result is what the line stands for: the same bytes, formatted the same.
              expect(contentOf(messages, from)?.map(identityOf)).toContainEqual(identityOf(target))
              const { text: words = '', media = [] } = sent.get(where) ?? {}
              const { resource, formatted } = target
              const stands =
                formatted === undefined
                  ? resource.text === undefined
                    ? media.includes(resource.blob)
                    : words.includes(resource.text)
                  : words.includes(formatted)
              expect(stands, `${from} points to ${where}, which is sent as ${words}`).toBe(true)
            }
        }
      }
    },
  )
  fc.assert(law, { numRuns: 300 })
  // Else nothing was looked at.
  expect(pointers).toBeGreaterThan(100)
})

function contentOf(
  messages: readonly ModelMessage[],
  where: string,
): readonly ContentBlock[] | undefined {
  for (const message of messages) {
    if (message.role === 'user' && `turn ${message.deliveries?.[0]?.turn}` === where)
      return message.content
    if (message.role !== 'tool') continue
    const found = message.results.find(({ call }) => call.id === where)
    if (found) return found.result.content
  }
  return undefined
}
