import { decodeHTMLStrict } from 'entities/decode'
import { Lexer, type Tokens } from 'marked'
import type { ContentReaders, MarkdownBlock, MarkdownInline } from '../show/content-readers.ts'

/** Longer text is shown unchanged, because some texts take the library quadratic time. */
const MAX_LENGTH = 50_000

/** Deeper content is text. */
const MAX_DEPTH = 12

type Highlight = ContentReaders['highlight']

/** Creates a reader of GitHub's Markdown. HTML in it is text. */
export function createMarkdownReader(highlight: Highlight): ContentReaders['readMarkdown'] {
  return (text) => {
    if (text.length > MAX_LENGTH) return undefined
    const tokens = lex(text)
    return tokens?.flatMap((token) => readBlock(token, highlight, 0))
  }
}

/** Returns `undefined` for content that is nested too deep for the library. */
function lex(text: string): readonly Tokens.Generic[] | undefined {
  try {
    return new Lexer({ gfm: true }).lex(text)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readBlock(token: Tokens.Generic, highlight: Highlight, depth: number): MarkdownBlock[] {
  if (depth > MAX_DEPTH) return asText(token.raw)
  const getBlocks = (tokens: readonly Tokens.Generic[] = []): MarkdownBlock[] =>
    tokens.flatMap((inner) => readBlock(inner, highlight, depth + 1))
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return [{ kind: 'heading', level: token['depth'], content: readInline(token.tokens) }]
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', content: readInline(token.tokens ?? [token]) }]
    case 'code':
      return [readCode(token, highlight)]
    case 'blockquote':
      return [{ kind: 'quote', blocks: getBlocks(token.tokens) }]
    case 'list':
      return [readList(token, getBlocks)]
    case 'table':
      return [readTable(token)]
    case 'hr':
      return [{ kind: 'rule' }]
    default:
      return asText(token.raw)
  }
}

function asText(raw: string): MarkdownBlock[] {
  const text = raw.trimEnd()
  return text === '' ? [] : [{ kind: 'paragraph', content: [{ kind: 'text', text }] }]
}

function readCode(token: Tokens.Generic, highlight: Highlight): MarkdownBlock {
  const text = String(token['text'] ?? '')
  const [language = ''] = String(token['lang'] ?? '').split(/\s/)
  const tokens = language === '' ? undefined : highlight(text, language)
  return { kind: 'code', text, ...(language !== '' && { language }), ...(tokens && { tokens }) }
}

function readList(
  token: Tokens.Generic,
  readBlocks: (tokens?: readonly Tokens.Generic[]) => MarkdownBlock[],
): MarkdownBlock {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its type says so
  const { start, items } = token as Tokens.List
  return {
    kind: 'list',
    ...(typeof start === 'number' && { start }),
    items: items.map((item) => ({
      ...(item.task && { isDone: item.checked === true }),
      blocks: readBlocks(item.tokens.filter(({ type }) => type !== 'checkbox')),
    })),
  }
}

function readTable(token: Tokens.Generic): MarkdownBlock {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its type says so
  const { header, rows } = token as Tokens.Table
  return {
    kind: 'table',
    columns: header.map(({ tokens, align }) => ({
      align: align ?? 'left',
      content: readInline(tokens),
    })),
    rows: rows.map((row) => row.map(({ tokens }) => readInline(tokens))),
  }
}

/** Reads inline Markdown. HTML in it is text. */
export function readInline(tokens: readonly Tokens.Generic[] = [], depth = 0): MarkdownInline[] {
  return tokens.flatMap((token) => readOne(token, depth))
}

function readOne(token: Tokens.Generic, depth: number): MarkdownInline[] {
  if (depth > MAX_DEPTH) return [{ kind: 'text', text: token.raw }]
  const content = (): MarkdownInline[] => readInline(token.tokens, depth + 1)
  const text = String(token['text'] ?? token.raw)
  switch (token.type) {
    case 'strong':
      return [{ kind: 'strong', content: content() }]
    case 'em':
      return [{ kind: 'emphasis', content: content() }]
    case 'del':
      return [{ kind: 'deleted', content: content() }]
    case 'codespan':
      return [{ kind: 'code', text }]
    case 'br':
      return [{ kind: 'break' }]
    case 'link':
      return [{ kind: 'link', uri: getAddress(token), content: content() }]
    case 'image':
      return [{ kind: 'image', uri: getAddress(token), text: decodeHTMLStrict(text) }]
    case 'escape':
      return [{ kind: 'text', text }]
    case 'text':
      return token.tokens ? content() : [{ kind: 'text', text: decodeHTMLStrict(text) }]
    case 'checkbox':
      return []
    default:
      return [{ kind: 'text', text: token.raw }]
  }
}

function getAddress(token: Tokens.Generic): string {
  return decodeHTMLStrict(String(token['href'] ?? ''))
}
