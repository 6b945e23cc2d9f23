import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'

/** Starts `toolblocks view`, and gives the address that it prints, with its token. It ends with the test. */
export async function startView(folder: string, ...words: readonly string[]): Promise<URL> {
  const child = spawn(process.execPath, [inject('command'), 'view', '--no-open', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGINT')
    await ended
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return new URL(String(line))
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
