// A tool is a program. One definition describes it to a model, checks the arguments, and types them for the code.
import { defineTool, runTools } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const tool = defineTool({
  name: 'TOOL_NAME',
  summary: 'Greet somebody.',
  description: 'Returns one line in English. Change this text, the schema, and what `run` does.',
  inputSchema: Type.Object({
    who: Type.String({ description: 'The name of the person to greet.' }),
  }),
  run: ({ who }) => `Hello, ${who}!`,
})

await runTools([tool])
