import type { ToolResult } from '@toolblocks/protocol'
import {
  findImageProtocol,
  findWantedReaders,
  knowsLinks,
  type RenderOptions,
  showResult,
  type ShownPart,
} from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** What a person's terminal can show beside plain text. */
export type Abilities = Pick<RenderOptions, 'readers' | 'images' | 'links'>

/** Loads what a result is shown with on a terminal in colours: nothing that it does not need, as loading takes longer than most calls. */
export async function loadReaders(
  result: ToolResult,
  { colors }: Pick<Terminal, 'colors'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Abilities> {
  if (colors === 'none') return {}
  const wanted = findWantedReaders(result)
  const readers = wanted && (await import('@toolblocks/renderer/readers'))
  const images = hasImage(result) ? await import('@toolblocks/renderer/images') : undefined
  return {
    links: knowsLinks(env) ? 'osc8' : 'none',
    ...(readers && { readers: await readers.loadContentReaders(wanted) }),
    ...(images && { images: images.createImageWriter(findImageProtocol(env)) }),
  }
}

function hasImage(result: ToolResult): boolean {
  const isImage = (part: ShownPart): boolean => {
    if (part.kind === 'group' || part.kind === 'fold') return part.parts.some(isImage)
    return part.kind === 'media' && part.media === 'image' && part.base64 !== undefined
  }
  return showResult(result).answer.some(isImage)
}
