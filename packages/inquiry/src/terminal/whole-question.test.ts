import { expect, test, vi } from 'vitest'
import { booleanQuestion, textQuestion, type ContentBlock } from '@toolblocks/protocol'
import { keys, seat } from './person.suite.ts'

vi.setConfig({ testTimeout: 20_000 })

function accepted(value: unknown): unknown {
  return { action: 'accept', value, raw: false }
}

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}.`).join('\n')
const block = (text: string): ContentBlock => ({ type: 'text', text })

test.concurrent('a label of 61 lines is shown whole, and no yes is preselected for what is beyond the screen', async () => {
  const person = seat([
    { request: booleanQuestion({ id: 'a', text: lines(61, 'Clause'), default: true }) },
    {
      request: booleanQuestion({ id: 'b', text: 'Short?', default: true }),
      blocks: [block(lines(30, 'Change'))],
    },
    {
      request: booleanQuestion({ id: 'c', text: 'Again?', default: true }),
      blocks: [block('One line.')],
    },
  ])
  await person.sees(/◆ {2}Clause 1\. …\n│ {2}○ Yes \/ ● No/)
  person.types(keys.enter)
  await person.sees(/◆ {2}Short\?\n│ {2}○ Yes \/ ● No/)
  person.types(keys.enter)
  await person.sees(/◆ {2}Again\?\n│ {2}● Yes \/ ○ No/)
  person.types(keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted(false), accepted(false), accepted(true)])
  for (let line = 1; line <= 61; line += 1) expect(written).toContain(`Clause ${line}.\r\n`)
})

test.concurrent('a description, a title and a choice that are longer than a line are shown whole before the answer', async () => {
  const long = (word: string): string => `${'word '.repeat(80)}${word}`
  const person = seat([
    {
      request: {
        id: 'a',
        text: 'Which?',
        schema: { enum: [long('CHOICE'), 'b'], description: long('ABOUT') },
      },
    },
    {
      request: {
        id: 'b',
        text: 'Fill in',
        schema: { type: 'object', properties: { x: { type: 'boolean', title: long('TITLE') } } },
      },
    },
  ])
  const screen = await person.sees(/ABOUT[^]*◆ {2}Which\?[^]*CHOICE/)
  expect(screen.indexOf('ABOUT')).toBeLessThan(screen.indexOf('Which?'))
  person.types(keys.down, keys.enter)
  await person.sees(/TITLE[^]*\(1 of 1\)/)
  person.types(keys.interrupt)
  const { answers } = await person.leaves()
  expect(answers[0]).toEqual(accepted('b'))
})

test.concurrent('words of a label and of what stands above wrap whole, beside the bar', async () => {
  const text =
    'There are several words in this question, enough of them for two rows, all of which wrap.'
  const name = 'a_tool_whose_long_name_makes_the_line_that_says_who_asks_wrap'
  const source = { kind: 'question', call: { id: 'c', name, arguments: {} } } as const
  const schema = { type: 'string', description: 'word '.repeat(30), pattern: `^${'a'.repeat(60)}$` }
  const person = seat([{ request: { id: 'a', text, schema }, source }])
  const screen = await person.sees(/◆ {2}There are [^\n]*\n│ {2}[^\n]*which wrap\./)
  expect(screen).toMatch(/^┌ {2}a_tool[^\n]* asks · Esc:\n│ {2}back, decline, cancel\n/)
  expect(screen).toMatch(/(│ {2}(word ?){15}\n){2}/)
  person.types('x', keys.enter)
  await person.sees(/└ {2}expected a string [^\n]*\n {3}\S/)
  person.types(keys.interrupt)
  await person.leaves()
})

test.concurrent('a terminal that says it has no columns is taken for 80', async () => {
  const person = seat([{ request: booleanQuestion({ id: 'a', text: 'A whole line of words?' }) }], {
    size: 'none',
  })
  await person.sees(/◆ {2}A whole line of words\?\n│ {2}○ Yes \/ ● No/)
  person.types('y')
  expect((await person.leaves()).answers).toEqual([accepted(true)])
})

test.concurrent('after Esc the prompt that is left is drawn as left', async () => {
  const person = seat([{ request: textQuestion({ id: 'a', text: 'First?' }) }])
  await person.sees('◆  First?')
  person.types('half', keys.escape)
  await person.sees(/■ {2}First\?\n│ {2}half[^◆]*◆ {2}What instead\?/)
  person.types(keys.escape)
  await person.sees(/■ {2}What instead\?[^◆]*◆ {2}First\?/)
  person.types('x', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('x')])
})

test.concurrent('the problem of an answer goes with the next one', async () => {
  const schema = { type: 'array', items: { enum: ['mon', 'tue'] }, maxItems: 1 }
  const person = seat([
    { request: { id: 'a', text: 'Which day?', schema, default: ['mon', 'tue'] } },
    { request: textQuestion({ id: 'b', text: 'And then?' }) },
  ])
  await person.sees('◆  Which day?')
  person.types(keys.enter)
  await person.sees(/▲ expected at most 1/)
  person.types(keys.space)
  await person.sees(/◆ {2}Which day\?\n│ {2}choose at most 1\n│ {2}◻ mon/)
  person.types(keys.enter)
  await person.sees(/◇ {2}Which day\?\n│ {2}choose at most 1\n│ {2}tue\n[^▲]*◆ {2}And then\?/)
  person.types('x', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted(['tue']), accepted('x')])
})

test.concurrent('a list of texts is typed one in a line, sent with Tab and Enter, and corrected after a problem', async () => {
  const schema = { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 2 }
  const person = seat([
    { request: { id: 'a', text: 'Which files?', schema } },
    { request: { id: 'b', text: 'And these?', schema, default: ['one', 'two'] } },
  ])
  await person.sees(
    /◆ {2}Which files\?\n│ {2}choose at least 2\n│ {2}one in a line; Tab and Enter to send/,
  )
  person.types('a.txt', keys.tab, keys.enter)
  await person.sees('expected at least 2 items')
  person.types(keys.tab, keys.enter, 'b', keys.tab, keys.enter)
  await person.sees('"b": expected at least 2 characters, got 1')
  person.types(keys.tab, ' c.txt', keys.tab, keys.enter)
  await person.sees(/◆ {2}And these\?[^◆]*│ {2}one\n│ {2}two/)
  person.types(keys.tab, keys.enter)
  expect((await person.leaves()).answers).toEqual([
    accepted(['a.txt', 'b c.txt']),
    accepted(['one', 'two']),
  ])
})
