import { expect, test } from 'vitest'
import { readStoreAddress } from './store-address.ts'

const at = (url: string): ReturnType<typeof readStoreAddress> => readStoreAddress(url, '/w')

test('a relative file starts at the folder', () => {
  expect(at('sqlite:kept/c.db')).toEqual({
    url: 'sqlite:/w/kept/c.db',
    name: '/w/kept/c.db',
    file: '/w/kept/c.db',
  })
})

test('a server is named without its user and password', () => {
  expect(at('postgres://me:secret@db:5432/kept?sslmode=require')).toEqual({
    url: 'postgres://me:secret@db:5432/kept?sslmode=require',
    name: 'postgres://db:5432/kept',
  })
  expect(at('postgres://me:secret@[').name).toBe('the database')
})
