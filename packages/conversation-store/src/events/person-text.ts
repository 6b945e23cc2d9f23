import { type JsonObject, getText, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, requireArguments } from '@toolblocks/protocol/internal'
import type { StoredEvent } from './conversation-event.ts'

/** Flags that other programs set on messages which they wrote in the name of a person. */
const FLAGS: readonly string[] = ['isMeta', 'isCompactSummary', 'isSidechain']

/** Elements in which programs write into the messages of people. An element with another name is a person's, for example `<my-button>`. */
const WRAPPERS: ReadonlySet<string> = new Set([
  // Claude Code
  'bash-stderr',
  'bash-stdout',
  'command-args',
  'command-message',
  'command-name',
  'ide_diagnostics',
  'ide_opened_file',
  'ide_selection',
  'local-command-caveat',
  'local-command-stderr',
  'local-command-stdout',
  'system-reminder',
  'task-notification',
  'user-memory-input',
  'user-prompt-submit-hook',
  // Codex
  'collaboration_mode',
  'environment_context',
  'permissions_instructions',
  'subagent_notification',
  'turn_aborted',
  'user_action',
  'user_instructions',
  'user_shell_command',
  // Gemini CLI and Qwen Code
  'session_context',
  'state_snapshot',
  // Cline and Roo Code
  'environment_details',
  // Cursor
  'additional_data',
  'agent_transcripts',
  'attached_files',
  'git_status',
  'manually_attached_skills',
  'open_and_recently_viewed_files',
  'project_layout',
  'system_reminder',
  'user_info',
])

const ELEMENT = /^\s*<([a-z]{1,40}(?:[-_][a-z]{1,40}){1,5})>/

/** Beginnings of messages that programs write: after an interruption by a person, and before the instructions of a folder. */
const BEGINNINGS: readonly RegExp[] = [
  /^\[Request interrupted by user/,
  /^# AGENTS\.md instructions for [^\n]*\n\s*<INSTRUCTIONS>/,
]

/**
 * Returns what a person said in a message: its text without what a program added, such as the settings of a session. Returns an empty string if a
 * program wrote all of the message, and for other events.
 */
export function getPersonText(event: StoredEvent['event']): string {
  requireArguments('getPersonText(event)', [event, 'object'])
  if (event.type !== 'user_message' || isFlagged(event)) return ''
  const texts = event.content.map((block) => withoutWrappers(getText(block) ?? ''))
  return texts.find((text) => text !== '') ?? ''
}

/** Whether a person wrote at least a part of a message. */
export function isWrittenByPerson(event: StoredEvent['event']): boolean {
  requireArguments('isWrittenByPerson(event)', [event, 'object'])
  if (event.type !== 'user_message' || isFlagged(event)) return false
  const isSaid = event.content.some((block) => (getText(block) ?? '').trim() !== '')
  return !isSaid || event.content.some(({ type }) => type !== 'text') || getPersonText(event) !== ''
}

function isFlagged(event: StoredEvent['event']): boolean {
  const fields = getImportedFields(event)
  return (
    findImportedAgent(event) !== undefined ||
    FLAGS.some((flag) => getOwnField(fields, flag) === true)
  )
}

/** Returns the fields that an imported event keeps of its record; empty for other events. */
export function getImportedFields(event: StoredEvent['event']): JsonObject {
  requireArguments('getImportedFields(event)', [event, 'object'])
  const fields = getOwnField(importDetails(event), 'fields')
  return isJsonObject(fields) ? fields : {}
}

/** Returns what the source of an imported conversation states about it, if this is its first event; else an empty object. */
export function getImportedAbout(event: StoredEvent['event']): JsonObject {
  const about = getOwnField(importDetails(event), 'about')
  return isJsonObject(about) ? about : {}
}

/**
 * Returns the name of the agent whose words or call an imported event is, if another model's conversation started it; `undefined` for other events. Some
 * programs write the messages of agents into the session that started them.
 */
export function findImportedAgent(event: StoredEvent['event']): string | undefined {
  requireArguments('findImportedAgent(event)', [event, 'object'])
  const agent = getOwnField(importDetails(event), 'agent')
  return typeof agent === 'string' ? agent : undefined
}

/** What a source states of a call for which it has no result. `unrecorded`: nothing, not even whether it ran. */
export type UnfinishedCall = 'waiting' | 'interrupted' | 'unrecorded'

const UNFINISHED: readonly UnfinishedCall[] = ['waiting', 'interrupted', 'unrecorded']

/** Returns what the source of an imported call states if it had no result when it was imported; `undefined` for other events. */
export function findUnfinishedCall(event: StoredEvent['event']): UnfinishedCall | undefined {
  requireArguments('findUnfinishedCall(event)', [event, 'object'])
  const state = getOwnField(importDetails(event), 'unfinished')
  return UNFINISHED.find((each) => each === state)
}

/** Reads what an import added to an event. A record that is stored unchanged is an unknown event, and has it in its value. */
function importDetails(event: StoredEvent['event']): JsonObject {
  const value = event.type === 'unknown' ? event.value : event
  const details = isJsonObject(value) ? getOwnField(value, 'imported') : undefined
  return isJsonObject(details) ? details : {}
}

function withoutWrappers(text: string): string {
  let rest = text
  for (;;) {
    const name = ELEMENT.exec(rest)?.[1]
    if (name === undefined || !WRAPPERS.has(name)) break
    const end = `</${name}>`
    const index = rest.indexOf(end)
    if (index === -1) return ''
    rest = rest.slice(index + end.length)
  }
  const trimmed = rest.trim()
  return BEGINNINGS.some((beginning) => beginning.test(trimmed)) ? '' : trimmed
}
