import { closeText } from './markdown/close-text.ts'

/** A piece of what a model gets, and whose words it is: a tool's stand as they came, the host's leave no block open. */
export interface Part {
  from: 'tool' | 'host'
  text: string
}

/** Parts in one text. */
export interface JoinedParts {
  text: string
  isEmpty: boolean
  /** Lines were added that close what a text of the tool may leave open. */
  hasClosings: boolean
}

/** Puts an empty line between parts. A part of the tool that others follow is closed, so that they are in no block of it. */
export function joinParts(parts: readonly Part[]): JoinedParts {
  const texts = parts.map((part, index) => (index < parts.length - 1 ? closePart(part) : part.text))
  return {
    text: texts.join('\n\n'),
    isEmpty: parts.length === 0,
    hasClosings: parts.some(({ text }, index) => text !== texts[index]),
  }
}

/** A part after which anything may follow. */
export function closePart({ from, text }: Part): string {
  return from === 'tool' ? closeText(text) : text
}
