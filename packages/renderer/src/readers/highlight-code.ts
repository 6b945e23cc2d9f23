import { type LanguageFn, createLowlight } from 'lowlight'
import type { CodeRole, CodeToken, ContentReaders } from '../show/content-readers.ts'

/** More is shown as it stands: nobody reads it for its colours. */
const MAX_LENGTH = 2_000_000

/** What a class of the highlighter means; the first of several that is known counts. */
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

/** Makes a highlighter of some languages. */
export function createHighlighter(
  grammars: Readonly<Record<string, LanguageFn>>,
): ContentReaders['highlight'] {
  const lowlight = createLowlight(grammars)
  return (code, language) => {
    const name = getGrammar(language)
    if (name === undefined || !lowlight.registered(name) || code.length > MAX_LENGTH)
      return undefined
    const tokens: CodeToken[] = []
    collect(lowlight.highlight(name, code), 'plain', tokens)
    return tokens
  }
}

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>

type Node = Tree | Tree['children'][number]

function collect(node: Node, role: CodeRole, tokens: CodeToken[]): void {
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

type Load = () => Promise<{ default: LanguageFn }>

/** The languages that are highlighted, each loaded when it is wanted. */
export const GRAMMARS = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
} as const satisfies Readonly<Record<string, Load>>

/** Other names of a language, as fences and file endings have them. */
const OTHER_NAMES: Readonly<Record<string, keyof typeof GRAMMARS>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  h: 'c',
  'c++': 'cpp',
  cc: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  patch: 'diff',
  docker: 'dockerfile',
  golang: 'go',
  gql: 'graphql',
  toml: 'ini',
  conf: 'ini',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsonc: 'json',
  json5: 'json',
  jsonl: 'json',
  ndjson: 'json',
  kt: 'kotlin',
  kts: 'kotlin',
  make: 'makefile',
  mk: 'makefile',
  md: 'markdown',
  pl: 'perl',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  html: 'xml',
  svg: 'xml',
  xhtml: 'xml',
  vue: 'xml',
  yml: 'yaml',
}

/** The grammar for a language by any of its names; undefined for one that is not known. */
export function getGrammar(language: string): keyof typeof GRAMMARS | undefined {
  const name = language.toLowerCase()
  if (isGrammar(name)) return name
  return Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined
}

function isGrammar(name: string): name is keyof typeof GRAMMARS {
  return Object.hasOwn(GRAMMARS, name)
}
