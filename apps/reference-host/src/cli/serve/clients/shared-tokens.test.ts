import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore, StoreError } from '@toolblocks/conversation-store'
import { hashToken } from '@toolblocks/mcp-bridge/identity'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  addSharedToken,
  followSharedTokens,
  listSharedTokens,
  revokeSharedToken,
} from './shared-tokens.ts'

const until = async (check: () => void): Promise<void> =>
  await vi.waitFor(check, { timeout: 10_000 })

async function openDocuments() {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return store.documents
}

async function follow(
  documents: Parameters<typeof followSharedTokens>[0],
  warn: (message: string) => void = () => undefined,
) {
  const tokens = await followSharedTokens(documents, { warn, retryMs: 1 })
  onTestFinished(async () => await tokens.close())
  return { names: () => tokens.list().map(({ name }) => name), ...tokens }
}

test('a token that is added or revoked in the store counts at every service that follows it', async () => {
  const documents = await openDocuments()
  const { stored, token } = await addSharedToken(documents, { name: 'ann' })
  expect(stored.hash).toBe(hashToken(token))
  const services = [await follow(documents), await follow(documents)]
  expect(services.map(({ names }) => names())).toEqual([['ann'], ['ann']])
  await addSharedToken(documents, { name: 'ben', expires: '2999-01-01T00:00:00.000Z' })
  for (const { names } of services) await until(() => expect(names()).toEqual(['ann', 'ben']))
  expect(await revokeSharedToken(documents, stored.id)).toEqual(stored)
  for (const { names } of services) await until(() => expect(names()).toEqual(['ben']))
  expect(await revokeSharedToken(documents, stored.id)).toBeUndefined()
  expect(JSON.stringify(await listSharedTokens(documents))).not.toContain(token)
})

test('of tokens that are added and revoked at the same time, none is lost', async () => {
  const documents = await openDocuments()
  const first = await Promise.all(
    Array.from({ length: 8 }, async (_, index) =>
      addSharedToken(documents, { name: `before-${index}` }),
    ),
  )
  await Promise.all([
    ...first.map(async ({ stored }) => await revokeSharedToken(documents, stored.id)),
    ...first.map(async (_, index) => await addSharedToken(documents, { name: `after-${index}` })),
  ])
  const names = (await listSharedTokens(documents)).tokens.map(({ name }) => name)
  expect(names.toSorted()).toEqual(first.map((_, index) => `after-${index}`))
})

test('while the store fails, the tokens that were read last count, and it is reported once', async () => {
  const documents = await openDocuments()
  const { stored } = await addSharedToken(documents, { name: 'ann' })
  let isFailing = false
  const warn = vi.fn<(message: string) => void>()
  const fail = async (): Promise<never> => {
    throw new StoreError('failed', 'the connection was lost')
  }
  const service = await follow(
    {
      read: async (...args) => await (isFailing ? fail() : documents.read(...args)),
      changed: async (...args) => await (isFailing ? fail() : documents.changed(...args)),
    },
    warn,
  )
  isFailing = true
  await addSharedToken(documents, { name: 'ben' })
  await until(() => expect(warn).toHaveBeenCalled())
  await pause(50)
  expect(service.names()).toEqual(['ann'])
  expect(warn.mock.calls).toEqual([
    [
      'the tokens of clients in the store cannot be read, and those that were read last count: the connection was lost',
    ],
  ])
  isFailing = false
  await until(() => expect(service.names()).toEqual(['ann', 'ben']))
  await revokeSharedToken(documents, stored.id)
  await until(() => expect(service.names()).toEqual(['ben']))
})

test('a list of tokens that was changed outside the store has no tokens, and the next token begins a new one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { documents, close } = await openStore(`sqlite:${join(folder, 'c.db')}`)
  onTestFinished(async () => await close())
  await addSharedToken(documents, { name: 'ann' })
  const warn = vi.fn<(message: string) => void>()
  const service = await follow(documents, warn)
  const database = new DatabaseSync(join(folder, 'c.db'))
  database.exec(
    `UPDATE documents SET version = 2, bytes = CAST(replace(CAST(bytes AS TEXT), 'ann', 'eve') AS BLOB) WHERE collection = 'serve-tokens'`,
  )
  database.close()
  await until(() => expect(service.names()).toEqual([]))
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'the list of tokens in the store was changed outside it, so none of them counts; "serve tokens add" begins a new list',
  )
  expect(await listSharedTokens(documents)).toMatchObject({ tokens: [], isDamaged: true })
  expect(await addSharedToken(documents, { name: 'ben' })).toMatchObject({ isNewList: true })
  await until(() => expect(service.names()).toEqual(['ben']))
  expect(await addSharedToken(documents, { name: 'cas' })).toMatchObject({ isNewList: false })
})
