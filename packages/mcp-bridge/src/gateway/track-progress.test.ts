import type { JsonObject } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { ServedClient } from '../server/served-features.ts'
import { trackProgress } from './track-progress.ts'

const PROGRESS = 'notifications/progress'

/** A client that keeps what it hears. */
function createClient(): { client: ServedClient; heard: JsonObject[] } {
  const heard: JsonObject[] = []
  const client: ServedClient = {
    id: '',
    protocolVersion: '',
    capabilities: {},
    identity: '',
    request: async () => ({ kind: 'aborted' }),
    notify: (_method, params) => void heard.push(params),
  }
  return { client, heard }
}

/** Begins a request, which ends when its work is ended. */
function begin(
  progress: ReturnType<typeof trackProgress>,
  client: ServedClient,
  progressToken: string,
): { tokenAtServer: unknown; end: () => Promise<unknown> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let sentParams: JsonObject = {}
  const params = { _meta: { progressToken } }
  const { signal } = new AbortController()
  const done = progress.during({ method: 'any', params, signal }, client, async (forServer) => {
    sentParams = forServer
    await promise
  })
  const { _meta: meta } = sentParams
  return {
    tokenAtServer: Object(meta)['progressToken'],
    end: async () => {
      resolve()
      await done
    },
  }
}

test('of requests that run at the same time, each client hears of its own, under its own token', async () => {
  const progress = trackProgress()
  const [one, other] = [createClient(), createClient()]
  const first = begin(progress, one.client, 'same')
  const second = begin(progress, other.client, 'same')
  expect(first.tokenAtServer).not.toBe(second.tokenAtServer)
  expect(progress.pass(PROGRESS, { progressToken: first.tokenAtServer, progress: 1 })).toBe(true)
  expect(progress.pass(PROGRESS, { progressToken: second.tokenAtServer, progress: 2 })).toBe(true)
  expect(one.heard).toEqual([{ progressToken: 'same', progress: 1 }])
  expect(other.heard).toEqual([{ progressToken: 'same', progress: 2 }])
  await Promise.all([first.end(), second.end()])
})

test('nobody hears of a request that has ended, or that nobody has made', async () => {
  const progress = trackProgress()
  const [one, other] = [createClient(), createClient()]
  const first = begin(progress, one.client, 'a')
  const second = begin(progress, other.client, 'b')
  await first.end()
  expect(progress.pass(PROGRESS, { progressToken: first.tokenAtServer, progress: 1 })).toBe(false)
  expect(progress.pass(PROGRESS, { progressToken: 'b', progress: 1 })).toBe(false)
  expect(progress.pass('notifications/message', { data: '' })).toBe(false)
  expect([one.heard, other.heard]).toEqual([[], []])
  await second.end()
})
