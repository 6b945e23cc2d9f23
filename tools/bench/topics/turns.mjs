import { openConversation } from '../../../packages/agent/src/open-conversation.ts'
import { runTurn } from '../../../packages/agent/src/run-turn.ts'
import { openStore, readHistory } from '../../../packages/conversation-store/src/index.ts'
import { runInquiry } from '../../../packages/inquiry/src/index.ts'
import { booleanQuestion, createSuccessResult } from '../../../packages/protocol/src/index.ts'
import { compileSchema } from '../../../packages/schema-check/src/index.ts'
import { createToolExecutor } from '../../../packages/tool-executor/src/index.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Turns, questions and schemas'
export const intro =
  'A turn, an inquiry and a check, without the time of a model, a person, a tool or a disk. No other library does the same work.'

const against = '`JSON.stringify` of the data'
const { signal } = new AbortController()

export async function measure(pace) {
  return [await measureTurn(pace), await measureInquiry(pace), ...(await measureSchemas(pace))]
}

const text = (value) => [{ type: 'text', text: value }]

/** A turn with one call: seven events. */
function makeTurn(turn) {
  const id = `call-${turn}`
  const resultText = 'What the tool said. '.repeat(20)
  return [
    { type: 'turn_start', turn },
    { type: 'user_message', content: text('What is in a.rs?') },
    { type: 'assistant_message', content: text('I look.') },
    { type: 'tool_call', call: { id, name: 'read', arguments: { path: 'a.rs' } } },
    { type: 'tool_result', result: { id, content: text(resultText), isError: false } },
    {
      type: 'delivery',
      deliveries: [],
      callId: id,
      text: resultText,
      wholeLength: resultText.length,
    },
    { type: 'assistant_message', content: text('A lighthouse.') },
  ]
}

async function* model() {
  yield { type: 'message', message: { role: 'assistant', content: text('Yes.'), calls: [] } }
}

async function measureTurn(pace) {
  const store = await openStore('memory:')
  await store.append('c', 0, Array.from({ length: 143 }, (_, turn) => makeTurn(turn + 1)).flat())
  const before = await openConversation(store, 'c')
  const known = [...before.events()]
  const executor = createToolExecutor({ tools: [] })
  const context = { signal, root: '/', conversationId: 'c' }
  const row = await compareTimes(pace, {
    name: 'a turn after 1,000 events',
    ours: async () => {
      // Each run starts after the same events.
      const events = [...known]
      const record = async (...added) => {
        for (const event of added) events.push({ seq: events.length + 1, at: '', event })
      }
      let latest
      const history = () => {
        if (latest?.count !== events.length)
          latest = { read: readHistory(events), count: events.length }
        return latest.read
      }
      const conversation = { id: 'c', store, events: () => events, history, record }
      await runTurn(text('And now?'), { model, executor, conversation, context }, () => {})
    },
    against,
    yardstick: () => JSON.stringify(known),
  })
  await executor.close()
  await store.close()
  return row
}

async function measureInquiry(pace) {
  const question = { type: 'question', question: booleanQuestion({ id: 'go', text: 'Go?' }) }
  const asks = createSuccessResult([...text('plan'), question])
  const done = createSuccessResult([])
  const tool = {
    name: 'edit',
    inputSchema: true,
    execute: async (_call, { answers }) => ('go' in answers ? done : asks),
  }
  const ask = { user: async () => ({ action: 'accept', value: true }) }
  const context = { signal, root: '/', ask }
  return await compareTimes(pace, {
    name: 'an inquiry of one round',
    ours: async () => await runInquiry(tool, { id: 'c', name: 'edit', arguments: {} }, { context }),
    against,
    yardstick: () => JSON.stringify(asks),
  })
}

const makeSchema = (index) => ({
  type: 'object',
  title: `schema ${index}`,
  properties: {
    name: { type: 'string', pattern: `^x${index}` },
    count: { type: 'integer', minimum: index },
    items: {
      type: 'array',
      items: { properties: { kind: { enum: ['a', 'b'] } }, required: ['kind'] },
    },
  },
  required: ['name'],
  additionalProperties: false,
})

async function measureSchemas(pace) {
  const known = makeSchema(1)
  const value = { name: 'x1', count: 3, items: [{ kind: 'a' }] }
  const rows = Array.from({ length: 20_000 }, () => ({ ...value, items: [...value.items] }))
  const list = { items: known }
  let index = 1
  const check = (schema, candidate) => {
    const compiled = compileSchema(schema)
    const verdict = compiled.ok && compiled.check(candidate)
    if (!verdict) throw new Error('the schema was not compiled')
  }
  const next = () => makeSchema((index += 1))
  const cases = [
    ['check a value with a known schema', () => check(known, value), value],
    [
      'compile an unknown schema and check a value',
      () => check(next(), { name: `x${index}` }),
      known,
    ],
    ['check 20,000 rows (1.1 MB)', () => check(list, rows), rows],
    [
      'prepare the schemas of 344 tools',
      () => {
        for (let tool = 0; tool < 344; tool += 1) compileSchema(next())
      },
      Array.from({ length: 344 }, () => known),
    ],
  ]
  const measured = []
  for (const [name, ours, data] of cases)
    measured.push(
      await compareTimes(pace, { name, ours, against, yardstick: () => JSON.stringify(data) }),
    )
  return measured
}
