import { MAX_CALLS_PER_MESSAGE, type ToolCall, type ToolResult } from '@toolblocks/protocol'
import { indentTerminal, streamTerminal, type StreamedText } from '@toolblocks/renderer'
import { describeCall, describeModelAnswer, describeTime } from '../../terminal/describe-call.ts'
import { loadAbilities } from '../../terminal/load-abilities.ts'
import { describeDelegated } from './show-delegated.ts'
import { showProgress, type ShownProgress } from '../../terminal/show-progress.ts'
import { showToPerson } from '../../terminal/show-to-person.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ShowMoment } from '../../turn/run-turn.ts'

/** How a turn is shown. */
export interface TurnView {
  root: string
  /** The conversation that keeps the results, if one does. */
  kept: string | undefined
  /** Also what the model receives of each result. */
  modelView: () => boolean
  /** Ends what shows that the model is waited for. */
  signal: AbortSignal
}

/** A turn on a terminal. */
export interface ShownTurn {
  show: ShowMoment
  /** Ends the line that was begun; nothing is waited for any more. */
  finish: () => void
}

/** What stands before each line of a tool's. */
const GUTTER = '  '
/** Lines of one block of a result that are shown in a chat at a terminal; elsewhere nobody can ask for more. */
const LINES = 12

const CUT = {
  tokens: 'the message ended at the limit of its tokens; max_output_tokens under [model] sets it',
  filter: 'a filter of the provider ended the message',
} as const

/** Shows a turn as it goes on: what the model says word by word, each call, and what came of it. */
export function showTurn(
  terminal: Terminal,
  { root, kept, modelView, signal }: TurnView,
): ShownTurn {
  const { style } = terminal
  const hints =
    kept === undefined ? {} : { cut: `toolblocks conversations show ${kept} --lines all` }
  let said: StreamedText | undefined
  let waiting: ShownProgress | undefined

  function stopWaiting(): void {
    waiting?.end()
    waiting = undefined
  }

  function finish(): void {
    stopWaiting()
    if (!said) return
    said.finish()
    said = undefined
    terminal.print(style.plain(''))
  }

  function showCall(call: ToolCall): void {
    terminal.print(describeCall(call, 'whole', terminal))
  }

  async function showResult(result: ToolResult, milliseconds: number, text: string): Promise<void> {
    const abilities = await loadAbilities([result], terminal)
    const lines = terminal.columns === Infinity ? undefined : LINES
    const shown = { root, lines, gutter: GUTTER, stderr: 'name', hints, abilities } as const
    showToPerson(result, terminal, shown)
    terminal.note(describeTime(result, milliseconds, terminal))
    if (!modelView()) return
    terminal.print(style.yellow('the model receives:'))
    terminal.print(indentTerminal(terminal.sanitize(text), GUTTER))
  }

  return {
    finish,
    show: (moment) => {
      switch (moment.type) {
        case 'asking':
          waiting = showProgress(terminal, style.dim('waiting for the model'), signal)
          return undefined
        case 'text':
          stopWaiting()
          said ??= streamTerminal({
            write: (text) => terminal.write(text),
            columns: terminal.columns,
          })
          return said.add(moment.text)
        case 'reasoning':
          return undefined
        case 'retry': {
          const what = said ? 'what was said until then counts for nothing, asking' : 'asking'
          finish()
          const seconds = Math.ceil(moment.waitMs / 1000)
          return terminal.complain('warning', `${moment.reason}; ${what} again in ${seconds} s`)
        }
        case 'message':
          finish()
          if (moment.cut) terminal.complain('warning', CUT[moment.cut])
          return undefined
        case 'left-out': {
          const many = moment.calls.toLocaleString('en')
          return terminal.complain(
            'warning',
            `${many} calls of the message were left out: a message may have ${MAX_CALLS_PER_MESSAGE}`,
          )
        }
        case 'call':
          return showCall(moment.call)
        case 'delegated': {
          const shown = describeDelegated(moment.agent, moment.moment, terminal)
          return shown && terminal.note(shown)
        }
        case 'answered':
          return terminal.note(describeModelAnswer(moment.request, moment.answer, terminal))
        case 'result':
          return showResult(moment.result, moment.milliseconds, moment.delivered.text)
      }
    },
  }
}
