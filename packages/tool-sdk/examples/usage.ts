import assert from 'node:assert/strict'
import { defineTool, error, testTool, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

// One definition: the schema for the model, the types for the code, the checks in between.
const greet = defineTool({
  name: 'greet',
  summary: 'Greet a person.',
  arguments: Type.Object({
    name: Type.String({ description: 'Whom to greet.' }),
    times: Type.Optional(Type.Integer({ minimum: 1, description: 'How often; once if absent.' })),
  }),
  run({ arguments: { name, times = 1 }, ask }) {
    if (times > 3 && !ask.boolean('many', `Greet ${name} ${times} times?`))
      return error('Nobody is greeted more often than that.')
    return text(`Hello, ${name}! `.repeat(times).trim())
  },
})

// A program of it is one line: await runTools([greet]). A unit test needs no program.
const greeted = await testTool(greet, { name: 'Ada', times: 2 })
assert.deepEqual(greeted.content, [text('Hello, Ada! Hello, Ada!')])

// A question ends the run, which starts again with the answer.
const asked = await testTool(greet, { name: 'Ada', times: 9 })
assert.equal(asked.content[0]?.type, 'question')
const refused = await testTool(greet, { name: 'Ada', times: 9 }, { answers: { many: false } })
assert.equal(refused.isError, true)

// What a host hears when it asks the program what it is.
assert.deepEqual(greet.description.parameters, {
  name: { type: 'string', summary: 'Whom to greet.', required: true },
  times: {
    type: 'integer',
    minimum: 1,
    summary: 'How often; once if absent.',
    required: false,
  },
})
