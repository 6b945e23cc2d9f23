import type {
  ContentBlock,
  InputRequest,
  JsonSchema,
  ModelText,
  QuestionContext,
} from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import { expect, test } from 'vitest'
import { type AskModel, type ModelQuestion, createModelAnswers } from './model.ts'

const request: InputRequest = { id: 'go', text: 'Apply?', schema: { type: 'boolean' } }

const context = (blocks: ContentBlock[] = []): QuestionContext => ({
  blocks,
  source: { kind: 'question', call: { id: 'c', name: 't', arguments: {} } },
  signal: new AbortController().signal,
})

const formatBlocks = (blocks: readonly ContentBlock[]): ModelText =>
  blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n') as ModelText

/** A model that gives these responses, and the questions it was asked. */
function model(...responses: unknown[]): AskModel & { asked: ModelQuestion[] } {
  const rest = responses.values()
  const asked: ModelQuestion[] = []
  const ask: AskModel = async (question) => {
    asked.push(question)
    return rest.next().value
  }
  return Object.assign(ask, { asked })
}

test('the model receives all blocks, the question and a schema for its answer', async () => {
  const ask = model({ answer: true })
  const answer = createModelAnswers({ model: ask, formatBlocks })
  expect(await answer(request, context([{ type: 'text', text: 'the patch' }]))).toEqual({
    action: 'accept',
    value: true,
  })
  expect(ask.asked[0]?.text).toBe(
    'the patch\nThe tool "t" needs input before it can continue. It asks:\n\nApply?',
  )
  expect(ask.asked[0]).not.toHaveProperty('settings')
  expect(ask.asked[0]?.schema).toEqual({
    type: 'object',
    properties: { answer: { type: 'boolean' } },
    required: ['answer'],
    additionalProperties: false,
  })
})

test('the text of the tool after its last question follows the question', async () => {
  const ask = model({ answer: true })
  const answer = createModelAnswers({ model: ask, formatBlocks })
  const [before, after] = ['the patch', 'Tests passed.'].map(
    (text) => ({ type: 'text', text }) as const,
  )
  await answer(request, { ...context(before && [before]), after: after ? [after] : [] })
  expect(ask.asked[0]?.text).toBe(
    'the patch\nThe tool "t" needs input before it can continue. It asks:\n\nApply?\nThe tool "t" says after the question:\nTests passed.',
  )
})

test('an invalid response is sent back with its problem, at most twice', async () => {
  const ask = model({ answer: 'yes' }, { wrong: 1 }, { answer: false })
  const answer = createModelAnswers({ model: ask, formatBlocks })
  expect(await answer(request, context())).toEqual({ action: 'accept', value: false })
  const asking = ['', 'The tool "t" needs input before it can continue. It asks:', '', 'Apply?']
  expect(ask.asked.slice(1).map(({ text }) => text.split('\n'))).toEqual([
    [
      'The last response did not match the schema:',
      '- /answer: expected boolean, got string "yes"',
      ...asking,
    ],
    [
      'The last response did not match the schema:',
      '- /answer: is required and missing; expected boolean',
      '- /wrong: is not a known property; expected only "answer"',
      ...asking,
    ],
  ])
})

test('three invalid responses are a failure with a message', async () => {
  const ask = model('true', null, 3, { answer: true })
  const answer = createModelAnswers({ model: ask, formatBlocks })
  expect(await answer(request, context())).toEqual({
    action: 'cancel',
    reason: 'failed',
    message:
      'the model answered "go" 3 times, and no answer was valid: expected object, got number 3',
  })
  expect(ask.asked).toHaveLength(3)
})

test.for([null, 'yes', [true], {}, { answers: true }])(
  'a response that is no object with an answer is not an answer: %j',
  async (response) => {
    const ask = model(response, { answer: true })
    const answer = createModelAnswers({ model: ask, formatBlocks })
    expect(await answer(request, context())).toEqual({ action: 'accept', value: true })
    expect(ask.asked).toHaveLength(2)
  },
)

test('a question of a server names the server', async () => {
  const ask = model({ answer: true })
  const answer = createModelAnswers({ model: ask, formatBlocks })
  const source = { kind: 'elicitation', server: 'desk' } as const
  const after = [{ type: 'text', text: 'Thanks.' }] as const
  await answer(request, { ...context(), source, after })
  expect(ask.asked[0]?.text).toContain('The server "desk" needs input before it can continue.')
  expect(ask.asked[0]?.text).toContain('The server "desk" says after the question:\nThanks.')
})

test('a host sets how often an invalid response is sent back', async () => {
  for (const retries of [0, 1, 4]) {
    const ask = model()
    const answer = await createModelAnswers({ model: ask, formatBlocks, retries })(
      request,
      context(),
    )
    expect(answer).toMatchObject({ action: 'cancel', reason: 'failed' })
    expect(ask.asked).toHaveLength(retries + 1)
  }
})

test('a question with an invalid schema is not asked', async () => {
  const ask = model({ answer: true })
  const broken = { ...request, schema: { type: 'odd' } }
  expect(await createModelAnswers({ model: ask, formatBlocks })(broken, context())).toEqual({
    action: 'cancel',
    reason: 'nobody',
  })
  expect(ask.asked).toEqual([])
})

test('a response that cannot be checked is not an answer', async () => {
  const ask = model({ answer: 'a' }, { answer: 'a' }, { answer: 'a' })
  const unchecked = { ...request, schema: { pattern: '^(?=a)' } }
  const answer = await createModelAnswers({ model: ask, formatBlocks })(unchecked, context())
  expect(answer).toMatchObject({ action: 'cancel', reason: 'failed' })
})

test('problems of a rejected answer are in the first request', async () => {
  const ask = model({ answer: true })
  const problems = [{ path: '', message: 'expected a smaller number' }]
  await createModelAnswers({ model: ask, formatBlocks })(request, { ...context(), problems })
  expect(ask.asked[0]?.text).toMatch(
    /^The last response did not match the schema:\n- \/: expected a smaller number\n\n/,
  )
})

test.for<[string, Partial<InputRequest>]>([
  ['a secret', { schema: { type: 'string', format: 'password' } }],
  ['a page to visit', { url: 'https://example.com' }],
])('a model is never asked %s', async ([, extra]) => {
  const ask = model({ answer: 'x' })
  const answer = createModelAnswers({ model: ask, formatBlocks })
  expect(await answer({ ...request, ...extra }, context())).toEqual({
    action: 'cancel',
    reason: 'nobody',
  })
  expect(ask.asked).toEqual([])
})

test('a question whose schema refers to its definitions can be answered', async () => {
  const schema = { $ref: '#/$defs/choice', $defs: { choice: { enum: ['a', 'b'] } } }
  const ask = model({ answer: 'c' }, { answer: 'b' })
  const answer = await createModelAnswers({ model: ask, formatBlocks })(
    { ...request, schema },
    context(),
  )
  expect(answer).toEqual({ action: 'accept', value: 'b' })
})

test('the settings of a route reach the model', async () => {
  const ask = model({ answer: true })
  const settings = { model: 'small' }
  await createModelAnswers({ model: ask, formatBlocks })(request, { ...context(), settings })
  expect(ask.asked[0]?.settings).toEqual(settings)
})

test('after an abort the model is not asked', async () => {
  const ask = model({ answer: true })
  const answer = createModelAnswers({ model: ask, formatBlocks })
  const signal = AbortSignal.abort()
  expect(await answer(request, { ...context(), signal })).toEqual({
    action: 'cancel',
    reason: 'aborted',
  })
  expect(ask.asked).toEqual([])
})

/** Returns the schema that a model is given for a question with this schema. */
async function schemaGiven(schema: JsonSchema): Promise<JsonSchema> {
  const asked: JsonSchema[] = []
  const ask: AskModel = async (question) => void asked.push(question.schema)
  await createModelAnswers({ model: ask, formatBlocks, retries: 0 })(
    { ...request, schema },
    context(),
  )
  const [askedSchema] = asked
  if (askedSchema === undefined) throw new Error('the model was not asked')
  return askedSchema
}

test.for([true, false, { type: 'string' }])('%j is the schema of the one field', async (schema) => {
  expect(await schemaGiven(schema)).toEqual({
    type: 'object',
    properties: { answer: schema },
    required: ['answer'],
    additionalProperties: false,
  })
})

test('references keep their targets: definitions at the root, and moved parts of the schema', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { tree: { type: 'object', properties: { $ref: { $ref: '#/$defs/tree' } } } },
    properties: {
      tree: { $ref: '#/$defs/tree' },
      again: { $ref: '#/properties/tree' },
      default: { $ref: '#', default: { $ref: '#' } },
    },
  }
  const answer = {
    properties: {
      tree: { $ref: '#/$defs/tree' },
      again: { $ref: '#/properties/answer/properties/tree' },
      default: { $ref: '#/properties/answer', default: { $ref: '#' } },
    },
  }
  expect(await schemaGiven(schema)).toEqual({
    $schema: schema.$schema,
    $defs: schema.$defs,
    type: 'object',
    properties: { answer },
    required: ['answer'],
    additionalProperties: false,
  })
})

test.for<[string, unknown, unknown]>([
  ['the root', '#', '#/properties/answer'],
  ['a part', '#/items', '#/properties/answer/items'],
  ['a definition', '#/$defs/a', '#/$defs/a'],
  ['an older definition', '#/definitions/a', '#/definitions/a'],
  ['a part called like definitions', '#/$defsish/a', '#/properties/answer/$defsish/a'],
  ['an anchor', '#a', '#a'],
  ['another document', 'https://a.example/#/items', 'https://a.example/#/items'],
  ['something that is no text', 7, 7],
])('a reference to %s keeps its target', async ([, reference, moved]) => {
  expect(await schemaGiven({ $ref: reference, description: '#/items' })).toMatchObject({
    properties: { answer: { $ref: moved, description: '#/items' } },
  })
})

test('a recursive schema checks the answer', async () => {
  const list = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
  const compiled = compileSchema(await schemaGiven(list))
  const check = (value: unknown): string => (compiled.ok ? compiled.check(value).verdict : 'none')
  expect(check({ answer: { next: { next: {} } } })).toBe('valid')
  expect(check({ answer: { next: { answer: {} } } })).toBe('invalid')
})
