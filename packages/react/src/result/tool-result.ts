import {
  type ContentBlock,
  type ToolResult as Result,
  type ToolResultValue,
} from '@toolblocks/protocol'
import { findShownBlocks, showBlocks, type ShowOptions } from '@toolblocks/renderer/internal'
import {
  type ShownPart,
  showResult,
  type RendererRegistry,
  type ValueRenderer,
} from '@toolblocks/renderer'
import {
  type ComponentType,
  createElement as h,
  Fragment,
  type ReactElement,
  type ReactNode,
} from 'react'
import type { PartContext } from './part-context.ts'
import { renderPart, renderParts } from './render-part.ts'

/** Options for showing results. */
export interface ResultOptions extends Omit<ShowOptions, 'registry' | 'tallValues'> {
  /** Components for the host's own kinds of values, or instead of those of well-known kinds. Their values are unchecked and unsanitized. */
  renderers?: Readonly<Record<string, ComponentType<{ value: ToolResultValue }>>>
  /** Components by the `type` of a `block`, which they receive unsanitized. */
  blocks?: {
    readonly [Type in ContentBlock['type']]?: ComponentType<{
      block: Extract<ContentBlock, { type: Type }>
    }>
  }
  /** The renderers that the host shares with its terminal. `renderers` come first. */
  registry?: Pick<RendererRegistry, 'find'>
  /** The first layout of a diff. Default: `unified`. A button switches. */
  diffs?: 'unified' | 'split'
}

/** The properties of `ToolResult`. */
export interface ToolResultProps extends ResultOptions {
  result: Result
}

/** What a person sees of a result, as elements. It needs the stylesheet `@toolblocks/react/style.css`. */
export function ToolResult({ result, ...options }: ToolResultProps): ReactElement {
  const own = new Map<ShownPart, ReactElement>()
  const chosen = { ...toShowOptions(options), registry: createRegistry(options, own) }
  const { failure, answer, remarks } = showResult(result, chosen)
  const blocks = findShownBlocks(result, chosen)
  const context: PartContext = { diffs: options.diffs ?? 'unified', extent: 'scroll', own }
  return h(
    'div',
    { className: 'tb tb-result', 'data-outcome': result.isError ? 'error' : 'success' },
    renderParts(failure, context),
    answer.map((part, index) =>
      h(
        Fragment,
        { key: index },
        renderOwnBlock(blocks[index], options.blocks) ?? renderPart(part, context),
      ),
    ),
    renderParts(remarks, context),
  )
}

/** Blocks for a decision: nothing is cut, folded or hidden. */
export function renderDecisionBlocks(
  blocks: readonly ContentBlock[],
  options: Pick<ResultOptions, 'readers' | 'root'>,
): ReactNode {
  const whole: ShowOptions = {
    ...(options.readers && { readers: options.readers }),
    ...(options.root !== undefined && { root: options.root }),
    maxLines: Infinity,
    hiddenValues: 'show',
    stderr: 'show',
    collapsedValues: 'open',
  }
  return renderParts(showBlocks(blocks, whole), WHOLE)
}

/** Nothing scrolls and nothing is folded: for a decision, and for what a person or a model said. */
export const WHOLE: PartContext = { diffs: 'unified', extent: 'whole', own: new Map() }

/** Lines of one block. A page scrolls, so it shows more than a terminal. */
const LINES = 400

function toShowOptions({
  renderers: _renderers,
  blocks: _blocks,
  diffs: _diffs,
  ...options
}: ResultOptions): ShowOptions {
  return { maxLines: LINES, ...options, tallValues: 'scroll' }
}

/** A registry in which each component is a renderer. It returns a part that stands for the element of the component. */
function createRegistry(
  { renderers = {}, registry }: ResultOptions,
  own: Map<ShownPart, ReactElement>,
): Pick<RendererRegistry, 'find'> {
  const find = (kind: string): ValueRenderer | undefined => {
    const component = Object.hasOwn(renderers, kind) ? renderers[kind] : undefined
    if (!component) return registry?.find(kind)
    return (value) => {
      const part: ShownPart = { kind: 'group', parts: [] }
      own.set(part, h(component, { value }))
      return [part]
    }
  }
  return { find }
}

function renderOwnBlock(
  block: ContentBlock | undefined,
  blocks: ResultOptions['blocks'] = {},
): ReactElement | undefined {
  if (!block || !Object.hasOwn(blocks, block.type)) return undefined
  // The component of a type takes the blocks of that type, which the compiler cannot see.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const component = blocks[block.type] as ComponentType<{ block: ContentBlock }> | undefined
  return component && h(component, { block })
}
