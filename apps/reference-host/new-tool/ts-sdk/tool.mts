// A tool is a program. One definition says what it takes, checks it, and types it for the code.
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const tool = defineTool({
  name: 'TOOL_NAME',
  summary: 'Greet somebody.',
  description: 'One line, in English. Change this text, the arguments, and what `run` does.',
  arguments: Type.Object({
    who: Type.String({ description: 'Who is greeted.' }),
  }),
  run: ({ arguments: { who } }) => text(`Hello, ${who}!`),
})

await runTools([tool])
