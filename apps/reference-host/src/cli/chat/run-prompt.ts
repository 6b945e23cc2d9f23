import { formatCommand } from '@toolblocks/local-executor/internal'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { ContentBlock } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import { describeAsked } from '@toolblocks/viewer/questions'
import { attachFile } from './attach-file.ts'
import type { AskedPeople } from '../../terminal/share-screen.ts'
import {
  type ChatAgentOptions,
  type AgentPeople,
  openAgent,
  type OpenedAgent,
} from './open-agent.ts'
import { renderTurn, showTurn } from './show/show-turn.ts'
import { describePending, describeSettled } from '../../terminal/describe-question.ts'
import { createWaitingLine, type WaitingLine } from '../../terminal/show-progress.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import {
  findUnfinishedQuestions,
  listOpenQuestions,
} from '../../workspace/questions/unfinished-questions.ts'

/** The options of `toolblocks run`. */
export interface RunPromptOptions extends Omit<ChatAgentOptions, 'output' | 'command'> {
  /** `jsonl`: prints each event on a line after it is stored. */
  output?: 'text' | 'jsonl'
  attach?: readonly string[]
  modelView?: boolean
  /** `false` with `--no-input`. */
  input: boolean
  /** Whether what needs a person waits in the store, and the command ends. */
  park?: boolean
  /** Whether the command waits until people elsewhere have answered. */
  wait?: boolean
}

/** `toolblocks run [PROMPT]`: runs one turn with a model and makes its calls. Without a prompt, it continues the last turn of a conversation. */
export async function runPrompt(
  context: CommandContext,
  [prompt, ...more]: readonly string[],
  options: RunPromptOptions,
): Promise<number> {
  const { terminal, signal } = context
  const problem = findUsageProblem(context, [prompt, ...more], options)
  if (problem !== undefined) {
    terminal.report('error', problem)
    return EXIT.usage
  }
  const content = prompt === undefined ? undefined : await readContent(context, prompt, options)
  if (content === 'invalid') return EXIT.usage
  const lines = options.output === 'jsonl'
  const waiting = createWaitingLine(terminal)
  const { output: _printed, ...rest } = options
  const opened = await openAgent(
    context,
    { ...rest, command: 'run', isContinued: !content },
    {
      ...(await choosePeople(context, options, { line: waiting, isContinued: !content })),
      ...(lines && { onEvent: (event) => terminal.printJson(event, 'line') }),
    },
  )
  if (!opened.ok) return opened.code
  const { agent } = opened
  const view = showTurn(terminal, {
    root: agent.root,
    kept: agent.storeName === undefined ? undefined : agent.conversation().id,
    modelView: () => options.modelView === true,
    waiting,
    signal,
  })
  const turnView = lines ? { show: () => {}, finish: () => {} } : view
  try {
    if (content && options.resume !== undefined) {
      const unfinished = await findUnfinished(agent)
      const refused = explainUnfinished(unfinished, agent.conversation().id)
      if (refused !== undefined) {
        terminal.report('error', refused)
        return EXIT.usage
      }
    }
    const code = await renderTurn(terminal, turnView, async (show) =>
      content
        ? await agent.runTurn(content, { signal, show })
        : ((await agent.resumeTurn({ signal, show })) ?? 'nothing'),
    )
    if (code === EXIT.waiting) await reportWaiting(terminal, agent, options)
    return signal.aborted ? EXIT.cancelled : code
  } finally {
    await agent.close()
  }
}

function findUsageProblem(
  { command }: Pick<CommandContext, 'command'>,
  args: readonly (string | undefined)[],
  { resume, attach, park, wait }: RunPromptOptions,
): string | undefined {
  const [prompt, ...more] = args.filter((word) => word !== undefined)
  if (more.length > 0) {
    const quoted = formatCommand([[prompt, ...more].join(' ')])
    return `expected the prompt as one argument, got ${more.length + 1}; put it in quotes: ${command} run ${quoted}`
  }
  if (park && wait) return '--park ends the command and --wait keeps it running; use one of them'
  if (prompt !== undefined) return undefined
  if (resume === undefined)
    return `expected a prompt in quotes, or --resume to continue the last turn of a conversation`
  return attach ? '--attach needs a prompt' : undefined
}

async function readContent(
  context: CommandContext,
  prompt: string,
  { attach = [] }: RunPromptOptions,
): Promise<readonly ContentBlock[] | 'invalid'> {
  const text = prompt === '-' ? await context.readText('-') : prompt
  const content: ContentBlock[] = [{ type: 'text', text }]
  for (const path of attach) {
    const attached = await attachFile(context.folder, path)
    if (!attached.ok) {
      context.terminal.report('error', `--attach ${attached.message}`)
      return 'invalid'
    }
    content.push(attached.block)
  }
  return content
}

/**
 * Chooses who is asked: nobody here with `--park` and `--wait`, else the person at the terminal and the people elsewhere, else nobody. A turn that
 * continues without a person leaves its questions open.
 */
async function choosePeople(
  context: CommandContext,
  { park = false, wait = false, input, output }: RunPromptOptions,
  { line, isContinued }: { line: WaitingLine; isContinued: boolean },
): Promise<AgentPeople> {
  if (park) return PARKING
  if (wait) return { waiting: reportWhileWaiting(context, { output, line }), mustBeStored: true }
  const isPersonHere = input && output !== 'jsonl' && context.terminal.person !== undefined
  if (!isPersonHere) return isContinued ? PARKING : {}
  return { ...line.aside(await findPeople(context)), waiting: { whenUnanswered: 'wait' } }
}

const PARKING: AgentPeople = { waiting: { whenUnanswered: 'park' }, mustBeStored: true }

/** Reports each question that opens, and how it was settled. */
function reportWhileWaiting(
  { terminal, signal }: CommandContext,
  { output, line }: { output: RunPromptOptions['output']; line: WaitingLine },
): NonNullable<AgentPeople['waiting']> {
  const { style } = terminal
  const report = (question: PendingQuestion): void => {
    if (output === 'jsonl') return terminal.printJson(toWaitingLine([question]), 'line')
    line.end()
    terminal.note(describePending(question, terminal, { now: new Date() }))
    terminal.note(style.dim(`  ${HOW_TO_ANSWER} ${question.id}`))
    line.begin(style.dim('waiting for an answer'), { signal })
  }
  return {
    whenUnanswered: 'wait',
    onOpen: report,
    onStillOpen: report,
    onSettledElsewhere: (question) => {
      if (output === 'jsonl') return
      line.end()
      const settledLine = `${question.id}: ${describeSettled(question)}`
      terminal.note(terminal.sanitize(settledLine))
    },
  }
}

const HOW_TO_ANSWER = 'Answer with: toolblocks questions answer'

/** The line with which `--output jsonl` reports questions that wait. */
function toWaitingLine(questions: readonly PendingQuestion[]): object {
  return { type: 'waiting', questions }
}

/** Prompts are loaded only if a person can see them. */
async function findPeople({ terminal, interrupt, folder }: CommandContext): Promise<AskedPeople> {
  const [{ createPerson }, { createApprovalWithRule }, { reportSettled }] = await Promise.all([
    import('../../terminal/ask/create-person.ts'),
    import('../../terminal/ask/ask-approval.ts'),
    import('../../terminal/ask/report-settled.ts'),
  ])
  const user = createPerson(terminal, { root: folder, interrupt })
  const approve = createApprovalWithRule(terminal, { root: folder, interrupt })
  return reportSettled({ ...(user && { user }), ...(approve && { approve }) }, terminal)
}

async function findUnfinished(agent: OpenedAgent): Promise<readonly PendingQuestion[]> {
  const { store, id, events } = agent.conversation()
  return await findUnfinishedQuestions(store, { id, events: events() })
}

/** Explains why a new prompt must wait: its turn would end the calls that wait without an answer. */
function explainUnfinished(
  unfinished: readonly PendingQuestion[],
  conversation: string,
): string | undefined {
  const resume = `"toolblocks run --resume ${conversation}" without a prompt`
  const open = unfinished.filter(({ state }) => state === 'open')
  const answered = unfinished.filter(({ state }) => state === 'answered' || state === 'declined')
  const named = open.map((question) => `${question.id} (${describeAsked(question)})`).join(', ')
  if (open.length > 0)
    return `the last turn waits for ${open.length === 1 ? 'an answer' : `${open.length} answers`}: ${named}; continue it with ${resume}, or end the questions with "toolblocks questions withdraw ${open.map(({ id }) => id).join(' ')}"`
  return answered.length > 0
    ? `the last turn has answers that it has not used yet; continue it with ${resume}`
    : undefined
}

/** Lists the questions that wait after the turn. */
async function reportWaiting(
  terminal: Terminal,
  agent: OpenedAgent,
  { output }: RunPromptOptions,
): Promise<void> {
  const { style } = terminal
  const { store, id } = agent.conversation()
  const questions = await listOpenQuestions(store, id)
  if (output === 'jsonl') return terminal.printJson(toWaitingLine(questions), 'line')
  const now = new Date()
  terminal.note(
    joinTerminal(
      [
        style.yellow(
          questions.length === 1 ? '1 question waits:' : `${questions.length} questions wait:`,
        ),
        ...questions.map((question) => describePending(question, terminal, { now })),
        ...(questions.every(({ isLocal }) => isLocal) ? [] : [style.dim(`${HOW_TO_ANSWER} ID`)]),
        style.dim(`Then continue with: toolblocks run --resume ${id}`),
      ],
      '\n',
    ),
  )
}
