import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import { CONFIGURATION_FILE } from '../configuration/load-configuration.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What the steps depend on. */
export interface StepsAsked {
  /** What to type to start this program. */
  command: string
  modelView: boolean
  /** The workspace, where it stays. */
  kept: string | undefined
}

const INDENT = '  '
/** Columns between what to type and what comes of it. */
const GAP = 2

/** What to type, and what comes of it. */
type NextStep = readonly [command: string, why: string]

/** What may be tried after the demo, one line each: side by side where all have room, else below each other. */
export function tellNextSteps(
  asked: StepsAsked,
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

function nextSteps({ command, kept, modelView }: StepsAsked): readonly NextStep[] {
  const there = `--config ${kept}/${CONFIGURATION_FILE}`
  const look: readonly NextStep[] =
    kept === undefined
      ? [[`${command} demo --keep`, 'keeps its tools and its stored conversation']]
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
