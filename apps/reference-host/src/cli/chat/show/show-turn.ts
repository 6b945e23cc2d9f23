import {
  ConversationConflict,
  ConversationHeld,
  ModelError,
  type OnTurnEvent,
  type TurnEnd,
  type TurnEvent,
} from '@toolblocks/agent'
import {
  type Progress,
  type TerminalText,
  type ToolCall,
  type ToolResult,
  getText,
} from '@toolblocks/protocol'
import { MAX_CALLS_PER_MESSAGE } from '@toolblocks/protocol/internal'
import {
  type TerminalStream,
  indentTerminal,
  joinTerminal,
  streamTerminal,
  wrapTerminal,
} from '@toolblocks/renderer'
import { describeHost } from '../../../process/agent-host.ts'
import { EXIT } from '../../../process/exit-codes.ts'
import { describeCall, describeModelAnswer, describeTime } from '../../../terminal/describe-call.ts'
import { type WaitingLine, describeProgress } from '../../../terminal/show-progress.ts'
import { loadAbilities, showToPerson } from '../../../terminal/show-to-person.ts'
import type { Terminal } from '../../../terminal/terminal.ts'
import { type RenderMarkdown, loadMarkdown, streamMarkdown } from './stream-markdown.ts'

/** The options of how a turn is shown. */
interface TurnView {
  root: string
  /** The conversation that stores the results, if one does. */
  kept: string | undefined
  /** Whether to show also what the model receives of each result. */
  modelView: () => boolean
  /** Shows what the turn waits for. */
  waiting: WaitingLine
  /** Ends the line that shows that something is awaited. */
  signal: AbortSignal
}

/** A turn on a terminal. */
interface ShownTurn {
  show: OnTurnEvent
  /** Ends the current line and the line that shows what is awaited. */
  finish: () => void
}

/** The indent of the output of a tool. */
const GUTTER = '  '

/**
 * The maximum number of lines of one block of a result, in a chat at a terminal. Elsewhere all lines are shown, because no person can ask for more.
 */
const LINES = 12

const CUT = {
  tokens:
    'the message ended at the limit of output tokens; set max_output_tokens under [model] to change the limit',
  filter: 'the message was ended by a content filter of the provider',
} as const

/** Shows a turn while it runs: the model's text word by word, each call, and its result. */
export function showTurn(
  terminal: Terminal,
  { root, kept, modelView, waiting, signal }: TurnView,
): ShownTurn {
  const { style } = terminal
  const hints =
    kept === undefined ? {} : { cut: `toolblocks conversations show ${kept} --lines all` }
  const running = createRunning(terminal, waiting, signal)
  let loading: ReturnType<typeof loadMarkdown> | undefined
  let render: RenderMarkdown | undefined
  let textStream: TerminalStream | undefined

  function finish(): void {
    waiting.end()
    if (!textStream) return
    textStream.finish()
    textStream = undefined
    // Markdown ends each of its rows itself.
    if (!render) terminal.print(style.plain(''))
  }

  async function showText(text: string): Promise<void> {
    waiting.end()
    render ??= await (loading ??= loadMarkdown(terminal, root))
    const { columns } = terminal
    const options = { write: terminal.write, columns }
    textStream ??= render ? streamMarkdown({ ...options, render }) : streamTerminal(options)
    textStream.add(text)
  }

  async function showResult(result: ToolResult, milliseconds: number, text: string): Promise<void> {
    const abilities = await loadAbilities([result], terminal)
    const lines = terminal.columns === Infinity ? undefined : LINES
    const displayOptions = {
      root,
      lines,
      gutter: GUTTER,
      stderr: 'name',
      hints,
      abilities,
    } as const
    showToPerson(result, terminal, displayOptions)
    const time = describeTime(result, milliseconds, terminal)
    if (time !== undefined) terminal.note(time)
    if (!modelView()) return
    terminal.print(style.yellow('the model receives:'))
    terminal.print(indentTerminal(terminal.sanitize(text), GUTTER))
  }

  return {
    finish,
    show: (moment) => {
      switch (moment.type) {
        case 'asking':
          // The readers load while the model has not answered yet.
          loading ??= loadMarkdown(terminal, root)
          return waiting.begin(style.dim('waiting for the model'), { signal })
        case 'text':
          return showText(moment.text)
        case 'reasoning':
          return undefined
        case 'retry': {
          const what = textStream ? 'the text so far is discarded, asking' : 'asking'
          finish()
          const seconds = Math.ceil(moment.waitMs / 1000)
          return terminal.report('warning', `${moment.reason}; ${what} again in ${seconds} s`)
        }
        case 'message':
          finish()
          running.begin(moment.message.calls)
          if (moment.cut) terminal.report('warning', CUT[moment.cut])
          return undefined
        case 'omitted-calls': {
          const many = moment.calls.toLocaleString('en')
          return terminal.report(
            'warning',
            `${many} calls of the message were ignored: a message may have at most ${MAX_CALLS_PER_MESSAGE}`,
          )
        }
        case 'call':
          waiting.end()
          terminal.print(describeCall(moment.call, 'whole', terminal))
          return running.show(moment.call)
        case 'progress':
          return running.say(moment.call, moment.progress)
        case 'ended':
          return running.end(moment.call)
        case 'delegated': {
          const progress = findProgress(moment)
          if (progress !== undefined) waiting.say(progress)
          const described = describeDelegated(moment.agent, moment.moment, terminal)
          return described && terminal.note(described)
        }
        case 'answered':
          return terminal.note(describeModelAnswer(moment.request, moment.answer, terminal))
        case 'parked':
          waiting.end()
          running.end(moment.call)
          return terminal.note(describeParked(moment.call, terminal))
        case 'result':
          waiting.end()
          return showResult(moment.result, moment.milliseconds, moment.delivered.text)
      }
    },
  }
}

/** The running calls of a message, as the waiting line shows them. */
interface ShownCall {
  begin(calls: readonly ToolCall[]): void
  /** Shows the calls that still run; also one that was made again, without a message before it. */
  show(call: ToolCall): void
  say(call: ToolCall, progress: Progress): void
  end(call: ToolCall): void
}

function createRunning({ style }: Terminal, waiting: WaitingLine, signal: AbortSignal): ShownCall {
  const going = new Map<string, ToolCall>()
  const ended = new Set<string>()
  let since = 0
  let newest: { call: ToolCall; line: string } | undefined

  function showNewestProgress(): void {
    if (!newest || !going.has(newest.call.id)) return
    waiting.say(going.size > 1 ? `${newest.call.name}: ${newest.line}` : newest.line)
  }

  function show(call: ToolCall): void {
    if (going.size === 0 && !ended.has(call.id)) {
      going.set(call.id, call)
      since = performance.now()
    }
    const [first] = going.values()
    if (!first) return
    const what =
      going.size === 1 ? style.plain(first.name) : style.plain(`${going.size} calls are running`)
    waiting.begin(what, { signal, since })
    showNewestProgress()
  }

  return {
    begin: (calls) => {
      going.clear()
      ended.clear()
      for (const call of calls) going.set(call.id, call)
      since = performance.now()
      newest = undefined
    },
    show,
    say: (call, progress) => {
      const line = describeProgress(progress)
      if (line === undefined) return
      newest = { call, line }
      showNewestProgress()
    },
    end: (call) => {
      ended.add(call.id)
      going.delete(call.id)
    },
  }
}

/** Finds the progress of a call in the work of an agent, at any depth. */
function findProgress(moment: TurnEvent): string | undefined {
  if (moment.type === 'progress') return describeProgress(moment.progress)
  if (moment.type !== 'delegated') return undefined
  const line = findProgress(moment.moment)
  return line === undefined ? undefined : `${moment.agent}: ${line}`
}

/** The prefix of each line of an agent's work, once for each level. */
const AGENT_GUTTER = '│ '

/**
 * Describes an event in the conversation of an agent in short, below the call that started it. Returns `undefined` for an event that is not shown.
 * The last message of an agent is the result of that call.
 */
function describeDelegated(
  agent: string,
  moment: TurnEvent,
  terminal: Terminal,
): TerminalText | undefined {
  const { style, columns } = terminal
  const room = columns - AGENT_GUTTER.length
  const described = describeMoment(moment, { ...terminal, columns: room })
  if (!described) return undefined
  const named =
    moment.type === 'delegated' ? described : joinTerminal([style.dim(agent), described], ' ')
  return indentTerminal(wrapTerminal(named, room), AGENT_GUTTER)
}

function describeMoment(moment: TurnEvent, terminal: Terminal): TerminalText | undefined {
  const { style, sanitize } = terminal
  switch (moment.type) {
    case 'message': {
      if (moment.message.calls.length === 0) return undefined
      const text = moment.message.content.map((block) => getText(block) ?? '').join('\n')
      return text === '' ? undefined : sanitize(text)
    }
    case 'call':
      return describeCall(moment.call, 'whole', terminal)
    case 'result': {
      const outcome = moment.result.isError ? (moment.result.metadata?.outcome ?? 'failed') : ''
      const time = describeTime(moment.result, moment.milliseconds, terminal)
      return joinTerminal(
        [
          style.bold(moment.call.name),
          ...(outcome === '' ? [] : [style.red(outcome)]),
          ...(time === undefined ? [] : [time]),
        ],
        ' ',
      )
    }
    case 'answered':
      return describeModelAnswer(moment.request, moment.answer, terminal)
    case 'delegated':
      return describeDelegated(moment.agent, moment.moment, terminal)
    case 'parked':
      return describeParked(moment.call, terminal)
    case 'retry':
      return style.yellow(`${moment.reason}; asking again`)
    case 'omitted-calls':
      return style.yellow(`${moment.calls.toLocaleString('en')} calls of the message were ignored`)
    case 'asking':
    case 'text':
    case 'reasoning':
    case 'progress':
    case 'ended':
      return undefined
  }
}

function describeParked({ name }: ToolCall, { style }: Terminal): TerminalText {
  return style.yellow(`${name} waits for a person`)
}

/** Runs a turn and reports why it failed, if it did. All events of the turn are stored. `nothing`: there is no turn to continue. */
export async function renderTurn(
  terminal: Terminal,
  view: ShownTurn,
  play: (show: ShownTurn['show']) => Promise<TurnEnd | 'nothing'>,
): Promise<number> {
  try {
    return reportEnd(terminal, await play(view.show).finally(view.finish))
  } catch (error) {
    if (error instanceof ConversationConflict)
      terminal.report('error', `${error.message} --resume ${error.conversation} does that.`)
    else if (error instanceof ConversationHeld)
      terminal.report(
        'error',
        `another host (${describeHost(error.holder)}) runs a turn of the conversation ${error.conversation}; nothing was added`,
      )
    else if (error instanceof ModelError)
      terminal.report('error', `the request to the model failed: ${error.message}`)
    else throw error
    return EXIT.failed
  }
}

function reportEnd(terminal: Terminal, end: TurnEnd | 'nothing'): number {
  switch (end) {
    case 'nothing':
      terminal.note(
        terminal.style.dim(
          'There is nothing to continue: the last turn of the conversation has ended.',
        ),
      )
      return EXIT.ok
    case 'completed':
      return EXIT.ok
    case 'aborted':
      terminal.note(
        terminal.style.dim(
          'Stopped. Completed messages and results are stored; the unfinished message is not.',
        ),
      )
      return EXIT.cancelled
    case 'parked':
      return EXIT.waiting
    case 'cut':
      terminal.report(
        'error',
        'the turn was ended: three messages of the model were cut, and none of their calls could run',
      )
      return EXIT.failed
    case 'too-long':
      terminal.report('error', 'the turn was ended: the model did not stop calling tools')
      return EXIT.failed
  }
}
