import type { TerminalText, ToolResult } from '@toolblocks/protocol'
import {
  type RenderOptions,
  type RendererRegistry,
  type ShownPart,
  findImageProtocol,
  findRequiredReaders,
  indentTerminal,
  joinTerminal,
  supportsHyperlinks,
  renderTerminalParts,
  showResult,
} from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** How much of a result is shown. */
interface Shown {
  root: string
  /** Lines of one block. Default: 40 on a terminal, all elsewhere. */
  lines: number | undefined
  /** What stands before each line of the tool's, so that none looks like a line of the host's. Default: nothing, as the host says nothing else. */
  gutter?: string
  /** `show`: also what a successful tool printed on standard error. */
  stderr: 'name' | 'show'
  /** What the person can do to see more. */
  hints: NonNullable<RenderOptions['hints']>
  /** What the terminal can show beside plain text. Default: nothing. */
  abilities?: Abilities
}

const LINES = 40

const GAP = joinTerminal([])

/** Shows a result: what the tool answered on standard output; what this host says of it on standard error. */
export function showToPerson(result: ToolResult, terminal: Terminal, shown: Shown): void {
  const { columns } = terminal
  const { gutter = '' } = shown
  const print = (text: TerminalText): void =>
    terminal.print(gutter === '' ? text : indentTerminal(text, gutter))
  const { before, rest } = splitUnanswered(result)
  const { failure, answer, remarks } = renderParts(rest, terminal, shown)
  if (failure !== '') terminal.note(failure)
  if (before && !hasSeen(result, terminal)) print(renderParts(before, terminal, shown).answer)
  if (before || isOfHost(result)) terminal.note(answer)
  else print(answer)
  if (remarks === '') return
  const isApart = columns !== Infinity && answer.includes('\n')
  terminal.note(isApart ? joinTerminal([GAP, remarks], '\n') : remarks)
}

function renderParts(
  result: ToolResult,
  { colors, columns }: Terminal,
  { gutter = '', lines, root, stderr, abilities, hints }: Shown,
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

/** What the tool said before a question that got no answer, and the words of this host. */
function splitUnanswered(result: ToolResult): { before?: ToolResult; rest: ToolResult } {
  const { content, metadata } = result
  if (metadata?.question === undefined || content.length < 2) return { rest: result }
  return {
    before: { content: content.slice(0, -1), isError: false },
    rest: { ...result, content: content.slice(-1) },
  }
}

/** Before a question at a terminal everything that it is about was shown. */
function hasSeen({ metadata }: ToolResult, { isInteractive }: Terminal): boolean {
  return isInteractive && metadata?.outcome !== 'unanswered'
}

/** A call that ended before the tool could answer has no words but this host's. */
function isOfHost({ metadata }: ToolResult): boolean {
  return (
    metadata?.question !== undefined ||
    metadata?.outcome === 'denied' ||
    metadata?.outcome === 'unanswered'
  )
}

/** What a person's terminal can show beside plain text. */
export type Abilities = Pick<RenderOptions, 'readers' | 'images' | 'links'>

/** What results are shown with, and where. */
interface AbilityOptions {
  /** Default: no renderers. */
  registry?: RendererRegistry
  /** What tells a terminal from others. Default: that of this process. */
  env?: Readonly<Record<string, string | undefined>>
}

/** Loads what results are shown with on a terminal in colours: nothing that they do not need, as loading takes longer than most calls. */
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
