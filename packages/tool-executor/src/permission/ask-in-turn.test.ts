import { expect, test } from 'vitest'
import { booleanQuestion, type Answer, type AnswerQuestion } from '@toolblocks/protocol'
import { createQueue } from '../queue.ts'
import { askInTurn } from './ask-in-turn.ts'

const call = { id: 'c', name: 't', arguments: {} }
const question = (id: string) => booleanQuestion({ id, text: `${id}?` })
const contextOf = (signal: AbortSignal) =>
  ({ blocks: [], source: { kind: 'question', call }, signal }) as const

test('a question that is aborted while another is open does not wait for it, and is never put', async () => {
  const open = Promise.withResolvers<Answer>()
  const put: string[] = []
  const person: AnswerQuestion = async ({ id }) => {
    put.push(id)
    return await open.promise
  }
  const ask = askInTurn(person, createQueue())
  const controller = new AbortController()
  const first = ask(question('first'), contextOf(new AbortController().signal))
  const second = ask(question('second'), contextOf(controller.signal))
  controller.abort()
  expect(await second).toEqual({ action: 'cancel', reason: 'aborted' })
  open.resolve({ action: 'accept', value: true })
  expect(await first).toEqual({ action: 'accept', value: true })
  await new Promise((next) => setImmediate(next))
  expect(put).toEqual(['first'])
})

test('an open question is closed by its port, not from outside', async () => {
  const opened = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const person: AnswerQuestion = async () => {
    opened.resolve()
    await closing.promise
    return { action: 'decline' }
  }
  const controller = new AbortController()
  const answer = askInTurn(person, createQueue())(question('q'), contextOf(controller.signal))
  await opened.promise
  controller.abort()
  closing.resolve()
  expect(await answer).toEqual({ action: 'decline' })
})
