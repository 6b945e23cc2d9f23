import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STORE_PROBLEM_CODES } from '../packages/conversation-store/src/problems/store-error.ts'
import { REQUEST_CHANGE_CODES } from '../packages/formatter/src/tools/request-change.ts'
import { INQUIRY_PROBLEM_CODES } from '../packages/inquiry/src/questions/inquiry-problem.ts'
import { LOCAL_PROBLEM_CODES } from '../packages/local-executor/src/command/local-tool-definition.ts'
import { BRIDGE_PROBLEM_CODES } from '../packages/mcp-bridge/src/client/failures.ts'
import { WARNING_CODES } from '../packages/parser/src/reading/reading.ts'
import { OVERRIDE_PROBLEM_CODES } from '../packages/protocol/src/parameters/merge-tool-overrides.ts'
import { URI_PROBLEM_CODES } from '../packages/protocol/src/resources/canonical-uri.ts'
import {
  KEYWORD_CODES,
  SCHEMA_PROBLEM_CODES,
} from '../packages/schema-check/src/lint/schema-problem.ts'
import { EXECUTOR_PROBLEM_CODES } from '../packages/tool-executor/src/executor-problem.ts'

/** Returns the codes in the paragraph of a README that lists them. Names of types are not codes. */
function listedIn(name: string): readonly string[] {
  const readme = readFileSync(join(import.meta.dirname, '../packages', name, 'README.md'), 'utf8')
  const [, paragraph = ''] = /^(\*\*Codes\*\*(?:.+\n)+)/m.exec(readme) ?? []
  const quoted = [...paragraph.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  return quoted.filter((code) => !/^[A-Z]/.test(code))
}

test.for<[string, readonly string[]]>([
  ['conversation-store', STORE_PROBLEM_CODES],
  ['formatter', REQUEST_CHANGE_CODES],
  ['inquiry', INQUIRY_PROBLEM_CODES],
  ['local-executor', LOCAL_PROBLEM_CODES],
  ['mcp-bridge', BRIDGE_PROBLEM_CODES],
  ['parser', WARNING_CODES],
  ['protocol', [...URI_PROBLEM_CODES, ...OVERRIDE_PROBLEM_CODES]],
  ['schema-check', [...KEYWORD_CODES, ...SCHEMA_PROBLEM_CODES]],
  ['tool-executor', EXECUTOR_PROBLEM_CODES],
])('the README of %s lists every problem code, and no other', ([name, codes]) => {
  expect(listedIn(name).toSorted()).toEqual(codes.toSorted())
})
