import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { toRequest } from '../anthropic.ts'
import type { ModelMessage } from '../model/model-request.ts'
import { anthropicProfile } from '../model/profiles.ts'
import { PNG } from '../testing/every-kind.suite.ts'
import { findCrowded } from './find-standing.ts'

const picture = (): ContentBlock => ({ type: 'image', data: PNG, mimeType: 'image/png' })
const words: ContentBlock = { type: 'text', text: 'See:' }

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

test('over the number that one request takes, the oldest media are left out', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: [words, picture()] },
    ...answered('a', [words, picture(), picture()]),
    ...answered('b', [picture(), words]),
  ]
  expect(left(messages, { maxItems: 2 })).toEqual([[1], [1], []])
  expect(left(messages, { maxItems: 4 })).toEqual([[], [], []])
})

test('the same holds for their length; what would not be given anyway takes no room', () => {
  const audio: ContentBlock = { type: 'audio', data: PNG, mimeType: 'audio/wav' }
  const messages = [...answered('a', [picture()]), ...answered('b', [picture(), audio])]
  expect(left(messages, { maxLength: 2 * PNG.length })).toEqual([[], []])
  expect(left(messages, { maxLength: 2 * PNG.length - 1 })).toEqual([[0], []])
})

test('media that the model was only pointed to take no room', () => {
  const call = { id: 'c', name: 'look', arguments: {} }
  const place = { callId: 'c', block: 0, uri: 'file:///a', sha256: '0'.repeat(64), turn: 1 }
  const given = (form: 'full' | 'reference'): ModelMessage[] => [
    { role: 'assistant', content: [], calls: [call] },
    {
      role: 'tool',
      results: [
        {
          call,
          result: { content: [picture()], isError: false },
          deliveries: [{ ...place, form, as: 'media' }],
        },
      ],
    },
  ]
  const between = answered('b', [picture()])
  const messages = [...given('full'), ...between, ...given('reference')]
  expect(left(messages, { maxItems: 2 })).toEqual([[], [], []])
  // It is kept as long as what points to it, and what was said between goes first.
  expect(left(messages, { maxItems: 1 })).toEqual([[], [0], []])
  // Where it is not in the request, what pointed to it is given itself.
  expect(left([...between, ...given('reference')], { maxItems: 1 })).toEqual([[0], []])
})

test('a request says what it has no room for, in results and in what a person attached', () => {
  const profile = { ...anthropicProfile, inRequest: { maxItems: 1 } }
  const messages: ModelMessage[] = [
    { role: 'user', content: [words, picture()] },
    ...answered('a', [picture()]),
    ...answered('b', [picture()]),
  ]
  const written = JSON.stringify(toRequest({ messages, tools: [] }, { profile }).messages)
  expect(written.split(PNG)).toHaveLength(2)
  expect(written.match(/takes no more in one request/g)).toHaveLength(2)
})
