import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'

/** A running view. */
export interface View {
  /** The address that it printed first, with its token. */
  address: URL
  /** Returns what it has written to standard error until now. */
  stderr(): string
  /** Ends it with Ctrl-C, and returns its exit code. */
  end(): Promise<unknown>
}

/** Starts `toolblocks view`. It ends with the test at the latest. */
export async function startView(folder: string, ...args: readonly string[]): Promise<View> {
  const view = await openView(folder, ...args)
  onTestFinished(async () => void (await view.end()))
  return view
}

/** Starts it for several tests: it runs until it is ended. */
export async function openView(folder: string, ...args: readonly string[]): Promise<View> {
  const child = spawn(process.execPath, [inject('command'), 'view', '--no-open', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'exit')
  const end = async (): Promise<unknown> => {
    child.kill('SIGINT')
    const [code] = await ended
    return code
  }
  const [line] = await once(createInterface(child.stdout), 'line')
  return { address: new URL(String(line)), stderr: () => stderr, end }
}

/** Reads the page at such an address, as a browser receives it. */
export async function readPage(address: URL): Promise<string> {
  const entered = await fetch(new URL('enter', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address.origin },
    body: JSON.stringify({ token: address.hash.replace('#t=', '') }),
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  return await (await fetch(address, { headers: { cookie } })).text()
}
