import type { Answer, ContentBlock, JsonValue, TerminalText } from '@toolblocks/protocol'
import { createTerminalAnswers, type TerminalAnswersOptions } from '../create-terminal-answers.ts'
import type { PutQuestion } from './keys.support.ts'

/** The answer to a question, and whether the terminal was left in raw mode. */
export type RecordedAnswer = Answer & { raw: boolean }

type Options = Omit<TerminalAnswersOptions, 'renderBlocks' | 'renderLine'>

/** An answer after which the terminal is restored. */
export function accepted(value: JsonValue): RecordedAnswer {
  return { action: 'accept', value, raw: false }
}

/** A longer line is truncated, as sanitizers do. */
const MAX_LENGTH = 300

/** Asks questions in order. */
export async function putQuestions(
  questions: readonly PutQuestion[],
  { signal, ...options }: Options & { signal: AbortSignal },
): Promise<RecordedAnswer[]> {
  const { input = process.stdin } = options
  const ask = createTerminalAnswers({
    ...options,
    renderBlocks: (blocks) =>
      blocks
        .map(getWords)
        .join('\n')
        // oxlint-disable-next-line no-control-regex -- what a terminal obeys
        .replaceAll(/[\u0000-\u0009\u000B-\u001F]/g, '?') as TerminalText,
    renderLine: (text) => {
      // oxlint-disable-next-line no-control-regex -- what a terminal obeys
      const line = text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u202E]/g, getNumber)
      return (
        line.length > MAX_LENGTH
          ? `${line.slice(0, MAX_LENGTH)}…(+${line.length - MAX_LENGTH})`
          : line
      ) as TerminalText
    },
  })
  const answers: RecordedAnswer[] = []
  for (const { request, ...context } of questions) {
    const answer = await ask(request, {
      blocks: [],
      source: { kind: 'question', call: { id: 'call-1', name: 'edit_file', arguments: {} } },
      signal,
      ...context,
    })
    answers.push({ ...answer, raw: 'isRaw' in input && input.isRaw })
  }
  return answers
}

function getWords(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  return block.type === 'question' ? block.question.text : block.type
}

function getNumber(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`
}
