import { createLocalTool } from '@toolblocks/local-executor'
import { createRendererRegistry, renderTerminal } from '@toolblocks/renderer'
import { renderHtml } from '@toolblocks/renderer/html'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { expect, test } from 'vitest'
import { makeFolder, toToolOutput } from '../stage/folder.ts'

test('002 custom renderers: a host renders a kind with its own renderer, and every other host shows the kind too', async () => {
  const value = { kind: 'tide.table', data: { high: '06:12', low: '12:40' }, summary: 'Today' }
  const root = makeFolder({ 'tide.json': toToolOutput([], { structuredContent: value }) })
  const tide = createLocalTool({ name: 'tide', inputSchema: {}, command: ['cat', 'tide.json'] })
  const executor = createToolExecutor({ tools: [{ tool: tide, policy: 'unattended' }] })
  const { signal } = new AbortController()
  const result = await executor.execute({ id: 'c', name: 'tide', arguments: {} }, { signal, root })

  const registry = createRendererRegistry().register('tide.table', ({ data }) => [
    { kind: 'facts', name: 'Tide', facts: Object.values(Object(data)).map(String) },
  ])
  expect(renderTerminal(result, { registry })).toBe('Today\nTide  06:12 · 12:40')
  expect(renderHtml(result, { registry })).toContain('06:12 · 12:40')
  expect(renderTerminal(result)).toContain('"high": "06:12"')
})
