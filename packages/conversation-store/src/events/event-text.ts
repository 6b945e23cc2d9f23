import { getText, type ContentBlock } from '@toolblocks/protocol'
import { MAX_SEARCHED_LENGTH } from '@toolblocks/protocol/internal'
import type { ConversationEvent, UnknownEvent } from './conversation-event.ts'

const NO_WORD = /[^\p{L}\p{N}]+/u

/** Returns the text by which a person may search for an event: what was said, called and answered. */
export function getEventText(event: ConversationEvent | UnknownEvent): string {
  switch (event.type) {
    case 'user_message':
      return getBlocksText(event.content)
    case 'assistant_message':
      return join([getBlocksText(event.content), event.reasoning, encodeJson(event.data)])
    case 'tool_call':
      return join([event.call.name, encodeJson(event.call.arguments)])
    case 'tool_result':
      return join([getBlocksText(event.result.content), encodeJson(event.result.structuredContent)])
    case 'question':
      return event.question.text
    case 'answer':
      return 'value' in event ? encodeJson(event.value) : ''
    case 'compaction':
      return event.summary ?? ''
    case 'approval':
      return join([event.reason ?? '', event.rule ?? ''])
    case 'turn_start':
    case 'delivery':
    case 'configuration':
    case 'rewind':
    case 'unknown':
      return ''
    default:
      // A block of a newer version, which a host may pass on.
      return ''
  }
}

/** Returns the words of a text, in lower case, in their order. Words after `MAX_SEARCHED_LENGTH` characters are neither indexed nor found. */
export function getWords(text: string): readonly string[] {
  return text
    .slice(0, MAX_SEARCHED_LENGTH)
    .toLowerCase()
    .split(NO_WORD)
    .filter((word) => word !== '')
}

function getBlocksText(blocks: readonly ContentBlock[]): string {
  return join(
    blocks.flatMap((block) => [
      block.type === 'resource' ? block.resource.uri : undefined,
      getText(block),
    ]),
  )
}

function encodeJson(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n')
}
