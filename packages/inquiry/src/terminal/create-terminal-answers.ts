import { cancel, intro, log } from '@clack/prompts'
import type {
  Answer,
  AnswerQuestion,
  InputRequest,
  QuestionContext,
  QuestionSource,
  RenderBlocks,
} from '@toolblocks/protocol'
import { isSecret } from '../questions/is-secret.ts'
import { askValue } from './ask-value.ts'
import { oneLine } from './one-line.ts'
import { promptKindOf } from './prompt-kind.ts'
import type { Terminal } from './terminal.ts'

/** How a person is asked at a terminal. */
export interface TerminalAnswersOptions {
  /** Writes blocks, and everything else that comes from outside, for the terminal. */
  renderBlocks: RenderBlocks
  /** Default: standard input. */
  input?: NodeJS.ReadStream
  /** Default: standard output. */
  output?: NodeJS.WriteStream
  /** Answers what no prompt can ask for. Default: such questions are cancelled, reason `nobody`. */
  editor?: AnswerQuestion
}

/**
 * Asks a person at a terminal: the blocks not shown yet, who asks, then a prompt that fits the question's schema and stays
 * open until the value does. Esc offers back, decline and cancel; Ctrl-C cancels. Without a terminal nobody is asked. One
 * question at a time: a terminal has one reader.
 */
export function createTerminalAnswers(options: TerminalAnswersOptions): AnswerQuestion {
  const { input = process.stdin, output = process.stdout, renderBlocks } = options
  return async (request, context) => {
    if (!input.isTTY || !output.isTTY) return { action: 'cancel', reason: 'nobody' }
    if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
    const terminal: Terminal = { input, output, renderBlocks, signal: context.signal }
    show(context.blocks.slice(context.shown ?? 0), terminal)
    introduce(context, terminal)
    const answer = await answerAt(terminal, { request, context, editor: options.editor })
    conclude(answer, terminal)
    show(context.after ?? [], terminal)
    return answer
  }
}

function show(blocks: QuestionContext['blocks'], { output, renderBlocks }: Terminal): void {
  if (blocks.length > 0) output.write(`${renderBlocks(blocks).replace(/\n*$/, '')}\n`)
}

function introduce(context: QuestionContext, { output, renderBlocks }: Terminal): void {
  const who = oneLine(whoAsks(context.source), renderBlocks)
  intro(`${who} asks · Esc: back, decline, cancel`, { output })
  for (const { message } of context.problems ?? [])
    log.warn(oneLine(message, renderBlocks), { output })
}

function whoAsks(source: QuestionSource): string {
  switch (source.kind) {
    case 'question':
      return source.call.name
    case 'handle':
      return `${source.call.name} (${source.handle})`
    case 'elicitation':
      return `Server ${source.server}`
  }
}

interface Asking {
  request: InputRequest
  context: QuestionContext
  editor: AnswerQuestion | undefined
}

async function answerAt(terminal: Terminal, { request, context, editor }: Asking): Promise<Answer> {
  const prompt = promptKindOf(request.schema)
  if (prompt.kind === 'form' || prompt.kind === 'editor')
    return editor ? await editor(request, context) : { action: 'cancel', reason: 'nobody' }
  const asked = await askValue(
    {
      label: oneLine(request.text, terminal.renderBlocks),
      details: [],
      prompt,
      schema: request.schema,
      ...(request.default === undefined ? {} : { current: request.default }),
      need: 'required',
      display: isSecret(request) ? 'masked' : 'plain',
    },
    terminal,
  )
  if (asked.kind === 'end') return asked.answer
  // Nothing to go back to and nothing to leave out here.
  if (asked.kind === 'back' || asked.value === 'left out')
    return { action: 'cancel', reason: 'user' }
  return { action: 'accept', value: asked.value.value }
}

function conclude(answer: Answer, { output }: Terminal): void {
  const word = lastWord(answer)
  if (word !== undefined) cancel(word, { output })
}

function lastWord(answer: Answer): string | undefined {
  if (answer.action === 'accept') return undefined
  if (answer.action === 'decline') return 'Declined'
  switch (answer.reason) {
    case 'user':
      return 'Cancelled'
    case 'timeout':
      return 'Cancelled: too late'
    case 'nobody':
      return 'Cancelled: nobody can answer this here'
    case 'end-of-input':
      return 'Cancelled: the input has ended'
    case 'aborted':
      return 'Cancelled: the call was stopped'
  }
}
