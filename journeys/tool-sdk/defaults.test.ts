import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { startProvider, getToolDefinitions } from '../stage/provider.ts'

test('004 schema generation: a TypeBox argument with a default is optional', async () => {
  const program = `
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'
await runTools([defineTool({ name: 'check', summary: 'Checks.', inputSchema: Type.Object({ jobs: Type.Integer({ default: 4 }) }), run: () => text('ok') })])`
  const model = await startProvider([{ text: 'Hello.' }])
  const folder = makeFolder({
    'check.ts': program,
    'toolblocks.toml': model.settings + tool('check', [process.execPath, 'check.ts'], ''),
  })
  await toolblocks(folder, 'run', 'Hello.')
  expect(getToolDefinitions(model.requests[0])['check']).toMatchObject({
    parameters: { properties: { jobs: { default: 4 } } },
  })
})
