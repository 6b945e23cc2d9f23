import type {
  Answer,
  AnswerQuestion,
  InputRequest,
  QuestionContext,
  QuestionSource,
  RenderBlocks,
  RenderLine,
  TerminalText,
} from '@toolblocks/protocol'
import { isSecret } from '../questions/is-secret.ts'
import { askAddress } from './ask-address.ts'
import { askForm } from './ask-form.ts'
import { askInEditor } from './ask-in-editor.ts'
import { askValue } from './ask-value.ts'
import { detailsOf } from '../questions/details-of.ts'
import { promptKindOf, type ValuePrompt } from './prompt-kind.ts'
import { show } from './prompts/prompts.ts'
import type { Terminal } from './terminal.ts'
import { words } from './prompts/words.ts'

/** How a person is asked at a terminal. */
export interface TerminalAnswersOptions {
  /** Writes blocks for the terminal. */
  renderBlocks: RenderBlocks
  /** Writes everything else that comes from outside, one line each and without colours: `sanitizeTerminalLine`. */
  renderLine: RenderLine
  /** Default: standard input. */
  input?: NodeJS.ReadStream
  /** Default: standard output. */
  output?: NodeJS.WriteStream
  /** Answers what no prompt can ask for. Default: such questions are cancelled, reason `nobody`. */
  editor?: AnswerQuestion
  /** Whether flat objects are asked for field by field or in the editor. Default: `ask`. */
  forms?: 'ask' | 'edit'
}

/**
 * Asks a person at a terminal: the blocks not shown yet, also those behind the last question, who asks, then a prompt that fits the question's schema and stays
 * open until the value does. Esc offers back, decline and cancel; Ctrl-C cancels. Without a terminal nobody is asked. One
 * question at a time: a terminal has one reader.
 */
export function createTerminalAnswers(options: TerminalAnswersOptions): AnswerQuestion {
  const { input = process.stdin, output = process.stdout, renderBlocks, renderLine } = options
  return async (request, context) => {
    if (!input.isTTY || !output.isTTY) return { action: 'cancel', reason: 'nobody' }
    if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
    const terminal: Terminal = { input, output, renderBlocks, renderLine, signal: context.signal }
    const { blocks, shown = 0, after = [] } = context
    showBlocks([...blocks.slice(shown), ...after], terminal)
    introduce(context, terminal)
    const answer = await answerAt(terminal, { request, context, options })
    conclude(answer, terminal)
    return answer
  }
}

function showBlocks(blocks: QuestionContext['blocks'], { output, renderBlocks }: Terminal): void {
  if (blocks.length > 0) output.write(`${renderBlocks(blocks).replace(/\n*$/, '')}\n`)
}

function introduce(context: QuestionContext, { output, renderLine }: Terminal): void {
  const who = renderLine(whoAsks(context.source))
  show.begin(words`${who} asks · Esc: back, decline, cancel`, output)
  for (const { message } of context.problems ?? []) show.warning(renderLine(message), output)
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
  options: TerminalAnswersOptions
}

async function answerAt(
  terminal: Terminal,
  { request, context, options }: Asking,
): Promise<Answer> {
  const { source } = context
  const label = terminal.renderLine(request.text)
  const { url: address } = request
  if (address !== undefined) return await askAddress({ label, address }, terminal)
  if (source.kind === 'elicitation' && asksForSecrets(request)) {
    show.error(
      words`This server asks for a secret in a form. It was declined unasked.`,
      terminal.output,
    )
    return { action: 'decline' }
  }
  const prompt = promptKindOf(request.schema)
  const { editor, forms = 'ask' } = options
  switch (prompt.kind) {
    case 'editor':
      return await askInEditor({ label, request }, { terminal, context, editor })
    case 'form':
      return forms === 'edit'
        ? await askInEditor({ label, request }, { terminal, context, editor })
        : await askForm({ request, fields: prompt.fields }, terminal)
    case 'yes-no':
    case 'select':
    case 'multi-select':
    case 'text':
    case 'number':
      return await askOnly({ request, label, prompt }, terminal)
  }
}

/** What a server may not ask for in a form: judged by its fields, not by words in its text. */
function asksForSecrets({ schema }: InputRequest): boolean {
  return isSecret({ id: '', text: '', schema })
}

async function askOnly(
  { request, label, prompt }: { request: InputRequest; label: TerminalText; prompt: ValuePrompt },
  terminal: Terminal,
): Promise<Answer> {
  const details = detailsOf(request.schema)
  const asked = await askValue(
    {
      label,
      details: details.map(terminal.renderLine),
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
  if (word !== undefined) show.end(word, output)
}

function lastWord(answer: Answer): TerminalText | undefined {
  if (answer.action === 'accept') return undefined
  if (answer.action === 'decline') return words`Declined`
  switch (answer.reason) {
    case 'user':
      return words`Cancelled`
    case 'timeout':
      return words`Cancelled: too late`
    case 'nobody':
      return words`Cancelled: nobody can answer this here`
    case 'end-of-input':
      return words`Cancelled: the input has ended`
    case 'aborted':
      return words`Cancelled: the call was stopped`
    case 'wrong-answer':
      return words`Cancelled: the answers did not fit`
    case 'failed':
      return words`Cancelled: asking failed`
  }
}
