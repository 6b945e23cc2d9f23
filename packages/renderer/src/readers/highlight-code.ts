import { type LanguageFn, createLowlight } from 'lowlight'
import type { CodeRole, CodeToken, ContentReaders } from '../show/content-readers.ts'
import { findGrammar } from './grammars.ts'

/** Longer code is shown without colours. */
const MAX_LENGTH = 2_000_000

/** The role of a highlighter's class. The first known class of several counts. */
const ROLES: Readonly<Record<string, CodeRole>> = {
  keyword: 'keyword',
  operator: 'keyword',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  quote: 'comment',
  comment: 'comment',
  doctag: 'comment',
  title: 'name',
  section: 'name',
  name: 'name',
  built_in: 'type',
  type: 'type',
  class: 'type',
  attr: 'property',
  attribute: 'property',
  property: 'property',
  variable: 'property',
  'selector-tag': 'name',
  'selector-class': 'type',
  'selector-id': 'type',
  meta: 'meta',
  symbol: 'meta',
  bullet: 'meta',
  addition: 'added',
  deletion: 'removed',
}

/** Creates a highlighter of some languages. */
export function createHighlighter(
  grammars: Readonly<Record<string, LanguageFn>>,
): ContentReaders['highlight'] {
  const lowlight = createLowlight(grammars)
  return (code, language) => {
    const name = findGrammar(language)
    if (name === undefined || !lowlight.registered(name) || code.length > MAX_LENGTH)
      return undefined
    const tokens: CodeToken[] = []
    collect(lowlight.highlight(name, code), 'plain', tokens)
    return tokens
  }
}

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>

type SyntaxNode = Tree | Tree['children'][number]

function collect(node: SyntaxNode, role: CodeRole, tokens: CodeToken[]): void {
  if (node.type === 'text') {
    const last = tokens.at(-1)
    if (last?.role === role) tokens[tokens.length - 1] = { text: last.text + node.value, role }
    else tokens.push({ text: node.value, role })
  } else if (node.type === 'root') for (const child of node.children) collect(child, role, tokens)
  else if (node.type === 'element') {
    const own = findRole(node.properties['className']) ?? role
    for (const child of node.children) collect(child, own, tokens)
  }
}

function findRole(classes: unknown): CodeRole | undefined {
  if (!Array.isArray(classes)) return undefined
  for (const name of classes) {
    const key = String(name).replace(/^hljs-/, '')
    if (Object.hasOwn(ROLES, key)) return ROLES[key]
  }
  return undefined
}
