import type { TerminalText, ToolResult } from '@toolblocks/protocol'
import {
  type RenderOptions,
  type RendererRegistry,
  findImageProtocol,
  findRequiredReaders,
  indentTerminal,
  joinTerminal,
  supportsHyperlinks,
  renderTerminalParts,
  type ShownPart,
  showResult,
} from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** How much of a result is shown. */
interface DisplayOptions {
  root: string
  /** Maximum number of lines of one block. Default: 40 on a terminal, otherwise all. */
  lines: number | undefined
  /**
   * Text before each line of a tool, so that no line of a tool looks like a line of the host. Default: nothing, because the host prints no other
   * lines.
   */
  gutter?: string
  /** `show`: also the standard error of a successful tool. */
  stderr: 'name' | 'show'
  /** How the person can see more. */
  hints: NonNullable<RenderOptions['hints']>
  /** What the terminal can display besides plain text. Default: nothing. */
  abilities?: Abilities
}

const LINES = 40

const GAP = joinTerminal([])

/** Prints a result: the output of the tool on standard output, the messages of this host on standard error. */
export function showToPerson(
  result: ToolResult,
  terminal: Terminal,
  options: DisplayOptions,
): void {
  const { columns } = terminal
  const { gutter = '' } = options
  const print = (text: TerminalText): void =>
    terminal.print(gutter === '' ? text : indentTerminal(text, gutter))
  const { before, rest } = splitUnanswered(result)
  const { failure, answer, remarks } = renderParts(rest, terminal, options)
  if (failure !== '') terminal.note(failure)
  if (before && !hasSeen(result, terminal)) print(renderParts(before, terminal, options).answer)
  if (before || isOfHost(result)) terminal.note(answer)
  else print(answer)
  if (remarks === '') return
  const isApart = columns !== Infinity && answer.includes('\n')
  terminal.note(isApart ? joinTerminal([GAP, remarks], '\n') : remarks)
}

function renderParts(
  result: ToolResult,
  { colors, columns }: Terminal,
  { gutter = '', lines, root, stderr, abilities, hints }: DisplayOptions,
): ReturnType<typeof renderTerminalParts> {
  const maxLines = lines ?? (columns === Infinity ? Infinity : LINES)
  return renderTerminalParts(result, {
    colors,
    columns: columns - gutter.length,
    root,
    maxLines,
    lastLines: Math.floor(maxLines / 4),
    stderr,
    ...abilities,
    hints,
  })
}

/** Splits a result whose question got no answer into the tool's blocks before the question and the host's message. */
function splitUnanswered(result: ToolResult): { before?: ToolResult; rest: ToolResult } {
  const { content, metadata } = result
  if (metadata?.question === undefined || content.length < 2) return { rest: result }
  return {
    before: { content: content.slice(0, -1), isError: false },
    rest: { ...result, content: content.slice(-1) },
  }
}

/** Whether the person has already seen the blocks before the question. A terminal shows them with the question. */
function hasSeen({ metadata }: ToolResult, { isInteractive }: Terminal): boolean {
  return isInteractive && metadata?.outcome !== 'unanswered'
}

/** Whether all text is the host's. A call that ended before the tool could answer has no text of the tool. */
function isOfHost({ metadata }: ToolResult): boolean {
  return (
    metadata?.question !== undefined ||
    metadata?.outcome === 'denied' ||
    metadata?.outcome === 'unanswered'
  )
}

/** What a terminal can display besides plain text. */
export type Abilities = Pick<RenderOptions, 'readers' | 'images' | 'links'>

/** The renderers and the environment that decide what is loaded. */
interface AbilityOptions {
  /** Default: no renderers. */
  registry?: RendererRegistry
  /** The variables that identify the terminal. Default: those of this process. */
  env?: Readonly<Record<string, string | undefined>>
}

/** Loads what a terminal with colours needs to show these results. Nothing else is loaded, because loading takes longer than most calls. */
export async function loadAbilities(
  results: readonly ToolResult[],
  { colors }: Pick<Terminal, 'colors'>,
  { registry, env = process.env }: AbilityOptions = {},
): Promise<Abilities> {
  if (colors === 'none') return {}
  const options = registry ? { registry } : {}
  const wanted = findRequiredReaders(results, options)
  const readers = wanted && (await import('@toolblocks/renderer/readers'))
  const images = results.some((result) => hasImage(showResult(result, options).answer))
    ? await import('@toolblocks/renderer/images')
    : undefined
  return {
    links: supportsHyperlinks(env) ? 'osc8' : 'none',
    ...(readers && { readers: await readers.loadContentReaders(wanted) }),
    ...(images && { images: images.createImageWriter(findImageProtocol(env)) }),
  }
}

function hasImage(parts: readonly ShownPart[]): boolean {
  return parts.some((part) => {
    if (part.kind === 'group' || part.kind === 'fold') return hasImage(part.parts)
    return part.kind === 'media' && part.media === 'image' && part.base64 !== undefined
  })
}
