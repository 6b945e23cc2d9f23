import type { ConversationCounts } from '@toolblocks/session-import'

/** The counted kinds in the order in which they are shown, with the words for one and for many. */
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
    'record stored unchanged, unknown to this version',
    'records stored unchanged, unknown to this version',
  ],
]

/** Formats a number with its noun. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
