import { readdirSync, readFileSync } from 'node:fs'
import type { FieldInput } from '@toolblocks/inquiry/form'
import type { ContentBlock, WellKnownKind } from '@toolblocks/protocol'
import type { PreferredView } from '@toolblocks/protocol/internal'
import type { ShownPart } from '@toolblocks/renderer'
import { beforeAll, expect, test, vi } from 'vitest'
import { GALLERY } from '../examples/gallery/gallery.ts'
import { renderGallery } from '../examples/gallery/render-gallery.ts'
import * as components from './index.ts'
import type { ResultOptions, ToolPartState } from './index.ts'

const FOLDER = new URL('../examples/gallery/', import.meta.url)
const FILES = readdirSync(FOLDER)
const EXAMPLES = GALLERY.flatMap((part) => part.examples)
const SOURCES = EXAMPLES.map(({ name }) => readFileSync(new URL(`${name}.tsx`, FOLDER), 'utf8'))
const SOURCE = SOURCES.join('\n')

/** The compiler rejects a list in which a type of block, a state or another case is missing. */
const BLOCKS: Readonly<Record<ContentBlock['type'], true>> = {
  text: true,
  image: true,
  audio: true,
  resource: true,
  resource_link: true,
  question: true,
}

const KINDS: Readonly<Record<WellKnownKind, true>> = {
  text: true,
  diff: true,
  file_content: true,
  file_list: true,
  table: true,
  image: true,
  structured: true,
}

const VIEWS: Readonly<Record<PreferredView, true>> = {
  text: true,
  markdown: true,
  code: true,
  diff: true,
  table: true,
  tree: true,
  image: true,
  raw: true,
  hidden: true,
}

const STATES: Readonly<Record<ToolPartState, true>> = {
  'input-streaming': true,
  'input-available': true,
  'approval-requested': true,
  'approval-responded': true,
  'output-available': true,
  'output-error': true,
  'output-denied': true,
}

const OPTIONS: Readonly<Record<keyof ResultOptions, true>> = {
  blocks: true,
  collapsedValues: true,
  diffs: true,
  hiddenValues: true,
  lastLines: true,
  maxLines: true,
  readers: true,
  registry: true,
  renderers: true,
  root: true,
  stderr: true,
}

/** What each kind of part looks like in markup. */
const PARTS: Readonly<Record<ShownPart['kind'], RegExp>> = {
  heading: /<p class="tb-heading">Ada moves/,
  facts: /<p class="tb-named"><strong>2\.5 m<\/strong>/,
  link: /<a href="https:\/\/example\.com\/tides"/,
  text: /<div class="tb-text"><pre>Three boats/,
  code: /<div class="tb-code">/,
  markdown: /<p class="tb-heading tb-level-2">/,
  empty: /\(empty\)/,
  diff: /<table class="tb-diff/,
  table: /<th [^>]*><button type="button">Length, m/,
  tree: /<ul class="tb-tree">/,
  entries: /<code>archive\/<\/code>/,
  media: /<audio /,
  question: /<div class="tb-question">/,
  argument: /<div class="tb-argument">/,
  notice: /hidden, as the tool asks/,
  failure: /<p class="tb-failure">/,
  cause: /<div class="tb-cause">/,
  warning: /<p class="tb-warning">/,
  stderr: /<summary>2 lines on standard error<\/summary>/,
  left: /more lines<\/p>/,
  group: /<div class="tb-group">/,
  fold: /<details class="tb-fold"><summary>All measurements/,
}

/** The inputs of a form in markup. */
const INPUTS: Readonly<Record<FieldInput['kind'], RegExp>> = {
  choice: /<input type="radio"[^>]*>.*<select /,
  choices: /<input type="checkbox"/,
  text: /<textarea class="tb-typed"/,
  number: /<input type="text" inputMode="decimal"/,
  lines: /<textarea /,
}

const complaints: unknown[] = []
let rendered: Record<string, string>
let markup: string

beforeAll(() => {
  const errorSpy = vi.spyOn(console, 'error').mockImplementation((...parts) => {
    complaints.push(parts)
  })
  rendered = renderGallery()
  errorSpy.mockRestore()
  markup = Object.values(rendered).join('\n')
})

test('every example renders on a server without a warning', () => {
  expect(Object.keys(rendered)).toEqual(EXAMPLES.map(({ name }) => name))
  for (const [name, html] of Object.entries(rendered)) expect(html, name).toMatch(/class="tb/)
  expect(complaints).toEqual([])
})

test('every file of the folder belongs to the gallery', () => {
  const shared = ['gallery.ts', 'hydrate-gallery.ts', 'media.ts', 'render-gallery.ts', 'sent.tsx']
  const own = EXAMPLES.flatMap(({ name, style }) => [
    `${name}.tsx`,
    ...(style === undefined ? [] : [`${style}.css`]),
  ])
  expect([...own, ...shared].toSorted()).toEqual(FILES.toSorted())
})

test('names are unique, because they are anchors', () => {
  const names = [...GALLERY, ...EXAMPLES].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('every component has its part of the gallery, and its examples use it', () => {
  const titles = GALLERY.map(({ title }) => title)
  expect(Object.keys(components).toSorted()).toEqual(
    titles.filter((title) => title !== 'Themes').toSorted(),
  )
  for (const { title, examples } of GALLERY.filter((part) => part.title !== 'Themes')) {
    const used = examples.filter(({ name }) =>
      SOURCES[EXAMPLES.findIndex((example) => example.name === name)]?.includes(`<${title}`),
    )
    // Settled questions are shown by the conversation.
    expect(used.length, title).toBeGreaterThanOrEqual(examples.length - 1)
  }
})

test('every property of a component is in an example', () => {
  const report = readFileSync(new URL('../api/index.api.md', import.meta.url), 'utf8')
  const interfaces = [
    ...report.matchAll(/^export interface (\w+(?:Props|Options)|ToolPartData) [^\n]*\{\n([^}]*)/gm),
  ]
  const names = interfaces.flatMap(([, , body = '']) =>
    [...body.matchAll(/^ {4}(\w+)\??[:(]/gm)].map(([, name = '']) => name),
  )
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) expect(SOURCE, name).toMatch(new RegExp(`\\b${name}\\b[=:},]`))
})

test.for(Object.keys(BLOCKS))('an example has a block of the type %s', (type) => {
  expect(SOURCE).toContain(`type: '${type}'`)
})

test.for(Object.keys(KINDS))('an example has a value of the kind %s', (kind) => {
  expect(SOURCE).toContain(`kind: '${kind}'`)
})

test.for(Object.keys(VIEWS))('an example asks for the view %s', (view) => {
  expect(SOURCE).toContain(`preferredView: '${view}'`)
})

test.for(Object.keys(STATES))('an example has a call in the state %s', (state) => {
  expect(SOURCE).toContain(`state: '${state}'`)
})

test.for(Object.keys(OPTIONS))('an example sets the option %s', (option) => {
  expect(SOURCE).toMatch(new RegExp(`<ToolResult [^/]*\\b${option}=`))
})

test.for(Object.entries(PARTS))('an example shows a part of the kind %s', ([, look]) => {
  expect(markup).toMatch(look)
})

test.for(Object.entries(INPUTS))('a form has a field of the kind %s', ([, look]) => {
  expect(markup).toMatch(look)
})
