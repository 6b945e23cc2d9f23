import { isJsonObject } from '@toolblocks/protocol'
import { isRule, type Rule } from '@toolblocks/tool-executor/internal/rules'
import { settingsFile } from '../files/own-folders.ts'
import { openOwnList } from '../locks/own-list.ts'
import type { LockWait } from '../locks/with-lock.ts'

/** A rule that a person made for more than one call. */
export interface StoredRule {
  /** The id by which it is revoked. */
  id: string
  /** The folder of the workspace that it is valid for. */
  root: string
  rule: Rule
  /**
   * For `allow`: the hashes of the definitions that the tools had at that time, by their names. The rule does not fit a tool whose definition has
   * changed since, or that did not exist.
   */
  definitions: Readonly<Record<string, string>>
  /** The conversation that it is limited to. Absent: always. */
  conversation?: string
  /** ISO 8601, UTC. */
  at: string
}

/** The rules that people have made. */
export interface RuleStore {
  /** Returns the rules of one workspace, or all, the oldest first. */
  list(root?: string): readonly StoredRule[]
  /** Stores a rule. Rejects if the file cannot be written. */
  remember(rule: Omit<StoredRule, 'id' | 'at'>): Promise<StoredRule>
  /** Removes a rule and returns it. `undefined`: it does not exist. */
  revoke(id: string): Promise<StoredRule | undefined>
}

/** Returns what a rule is stored for, without the hash that tells servers of the same name apart. Only the id of the rule is typed. */
export function describeRoot({ root }: Pick<StoredRule, 'root'>): string {
  return root.replace(/^(servers [^]*) \([0-9a-f]{32}\)$/, '$1')
}

/** Opens the rules of this user. A file that cannot be read has no rules, and invalid entries are ignored. */
export function openRules(file: string, wait: LockWait = {}): RuleStore {
  const { list, add, revoke } = openOwnList(file, 'approvals', isStoredRule, wait)
  return {
    list,
    revoke,
    remember: async (rule) => {
      const { id, at } = await add(rule)
      return { id, ...rule, at }
    },
  }
}

/** Returns the path of this user's file of rules. */
export function rulesFile(): string {
  return settingsFile('approvals.json')
}

function isStoredRule(value: unknown): value is StoredRule {
  if (!isJsonObject(value) || !isRule(value['rule'])) return false
  const { conversation, definitions } = value
  return (
    ['id', 'root', 'at'].every((key) => typeof value[key] === 'string') &&
    isJsonObject(definitions) &&
    Object.values(definitions).every((each) => typeof each === 'string') &&
    (conversation === undefined || typeof conversation === 'string')
  )
}
