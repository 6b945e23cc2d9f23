import type { JsonObject } from '@toolblocks/protocol'
import { readBlock } from '../blocks/read-block.ts'
import type { Tally } from '../counts.ts'
import type { ImportedEvent } from '../imported-event.ts'
import type { Part, Spoken } from './part.ts'

/** What is said or thought without a call between is one message. */
type Run = Extract<Part, { kind: 'said' | 'thought' }>[]

/** The events of a record, in the order of its parts; `fields` stand beside the first. */
export function partsToEvents(
  parts: readonly Part[],
  fields: JsonObject = {},
  by: Spoken = {},
): readonly ImportedEvent[] {
  const events = withSpeaker(splitRuns(parts).map(toEvent), by)
  const [first, ...rest] = events
  if (!first || Object.keys(fields).length === 0) return events
  const all = { ...fields, ...first.imported?.fields }
  return [{ ...first, imported: { ...first.imported, fields: all } }, ...rest]
}

/** Every message names its model. What it took stands once: with the first, or, where a model only calls, with one that says nothing. */
function withSpeaker(
  events: readonly ImportedEvent[],
  { model, usage }: Spoken,
): readonly ImportedEvent[] {
  const first = events.findIndex(({ type }) => type === 'assistant_message')
  const named = events.map((event, index) =>
    event.type === 'assistant_message'
      ? {
          ...event,
          ...(model !== undefined && { model }),
          ...(usage && index === first && { usage }),
        }
      : event,
  )
  if (first !== -1 || !usage || !events.some(({ type }) => type === 'tool_call')) return named
  const silent = { type: 'assistant_message' as const, content: [], usage }
  return [{ ...silent, ...(model !== undefined && { model }) }, ...named]
}

/** Counts the parts of a record, without making events of them. */
export function countParts(parts: readonly Part[], tally: Tally): void {
  if (parts.length === 0) tally.unknown += 1
  let before = ''
  for (const part of parts) {
    const now = part.kind === 'said' ? part.by : part.kind
    if (part.kind === 'call') tally.calls += 1
    else if (part.kind === 'configuration') tally.configurations += 1
    else if (part.kind === 'result') {
      tally.results += 1
      if (part.result.isError) tally.errors += 1
    } else if (part.kind === 'said' && before !== now) {
      if (part.by === 'user') tally.userMessages += 1
      else tally.assistantMessages += 1
    }
    // A thought between two texts of a model does not part them.
    if (!(part.kind === 'thought' && before === 'assistant')) before = now
  }
}

type Piece = Run | Exclude<Part, { kind: 'said' | 'thought' }>

function splitRuns(parts: readonly Part[]): readonly Piece[] {
  const pieces: Piece[] = []
  let run: Run | undefined
  for (const part of parts) {
    if (part.kind !== 'said' && part.kind !== 'thought') {
      pieces.push(part)
      run = undefined
    } else if (run && speakerOf(run[0]) === speakerOf(part)) run.push(part)
    else {
      run = [part]
      pieces.push(run)
    }
  }
  return pieces
}

function speakerOf(part: Run[number] | undefined): string | undefined {
  return part?.kind === 'said' ? part.by : part && 'assistant'
}

function toEvent(piece: Piece): ImportedEvent {
  if (Array.isArray(piece)) return toMessage(piece)
  switch (piece.kind) {
    case 'silent':
      return { type: 'assistant_message', content: [] }
    case 'call':
      return { type: 'tool_call', call: piece.call, ...beside(piece.fields) }
    case 'result':
      return { type: 'tool_result', result: piece.result, ...beside(piece.fields) }
    case 'configuration':
      return { type: 'configuration', values: piece.values }
  }
}

function beside(fields: JsonObject = {}): { imported?: { fields: JsonObject } } {
  return Object.keys(fields).length === 0 ? {} : { imported: { fields } }
}

function toMessage(run: Run): ImportedEvent {
  const content = run.flatMap((part) => (part.kind === 'said' ? [readBlock(part.block)] : []))
  if (run[0]?.kind === 'said' && run[0].by === 'user') return { type: 'user_message', content }
  const thoughts = run.flatMap((part) => (part.kind === 'thought' ? [part] : []))
  const texts = thoughts.map(({ text }) => text).filter((text) => text !== '')
  return {
    type: 'assistant_message',
    content,
    ...(texts.length > 0 && { reasoning: texts.join('\n\n') }),
    ...(thoughts.length > 0 && { _meta: { reasoning: thoughts.map(({ raw }) => raw) } }),
  }
}
