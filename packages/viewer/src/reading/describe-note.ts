import {
  type ApprovalEvent,
  type Compaction,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { findImportedAgent, getImportedFields } from '@toolblocks/conversation-store/internal'
import { type InquiryEvent, type JsonObject, getText, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'

/** The description of an event other than messages, calls and results. All strings are untrusted. */
export interface DescribedNote {
  /** The kind, for example `question`. */
  title: string
  /** Other facts for the same line. */
  facts: readonly string[]
  /** The text of the event; may be empty. */
  text: string
  values: JsonObject
}

/** Describes an event. */
export function describeNote(event: StoredEvent['event']): DescribedNote {
  switch (event.type) {
    case 'question':
      return note('question', [`to ${event.asked}`], event.question.text)
    case 'answer':
      return describeAnswer(event)
    case 'approval': {
      const { decision, reason, arguments: changed } = event
      return note(decision, [`by ${describeDecider(event)}`], reason, changed)
    }
    case 'configuration':
      return note('settings', [], '', event.values)
    case 'compaction':
      return note('compaction', describeCompaction(event), event.summary)
    case 'rewind':
      return note('rewind', [`to #${event.to}`])
    case 'unknown':
      return note(describeRecords([event]), [], '', getRecord(event))
    case 'turn_start':
    case 'user_message':
    case 'assistant_message':
    case 'tool_call':
    case 'tool_result':
    case 'delivery':
      return note(event.type.replaceAll('_', ' '))
  }
}

/** Where a person finds rules that a host has stored. */
const WHERE_STORED = ', see "toolblocks approvals"'

/** Says who decided, for example `the rule git(command^=git log) (configuration)`. */
function describeDecider({ by, rule, source }: ApprovalEvent): string {
  if (by === 'user') return 'a person'
  const where = source === undefined ? '' : ` (${source}${source === 'stored' ? WHERE_STORED : ''})`
  return rule === undefined ? `a rule${where}` : `the rule ${rule}${where}`
}

/** Describes an event whose call is missing: with the id of the call. */
export function describeStandaloneNote(event: StoredEvent['event']): DescribedNote {
  const described = describeNote(event)
  const callId = 'callId' in event ? event.callId : undefined
  return callId === undefined
    ? described
    : { ...described, facts: [...described.facts, `for call ${callId}`] }
}

function note(
  title: string,
  facts: readonly string[] = [],
  text = '',
  values: JsonObject = {},
): DescribedNote {
  return { title, facts, text, values }
}

function describeCompaction({
  fromTurn,
  toTurn,
  reasoning,
  toolCalls,
}: Compaction): readonly string[] {
  return [
    `turns ${fromTurn}–${toTurn}`,
    ...(reasoning ? [`reasoning: ${reasoning}`] : []),
    ...(toolCalls ? [`tool calls: ${toolCalls}`] : []),
  ]
}

function describeAnswer(answer: Extract<InquiryEvent, { type: 'answer' }>): DescribedNote {
  switch (answer.action) {
    case 'accept':
      return 'value' in answer
        ? note('answer', [], '', { value: answer.value })
        : note('answer', ['a secret, which is not recorded'])
    case 'decline':
      return note('answer', ['declined'])
    case 'cancel':
      return note('answer', [`cancelled: ${answer.reason}`])
  }
}

/** Returns who wrote a message of a model: the model of the conversation, or an agent that it started, whose messages some programs write into the same file. */
export function getSpeaker(event: StoredEvent['event']): 'Model' | 'Agent' {
  return isOfAgent(event) ? 'Agent' : 'Model'
}

function isOfAgent(event: StoredEvent['event']): boolean {
  return (
    findImportedAgent(event) !== undefined ||
    getOwnField(getImportedFields(event), 'isSidechain') === true
  )
}

/** Returns one line for a message that a program wrote for a person: the typed command, else the program's name for it. */
export function describeProgramMessage(event: StoredEvent['event']): string {
  const content = event.type === 'user_message' ? event.content : []
  const text = content.map((block) => getText(block) ?? '').join('\n')
  const command = elementIn(text, 'command-name')
  if (command !== undefined)
    return [command, elementIn(text, 'command-args') ?? ''].join(' ').trim()
  const typed = elementIn(text, 'bash-input')
  if (typed !== undefined) return `! ${typed}`
  if (text.trimStart().startsWith('[Request interrupted by user')) return 'stopped by the person'
  if (text.trimStart().startsWith('# AGENTS.md instructions')) return 'instructions of the folder'
  const fields = getImportedFields(event)
  if (getOwnField(fields, 'isCompactSummary') === true) return 'summary of the earlier conversation'
  if (isOfAgent(event)) return 'task for an agent'
  const [, name] = /^\s*<([a-z]{1,40}(?:[-_][a-z]{1,40}){1,5})>/.exec(text) ?? []
  return name === undefined ? 'note of the program' : name.replaceAll(/[-_]/g, ' ')
}

/** Returns the text of the first element of a name, on one line. */
function elementIn(text: string, name: string): string | undefined {
  const start = text.indexOf(`<${name}>`)
  const end = text.indexOf(`</${name}>`, start)
  if (start === -1 || end === -1) return undefined
  return text
    .slice(start + name.length + 2, end)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Returns one line for records without an event: their own types, each with its count. */
export function describeRecords(events: readonly StoredEvent['event'][]): string {
  return countNames(events.map(typeOfRecord))
}

/** Lists names, repeated ones with their count. */
export function countNames(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ')
}

/** Returns a record as it was written. */
export function getRecord(event: StoredEvent['event']): JsonObject {
  const value = event.type === 'unknown' && isJsonObject(event.value) ? event.value : {}
  const record = getOwnField(value, 'record')
  return getOwnField(value, 'type') === 'imported_record' && isJsonObject(record) ? record : value
}

/** Returns the record's type in the program that wrote it. */
export function typeOfRecord(event: StoredEvent['event']): string {
  const record = getRecord(event)
  const payload = getOwnField(record, 'payload')
  const names = [
    getOwnField(record, 'type'),
    getOwnField(record, 'subtype') ??
      (isJsonObject(payload) ? getOwnField(payload, 'type') : undefined),
  ]
  const known = names.filter((name) => typeof name === 'string' && name !== '')
  return known.length === 0 ? 'record' : known.join(' ')
}
