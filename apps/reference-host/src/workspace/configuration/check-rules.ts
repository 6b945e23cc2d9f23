import { readRule } from '@toolblocks/tool-executor/internal/rules'
import type { Diagnostic, WrittenConfiguration } from './configuration.ts'

/** Finds texts under `[approvals]` that are not rules. */
export function checkRules({
  rules = [],
}: WrittenConfiguration['approvals'] = {}): readonly Diagnostic[] {
  return rules.flatMap((text, index) => {
    const read = readRule(text)
    return read.ok ? [] : [{ path: ['approvals', 'rules', String(index)], message: read.message }]
  })
}
