import { isJsonObject } from '@toolblocks/protocol'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { settingsFile } from '../files/own-folders.ts'
import { writeInOneStep } from '../files/write-file.ts'
import { getOwnLock, type LockWait, withLock } from '../locks/with-lock.ts'
import { type ApprovalRule, isApprovalRule } from './approval-rule.ts'

/** An approval that a person gave for more than one call. */
export interface RememberedApproval {
  /** The id by which it is revoked. */
  id: string
  /** The folder of the workspace that it is valid for. */
  root: string
  rule: ApprovalRule
  /** The hash of the tool's definition at that time. If the definition changes, a person is asked again. */
  definition: string
  /** The conversation that it is limited to. Absent: always. */
  conversation?: string
  /** ISO 8601, UTC. */
  at: string
}

/** Approvals that people have given for more than one call. */
export interface ApprovalStore {
  /** Returns the approvals of one workspace, or all. */
  list(root?: string): readonly RememberedApproval[]
  /** Stores an approval. Rejects if the file cannot be written. */
  remember(approval: Omit<RememberedApproval, 'id' | 'at'>): Promise<RememberedApproval>
  /** Removes an approval and returns whether it existed. */
  revoke(id: string): Promise<boolean>
}

/** Opens the approvals of this user. A file that cannot be read allows nothing, and invalid entries are ignored. */
export function openApprovalStore(file: string, wait: LockWait = {}): ApprovalStore {
  const read = (): readonly RememberedApproval[] => readApprovals(file)
  /** The file is read again under the lock, so that changes of other processes are kept. */
  const change = async <Value>(
    edit: (before: readonly RememberedApproval[]) => {
      approvals: readonly RememberedApproval[]
      value: Value
    },
  ): Promise<Value> =>
    await withLock(getOwnLock(file), wait, () => {
      const { approvals, value } = edit(read())
      writeInOneStep({ path: file }, `${JSON.stringify({ approvals }, null, 2)}\n`, {
        mode: 0o600,
      })
      return value
    })
  return {
    list: (root) => read().filter((each) => root === undefined || each.root === root),
    async remember(approval) {
      const id = randomUUID().slice(0, 8)
      const remembered = { id, ...approval, at: new Date().toISOString() }
      return await change((before) => ({ approvals: [...before, remembered], value: remembered }))
    },
    async revoke(id) {
      if (!read().some((each) => each.id === id)) return false
      return await change((before) => {
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

/** Returns the path of this user's file of approvals. */
export function approvalsFile(): string {
  return settingsFile('approvals.json')
}
