import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../../packages/conversation-store/src/rows/postgres/postgres-server.support.ts'

const bin = findPostgres()

/** Whether the programs of PostgreSQL are installed. Without them there is no server for a test. */
export const HAS_POSTGRES = bin !== undefined

/** Starts a server for the tests of a file. Returns a function that creates an empty database and returns its address. */
export function usePostgres(): () => string {
  let server: PostgresServer | undefined
  let count = 0
  beforeAll(async () => {
    if (bin !== undefined) server = await startPostgres(bin)
  })
  afterAll(() => server?.stop())
  return () => {
    if (bin === undefined || !server) throw new Error('PostgreSQL is not installed')
    count += 1
    // A schema of its own, because creating a database takes a hundred times as long.
    const url = server.url('postgres')
    const name = `journey${count}`
    execFileSync(join(bin, 'psql'), ['-q', '-c', `CREATE SCHEMA ${name}`, url])
    return `${url}?options=-c%20search_path%3D${name}`
  }
}
