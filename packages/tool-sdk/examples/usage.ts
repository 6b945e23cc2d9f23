import assert from 'node:assert/strict'
import { defineTool, failure, testTool, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

// One definition has the schema for the model, the types for the code, and the checks between them.
const greet = defineTool({
  name: 'greet',
  summary: 'Greet a person.',
  inputSchema: Type.Object({
    name: Type.String({ description: 'The person to greet.' }),
    times: Type.Integer({ minimum: 1, default: 1, description: 'How often.' }),
  }),
  examples: [{ name: 'Ada' }],
  annotations: { readOnlyHint: true },
  run({ name, times }, { ask }) {
    if (times > 3 && !ask.boolean('many', `Greet ${name} ${times} times?`))
      return failure('The user declined. Greet at most 3 times.')
    return `Hello, ${name}! `.repeat(times).trim()
  },
})

// `await runTools([greet])` makes a program of it, and `await serveTools([greet])` an MCP server. A unit test needs neither.
const greeted = await testTool(greet, { name: 'Ada', times: 2 })
assert.deepEqual(greeted.content, [text('Hello, Ada! Hello, Ada!')])

// A question ends the run. The host starts it again with the answer.
const asked = await testTool(greet, { name: 'Ada', times: 9 })
assert.equal(asked.content[0]?.type, 'question')
const declined = await testTool(greet, { name: 'Ada', times: 9 }, { answers: { many: false } })
assert.equal(declined.isError, true)

// A host that asks the program for its tools gets this.
assert.deepEqual(greet.description.parameters, {
  name: { type: 'string', summary: 'The person to greet.', required: true },
  times: { type: 'integer', minimum: 1, default: 1, summary: 'How often.', required: false },
})
