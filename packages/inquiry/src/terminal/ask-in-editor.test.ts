import type { AnswerQuestion, InputRequest } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.suite.ts'
import { keys } from './person/keys.suite.ts'

const list: InputRequest = {
  id: 'a',
  text: 'Which rows?',
  schema: { type: 'array', items: { type: 'object' } },
}
const form: InputRequest = {
  id: 'b',
  text: 'Which x?',
  schema: { type: 'object', properties: { x: { type: 'integer' } } },
}

/** An editor in which somebody always writes the same. */
function editorOf(value: number): AnswerQuestion & { opened: InputRequest[] } {
  const opened: InputRequest[] = []
  const editor: AnswerQuestion = async (request) => {
    opened.push(request)
    return { action: 'accept', value }
  }
  return Object.assign(editor, { opened })
}

test('what no prompt can ask for is answered in the editor, which opens when the person says so', async () => {
  const editor = editorOf(7)
  const person = seatNear([{ request: list }], { editor })
  expect(await person.sees('● Answer in the editor')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ◆  Which rows?
    │  ● Answer in the editor
    │  ○ Decline
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  expect(editor.opened).toEqual([])
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([{ action: 'accept', value: 7, raw: false }])
  expect(editor.opened).toEqual([list])
})

test('a form is answered there only where that is wanted', async () => {
  const editor = editorOf(7)
  const edited = seatNear([{ request: form }], { editor, forms: 'edit' })
  await edited.sees(/Which x\?\n│ {2}● Answer in the editor/)
  edited.types(keys.enter)
  await edited.leaves()
  expect(editor.opened).toEqual([form])
  const asked = seatNear([{ request: form }], { editor })
  await asked.sees('◆  x (1 of 1)')
  asked.types(keys.interrupt)
  await asked.leaves()
  expect(editor.opened).toHaveLength(1)
})

test.for([
  ['declining', keys.down + keys.enter, { action: 'decline', raw: false }],
  ['Ctrl-C', keys.interrupt, { action: 'cancel', reason: 'user', raw: false }],
] as const)('with %s it does not open', async ([, typed, answer]) => {
  const editor = editorOf(7)
  const person = seatNear([{ request: list }], { editor })
  await person.sees('● Answer in the editor')
  person.types(typed)
  expect((await person.leaves()).answers).toEqual([answer])
  expect(editor.opened).toEqual([])
})

test.for([list, { ...list, schema: true }, { ...list, schema: { type: 'null' } }])(
  'without an editor a question for it is nobody’s, and the person is told: %j',
  async (request) => {
    const { answers, screen } = await seatNear([{ request }]).leaves()
    expect(answers).toEqual([{ action: 'cancel', reason: 'nobody', raw: false }])
    expect(screen).toMatchInlineSnapshot(`
      "┌  edit_file asks · Esc: back, decline, cancel
      │
      │  Which rows?
      │  This needs an editor, and none is set up here.
      └  Cancelled: nobody can answer this here"
    `)
  },
)
