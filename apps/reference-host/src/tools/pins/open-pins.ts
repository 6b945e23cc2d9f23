import type { Configuration } from '../../configuration/configuration.ts'
import { serverOfTool } from '@toolblocks/mcp-bridge/names'
import type { LeftOut } from '../left-out.ts'
import type { ResolvedTool } from '../resolve-tool.ts'
import { holdPins, type PinChange } from './hold-pins.ts'
import { pinFileOf, type Pins, readPins, writePins } from './pin-file.ts'

/** Tools held against what is recorded of them beside their configuration. */
export interface OpenedPins {
  /** Those that may be called. */
  tools: readonly ResolvedTool[]
  /** Pinned ones that have changed, or of which nobody can tell. */
  left: readonly LeftOut[]
  changes: readonly PinChange[]
  warnings: readonly string[]
  file: string
  /** Records what some tools say now; gives what went wrong, where it cannot be written. */
  record(names: readonly string[]): string | undefined
}

/** `servers` are all that are configured: pins of their tools are kept. Reads the pins of a configuration, holds tools against them, and records tools that are seen for the first time. */
export function openPins(
  { file: configuration, tools: tables, mcp }: Pick<Configuration, 'file' | 'tools' | 'mcp'>,
  tools: readonly ResolvedTool[],
  {
    servers = [],
    isRecorded = () => true,
  }: {
    servers?: readonly string[]
    /** Of others it is not written down what they say of themselves. Default: of all tools it is. */
    isRecorded?: (tool: string) => boolean
  } = {},
): OpenedPins {
  const isConfigured = (name: string): boolean =>
    Object.hasOwn(tables, name) ||
    Object.hasOwn(mcp.tools, name) ||
    serverOfTool(name, servers) !== undefined
  const file = pinFileOf(configuration)
  const read = readPins(file)
  if (!read.ok) return withoutPins(file, tools, read.message)
  const { changes, unseen: all, tools: held } = holdPins(tools, read.pins)
  const unseen = new Map([...all].filter(([name]) => isRecorded(name)))
  const write = (more: Pins): string | undefined => {
    if (more.size === 0) return undefined
    const kept = [...read.pins].filter(([name]) => isConfigured(name))
    return tryWrite(file, new Map([...kept, ...unseen, ...more]))
  }
  const failed = write(unseen)
  return {
    file,
    tools: held,
    changes,
    left: changes.filter(({ isPinned }) => isPinned).map(({ tool }) => leaveOut(tool, CHANGED)),
    warnings: failed === undefined ? [] : [failed],
    record: (names) =>
      write(
        new Map(
          changes.filter(({ tool }) => names.includes(tool)).map(({ tool, now }) => [tool, now]),
        ),
      ),
  }
}

const CHANGED =
  'pinned, and it describes itself otherwise than recorded, so it is left out: "toolblocks tools" shows the difference, and "toolblocks tools accept NAME" takes it'
const UNKNOWN = 'pinned, and what is recorded of it cannot be read, so it is left out'

/** Nothing is written over a file that nobody could read. */
function withoutPins(file: string, tools: readonly ResolvedTool[], message: string): OpenedPins {
  return {
    file,
    tools: tools.filter(({ isPinned }) => !isPinned),
    changes: [],
    left: tools
      .filter(({ isPinned }) => isPinned)
      .map(({ entry }) => leaveOut(entry.tool.name, UNKNOWN)),
    warnings: [message],
    record: () => message,
  }
}

function leaveOut(tool: string, message: string): LeftOut {
  return { tool, reason: 'changed', path: ['tools', tool], message: message.replace('NAME', tool) }
}

function tryWrite(file: string, pins: Pins): string | undefined {
  try {
    writePins(file, pins)
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return `what tools say of themselves is not recorded, so that a change goes unseen: ${error.message}`
  }
}
