import {
  type Answer,
  type AnswerQuestion,
  type ContentBlock,
  type InputRequest,
  type QuestionContent,
  type QuestionContext,
  type QuestionSource,
  type RenderBlocks,
  type RenderTerminalLine,
  type TerminalText,
  isSecret,
  isJsonObject,
} from '@toolblocks/protocol'
import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import { SettledElsewhere } from '../pending/pending-question.ts'
import { getDetails } from '../questions/question-details.ts'
import { askAddress } from './ask-address.ts'
import { askForm } from './ask-form.ts'
import { askValue } from './ask-value.ts'
import { type QuestionTerminal, ask, sizedOutput } from './open-prompt.ts'
import { type ValuePrompt, getPromptKind, takesNull } from '../form/prompt-kind.ts'
import { promptOne } from './choice-prompt.ts'
import { show } from './prompts.ts'
import type { TerminalInput, TerminalOutput } from './terminal-streams.ts'
import { getHeadline, renderWhole, getRows, terminalText } from './words.ts'

/** Options of a person at a terminal. */
export interface TerminalAnswersOptions {
  /** Renders blocks for the terminal. */
  renderBlocks: RenderBlocks
  /** Renders all other untrusted text, one line each and without colours: `sanitizeTerminalLine`. */
  renderLine: RenderTerminalLine
  /** The keyboard. Default: standard input. */
  input?: TerminalInput
  /** The screen. Default: standard output. */
  output?: TerminalOutput
  /** Answers questions that no prompt can ask. Default: such questions are cancelled, with reason `nobody`. */
  editor?: AnswerQuestion
  /** Called when Ctrl-C is pressed at a prompt; it raises no signal there. The question is cancelled as well. Default: nothing else happens. */
  onInterrupt?: () => void
  /** The last line below a question that was cancelled. Default: its reason. */
  whenCancelled?: TerminalText
  /** Whether flat objects are asked for field by field, or in the editor. Default: `ask`. */
  forms?: 'ask' | 'edit'
}

/**
 * Creates a port that asks a person at a terminal. It shows the blocks that were not shown yet, and who asks. Then it shows a prompt that matches
 * the question's schema, until the value is valid, and below it the blocks after the last question. Esc offers back, decline and cancel; Ctrl-C cancels. Without
 * a terminal, the question gets no answer. It asks one question at a time, because a terminal has one reader.
 */
export function createTerminalAnswers(options: TerminalAnswersOptions): AnswerQuestion {
  requireArguments('createTerminalAnswers(options)', [options, 'object'])
  requireChoices('createTerminalAnswers(options)', 'options', options, { forms: ['ask', 'edit'] })
  const { input = process.stdin, renderBlocks, renderLine, onInterrupt = () => {} } = options
  const output = sizedOutput(options.output ?? process.stdout)
  return async (request, context) => {
    if (!input.isTTY || !output.isTTY) return { action: 'cancel', reason: 'nobody' }
    const { signal, blocks, shown: shownCount = 0, after = [] } = context
    if (signal.aborted) return { action: 'cancel', reason: 'aborted' }
    const { label, extent } = getHeadline(request.text, renderLine)
    const whole: QuestionContent[] =
      extent === 'begun' ? [{ type: 'question', question: request }] : []
    const material = renderMaterial([...blocks.slice(shownCount), ...whole], renderBlocks)
    output.write(material)
    const terminal: QuestionTerminal = {
      input,
      output,
      renderBlocks,
      renderLine,
      onInterrupt,
      signal,
      view: getRows(material, output.columns) + PROMPT_ROWS > output.rows ? 'beyond' : 'whole',
    }
    introduce(context, terminal)
    const answer = await answerAt(terminal, { request, label, context, options })
    conclude(answer, terminal, options)
    output.write(renderMaterial(after, renderBlocks))
    return answer
  }
}

/** Rows that a prompt with its label needs. */
const PROMPT_ROWS = 8

function renderMaterial(blocks: readonly ContentBlock[], renderBlocks: RenderBlocks): TerminalText {
  if (blocks.length === 0) return terminalText``
  const rendered = renderBlocks(blocks)
  return rendered.endsWith('\n') ? rendered : terminalText`${rendered}\n`
}

function introduce(context: QuestionContext, { output, renderLine }: QuestionTerminal): void {
  const who = renderLine(whoAsks(context.source))
  show.begin(terminalText`${who} asks · Esc: back, decline, cancel`, output)
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

interface TerminalQuestion {
  request: InputRequest
  label: TerminalText
  context: QuestionContext
  options: TerminalAnswersOptions
}

async function answerAt(
  terminal: QuestionTerminal,
  { request, label, context, options }: TerminalQuestion,
): Promise<Answer> {
  const { source } = context
  const { url: address } = request
  if (address !== undefined) return await askAddress({ label, address }, terminal)
  // Decided by the fields, not by words in the text.
  if (source.kind === 'elicitation' && isSecret({ id: '', schema: request.schema })) {
    show.error(
      terminalText`This server asks for a secret in a form. It was declined without asking.`,
      terminal.output,
    )
    return { action: 'decline' }
  }
  const prompt = getPromptKind(request.schema)
  const { editor, forms = 'ask' } = options
  switch (prompt.kind) {
    case 'editor':
      return await askInEditor({ label, request }, { terminal, context, editor })
    case 'form':
      return forms === 'edit'
        ? await askInEditor({ label, request }, { terminal, context, editor })
        : await askForm({ request, label, fields: prompt.fields }, terminal)
    case 'yes-no':
    case 'select':
    case 'multi-select':
    case 'text':
    case 'number':
    case 'lines':
      return await askOnly({ request, label, prompt }, terminal)
  }
}

async function askOnly(
  { request, label, prompt }: { request: InputRequest; label: TerminalText; prompt: ValuePrompt },
  terminal: QuestionTerminal,
): Promise<Answer> {
  const { schema } = request
  const nullable = isJsonObject(schema) && takesNull(schema)
  const need = nullable ? 'optional' : 'required'
  const details = getDetails(schema, need)
  const asked = await askValue(
    {
      label,
      details: details.map((line) => renderWhole(line, terminal.renderLine)),
      prompt,
      schema,
      current: nullable && request.default === null ? undefined : request.default,
      need,
      display: isSecret(request) ? 'masked' : 'plain',
    },
    terminal,
  )
  if (asked.kind === 'end') return asked.answer
  // There is no previous question.
  if (asked.kind === 'back') return { action: 'cancel', reason: 'user' }
  // A value can be omitted only if it may be null.
  if (asked.value === 'omitted') return { action: 'accept', value: null }
  return { action: 'accept', value: asked.value.value }
}

function conclude(
  answer: Answer,
  { output, signal }: QuestionTerminal,
  { whenCancelled }: Pick<TerminalAnswersOptions, 'whenCancelled'>,
): void {
  const isSettled = signal.aborted && signal.reason instanceof SettledElsewhere
  const own = answer.action === 'cancel' ? whenCancelled : undefined
  const word = isSettled ? terminalText`Closed` : (own ?? lastWord(answer))
  if (word !== undefined) show.end(word, output)
}

function lastWord(answer: Answer): TerminalText | undefined {
  if (answer.action === 'accept') return undefined
  if (answer.action === 'decline') return terminalText`Declined`
  switch (answer.reason) {
    case 'user':
      return terminalText`Cancelled`
    case 'expired':
      return terminalText`Cancelled: no answer in time`
    case 'nobody':
      return terminalText`Cancelled: no person can answer this here`
    case 'end-of-input':
      return terminalText`Cancelled: the input has ended`
    case 'aborted':
      return terminalText`Cancelled: the call was stopped`
    case 'withdrawn':
      return terminalText`Cancelled: the question was withdrawn`
    case 'wrong-answer':
      return terminalText`Cancelled: the answers were invalid`
    case 'failed':
      return terminalText`Cancelled: asking failed`
  }
}

/** Opens the editor after the person confirms: an editor takes the complete screen and cannot decline. */
async function askInEditor(
  { label, request }: { label: TerminalText; request: InputRequest },
  {
    terminal,
    context,
    editor,
  }: { terminal: QuestionTerminal; context: QuestionContext; editor: AnswerQuestion | undefined },
): Promise<Answer> {
  if (!editor) {
    const lacking = terminalText`This needs an editor, but no editor is configured.`
    show.text([label, lacking], terminal.output)
    return { action: 'cancel', reason: 'nobody' }
  }
  const asked = await ask(terminal, {
    show: async (io) =>
      await promptOne(io, {
        label,
        options: [
          { value: 'open', label: terminalText`Answer in the editor` },
          { value: 'decline', label: terminalText`Decline` },
        ],
        initial: 'open',
      }),
  })
  if (asked.kind === 'end') return asked.answer
  return asked.kind === 'value' && asked.value === 'open'
    ? await editor(request, context)
    : { action: 'decline' }
}
