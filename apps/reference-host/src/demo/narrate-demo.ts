import type { DeliveredToModel, OnTurnEvent } from '@toolblocks/agent'
import type { Problem, TerminalText, ToolResult } from '@toolblocks/protocol'
import {
  type RenderOptions,
  type ValueRenderer,
  createRendererRegistry,
  indentTerminal,
  joinTerminal,
  renderTerminal,
  renderTerminalBlocks,
  sanitizeTerminalLine,
  wrapTerminal,
  type ShownPart,
} from '@toolblocks/renderer'
import { estimateTokens } from '@toolblocks/viewer/reading'
import { describeCall, describeTime } from '../terminal/describe-call.ts'
import { loadAbilities } from '../terminal/show-to-person.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { CONFIGURATION_FILE } from '../workspace/files/find-configuration.ts'
import type { OlderConversation } from './import-older.ts'
import type { ReportScripted } from './demo-script.ts'

/** The maximum number of lines shown of one block, including the last ones. Further lines are counted. */
const MAX_LINES = 12

const LAST_LINES = 5

const INDENT = '  '

const GUTTER = '  │ '

/** The renderers that this host adds. */
const registry = createRendererRegistry().register('git.status', showGitStatus)

/** Prints for a person what happens in the demo. */
interface Narrator {
  ask(question: string): void
  show: OnTurnEvent
  /** Prints the scripted answer that replaces the answer of a person. */
  tellScripted: ReportScripted
  conclude(kept: { events: number; problems: readonly Problem[]; older: OlderConversation }): void
}

/** Settings of a narrator. */
interface NarratorOptions {
  root: string
  /** The words to type to start this program. */
  command: string
  modelView: boolean
  /** Whether a person sees the arguments of a call before it runs. Then the arguments are not printed a second time. */
  isApproved(tool: string): boolean
  /** The folder of the workspace if it is kept after the demo. */
  kept: string | undefined
}

/** Creates a narrator that writes to a terminal. */
export function createNarrator(terminal: Terminal, options: NarratorOptions): Narrator {
  const { style } = terminal
  const outcomes = new Map<string, number>()
  const blank = style.plain('')

  function getRenderOptions(): RenderOptions {
    const { colors, columns } = terminal
    return { colors, columns: columns - INDENT.length, root: options.root }
  }

  async function showResult(
    result: ToolResult,
    milliseconds: number,
    delivered: DeliveredToModel,
  ): Promise<void> {
    const abilities = await loadAbilities([result], terminal, { registry })
    const rendered = renderTerminal(result, {
      ...getRenderOptions(),
      ...abilities,
      registry,
      maxLines: MAX_LINES,
      lastLines: LAST_LINES,
    })
    terminal.print(indentTerminal(rendered, INDENT))
    const time = describeTime(result, milliseconds, terminal)
    if (time !== undefined) terminal.print(joinTerminal([style.plain('  '), time]))
    for (const line of describeSaved(delivered)) terminal.print(style.dim(`${INDENT}${line}`))
    if (options.modelView) showModelView(delivered.text)
    const outcome = result.metadata?.outcome ?? 'completed'
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }

  function formatLine(who: string, text: string): TerminalText {
    const line = joinTerminal([style.bold(who), style.plain(text)], INDENT)
    return wrapTerminal(line, terminal.columns, ' '.repeat(who.length + INDENT.length))
  }

  function showModelView(text: string): void {
    terminal.print(style.yellow('  the model receives:'))
    const wrapped = wrapTerminal(firstLines(text, terminal), terminal.columns - GUTTER.length)
    terminal.print(indentTerminal(wrapped, GUTTER))
  }

  return {
    ask: (question) => terminal.print(formatLine('you', question)),
    show: (moment) => {
      switch (moment.type) {
        case 'text':
          return terminal.print(joinTerminal([blank, formatLine('model', moment.text)], '\n'))
        case 'asking':
        case 'reasoning':
        case 'retry':
        case 'message':
        case 'omitted-calls':
        case 'progress':
        case 'ended':
        case 'answered':
        case 'delegated':
        case 'parked':
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
      const rendered = renderTerminalBlocks(material, { ...getRenderOptions(), maxLines: Infinity })
      if (rendered !== '') terminal.print(indentTerminal(rendered, INDENT))
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
        style.plain(
          '  You and the model each got every block in a suitable form; cut text was marked.',
        ),
        blank,
        style.bold('What to try next'),
        ...formatNextSteps(options, terminal),
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

/** The values that the suggested steps depend on. */
interface NextStepOptions {
  /** The words to type to start this program. */
  command: string
  modelView: boolean
  /** The folder of the workspace if it is kept after the demo. */
  kept: string | undefined
}

/** Columns between a command and its description. */
const GAP = 2

/** A command to type and its description. */
type NextStep = readonly [command: string, why: string]

/** Formats commands to try after the demo. Each description is beside its command if all of them fit, otherwise below it. */
export function formatNextSteps(
  asked: NextStepOptions,
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
): readonly TerminalText[] {
  const steps = nextSteps(asked)
  const widest = Math.max(...steps.map(([command]) => command.length))
  const fits = steps.every(([, why]) => INDENT.length + widest + GAP + why.length <= columns)
  return steps.map(([command, why]) => {
    const between = fits ? ' '.repeat(widest - command.length + GAP) : `\n${INDENT}${INDENT}`
    return joinTerminal(
      [joinTerminal([style.plain(INDENT), style.cyan(command)]), style.dim(why)],
      between,
    )
  })
}

function nextSteps({ command, kept, modelView }: NextStepOptions): readonly NextStep[] {
  const there = `--config ${kept}/${CONFIGURATION_FILE}`
  const look: readonly NextStep[] =
    kept === undefined
      ? [[`${command} demo --keep`, 'keeps the tools and the stored conversation']]
      : [
          [`${command} tools ${there}`, 'the tools of the demo'],
          [`${command} call list_files ${there}`, 'call one yourself'],
        ]
  return [
    ...(modelView ? [] : [[`${command} demo --model-view`, 'what the model receives'] as const]),
    ...look,
    [`${command} demo --output json`, 'the stored events'],
    [`${command} init`, 'your own tools, in any language'],
  ]
}

/** Returns a line that says how many references the model got in place of content that it already has. Empty if there are none. */
function describeSaved({ text, event: { deliveries, wholeLength } }: DeliveredToModel): string[] {
  const count = deliveries.filter(({ form }) => form === 'reference').length
  if (count === 0) return []
  const saved = estimateTokens((wholeLength ?? text.length) - text.length)
  const what =
    count === 1
      ? 'a reference to content that it already has'
      : `${count} references to content that it already has`
  return [`the model got ${what} (about ${saved} tokens saved)`]
}

const STATES = ['staged', 'modified', 'untracked'] as const

/** Renders a `git.status`: the branch with its counts, and the paths below. Throws if the data is not a git status. */
export function showGitStatus(
  ...[{ data }, { maxRows }]: Parameters<ValueRenderer>
): ReturnType<ValueRenderer> {
  if (!isStatus(data)) throw new Error('expected a branch and lists of paths')
  const changed = STATES.flatMap((word) => (data[word] ?? []).map((path) => [word, path] as const))
  const counts = STATES.flatMap((word) => {
    const count = data[word]?.length ?? 0
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const facts = counts.length === 0 ? ['nothing to commit'] : counts
  const paths = changed
    .slice(0, maxRows)
    .map(([word, path]): ShownPart => ({ kind: 'facts', name: path, facts: [word] }))
  const left = changed.length - paths.length
  return [
    { kind: 'facts', name: `⎇ ${data.branch}`, facts },
    ...paths,
    ...(left > 0 ? [{ kind: 'left', count: left, unit: 'entry' } as const] : []),
  ]
}

type GitStatus = { branch: string } & Partial<Record<(typeof STATES)[number], readonly string[]>>

/** Whether the data is a git status. The data of kinds that are not well known is not checked elsewhere. */
function isStatus(data: unknown): data is GitStatus {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'branch')) return false
  const fields = new Map<string, unknown>(Object.entries(data))
  return (
    typeof fields.get('branch') === 'string' &&
    STATES.every((word) => {
      const paths = fields.get(word) ?? []
      return Array.isArray(paths) && paths.every((path) => typeof path === 'string')
    })
  )
}
