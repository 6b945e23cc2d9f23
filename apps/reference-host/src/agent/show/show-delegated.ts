import { type TerminalText, textOf } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import { describeCall, describeModelAnswer, describeTime } from '../../terminal/describe-call.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { TurnMoment } from '@toolblocks/agent'

/** What stands before each line of an agent's work, a level. */
const GUTTER = '│ '

/** What happens in the conversation of an agent, in short and below whoever has started it; undefined where it is not shown. What it says last is the result of the call that started it. */
export function describeDelegated(
  agent: string,
  moment: TurnMoment,
  terminal: Terminal,
): TerminalText | undefined {
  const { style, columns } = terminal
  const room = columns - GUTTER.length
  const shown = describeMoment(moment, { ...terminal, columns: room })
  if (!shown) return undefined
  const named = moment.type === 'delegated' ? shown : joinTerminal([style.dim(agent), shown], ' ')
  return indentTerminal(wrapTerminal(named, room), GUTTER)
}

function describeMoment(moment: TurnMoment, terminal: Terminal): TerminalText | undefined {
  const { style, sanitize } = terminal
  switch (moment.type) {
    case 'message': {
      if (moment.message.calls.length === 0) return undefined
      const words = moment.message.content.map((block) => textOf(block) ?? '').join('\n')
      return words === '' ? undefined : sanitize(words)
    }
    case 'call':
      return describeCall(moment.call, 'whole', terminal)
    case 'result': {
      const outcome = moment.result.isError ? (moment.result.metadata?.outcome ?? 'failed') : ''
      return joinTerminal(
        [
          style.bold(moment.call.name),
          ...(outcome === '' ? [] : [style.red(outcome)]),
          describeTime(moment.result, moment.milliseconds, terminal),
        ],
        ' ',
      )
    }
    case 'answered':
      return describeModelAnswer(moment.request, moment.answer, terminal)
    case 'delegated':
      return describeDelegated(moment.agent, moment.moment, terminal)
    case 'retry':
      return style.yellow(`${moment.reason}; asking again`)
    case 'left-out':
      return style.yellow(`${moment.calls.toLocaleString('en')} calls of the message were left out`)
    case 'asking':
    case 'text':
    case 'reasoning':
    case 'progress':
    case 'ended':
      return undefined
  }
}
