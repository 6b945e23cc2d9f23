import type { ContentBlock, Delivery, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { toAnthropicRequest } from '../anthropic.ts'
import type { ModelMessage } from '../model/model-request.ts'
import { anthropicProfile, openAiCompatibleProfile } from '../model/profiles.ts'
import { PNG } from '../testing/every-kind.support.ts'
import { findCrowded, findContentInRequest } from './find-content-in-request.ts'

const uri = 'file:///a'

const sha256 = 'a'.repeat(64)

/** A delivery as it was recorded before it said how it was given and where a reference points. */
function older(id: string, form: Delivery['form'], block: ContentBlock): ModelMessage {
  const call = { id, name: 'read' }
  const result: ToolResult = { id, content: [block], isError: false }
  return {
    role: 'tool',
    results: [{ call, result, deliveries: [{ callId: id, block: 0, uri, sha256, turn: 1, form }] }],
  }
}

const text: ContentBlock = { type: 'resource', resource: { uri, text: 'words' } }

const picture: ContentBlock = {
  type: 'resource',
  resource: { uri, blob: PNG, mimeType: 'image/png' },
}

function findContent(messages: readonly ModelMessage[], profile = anthropicProfile) {
  const { deliveries, broken } = findContentInRequest(messages, profile)
  return {
    full: deliveries.map(({ callId, as }) => `${callId} ${as}`),
    broken: [...broken.values()].map((blocks) => [...blocks]),
  }
}

test('an older record is read from its blocks: whether and how it was delivered', () => {
  const both = (block: ContentBlock) => [
    older('c1', 'full', block),
    older('c2', 'reference', structuredClone(block)),
  ]
  expect(findContent(both(text))).toEqual({ full: ['c1 text'], broken: [] })
  expect(findContent(both(picture))).toEqual({ full: ['c1 media'], broken: [] })
  expect(findContent(both(picture), openAiCompatibleProfile)).toEqual({ full: [], broken: [[0]] })
  const forPerson = { ...text, annotations: { audience: ['user' as const] } }
  expect(findContent(both(forPerson))).toEqual({ full: [], broken: [[0]] })
})

test('without a profile no media count, and a reference to missing content is broken', () => {
  const messages = [older('c1', 'full', picture), older('c2', 'full', text)]
  const { deliveries } = findContentInRequest(messages, undefined)
  expect(deliveries.map(({ callId }) => callId)).toEqual(['c2'])
  expect(findContent([older('c2', 'reference', text)])).toEqual({ full: [], broken: [[0]] })
  expect(
    findContent([older('c1', 'cut', text), older('c2', 'reference', structuredClone(text))]),
  ).toEqual({ full: [], broken: [[0]] })
})

test('content without space in the request is not delivered, also if its text is', () => {
  const formatted: ContentBlock = { ...picture, formatted: '1: words' }
  const crowding = { ...anthropicProfile, inRequest: { maxItems: 1 } }
  for (const block of [picture, formatted]) {
    const messages = [older('c1', 'full', block), older('c2', 'full', structuredClone(block))]
    const way = block === picture ? 'media' : 'formatted-and-media'
    expect(findContent(messages).full).toEqual([`c1 ${way}`, `c2 ${way}`])
    expect(findContent(messages, crowding).full).toEqual([`c2 ${way}`])
  }
})

const drawing = (): ContentBlock => ({ type: 'image', data: PNG, mimeType: 'image/png' })

const textBlock: ContentBlock = { type: 'text', text: 'See:' }

function answered(id: string, content: readonly ContentBlock[]): ModelMessage[] {
  const call = { id, name: 'look', arguments: {} }
  const result: ToolResult = { id, content, isError: false }
  return [
    { role: 'assistant', content: [], calls: [call] },
    { role: 'tool', results: [{ call, result }] },
  ]
}

function left(messages: readonly ModelMessage[], inRequest: object): number[][] {
  const crowded = findCrowded(messages, { ...anthropicProfile, inRequest })
  return messages.flatMap((message) => {
    if (message.role === 'user') return [[...(crowded.get(message.content) ?? [])]]
    if (message.role === 'assistant') return []
    return message.results.map(({ result }) => [...(crowded.get(result.content) ?? [])])
  })
}

test('above the number of media for one request, the oldest are omitted', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: [textBlock, drawing()] },
    ...answered('a', [textBlock, drawing(), drawing()]),
    ...answered('b', [drawing(), textBlock]),
  ]
  expect(left(messages, { maxItems: 2 })).toEqual([[1], [1], []])
  expect(left(messages, { maxItems: 4 })).toEqual([[], [], []])
})

test('the same holds for their total length; media that would not be delivered anyway use no space', () => {
  const audio: ContentBlock = { type: 'audio', data: PNG, mimeType: 'audio/wav' }
  const messages = [...answered('a', [drawing()]), ...answered('b', [drawing(), audio])]
  expect(left(messages, { maxLength: 2 * PNG.length })).toEqual([[], []])
  expect(left(messages, { maxLength: 2 * PNG.length - 1 })).toEqual([[0], []])
})

test('media that the model was only referred to use no space', () => {
  const call = { id: 'c', name: 'look', arguments: {} }
  const delivery = { callId: 'c', block: 0, uri: 'file:///a', sha256: '0'.repeat(64), turn: 1 }
  const createMessages = (form: 'full' | 'reference'): ModelMessage[] => [
    { role: 'assistant', content: [], calls: [call] },
    {
      role: 'tool',
      results: [
        {
          call,
          result: { content: [drawing()], isError: false },
          deliveries: [{ ...delivery, form, as: 'media' }],
        },
      ],
    },
  ]
  const between = answered('b', [drawing()])
  const messages = [...createMessages('full'), ...between, ...createMessages('reference')]
  expect(left(messages, { maxItems: 2 })).toEqual([[], [], []])
  // It is kept as long as the reference to it. Content between them is omitted first.
  expect(left(messages, { maxItems: 1 })).toEqual([[], [0], []])
  // If the target is not in the request, the reference itself is replaced by the content.
  expect(left([...between, ...createMessages('reference')], { maxItems: 1 })).toEqual([[0], []])
})

test('a request says which media it has no space for, in results and in attachments of a person', () => {
  const profile = { ...anthropicProfile, inRequest: { maxItems: 1 } }
  const messages: ModelMessage[] = [
    { role: 'user', content: [textBlock, drawing()] },
    ...answered('a', [drawing()]),
    ...answered('b', [drawing()]),
  ]
  const written = JSON.stringify(toAnthropicRequest({ messages, tools: [] }, { profile }).messages)
  expect(written.split(PNG)).toHaveLength(2)
  expect(written.match(/accepts no more media in one request/g)).toHaveLength(2)
})
