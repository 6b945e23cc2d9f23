import { homedir } from 'node:os'
import { relative } from 'node:path'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import { isInFolder } from '../../workspace/files/real-path.ts'
import { firstRow } from '../../terminal/describe-call.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { AskedModel, OpenedAgent } from './open-agent.ts'

/** Describes a chat in a few rows: the model, its tools, the folder, and the store. */
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
    known === 0 ? 'A new conversation.' : `Resumed ${id}, ${known.toLocaleString('en')} events.`
  return joinTerminal(
    [
      ...rows.map(([label, value]) =>
        firstRow(
          joinTerminal([style.dim(label.padEnd(LABEL)), sanitizeTerminalLine(value, LONG)]),
          columns,
        ),
      ),
      style.dim(`${begun} Type /help for a list of commands.`),
    ],
    '\n',
  )
}

/** Returns a name such as `anthropic/claude-sonnet-4-5`. */
export function describeModel({ provider, name }: AskedModel): string {
  return name === undefined ? provider : `${provider}/${name}`
}

/** The width of the column of labels, in characters. */
const LABEL = 8
const LONG = { maxLength: 1000 }

function getPlace(store: string, root: string, columns: number): string {
  return isInFolder(store, root) ? relative(root, store) : shortPath(store, columns - LABEL)
}

/** Shortens a path: the home folder becomes `~`, and a long path loses its beginning, which says less than its end. */
function shortPath(path: string, columns: number): string {
  const home = homedir()
  const short = isInFolder(path, home) && path !== home ? `~/${relative(home, path)}` : path
  return short.length <= columns ? short : `…${short.slice(1 - columns)}`
}
