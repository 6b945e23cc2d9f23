import { homedir } from 'node:os'
import { relative } from 'node:path'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import { liesBelow } from '../../workspace/files/real-path.ts'
import { firstRow } from '../../terminal/describe-call.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { AskedModel, OpenedAgent } from './open-agent.ts'

/** Says in a few rows what a chat is held with: the model, its tools, the folder, and where it is kept. */
export function describeStart(
  agent: OpenedAgent,
  terminal: Pick<Terminal, 'style' | 'columns'>,
): TerminalText {
  const { style, columns } = terminal
  const names = agent.tools().map(({ tool }) => tool.name)
  const { storeName } = agent
  const rows = [
    ['model', describeModel(agent.model())],
    ['tools', names.length === 0 ? 'none' : `${names.length}: ${names.join(', ')}`],
    ['folder', shortPath(agent.root, columns - LABEL)],
    ['kept in', storeName === undefined ? 'nothing' : getPlace(storeName, agent.root, columns)],
  ] as const
  const { id, events } = agent.conversation()
  const known = events().length
  const begun =
    known === 0
      ? 'A new conversation.'
      : `Going on with ${id}, ${known.toLocaleString('en')} events.`
  return joinTerminal(
    [
      ...rows.map(([label, value]) =>
        firstRow(
          joinTerminal([style.dim(label.padEnd(LABEL)), sanitizeTerminalLine(value, LONG)]),
          columns,
        ),
      ),
      style.dim(`${begun} /help says what can be typed.`),
    ],
    '\n',
  )
}

/** `anthropic/claude-sonnet-4-5`. */
export function describeModel({ provider, name }: AskedModel): string {
  return name === undefined ? provider : `${provider}/${name}`
}

/** Columns of what stands before a value. */
const LABEL = 8
const LONG = { longest: 1000 }

function getPlace(store: string, root: string, columns: number): string {
  return liesBelow(store, root) ? relative(root, store) : shortPath(store, columns - LABEL)
}

/** A path from the home folder on; of one that is too long its end is shown, which says more. */
function shortPath(path: string, columns: number): string {
  const home = homedir()
  const short = liesBelow(path, home) && path !== home ? `~/${relative(home, path)}` : path
  return short.length <= columns ? short : `…${short.slice(1 - columns)}`
}
