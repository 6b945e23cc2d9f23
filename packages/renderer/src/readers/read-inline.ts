import { decodeHTMLStrict } from 'entities/decode'
import type { Tokens } from 'marked'
import type { MarkdownInline } from '../show/context/content-readers.ts'

/** What is nested deeper is text. */
const DEEPEST = 12

/** Markdown in a line; HTML in it is text. */
export function readInline(tokens: readonly Tokens.Generic[] = [], depth = 0): MarkdownInline[] {
  return tokens.flatMap((token) => readOne(token, depth))
}

function readOne(token: Tokens.Generic, depth: number): MarkdownInline[] {
  if (depth > DEEPEST) return [{ kind: 'text', text: token.raw }]
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
      return [{ kind: 'link', uri: addressOf(token), content: content() }]
    case 'image':
      return [{ kind: 'image', uri: addressOf(token), text: decodeHTMLStrict(text) }]
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

function addressOf(token: Tokens.Generic): string {
  return decodeHTMLStrict(String(token['href'] ?? ''))
}
