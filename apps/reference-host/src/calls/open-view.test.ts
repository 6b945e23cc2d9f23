import { PassThrough } from 'node:stream'
import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { Configuration } from '../configuration/configuration.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { openView } from './open-view.ts'

const identity = { uri: 'file:///a', sha256: 'a'.repeat(64), bytes: 5000 }
const block = { type: 'resource', resource: { uri: 'file:///a', text: 'x'.repeat(5000) } } as const
const twice: ToolResult = {
  id: 'c',
  content: [block, structuredClone(block)],
  isError: false,
  metadata: { outcome: 'completed', resources: [identity, identity] },
}

async function shown(more: Partial<Configuration>, deduplicate?: boolean): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
  const configuration: Configuration = {
    file: '/w/toolblocks.toml',
    root: '/w',
    tools: {},
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    agents: {},
    locate: ({ path, message }) => ({ file: '', key: path.join('.'), message }),
    ...more,
  }
  const entry = {
    tool: { name: 'read', inputSchema: { type: 'object' }, execute: async () => twice },
    ...(deduplicate !== undefined && { deduplicate }),
  }
  const { show } = await openView(terminal, { configuration, entry, view: { modelView: true } })
  show(twice)
  return String(stdout.read())
}

test('a call is shown as a chat would give it to a model: what comes twice is pointed to, unless the settings say otherwise', async () => {
  expect(await shown({})).toContain('has not changed since block 1')
  expect(await shown({ deduplication: { enabled: false } })).not.toContain('has not changed')
  expect(await shown({}, false)).not.toContain('has not changed')
})

test('and it keeps to the budget', async () => {
  for (const budget of [{ per_result: 1000 }, { per_turn: 1000 }]) {
    const text = await shown({ budget })
    expect(text.length).toBeLessThan(1500)
    expect(text).toContain('characters were left out')
  }
})
