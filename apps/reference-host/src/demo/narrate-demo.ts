import type { Problem, TerminalText, ToolResult } from '@toolblocks/protocol'
import {
  createRendererRegistry,
  indentTerminal,
  joinTerminal,
  renderTerminal,
  renderTerminalBlocks,
  sanitizeTerminalLine,
  wrapTerminal,
  type RenderOptions,
} from '@toolblocks/renderer'
import type { OlderConversation } from './import-older.ts'
import { tellNextSteps } from './next-steps.ts'
import type { TellScripted } from './scripted-answers.ts'
import { describeCall, describeTime } from '../terminal/describe-call.ts'
import { loadAbilities } from '../terminal/load-abilities.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Delivered } from '@toolblocks/agent'
import type { ShowMoment } from '@toolblocks/agent'
import { describeSaved } from './describe-saved.ts'
import { showGitStatus } from './show-git-status.ts'

/** Lines of one block that are shown, the last ones among them; the rest is counted. */
const MAX_LINES = 12
const LAST_LINES = 5
const INDENT = '  '
const GUTTER = '  │ '
/** What this host shows in its own way. */
const registry = createRendererRegistry().register('git.status', showGitStatus)

/** Tells a person what happens in the demo. */
export interface Narrator {
  ask(question: string): void
  show: ShowMoment
  /** Says what was answered for somebody who is not there. */
  tellScripted: TellScripted
  conclude(kept: { events: number; problems: readonly Problem[]; older: OlderConversation }): void
}

/** How the demo is told. */
export interface NarratorOptions {
  root: string
  /** What to type to start this program. */
  command: string
  modelView: boolean
  /** Whether a person is shown the arguments of a call before it runs, so that nothing needs to say them once more. */
  isApproved(tool: string): boolean
  /** The workspace, where it stays. */
  kept: string | undefined
}

/** Makes a narrator that writes to a terminal. */
export function createNarrator(terminal: Terminal, options: NarratorOptions): Narrator {
  const { style } = terminal
  const outcomes = new Map<string, number>()
  const blank = style.plain('')

  function layOut(): RenderOptions {
    const { colors, columns } = terminal
    return { colors, columns: columns - INDENT.length, root: options.root }
  }

  async function showResult(
    result: ToolResult,
    milliseconds: number,
    delivered: Delivered,
  ): Promise<void> {
    const abilities = await loadAbilities([result], terminal, { registry })
    const shown = renderTerminal(result, {
      ...layOut(),
      ...abilities,
      registry,
      maxLines: MAX_LINES,
      lastLines: LAST_LINES,
    })
    terminal.print(indentTerminal(shown, INDENT))
    terminal.print(joinTerminal([style.plain('  '), describeTime(result, milliseconds, terminal)]))
    for (const line of describeSaved(delivered)) terminal.print(style.dim(`${INDENT}${line}`))
    if (options.modelView) showModelView(delivered.text)
    const outcome = result.metadata?.outcome ?? 'completed'
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }

  function say(who: string, text: string): TerminalText {
    const line = joinTerminal([style.bold(who), style.plain(text)], INDENT)
    return wrapTerminal(line, terminal.columns, ' '.repeat(who.length + INDENT.length))
  }

  function showModelView(text: string): void {
    terminal.print(style.yellow('  the model receives:'))
    const wrapped = wrapTerminal(firstLines(text, terminal), terminal.columns - GUTTER.length)
    terminal.print(indentTerminal(wrapped, GUTTER))
  }

  return {
    ask: (question) => terminal.print(say('you', question)),
    show: (moment) => {
      switch (moment.type) {
        case 'text':
          return terminal.print(joinTerminal([blank, say('model', moment.text)], '\n'))
        case 'asking':
        case 'reasoning':
        case 'retry':
        case 'message':
        case 'left-out':
        case 'progress':
        case 'ended':
        case 'answered':
        case 'delegated':
          return undefined
        case 'call': {
          const parts = options.isApproved(moment.call.name) ? 'name' : 'whole'
          const line = describeCall(moment.call, parts, terminal)
          const wrapped = wrapTerminal(line, terminal.columns, INDENT)
          return terminal.print(joinTerminal([blank, wrapped], '\n'))
        }
        case 'result':
          return showResult(moment.result, moment.milliseconds, moment.delivered)
      }
    },
    tellScripted: (material, text) => {
      const shown = renderTerminalBlocks(material, { ...layOut(), maxLines: Infinity })
      if (shown !== '') terminal.print(indentTerminal(shown, INDENT))
      terminal.print(style.yellow(`${INDENT}${text}`))
    },
    conclude: ({ events, problems, older }) => {
      const counts = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
      const chain = problems.length === 0 ? 'every byte verified' : `${problems.length} damaged`
      const lines = [
        style.bold('What happened'),
        style.plain(`  Calls: ${counts}.`),
        style.plain(`  Stored: ${events} events, ${chain}.`),
        style.plain(
          `  Imported: ${older.events} events of an older conversation; "${older.word}" finds:`,
        ),
        indentTerminal(sanitizeTerminalLine(older.excerpt), INDENT.repeat(2)),
        style.plain('  Each block reached you and the model in its form; what was cut was said.'),
        blank,
        style.bold('What to try next'),
        ...tellNextSteps(options, terminal),
      ]
      terminal.print(joinTerminal([blank, ...lines], '\n'))
    },
  }
}

function firstLines(text: string, { sanitize, style }: Terminal): TerminalText {
  const lines = text.split('\n')
  if (lines.length <= MAX_LINES) return sanitize(text)
  const more = style.dim(`… ${(lines.length - MAX_LINES).toLocaleString('en')} more lines`)
  return joinTerminal([sanitize(lines.slice(0, MAX_LINES).join('\n')), more], '\n')
}
