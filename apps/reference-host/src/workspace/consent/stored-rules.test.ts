import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openRules } from './stored-rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-approvals-'))
afterAll(() => rmSync(folder, { recursive: true }))
const rule = { effect: 'allow', tool: 'fs_read', conditions: [] } as const

test('an approval is still valid after a restart, for its workspace, until it is revoked', async () => {
  const file = join(folder, 'new/approvals.json')
  const store = openRules(file)
  const remembered = await store.remember({ root: '/a', rule, definitions: { fs_read: 'x' } })
  const later = openRules(file)
  expect(later.list('/a')).toEqual([remembered])
  expect(later.list('/b')).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await later.revoke(remembered.id)).toEqual(remembered)
  expect(await later.revoke(remembered.id)).toBeUndefined()
  expect(store.list()).toEqual([])
})

test('every approval is stored with an id and its time, beside the others', async () => {
  const store = openRules(join(folder, 'several.json'))
  const [one, two] = [
    await store.remember({ root: '/a', rule, definitions: { fs_read: 'x' } }),
    await store.remember({ root: '/b', rule, definitions: {}, conversation: 'c' }),
  ]
  expect(store.list()).toEqual([one, two])
  expect(two).toMatchObject({ root: '/b', rule, definitions: {}, conversation: 'c' })
  expect([one.id, two.id].every((id) => /^[\da-f]{8}$/.test(id))).toBe(true)
  expect(new Date(one.at).toISOString()).toBe(one.at)
  expect(await store.revoke('unknown')).toBeUndefined()
  expect(await store.revoke(one.id)).toEqual(one)
  expect(store.list()).toEqual([two])
})

test('invalid entries of a file are ignored', () => {
  const file = join(folder, 'some.json')
  const good = { id: 'a', root: '/a', rule, definitions: { fs_read: 'x' }, at: 'now' }
  const odd = [
    null,
    { ...good, id: 1 },
    { ...good, root: undefined },
    { ...good, definitions: undefined },
    { ...good, definitions: { fs_read: 1 } },
    { ...good, rule: { ...rule, effect: 'skip' } },
    { ...good, at: null },
    { ...good, rule: {} },
    { ...good, conversation: 1 },
  ]
  const later = { ...good, id: 'b', conversation: 'c' }
  writeFileSync(file, JSON.stringify({ approvals: [...odd, good, later] }))
  expect(openRules(file).list()).toEqual([good, later])
})

test.for(['', '{', '[]', '{"approvals": 1}', '{"approvals": [{"id": "x", "rule": {"tool": 1}}]}'])(
  'a file that holds %s allows nothing',
  (text) => {
    const file = join(folder, 'odd.json')
    writeFileSync(file, text)
    expect(openRules(file).list()).toEqual([])
  },
)

test('processes that remember and revoke at the same time neither lose nor restore an approval', async () => {
  const file = join(folder, 'shared/approvals.json')
  const module = fileURLToPath(new URL('stored-rules.ts', import.meta.url))
  const program = `
    const { openRules } = await import(${JSON.stringify(module)})
    const store = openRules(process.argv[1])
    const rule = { effect: 'allow', tool: process.argv[2], conditions: [] }
    for (let n = 0; n < 10; n++) {
      const { id } = await store.remember({ root: '/w', rule, definitions: { n: String(n) } })
      if (n % 2 === 0) await store.revoke(id)
    }`
  await Promise.all(
    ['p', 'q', 'r'].map(async (name) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, file, name]),
    ),
  )
  const kept = openRules(file).list()
  expect(kept.map((each) => `${each.rule.tool}${each.definitions['n']}`).toSorted()).toEqual(
    ['p', 'q', 'r'].flatMap((name) => ['1', '3', '5', '7', '9'].map((n) => `${name}${n}`)),
  )
})
