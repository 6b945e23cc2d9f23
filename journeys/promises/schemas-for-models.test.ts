import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { PROVIDERS, startProvider } from '../stage/provider.ts'

/** A TypeScript tool whose arguments are a union in Zod. */
const NOTES = `
import { defineTool, runTools } from '@toolblocks/tool-sdk'
import { z } from 'zod'

const notes = defineTool({
  name: 'notes',
  summary: 'Adds and deletes notes.',
  inputSchema: z.discriminatedUnion('op', [
    z.object({ op: z.literal('add'), words: z.string() }),
    z.object({ op: z.literal('del'), index: z.number() }),
  ]),
  run: ({ op }) => op,
})
await runTools([notes])
`

test.for(Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[])(
  'promise schemas: %s receives every branch of a union and every action of a stateful tool, in a form that it accepts',
  async (provider) => {
    const model = await startProvider([{ text: 'Hello.' }], provider)
    const folder = makeFolder({
      'notes.ts': NOTES,
      'toolblocks.toml': [
        model.settings,
        tool('notes', [process.execPath, 'notes.ts'], ''),
        tool('tag', ['echo'], 'parameters = { tags = { type = "array" } }'),
        tool('shell', ['sh', 'shell.sh'], 'stateful = true\nparameters = {}'),
      ].join('\n'),
    })
    const { code } = await toolblocks(folder, 'run', 'Hello.')
    expect(code).toBe(0)

    const sent = JSON.stringify(model.requests[0])
    expect(sent).toContain('"enum":["add","del"]')
    expect(sent).toContain('op = add: needs words')
    expect(sent).toContain('op = del: needs index')
    expect(sent).toContain('"enum":["spawn","fetch","apply","abort"]')
    expect(sent).toContain(String.raw`"description":"\"apply\" needs input."`)
    // OpenAI and Google refuse an array without the type of its items.
    expect(sent).toContain(
      provider === 'anthropic' ? '"tags":{"type":"array"}' : '"tags":{"type":"array","items":{}}',
    )
    for (const word of ['"oneOf"', '"const":"abort"', '"const":"del"'])
      expect(sent).not.toContain(word)
  },
)
