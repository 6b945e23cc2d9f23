import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'

/** A PostgreSQL server for tests, in a temporary folder, on loopback. */
export interface PostgresServer {
  /** Returns the address of a database of the server. */
  url(database: string): string
  /** Returns all bytes of tables and indexes on the disk as one text. The server's write-ahead log is not included. */
  readTables(): string
  /** Ends the server as a power cut would, and starts it again. */
  crash(): void
  stop(): void
}

/** Returns the folder of `initdb`; `undefined` if PostgreSQL is not installed. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return folders.find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')),
  )
}

/** Starts a server that does not wait for the disk, because its data is temporary. PostgreSQL refuses to run as root. */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-postgres-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? 'postgres' : userInfo().username
  if (isRoot) execFileSync('chown', ['postgres', folder])
  else chmodSync(folder, 0o700)
  const run = (program: string, ...args: readonly string[]): void => {
    const command = [join(bin, program), ...args]
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
    execFileSync(file, rest, { cwd: folder, stdio: 'ignore' })
  }
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  const start = (): void =>
    run('pg_ctl', '-D', data, '-w', '-o', settings, '-l', join(folder, 'log'), 'start')
  run('initdb', '-D', data, '-U', user, '--auth=trust', '--no-sync', '-E', 'UTF8')
  start()
  return {
    url: (database) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    readTables: () => {
      run('psql', '-h', folder, '-p', String(port), '-U', user, '-c', 'CHECKPOINT', 'postgres')
      const files = readdirSync(join(data, 'base'), { recursive: true, withFileTypes: true })
      return (
        files
          // The server removes and writes its caches of relations at any time. They contain no rows.
          .filter((file) => file.isFile() && file.name !== 'pg_internal.init')
          .map((file) => readFileSync(join(file.parentPath, file.name)).toString('latin1'))
          .join('')
      )
    },
    crash: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      start()
    },
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
