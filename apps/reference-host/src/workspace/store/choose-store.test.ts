import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { chooseStore, readStoreAddress } from './choose-store.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolblocks-store-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'))
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'))
  onTestFinished(() => void vi.unstubAllEnvs())
})

const ofFolder = { root: '/w', store: { url: 'sqlite:kept/c.db' } }

const ofUser = { store: { url: 'sqlite:mine.db' } }

const address = (file: string) => ({ url: `sqlite:${file}`, name: file, file })

test('the store of the folder replaces the store of the user', () => {
  expect(chooseStore({ written: ofFolder, isAgreed: true, settings: ofUser })).toEqual({
    kind: 'written',
    address: { ...address('/w/kept/c.db'), root: '/w' },
  })
  expect(chooseStore({ written: { root: '/w' }, isAgreed: false, settings: ofUser })).toEqual({
    kind: 'written',
    address: address(join(home, 'config/toolblocks/mine.db')),
  })
})

test('while the store of the folder needs agreement, no other store is used', () => {
  expect(chooseStore({ written: ofFolder, isAgreed: false, settings: ofUser })).toEqual({
    kind: 'waiting',
    name: '/w/kept/c.db',
  })
})

test('without a configured store, it is a file in the user’s data folder', () => {
  expect(chooseStore({ written: { root: '/w' }, isAgreed: false, settings: {} })).toEqual({
    kind: 'default',
    address: address(join(home, 'data/toolblocks/conversations.db')),
  })
})

const readAddress = (url: string): ReturnType<typeof readStoreAddress> =>
  readStoreAddress(url, '/w')

test('a relative file starts at the folder', () => {
  expect(readAddress('sqlite:kept/c.db')).toEqual({
    url: 'sqlite:/w/kept/c.db',
    name: '/w/kept/c.db',
    file: '/w/kept/c.db',
  })
})

test('a server is named without its user and password', () => {
  expect(readAddress('postgres://me:secret@db:5432/kept?sslmode=require')).toEqual({
    url: 'postgres://me:secret@db:5432/kept?sslmode=require',
    name: 'postgres://db:5432/kept',
  })
  expect(readAddress('postgres://me:secret@[').name).toBe('the database')
})
