import { isWrittenByPerson } from '@toolblocks/conversation-store/internal'
import type { ImportedEvent } from './imported-event.ts'

/** Where a record is in the conversation of a program that can go back. */
export type RecordPlace =
  | {
      /** The id by which later records name this one. */
      id?: string | undefined
      /** The id of the record that it follows; `null`: it is at the beginning; `undefined`, or the id of no record: it follows the one before. */
      parent: string | null | undefined
      /** Whether the program only noted something there: the record never begins a branch. Default: `false`. */
      isNote?: boolean
    }
  /** The record says that the program went back to before the record with this id; if there is none, to the beginning. */
  | { backBefore: string }
  /** The record says that the program went back this number of turns of a person. */
  | { backTurns: number }

/** The record after which the program would continue. Default: the last one. */
export type Leaf = { after: string } | { before: string }

/** A record in the tree: one that later records follow. */
interface BranchNode {
  before: BranchNode | undefined
  /** Number of records before it. */
  depth: number
  /** A record far before it, so that few steps lead to any of them. */
  jump: BranchNode | undefined
  /** The last record up to here that begins a turn of a person: itself, or one before it. */
  turn: BranchNode | undefined
  /** The number of its last event, with notes after it. */
  last: number
  /** The last record up to here that has more than results of calls: itself, or one before it. */
  message: BranchNode | undefined
}

/** The branches of a conversation, record by record. */
export interface Branches {
  /**
   * Places a record whose first event would have the number `next`. Returns the number of the event to which the conversation goes back before it;
   * `undefined` if it continues.
   */
  placeRecord(
    recordPlace: RecordPlace | undefined,
    record: { events: readonly ImportedEvent[]; next: number },
  ): number | undefined
  /** Returns the number of the event to which the conversation goes back at its end; `undefined` if it continues where it ends. */
  end(leaf: Leaf | undefined): number | undefined
}

/**
 * Follows a program that can go back. A record that does not follow the one before it begins a branch: the conversation goes back to its parent, and
 * what came after the parent is undone. The result of a call never begins a branch, because programs write the results of parallel calls after all
 * of them. A rewind may lead to a record that was undone. Each record takes a few steps, however many branches there are.
 */
export function createBranches(): Branches {
  const nodes = new Map<string, BranchNode | undefined>()
  const calls = new Map<string, BranchNode>()
  let head: BranchNode | undefined
  /** The number of the last event before the first record in the tree. */
  let start = 0

  function continueAt(node: BranchNode | undefined): number | undefined {
    if (node === head) return undefined
    head = node
    return node?.last ?? start
  }

  function findParent(
    recordPlace: Extract<RecordPlace, { parent: unknown }>,
    events: readonly ImportedEvent[],
  ): BranchNode | undefined {
    const { parent } = recordPlace
    if (parent === undefined || areOpenResults(events)) return head
    if (parent === null) return recordPlace.isNote === true ? head : undefined
    return nodes.has(parent) ? nodes.get(parent) : head
  }

  /** Whether a record has only results of calls that count now. */
  function areOpenResults(events: readonly ImportedEvent[]): boolean {
    return (
      hasOnlyResults(events) &&
      events.every((event) => {
        const call = event.type === 'tool_result' ? calls.get(event.result.id ?? '') : undefined
        return call !== undefined && isBefore(call, head)
      })
    )
  }

  return {
    placeRecord: (recordPlace, { events, next }) => {
      const last = next + events.length - 1
      if (recordPlace && 'backBefore' in recordPlace) {
        return continueAt(nodes.get(recordPlace.backBefore)?.before)
      }
      if (recordPlace && 'backTurns' in recordPlace)
        return continueAt(findTurn(head, recordPlace.backTurns))
      if (!recordPlace || recordPlace.isNote === true) {
        const parent = recordPlace ? findParent(recordPlace, events) : head
        if (nodes.size === 0 && !head) start = last
        else if (parent === head && head) head.last = last
        if (recordPlace?.id !== undefined) nodes.set(recordPlace.id, parent)
        return undefined
      }
      const parent = findParent(recordPlace, events)
      // Results of parallel calls, which were written after the record that this one names.
      const back = isBehindResults(head, parent) ? undefined : continueAt(parent)
      const before = head
      const node: BranchNode = {
        before,
        depth: before ? before.depth + 1 : 0,
        jump: findJump(before),
        turn: before?.turn,
        last: back === undefined ? last : last + 1,
        message: before?.message,
      }
      if (!hasOnlyResults(events)) node.message = node
      if (events.some((event) => event.type === 'user_message' && isWrittenByPerson(event)))
        node.turn = node
      for (const event of events) if (event.type === 'tool_call') calls.set(event.call.id, node)
      if (recordPlace.id !== undefined) nodes.set(recordPlace.id, node)
      head = node
      return back
    },
    end: (leaf) => {
      if (!leaf) return undefined
      const id = 'after' in leaf ? leaf.after : leaf.before
      if (!nodes.has(id)) return undefined
      const node = nodes.get(id)
      return continueAt('after' in leaf ? node : node?.before)
    },
  }
}

function hasOnlyResults(events: readonly ImportedEvent[]): boolean {
  return events.length > 0 && events.every(({ type }) => type === 'tool_result')
}

/** Whether there are only results between a record and the last one. */
function isBehindResults(head: BranchNode | undefined, node: BranchNode | undefined): boolean {
  if (!node || !head) return node === head?.message
  return node.depth >= (head.message?.depth ?? 0) && isBefore(node, head)
}

/** Returns the record before the last turns of a person. */
function findTurn(head: BranchNode | undefined, turns: number): BranchNode | undefined {
  let node = head
  for (let left = turns; left > 0 && node?.turn; left -= 1) node = node.turn.before
  return node
}

/** Chooses the far record of the next one, so that any record before it is found in a logarithmic number of steps. */
function findJump(before: BranchNode | undefined): BranchNode | undefined {
  const far = before?.jump
  if (!before || !far) return before
  const isEven = before.depth - far.depth === far.depth - (far.jump?.depth ?? 0)
  return isEven ? (far.jump ?? before) : before
}

/** Whether a record is the last one or before it. */
function isBefore(node: BranchNode, head: BranchNode | undefined): boolean {
  let current = head
  while (current && current.depth > node.depth)
    current = current.jump && current.jump.depth >= node.depth ? current.jump : current.before
  return current === node
}
