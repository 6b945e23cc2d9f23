import { PassThrough } from 'node:stream'
import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import { unconfigured } from '../../workspace/configuration/load-configuration.ts'
import { makePng } from '../../../../../packages/formatter/src/pictures/pictures.support.ts'
import { PNG } from '../../../../../packages/ai-sdk/src/model/streams.support.ts'
import { createTerminal } from '../../terminal/terminal.ts'
import { openView, type OpenViewOptions } from './open-view.ts'

const identity = { uri: 'file:///a', sha256: 'a'.repeat(64), bytes: 5000 }
const block = { type: 'resource', resource: { uri: 'file:///a', text: 'x'.repeat(5000) } } as const
const twice: ToolResult = {
  id: 'c',
  content: [block, structuredClone(block)],
  isError: false,
  metadata: { outcome: 'completed', resources: [identity, identity] },
}

async function renderView(more: Partial<Configuration>, deduplicate?: boolean): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
  const configuration = { ...unconfigured('/w'), ...more }
  const entry = {
    tool: { name: 'read', inputSchema: { type: 'object' }, execute: async () => twice },
    ...(deduplicate !== undefined && { deduplicate }),
  }
  const { show } = await openView(terminal, { configuration, entry, view: { modelView: true } })
  show(twice)
  return String(stdout.read())
}

test('a call is shown as a chat would send it to a model: repeated content is a reference, unless the settings disable it', async () => {
  expect(await renderView({})).toContain('has not changed since block 1')
  expect(await renderView({ deduplication: { enabled: false } })).not.toContain('has not changed')
  expect(await renderView({}, false)).not.toContain('has not changed')
})

test('the model view of a call keeps to the budget', async () => {
  for (const budget of [{ per_result: 1000 }, { per_turn: 1000 }]) {
    const text = await renderView({ budget })
    expect(text.length).toBeLessThan(1500)
    expect(text).toContain('characters were left out')
  }
})

/** Renders a result on a terminal with colours, in the folder `/w` with these settings. */
async function shownAs(
  result: ToolResult,
  view: OpenViewOptions,
  { more = {}, isPrepared = true }: { more?: Partial<Configuration>; isPrepared?: boolean } = {},
): Promise<{ written: string; noted: string }> {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()]
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const env = { TERM: 'xterm-256color' }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream as a terminal is
  const terminal = createTerminal({ stdin, stdout, stderr, env } as never)
  const configuration = { ...unconfigured('/w'), ...more }
  const entry = { tool: { name: 'read', inputSchema: {}, execute: async () => result } }
  const { prepare, show } = await openView(terminal, { configuration, entry, view })
  if (isPrepared) await prepare(result)
  show(result)
  return { written: String(stdout.read() ?? ''), noted: String(stderr.read() ?? '') }
}

test('a person sees the requested number of lines, paths of the workspace, and what the terminal can show', async () => {
  const code = {
    type: 'resource',
    resource: {
      uri: 'file:///w/sub/a.ts',
      mimeType: 'text/typescript',
      text: Array.from({ length: 30 }, (_, line) => `const a${line} = "${line}"`).join('\n'),
    },
  } as const
  const result: ToolResult = {
    id: 'c',
    content: [code],
    isError: false,
    metadata: { outcome: 'completed', stderr: 'a remark of the tool' },
  }
  const prepared = await shownAs(result, { lines: 5 })
  expect(prepared.written).toContain('sub/a.ts')
  expect(prepared.written).not.toContain('/w/sub/a.ts')
  expect(prepared.written).not.toContain('a15')
  expect((await shownAs(result, { lines: 50 })).written).toContain('a15')
  const plain = await shownAs(result, { lines: 5 }, { isPrepared: false })
  expect(plain.written).not.toBe(prepared.written)
  const wordy = await shownAs(result, { verbose: true })
  expect(`${prepared.written}${prepared.noted}`).not.toContain('a remark of the tool')
  expect(`${wordy.written}${wordy.noted}`).toContain('a remark of the tool')
})

test('the model view of a result follows [format] and the configured model', async () => {
  const blob = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(600)]).toString('base64')
  const picture = {
    type: 'resource',
    resource: { uri: 'file:///w/sub/a.png', mimeType: 'image/png', blob },
  } as const
  const pictured = { uri: 'file:///w/sub/a.png', sha256: 'b'.repeat(64), bytes: 600 }
  const result: ToolResult = {
    id: 'c',
    content: [picture, structuredClone(picture)],
    isError: false,
    metadata: { outcome: 'completed', resources: [pictured, pictured] },
  }
  const view = { modelView: true }
  const model = { provider: 'anthropic', name: 'm' } as const
  const taken = await shownAs(result, view, { more: { model } })
  expect(taken.written).toContain('has not changed since')
  expect(taken.written).toContain('Resource sub/a.png')
  const untaken = await shownAs(result, view, { more: { format: { resource_header: 'none' } } })
  expect(untaken.written).not.toContain('has not changed since')
  expect(untaken.written).not.toContain('Resource sub/a.png')
})

test('the model view of a call says how a picture is scaled for the model that is configured', async () => {
  const result: ToolResult = {
    id: 'c',
    content: [{ type: 'image', data: makePng(3456, 100), mimeType: 'image/png' }],
    isError: false,
    metadata: { outcome: 'completed' },
  }
  const more = { model: { provider: 'anthropic', name: 'm' } } as const
  const { written } = await shownAs(result, { modelView: true }, { more })
  expect(written).toContain('was scaled from 3456 × 100 px to 2000 × 58 px')
})
