import type { ToolResult } from '@toolblocks/protocol'
import {
  findImageProtocol,
  findWantedReaders,
  knowsLinks,
  type RendererRegistry,
  type RenderOptions,
  showResult,
  type ShownPart,
} from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** What a person's terminal can show beside plain text. */
export type Abilities = Pick<RenderOptions, 'readers' | 'images' | 'links'>

/** What results are shown with, and where. */
export interface AbilityOptions {
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
  const wanted = findWantedReaders(results, options)
  const readers = wanted && (await import('@toolblocks/renderer/readers'))
  const images = results.some((result) => hasImage(showResult(result, options).answer))
    ? await import('@toolblocks/renderer/images')
    : undefined
  return {
    links: knowsLinks(env) ? 'osc8' : 'none',
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
