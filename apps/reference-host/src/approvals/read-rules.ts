import { type ApprovalRule, readRule } from './approval-rule.ts'

/** Reads rules that were typed; the first that is none says why. */
export function readRules(
  texts: readonly string[],
): { ok: true; rules: readonly ApprovalRule[] } | { ok: false; message: string } {
  const rules: ApprovalRule[] = []
  for (const text of texts) {
    const read = readRule(text)
    if (!read.ok) return read
    rules.push(read.rule)
  }
  return { ok: true, rules }
}
