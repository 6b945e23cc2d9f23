import { openStore } from '@toolblocks/conversation-store'
import { type ContentBlock, getText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { type ImportedEvent } from './convert/imported-event.ts'
import { detectFormat, importConversation, readConversations } from './import-conversation.ts'
import { SAMPLES } from './samples.support.ts'
import { getSource } from './sources/make-source.support.ts'

const getTexts = (content: readonly ContentBlock[]): string => content.map(getText).join(' ')

/** Returns the content of an event in a short form. */
function sayings(event: ImportedEvent): string[] {
  if (event.type === 'user_message') return [`user: ${getTexts(event.content)}`]
  if (event.type === 'tool_call')
    return [`call ${event.call.id}: ${event.call.name} ${JSON.stringify(event.call.arguments)}`]
  if (event.type === 'tool_result')
    return [`result ${event.result.id}: ${getTexts(event.result.content)}`]
  if (event.type !== 'assistant_message') return []
  const thought = event.reasoning === undefined ? [] : [`thought: ${event.reasoning}`]
  return event.content.length === 0 ? thought : [...thought, `model: ${getTexts(event.content)}`]
}

const TRANSCRIPT = [
  'call c: look {"at":"a"}',
  'model: It is gone.',
  'result c: gone',
  'thought: hm',
  'user: Look.',
]

test.for(SAMPLES)(
  '$format $path has the expected content, and is recognized by it',
  async (sample) => {
    const source = getSource(sample.text, { path: sample.path })
    expect(detectFormat({ ...source, path: '/unknown' })).toBe(sample.format)
    const [read, ...others] = readConversations(source)
    expect(others).toEqual([])
    if (!read) throw new Error('expected a conversation')
    const events = read.events.map(({ event }) => event)
    expect(events.flatMap(sayings).toSorted()).toEqual(TRANSCRIPT)
    expect(read.problems).toEqual([])
    expect(read.before).toMatchObject({
      userMessages: 1,
      assistantMessages: 1,
      calls: 1,
      results: 1,
    })
    // Messages for OpenAI cannot mark a result as an error.
    expect(read.before.errors).toBe(sample.format === 'openai' ? 0 : 1)

    const store = await openStore('memory:')
    const imported = await importConversation(store, read)
    expect(imported).toMatchObject({ state: 'imported', after: read.before, bytes: read.bytes })
    expect(await importConversation(store, read)).toMatchObject({ state: 'present', added: 0 })
    await store.close()
  },
)

test.for(SAMPLES)(
  '$format $path: cut off anywhere in its last record, gives every other record',
  (sample) => {
    const whole = Buffer.from(sample.text)
    const all = readConversations(getSource(whole, { path: sample.path }))[0]?.events ?? []
    const last = all.findLast(({ original }) => original)?.original
    // An export has no originals: its last line is its last record.
    const start = last ? last.byteOffset - whole.byteOffset : whole.lastIndexOf('\n', -2) + 1
    const end = last ? start + last.length : whole.length - 1
    const intact = last
      ? all.slice(
          0,
          all.findLastIndex(({ original }) => original),
        )
      : all.slice(0, -1)
    for (let cut = start; cut < end; cut += 1) {
      const source = getSource(whole.subarray(0, cut), { path: sample.path })
      const [read] = readConversations(source, { from: sample.format })
      expect(read?.events.map(({ event }) => event)).toEqual(intact.map(({ event }) => event))
      expect(read?.problems.length).toBe(cut === start ? 0 : 1)
    }
  },
)
