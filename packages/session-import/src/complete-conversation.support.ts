import type { ReadConversation } from './convert/read-conversation.ts'
import { readConversations } from './import-conversation.ts'
import { getSource } from './sources/make-source.support.ts'

export const text = (value: string): { type: 'text'; text: string } => ({
  type: 'text',
  text: value,
})
/** Returns one of seven seconds, so that each record has its own time. */
export const getTime = (second: number): string => `2026-02-03T04:05:0${second}.000Z`

export function readOne(
  content: Parameters<typeof getSource>[0],
  path: string,
  more: { beside?: Readonly<Record<string, unknown>> } = {},
): ReadConversation {
  const [conversation, ...others] = readConversations(getSource(content, { path, ...more }))
  if (!conversation || others.length > 0) throw new Error('expected one conversation')
  return conversation
}

/** Returns everything but the counts, which other tests compare with the events. An original is compared as JSON. */
export function whole({ source, format, id, title, events, problems }: ReadConversation): object {
  const dated = events.map(({ event, at: when, original }) => [
    when,
    event,
    original && (JSON.parse(new TextDecoder().decode(original)) as unknown),
  ])
  return { source, format, id, title, events: dated, problems }
}
