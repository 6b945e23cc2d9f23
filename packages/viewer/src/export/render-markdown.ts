import { requireArguments } from '@toolblocks/protocol/internal'
import type {
  ConversationDescription,
  HistoryEntry,
  StoredEvent,
} from '@toolblocks/conversation-store'
import { type FormatOptions, codeFence, formatBlocks, formatResult } from '@toolblocks/formatter'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { JsonObject } from '@toolblocks/protocol'
import { type CallPart, describeCall } from '../reading/describe-call.ts'
import {
  type DescribedNote,
  describeStandaloneNote,
  describeNote,
  describeProgramMessage,
  describeRecords,
  getRecord,
  getSpeaker,
} from '../reading/describe-note.ts'
import { placeUndone } from '../reading/place-undone.ts'
import { type Card, getCardEvents, readCards } from '../reading/read-cards.ts'
import { formatMinute } from '../reading/describe-facts.ts'

/** Options for rendering a conversation as Markdown. */
export interface MarkdownOptions {
  about: ConversationDescription
  format: FormatOptions
  /** The events that a rewind has undone; only their number is written, at their place. Default: none. */
  undone?: readonly StoredEvent[]
  /** The questions that the store keeps for people. Default: none are known. */
  pending?: readonly PendingQuestion[]
}

/**
 * Renders a conversation as Markdown. Headings belong to the host. All messages, calls and results are quoted below them, so that none of their
 * text can become a heading.
 */
export function* renderMarkdownExport(
  id: string,
  entries: readonly HistoryEntry[],
  options: MarkdownOptions,
): Generator<string> {
  requireArguments(
    'renderMarkdownExport(id, entries, options)',
    [id, 'string'],
    [entries, 'iterable'],
    [options, { about: 'object' }],
  )
  const { about, format, pending, undone = [] } = options
  const { title, model } = about
  yield title === undefined
    ? `# Conversation ${codeSpan(id)}\n`
    : `# ${escapeLine(title)}\n\nConversation ${codeSpan(id)}${model === undefined ? '' : `, with ${codeSpan(model)}`}\n`
  let last = 0
  for (const card of placeUndone(readCards(entries, pending), undone)) {
    if (card.kind === 'undone') {
      yield `\n_${card.label}_\n`
      continue
    }
    const [first] = getCardEvents(card)
    const turn = first?.turn ?? 0
    if (turn > last) yield `\n## Turn ${turn}, ${formatMinute(first?.at ?? '')} UTC\n`
    last = Math.max(last, turn)
    const written = renderCard(card, format)
    if (written)
      yield [
        `\n### ${written.heading}\n`,
        ...written.texts.filter((text) => text !== '').map((text) => `\n${quote(text)}\n`),
      ].join('')
  }
}

/** Escapes a line, so that nothing in it is read as Markdown or HTML. */
function escapeLine(line: string): string {
  return line.replaceAll(/[\\`*_[\]<>&#|~]/g, (character) => `\\${character}`)
}

interface MarkdownText {
  heading: string
  texts: readonly string[]
}

/** Returns `undefined` for what a heading has said already, and for deliveries. */
function renderCard(card: Card, options: FormatOptions): MarkdownText | undefined {
  switch (card.kind) {
    case 'person':
      return { heading: 'Person', texts: [formatBlocks(card.message.event.content, options)] }
    case 'program':
      return {
        heading: `Program ${codeSpan(describeProgramMessage(card.message.event))}`,
        texts: [formatBlocks(card.message.event.content, options)],
      }
    case 'model': {
      const { content, reasoning = '', data } = card.message.event
      const thought = reasoning.trim() === '' ? '' : `(thought) ${reasoning}`
      const values = data === undefined ? '' : getJson({ data })
      return {
        heading: getSpeaker(card.message.event),
        texts: [thought, formatBlocks(content, options), values],
      }
    }
    case 'call': {
      const { name, telling, parts, outcome, summary = '' } = describeCall(card)
      const spans = [name, ...(telling === undefined ? [] : [telling])].map(codeSpan)
      const steps = card.steps.flatMap(({ event }) => renderNote(describeNote(event)))
      const callParts = parts.filter(({ kind }) => kind !== 'result')
      const answered = parts.filter(({ kind }) => kind === 'result')
      const write = (part: CallPart): string => renderPart(part, options)
      const waits = outcome === 'waiting' || outcome === 'unrecorded' ? [summary] : []
      const texts = [...callParts.map(write), ...steps, ...waits, ...answered.map(write)]
      return { heading: ['Call', ...spans].join(' '), texts }
    }
    case 'result': {
      const { result } = card.result.event
      return {
        heading: `Result ${codeSpan(result.id ?? '')}`,
        texts: [formatResult(result, options)],
      }
    }
    case 'note': {
      const [head = '', ...texts] = renderNote(describeStandaloneNote(card.note.event))
      return { heading: codeSpan(head), texts }
    }
    case 'records': {
      const events = card.records.map(({ event }) => event)
      const texts = events.map((event) => getJson(getRecord(event)))
      return { heading: `Records ${codeSpan(describeRecords(events))}`, texts }
    }
    case 'turn':
    case 'delivery':
      return undefined
  }
}

/** Returns one line with the title and the facts of a note. */
function renderNote({ title, facts, text, values }: DescribedNote): readonly string[] {
  const valueLines = Object.keys(values).length === 0 ? [] : [getShortJson(values)]
  return [[title, ...facts].join(' '), ...(text === '' ? [] : [text]), ...valueLines]
}

const BOXES = { open: '[ ]', doing: '[ ] (doing)', done: '[x]' } as const

function renderPart(part: CallPart, options: FormatOptions): string {
  switch (part.kind) {
    case 'edit':
      return codeFence(getPatch(part.edit), 'diff')
    case 'todos':
      return part.todos.map(({ state, text }) => `- ${BOXES[state]} ${codeSpan(text)}`).join('\n')
    case 'command':
      return codeFence(part.text, 'sh')
    case 'file':
      return `${codeSpan(part.path)}\n\n${codeFence(part.content)}`
    case 'arguments':
      return getJson(part.values)
    case 'result':
      return formatResult(part.result, options)
  }
}

/** Returns the removed and added lines, under the path of their file. */
function getPatch({ value }: Extract<CallPart, { kind: 'edit' }>['edit']): string {
  const { path, original = '', modified, hunks } = value.data
  const lines = hunks
    ? hunks.flatMap((hunk) => hunk.lines)
    : [...signed('-', original), ...signed('+', modified)]
  return [`--- ${path}`, `+++ ${path}`, ...lines].join('\n')
}

function signed(sign: string, text: string): readonly string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line)
}

function getJson(values: JsonObject): string {
  return codeFence(JSON.stringify(values, null, 2), 'json')
}

/** Lines of a note's values above which only their number is written. The settings of a whole workspace have thousands. */
const MAX_VALUE_LINES = 60

function getShortJson(values: JsonObject): string {
  const json = getJson(values)
  const lines = json.split('\n').length - 2
  return lines <= MAX_VALUE_LINES
    ? json
    : `(${lines} lines of JSON, which the export as JSON Lines has)`
}

/** Anything that a text leaves open ends with its quotation. */
function quote(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Characters that Markdown or a reader could misread: line ends, controls, and invisible ones. */
const ODD = /[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu

const MAX_LENGTH = 200

/** Returns an untrusted name as inline code, which it cannot close; empty for an empty name. */
export function codeSpan(text: string): string {
  const line = text.slice(0, MAX_LENGTH).replaceAll(ODD, ' ').trim()
  if (line === '') return ''
  const runs = line.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  return runs.length === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}
