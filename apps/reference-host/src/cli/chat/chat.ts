import { type AgentTurn, ConversationHeld, type TurnEnd } from '@toolblocks/agent'
import type { ContentBlock } from '@toolblocks/protocol'
import { type ChatAgentOptions, openAgent, type OpenedAgent } from './open-agent.ts'
import { createChatPrompt } from './chat-prompt.ts'
import { describeStart } from './show-start.ts'
import { createInterrupts } from './interrupts.ts'
import { renderTurn, showTurn } from './show/show-turn.ts'
import { isChatCommand, runSlashCommand } from './chat-commands.ts'
import { describePastTurns } from './show/show-past-turns.ts'
import { createWaitingLine } from '../../terminal/show-progress.ts'
import { createApprovalWithRule } from '../../terminal/ask/ask-approval.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { renderRows } from '../../terminal/describe-call.ts'
import { createPerson } from '../../terminal/ask/create-person.ts'
import { reportSettled } from '../../terminal/ask/report-settled.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { findUnfinishedQuestions } from '../../workspace/questions/unfinished-questions.ts'

/** The options of `toolblocks chat`. */
export type ChatOptions = Omit<ChatAgentOptions, 'command'>

/** The assumed number of rows, if the terminal does not report it. */
const ROWS = 24
/** The rows below the turns that are shown again: a line and the prompt. */
const ROWS_BELOW = 2
const MIN_ROWS = 5

/** `toolblocks chat`: runs turn after turn with a model, until the person leaves. */
export async function chat(context: CommandContext, options: ChatOptions): Promise<number> {
  const { terminal, folder } = context
  const { keyboard } = terminal
  if (!keyboard) {
    terminal.report(
      'error',
      'chat needs a terminal; use "toolblocks run" for one prompt without a terminal',
    )
    return EXIT.usage
  }
  const interrupts = createInterrupts(context.signal, {
    onSignal: () => void keyboard.output.write('\n'),
  })
  const interrupt = interrupts.press
  const user = createPerson(terminal, { root: folder, interrupt })
  const approve = createApprovalWithRule(terminal, { root: folder, interrupt })
  const waiting = createWaitingLine(terminal)
  const asked = { ...(user && { user }), ...(approve && { approve }) }
  const people = {
    ...waiting.aside(reportSettled(asked, terminal)),
    waiting: { whenUnanswered: 'wait' as const },
  }
  const opened = await openAgent(context, { ...options, command: 'chat' }, people)
  if (!opened.ok) return opened.code
  const { agent } = opened
  const state = { modelView: false, attached: [] as ContentBlock[] }
  const prompt = createChatPrompt(keyboard, { root: agent.root, signal: context.signal })
  const { style } = terminal
  const start = describeStart(agent, terminal)
  terminal.note(start)
  const rowsOfStart = renderRows(start, terminal.columns).length
  const continues = await hasUnfinishedQuestions(agent)
  const past = await describePastTurns(agent.conversation().events(), terminal, {
    root: agent.root,
    continues,
    rows: Math.max(MIN_ROWS, (keyboard.output.rows || ROWS) - rowsOfStart - ROWS_BELOW),
  })
  if (past !== undefined) terminal.print(past)
  let wasInterrupted = false
  /** Shows a turn while it runs. Ctrl-C ends its calls, or the turn. */
  const runShown = async (run: (turn: AgentTurn) => Promise<TurnEnd>): Promise<number> => {
    const signals = interrupts.begin()
    const view = showTurn(terminal, {
      root: agent.root,
      kept: agent.storeName === undefined ? undefined : agent.conversation().id,
      modelView: () => state.modelView,
      waiting,
      signal: signals.signal,
    })
    const code = await renderTurn(terminal, view, async (show) => await run({ ...signals, show }))
    wasInterrupted = interrupts.end().wasPressed
    return code
  }
  try {
    if (continues) {
      terminal.note(style.dim('The last turn continues, because its questions wait.'))
      let isHeld = false
      const code = await runShown(async (turn) => {
        try {
          return (await agent.resumeTurn(turn)) ?? 'completed'
        } catch (error) {
          isHeld = error instanceof ConversationHeld
          throw error
        }
      })
      if (isHeld) return code
    }
    for (;;) {
      const typed = await prompt.read({ wasInterrupted })
      wasInterrupted = false
      if (context.signal.aborted) return EXIT.cancelled
      if (typed === undefined) return EXIT.ok
      if (typed.trim() === '') continue
      if (isChatCommand(typed)) {
        if ((await runSlashCommand(typed, { agent, state, terminal })) === 'leave') return EXIT.ok
        continue
      }
      const content: ContentBlock[] = [{ type: 'text', text: typed }, ...state.attached]
      state.attached = []
      await runShown(async (turn) => await agent.runTurn(content, turn))
    }
  } finally {
    await agent.close()
    const { id, events } = agent.conversation()
    if (events().length > 0 && agent.storeName !== undefined)
      terminal.note(style.dim(`Resume with: toolblocks chat --resume ${id}`))
  }
}

/** Whether the last turn has calls whose questions wait, or have settled without effect so far. */
async function hasUnfinishedQuestions(agent: OpenedAgent): Promise<boolean> {
  const { store, id, events } = agent.conversation()
  return (await findUnfinishedQuestions(store, { id, events: events() })).length > 0
}
