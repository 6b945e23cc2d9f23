// A tool that stays alive: a guessing game, with input from the model and a question to a person.
import { booleanQuestion, defineTool, failure, runTools, text, waiting } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const guess = defineTool({
  name: 'guess',
  summary: 'Guess a number. Apply one number after the other.',
  stateful: true,
  inputSchema: Type.Object({
    secret: Type.Integer({ minimum: 1, maximum: 100 }),
    tries: Type.Integer({ minimum: 1, default: 5 }),
  }),
  async *run({ secret, tries }) {
    for (let used = 1; used <= tries; used += 1) {
      const input = yield waiting(`Guess ${used} of ${tries}: a number from 1 to 100.`)
      const number = Number(input)
      if (!Number.isInteger(number)) {
        yield text(`${JSON.stringify(input)} is not a whole number.`)
        continue
      }
      if (number === secret) return text(`${secret} is right, after ${used} tries.`)
      yield text(number < secret ? 'The number is higher.' : 'The number is lower.')
    }
    const reveal = yield waiting(booleanQuestion({ id: 'reveal', text: 'Show the number?' }))
    return reveal === true ? text(`It was ${secret}.`) : failure('The number was not found.')
  },
})

await runTools([guess])
