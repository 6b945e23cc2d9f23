import { request } from 'node:http'
import { openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { serveViewer } from './serve-viewer.ts'

async function serve(): Promise<URL> {
  const store = await openStore('memory:')
  const view = await serveViewer({ store, name: 'memory', options: {} })
  onTestFinished(async () => {
    await view.close()
    await store.close()
  })
  return new URL(view.getUrl(''))
}

/** Sends megabytes without a length until the server responds. Returns the status and the number of sent bytes. */
async function flood(url: URL, path: string): Promise<{ status: number; sent: number }> {
  const chunk = Buffer.alloc(64 * 1024, '1')
  let sent = 0
  return await new Promise((resolve) => {
    const headers = { origin: url.origin, 'content-type': 'application/json' }
    const asked = request(new URL(path, url), { method: 'POST', headers })
    let isAnswered = false
    const send = (): void => {
      if (isAnswered || sent > 400 * 1024 * 1024) return
      sent += chunk.length
      asked.write(chunk, () => setImmediate(send))
    }
    asked.on('response', ({ statusCode = 0 }) => {
      isAnswered = true
      resolve({ status: statusCode, sent })
      asked.destroy()
    })
    asked.on('error', () => resolve({ status: 0, sent }))
    send()
  })
}

test('a body without end is refused before it is stored', async () => {
  const url = await serve()
  const { status, sent } = await flood(url, 'enter')
  expect(status).toBe(413)
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test('there are no pages outside the secret path', async () => {
  const url = await serve()
  for (const path of ['/', '/enter', '/conversation?id=x', `${url.pathname.slice(0, -2)}/`]) {
    const answer = await fetch(new URL(path, url))
    expect([answer.status, await answer.text()]).toEqual([
      404,
      'Open the address that was printed last.\n',
    ])
  }
  expect((await fetch(url)).status).toBe(401)
})
