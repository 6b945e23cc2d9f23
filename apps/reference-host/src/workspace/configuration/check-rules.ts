import { readRule } from '@toolblocks/tool-executor/internal/rules'
import type { Diagnostic, WrittenConfiguration } from './configuration.ts'
import type { ServeConfiguration } from './serve-schema.ts'

/** Finds texts under `[approvals]` that are not rules. */
export function checkRules({
  rules = [],
}: WrittenConfiguration['approvals'] = {}): readonly Diagnostic[] {
  return checkTexts(rules, ['approvals'])
}

/** Finds texts under `[serve]` that are not rules. */
export function checkServeRules({
  clients = {},
  groups = {},
}: ServeConfiguration = {}): readonly Diagnostic[] {
  return Object.entries({ clients, groups }).flatMap(([kind, tables]) =>
    Object.entries(tables).flatMap(([name, { rules = [] }]) =>
      checkTexts(rules, ['serve', kind, name]),
    ),
  )
}

function checkTexts(rules: readonly string[], table: readonly string[]): readonly Diagnostic[] {
  return rules.flatMap((text, index) => {
    const read = readRule(text)
    return read.ok ? [] : [{ path: [...table, 'rules', String(index)], message: read.message }]
  })
}
