import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'

/** A view that is served. */
export interface View {
  /** What it printed first, with its token. */
  address: URL
  /** Ends it with Ctrl-C, and gives its exit code. */
  end(): Promise<unknown>
}

/** Starts `toolblocks view`. It ends with the test at the latest. */
export async function startView(folder: string, ...words: readonly string[]): Promise<View> {
  const view = await openView(folder, ...words)
  onTestFinished(async () => void (await view.end()))
  return view
}

/** The same for several tests: it continues until it is ended. */
export async function openView(folder: string, ...words: readonly string[]): Promise<View> {
  const child = spawn(process.execPath, [inject('command'), 'view', '--no-open', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const end = async (): Promise<unknown> => {
    child.kill('SIGINT')
    const [code] = await ended
    return code
  }
  const [line] = await once(createInterface(child.stdout), 'line')
  return { address: new URL(String(line)), end }
}

/** The page behind such an address, as a browser is sent it. */
export async function readPage(address: URL): Promise<string> {
  const entered = await fetch(new URL('enter', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address.origin },
    body: JSON.stringify({ token: address.hash.replace('#t=', '') }),
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  return await (await fetch(address, { headers: { cookie } })).text()
}
