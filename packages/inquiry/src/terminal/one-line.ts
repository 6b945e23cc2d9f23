import { stripVTControlCharacters } from 'node:util'
import type { RenderBlocks } from '@toolblocks/protocol'

/** Graphemes of a label that are shown. */
const LONGEST = 200
const graphemes = new Intl.Segmenter()

/** Writes text from outside as one line without colours: for questions, names and choices. */
export function oneLine(text: string, renderBlocks: RenderBlocks): string {
  const line = cut(text.trim().replaceAll(/\s+/gu, ' '))
  return stripVTControlCharacters(renderBlocks([{ type: 'text', text: line }]))
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text
  const all = Array.from(graphemes.segment(text.slice(0, LONGEST * 20)), ({ segment }) => segment)
  const shown = all.slice(0, LONGEST).join('')
  const left = text.length - shown.length
  return left === 0 ? text : `${shown}…(+${left})`
}
