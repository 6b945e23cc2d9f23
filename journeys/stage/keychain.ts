import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished, vi } from 'vitest'
import { isSkippedWithout, requireProgram } from '../../test/needed-programs.support.ts'
import { makeFolder } from './folder.ts'

const PROGRAMS = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon']

const isOffLinux = process.platform !== 'linux'
const missing = isOffLinux
  ? []
  : PROGRAMS.filter((name) => spawnSync(name, ['--version']).error !== undefined)
const problem =
  missing.length > 0 ? missing.map((name) => `${name} is not installed`).join(', ') : undefined

/** Why no keychain is started here, if tests are skipped for that. Where `CI` is set, only on other systems. */
export const NO_KEYCHAIN = isOffLinux
  ? 'the test starts the secret service of Linux'
  : isSkippedWithout(problem)
    ? problem
    : undefined

/** A keychain of a desktop, unlocked and empty, that the commands of a test use. */
export interface Keychain {
  /** Locks it. No person is there to unlock it again. */
  lock(): Promise<void>
  /** Starts it again, unlocked, as at the next login of the desktop. */
  restart(): Promise<void>
}

/** Starts a session bus with the secret service of GNOME until the test ends. */
export async function startKeychain(): Promise<Keychain> {
  requireProgram(problem)
  const folder = makeFolder({})
  const own = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder }
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    env: own,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(async () => await end(bus))
  const [line] = (await once(bus.stdout, 'data')) as [Buffer]
  const address = line.toString().trim()
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: address }
  const send = async (...args: readonly string[]): Promise<number> => {
    const sent = spawn('dbus-send', ['--session', '--print-reply', ...args], {
      env,
      stdio: 'ignore',
    })
    const [code] = (await once(sent, 'exit')) as [number]
    return code
  }
  const open = async (): Promise<ChildProcess> => {
    const args = ['--foreground', '--unlock', '--components=secrets']
    const started = spawn('gnome-keyring-daemon', args, {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    onTestFinished(async () => await end(started))
    started.stdin.end('a password')
    // To call the service itself would let the bus start another one.
    const ask = [
      '--dest=org.freedesktop.DBus',
      '/',
      'org.freedesktop.DBus.GetNameOwner',
      `string:${SERVICE}`,
    ]
    await vi.waitUntil(async () => (await send(...ask)) === 0, { timeout: 10_000 })
    return started
  }
  let service = await open()
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', address)
  vi.stubEnv('TOOLBLOCKS_LOGINS', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  return {
    lock: async () => void (await send(...LOCK)),
    restart: async () => {
      await end(service)
      service = await open()
    },
  }
}

const SERVICE = 'org.freedesktop.secrets'
const LOCK = [
  `--dest=${SERVICE}`,
  '/org/freedesktop/secrets',
  'org.freedesktop.Secret.Service.Lock',
  'array:objpath:/org/freedesktop/secrets/collection/login',
]

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill()
  await ended
}
