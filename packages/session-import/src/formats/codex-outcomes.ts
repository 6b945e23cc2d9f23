import { type JsonObject, type Outcome, getText, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import type { ImportedPart } from '../convert/read-messages.ts'
import { parseInner } from '../records/records.ts'
import { findTurnItem } from './codex-turn-items.ts'

/** Tools of Codex that run a command or change files: their outputs begin with the exit code, or are JSON with it. */
const COMMANDS: ReadonlySet<unknown> = new Set([
  'shell',
  'container.exec',
  'shell_command',
  'local_shell',
  'exec_command',
  'write_stdin',
  'apply_patch',
])

/** What the records of a session state about the ends of its calls. */
export interface CallEnds {
  /** The ends that the program recorded beside the outputs, by the ids of their calls. */
  outcomes: ReadonlyMap<unknown, Outcome>
  /** The ids of the calls that run commands. */
  commands: ReadonlySet<unknown>
}

/** Finds how calls ended: `exec_command_end`, `patch_apply_end`, `mcp_tool_call_end`, and the items of a turn. */
export function findEnds(records: readonly JsonObject[]): CallEnds {
  const outcomes = new Map<unknown, Outcome>()
  const commands = new Set<unknown>()
  for (const record of records) {
    const payload = getOwnField(record, 'payload')
    const item = isJsonObject(payload) ? payload : record
    const id = getOwnField(item, 'call_id')
    const type = getOwnField(item, 'type')
    if (type === 'local_shell_call' || COMMANDS.has(getOwnField(item, 'name'))) commands.add(id)
    const outcome = readEnd(item)
    if (outcome !== undefined) outcomes.set(id, outcome)
    const done = findTurnItem(record)
    const ended = done && readTurnEnd(done)
    if (ended !== undefined) outcomes.set(getOwnField(done ?? {}, 'id'), ended)
  }
  return { outcomes, commands }
}

function readEnd(event: JsonObject): Outcome | undefined {
  const [status, code] = [getOwnField(event, 'status'), getOwnField(event, 'exit_code')]
  switch (getOwnField(event, 'type')) {
    case 'exec_command_end':
      if (status === 'declined') return 'denied'
      return typeof code === 'number' ? fromCode(code) : undefined
    case 'patch_apply_end': {
      if (status === 'declined') return 'denied'
      const success = getOwnField(event, 'success')
      return typeof success === 'boolean' ? (success ? 'completed' : 'failed') : undefined
    }
    case 'mcp_tool_call_end': {
      const result = getOwnField(event, 'result')
      if (!isJsonObject(result)) return undefined
      const ok = getOwnField(result, 'Ok')
      const isError =
        !isJsonObject(ok) || (getOwnField(ok, 'isError') ?? getOwnField(ok, 'is_error'))
      return isError === true ? 'failed' : 'completed'
    }
    default:
      return undefined
  }
}

/** Reads how a command or a change of files ended that the program also wrote as an item of a turn. */
function readTurnEnd(item: JsonObject): Outcome | undefined {
  const [status, code] = [getOwnField(item, 'status'), getOwnField(item, 'exit_code')]
  if (status === 'declined') return 'denied'
  if (typeof code === 'number') return fromCode(code)
  if (status === 'failed') return 'failed'
  return status === 'completed' ? 'completed' : undefined
}

function fromCode(code: number): Outcome {
  return code === 0 ? 'completed' : 'failed'
}

/** Adds to a result how its call ended, if the program recorded it. Other results stay unchanged. */
export function withOutcome(part: ImportedPart, { outcomes, commands }: CallEnds): ImportedPart {
  if (part.kind !== 'result') return part
  const { result } = part
  const [block] = result.content
  const text = (block && getText(block)) ?? ''
  const outcome =
    outcomes.get(result.id) ?? (commands.has(result.id) ? readOutput(text) : undefined)
  if (outcome === undefined || outcome === 'completed') return part
  const metadata = outcome === 'failed' ? {} : { metadata: { outcome } }
  return { ...part, result: { ...result, isError: true, ...metadata } }
}

/** The exit code in the lines before `Output:`. */
const EXIT_CODE = /^(?:Exit code: |Process exited with code )(-?\d{1,10})$/m
/** What Codex writes in the place of an output if a person did not allow a command, or stopped it. */
const DENIED = /^(?:exec command rejected by user|patch rejected by user)\.?$/
const CANCELLED = /^(?:Wall time: [\d.]+ seconds\n)?aborted by user(?: after [\d.]+s)?$/

/** Reads how a command ended from its output; returns `undefined` if the output does not say it, for example while the command runs. */
function readOutput(text: string): Outcome | undefined {
  const trimmed = text.slice(0, 200).trim()
  if (DENIED.test(trimmed)) return 'denied'
  if (CANCELLED.test(trimmed)) return 'cancelled'
  const json = text.startsWith('{') ? parseInner(text) : undefined
  const metadata = isJsonObject(json) ? getOwnField(json, 'metadata') : undefined
  const code = isJsonObject(metadata) ? getOwnField(metadata, 'exit_code') : undefined
  if (typeof code === 'number') return fromCode(code)
  const [head = ''] = text.split(/^Output:$/m, 1)
  const [, exitCode] = head.length < text.length ? (EXIT_CODE.exec(head) ?? []) : []
  return exitCode === undefined ? undefined : fromCode(Number(exitCode))
}
