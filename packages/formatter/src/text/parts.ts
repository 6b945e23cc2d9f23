import { requireArguments, fenceText } from '@toolblocks/protocol/internal'
import { type ModelText } from '@toolblocks/protocol'
import { isLikeNote } from './host-notes.ts'
import { toModelText } from './model-text.ts'

/** A part of the text for a model, and its author: a tool's text is unchanged, the host's text leaves no block open. */
export interface ResultPart {
  from: 'tool' | 'host'
  text: string
  /** The lines of a tool in a host's text, such as those in a fence. */
  quoted?: string
}

/** The parts in one text. */
export interface JoinedParts {
  text: string
  isEmpty: boolean
  /** Whether lines were added that close a block of the tool's text. */
  hasClosings: boolean
  /** Whether a tool's text has a line like the host's notes about omitted content. */
  hasLikeness: boolean
}

/** Joins parts with an empty line. A tool's part is closed if others follow, so that they are outside its blocks. */
export function joinParts(parts: readonly ResultPart[]): JoinedParts {
  const texts = parts.map((part, index) => (index < parts.length - 1 ? closePart(part) : part.text))
  return {
    text: texts.join('\n\n'),
    isEmpty: parts.length === 0,
    hasClosings: parts.some(({ text }, index) => text !== texts[index]),
    hasLikeness: isLikeNote(getToolText(parts)),
  }
}

/** Returns all lines of tools: a note may begin in one part and end in the next. A word stands for a text of the host between them. */
function getToolText(parts: readonly ResultPart[]): string {
  return parts
    .map(({ from, text, quoted = 'host' }) => (from === 'tool' ? text : quoted))
    .join('\n\n')
}

/** Returns a part after which any text may follow. */
export function closePart({ from, text }: ResultPart): string {
  return from === 'tool' ? closeText(text) : text
}

/** Ends every kind of HTML block that an empty line does not end. It is a paragraph if no block is open. */
const END_OF_HTML = '</pre> --> ?> ]]>'

/**
 * Returns a text with the lines that put any following text outside its code and HTML blocks. If only a full Markdown parser could tell what is
 * open, these lines end any block, and are an empty code block if none is open.
 */
function closeText(text: string): string {
  const lines = closingLines(text)
  if (lines.length === 0) return text
  return [text.endsWith('\n') ? text.slice(0, -1) : text, ...lines].join('\n')
}

function closingLines(text: string): readonly string[] {
  const open = findOpenBlock(text)
  switch (open.kind) {
    case 'none':
      return []
    case 'code':
    case 'html':
      return [open.end]
    case 'unknown':
      return [END_OF_HTML, ...endOfCode(text, '`'), ...endOfCode(text, '~')]
  }
}

/** In an open block, the first line is content because of its text. Otherwise it opens the block that the second line closes. */
function endOfCode(text: string, mark: '`' | '~'): readonly string[] {
  const runs = text.match(mark === '`' ? /`{3,}/g : /~{3,}/g) ?? []
  if (runs.length === 0) return []
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  const fence = mark.repeat(longest + 1)
  return [`${fence} end of text`, fence]
}

/** The block that a Markdown text leaves open at its end. */
type OpenBlock =
  | { kind: 'none' }
  /** `end` is the line that closes it. */
  | { kind: 'code' | 'html'; end: string }
  /** It depends on where lists end, in this text or one before it, or on whether a tag is complete. */
  | { kind: 'unknown' }

/** A line that may open or close a block of code or HTML. */
const CANDIDATE =
  /(?:^|[\r\n])(?<indent> {0,3})(?:(?<fence>`{3,}|~{3,})(?<info>[^\r\n]*)|(?<html><[A-Za-z/!?][^\r\n]{0,9}))/g

const BLANK_LINE = /(?:\n|\r(?!\n))[ \t]*[\r\n]/

/** HTML that ends with a line that has its own mark (CommonMark 0.31, §4.6). Other HTML ends at an empty line. */
const MARKED_HTML = [
  {
    start: /^<(?:script|pre|style|textarea)(?=[ \t\r\n>]|$)/i,
    mark: /<\/(?:script|pre|style|textarea)>/i,
    end: '</pre>',
  },
  { start: /^<!--/, mark: /-->/, end: '-->' },
  { start: /^<\?/, mark: /\?>/, end: '?>' },
  { start: /^<![A-Za-z]/, mark: />/, end: '>' },
  { start: /^<!\[CDATA\[/, mark: /\]\]>/, end: ']]>' },
]

/** Parsers disagree whether other white space ends the name of a tag. */
const ODD_TAG = /^<[a-z]+[^\S \t\r\n]/i

/**
 * Finds the block that a text leaves open, in one pass over the lines that can open or close a block. A fence at the margin always ends lists and
 * quotations, so they only matter for an indented line.
 */
function findOpenBlock(text: string): OpenBlock {
  let code: string | undefined
  let endOfHtml = 0
  let otherHtml: number | undefined
  for (const { index, groups = {} } of text.matchAll(CANDIDATE)) {
    const { indent, fence, info = '', html } = groups
    if (index < endOfHtml) continue
    if (code !== undefined) {
      if (fence?.startsWith(code) && /^[ \t]*$/.test(info)) code = undefined
      continue
    }
    const marked =
      html === undefined ? undefined : MARKED_HTML.find(({ start }) => start.test(html))
    if (html !== undefined && marked === undefined) {
      if (ODD_TAG.test(html)) return { kind: 'unknown' }
      otherHtml = index
      continue
    }
    // A backtick after backticks makes them inline code.
    if (fence?.startsWith('`') && info.includes('`')) continue
    const isInHtml = otherHtml !== undefined && !BLANK_LINE.test(text.slice(otherHtml, index + 1))
    if (isInHtml || indent !== '') return { kind: 'unknown' }
    otherHtml = undefined
    code = fence
    if (marked === undefined) continue
    const mark = text.slice(index).search(marked.mark)
    if (mark === -1) return { kind: 'html', end: marked.end }
    endOfHtml = index + mark
  }
  return code === undefined ? { kind: 'none' } : { kind: 'code', end: code }
}

/** Puts text into a Markdown code block that the text cannot close, like `fenceText` of the protocol. */
export function codeFence(text: string, tag = ''): ModelText {
  requireArguments('codeFence(text, …)', [text, 'string'])
  return toModelText(fenceText(text, tag))
}
