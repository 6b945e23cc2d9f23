/** The program in the pseudo-terminal: asks the questions of a file one after another and writes down what came of each. */
import { readFileSync, writeFileSync } from 'node:fs'
import type {
  ContentBlock,
  InputRequest,
  QuestionContext,
  TerminalText,
} from '@toolblocks/protocol'
import { createEditorAnswers } from '../editor.ts'
import { createTerminalAnswers } from '../terminal.ts'

const [questionsFile = '', answersFile = '', forms = 'ask', size = 'its own'] =
  process.argv.slice(2)
const questions = JSON.parse(readFileSync(questionsFile, 'utf8')) as (Partial<QuestionContext> & {
  request: InputRequest
})[]

if (size === 'none')
  for (const side of ['columns', 'rows'])
    Object.defineProperty(process.stdout, side, { get: () => 0 })

const stop = new AbortController()
process.on('SIGUSR2', () => stop.abort())
// As a host that outlives its terminal.
process.on('SIGHUP', () => undefined)
// A process that no shell looks after is not stopped by it, but told.
process.on('SIGTSTP', () => process.stdout.write('STOPPED'))
process.stdout.on('error', () => undefined)

const ask = createTerminalAnswers({
  renderBlocks: (blocks) =>
    blocks
      .map(wordsOf)
      .join('\n')
      // oxlint-disable-next-line no-control-regex -- what a terminal obeys
      .replaceAll(/[\u0000-\u0009\u000B-\u001F]/g, '?') as TerminalText,
  renderLine: (text) =>
    // oxlint-disable-next-line no-control-regex -- what a terminal obeys
    text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u202E]/g, numberOf) as TerminalText,
  ...(process.env['EDITOR'] ? { editor: createEditorAnswers() } : {}),
  forms: forms === 'edit' ? 'edit' : 'ask',
})

function wordsOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  return block.type === 'question' ? block.question.text : block.type
}

function numberOf(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`
}

const answers = []
for (const { request, ...context } of questions) {
  const answer = await ask(request, {
    blocks: [],
    source: { kind: 'question', call: { id: 'call-1', name: 'edit_file', arguments: {} } },
    signal: stop.signal,
    ...context,
  })
  answers.push({ ...answer, raw: process.stdin.isRaw ?? false })
}
writeFileSync(answersFile, JSON.stringify(answers))
