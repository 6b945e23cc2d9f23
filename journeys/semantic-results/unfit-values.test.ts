import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool, toToolOutput } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'

test('002 fallback: a value whose kind, data or view does not fit is shown, and its author reads which part does not fit', async () => {
  const text = [{ type: 'text', text: 'Two lamps.' }]
  const values = {
    kind: { kind: 'Lamp List', data: { lamps: 2 } },
    misspelt: { kind: 'tabel', data: { columns: [{ key: 'lamps' }], rows: [{ lamps: 2 }] } },
    data: { kind: 'table', data: { rows: [{ lamps: 2 }] } },
    rows: { kind: 'table', data: [{ lamps: 2 }] },
    column: { kind: 'table', data: { columns: ['lamps'], rows: [{ lamps: 2 }] } },
    view: { kind: 'lamps', data: { lamps: 2 }, display: { preferredView: 'grid' } },
  }
  const names = Object.keys(values)
  const folder = makeFolder({
    ...Object.fromEntries(
      Object.entries(values).map(([name, structuredContent]) => [
        `${name}.json`,
        toToolOutput(text, { structuredContent }),
      ]),
    ),
    'toolblocks.toml': names.map((name) => tool(name, ['cat', `${name}.json`])).join(''),
  })
  const client = await connectClient(folder)
  for (const [name, path, reason] of [
    ['kind', '/structuredContent/kind', '"kind" is not valid'],
    ['misspelt', '/structuredContent/kind', 'did you mean "table"?'],
    ['data', '/structuredContent/data', '"data" is not that of the kind "table"'],
    ['rows', '/structuredContent/data', 'The kind is not used'],
    ['column', '/structuredContent/data/columns/0', 'an object with "key", got string "lamps"'],
    ['view', '/structuredContent/display/preferredView', 'The hint is not used'],
  ] as const) {
    const { code, stdout, stderr } = await toolblocks(folder, 'call', name)
    expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining('lamps')])
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(`! ${path} `)
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(reason)
    const { _meta } = await client.callTool({ name, arguments: {} })
    expect(_meta?.['toolblocks/warnings']).toEqual([
      expect.objectContaining({ path, code: 'unfit-value' }),
    ])
  }
})
