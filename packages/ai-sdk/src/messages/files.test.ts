import type { ContentBlock } from '@toolblocks/protocol'
import type { UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { PNG } from '../../../formatter/src/testing/every-kind.support.ts'
import { toEvents } from './to-events.ts'
import { toUiMessages } from './to-ui-messages.ts'

type Part = UIMessage['parts'][number]

test('the text and the files of a person are blocks that every reader of a store knows', () => {
  const parts: Part[] = [
    { type: 'text', text: 'Look at these.' },
    { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` },
    { type: 'file', mediaType: 'application/pdf', url: 'data:application/pdf;base64,JVBERg==' },
    { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'https://site.example/1' },
    { type: 'file', mediaType: 'text/plain', url: 'https://site.example/2' },
  ]
  const message: UIMessage = { id: 'm', role: 'user', parts }
  const events = toEvents([message])
  const [content] = events.flatMap((event) =>
    event.type === 'user_message' ? [event.content] : [],
  )
  expect(content).toEqual([
    { type: 'text', text: 'Look at these.' },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    {
      type: 'resource',
      resource: { uri: 'file:///', mimeType: 'application/pdf', blob: 'JVBERg==' },
    },
    { type: 'resource_link', uri: 'https://site.example/1', name: 'a.txt' },
    { type: 'resource_link', uri: 'https://site.example/2', name: 'https://site.example/2' },
  ])
  expect(toUiMessages(events)).toEqual([message])
})

test('every block of a message that no page has made is shown with its name, type and address', () => {
  const content: ContentBlock[] = [
    { type: 'text', text: 'Look at these.' },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///a', text: 'words' } },
    { type: 'resource', resource: { uri: 'file:///b', name: 'b.bin', blob: 'AA==' } },
    { type: 'resource', resource: { uri: 'file:///c', mimeType: 'application/pdf', blob: 'AA==' } },
    { type: 'resource_link', uri: 'https://site.example/1', name: 'one', title: 'The first' },
    { type: 'resource_link', uri: 'https://site.example/2', name: 'two' },
  ]
  const [message] = toUiMessages([{ type: 'user_message', content }])
  const bytes = (mediaType: string, data = 'AA=='): Part => ({
    type: 'file',
    mediaType,
    url: `data:${mediaType};base64,${data}`,
  })
  expect(message?.parts).toEqual([
    { type: 'text', text: 'Look at these.' },
    bytes('image/png', PNG),
    { type: 'text', text: 'words' },
    { ...bytes('application/octet-stream'), filename: 'b.bin' },
    bytes('application/pdf'),
    {
      type: 'source-url',
      sourceId: 'https://site.example/1',
      url: 'https://site.example/1',
      title: 'The first',
    },
    { type: 'source-url', sourceId: 'https://site.example/2', url: 'https://site.example/2' },
  ])
})

test('two calls with the same id each keep their own result', () => {
  const call = (path: string, output: string): Part => ({
    type: 'dynamic-tool',
    toolName: 'read',
    toolCallId: 'same',
    state: 'output-available',
    input: { path },
    output,
  })
  const parts = [call('a', 'A'), call('b', 'B')]
  const message: UIMessage = { id: 'm', role: 'assistant', parts }
  const events = toEvents([message])
  const results = events.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []))
  expect(results).toMatchObject([{ content: [{ text: 'A' }] }, { content: [{ text: 'B' }] }])
  expect(toUiMessages(events)).toEqual([message])
})
