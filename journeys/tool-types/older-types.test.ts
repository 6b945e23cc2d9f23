import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'

/** Events as they were stored before the types of MCP: calls with an input, and results that are one text or blocks. */
const EVENTS: readonly (readonly [type: string, data: unknown])[] = [
  ['USER_MESSAGE', 'List the files.'],
  ['TOOL_CALL', { toolName: 'bash', input: { command: 'ls' }, callId: 'c0' }],
  ['TOOL_RESULT', { callId: 'c0', output: 'lamp.md', success: true }],
  ['TOOL_CALL', { toolName: 'bash', input: { command: 'cat x' }, callId: 'c1' }],
  ['TOOL_RESULT', { callId: 'c1', output: '', success: false, error: 'no such file' }],
  ['TOOL_CALL', { id: 'c2', name: 'file_read', arguments: { path: 'lamp.md' } }],
  ['TOOL_RESULT', { id: 'c2', content: [{ type: 'text', text: 'Oil.' }], isError: false }],
  ['AGENT_MESSAGE', 'There is one file.'],
]

function writeDatabase(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY, created_at TEXT, updated_at TEXT);
    CREATE TABLE events (id TEXT PRIMARY KEY, thread_id TEXT, type TEXT, timestamp TEXT, data JSONB);
    INSERT INTO threads VALUES ('lace_20250705_abc123', '2025-07-05', '2025-07-05')`)
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
  for (const [index, [type, data]] of EVENTS.entries())
    insert.run(
      `evt_${index}`,
      'lace_20250705_abc123',
      type,
      '2025-07-05T00:00:01.000Z',
      JSON.stringify(data),
    )
  database.close()
}

test('003 thread types: calls with input and results with output and success become calls with arguments and results with content, and the conversation continues', async () => {
  const model = await startProvider([{ text: 'Read the lamp.' }])
  const folder = makeFolder({
    'toolblocks.toml': model.settings,
  })
  writeDatabase(`${folder}/lace.db`)
  expect((await toolblocks(folder, 'import', 'lace.db')).code).toBe(0)
  const kept = readRows(`${folder}/kept.db`)
  expect(kept.flatMap(({ call }) => (call === undefined ? [] : [call]))).toEqual([
    { id: 'c0', name: 'bash', arguments: { command: 'ls' } },
    { id: 'c1', name: 'bash', arguments: { command: 'cat x' } },
    { id: 'c2', name: 'file_read', arguments: { path: 'lamp.md' } },
  ])
  expect(kept.flatMap(({ result }) => (result === undefined ? [] : [result]))).toMatchObject([
    { id: 'c0', content: [{ type: 'text', text: 'lamp.md' }], isError: false },
    { id: 'c1', content: [{ type: 'text', text: 'no such file' }], isError: true },
    { id: 'c2', content: [{ type: 'text', text: 'Oil.' }], isError: false },
  ])

  await toolblocks(folder, 'run', 'And now?', '--resume', kept[0]?.conversation ?? '')
  expect(model.results()).toEqual(['lamp.md', '[The tool call failed.]\n\nno such file', 'Oil.'])
})
