import { expect, onTestFinished, test } from 'vitest'
import type { ConversationEvent, DatedEvent } from '../events/conversation-event.ts'
import { openStore } from '../open-store.ts'
import { describeConversation } from './describe-conversation.ts'

async function describe(
  events: readonly (ConversationEvent | DatedEvent | object)[],
  id = 'c',
): ReturnType<typeof describeConversation> {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  await store.append(id, 0, events as readonly ConversationEvent[])
  return await describeConversation(store, id)
}

const userMessage = (text: string, fields?: object): object => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
  ...(fields && { imported: { fields } }),
})

test('describes an imported conversation by its title, model and folder', async () => {
  const about = { title: 'Mend  the\nlamp', model: 'claude-x', folder: '/w/lamps' }
  const [first] = [{ ...userMessage('Please mend it.'), imported: { about } }]
  expect(await describe([first], 'claude-code-5e55')).toEqual({
    title: 'Mend the',
    model: 'claude-x',
    folder: '/w/lamps',
    madeBy: 'claude-code',
  })
})

test('the title is the first line that a person wrote, cut at the end of a word', async () => {
  const long = `\n  Please   count ${'all the lamps '.repeat(9)}\nin the hall`
  const { title = '' } = await describe([{ type: 'turn_start', turn: 1 }, userMessage(long)])
  expect(title).toBe('Please count all the lamps all the lamps all the lamps all…')
  expect((await describe([userMessage('x'.repeat(200))])).title).toBe(`${'x'.repeat(60)}…`)
  expect((await describe([userMessage(`${'y'.repeat(59)}😀z`)])).title).toHaveLength(61)
})

test.for<[string, object]>([
  ['is marked as written by the program', userMessage('Caveat: do not answer.', { isMeta: true })],
  [
    'is a command',
    userMessage('<command-name>/init</command-name>\n<command-args></command-args>'),
  ],
  ['is the output of a command', userMessage('<local-command-stdout>Done.</local-command-stdout>')],
  ['is a context', userMessage('<environment_context>\n  <cwd>/w</cwd>\n</environment_context>')],
  ['is a context that is cut', userMessage('<environment_context>\n  <cwd>/w')],
  [
    'is the instructions of a folder',
    userMessage('# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>'),
  ],
  [
    'reports that a person interrupted it',
    userMessage('[Request interrupted by user for tool use]'),
  ],
])(
  'a message that a program wrote in the name of a person is not a title: it %s',
  async ([, event]) => {
    expect((await describe([event, userMessage('Light it.')])).title).toBe('Light it.')
  },
)

test('the words of a person after what a program added are a title', async () => {
  const reminder = '<system-reminder>Be brief.</system-reminder>'
  expect((await describe([userMessage(`${reminder}\nLight it.`)])).title).toBe('Light it.')
  for (const text of [
    '<div>is broken',
    '<my-button> is not shown',
    '<my-button>Light</my-button> is not shown',
    '# AGENTS.md instructions for lamps are missing',
  ])
    expect((await describe([userMessage(text)])).title).toBe(text)
})

test('describes a conversation by its own record of creator, model and folder', async () => {
  const values = { command: 'chat', folder: '/w', model: 'gpt-x' }
  expect(await describe([{ type: 'configuration', values }, userMessage('Hello.')])).toEqual({
    title: 'Hello.',
    model: 'gpt-x',
    folder: '/w',
    madeBy: 'chat',
  })
})

test('a conversation that an agent leads is made by an agent', async () => {
  const values = { parent: { conversationId: 'a', callId: 'b' } }
  expect(await describe([{ type: 'configuration', values }])).toEqual({ madeBy: 'agent' })
})

test('without a message of a person, the called tool is the title, and the model that answered is the model', async () => {
  const call = { id: 'a', name: 'count_lamps', arguments: {} }
  const answer = { type: 'assistant_message', content: [], model: 'claude-x' }
  expect(await describe([{ type: 'tool_call', call }, answer])).toEqual({
    title: 'call count_lamps',
    model: 'claude-x',
  })
})

test('searches the first 72 events for words', async () => {
  const starts = Array.from({ length: 80 }, (_, turn) => ({ type: 'turn_start', turn }))
  expect(await describe([...starts.slice(0, 71), userMessage('Here.')])).toEqual({ title: 'Here.' })
  expect(await describe([...starts.slice(0, 72), userMessage('Here.')])).toEqual({})
  expect(await describe([])).toEqual({})
})
