import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { createAgentHost, describeHost, describeProcess } from './agent-host.ts'

const here = () => 'boot pid:[1]'

/** Starts a process, ends it, and returns its id. */
async function findFreePid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return child.pid ?? 0
}

test('a process of the same system that has ended is gone, and a running one is not', async () => {
  const { holder, isGone } = createAgentHost({ find: here })
  expect(isGone?.(holder)).toBe(false)
  const ended = createAgentHost({ find: here, pid: await findFreePid() })
  expect(isGone?.(ended.holder)).toBe(true)
})

test('a process of another system is not known to be gone, nor one whose system is unknown', async () => {
  const pid = await findFreePid()
  const { isGone } = createAgentHost({ find: here })
  const other = createAgentHost({ find: () => 'boot pid:[2]', pid })
  expect(isGone?.(other.holder)).toBe(false)
  const unknown = createAgentHost({ find: () => undefined, pid })
  expect(isGone?.(unknown.holder)).toBe(false)
  expect(unknown.isGone?.(unknown.holder)).toBe(false)
  for (const holder of ['', 'host-1', `elsewhere${unknown.holder}`, `a/0/b/c`, `a/-1/b/c`])
    expect(isGone?.(holder)).toBe(false)
})

test('on Linux a host knows its own system', async () => {
  const { isGone } = createAgentHost()
  const ended = createAgentHost({ pid: await findFreePid() })
  expect(isGone?.(ended.holder)).toBe(process.platform === 'linux')
})

test('a host is described by its process and machine, and any other name as it is', () => {
  expect(describeHost(createAgentHost({ pid: 4711 }).holder)).toBe(`process 4711 on ${hostname()}`)
  expect(describeHost('host-1')).toBe('host-1')
  expect(describeProcess(createAgentHost({ pid: 4711 }).holder)).toBe('process 4711')
  expect(describeProcess('elsewhere/4711/place/token')).toBe('process 4711 on elsewhere')
})
