import { readTypedPath, attachFile } from './attach-file.ts'
import { ConversationConflict } from '@toolblocks/agent'
import {
  type ConversationEvent,
  type StoredEvent,
  readHistory,
} from '@toolblocks/conversation-store'
import { type ContentBlock, type TerminalText, getText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import {
  type Prices,
  createUsageSum,
  describeUsageSum,
  formatTokens,
} from '@toolblocks/viewer/reading'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { firstRow } from '../../terminal/describe-call.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { OpenedAgent } from './open-agent.ts'
import { describeModel, describeStart } from './show-start.ts'

/** The slash commands and what they do. */
export const CHAT_COMMANDS = {
  '/tools': 'list the tools that the model may call',
  '/model': 'show the model; with a NAME, use another one from now on',
  '/cost': 'show the tokens that this conversation has used',
  '/model-view': 'also show each result as the model receives it, or stop doing so',
  '/attach': 'attach the current content of FILE to the next message',
  '/undo': 'undo the last turn; it stays in the store',
  '/compact': 'stop sending the results of earlier turns to the model',
  '/clear': 'begin a new conversation on an empty screen; this one stays',
  '/help': 'show this list',
  '/exit': 'end the chat; exit, quit and Ctrl-D do the same',
} as const

/** Words that end the chat, also without a slash. */
const EXIT_WORDS: ReadonlySet<string> = new Set(['exit', 'quit', '/exit', '/quit'])

/** Whether the text is a command of the chat and not a message for the model. */
export function isChatCommand(typed: string): boolean {
  return typed.startsWith('/') || EXIT_WORDS.has(typed.trim())
}

/** The state of a chat between turns. */
interface ChatState {
  modelView: boolean
  attached: ContentBlock[]
}

const INDENT = '  '

/** The width of the column of commands, in characters. */
const SECOND_COLUMN = 13

/** Lists the commands in two columns. In a narrow terminal, a description continues below its own beginning. */
export function listCommands({
  style,
  columns,
}: Pick<Terminal, 'style' | 'columns'>): TerminalText {
  const lines = Object.entries(CHAT_COMMANDS).map(([name, what]) => {
    const gap = ' '.repeat(SECOND_COLUMN - name.length)
    const line = joinTerminal([style.plain(`${INDENT}${name}`), style.dim(what)], gap)
    return wrapTerminal(line, columns, ' '.repeat(SECOND_COLUMN))
  })
  return joinTerminal(lines, '\n')
}

/** What a slash command works with. */
interface SlashCommandResult {
  agent: OpenedAgent
  state: ChatState
  terminal: Terminal
}

/** Runs a slash command. */
export async function runSlashCommand(
  typed: string,
  commanded: SlashCommandResult,
): Promise<'go-on' | 'leave'> {
  const [, word = '', rest = ''] = /^\s*(\S+)\s*([^]*)$/.exec(typed) ?? []
  if (EXIT_WORDS.has(word)) return 'leave'
  const { agent, state, terminal } = commanded
  const { style } = terminal
  const note = (text: string): void => terminal.note(style.dim(text))
  switch (word) {
    case '/tools':
      terminal.note(describeTools(agent, terminal))
      break
    case '/model':
      await runModelCommand(rest.trim(), commanded)
      break
    case '/cost':
      for (const line of describeCost(agent.conversation().events(), agent.prices)) note(line)
      break
    case '/model-view':
      state.modelView = !state.modelView
      note(
        state.modelView
          ? 'From now on, results are also shown as the model receives them.'
          : 'From now on, results are shown only once.',
      )
      break
    case '/attach':
      await runAttachCommand(rest, commanded)
      break
    case '/undo':
      await runUndoCommand(commanded)
      break
    case '/compact': {
      const last = findLastTurn(agent.conversation().events())
      if (!last) note('There is nothing to compact.')
      else {
        const isRecorded = await recordUnlessChanged(commanded, {
          type: 'compaction',
          fromTurn: 1,
          toTurn: last.turn,
          toolCalls: 'strip-results',
          reasoning: 'strip',
        })
        if (isRecorded)
          note(
            'The model no longer receives the results of the turns so far. References to them stay valid.',
          )
      }
      break
    }
    case '/clear':
      await runClearCommand(commanded)
      break
    case '/help':
      terminal.note(listCommands(terminal))
      break
    default: {
      const hint = didYouMean(word, Object.keys(CHAT_COMMANDS))
      terminal.report('error', `unknown command ${word}${hint}; /help lists all commands`)
    }
  }
  return 'go-on'
}

/** Returns a row for each tool: its name, its approval policy, and its description. */
function describeTools(agent: OpenedAgent, { style, columns }: Terminal): TerminalText {
  const entries = agent.tools()
  if (entries.length === 0) return style.dim('no tools')
  const width = Math.min(
    Math.max(...entries.map(({ tool }) => tool.name.length)),
    Math.floor(columns / 3),
  )
  const lines = entries.map(({ tool, policy = 'ask' }) => {
    const summary = tool.summary ?? tool.description ?? ''
    const named = padded(style.plain(tool.name), width - tool.name.length)
    const ruled = (policy === 'ask' ? style.yellow : style.dim)(policy)
    const rule = padded(ruled, MAX_POLICY_LENGTH - policy.length)
    const summaryText = style.dim(summary.trim().split(/[\r\n]/)[0] ?? '')
    return firstRow(
      indentTerminal(joinTerminal([named, rule, summaryText], INDENT), INDENT),
      columns,
    )
  })
  return joinTerminal(lines, '\n')
}

const MAX_POLICY_LENGTH = 'unattended'.length

function padded(text: TerminalText, blanks: number): TerminalText {
  return joinTerminal([text, joinTerminal([])], ' '.repeat(Math.max(0, blanks)))
}

async function runModelCommand(
  name: string,
  { agent, terminal }: SlashCommandResult,
): Promise<void> {
  const { style } = terminal
  if (name !== '') {
    const changed = await agent.changeModel(name)
    if (!changed.ok) return terminal.report('error', changed.message)
  }
  const model = describeModel(agent.model())
  terminal.note(style.dim(name === '' ? model : `From now on, the model is ${model}.`))
}

async function runAttachCommand(
  typed: string,
  { agent, state, terminal }: SlashCommandResult,
): Promise<void> {
  const path = readTypedPath(typed)
  if (path === '')
    return terminal.report('error', '/attach needs a file, such as /attach notes.txt')
  const attached = await attachFile(agent.root, path)
  if (!attached.ok) return terminal.report('error', attached.message)
  state.attached.push(attached.block)
  terminal.note(terminal.style.dim(`${path} will be sent with the next message.`))
}

/** Records an event, unless another program has written to the conversation. Then a message shows its last turn, which the person has not seen. */
async function recordUnlessChanged(
  { agent, terminal }: SlashCommandResult,
  event: ConversationEvent,
): Promise<boolean> {
  const conversation = agent.conversation()
  try {
    await conversation.record(event)
    return true
  } catch (error) {
    if (!(error instanceof ConversationConflict)) throw error
    await conversation.refresh()
    const last = findLastTurn(conversation.events())
    const now = last ? ` The last turn is now: ${describeTurn(conversation.events(), last)}` : ''
    const message = `another program has written to this conversation, so nothing was changed.${now}`
    terminal.report('error', message)
    return false
  }
}

async function runUndoCommand(commanded: SlashCommandResult): Promise<void> {
  const { agent, terminal } = commanded
  const { style } = terminal
  const conversation = agent.conversation()
  const last = findLastTurn(conversation.events())
  if (!last) return terminal.note(style.dim('There is nothing to undo.'))
  const undone = describeTurn(conversation.events(), last)
  if (await recordUnlessChanged(commanded, { type: 'rewind', to: last.before }))
    terminal.note(style.dim(`Undone: ${undone}`))
}

/** The number of characters of a message that identify it for a reader. */
const BEGINNING = 60

/** Returns the first words of a turn and the number of its calls, whose effects cannot be undone. */
function describeTurn(events: readonly StoredEvent[], { before }: RepeatedTurn): string {
  const taken = readHistory(events).entries.filter(({ seq }) => seq > before)
  const content = taken.flatMap(({ event }) => (event.type === 'user_message' ? event.content : []))
  const text = content
    .map((block) => getText(block) ?? '')
    .join(' ')
    .trim()
  const line = text.replaceAll(/\s+/g, ' ')
  const beginning = Array.from(line).slice(0, BEGINNING).join('')
  const calls = taken.filter(({ event }) => event.type === 'tool_call').length
  const quoted = JSON.stringify(beginning.length < line.length ? `${beginning}…` : line)
  if (calls === 0) return `${quoted} and its answer.`
  const many = calls === 1 ? 'one call' : `${calls} calls`
  return `${quoted}, its answer and ${many}; the effects of the ${calls === 1 ? 'call' : 'calls'} remain.`
}

const CLEAR_SCREEN = '\u001b[2J\u001b[H'

async function runClearCommand({ agent, state, terminal }: SlashCommandResult): Promise<void> {
  const { id, events } = agent.conversation()
  const stays = events().length > 0 && agent.storeName !== undefined
  await agent.beginAnew()
  state.attached = []
  terminal.keyboard?.output.write(CLEAR_SCREEN)
  terminal.note(describeStart(agent, terminal))
  if (stays) terminal.note(terminal.style.dim(`Previous chat: toolblocks chat --resume ${id}`))
}

/**
 * Describes the tokens and the cost of a conversation and of its last turn, in lines. Turns that were undone are included, because they cost the
 * same.
 */
export function describeCost(events: readonly StoredEvent[], prices?: Prices): readonly string[] {
  const last = events.findLastIndex(({ event }) => event.type === 'turn_start')
  const messages = events.filter(({ event }) => event.type === 'assistant_message')
  const silent = messages.filter(
    ({ event }) => event.type === 'assistant_message' && !event.usage,
  ).length
  if (silent === messages.length) return ['The model has not reported any tokens yet.']
  const agents = events.reduce((sum, { event }) => sum + getAgentTokens(event), 0)
  return [
    `This conversation: ${formatUsage(events, prices)}.`,
    `The last turn: ${formatUsage(events.slice(last), prices)}.`,
    ...(agents === 0 ? [] : [`Its agents used ${formatTokens(agents)} more.`]),
    ...(silent === 0
      ? []
      : [`The model reported no tokens for ${silent} of its ${messages.length} messages.`]),
    ...(prices ? [] : ['The cost is unknown, because [prices] in your config.toml is missing.']),
  ]
}

function formatUsage(events: readonly StoredEvent[], prices: Prices = {}): string {
  const sum = createUsageSum()
  for (const { event } of events) sum.add(event)
  return describeUsageSum(sum.byModel(), { prices, names: 'several' }) || 'nothing yet'
}

function getAgentTokens(event: StoredEvent['event']): number {
  const metadata = event.type === 'tool_result' ? event.result.metadata : undefined
  const tokens = metadata?.['agent'] === undefined ? undefined : metadata['tokens']
  return typeof tokens === 'number' && Number.isFinite(tokens) ? tokens : 0
}

/** The last turn that was not undone. */
interface RepeatedTurn {
  turn: number
  /** The `seq` of the event before the turn; 0 if there is none. */
  before: number
}

/** Finds the last turn that was not undone. */
function findLastTurn(events: readonly StoredEvent[]): RepeatedTurn | undefined {
  const { entries } = readHistory(events)
  const begin = entries.findLast(({ event }) => event.type === 'turn_start')
  return begin && { turn: begin.turn, before: begin.seq - 1 }
}
