import { isJsonObject } from '@toolblocks/protocol/json'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { settingsFile } from '../files/own-folders.ts'
import { withLock, writeInOneStep } from '../files/write-together.ts'
import { type ApprovalRule, isApprovalRule } from './approval-rule.ts'

/** A yes that a person gave for more than one call. */
export interface RememberedApproval {
  /** To revoke it by. */
  id: string
  /** The folder of the workspace that it is for. */
  root: string
  rule: ApprovalRule
  /** The hash of what the tool said of itself then; another definition is asked about anew. */
  definition: string
  /** Only in this conversation; absent: always. */
  conversation?: string
  /** ISO 8601, UTC. */
  at: string
}

/** What people have agreed to for more than one call. */
export interface ApprovalStore {
  /** Those of a workspace, or of all. */
  list(root?: string): readonly RememberedApproval[]
  /** Throws where it cannot be written. */
  remember(approval: Omit<RememberedApproval, 'id' | 'at'>): RememberedApproval
  /** Says whether it was there. */
  revoke(id: string): boolean
}

/** Opens the store of this user. A file that cannot be read allows nothing, and entries that are none are left out. */
export function openApprovalStore(file: string): ApprovalStore {
  const read = (): readonly RememberedApproval[] => readApprovals(file)
  /** What another process writes meanwhile is neither lost nor brought back. */
  const change = <Value>(
    edit: (before: readonly RememberedApproval[]) => {
      approvals: readonly RememberedApproval[]
      value: Value
    },
  ): Value =>
    withLock(file, () => {
      const { approvals, value } = edit(read())
      writeInOneStep(file, `${JSON.stringify({ approvals }, null, 2)}\n`, { mode: 0o600 })
      return value
    })
  return {
    list: (root) => read().filter((each) => root === undefined || each.root === root),
    remember(approval) {
      const id = randomUUID().slice(0, 8)
      const remembered = { id, ...approval, at: new Date().toISOString() }
      return change((before) => ({ approvals: [...before, remembered], value: remembered }))
    },
    revoke(id) {
      if (!read().some((each) => each.id === id)) return false
      return change((before) => {
        const after = before.filter((each) => each.id !== id)
        return { approvals: after, value: after.length < before.length }
      })
    },
  }
}

function readApprovals(file: string): readonly RememberedApproval[] {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const approvals = isJsonObject(kept) ? kept['approvals'] : undefined
    return Array.isArray(approvals) ? approvals.filter(isRemembered) : []
  } catch {
    return []
  }
}

function isRemembered(value: unknown): value is RememberedApproval {
  if (!isJsonObject(value) || !isApprovalRule(value['rule'])) return false
  const { conversation } = value
  return (
    ['id', 'root', 'definition', 'at'].every((key) => typeof value[key] === 'string') &&
    (conversation === undefined || typeof conversation === 'string')
  )
}

/** The file of this user that remembers what may run unasked. */
export function approvalsFile(): string {
  return settingsFile('approvals.json')
}
