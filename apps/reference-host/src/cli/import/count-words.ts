import type { ConversationCounts } from '@toolblocks/conversation-store/import'

/** What is counted, in the order it is told, with the words for one and for many. */
export const COUNT_WORDS: readonly [name: keyof ConversationCounts, one: string, many: string][] = [
  ['turns', 'turn', 'turns'],
  ['userMessages', 'message of people', 'messages of people'],
  ['assistantMessages', 'message of models', 'messages of models'],
  ['calls', 'call', 'calls'],
  ['results', 'result', 'results'],
  ['errors', 'error', 'errors'],
  ['questions', 'question', 'questions'],
  ['answers', 'answer', 'answers'],
  ['configurations', 'configuration', 'configurations'],
  [
    'unknown',
    'record kept as it is, unknown to this version',
    'records kept as they are, unknown to this version',
  ],
]

/** A number with its word. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
