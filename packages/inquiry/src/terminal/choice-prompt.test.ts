import fc from 'fast-check'
import type { InputRequest } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { seatNear } from './person/at-streams.support.ts'
import { keys } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'

const yesNo: InputRequest = { id: 'a', text: 'Delete it?', schema: { type: 'boolean' } }
const fruit: InputRequest = {
  id: 'a',
  text: 'Which fruit?',
  schema: { enum: ['apple', 'apricot', 'Cherry'] },
}
const several: InputRequest = {
  id: 'a',
  text: 'Which ones?',
  schema: { type: 'array', items: { enum: ['apple', 'apricot', 'Cherry'] } },
}

const stopped = { action: 'cancel', reason: 'user', raw: false }

describe('a typed letter', () => {
  test.for(['y', 'n', 'h', 'j', 'k', 'l', ' ', 'maybe', 'okay', 'jjj'])(
    'answers nothing without Enter: %j',
    async (typed) => {
      const person = seatNear([{ request: yesNo }])
      await person.sees('◆  Delete it?')
      person.types(typed)
      if (typed.trim() !== '') await person.sees(`${typed}█`)
      person.types(keys.interrupt)
      expect((await person.leaves()).answers).toEqual([stopped])
    },
  )

  test.for(['h', 'j', 'k', 'l', 'maybe', 'okay', 'yo'])(
    'that begins no choice selects nothing, and Enter then says so: %j',
    async (typed) => {
      const person = seatNear([{ request: yesNo }])
      await person.sees('◆  Delete it?')
      person.types(typed)
      expect(await person.sees(`${typed}█`)).toContain('○ Yes / ● No')
      await person.sees('└  no such choice')
      person.types(keys.enter)
      const screen = await person.sees('This is no choice. Nothing was answered')
      expect(screen).toContain(
        `▲  Delete it?\n│  ○ Yes / ● No\n│  ${typed}█\n└  This is no choice.`,
      )
      person.types(keys.enter, keys.interrupt)
      expect((await person.leaves()).answers).toEqual([stopped])
    },
  )

  test('selects the choice that it begins, and Enter answers it', async () => {
    const person = seatNear([{ request: yesNo }])
    await person.sees('◆  Delete it?')
    person.types('Ye')
    expect(await person.sees('Ye█')).toContain('● Yes / ○ No\n│  Ye█\n└  Enter: Yes')
    person.types(keys.enter)
    const { answers, screen } = await person.leaves()
    expect(answers).toEqual([accepted(true)])
    expect(screen).toContain('◇  Delete it?\n│  Yes')
  })

  test('that is deleted again selects what was selected before it', async () => {
    const person = seatNear([{ request: yesNo }])
    await person.sees('◆  Delete it?')
    person.types('y')
    await person.sees('● Yes / ○ No')
    person.types(keys.backspace)
    await person.sees('○ Yes / ● No')
    person.types(keys.enter)
    expect((await person.leaves()).answers).toEqual([accepted(false)])
  })
})

describe('typed text', () => {
  test('that begins several choices is told, and the exact name of one wins', async () => {
    const request = { ...fruit, schema: { enum: ['apple', 'apple pie'] } }
    const person = seatNear([{ request: fruit }, { request }])
    await person.sees('◆  Which fruit?')
    person.types('ap')
    await person.sees('└  several choices have this')
    person.types(keys.enter)
    await person.sees('This matches several choices: apple, apricot')
    person.types('r', keys.enter)
    await person.sees(/│ {2}apricot[^]*◆ {2}Which fruit\?/)
    person.types('apple', keys.enter)
    expect((await person.leaves()).answers).toEqual([accepted('apricot'), accepted('apple')])
  })

  test('selects the choice that contains it, if none begins with it; one letter selects only what it begins', async () => {
    const person = seatNear([{ request: fruit }])
    await person.sees('◆  Which fruit?')
    person.types('r')
    await person.sees('└  no such choice')
    person.types('\u0015', 'rry')
    await person.sees('└  Enter: Cherry')
    person.types(keys.enter)
    expect((await person.leaves()).answers).toEqual([accepted('Cherry')])
  })

  test('is deleted by an arrow key, which selects', async () => {
    const person = seatNear([{ request: fruit }])
    await person.sees('◆  Which fruit?')
    person.types('nothing', keys.down)
    expect(await person.sees('● apple')).not.toContain('nothing█')
    person.types(keys.enter)
    expect((await person.leaves()).answers).toEqual([accepted('apple')])
  })

  test('is needed, or an arrow key, where no choice is preselected: Enter alone answers nothing', async () => {
    const person = seatNear([{ request: fruit }])
    expect(await person.sees('◆  Which fruit?')).not.toContain('●')
    person.types(keys.enter)
    await person.sees('Nothing is selected. Nothing was answered:')
    person.types(keys.up)
    await person.sees('● Cherry')
    person.types(keys.enter)
    expect((await person.leaves()).answers).toEqual([accepted('Cherry')])
  })

  test('marks one of several choices with Enter, and a word with spaces marks nothing', async () => {
    const person = seatNear([{ request: several }])
    await person.sees('◆  Which ones?')
    person.types('what is this', keys.enter)
    await person.sees('This is no choice.')
    person.types('\u0015', 'cher')
    await person.sees('└  Enter marks: Cherry')
    person.types(keys.enter)
    await person.sees(/◼ Cherry[^]*└ {2}Press Enter again to send\./)
    person.types(keys.enter)
    expect((await person.leaves()).answers).toEqual([accepted(['Cherry'])])
  })
})

describe('a pasted text', () => {
  const paste = (text: string): string => `\u001B[200~${text}\u001B[201~`

  test.for([yesNo, fruit, several])(
    'sends and chooses nothing, whatever keys it contains: $text',
    async (request) => {
      const person = seatNear([{ request }])
      await person.sees(`◆  ${request.text}`)
      person.types(paste('ls -y\r\n \u001B[B y\r\r'))
      await person.sees('ls -y')
      person.types(keys.enter)
      await person.sees('This is no choice.')
      person.types(keys.interrupt)
      expect((await person.leaves()).answers).toEqual([stopped])
    },
  )

  test.for([yesNo, fruit, several])(
    'of several lines sends and chooses nothing on a terminal that does not mark it: $text',
    async (request) => {
      const person = seatNear([{ request }])
      await person.sees(`◆  ${request.text}`)
      person.types('y\ry\r')
      await person.sees('y y█')
      person.types('\u0015')
      person.types('apple\r\nls\n')
      await person.sees('apple ls█')
      person.types(keys.enter)
      await person.sees('This is no choice.')
      person.types(keys.interrupt)
      expect((await person.leaves()).answers).toEqual([stopped])
    },
  )

  test('of several lines stays lines, in a text and among lines, and sends nothing', async () => {
    const person = seatNear([
      { request: { id: 'a', text: 'Name?', schema: { type: 'string' } } },
      {
        request: {
          id: 'b',
          text: 'Names?',
          schema: { type: 'array', items: { type: 'string' } },
        },
      },
    ])
    await person.sees('◆  Name?')
    person.types(paste('Ada\r\n\tLovelace\r'))
    await person.sees(/Ada⏎\n│ {4}Lovelace█/)
    person.types(', ', 'Grace\rHopper\r')
    await person.sees(/Lovelace, Grace⏎\n│ {2}Hopper█/)
    person.types(keys.enter)
    await person.sees('◆  Names?')
    person.types(paste('Ada\r\nGrace 🙂\tH\n'), 'Alan')
    await person.sees('Alan█')
    person.types(keys.tab, keys.enter)
    expect((await person.leaves()).answers).toEqual([
      accepted('Ada\n\tLovelace, Grace\nHopper'),
      accepted(['Ada', 'Grace 🙂  H', 'Alan']),
    ])
  })
})

describe('for any keys', () => {
  const text = fc.oneof(
    fc.constantFrom('y', 'n', 'h', 'j', 'k', 'l', ' ', 'yes', 'okay', 'maybe', 'a', 'i'),
    fc.string({ unit: 'grapheme', maxLength: 6 }).filter((typed) => !/\p{Cc}/u.test(typed)),
  )
  const arrow = fc.constantFrom(keys.up, keys.down, keys.backspace, keys.tab, keys.stop)
  const all = fc.array(fc.oneof(text, arrow), { maxLength: 12 })
  const requests = fc.constantFrom(yesNo, fruit, several)

  test('nothing is answered without Enter', async () => {
    await fc.assert(
      fc.asyncProperty(requests, all, async (request, typed) => {
        const person = seatNear([{ request }])
        await person.sees(`◆  ${request.text}`)
        person.types(...typed, keys.interrupt)
        expect((await person.leaves()).answers).toEqual([stopped])
      }),
      { numRuns: 60 },
    )
  })

  test('text that is no choice agrees to nothing, however often Enter follows', async () => {
    const noChoice = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((typed) => !/\p{Cc}/u.test(typed) && typed.trim() !== '')
      .filter((typed) => {
        const word = typed.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
        // Two letters choose what contains them.
        const chooses = (name: string): boolean =>
          word.length > 1 ? name.includes(word) : name.startsWith(word)
        return !['yes', 'no', 'true', 'false'].some(chooses)
      })
    await fc.assert(
      fc.asyncProperty(noChoice, fc.integer({ min: 1, max: 4 }), async (typed, times) => {
        const person = seatNear([{ request: yesNo }])
        await person.sees('◆  Delete it?')
        person.types(typed, ...Array<string>(times).fill(keys.enter), keys.interrupt)
        expect((await person.leaves()).answers).toEqual([stopped])
      }),
      { numRuns: 60 },
    )
  })
})
