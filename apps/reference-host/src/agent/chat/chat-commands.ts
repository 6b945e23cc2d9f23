import type { ContentBlock, TerminalText } from '@toolblocks/protocol'
import { joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { didYouMean } from '../../did-you-mean.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { attachFile } from '../attach/attach-file.ts'
import { findLastTurn } from '../last-turn.ts'
import type { Agent } from '../agent.ts'

/** What can be typed in a chat beside messages. */
export const CHAT_COMMANDS = {
  '/tools': 'the tools that the model may call',
  '/model-view': 'show what the model receives of each result, or no longer',
  '/attach': 'FILE: goes with the next message, as it is now',
  '/undo': 'take the last turn back; it stays in the store',
  '/compact': 'give the model no results of earlier turns any more',
  '/help': 'this list',
  '/leave': 'end the chat, as Ctrl-D does',
} as const

/** What a chat remembers between turns. */
export interface ChatState {
  modelView: boolean
  attached: ContentBlock[]
}

const INDENT = '  '
/** Columns from a command to what is said of it. */
const SECOND_COLUMN = 13

/** The commands in two columns; in a narrow terminal, the second one goes on below itself. */
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

/** Does what was typed behind a slash. */
export async function obeyChatCommand(
  typed: string,
  { agent, state, terminal }: { agent: Agent; state: ChatState; terminal: Terminal },
): Promise<'go-on' | 'leave'> {
  const [word = '', ...rest] = typed.trim().split(/\s+/)
  const { style } = terminal
  const note = (text: string): void => terminal.note(style.dim(text))
  switch (word) {
    case '/tools':
      note(agent.tools().join(', ') || 'no tools')
      break
    case '/model-view':
      state.modelView = !state.modelView
      note(
        state.modelView
          ? 'Results are shown as the model receives them, too.'
          : 'Results are shown once.',
      )
      break
    case '/attach': {
      if (rest.length === 0) {
        terminal.complain('error', '/attach needs a file, such as /attach notes.txt')
        break
      }
      const attached = await attachFile(agent.root, rest.join(' '))
      if (attached.ok) {
        state.attached.push(attached.block)
        note(`${rest.join(' ')} goes with the next message.`)
      } else terminal.complain('error', attached.message)
      break
    }
    case '/undo': {
      const last = findLastTurn(agent.conversation.events())
      if (!last) note('There is nothing to take back.')
      else {
        await agent.conversation.record({ type: 'rewind', to: last.before })
        note('The last turn is taken back.')
      }
      break
    }
    case '/compact': {
      const last = findLastTurn(agent.conversation.events())
      if (!last) note('There is nothing to leave out.')
      else {
        await agent.conversation.record({
          type: 'compaction',
          fromTurn: 1,
          toTurn: last.turn,
          toolCalls: 'strip-results',
          reasoning: 'strip',
        })
        note('The model is given no results of the turns so far; what they named stays named.')
      }
      break
    }
    case '/leave':
      return 'leave'
    case '/help':
      terminal.note(listCommands(terminal))
      break
    default: {
      const hint = didYouMean(word, Object.keys(CHAT_COMMANDS))
      terminal.complain('error', `no command ${word}${hint}; /help lists them`)
    }
  }
  return 'go-on'
}
