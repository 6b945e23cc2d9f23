import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openApprovalStore } from './approval-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-approvals-'))
afterAll(() => rmSync(folder, { recursive: true }))
const rule = { tool: 'fs_read', conditions: [] }

test('what was agreed to is there for the next start, for its workspace, until it is revoked', () => {
  const file = join(folder, 'new/approvals.json')
  const store = openApprovalStore(file)
  const remembered = store.remember({ root: '/a', rule, definition: 'x' })
  const later = openApprovalStore(file)
  expect(later.list('/a')).toEqual([remembered])
  expect(later.list('/b')).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(later.revoke(remembered.id)).toBe(true)
  expect(later.revoke(remembered.id)).toBe(false)
  expect(store.list()).toEqual([])
})

test.for(['', '{', '[]', '{"approvals": 1}', '{"approvals": [{"id": "x", "rule": {"tool": 1}}]}'])(
  'a file that holds %s allows nothing',
  (text) => {
    const file = join(folder, 'odd.json')
    writeFileSync(file, text)
    expect(openApprovalStore(file).list()).toEqual([])
  },
)
