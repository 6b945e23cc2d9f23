import type { InputRequest, QuestionSource } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { QuestionRoute } from '../questions/routes.ts'
import { explainNobody } from './choose-answerers.ts'

const call = { id: 'c', name: 't', arguments: {} }
const request: InputRequest = { id: 'q', text: 'Go?', schema: { type: 'boolean' } }
const secret: InputRequest = { ...request, schema: { type: 'string', format: 'password' } }
const page: InputRequest = { ...request, url: 'https://example.com' }
const own: QuestionSource = { kind: 'question', call }
const ofServer: QuestionSource = { kind: 'elicitation', server: 's' }

test.for<[string, InputRequest, QuestionRoute, QuestionSource, string]>([
  ['a person', request, {}, own, 'it is a question for a person, and no person is available'],
  [
    'the model',
    request,
    { target: 'assistant' },
    own,
    'it is a question for the model, and no model is available',
  ],
  [
    'a model of its own settings, for a secret',
    secret,
    { target: { settings: {} } },
    own,
    'it is a question for the model, and a model is never asked for a secret',
  ],
  [
    'the model, for a page to visit',
    page,
    { target: 'assistant' },
    own,
    'it is a question for the model, and a model is never asked to visit a page',
  ],
  [
    'a person, else the model',
    request,
    { fallback: 'assistant' },
    own,
    'it is a question for a person, and no person is available; it falls back to the model, and no model is available',
  ],
  [
    'a person, else the model, for a server',
    request,
    { fallback: 'assistant' },
    ofServer,
    'it is a question for a person, and no person is available; a question of a server never falls back to a model',
  ],
  [
    'the model, else the default',
    request,
    { target: 'assistant', fallback: 'default' },
    own,
    'it is a question for the model, and no model is available; it falls back to its default, and it has no default',
  ],
])(
  'the message about %s without an answer names the answerer',
  ([, asked, route, source, message]) => {
    expect(explainNobody(asked, { route, source, messages: new Map() })).toBe(message)
  },
)

test('the message of the port is the reason', () => {
  const messages = new Map([
    ['user', 'the input is not a terminal'],
    ['assistant', 'no [model] is configured'],
  ] as const)
  expect(explainNobody(request, { route: { fallback: 'assistant' }, source: own, messages })).toBe(
    'it is a question for a person, and the input is not a terminal; it falls back to the model, and no [model] is configured',
  )
})
